// SPDX-License-Identifier: Apache-2.0
//
// Floats of 8 and 4 bits and integers of 4 and 2 bits as numbers and back, as
// ONNX's documents have them, for the oracles of conversions. An element is one
// byte here, also of a packed type.

#ifndef LANEWISE_TESTS_KERNELS_CONVERSION_NARROW_NUMBERS_H_
#define LANEWISE_TESTS_KERNELS_CONVERSION_NARROW_NUMBERS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

inline constexpr Types kNarrowIntegers = {LW_INT4, LW_UINT4, LW_INT2, LW_UINT2};
inline constexpr Types kNarrowFloats =
    kFloat8 + Types{LW_FLOAT4E2M1, LW_FLOAT8E8M0};
inline constexpr Types kNarrow = kNarrowIntegers + kNarrowFloats;

inline bool IsUnsignedZeroFormat(lw_type type) {
  return type == LW_FLOAT8E4M3FNUZ || type == LW_FLOAT8E5M2FNUZ;
}

/// A narrow element as a number.
inline long double ReadNarrow(lw_type type, uint8_t bits) {
  constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
  constexpr long double kInf = std::numeric_limits<long double>::infinity();
  switch (type) {
    case LW_INT4:
      return bits < 8 ? bits : bits - 16;
    case LW_INT2:
      return bits < 2 ? bits : bits - 4;
    case LW_UINT4:
    case LW_UINT2:
      return bits;
    case LW_FLOAT8E8M0:
      return bits == 255 ? kNan : std::ldexp(1.0L, bits - 127);
    default:
      break;
  }
  const int width = type == LW_FLOAT4E2M1 ? 4 : 8;
  const int mantissa = type == LW_FLOAT4E2M1 ? 1
                       : type == LW_FLOAT8E4M3FN || type == LW_FLOAT8E4M3FNUZ
                           ? 3
                           : 2;
  const int half = 1 << (width - 1);
  const bool negative = bits >= half;
  const int rank = bits % half;
  if (IsUnsignedZeroFormat(type) && negative && rank == 0) return kNan;
  if (type == LW_FLOAT8E4M3FN && rank == 0x7F) return kNan;
  if (type == LW_FLOAT8E5M2 && rank > 0x7C) return kNan;
  if (type == LW_FLOAT8E5M2 && rank == 0x7C) return negative ? -kInf : kInf;
  const int bias =
      (1 << (width - mantissa - 2)) - 1 + (IsUnsignedZeroFormat(type) ? 1 : 0);
  const int exponent = rank >> mantissa;
  const int digits = rank % (1 << mantissa);
  const long double number =
      exponent == 0
          ? std::ldexp(static_cast<long double>(digits), 1 - bias - mantissa)
          : std::ldexp(static_cast<long double>((1 << mantissa) + digits),
                       exponent - bias - mantissa);
  return negative ? -number : number;
}

/// An element of any type as a number.
inline long double NumberAt(int32_t type, const uint8_t* element) {
  const auto own = static_cast<lw_type>(type);
  return kNarrow.count(type) != 0 ? ReadNarrow(own, *element)
                                  : ReadNumber(own, element);
}

/// The sign of a NaN that has one.
inline bool IsNegativeNarrow(lw_type type, uint8_t bits) {
  return (type == LW_FLOAT8E4M3FN || type == LW_FLOAT8E5M2) && bits >= 128;
}

/// The finite numbers of a float of 8 or 4 bits, from 0 on.
inline const std::vector<long double>& Magnitudes(lw_type type) {
  static const auto* lists = [] {
    auto* made = new std::map<lw_type, std::vector<long double>>;
    for (const int32_t code : kFloat8 + Types{LW_FLOAT4E2M1}) {
      const auto of = static_cast<lw_type>(code);
      const int count = of == LW_FLOAT4E2M1 ? 8 : 128;
      for (int rank = 0; rank < count; ++rank) {
        const long double x = ReadNarrow(of, static_cast<uint8_t>(rank));
        if (std::isfinite(x)) (*made)[of].push_back(x);
      }
    }
    return made;
  }();
  return lists->at(type);
}

/// A number as a float of 8 or 4 bits with a sign. ONNX's tables for what is
/// beyond the largest number.
inline uint8_t WriteNarrowFloat(lw_type type, long double x, bool saturates) {
  const int sign = !std::signbit(x) ? 0 : type == LW_FLOAT4E2M1 ? 8 : 128;
  const bool is_unsigned = IsUnsignedZeroFormat(type);
  const int nan = is_unsigned             ? 0x80
                  : type == LW_FLOAT4E2M1 ? 7
                  : type == LW_FLOAT8E5M2 ? 0x7E + sign
                                          : 0x7F + sign;
  if (std::isnan(x)) return static_cast<uint8_t>(nan);
  const std::vector<long double>& numbers = Magnitudes(type);
  const long double magnitude = std::fabs(x);
  // The first number that is not smaller. Beyond the largest one, as if the
  // format went on: the next number is as far away as the one before.
  const auto above = static_cast<size_t>(
      std::lower_bound(numbers.begin(), numbers.end(), magnitude) -
      numbers.begin());
  size_t nearest = above;
  if (above > 0 && std::isfinite(magnitude)) {
    const size_t last = std::min(above, numbers.size() - 1);
    const long double step = numbers[last] - numbers[last - 1];
    const long double twice = 2 * (magnitude - numbers[above - 1]);
    if (twice < step || (twice == step && above % 2 == 1)) nearest = above - 1;
  }
  if (nearest == numbers.size()) {
    if (type == LW_FLOAT4E2M1 || saturates) {
      --nearest;
    } else {
      return static_cast<uint8_t>(type == LW_FLOAT8E5M2 ? 0x7C + sign : nan);
    }
  }
  if (is_unsigned && nearest == 0) return 0;
  return static_cast<uint8_t>(static_cast<int>(nearest) + sign);
}

/// A number as a power of 2: `round_mode` is "up", "down" or "nearest".
inline uint8_t WriteScale(long double x, bool saturates,
                          std::string_view round_mode) {
  constexpr uint8_t kNan = 255;
  if (std::isnan(x) || x < 0) return kNan;
  const long double least = std::ldexp(1.0L, -127), most = 1 / least;
  if (x < least) return saturates ? 0 : kNan;
  if (x > most) return saturates ? 254 : kNan;
  int exponent = -127;
  while (std::ldexp(1.0L, exponent + 1) <= x) ++exponent;
  const long double rest = x - std::ldexp(1.0L, exponent);
  const bool rounds_up = round_mode == "up"
                             ? rest > 0
                             : round_mode == "nearest" &&
                                   rest + rest >= std::ldexp(1.0L, exponent);
  return static_cast<uint8_t>(exponent + (rounds_up ? 1 : 0) + 127);
}

/// A number as a narrow integer: truncated and saturated, NaN is 0.
inline uint8_t SaturateNarrow(lw_type type, long double x) {
  const bool is_signed = type == LW_INT4 || type == LW_INT2;
  const int width = type == LW_INT4 || type == LW_UINT4 ? 4 : 2;
  const int most = (1 << (is_signed ? width - 1 : width)) - 1;
  const int least = is_signed ? -most - 1 : 0;
  if (std::isnan(x)) return 0;
  const long double bound = std::clamp<long double>(x, least, most);
  return static_cast<uint8_t>(static_cast<int>(bound) & ((1 << width) - 1));
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_CONVERSION_NARROW_NUMBERS_H_
