// SPDX-License-Identifier: Apache-2.0
//
// Ceil: the suite, all float32 numbers, rounding modes, and values by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/rounding_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_ceil = {
    .name = "Ceil",
    .versions = {{1, kF3, {{"X"}}, {ConsumedInputsSpec()}},
                 {6, kF3, {{"X"}}},
                 {13, kF4, {{"X"}}}},
    .output = {"Y"},
    .exact = RoundToWhole<ToCeil>,
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_rounding.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_ceil);

constexpr OpId kCeil = {"Ceil", 28};

TEST(CeilValues, ExhaustiveFloat32) {
  CheckAll32Bits(kCeil, LW_FLOAT32, RoundAll<float, ToCeil>, ExactOrNan);
}
TEST(CeilValues, Random) { CheckRounding<ToCeil>(kCeil); }
TEST(CeilValues, ByHand) {
  CheckRoundedByHand(kCeil, {{0.0, 0.0},
                             {-0.0, -0.0},
                             {0.25, 1.0},
                             {-0.25, -0.0},
                             {1.0, 1.0},
                             {-1.0, -1.0},
                             {1.5, 2.0},
                             {-1.5, -1.0},
                             {2.5, 3.0},
                             {120.5, 121.0},
                             {-120.5, -120.0},
                             {INFINITY, INFINITY},
                             {-INFINITY, -INFINITY}});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
