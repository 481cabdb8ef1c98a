// SPDX-License-Identifier: Apache-2.0
//
// Floating-point formats in plain integer code, written independently of
// Highway's code: converts float16 and bfloat16 to and from wider types with
// correct rounding, and measures distances in units in the last place.

#ifndef LANEWISE_TESTS_SUPPORT_BITS_H_
#define LANEWISE_TESTS_SUPPORT_BITS_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lanewise::test {

inline uint32_t BitsOf(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t BitsOf(double x) { return std::bit_cast<uint64_t>(x); }
inline float FloatOf(uint32_t bits) { return std::bit_cast<float>(bits); }
inline double DoubleOf(uint64_t bits) { return std::bit_cast<double>(bits); }

/// An IEEE binary format of at most 32 bits.
struct Format {
  int exponent_bits;
  int mantissa_bits;
};
inline constexpr Format kHalf = {5, 10};
inline constexpr Format kBfloat = {8, 7};
inline constexpr Format kSingle = {8, 23};

/// Exact, because a double can represent every number of the format. NaNs keep
/// their sign and payload.
inline double Widen(uint32_t bits, Format format) {
  const int m = format.mantissa_bits;
  const uint64_t sign = bits >> (format.exponent_bits + m) & 1;
  const int max_exponent = (1 << format.exponent_bits) - 1;
  const int bias = max_exponent / 2;
  int exponent = static_cast<int>(bits >> m) & max_exponent;
  uint64_t mantissa = bits & ((uint64_t{1} << m) - 1);
  if (exponent == max_exponent) {
    return DoubleOf(sign << 63 | uint64_t{0x7FF} << 52 | mantissa << (52 - m));
  }
  if (exponent == 0) {
    if (mantissa == 0) return DoubleOf(sign << 63);
    for (exponent = 1; mantissa >> m == 0; --exponent) mantissa <<= 1;
    mantissa &= (uint64_t{1} << m) - 1;
  }
  const auto wide = static_cast<uint64_t>(exponent - bias + 1023);
  return DoubleOf(sign << 63 | wide << 52 | mantissa << (52 - m));
}

/// Rounds to nearest, ties to even. NaNs become quiet and keep their sign.
inline uint32_t Narrow(double x, Format format) {
  const int m = format.mantissa_bits;
  const uint64_t bits = BitsOf(x);
  const auto sign = static_cast<uint32_t>(bits >> 63)
                    << (format.exponent_bits + m);
  const uint32_t max_exponent = (1u << format.exponent_bits) - 1;
  const uint32_t infinity = max_exponent << m;
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 0x7FF) {
    if (mantissa == 0) return sign | infinity;
    return sign | infinity | 1u << (m - 1) |
           static_cast<uint32_t>(mantissa >> (52 - m));
  }
  if (exponent == 0) return sign;  // far below half the smallest number

  // The value is mantissa * 2^(exponent - 1075) with the leading one in place.
  mantissa |= uint64_t{1} << 52;
  const int target = exponent - 1023 + static_cast<int>(max_exponent / 2);
  // Below the smallest normal number the unit in the last place stays constant.
  const int drop = 52 - m + (target < 1 ? 1 - target : 0);
  if (drop > 54) return sign;
  const uint64_t kept = mantissa >> drop;
  const uint64_t rest = mantissa & ((uint64_t{1} << drop) - 1);
  const uint64_t half = uint64_t{1} << (drop - 1);
  const uint64_t rounded = kept + (rest > half || (rest == half && kept % 2));
  // A carry out of the mantissa correctly increments the exponent.
  const uint64_t base = target < 1 ? 0 : static_cast<uint64_t>(target - 1) << m;
  const uint64_t result = base + rounded;
  return sign | (result >= infinity ? infinity : static_cast<uint32_t>(result));
}

/// x as a double, whose last bit is 1 if it cannot hold x: rounded to a format
/// of half the bits, such a double gives what x gives.
inline double ToOddDouble(long double x) {
  const auto y = static_cast<double>(x);
  if (static_cast<long double>(y) == x || std::isnan(x) || std::isinf(y)) {
    return y;
  }
  uint64_t bits = BitsOf(y);
  if (bits % 2 == 0) bits += std::fabs(y) < std::fabs(x) ? 1 : -1;
  return DoubleOf(bits);
}

/// x * (1 + term). A term that a T cannot hold beside 1 counts as one that a T
/// can hold: if x is halfway between two results, the term's sign decides.
template <typename T>
T TimesOnePlus(T x, T term) {
  constexpr T kLeast = 2 * std::numeric_limits<T>::epsilon();
  const bool lost = term != 0 && std::fabs(term) < kLeast;
  return x * (1 + (lost ? std::copysign(kLeast, term) : term));
}

inline float HalfToFloat(uint16_t bits) {
  return static_cast<float>(Widen(bits, kHalf));
}
inline float BfloatToFloat(uint16_t bits) {
  return static_cast<float>(Widen(bits, kBfloat));
}
inline uint16_t ToHalf(double x) {
  return static_cast<uint16_t>(Narrow(x, kHalf));
}
inline uint16_t ToBfloat(double x) {
  return static_cast<uint16_t>(Narrow(x, kBfloat));
}

/// Whether the bits of a 16-, 32- or 64-bit format are a NaN.
template <typename TBits>
constexpr bool IsNan(TBits bits, int mantissa_bits) {
  constexpr int kWidth = std::numeric_limits<TBits>::digits;
  const TBits magnitude =
      bits & static_cast<TBits>(~(TBits{1} << (kWidth - 1)));
  const auto infinity = static_cast<TBits>((TBits{1} << (kWidth - 1)) -
                                           (TBits{1} << mantissa_bits));
  return magnitude > infinity;
}

/// The number of steps between two numbers of one format. -0 and +0 are equal.
/// Two NaNs have distance 0; one NaN has the largest distance.
template <typename TBits>
constexpr uint64_t UlpDistance(TBits x, TBits y, int mantissa_bits) {
  const bool nan_x = IsNan(x, mantissa_bits);
  const bool nan_y = IsNan(y, mantissa_bits);
  if (nan_x || nan_y) return nan_x && nan_y ? 0 : UINT64_MAX;
  constexpr TBits kSign = TBits{1} << (std::numeric_limits<TBits>::digits - 1);
  const auto magnitude = [](TBits v) {
    return static_cast<uint64_t>(v & static_cast<TBits>(~kSign));
  };
  const uint64_t mx = magnitude(x);
  const uint64_t my = magnitude(y);
  if ((x & kSign) != (y & kSign)) return mx + my;
  return mx > my ? mx - my : my - mx;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_BITS_H_
