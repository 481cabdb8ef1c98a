// SPDX-License-Identifier: Apache-2.0
//
// Asin: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/operator_spec.h"
#include "tests/support/trigonometry_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactAsin(T x) {
  return std::asin(x);
}

}  // namespace

extern const OperatorSpec kSpec_asin = {
    .name = "Asin",
    .versions = TrigonometryVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactAsin(in[0]); },
    .allowed_ulp = 1,
    .typical = kRatios,
    .wide = AnyRatios,
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

const SuiteOf kSuite(kSpec_asin);

constexpr OpId kAsin = {"Asin", 22};

LANEWISE_ULP_TESTS(AsinErrors, kAsin, ExactAsin<double>, ExactAsin<long double>,
                   AnyRatio<1>);
LANEWISE_FAST_TESTS(AsinErrors, kAsin, ExactAsin<double>);
LANEWISE_FAST_TESTS64(AsinErrors, kAsin, ExactAsin<long double>, AnyRatio<1>);

Precise AsinInPrecise(const Precise& x) { return asin(x); }
LANEWISE_EXACT_TESTS(AsinErrors, kAsin, ExactAsin<double>, AsinInPrecise,
                     kHardAsin);

TEST(AsinValues, FastStaysInHalfATurn) {
  CheckFastLimits(kAsin, -1, -0x1.921fb6p0f, 0x1.921fb6p0f);
}

TEST(AsinValues, NoInfinity) { CheckRefusesInfinity(kAsin); }
TEST(AsinValues, SameEverywhere) {
  CheckFunction(kAsin, {0.0, -0.0, 0.25, -0.75, 1, -1});
}
TEST(AsinValues, SmallOnesStay) { CheckKeepsSmall(kAsin); }

// Both sides of the bounds, and the neighbours of 1.
TEST(AsinValues, HardRatios) {
  CheckAngles(kAsin, {{0x1.0000000000000p-1, 0x1.0c152382d7366p-1},
                      {0x1.0000000000001p-1, 0x1.0c152382d7367p-1},
                      {-0x1.fffffffffffffp-1, -0x1.921fb50442d18p+0},
                      {0x1.ffffffffffffep-1, 0x1.921fb4e9c057fp+0},
                      {-0x1.0000000000001p-1, -0x1.0c152382d7367p-1},
                      {0x1.fffffffffffffp-2, 0x1.0c152382d7365p-1},
                      {0x1.b000000000000p-1, 0x1.0115591d29d12p+0},
                      {0x1.0000000000000p+0, 0x1.921fb54442d18p+0},
                      {-0x1.0000000000000p+0, -0x1.921fb54442d18p+0}});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
