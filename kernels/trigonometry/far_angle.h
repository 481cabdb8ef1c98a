// SPDX-License-Identifier: Apache-2.0
//
// x modulo pi/2 in integers, for x that is too large for vectors: the method of
// M. Payne and R. Hanek (1983). It takes some 20 ns.
//
// x = m 2^e, with m of 53 bits, is multiplied by those bits of 2/pi that count:
// bits above make multiples of 4, and 4 times pi/2 is a whole turn. 192 bits
// are taken, so that the fraction is off by less than 2^-125. No double lies
// nearer than 2^-62 to a multiple of pi/2 (the nearest has m = 6381956970095103
// and e = 797; J.-M. Muller, "Elementary Functions", finds it by continued
// fractions). The result is therefore exact to 60 bits and more.

#ifndef LANEWISE_KERNELS_TRIGONOMETRY_FAR_ANGLE_H_
#define LANEWISE_KERNELS_TRIGONOMETRY_FAR_ANGLE_H_

#include <bit>
#include <cstddef>
#include <cstdint>

namespace lanewise {

/// From here on, x is far.
inline constexpr double kFarAngle = 0x1p20;

/// n pi/2 + hi + lo, where the last two bits of n are right, and |hi + lo| is
/// at most pi/4.
struct Angle {
  double hi;
  double lo;
  uint64_t n;
};

namespace far_angle {

__extension__ using Word2 = unsigned __int128;

/// The bits of 2/pi, behind 64 zeros.
inline constexpr uint64_t kTwoOverPi[] = {
    0,
    0xA2F9836E4E441529,
    0xFC2757D1F534DDC0,
    0xDB6295993C439041,
    0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0,
    0x06492EEA09D1921C,
    0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484,
    0xE99C7026B45F7E41,
    0x3991D639835339F4,
    0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F,
    0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA,
    0x6BFB5FB11F8D5D08,
    0x56033046FC7B6BAB,
};

/// pi/4, a count of 2^-128.
inline constexpr uint64_t kQuarterPiHi = 0xC90FDAA22168C234;
inline constexpr uint64_t kQuarterPiLo = 0xC4C6628B80DC1CD1;

constexpr double Pow2(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
}

/// The upper half of the product.
constexpr Word2 MulHigh(uint64_t a, uint64_t b) { return Word2{a} * b >> 64; }

}  // namespace far_angle

/// For a finite x >= kFarAngle.
inline Angle ReduceFar(double x) {
  using namespace far_angle;
  const auto bits = std::bit_cast<uint64_t>(x);
  constexpr uint64_t kImplied = uint64_t{1} << 52;
  const uint64_t m = (bits & (kImplied - 1)) | kImplied;
  // From the bit that makes 2 with the last bit of m.
  const size_t first = (bits >> 52) - 1075 + 62;
  const uint64_t* words = &kTwoOverPi[first / 64];
  const auto window = [&](size_t i) {
    const Word2 two = Word2{words[i]} << 64 | words[i + 1];
    return static_cast<uint64_t>(two << first % 64 >> 64);
  };
  // x / (pi/2) modulo 4, a count of 2^-126.
  Word2 quarters = Word2{m * window(0)} << 64;
  quarters += Word2{m} * window(1) + MulHigh(m, window(2));
  constexpr Word2 kHalf = Word2{1} << 125;
  const auto n = static_cast<uint64_t>((quarters + kHalf) >> 126);
  const Word2 rest = quarters - (Word2{n} << 126);
  const bool is_negative = rest >> 127 != 0;
  Word2 size = is_negative ? -rest : rest;
  auto high = static_cast<uint64_t>(size >> 64);
  const int zeros = high != 0
                        ? std::countl_zero(high)
                        : 64 + std::countl_zero(static_cast<uint64_t>(size));
  size <<= zeros;
  high = static_cast<uint64_t>(size >> 64);
  const auto low = static_cast<uint64_t>(size);
  const Word2 product = Word2{high} * kQuarterPiHi +
                        MulHigh(high, kQuarterPiLo) +
                        MulHigh(low, kQuarterPiHi);
  // 53 bits, and the next 63.
  const auto hi = static_cast<double>(static_cast<int64_t>(product >> 75));
  const auto lo = static_cast<double>(
      static_cast<int64_t>(static_cast<uint64_t>(product >> 12) & INT64_MAX));
  const double scale = is_negative ? -Pow2(-50 - zeros) : Pow2(-50 - zeros);
  return {hi * scale, lo * scale * Pow2(-63), n};
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_TRIGONOMETRY_FAR_ANGLE_H_
