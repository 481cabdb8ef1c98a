// SPDX-License-Identifier: Apache-2.0
//
// Tan: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/operator_spec.h"
#include "tests/support/trigonometry_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactTan(T x) {
  return std::tan(x);
}

}  // namespace

extern const OperatorSpec kSpec_tan = {
    .name = "Tan",
    .versions = TrigonometryVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactTan(in[0]); },
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

const SuiteOf kSuite(kSpec_tan);

constexpr OpId kTan = {"Tan", 22};

LANEWISE_ULP_TESTS(TanErrors, kTan, ExactTan<double>, ExactTan<long double>,
                   AnyAngle);
LANEWISE_FAST_TESTS(TanErrors, kTan, ExactTan<double>);
LANEWISE_FAST_TESTS64(TanErrors, kTan, ExactTan<long double>, AnyAngle);

Precise TanInPrecise(const Precise& x) { return tan(x); }
LANEWISE_EXACT_TESTS(TanErrors, kTan, ExactTan<double>, TanInPrecise, kHardTan);

TEST(TanValues, NoInfinity) { CheckRefusesInfinity(kTan); }
TEST(TanValues, SameEverywhere) {
  CheckFunction(kTan, {0.0, -0.0, 0.75, -1.25, 10, 1000});
}
TEST(TanValues, SmallOnesStay) { CheckKeepsSmall(kTan); }

// The largest double, and those that lie closest to a multiple of pi/2.
TEST(TanValues, HardAngles) {
  CheckAngles(kTan, {{0x1.fffffffffffffp+1023, -0x1.4530cfe729484p-8},
                     {0x1.0p20, 0x1.6692e5779206fp-2},
                     {0x1.fffffffffffffp19, 0x1.6692e575533f1p-2},
                     {1e22, -0x1.a0f79c1b6b257p+0},
                     {0x1.6ac5b262ca1ffp+849, -0x1.d9ba9a7975636p+60},
                     {0x1.6ac5b262ca1ffp+850, 0x1.14ae72e6ba22fp-60},
                     {-0x1.6c6cbc45dc8dep+5, 0x1.66b9ebc4850c6p+60},
                     {0x1.6c6cbc45dc8dep+6, 0x1.6d61b58c99c43p-60}});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
