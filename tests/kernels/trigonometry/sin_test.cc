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

#include "tests/support/check_trigonometry.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

LANEWISE_OPERATOR_SUITE(kSpec_sin);

constexpr OpId kSin = {"Sin", 22};

LANEWISE_ULP_TESTS(SinErrors, kSin, ExactSin<double>, ExactSin<long double>,
                   AnyAngle);

TEST(SinValues, NoNumbers) { CheckNoNumbers(kSin); }
TEST(SinValues, SameBitsOnEveryIsa) {
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(kSin, AllValues(type));
  }
}
TEST(SinValues, RoundsToNearestInEveryMode) {
  for (const Isa& isa : AllIsas()) CheckAlwaysToNearest(isa.engine, kSin);
}

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

TEST_P(OperatorSuite, ByHand) {
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kSin, type, {{0.0, 0.0}, {-0.0, -0.0}});
  }
  CheckByHand(
      isa().engine, kSin, LW_FLOAT32,
      {{0x1p-149, 0x1p-149}, {-0x1.8p-127, -0x1.8p-127}, {0x1p-13, 0x1p-13}});
  CheckByHand(isa().engine, kSin, LW_FLOAT64,
              {{0x1p-1074, 0x1p-1074},
               {-0x1.8p-1023, -0x1.8p-1023},
               {0x1p-30, 0x1p-30}});
}
TEST_P(OperatorSuite, SameBitsAtEveryLength) {
  CheckSameBits(isa().engine, kSin);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
