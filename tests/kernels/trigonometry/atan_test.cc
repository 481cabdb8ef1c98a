// SPDX-License-Identifier: Apache-2.0
//
// Atan: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/operator_spec.h"
#include "tests/support/trigonometry_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactAtan(T x) {
  return std::atan(x);
}

}  // namespace

extern const OperatorSpec kSpec_atan = {
    .name = "Atan",
    .versions = TrigonometryVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactAtan(in[0]); },
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

const SuiteOf kSuite(kSpec_atan);

constexpr OpId kAtan = {"Atan", 22};

LANEWISE_ULP_TESTS(AtanErrors, kAtan, ExactAtan<double>, ExactAtan<long double>,
                   AnyRatio<4>);
LANEWISE_FAST_TESTS(AtanErrors, kAtan, ExactAtan<double>);
LANEWISE_FAST_TESTS64(AtanErrors, kAtan, ExactAtan<long double>, AnyRatio<4>);

Precise AtanInPrecise(const Precise& x) { return atan(x); }
LANEWISE_EXACT_TESTS(AtanErrors, kAtan, ExactAtan<double>, AtanInPrecise,
                     kHardAtan);

TEST(AtanValues, SameEverywhere) {
  CheckFunction(kAtan, {0.0, -0.0, 0.25, -0.75, 10, -1000});
}
TEST(AtanValues, SmallOnesStay) { CheckKeepsSmall(kAtan); }

// Both sides of the bounds, and what gives pi/2.
TEST(AtanValues, HardRatios) {
  CheckAngles(kAtan, {{0x1.0000000000000p-1, 0x1.dac670561bb4fp-2},
                      {0x1.fffffffffffffp-2, 0x1.dac670561bb4fp-2},
                      {-0x1.0000000000000p+1, -0x1.1b6e192ebbe44p+0},
                      {0x1.0000000000001p+1, 0x1.1b6e192ebbe45p+0},
                      {0x1.0000000000000p+0, 0x1.921fb54442d18p-1},
                      {-0x1.0000000000001p+0, -0x1.921fb54442d19p-1},
                      {0x1.fffffffffffffp-1, 0x1.921fb54442d18p-1},
                      {0x1.0000000000000p+60, 0x1.921fb54442d18p+0},
                      {0x1.fffffffffffffp+59, 0x1.921fb54442d18p+0},
                      {-0x1.1ccf385ebc8a0p+1023, -0x1.921fb54442d18p+0},
                      {0x1.2a05f20000000p+33, 0x1.921fb543d4de0p+0}});
}

TEST_P(OperatorSuite, Infinities) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kHalfPi = 0x1.921fb54442d18p+0;
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kAtan, type,
                {{kInf, kHalfPi}, {-kInf, -kHalfPi}});
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
