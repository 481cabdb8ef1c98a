// SPDX-License-Identifier: Apache-2.0
//
// All 2^32 pairs of two 16-bit operands: oracles that the compiler can
// vectorize, and the loop over all pairs on every core.

#ifndef LANEWISE_TESTS_SUPPORT_ALL_PAIRS16_H_
#define LANEWISE_TESTS_SUPPORT_ALL_PAIRS16_H_

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/bits.h"
#include "tests/support/check_values.h"
#include "tests/support/isas.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// Rounds to nearest, ties to even. Every NaN becomes the positive quiet NaN.
/// Has no branches, so that compilers vectorize it.
template <int kExponentBits, int kMantissaBits>
uint16_t RoundTo16(double x) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr int kDrop = 52 - kMantissaBits;
  constexpr auto kPowerOf2 = [](int exponent) {
    return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
  };
  // Adding this constant rounds to the last place of the subnormal numbers.
  constexpr double kAlign = kPowerOf2(1 - kBias - kMantissaBits + 52);
  constexpr double kOverflow =
      kPowerOf2(kBias) * (2 - kPowerOf2(-kMantissaBits - 1));
  constexpr auto kInfinity = uint64_t{(1 << kExponentBits) - 1}
                             << kMantissaBits;

  const uint64_t bits = BitsOf(x) & ~(uint64_t{1} << 63);
  const double magnitude = DoubleOf(bits);
  const uint64_t small = BitsOf(magnitude + kAlign) - BitsOf(kAlign);
  const uint64_t odd = bits >> kDrop & 1;
  const uint64_t normal =
      ((bits + odd + (uint64_t{1} << (kDrop - 1)) - 1) >> kDrop) -
      (uint64_t{1023 - kBias} << kMantissaBits);
  uint64_t result = magnitude < kPowerOf2(1 - kBias) ? small : normal;
  result = magnitude >= kOverflow ? kInfinity : result;
  result |= BitsOf(x) >> 63 << 15;
  result = x != x ? kInfinity | 1 << (kMantissaBits - 1) : result;
  return static_cast<uint16_t>(result);
}

/// The values of all bit patterns of a 16-bit format.
template <int kExponentBits, int kMantissaBits>
const double* ValuesOf16() {
  static const std::vector<double>& values = *[] {
    auto* made = new std::vector<double>(1 << 16);
    for (uint32_t i = 0; i < 1 << 16; ++i) {
      (*made)[i] = Widen(i, {kExponentBits, kMantissaBits});
    }
    return made;
  }();
  return values.data();
}

/// A 16-bit float operation by way of double, fn(double, double). The caller
/// vouches that rounding twice is harmless: the exact result is a double, or
/// far from every midpoint between two 16-bit numbers.
template <int kExponentBits, int kMantissaBits, class Fn>
struct ByDouble {
  Fn fn;
  const double* values = ValuesOf16<kExponentBits, kMantissaBits>();
  uint16_t operator()(uint16_t a, uint16_t b) const {
    return RoundTo16<kExponentBits, kMantissaBits>(fn(values[a], values[b]));
  }
};

/// Makes every NaN the same NaN.
inline void UnifyNans16(std::vector<uint16_t>& bits, uint16_t infinity) {
  for (uint16_t& x : bits) {
    x = (x & 0x7FFF) > infinity ? static_cast<uint16_t>(infinity | 1) : x;
  }
}

/// Holds an operator with two 16-bit inputs against oracle(a, b) for all pairs,
/// on the best instruction set. TOut is uint16_t, or uint8_t for bools.
/// `infinity` is that of a float format whose NaNs count as one; 0x7FFF: none.
/// The operator has a kernel for `pattern`: LW_SCALAR_A, or LW_SAME at least.
/// The first input takes every step-th value.
template <typename TOut, class Oracle>
void CheckAllPairs16(const OpId& op, lw_type type, uint16_t infinity,
                     const Oracle& oracle, lw_pattern pattern = LW_SCALAR_A,
                     const std::vector<lw_attribute>& attributes = {},
                     uint64_t step = 1) {
  constexpr size_t kCount = 1 << 16;
  const Subject subject =
      KernelApi(AllIsas()[0].engine, op, type, pattern, attributes);
  std::vector<uint16_t> b(kCount);
  for (size_t i = 0; i < kCount; ++i) b[i] = static_cast<uint16_t>(i);
  std::atomic<bool> failed{false};
  OnEveryCore(kCount / step, [&](const auto& next) {
    std::vector<TOut> expected(kCount);
    std::vector<TOut> actual(kCount);
    std::vector<uint16_t> same_a(subject.Elements(0, kCount));
    for (uint64_t index = 0; !failed && next(&index);) {
      const auto a = static_cast<uint16_t>(index * step);
      for (size_t i = 0; i < kCount; ++i) {
        expected[i] = static_cast<TOut>(oracle(a, b[i]));
      }
      same_a.assign(same_a.size(), a);
      const lw_status status =
          subject.compute(same_a.data(), b.data(), actual.data(), kCount);
      if (status != LW_OK && status != LW_DIVIDE_BY_ZERO) failed = true;
      if constexpr (sizeof(TOut) == 2) {
        if (infinity != 0x7FFF) {
          UnifyNans16(expected, infinity);
          UnifyNans16(actual, infinity);
        }
      }
      const size_t i =
          FirstDifference(actual.data(), expected.data(), kCount, sizeof(TOut));
      if (i == kCount) continue;
      failed = true;
      ADD_FAILURE() << lw_type_name(type) << ": " << BitsText(&a, 2) << " and "
                    << BitsText(&b[i], 2) << " give "
                    << BitsText(&actual[i], sizeof(TOut)) << ", not "
                    << BitsText(&expected[i], sizeof(TOut));
    }
  });
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ALL_PAIRS16_H_
