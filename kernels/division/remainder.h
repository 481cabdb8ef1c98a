// SPDX-License-Identifier: Apache-2.0
//
// The remainder of one pair of floats, as C's fmod has it, for Mod: by long
// division of integers, which is exact for all exponents and needs no control
// word.

#ifndef LANEWISE_KERNELS_DIVISION_REMAINDER_H_
#define LANEWISE_KERNELS_DIVISION_REMAINDER_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "hwy/base.h"

namespace lanewise {

/// A positive number as integer * 2^power, where power is 1 for subnormal
/// numbers and those of the least normal exponent.
template <typename T>
struct IntegerAndPower {
  uint64_t integer;
  int power;

  explicit IntegerAndPower(T x) {
    constexpr int kBits = hwy::MantissaBits<T>();
    const uint64_t bits = hwy::BitCastScalar<hwy::MakeUnsigned<T>>(x);
    const int field = static_cast<int>(bits >> kBits);
    integer = (bits & ((uint64_t{1} << kBits) - 1)) |
              (field == 0 ? 0 : uint64_t{1} << kBits);
    power = std::max(field, 1);
  }
};

/// x minus the largest multiple of y that is not above x, for numbers without
/// a sign; NaN if x is not finite or y is 0 or a NaN.
template <typename T>
inline T RemainderOf(T x, T y) {
  using TU = hwy::MakeUnsigned<T>;
  constexpr int kBits = hwy::MantissaBits<T>();
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const TU bits = hwy::BitCastScalar<TU>(x),
           divisor = hwy::BitCastScalar<TU>(y);
  const TU infinity = hwy::BitCastScalar<TU>(kInfinity);
  if (bits >= infinity || divisor == 0 || divisor > infinity) {
    return std::numeric_limits<T>::quiet_NaN();
  }
  if (bits < divisor) return x;
  const IntegerAndPower<T> a(x), b(y);
  // Integers have kBits + 1 bits, so that this many more fit into 64 bits.
  constexpr int kStep = 63 - kBits;
  uint64_t rest = a.integer % b.integer;
  for (int left = a.power - b.power; left > 0 && rest != 0; left -= kStep) {
    rest = (rest << std::min(left, kStep)) % b.integer;
  }
  if (rest == 0) return 0;
  const int up = std::min(std::countl_zero(rest) - kStep, b.power - 1);
  rest <<= up;
  // A normal number's upper bit makes the field one larger.
  return hwy::BitCastScalar<T>(static_cast<TU>(
      rest + (static_cast<uint64_t>(b.power - up - 1) << kBits)));
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_DIVISION_REMAINDER_H_
