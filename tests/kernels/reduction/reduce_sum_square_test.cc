// SPDX-License-Identifier: Apache-2.0
//
// ReduceSumSquare: the suite, and sums of squares by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_sum_square = {
    .name = "ReduceSumSquare",
    .versions = ReductionVersions(),
    .output = {"reduced"},
    .reduced =
        [](const Sequence& sequence, void* out) {
          ReduceBySum(
              sequence, out, [](auto x) { return Times(x, x); }, kItself);
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_sum_square);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceSumSquareByHand, Errors) {
  CheckReductionErrors(kSpec_reduce_sum_square,
                       [](const long double* x, size_t count) {
                         return std::inner_product(x, x + count, x, 0.0L);
                       });
}

TEST(ReduceSumSquareByHand, IntegersWrap) {
  ExpectReduced(kSpec_reduce_sum_square, LW_INT32, {-5, 3}, 34);
  ExpectReduced(kSpec_reduce_sum_square, LW_INT32, {32768, 32768},
                -2147483648.0);
  ExpectReduced(kSpec_reduce_sum_square, LW_UINT64, {0x1p33, 3}, 0x1p2 + 5);
}

// Each square is rounded before it is added: (1 + 2^-12)^2 is a tie to even.
TEST(ReduceSumSquareByHand, SquaresAreRounded) {
  ExpectReduced(kSpec_reduce_sum_square, LW_FLOAT32, {0x1p-13, 0x1.001p0},
                0x1.002p0);
}

TEST(ReduceSumSquareByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_sum_square, type, {}, 0.0);
    ExpectReduced(kSpec_reduce_sum_square, type, {-0.0}, 0.0);
    ExpectReduced(kSpec_reduce_sum_square, type, {-kInfinity, 3}, kInfinity);
    ExpectReduced(kSpec_reduce_sum_square, type, {1, kNan, 2}, kNan);
  }
  ExpectReduced(kSpec_reduce_sum_square, LW_FLOAT16, {-300, 1}, kInfinity);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
