// SPDX-License-Identifier: Apache-2.0
//
// Rows shorter than a vector, and so many of them that the stretched input
// fills several tiles. Every element is compared with a scalar loop.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/isas.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

constexpr int64_t kRows = 1500;
constexpr int64_t kColumns = 7;

/// An operand of shape [rows, columns], either of which may be 1.
template <typename T>
struct Matrix {
  int64_t dims[2];
  std::vector<T> values =
      std::vector<T>(static_cast<size_t>(dims[0] * dims[1]));

  T& at(int64_t row, int64_t column) {
    const int64_t index =
        (dims[0] == 1 ? 0 : row) * dims[1] + (dims[1] == 1 ? 0 : column);
    return values[static_cast<size_t>(index)];
  }
  lw_tensor tensor(int32_t type) {
    return {values.data(), type, 2, dims, nullptr, 0};
  }
};

// Divides, where two late divisors are 0.
template <typename T>
void CheckDiv(const lw_engine* engine, int32_t type, Matrix<T> a, Matrix<T> b) {
  const OpPtr op = MakeOp(engine, {"Div", 14});
  for (size_t i = 0; i < a.values.size(); ++i) a.values[i] = T(17 * i + 100);
  for (size_t i = 0; i < b.values.size(); ++i) b.values[i] = T(i % 11 + 1);
  b.at(kRows - 100, 3) = 0;
  b.at(kRows - 1, 5) = 0;
  Matrix<T> out = {{kRows, kColumns}};
  const lw_tensor inputs[] = {a.tensor(type), b.tensor(type)};
  const lw_tensor output = out.tensor(type);
  EXPECT_EQ(lw_op_run(op.get(), inputs, 2, &output, 1), LW_DIVIDE_BY_ZERO);

  uint64_t count = 0, first = 0;
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const int64_t row = i / kColumns, column = i % kColumns;
    const T divisor = b.at(row, column);
    if (divisor == 0 && count++ == 0) first = static_cast<uint64_t>(i);
    const T expected =
        divisor == 0 ? T{0} : static_cast<T>(a.at(row, column) / divisor);
    ASSERT_EQ(out.at(row, column), expected) << row << ", " << column;
  }
  const lw_zero_divisors zeros = lw_last_zero_divisors();
  EXPECT_EQ(zeros.count, count);
  EXPECT_EQ(zeros.first, first);
}

template <typename T>
void CheckDivStretched(const lw_engine* engine, int32_t type) {
  const Matrix<T> all = {{kRows, kColumns}};
  for (const Matrix<T>& stretched :
       {Matrix<T>{{kRows, 1}}, Matrix<T>{{1, kColumns}}}) {
    SCOPED_TRACE(stretched.dims[0] == 1 ? "one row" : "one column");
    CheckDiv(engine, type, all, stretched);
    CheckDiv(engine, type, stretched, all);
  }
}

class ShortRows : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, ShortRows, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(ShortRows, DividedInManyTiles) {
  CheckDivStretched<int32_t>(isa().engine, LW_INT32);
  CheckDivStretched<int64_t>(isa().engine, LW_INT64);
  CheckDivStretched<uint8_t>(isa().engine, LW_UINT8);
}

// The longest short rows, and the shortest others: by the bytes of the inputs,
// which are larger than those of the output. 32 columns are the longest row
// that is repeated in a tile.
TEST_P(ShortRows, ComparedAroundTheLimit) {
  const OpPtr op = MakeOp(isa().engine, {"Greater", 13});
  constexpr int64_t kFew = 70;
  for (const int64_t columns : {15, 16, 17, 32, 33, 127, 128}) {
    for (const int64_t rows_of_b : {int64_t{1}, kFew}) {
      Matrix<int64_t> a = {{kFew, columns}};
      Matrix<int64_t> b = {{rows_of_b, rows_of_b == 1 ? columns : 1}};
      Matrix<uint8_t> out = {{kFew, columns}};
      for (size_t i = 0; i < a.values.size(); ++i)
        a.values[i] = 37 * static_cast<int64_t>(i) % 101;
      for (size_t i = 0; i < b.values.size(); ++i)
        b.values[i] = 53 * static_cast<int64_t>(i) % 101;
      const lw_tensor inputs[] = {a.tensor(LW_INT64), b.tensor(LW_INT64)};
      const lw_tensor output = out.tensor(LW_BOOL);
      ASSERT_EQ(lw_op_run(op.get(), inputs, 2, &output, 1), LW_OK);
      for (int64_t i = 0; i < kFew * columns; ++i) {
        const int64_t row = i / columns, column = i % columns;
        ASSERT_EQ(out.at(row, column), a.at(row, column) > b.at(row, column))
            << row << ", " << column << " of " << columns;
      }
    }
  }
}

TEST_P(ShortRows, ChosenInManyTiles) {
  const OpPtr op = MakeOp(isa().engine, {"Where", 16});
  Matrix<uint8_t> condition = {{kRows, 1}};
  Matrix<int16_t> x = {{kRows, kColumns}}, y = x, out = x;
  for (size_t i = 0; i < x.values.size(); ++i) {
    x.values[i] = static_cast<int16_t>(i);
    y.values[i] = static_cast<int16_t>(-1 - x.values[i]);
  }
  for (size_t i = 0; i < condition.values.size(); ++i) {
    condition.values[i] = i % 4 == 0;
  }
  const lw_tensor inputs[] = {condition.tensor(LW_BOOL), x.tensor(LW_INT16),
                              y.tensor(LW_INT16)};
  const lw_tensor output = out.tensor(LW_INT16);
  ASSERT_EQ(lw_op_run(op.get(), inputs, 3, &output, 1), LW_OK);
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t column = 0; column < kColumns; ++column) {
      ASSERT_EQ(out.at(row, column),
                row % 4 == 0 ? x.at(row, column) : y.at(row, column));
    }
  }
}

}  // namespace
}  // namespace lanewise::test
