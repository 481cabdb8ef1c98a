// SPDX-License-Identifier: Apache-2.0
//
// ReduceSum: the suite, and sums by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_sum = {
    .name = "ReduceSum",
    .versions = {WithAxesAttribute(1, kN7), WithAxesAttribute(11, kN7),
                 WithAxesInput(13, kN8)},
    .output = {"reduced"},
    .reduced =
        [](const Sequence& sequence, void* out) {
          InTypeOfResults(sequence.type, [&](auto zero) {
            WriteElement(sequence.type, SumInOrder<decltype(zero)>(sequence),
                         out);
          });
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/reduction_suite.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_sum);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceSumByHand, Errors) {
  CheckReductionErrors(kSpec_reduce_sum,
                       [](const long double* x, size_t count) {
                         return std::accumulate(x, x + count, 0.0L);
                       });
}

// What is wrong with the axes is said of the input.
TEST(ReduceSumByHand, WrongAxes) {
  const OpPtr sum = MakeOp(nullptr, {"ReduceSum", 13});
  Array x(LW_FLOAT32, 6), y(LW_FLOAT32, 1), axes(LW_INT64, 70);
  const auto expect = [&](const Dims64& of_axes, const char* message) {
    const Tensor in = TensorOf(x, {2, 3}), given = TensorOf(axes, of_axes);
    const Tensor out = TensorOf(y, {1, 1});
    const lw_tensor inputs[] = {in.view(), given.view()};
    const lw_tensor output = out.view();
    EXPECT_EQ(lw_op_run(sum.get(), inputs, 2, &output, 1), LW_INVALID_SHAPE);
    EXPECT_EQ(lw_last_error(), std::string(message));
  };
  expect({70},
         "ReduceSum-13: input 1 (axes) has 70 elements, more than LW_MAX_RANK, "
         "64");
  expect({1, 1}, "ReduceSum-13: input 1 (axes) is of rank 2, not of rank 1");
}

TEST(ReduceSumByHand, IntegersWrap) {
  ExpectReduced(kSpec_reduce_sum, LW_INT32, {2147483647, 1}, -2147483648.0);
  ExpectReduced(kSpec_reduce_sum, LW_UINT32, {4294967295, 3}, 2);
  ExpectReduced(kSpec_reduce_sum, LW_INT64, {0x1p62, 0x1p62}, -0x1p63);
}

TEST(ReduceSumByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_sum, type, {1, kNan, 2}, kNan);
    ExpectReduced(kSpec_reduce_sum, type, {1, kInfinity, 2}, kInfinity);
    ExpectReduced(kSpec_reduce_sum, type, {-kInfinity, 3, kInfinity}, kNan);
    ExpectReduced(kSpec_reduce_sum, type, {}, 0.0);
    ExpectReduced(kSpec_reduce_sum, type, {-0.0}, -0.0);
    ExpectReduced(kSpec_reduce_sum, type, {-0.0, -0.0, -0.0}, -0.0);
    ExpectReduced(kSpec_reduce_sum, type, {-0.0, 0.0, -0.0}, 0.0);
  }
}

// Rounded to float16 after each step, 2048 + 1 + 1 would be 2048; to bfloat16,
// 256 + 1 + 1 would be 256.
TEST(ReduceSumByHand, NarrowFloatsAreRoundedOnce) {
  ExpectReduced(kSpec_reduce_sum, LW_FLOAT16, {2048, 1, 1}, 2050);
  ExpectReduced(kSpec_reduce_sum, LW_BFLOAT16, {256, 1, 1}, 258);
  ExpectReduced(kSpec_reduce_sum, LW_FLOAT16, {65504, 65504, -65504}, 65504);
}

// Of 65 elements in a row, the first and the last are added first.
TEST(ReduceSumByHand, RowsHave64PartialSums) {
  std::vector<double> elements(65, 0);
  elements[0] = 0x1p24;
  elements[1] = 1;
  elements[64] = 1;
  for (const Isa& isa : AllIsas()) {
    EXPECT_EQ(Reduced(kSpec_reduce_sum, isa, LW_FLOAT32, elements), 0x1p24);
    elements[64] = -0x1p24;
    EXPECT_EQ(Reduced(kSpec_reduce_sum, isa, LW_FLOAT32, elements), 1);
    elements[64] = 1;
  }
}

// Of rows, each element is added to the sum of those before it, but 256 begin
// anew.
TEST(ReduceSumByHand, ColumnsAreAddedInOrder) {
  std::vector<double> elements(257, 0);
  elements[0] = 0x1p24;
  elements[254] = elements[255] = 1;
  for (const Isa& isa : AllIsas()) {
    EXPECT_EQ(Reduced(kSpec_reduce_sum, isa, LW_FLOAT32, elements, 2), 0x1p24);
    elements[256] = 1;
    elements[255] = 0;
    EXPECT_EQ(Reduced(kSpec_reduce_sum, isa, LW_FLOAT32, elements, 2), 0x1p24);
    elements.insert(elements.end(), {1, 0});
    EXPECT_EQ(Reduced(kSpec_reduce_sum, isa, LW_FLOAT32, elements, 2),
              0x1p24 + 2);
    elements.resize(257);
    elements[255] = 1;
    elements[256] = 0;
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
