// SPDX-License-Identifier: Apache-2.0
//
// Inputs for the tests of division by multiplication
// (kernels/division/division-inl.h): the divisors whose reciprocals are hardest
// to round, and the limits of the range in which multiplication is used. All
// lanes of a vector are of one kind, so that the whole vector takes the path
// under test. Each vector appears three times, because the divider computes one
// vector in three.

#ifndef LANEWISE_TESTS_KERNELS_DIVISION_HARD_DIVISORS_H_
#define LANEWISE_TESTS_KERNELS_DIVISION_HARD_DIVISORS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/array.h"

namespace lanewise::test {

inline constexpr size_t kVectorBytes = 64;

template <typename T>
constexpr lw_type kType = std::is_same_v<T, float> ? LW_FLOAT32 : LW_FLOAT64;
template <typename T>
constexpr int kDigits = std::numeric_limits<T>::digits;
template <typename T>
constexpr size_t kLanes = kVectorBytes / sizeof(T);

template <typename T>
Array ToArray(const std::vector<T>& values) {
  Array array(kType<T>, values.size());
  std::copy(values.begin(), values.end(), array.template as<T>());
  return array;
}

/// Repeats each full vector of `values` three times.
template <typename T>
std::vector<T> InThrees(const std::vector<T>& values) {
  std::vector<T> threes;
  for (size_t i = 0; i < values.size(); i += kLanes<T>) {
    for (int times = 0; times < 3; ++times) {
      for (size_t k = 0; k < kLanes<T>; ++k) {
        threes.push_back(values[(i + k) % values.size()]);
      }
    }
  }
  return threes;
}

/// Integers B of p bits that divide 2^2p + 1 or 2^2p - 1: their reciprocals are
/// closest to a midpoint between two numbers. Also the largest integers of p
/// bits, whose reciprocals are just above a power of two.
template <typename T>
std::vector<T> HardDivisors() {
  std::vector<T> hard;
  if constexpr (std::is_same_v<T, float>) {
    for (uint64_t b = 1 << 23; b < 1 << 24; ++b) {
      const uint64_t square = uint64_t{1} << 48;
      if ((square + 1) % b == 0 || (square - 1) % b == 0) {
        hard.push_back(static_cast<float>(b));
      }
    }
  } else {
    hard = {static_cast<double>(0x1FFFFFF8000001),
            static_cast<double>(0x1FFFFFFFFFFFFF)};
  }
  EXPECT_EQ(hard.size(), sizeof(T) == 4 ? 31u : 2u);
  for (int i = 1; i <= 40; ++i) {
    hard.push_back(std::ldexp(T{1}, kDigits<T>) - static_cast<T>(i));
  }
  return hard;
}

/// Appends a vector of random numbers with the given exponent.
template <typename T>
void AddVector(int exponent, std::mt19937_64& random, std::vector<T>* to) {
  for (size_t k = 0; k < kLanes<T>; ++k) {
    const auto mantissa = static_cast<T>(random() >> 11);
    const T value = std::ldexp(T{1} + std::ldexp(mantissa, -54), exponent);
    to->push_back(k % 2 == 0 ? value : -value);
  }
}

/// Exponents around every limit of that range, and at both ends of the type.
template <typename T>
std::vector<int> BorderExponents() {
  constexpr int kSpan = sizeof(T) == 4 ? 63 : 511;
  constexpr int kMin = std::numeric_limits<T>::min_exponent - kDigits<T>;
  constexpr int kMax = std::numeric_limits<T>::max_exponent - 1;
  std::vector<int> exponents = {kMin, kMin + kDigits<T>, 0, kMax};
  for (const int border : {-2 * kSpan, -kSpan, kSpan, 2 * kSpan}) {
    for (int near = -2; near <= 2; ++near) exponents.push_back(border + near);
  }
  return exponents;
}

/// Zeros, and numbers that cannot be divided by multiplication.
template <typename T>
std::vector<T> OddNumbers() {
  using Limits = std::numeric_limits<T>;
  return {T{0},
          -T{0},
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN(),
          Limits::denorm_min(),
          Limits::max()};
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_DIVISION_HARD_DIVISORS_H_
