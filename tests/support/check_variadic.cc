// SPDX-License-Identifier: Apache-2.0

#include "tests/support/check_variadic.h"

namespace lanewise::test {

lw_status RunRows(const lw_op* op, std::vector<std::vector<float>>& in,
                  std::vector<float>* out) {
  std::vector<lw_tensor> inputs;
  std::vector<int64_t> dims;
  for (const auto& row : in) dims.push_back(static_cast<int64_t>(row.size()));
  for (size_t k = 0; k < in.size(); ++k) {
    inputs.push_back({in[k].data(), LW_FLOAT32, 1, &dims[k], nullptr, 0});
  }
  const auto n = static_cast<int64_t>(out->size());
  const lw_tensor output = {out->data(), LW_FLOAT32, 1, &n, nullptr, 0};
  return lw_op_run(op, inputs.data(), inputs.size(), &output, 1);
}

void CheckNanWins(const char* name) {
  for (const Isa& isa : AllIsas()) {
    SCOPED_TRACE(isa.name);
    const OpPtr op = MakeOp(isa.engine, {name, 13});
    for (size_t count = 1; count <= 5; ++count) {
      for (size_t with_nan = 0; with_nan < count; ++with_nan) {
        constexpr size_t kLength = 37;
        std::vector<std::vector<float>> in(count,
                                           std::vector<float>(kLength, 1));
        in[with_nan][5] = std::numeric_limits<float>::quiet_NaN();
        std::vector<float> out(kLength);
        ASSERT_EQ(RunRows(op.get(), in, &out), LW_OK) << lw_last_error();
        for (size_t i = 0; i < kLength; ++i) {
          ASSERT_EQ(std::isnan(out[i]), i == 5) << i;
        }
      }
    }
  }
}

void CheckCountsOfInputs(const char* name, bool adds) {
  const OpPtr op = MakeOp(nullptr, {name, 13});
  for (size_t count = 0; count <= LW_MAX_INPUTS + 1; ++count) {
    std::vector<std::vector<float>> in(count, std::vector<float>(3, 2));
    std::vector<float> out(3, 7);
    const bool fits = count >= 1 && count <= LW_MAX_INPUTS;
    EXPECT_EQ(RunRows(op.get(), in, &out), fits ? LW_OK : LW_WRONG_COUNT);
    const auto sum = static_cast<float>(2 * (adds ? count : 1));
    EXPECT_EQ(out[2], fits ? sum : 7) << count;
  }
}

void CheckOneInputIsCopied(const char* name) {
  for (const Isa& isa : AllIsas()) {
    const OpPtr op = MakeOp(isa.engine, {name, 13});
    for (const lw_type type : kFloatTypes) {
      const Array in = RandomBits(type, 1003);
      Array out(type, in.size());
      const auto n = static_cast<int64_t>(in.size());
      const lw_tensor from = {
          const_cast<uint8_t*>(in.data()), type, 1, &n, nullptr, 0};
      const lw_tensor to = {out.data(), type, 1, &n, nullptr, 0};
      ASSERT_EQ(lw_op_run(op.get(), &from, 1, &to, 1), LW_OK);
      EXPECT_TRUE(SameBits(out, in)) << isa.name << ' ' << lw_type_name(type);
    }
  }
}

void CheckOneElement(const char* name, lw_type type,
                     const std::vector<double>& values, double expected) {
  for (const Isa& isa : AllIsas()) {
    const OpPtr op = MakeOp(isa.engine, {name, 13});
    for (const int64_t n : {1, 5, 67}) {
      const auto row = [&](double x) {
        return FromValues(type, std::vector<double>(static_cast<size_t>(n), x));
      };
      std::vector<Array> in;
      std::vector<lw_tensor> inputs;
      for (const double x : values) in.push_back(row(x));
      for (Array& x : in) inputs.push_back({x.data(), type, 1, &n, nullptr, 0});
      Array out(type, static_cast<size_t>(n));
      const lw_tensor output = {out.data(), type, 1, &n, nullptr, 0};
      ASSERT_EQ(lw_op_run(op.get(), inputs.data(), inputs.size(), &output, 1),
                LW_OK);
      EXPECT_TRUE(SameBits(out, row(expected)))
          << isa.name << ' ' << lw_type_name(type) << ' '
          << BitsText(out.at(0), out.element_size());
    }
  }
}

void CheckStretchesFrom(const char* name, int version) {
  std::vector<std::vector<float>> in = {{1, 2, 3}, {4}, {5}};
  std::vector<float> out(3);
  const OpPtr older = MakeOp(nullptr, {name, version - 1});
  EXPECT_EQ(RunRows(older.get(), in, &out), LW_INVALID_SHAPE);
  const OpPtr newer = MakeOp(nullptr, {name, version});
  EXPECT_EQ(RunRows(newer.get(), in, &out), LW_OK) << lw_last_error();
}

}  // namespace lanewise::test
