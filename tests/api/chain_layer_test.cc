// SPDX-License-Identifier: Apache-2.0
//
// Chains of lanewise in C++: formulas that are recorded. Compiled in C++17,
// too.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/formula.hpp"

namespace {

using lanewise::Chain;
using lanewise::Engine;
using lanewise::Trace;

template <typename T>
lw_tensor View(std::vector<T>& data, const int64_t& dim) {
  return lanewise::TensorOf<T>(lanewise::Span<T>(data.data(), data.size()),
                               lanewise::Span<const int64_t>(&dim, 1));
}

TEST(ChainLayer, AFormulaReadsLikeItself) {
  const Engine engine;
  const Chain silu =
      Trace<float>(engine, [](auto x) { return x * (1 / (1 + exp(-x))); });
  ASSERT_TRUE(silu.status().ok()) << silu.status().message();
  std::vector<float> x(1000), y(1000);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 0.02f * static_cast<float>(i) - 10;
  const int64_t dim = 1000;
  const lanewise::Status status = silu.Run(View(x, dim), View(y, dim));
  ASSERT_TRUE(status.ok()) << status.message();
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = x[i] / (1 + std::exp(-static_cast<double>(x[i])));
    ASSERT_NEAR(y[i], exact, 1e-6 * std::abs(exact) + 1e-30) << x[i];
  }
}

TEST(ChainLayer, SeveralInputsAndOutputs) {
  const Engine engine;
  const Chain chain = Trace<float, float>(engine, [](auto a, auto b) {
    const auto larger = where(a > b, a, b);
    return std::array{max(larger, 0) - 1, clip(a + b, -2, 2)};
  });
  ASSERT_TRUE(chain.status().ok()) << chain.status().message();
  std::vector<float> a = {1, -2, 3}, b = {-1, -1, 5}, y(3), z(3);
  const int64_t dim = 3;
  const lw_tensor in[] = {View(a, dim), View(b, dim)};
  const lw_tensor out[] = {View(y, dim), View(z, dim)};
  ASSERT_TRUE(chain.Run(in, out).ok());
  EXPECT_EQ(y, (std::vector<float>{0, -1, 4}));
  EXPECT_EQ(z, (std::vector<float>{0, -2, 2}));

  lw_shape shapes[2];
  ASSERT_TRUE(chain.Infer(in, shapes).ok());
  EXPECT_EQ(shapes[1].dims[0], 3);
  lanewise::Call call;
  ASSERT_TRUE(chain.Prepare(in, out, &call).ok());
  a = {0, 0, 0};
  const void* const inputs[] = {a.data(), b.data()};
  void* const outputs[] = {y.data(), z.data()};
  ASSERT_TRUE(call.Run(inputs, outputs).ok());
  EXPECT_EQ(y, (std::vector<float>{-1, -1, 4}));
  EXPECT_EQ(z, (std::vector<float>{-1, -1, 2}));
}

TEST(ChainLayer, TypesFollowTheFormula) {
  const Engine engine;
  const Chain chain = Trace<lanewise::bfloat16>(engine, [](auto x) {
    return lanewise::cast<int32_t>(lanewise::cast<float>(x) * 2.5);
  });
  ASSERT_TRUE(chain.status().ok()) << chain.status().message();
  std::vector<lanewise::bfloat16> x = {{0x4040}, {0xC040}};  // 3, -3
  std::vector<int32_t> y(2);
  const int64_t dim = 2;
  ASSERT_TRUE(chain.Run(View(x, dim), View(y, dim)).ok());
  EXPECT_EQ(y, (std::vector<int32_t>{7, -7}));
}

TEST(ChainLayer, MinusOfUnsignedNumbersWraps) {
  const Engine engine;
  const Chain chain = Trace<uint8_t>(engine, [](auto x) { return -x; });
  ASSERT_TRUE(chain.status().ok()) << chain.status().message();
  std::vector<uint8_t> x = {0, 1, 200}, y(3);
  const int64_t dim = 3;
  ASSERT_TRUE(chain.Run(View(x, dim), View(y, dim)).ok());
  EXPECT_EQ(y, (std::vector<uint8_t>{0, 255, 56}));
}

TEST(ChainLayer, FailuresAreStatuses) {
  const Engine engine;
  const Chain wrong_type =
      Trace<int32_t>(engine, [](auto x) { return exp(x); });
  EXPECT_EQ(wrong_type.status().code(), LW_UNSUPPORTED_TYPE);
  EXPECT_NE(std::string(lw_last_error()).find("Exp-13"), std::string::npos);
  const Chain unused = Trace<float>(engine, [](auto x) {
    static_cast<void>(exp(x));
    return relu(x);
  });
  EXPECT_EQ(unused.status().code(), LW_INVALID_ARGUMENT);
  const Chain too_long = Trace<float>(engine, [](auto x) {
    for (int i = 0; i <= LW_MAX_STEPS; ++i) x = relu(x);
    return x;
  });
  EXPECT_EQ(too_long.status().code(), LW_WRONG_COUNT);
  EXPECT_STRNE(too_long.status().message(), "");
}

}  // namespace
