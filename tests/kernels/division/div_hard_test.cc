// SPDX-License-Identifier: Apache-2.0
//
// Float division by multiplication: quotients as close to a tie as possible,
// with the hardest divisors and with random ones.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "tests/kernels/division/div_oracle.h"
#include "tests/kernels/division/hard_divisors.h"
#include "tests/support/check_values.h"

namespace lanewise::test {
namespace {

/// a[i] / b[i].
template <typename T>
void CheckQuotients(const std::vector<T>& a, const std::vector<T>& b) {
  EXPECT_TRUE(CheckDiv(DivOnAllIsas(kType<T>), ToArray(InThrees(a)),
                       ToArray(InThrees(b))));
}
template <typename T>
void CheckQuotientsBy(const std::vector<T>& a, T b) {
  EXPECT_TRUE(CheckDiv(DivOnAllIsas(kType<T>, LW_SCALAR_B),
                       ToArray(InThrees(a)), ToArray(std::vector<T>{b})));
}

/// A random integer with as many bits as the type's significand.
template <typename T>
T RandomInteger(std::mt19937_64& random) {
  const uint64_t bit = uint64_t{1} << (kDigits<T> - 1);
  return static_cast<T>(bit | (random() & (bit - 1)));
}

/// For an odd integer b: an integer a whose quotient is as close as possible to
/// a midpoint m between two numbers, so that a * 2^p - b * m is 1 or -1 in
/// units of the last place, or `distance` times as much, for an odd distance.
/// There are up to four such a; 0 if number `which` does not exist.
template <typename T>
T NearestToATie(T b, int which, uint64_t distance = 1) {
  const auto divisor = static_cast<uint64_t>(b);
  const bool below_b = which / 2 == 0;  // then a / b has one more place
  // The inverse of that power of two, modulo b.
  uint64_t inverse = 1;
  for (int i = 0; i < kDigits<T> + (below_b ? 1 : 0); ++i) {
    inverse = inverse % 2 == 0 ? inverse / 2 : (inverse + divisor) / 2;
  }
  uint64_t rest = 0;
  for (uint64_t i = 0; i < distance; ++i) rest = (rest + inverse) % divisor;
  uint64_t a = which % 2 == 0 ? rest : divisor - rest;
  if (!below_b) a += divisor;
  const uint64_t end = uint64_t{1} << kDigits<T>;
  return a < end / 2 || a >= end ? T{0} : static_cast<T>(a);
}

/// A dividend whose quotient by b is close to a midpoint between two numbers,
/// or sometimes any dividend.
template <typename T>
T HardDividend(T b, std::mt19937_64& random) {
  using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;
  const T integer = RandomInteger<T>(random);
  if (random() % 4 == 0) return integer;
  const auto middle = static_cast<Wide>(integer) + static_cast<Wide>(0.5);
  return static_cast<T>(middle * static_cast<Wide>(b));
}

template <typename T>
class DivHard : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(DivHard, FloatTypes);

TYPED_TEST(DivHard, Divisors) {
  using T = TypeParam;
  std::mt19937_64 random(5);
  for (const T b : HardDivisors<T>()) {
    std::vector<T> a;
    for (int k = -30; k < 30; ++k) a.push_back(std::ldexp(T{1}, k));
    while (a.size() < 64 * kLanes<T>) a.push_back(HardDividend(b, random));
    CheckQuotients(a, std::vector<T>(a.size(), b));
    CheckQuotientsBy(a, b);
  }
}

TYPED_TEST(DivHard, NearestTies) {
  using T = TypeParam;
  OnEveryCore(256, [](const auto& next) {
    for (uint64_t block = 0; next(&block);) {
      std::mt19937_64 random(block);
      std::vector<T> a, b;
      while (b.size() < 1 << 12) {
        T divisor = RandomInteger<T>(random);
        if (block % 2 == 0)
          divisor = std::ldexp(T{1}, kDigits<T>) -
                    std::floor(std::ldexp(divisor, -4));
        if (std::fmod(divisor, T{2}) == 0) continue;
        for (int which = 0; which < 4; ++which) {
          const T dividend = NearestToATie(divisor, which);
          if (dividend == 0) continue;
          a.push_back(dividend);
          b.push_back(divisor);
        }
      }
      CheckQuotients(a, b);
      CheckQuotientsBy(a, b[0]);
    }
  });
}

// Whether the quotients by a divisor need two more steps depends on all bits of
// the divisor.
TYPED_TEST(DivHard, NearestTiesByScalar) {
  using T = TypeParam;
  OnEveryCore(2048, [](const auto& next) {
    for (uint64_t block = 0; next(&block);) {
      std::mt19937_64 random(block);
      T divisor = RandomInteger<T>(random);
      if (std::fmod(divisor, T{2}) == 0) divisor += 1;
      std::vector<T> a;
      for (uint64_t distance = 1; distance < 200; distance += 2) {
        for (int which = 0; which < 4; ++which) {
          const T dividend = NearestToATie(divisor, which, distance);
          if (dividend != 0) a.push_back(dividend);
        }
      }
      CheckQuotientsBy(a, divisor);
      CheckQuotientsBy(a, -divisor);
    }
  });
}

TYPED_TEST(DivHard, NearTies) {
  using T = TypeParam;
  OnEveryCore(256, [](const auto& next) {
    for (uint64_t block = 0; next(&block);) {
      std::mt19937_64 random(block);
      std::vector<T> a, b;
      while (b.size() < 1 << 12) {
        b.push_back(RandomInteger<T>(random));
        a.push_back(HardDividend(b.back(), random));
      }
      CheckQuotients(a, b);
    }
  });
}

TYPED_TEST(DivHard, NearTiesByScalar) {
  using T = TypeParam;
  OnEveryCore(256, [](const auto& next) {
    for (uint64_t block = 0; next(&block);) {
      std::mt19937_64 random(block);
      const T b = RandomInteger<T>(random);
      std::vector<T> a;
      while (a.size() < 1 << 12) a.push_back(HardDividend(b, random));
      CheckQuotientsBy(a, b);
    }
  });
}

TYPED_TEST(DivHard, LimitsOfMultiplication) {
  using T = TypeParam;
  std::mt19937_64 random(7);
  std::vector<T> a, b;
  for (const int exponent_a : BorderExponents<T>()) {
    for (const int exponent_b : BorderExponents<T>()) {
      AddVector(exponent_a, random, &a);
      AddVector(exponent_b, random, &b);
    }
  }
  CheckQuotients(a, b);
  for (const int exponent : BorderExponents<T>()) {
    CheckQuotientsBy(a, std::ldexp(T{1}, exponent));
    CheckQuotientsBy(a, std::ldexp(static_cast<T>(-1.7), exponent));
  }
}

// Quotients halfway between two subnormal numbers. By multiplication, the error
// of the reciprocal would decide how they are rounded.
TYPED_TEST(DivHard, TiesBetweenSubnormals) {
  using T = TypeParam;
  constexpr int kSpan = sizeof(T) == 4 ? 63 : 511;
  constexpr int kHalfOfTheSmallest =
      std::numeric_limits<T>::min_exponent - kDigits<T> - 1;
  std::mt19937_64 random(9);
  for (const uint64_t divisor : {3, 5, 7, 9, 11, 13}) {
    for (int shift = kSpan - 3; shift < kSpan + 3; ++shift) {
      std::vector<T> a;
      while (a.size() < 8 * kLanes<T>) {
        const uint64_t end = (uint64_t{1} << kDigits<T>) / divisor;
        const uint64_t tie = (end / 2 + random() % (end / 2)) | 1;
        a.push_back(std::ldexp(static_cast<T>(tie * divisor),
                               shift + kHalfOfTheSmallest));
      }
      const T b = std::ldexp(static_cast<T>(divisor), shift);
      CheckQuotients(a, std::vector<T>(a.size(), b));
      CheckQuotientsBy(a, b);
    }
  }
}

// One lane of a vector is zero, or cannot be divided by multiplication.
TYPED_TEST(DivHard, OneOddLane) {
  using T = TypeParam;
  std::mt19937_64 random(8);
  std::vector<T> a, b;
  for (const T odd : OddNumbers<T>()) {
    for (size_t lane = 0; lane < kLanes<T>; ++lane) {
      for (std::vector<T>* in : {&a, &b}) {
        AddVector(1, random, &a);
        AddVector(3, random, &b);
        (*in)[in->size() - kLanes<T> + lane] = odd;
      }
    }
  }
  CheckQuotients(a, b);
  CheckQuotientsBy(a, T{3});
  CheckQuotientsBy(a, T{-3});
}

}  // namespace
}  // namespace lanewise::test
