// SPDX-License-Identifier: Apache-2.0
//
// One row of divisors for many rows: integer kernels prepare the row once, in
// blocks of columns. The results are compared with a call in which the row is
// repeated in memory, which prepares nothing.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/engines.h"
#include "tests/support/samples.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"
#include "tests/support/ways.h"

namespace lanewise::test {
namespace {

constexpr OpId kDiv = {"Div", 14, 2};
constexpr lw_type kIntegers[] = {LW_INT8,  LW_UINT8,  LW_INT16, LW_UINT16,
                                 LW_INT32, LW_UINT32, LW_INT64, LW_UINT64};

struct Answer {
  lw_status status;
  uint64_t first = 0;
  uint64_t count = 0;
};

Answer Divide(const lw_op* op, const Tensor& a, const Tensor& b,
              const Tensor& out) {
  const lw_tensor inputs[] = {a.view(), b.view()};
  const lw_tensor output = out.view();
  Answer answer = {lw_op_run(op, inputs, 2, &output, 1)};
  if (answer.status == LW_DIVIDE_BY_ZERO) {
    const lw_zero_divisors zeros = lw_last_zero_divisors();
    answer.first = zeros.first;
    answer.count = zeros.count;
  }
  return answer;
}

class DivRows : public OnEveryIsa {
 protected:
  static void Check(lw_type type, size_t rows, size_t columns, Array b) {
    const size_t n = rows * columns;
    const OpPtr div = MakeOp(isa().engine, kDiv);
    Array a = RandomBits(type, n);
    Array all_b(type, n);
    for (size_t row = 0; row < rows; ++row) {
      std::memcpy(all_b.at(row * columns), b.data(), b.bytes());
    }
    Array wanted(type, n);
    Array out(type, n);
    const Answer want =
        Divide(div.get(), TensorOf(a), TensorOf(all_b), TensorOf(wanted));
    const Dims64 dims = {static_cast<int64_t>(rows),
                         static_cast<int64_t>(columns)};
    const Answer got = Divide(div.get(), TensorOf(a, dims),
                              TensorOf(b, {static_cast<int64_t>(columns)}),
                              TensorOf(out, dims));
    EXPECT_EQ(got.status, want.status);
    EXPECT_EQ(got.first, want.first);
    EXPECT_EQ(got.count, want.count);
    EXPECT_TRUE(out == wanted);
  }
};
INSTANTIATE_TEST_SUITE_P(Isa, DivRows, testing::ValuesIn(AllWays()),
                         testing::PrintToStringParamName());

TEST_P(DivRows, SameAsRowRepeatedInMemory) {
  for (const lw_type type : kIntegers) {
    for (const size_t columns :
         {16, 17, 31, 64, 65, 100, 255, 2048, 2049, 5003}) {
      SCOPED_TRACE(testing::Message() << lw_type_name(type) << " " << columns);
      Check(type, 3, columns, RandomDivisors(type, columns, columns));
    }
  }
}

TEST_P(DivRows, ReportZeroDivisors) {
  for (const lw_type type : kIntegers) {
    for (const size_t column : {0, 1, 63, 300, 2047, 2048, 2500}) {
      SCOPED_TRACE(testing::Message() << lw_type_name(type) << " " << column);
      constexpr size_t kColumns = 2501;
      Array b = RandomDivisors(type, kColumns);
      std::memset(b.at(column), 0, b.element_size());
      Check(type, 4, kColumns, b);
    }
  }
}

}  // namespace
}  // namespace lanewise::test
