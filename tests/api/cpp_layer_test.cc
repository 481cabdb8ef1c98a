// SPDX-License-Identifier: Apache-2.0
//
// Tests lanewise.hpp the way a host uses it: built as C++20 with std::span, and
// as C++17 without. Includes no internal header of the library.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanewise/lanewise.hpp"

namespace {

static_assert(lanewise::kType<float> == LW_FLOAT32);
static_assert(lanewise::kType<const double> == LW_FLOAT64);
static_assert(lanewise::kType<lanewise::float16> == LW_FLOAT16);
static_assert(lanewise::kType<lanewise::bfloat16> == LW_BFLOAT16);
static_assert(lanewise::kType<bool> == LW_BOOL);
static_assert(lanewise::kType<int8_t> == LW_INT8);
static_assert(lanewise::kType<uint8_t> == LW_UINT8);
static_assert(lanewise::kType<int16_t> == LW_INT16);
static_assert(lanewise::kType<uint16_t> == LW_UINT16);
static_assert(lanewise::kType<int32_t> == LW_INT32);
static_assert(lanewise::kType<uint32_t> == LW_UINT32);
static_assert(lanewise::kType<int64_t> == LW_INT64);
static_assert(lanewise::kType<uint64_t> == LW_UINT64);
static_assert(lanewise::kType<long long> == LW_INT64);
static_assert(lanewise::kType<lw_string> == LW_STRING);

// Owners are movable and have the size of a pointer.
static_assert(!std::is_copy_constructible_v<lanewise::Engine>);
static_assert(!std::is_copy_constructible_v<lanewise::Op>);
static_assert(std::is_nothrow_move_constructible_v<lanewise::Engine>);
static_assert(std::is_nothrow_move_constructible_v<lanewise::Op>);
static_assert(sizeof(lanewise::Engine) == sizeof(void*));
static_assert(sizeof(lanewise::Op) == sizeof(void*));

TEST(CppLayer, TensorApi) {
  lanewise::Op relu;
  ASSERT_TRUE(lanewise::Op::Create("Relu", 14, &relu).ok());
  std::vector<float> in = {-1, 2, -3, 4, -5, 6};
  std::vector<float> out(6);
  const std::array<int64_t, 2> dims = {2, 3};
  const lw_tensor x = lanewise::TensorOf<float>(in, dims);
  const lw_tensor y = lanewise::TensorOf<float>(out, dims);
  EXPECT_EQ(x.rank, 2);
  EXPECT_EQ(x.bytes, 24u);

  lw_shape shape;
  const lw_tensor inputs[] = {x};
  ASSERT_TRUE(relu.Infer(inputs, &shape).ok());
  EXPECT_EQ(shape.rank, 2);
  EXPECT_EQ(shape.dims[1], 3);
  ASSERT_TRUE(relu.Run(x, y).ok());
  EXPECT_EQ(out, (std::vector<float>{0, 2, 0, 4, 0, 6}));
}

TEST(CppLayer, ConstInput) {
  lanewise::Op relu;
  ASSERT_TRUE(lanewise::Op::Create("Relu", 14, &relu).ok());
  const std::vector<int8_t> in = {-1, 2};
  int8_t out[2] = {};
  const int64_t dims[] = {2};
  EXPECT_TRUE(relu.Run(lanewise::TensorOf<const int8_t>(in, dims),
                       lanewise::TensorOf<int8_t>(out, dims))
                  .ok());
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 2);
}

TEST(CppLayer, KernelApi) {
  lanewise::Op op;
  ASSERT_TRUE(lanewise::Op::Create("Relu", 14, &op).ok());
  lanewise::Kernel<lanewise::bfloat16> relu;
  ASSERT_TRUE(lanewise::Kernel<lanewise::bfloat16>::Find(op, &relu).ok());
  std::vector<lanewise::bfloat16> x = {{0xBF80}, {0x3F80}, {0x8000}};
  ASSERT_TRUE(relu(x, x).ok());
  EXPECT_EQ(x[0].bits, 0x0000);
  EXPECT_EQ(x[1].bits, 0x3F80);
  EXPECT_EQ(x[2].bits, 0x8000);

  std::vector<lanewise::bfloat16> shorter(2);
  const lanewise::Status status = relu(x, shorter);
  EXPECT_EQ(status.code(), LW_WRONG_COUNT);
  EXPECT_STRNE(status.message(), "");
}

TEST(CppLayer, PreparedCall) {
  lanewise::Op div;
  ASSERT_TRUE(lanewise::Op::Create("Div", 14, &div).ok());
  const std::array<int64_t, 1> dims = {3};
  const lw_tensor shape = {nullptr, LW_INT32, 1, dims.data(), nullptr, 0};
  const lw_tensor inputs[] = {shape, shape};
  lanewise::Call call;
  ASSERT_TRUE(lanewise::Call::Create(div, inputs, shape, &call).ok());
  div = {};
  const int32_t a[] = {7, -7, 9}, b[] = {2, 2, -3};
  int32_t y[3] = {};
  const void* const data[] = {a, b};
  ASSERT_TRUE(call.Run(data, y).ok());
  EXPECT_EQ(y[0], 3);
  EXPECT_EQ(y[1], -3);
  EXPECT_EQ(y[2], -3);
}

TEST(CppLayer, OptionsOfOneCall) {
  lanewise::Op div;
  ASSERT_TRUE(lanewise::Op::Create("Div", 14, &div).ok());
  int32_t a[] = {7}, b[] = {0}, y[1];
  const int64_t dims[] = {1};
  const lw_tensor inputs[] = {lanewise::TensorOf<int32_t>(a, dims),
                              lanewise::TensorOf<int32_t>(b, dims)};
  lw_zero_divisors zeros = {};
  lw_run_options options = {};
  options.zero_divisors = &zeros;
  EXPECT_EQ(
      div.Run(options, inputs, lanewise::TensorOf<int32_t>(y, dims)).code(),
      LW_DIVIDE_BY_ZERO);
  EXPECT_EQ(zeros.count, 1u);
}

// Normalized rows and their means, by every way to run the operator.
TEST(CppLayer, SeveralOutputs) {
  lanewise::Op normalize;
  ASSERT_TRUE(lanewise::Op::Create("LayerNormalization", 17, &normalize).ok());
  float x[] = {1, 3, 5, 9}, scale[] = {1, 2}, y[4] = {}, means[2] = {};
  const int64_t dims[] = {2, 2}, rows[] = {2, 1}, columns[] = {2};
  const lw_tensor inputs[] = {lanewise::TensorOf<float>(x, dims),
                              lanewise::TensorOf<float>(scale, columns)};
  const lw_tensor outputs[] = {lanewise::TensorOf<float>(y, dims),
                               lanewise::TensorOf<float>(means, rows)};
  const auto expect = [&](const lanewise::Status& status) {
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_NEAR(y[0], -1, 1e-4);
    EXPECT_NEAR(y[3], 2, 1e-4);
    EXPECT_EQ(means[0], 2);
    EXPECT_EQ(means[1], 7);
    y[0] = y[3] = means[0] = means[1] = 0;
  };
  expect(normalize.Run(inputs, outputs));
  expect(normalize.Run(lw_run_options(), inputs, outputs));
  lanewise::Call call;
  ASSERT_TRUE(lanewise::Call::Create(normalize, inputs, outputs, &call).ok());
  const void* const from[] = {x, scale};
  void* const to[] = {y, means, nullptr};
  expect(call.Run(from, to));
}

TEST(CppLayer, EmptyObjectsReturnAStatus) {
  const lanewise::Kernel<float> none;
  std::vector<float> x(1);
  EXPECT_EQ(none(x, x).code(), LW_INVALID_ARGUMENT);
  const lanewise::Op op;
  const lw_tensor tensor = {};
  EXPECT_EQ(op.Run(tensor, tensor).code(), LW_INVALID_ARGUMENT);
}

TEST(CppLayer, Statuses) {
  lanewise::Op op;
  const lanewise::Status status = lanewise::Op::Create("Conv", 14, &op);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), LW_UNKNOWN_OPERATOR);
  EXPECT_STREQ(status.name(), "LW_UNKNOWN_OPERATOR");
  EXPECT_NE(std::string(status.message()).find("Conv"), std::string::npos);
  EXPECT_EQ(op.get(), nullptr);
  const lanewise::Status good;
  EXPECT_TRUE(good.ok());
  EXPECT_STREQ(good.message(), "");
}

// Engines are created, moved, used, and destroyed before their operators. The
// library has internal structures of similar names: the linker must not take
// their inline functions for those of this header (one definition rule).
TEST(CppLayer, EnginesComeAndGo) {
  for (size_t i = 0; lw_isa_name(i) != nullptr; ++i) {
    lanewise::Op relu;
    {
      lanewise::Engine made;
      lw_engine_options options = {};
      options.max_isa = lw_isa_name(i);
      options.max_threads = 2;
      ASSERT_TRUE(lanewise::Engine::Create(options, &made).ok());
      const lanewise::Engine engine = std::move(made);
      EXPECT_STREQ(engine.isa(), lw_isa_name(i));
      EXPECT_GE(engine.threads(), 1);
      ASSERT_TRUE(lanewise::Op::Create(engine, "Relu", 14, {}, &relu).ok());
    }
    int32_t x[] = {-7, 7, -7};
    const int64_t dims[] = {3};
    const lw_tensor view = lanewise::TensorOf<int32_t>(x, dims);
    ASSERT_TRUE(relu.Run(view, view).ok());
    EXPECT_EQ(x[0], 0);
    EXPECT_EQ(x[1], 7);
    relu = {};
  }
}

}  // namespace
