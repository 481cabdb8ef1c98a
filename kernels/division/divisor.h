// SPDX-License-Identifier: Apache-2.0
//
// Scalar preparation for integer division by multiplication: a divisor prepared
// once for many dividends, and reciprocals of small divisors.

#ifndef LANEWISE_KERNELS_DIVISION_DIVISOR_H_
#define LANEWISE_KERNELS_DIVISION_DIVISOR_H_

#include <cstddef>
#include <cstdint>

#include "hwy/base.h"

namespace lanewise {

// A divisor prepared by MakeDivisor. With m = multiplier, the magnitude of the
// quotient is (|a| * m + i) >> (N + shift). N is the number of bits of m; i is
// m if `increments`, otherwise 0.
template <typename T>
struct Divisor {
  using Multiplier = hwy::If<sizeof(T) == 1, uint16_t, hwy::MakeUnsigned<T>>;
  T value;
  int shift;
  Multiplier multiplier;  // 0 if value is 0
  bool increments;
};

namespace intdiv_detail {

// floor((2^(64 + shift) - 1) / d) for 2^shift <= d < 2^(shift + 1).
inline uint64_t DividePow2Minus1(uint64_t d, int shift) {
#if defined(__SIZEOF_INT128__)
  __extension__ using U128 = unsigned __int128;
  return static_cast<uint64_t>(((U128{1} << 64 << shift) - 1) / d);
#else
  // One bit at a time: only 32-bit machines take this path.
  uint64_t q = 0, rest = ~uint64_t{0} >> (63 - shift) >> 1;  // 2^shift - 1
  for (int i = 0; i < 64; ++i) {
    const bool carry = (rest >> 63) != 0;
    rest = (rest << 1) | 1;
    const bool bit = carry || rest >= d;
    if (bit) rest -= d;
    q = (q << 1) | uint64_t{bit};
  }
  return q;
#endif
}

// Reciprocals floor(65535 / b) of the divisors 1 to 127, as two byte tables.
// Entry 0 is for the divisor `first`, which is 0 or 128.
struct ByteReciprocals {
  constexpr explicit ByteReciprocals(uint32_t first) : lo(), hi() {
    if (first != 0) {
      lo[0] = static_cast<uint8_t>((65535 / first) & 0xFF);
      hi[0] = static_cast<uint8_t>((65535 / first) >> 8);
    }
    for (uint32_t b = 1; b < 128; ++b) {
      lo[b] = static_cast<uint8_t>((65535 / b) & 0xFF);
      hi[b] = static_cast<uint8_t>((65535 / b) >> 8);
    }
  }
  alignas(64) uint8_t lo[128];
  alignas(64) uint8_t hi[128];
};
inline constexpr ByteReciprocals kReciprocals0To127(0);
inline constexpr ByteReciprocals kReciprocals1To128(128);

}  // namespace intdiv_detail

// b may be any value, including 0. Costs one hardware division.
template <typename T>
inline Divisor<T> MakeDivisor(T b) {
  using M = typename Divisor<T>::Multiplier;
  constexpr int kBits = static_cast<int>(sizeof(M) * 8);
  Divisor<T> p{b, 0, 0, false};  // multiplies by 0
  if (b == 0) return p;
  const auto bits = static_cast<hwy::MakeUnsigned<T>>(b);
  const uint64_t d = b < 0 ? hwy::MakeUnsigned<T>(0 - bits) : bits;
  if constexpr (sizeof(T) == 1) {
    p.multiplier = static_cast<M>(65535 / static_cast<uint32_t>(d));
    p.increments = true;
    return p;
  }
  p.shift = 63 - static_cast<int>(hwy::Num0BitsAboveMS1Bit_Nonzero64(d));
  // m = floor((2^(N + shift) - 1) / d) with the increment has an error of
  // `down`, and m + 1 without the increment has an error of `up`. The result is
  // exact if a * error < 2^(N + shift), that is, if the error is at most
  // 2^shift. One of the two errors is. m + 1 <= 2^N - 1 unless d is a power of
  // two (up == 0).
  uint64_t m, down;
  if constexpr (kBits == 64) {
    m = intdiv_detail::DividePow2Minus1(d, p.shift);
    down = 0 - m * d;
  } else {
    // Many CPUs divide 32 bits quicker than 64.
    using U = hwy::If<(kBits < 32), uint32_t, uint64_t>;
    const U pow2 = U{1} << (kBits + p.shift);
    m = (pow2 - 1) / static_cast<U>(d);
    down = pow2 - m * d;
  }
  const uint64_t up = d - down;
  const bool round_up = up != 0 && up <= (uint64_t{1} << p.shift);
  p.multiplier = static_cast<M>(round_up ? m + 1 : m);
  p.increments = !round_up;
  return p;
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_DIVISION_DIVISOR_H_
