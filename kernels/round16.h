// SPDX-License-Identifier: Apache-2.0
//
// One number rounded to a 16-bit float, to nearest even: for attributes, which
// ONNX stores as float32.

#ifndef LANEWISE_KERNELS_ROUND16_H_
#define LANEWISE_KERNELS_ROUND16_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lanewise {

/// Rounds to `mantissa_bits` behind the leading bit, of a format whose smallest
/// normal number is 2^min_exponent and whose largest exponent is max_exponent.
inline float RoundToFormat(float value, int mantissa_bits, int min_exponent,
                           int max_exponent) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::ilogb(value);
  const int last = (exponent < min_exponent ? min_exponent : exponent) -
                   mantissa_bits;  // of the last place
  // Doubles hold every step exactly, whatever float it is.
  const double scaled = std::ldexp(static_cast<double>(value), -last);
  const double down = std::floor(scaled);
  const double rest = scaled - down;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2.0) != 0);
  const double rounded = std::ldexp(up ? down + 1 : down, last);
  const double limit = std::ldexp(1.0, max_exponent + 1);
  if (rounded >= limit || rounded <= -limit) {
    return std::copysign(std::numeric_limits<float>::infinity(), value);
  }
  // A negative number that rounds to 0 keeps its sign.
  return std::copysign(static_cast<float>(rounded), value);
}

inline float RoundToFloat16(float value) {
  return RoundToFormat(value, 10, -14, 15);
}
inline float RoundToBFloat16(float value) {
  return RoundToFormat(value, 7, -126, 127);
}

/// The bits of a number rounded to the format.
inline uint16_t Float16Bits(float value) {
  const float rounded = RoundToFloat16(value);
  const uint32_t bits = std::bit_cast<uint32_t>(rounded);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const float magnitude = std::fabs(rounded);
  if (std::isnan(rounded)) return sign | 0x7E00;
  if (std::isinf(rounded)) return sign | 0x7C00;
  if (magnitude < 0x1p-14f) {  // a multiple of the smallest number
    return sign | static_cast<uint16_t>(magnitude * 0x1p24f);
  }
  return sign |
         static_cast<uint16_t>(((bits & 0x7FFFFFFF) - (112u << 23)) >> 13);
}
inline uint16_t BFloat16Bits(float value) {
  const float rounded = RoundToBFloat16(value);
  const uint32_t bits = std::bit_cast<uint32_t>(rounded);
  return static_cast<uint16_t>(bits >> 16 | (std::isnan(rounded) ? 0x40 : 0));
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_ROUND16_H_
