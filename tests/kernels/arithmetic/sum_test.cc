// SPDX-License-Identifier: Apache-2.0
//
// Sum: the suite, with any number of inputs, Add's bits for two, and sums by
// hand.

#include "tests/support/operator_spec.h"
#include "tests/support/sum_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_sum = {
    .name = "Sum",
    .versions = SumVersions(),
    .output = {"sum"},
    .exact = SumOfTwo<false>,
    .exact_of_all = SumOfAll<false>,
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/all_pairs16.h"
#include "tests/support/check_variadic.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_sum);

constexpr OpId kSum = {"Sum", 13, 2};

TEST(SumByHand, NanWins) { CheckNanWins("Sum"); }
TEST(SumByHand, CountsOfInputs) { CheckCountsOfInputs("Sum", true); }
TEST(SumByHand, OldVersionsStretchNothing) { CheckStretchesFrom("Sum", 8); }
TEST(SumByHand, OneInputIsCopied) { CheckOneInputIsCopied("Sum"); }

// A sum of two 16-bit floats is a double, or one operand is too small to
// matter.
struct Plus {
  double operator()(double a, double b) const { return a + b; }
};
TEST(SumPairs, ExhaustiveFloat16) {
  CheckAllPairs16<uint16_t>(kSum, LW_FLOAT16, 0x7C00, ByDouble<5, 10, Plus>());
}
TEST(SumPairs, ExhaustiveBfloat16) {
  CheckAllPairs16<uint16_t>(kSum, LW_BFLOAT16, 0x7F80, ByDouble<8, 7, Plus>());
}

// Rounded to float16 after each step, 2048 + 1 + 1 would be 2048; to bfloat16,
// 256 + 1 + 1 would be 256.
TEST(SumByHand, NarrowFloatsAreRoundedOnce) {
  CheckOneElement("Sum", LW_FLOAT16, {2048, 1, 1}, 2050);
  CheckOneElement("Sum", LW_BFLOAT16, {256, 1, 1}, 258);
  CheckOneElement("Sum", LW_FLOAT16, {65504, 65504, -65504}, 65504);
}
TEST(SumByHand, WideFloatsAreRoundedAfterEachStep) {
  CheckOneElement("Sum", LW_FLOAT32, {0x1p24, 1, 1}, 0x1p24);
  CheckOneElement("Sum", LW_FLOAT32, {1, 1, 0x1p24}, 0x1p24 + 2);
  CheckOneElement("Sum", LW_FLOAT64, {0x1p53, 1, 1}, 0x1p53);
}
TEST(SumByHand, ZerosOfOneSignKeepTheSign) {
  for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64}) {
    CheckOneElement("Sum", type, {-0.0}, -0.0);
    CheckOneElement("Sum", type, {-0.0, -0.0}, -0.0);
    CheckOneElement("Sum", type, {-0.0, -0.0, -0.0}, -0.0);
    CheckOneElement("Sum", type, {-0.0, 0.0, -0.0}, 0.0);
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
