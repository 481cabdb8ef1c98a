// SPDX-License-Identifier: Apache-2.0
//
// Sin: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/operator_spec.h"
#include "tests/support/trigonometry_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactSin(T x) {
  return std::sin(x);
}

}  // namespace

extern const OperatorSpec kSpec_sin = {
    .name = "Sin",
    .versions = TrigonometryVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactSin(in[0]); },
    .allowed_ulp = 1,
    .wide = ManyTurns,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_exact32.h"
#include "tests/support/check_function.h"
#include "tests/support/check_trigonometry.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_sin);

constexpr OpId kSin = {"Sin", 22};

LANEWISE_ULP_TESTS(SinErrors, kSin, ExactSin<double>, ExactSin<long double>,
                   AnyAngle);
LANEWISE_FAST_TESTS(SinErrors, kSin, ExactSin<double>);
LANEWISE_FAST_TESTS64(SinErrors, kSin, ExactSin<long double>, AnyAngle);

Precise SinInPrecise(const Precise& x) { return sin(x); }
LANEWISE_EXACT_TESTS(SinErrors, kSin, ExactSin<double>, SinInPrecise, kHardSin);

TEST(SinValues, FastIsNeverBeyond1) { CheckFastLimits(kSin, 1, -1, 1); }

TEST(SinValues, NoInfinity) { CheckRefusesInfinity(kSin); }
TEST(SinValues, SameEverywhere) {
  CheckFunction(kSin, {0.0, -0.0, 0.75, -1.25, 10, 1000});
}
TEST(SinValues, SmallOnesStay) { CheckKeepsSmall(kSin); }

// The largest double, and those that lie closest to a multiple of pi/2.
TEST(SinValues, HardAngles) {
  CheckAngles(kSin, {{0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8},
                     {0x1.0p20, 0x1.526ccb2fc8656p-2},
                     {0x1.fffffffffffffp19, 0x1.526ccb2de52a8p-2},
                     {1e22, -0x1.b453ab76bf397p-1},
                     {0x1.6ac5b262ca1ffp+850, -0x1.14ae72e6ba22fp-60},
                     {0x1.6c6cbc45dc8dep+6, -0x1.6d61b58c99c43p-60},
                     {-0x1.6c6cbc45dc8dep+7, -0x1.6d61b58c99c43p-59}});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
