// SPDX-License-Identifier: Apache-2.0
//
// Round: the suite, all float32 numbers, rounding modes, and values by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/rounding_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_round = {
    .name = "Round",
    .versions = {{11, kF3, {{"X"}}}, {22, kF4, {{"X"}}}},
    .output = {"Y"},
    .exact = RoundToWhole<ToEven>,
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_rounding.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_round);

constexpr OpId kRound = {"Round", 28};

TEST(RoundValues, ExhaustiveFloat32) {
  CheckAll32Bits(kRound, LW_FLOAT32, RoundAll<float, ToEven>, ExactOrNan);
}
TEST(RoundValues, Random) { CheckRounding<ToEven>(kRound); }
TEST(RoundValues, ByHand) {
  CheckRoundedByHand(kRound, {{0.0, 0.0},
                              {-0.0, -0.0},
                              {0.25, 0.0},
                              {-0.25, -0.0},
                              {0.5, 0.0},
                              {-0.5, -0.0},
                              {0.75, 1.0},
                              {-0.75, -1.0},
                              {1.5, 2.0},
                              {-1.5, -2.0},
                              {2.5, 2.0},
                              {-2.5, -2.0},
                              {120.5, 120.0},
                              {-121.5, -122.0},
                              {INFINITY, INFINITY},
                              {-INFINITY, -INFINITY}});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
