// SPDX-License-Identifier: Apache-2.0
//
// Mean: the suite, with any number of inputs, and means by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/sum_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_mean = {
    .name = "Mean",
    .versions = SumVersions(),
    .output = {"mean"},
    .exact = SumOfTwo<true>,
    .exact_of_all = SumOfAll<true>,
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/all_pairs16.h"
#include "tests/support/check_variadic.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_mean);

constexpr OpId kMean = {"Mean", 13, 2};

TEST(MeanByHand, NanWins) { CheckNanWins("Mean"); }
TEST(MeanByHand, CountsOfInputs) { CheckCountsOfInputs("Mean"); }
TEST(MeanByHand, OldVersionsStretchNothing) { CheckStretchesFrom("Mean", 8); }
TEST(MeanByHand, OneInputIsCopied) { CheckOneInputIsCopied("Mean"); }

// The sum overflows as a float32.
struct HalfOfSum {
  double operator()(double a, double b) const {
    return static_cast<double>((static_cast<float>(a) + static_cast<float>(b)) /
                               2);
  }
};
TEST(MeanPairs, ExhaustiveFloat16) {
  CheckAllPairs16<uint16_t>(kMean, LW_FLOAT16, 0x7C00,
                            ByDouble<5, 10, HalfOfSum>());
}
TEST(MeanPairs, ExhaustiveBfloat16) {
  CheckAllPairs16<uint16_t>(kMean, LW_BFLOAT16, 0x7F80,
                            ByDouble<8, 7, HalfOfSum>());
}

TEST(MeanByHand, TheSumIsDivided) {
  // 5 times the rounded 1 / 3 is another float32, and 7 times another float64.
  CheckOneElement("Mean", LW_FLOAT32, {1, 1, 3}, 5 / 3.0f);
  CheckOneElement("Mean", LW_FLOAT64, {2, 2, 3}, 7 / 3.0);
  CheckOneElement("Mean", LW_FLOAT32, {5, 1, 1, 1, 2}, 2);
  CheckOneElement("Mean", LW_FLOAT32, {0x1p-149, 0}, 0);
  CheckOneElement("Mean", LW_FLOAT32, {0x1.8p-148, 0}, 0x1p-148);
}
TEST(MeanByHand, TheSumMayOverflow) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  CheckOneElement("Mean", LW_FLOAT32, {3e38, 3e38}, kInf);
  CheckOneElement("Mean", LW_BFLOAT16, {3e38, 3e38, 3e38}, kInf);
  CheckOneElement("Mean", LW_FLOAT16, {65504, 65504, 65504}, 65504);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
