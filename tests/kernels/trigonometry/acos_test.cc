// SPDX-License-Identifier: Apache-2.0
//
// Acos: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/operator_spec.h"
#include "tests/support/trigonometry_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactAcos(T x) {
  return std::acos(x);
}

}  // namespace

extern const OperatorSpec kSpec_acos = {
    .name = "Acos",
    .versions = TrigonometryVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactAcos(in[0]); },
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

const SuiteOf kSuite(kSpec_acos, kMayTrap);

constexpr OpId kAcos = {"Acos", 22};

LANEWISE_ULP_TESTS(AcosErrors, kAcos, ExactAcos<double>, ExactAcos<long double>,
                   AnyRatio<1>);
LANEWISE_FAST_TESTS(AcosErrors, kAcos, ExactAcos<double>);
LANEWISE_FAST_TESTS64(AcosErrors, kAcos, ExactAcos<long double>, AnyRatio<1>);

Precise AcosInPrecise(const Precise& x) { return acos(x); }
LANEWISE_EXACT_TESTS(AcosErrors, kAcos, ExactAcos<double>, AcosInPrecise,
                     kHardAcos);

TEST(AcosValues, FastStaysInHalfATurn) {
  CheckFastLimits(kAcos, -1, 0, 0x1.921fb6p1f);
}

TEST(AcosValues, NoInfinity) { CheckRefusesInfinity(kAcos); }
TEST(AcosValues, SameEverywhere) {
  CheckFunction(kAcos, {0.0, -0.0, 0.25, -0.75, 1, -1});
}

// Both sides of the bounds, and the neighbours of 1.
TEST(AcosValues, HardRatios) {
  CheckAngles(kAcos, {{0x1.0000000000000p-1, 0x1.0c152382d7366p+0},
                      {0x1.0000000000001p-1, 0x1.0c152382d7365p+0},
                      {-0x1.fffffffffffffp-1, 0x1.921fb52442d18p+1},
                      {0x1.ffffffffffffep-1, 0x1.6a09e667f3bcdp-26},
                      {-0x1.0000000000001p-1, 0x1.0c152382d7366p+1},
                      {0x1.fffffffffffffp-2, 0x1.0c152382d7366p+0},
                      {0x1.b000000000000p-1, 0x1.2214b84e3200cp-1},
                      {-0x1.0000000000000p+0, 0x1.921fb54442d18p+1},
                      {0x0.0p+0, 0x1.921fb54442d18p+0},
                      {0x1.0000000000000p-60, 0x1.921fb54442d18p+0}});
}

TEST_P(OperatorSuite, ByHand) {
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kAcos, type, {{1.0, 0.0}});
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
