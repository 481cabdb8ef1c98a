// SPDX-License-Identifier: Apache-2.0
//
// What formulas mean: numbers beside values, symbols, choices, shapes. The
// names of operators are in formula_names_test.cc. Compiled in C++17, too.

#include "lanewise/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using lanewise::Chain;
using lanewise::Engine;
using lanewise::Status;
using lanewise::Value;

/// The results of a formula of one argument.
template <typename T, typename TOut = T, class Function>
std::vector<TOut> Results(const std::vector<T>& x, const Function& function) {
  const Engine engine;
  const Chain chain = lanewise::Trace<T>(engine, function);
  EXPECT_TRUE(chain.status().ok()) << chain.status().message();
  std::vector<T> in = x;
  std::vector<TOut> y(x.size());
  const int64_t dims[] = {static_cast<int64_t>(x.size())};
  if (chain.status().ok()) {
    const Status status = chain.Run(lanewise::TensorOf<T>(in, dims),
                                    lanewise::TensorOf<TOut>(y, dims));
    EXPECT_TRUE(status.ok()) << status.message();
  }
  return y;
}

template <typename T, class Function>
void ExpectFailure(lw_status status, const Function& function) {
  const Engine engine;
  const Chain chain = lanewise::Trace<T>(engine, function);
  EXPECT_STREQ(chain.status().name(), lw_status_name(status));
  EXPECT_STRNE(chain.status().message(), "");
}

TEST(Formulas, NumbersHaveTheTypeOfTheValueBesideThem) {
  const auto tenth = [](auto x) { return x + 0.1; };
  EXPECT_EQ(Results<float>({0}, tenth)[0], 0.1f);
  EXPECT_EQ(Results<double>({0}, tenth)[0], 0.1);
  EXPECT_EQ(Results<lanewise::float16>({{0}}, tenth)[0].bits, 0x2E66);
  EXPECT_EQ(Results<lanewise::bfloat16>({{0}}, tenth)[0].bits, 0x3DCD);
  // A float is a float: 0.1f is not 0.1.
  EXPECT_EQ(Results<double>({0}, [](auto x) { return 0.1f + x; })[0],
            static_cast<double>(0.1f));
  // All bits of an integer.
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(Results<uint64_t>({0}, [](auto x) { return x | (kMost - 1); })[0],
            kMost - 1);
  EXPECT_EQ(Results<int64_t>({1}, [](auto x) { return kLeast + x; })[0],
            kLeast + 1);
  EXPECT_EQ(Results<int64_t>({0}, [](auto x) { return x + ~kLeast; })[0],
            ~kLeast);
  EXPECT_EQ(Results<float>({0}, [](auto x) { return x + 16777219; })[0],
            16777220.0f);
  EXPECT_EQ(Results<uint8_t>({1}, [](auto x) { return x + 254.0; })[0], 255);
  EXPECT_EQ(Results<int8_t>({1}, [](auto x) { return x + -128; })[0], -127);
  // In a choice, of the other side, not of the condition.
  EXPECT_EQ(
      Results<float>({-2, 3}, [](auto x) { return where(x < 0, 0.5, x); }),
      (std::vector<float>{0.5f, 3}));
  EXPECT_EQ(
      Results<float>({2}, [](auto x) { return pow(2, x) + pow(x, 3); })[0], 12);
}

TEST(Formulas, NumbersThatDoNotFitAreFailures) {
  const auto plus = [](auto number) {
    return [=](auto x) { return x + number; };
  };
  constexpr lw_status kWrong = LW_INVALID_ARGUMENT;
  ExpectFailure<uint8_t>(kWrong, plus(256));
  ExpectFailure<uint8_t>(kWrong, plus(-1));
  ExpectFailure<int8_t>(kWrong, plus(128));
  ExpectFailure<int8_t>(kWrong, plus(-129));
  ExpectFailure<int32_t>(kWrong, plus(0.5));
  ExpectFailure<int32_t>(kWrong, plus(std::nan("")));
  ExpectFailure<int32_t>(kWrong, plus(2147483648.0));
  ExpectFailure<uint32_t>(kWrong, plus(INFINITY));
  ExpectFailure<int64_t>(kWrong, plus(9223372036854775808.0));
  ExpectFailure<int64_t>(kWrong, plus(std::numeric_limits<uint64_t>::max()));
  ExpectFailure<uint64_t>(kWrong, plus(int64_t{-1}));
  ExpectFailure<uint64_t>(kWrong, plus(18446744073709551616.0));
  ExpectFailure<bool>(kWrong, [](auto x) { return x && 2; });
  // Numbers alone have no type.
  ExpectFailure<float>(kWrong, [](auto x) { return where(x < 0, 1, 0); });
  ExpectFailure<float>(kWrong, [](auto) { return lanewise::sigmoid(1); });
  ExpectFailure<float>(kWrong, [](auto x) { return x + lanewise::sigmoid(1); });
  ExpectFailure<float>(kWrong, [](auto) { return Value(); });
  ExpectFailure<float>(LW_WRONG_COUNT, [](auto x) {
    for (int k = 0; k <= LW_MAX_CONSTANTS; ++k) x = max(x, 1, 2);
    return x;
  });
  // Two types, and a type that the operator does not have.
  ExpectFailure<float>(LW_UNSUPPORTED_TYPE, [](auto x) { return x + (x < 0); });
  ExpectFailure<int32_t>(LW_UNSUPPORTED_TYPE, [](auto x) { return ~x && x; });
}

TEST(Formulas, ValuesOfAnotherFormulaAreFailures) {
  const Engine engine;
  ExpectFailure<float>(LW_INVALID_ARGUMENT, [&](auto x) {
    Value inner;
    const Chain other = lanewise::Trace<float>(
        engine, [&](auto y) { return inner = exp(y) + x; });
    EXPECT_EQ(other.status().code(), LW_INVALID_ARGUMENT);
    return inner;
  });
}

// Each function below is called with numbers, too.
TEST(Formulas, SymbolsMeanWhatTheyMeanInCxx) {
  const std::vector<int32_t> x = {-7, -1, 0, 5, 9};
  const auto expect = [&](const auto& function) {
    std::vector<int32_t> y;
    for (const int32_t one : x) y.push_back(function(one));
    EXPECT_EQ(Results<int32_t>(x, function), y);
  };
  expect([](auto v) { return 3 * v + 20 / (v + 2) - v % 3; });
  expect([](auto v) { return 20 % (v + 2) - -v; });
  expect([](auto v) { return ((~v & 12) | 1) ^ (v >> 1); });
  expect([](auto v) { return ((v & 15) << 3) + (1 << (v & 7)); });
  expect([](auto v) {
    auto y = v;
    y += 3;
    y *= v;
    y -= 1;
    y /= 2;
    y %= 11;
    y ^= 21;
    y |= v;
    y &= 31;
    y <<= 4;
    y >>= v & 3;
    return y;
  });
}

TEST(Formulas, ComparisonsAndLogicGiveBools) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {-2, -0.0f, 0, 1, 2, 3, nan};
  const auto expect = [&](const auto& function) {
    std::vector<uint8_t> y;
    for (const float one : x) y.push_back(function(one) ? 1 : 0);
    const auto as_number = [&](auto v) {
      return lanewise::cast<uint8_t>(function(v));
    };
    EXPECT_EQ((Results<float, uint8_t>(x, as_number)), y);
  };
  expect([](auto v) { return v == 0; });
  expect([](auto v) { return v != 0; });
  expect([](auto v) { return 1 < v; });
  expect([](auto v) { return v <= 1; });
  expect([](auto v) { return v > 1; });
  expect([](auto v) { return 1 >= v; });
  expect([](auto v) { return (v > 0 && v < 3) || !(v != -2); });
  expect([](auto v) { return (v > 0) ^ (v < 3); });
  expect([](auto v) { return (v > 0) & (v < 3); });
  expect([](auto v) { return (v > 0) | (v < -1) | false; });
  expect([](auto v) { return (v > 0) != (v < 3); });
  expect([](auto v) { return (v > 0) == true; });
}

TEST(Formulas, RemaindersHaveTheSignOfOneSide) {
  const std::vector<int32_t> x = {-7, 7};
  EXPECT_EQ(Results<int32_t>(x, [](auto v) { return v % 3; }),
            (std::vector<int32_t>{-1, 1}));
  EXPECT_EQ(Results<int32_t>(x, [](auto v) { return mod(v, 3); }),
            (std::vector<int32_t>{2, 1}));
  EXPECT_EQ(Results<float>({-7.5f}, [](auto v) { return fmod(v, 2); })[0],
            -1.5f);
  EXPECT_EQ(Results<float>({-7.5f}, [](auto v) { return mod(v, 2); })[0], 0.5f);
}

TEST(Formulas, MinusKeepsTheSignOfZero) {
  const std::vector<float> y =
      Results<float>({0, -0.0f}, [](auto v) { return -v; });
  EXPECT_TRUE(std::signbit(y[0]));
  EXPECT_FALSE(std::signbit(y[1]));
  EXPECT_EQ(Results<uint32_t>({1}, [](auto v) { return -v; })[0], 0xFFFFFFFFu);
}

TEST(Formulas, AnyNumberOfOperands) {
  EXPECT_EQ(Results<float>({3},
                           [](auto v) {
                             return max(v, 1, 7, 2) + min(4, v, 5) +
                                    sum(v, 1, 2, 3, 4) + mean(v, 5);
                           })[0],
            7 + 3 + 13 + 4);
}

// A shape is written down, or is an argument.
TEST(Formulas, ReshapeAtTheEnds) {
  const Engine engine;
  const Chain chain =
      lanewise::Trace<float, float>(engine, [](auto x, auto row) {
        return reshape(reshape(x, {2, 3}) + row, {-1});
      });
  ASSERT_TRUE(chain.status().ok()) << chain.status().message();
  std::vector<float> x = {1, 2, 3, 4, 5, 6}, row = {10, 20, 30}, y(6);
  const int64_t six[] = {6}, three[] = {3};
  const lw_tensor in[] = {lanewise::TensorOf<float>(x, six),
                          lanewise::TensorOf<float>(row, three)};
  const lw_tensor out = lanewise::TensorOf<float>(y, six);
  ASSERT_TRUE(chain.Run(in, {&out, 1}).ok()) << lw_last_error();
  EXPECT_EQ(y, (std::vector<float>{11, 22, 33, 14, 25, 36}));

  ExpectFailure<float>(LW_INVALID_ARGUMENT,
                       [](auto v) { return exp(reshape(exp(v), {1})); });
  ExpectFailure<float>(LW_WRONG_COUNT, [](auto v) {
    for (int k = 1; k < LW_MAX_STEPS; ++k) v = reshape(v, {1, 2});
    return exp(v);
  });
}

// A model's scale of 8 bits, and back.
TEST(Formulas, TypesWithoutACxxType) {
  const std::vector<float> y = Results<float>({1.0625f, 1000}, [](auto x) {
    return lanewise::cast<float>(cast(x, LW_FLOAT8E4M3FN));
  });
  EXPECT_EQ(y, (std::vector<float>{1, 448}));
}

}  // namespace
