// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/kernels/division/hard_divisors.h"
#include "tests/support/check_values.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

constexpr OpId kReciprocal = {"Reciprocal", 13};

template <typename T>
void ReciprocalOracle(const void* in, void* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    static_cast<T*>(out)[i] = T{1} / static_cast<const T*>(in)[i];
  }
}

template <typename T>
void CheckReciprocals(const std::vector<T>& values) {
  CheckValues(kReciprocal, ToArray(InThrees(values)), ReciprocalOracle<T>,
              ExactOrNan);
}

template <typename T>
class ReciprocalHard : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(ReciprocalHard, FloatTypes);

TYPED_TEST(ReciprocalHard, Divisors) {
  using T = TypeParam;
  std::vector<T> scaled;
  for (const T b : HardDivisors<T>()) {
    for (const int exponent : {0, -kDigits<T>, 7, 40 - kDigits<T>}) {
      scaled.push_back(std::ldexp(b, exponent));
      scaled.push_back(-std::ldexp(b, exponent));
    }
  }
  CheckReciprocals(scaled);
}

TYPED_TEST(ReciprocalHard, RandomMantissas) {
  OnEveryCore(64, [](const auto& next) {
    for (uint64_t block = 0; next(&block);) {
      std::mt19937_64 random(block);
      std::vector<TypeParam> values;
      const int exponent = static_cast<int>(block % 32) - 16;
      while (values.size() < 1 << 14) AddVector(exponent, random, &values);
      CheckReciprocals(values);
    }
  });
}

TYPED_TEST(ReciprocalHard, LimitsOfMultiplication) {
  std::mt19937_64 random(7);
  std::vector<TypeParam> values;
  for (const int exponent : BorderExponents<TypeParam>()) {
    AddVector(exponent, random, &values);
  }
  CheckReciprocals(values);
}

TYPED_TEST(ReciprocalHard, OneOddLane) {
  using T = TypeParam;
  std::mt19937_64 random(8);
  std::vector<T> values;
  for (const T odd : OddNumbers<T>()) {
    for (size_t lane = 0; lane < kLanes<T>; ++lane) {
      AddVector(3, random, &values);
      values[values.size() - kLanes<T> + lane] = odd;
    }
  }
  CheckReciprocals(values);
}

// All mantissas of float32, with an exponent for which multiplication is used.
TEST(ReciprocalHardFloat32, AllMantissas) {
  OnEveryCore(1 << 10, [](const auto& next) {
    for (uint64_t block = 0; next(&block) && !testing::Test::HasFailure();) {
      std::vector<float> values;
      for (uint64_t i = 0; i < 1 << 13; ++i) {
        values.push_back(static_cast<float>((block << 13 | i) + (1 << 23)));
      }
      CheckReciprocals(values);
    }
  });
}

}  // namespace
}  // namespace lanewise::test
