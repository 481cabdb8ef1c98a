// SPDX-License-Identifier: Apache-2.0
//
// The answers of Cast. Integers are rounded by hand.

#ifndef LANEWISE_TESTS_KERNELS_CONVERSION_CAST_ORACLE_H_
#define LANEWISE_TESTS_KERNELS_CONVERSION_CAST_ORACLE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tests/kernels/conversion/narrow_numbers.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {

/// The fields of a float format.
struct Fields {
  int mantissa;  ///< bits
  int exponent;  ///< bits
  int bias() const { return (1 << (exponent - 1)) - 1; }
  uint64_t infinity() const {
    return ((uint64_t{1} << exponent) - 1) << mantissa;
  }
  uint64_t sign() const { return uint64_t{1} << (mantissa + exponent); }
};
inline Fields FieldsOf(lw_type type) {
  return type == LW_FLOAT16    ? Fields{10, 5}
         : type == LW_BFLOAT16 ? Fields{7, 8}
         : type == LW_FLOAT32  ? Fields{23, 8}
                               : Fields{52, 11};
}

/// A number as sign, integer and power of 2: exact.
struct Number {
  bool negative = false;
  uint64_t integer = 0;
  int power = 0;
};

inline Number FromBits(uint64_t bits, const Fields& f) {
  Number number = {(bits & f.sign()) != 0,
                   bits & ((uint64_t{1} << f.mantissa) - 1), 0};
  const auto field = static_cast<int>((bits & f.infinity()) >> f.mantissa);
  if (field != 0) number.integer += uint64_t{1} << f.mantissa;
  number.power = std::max(field, 1) - f.bias() - f.mantissa;
  return number;
}

/// Rounds to nearest even, in integers.
inline uint64_t ToBits(Number number, const Fields& f) {
  const uint64_t sign = number.negative ? f.sign() : 0;
  if (number.integer == 0) return sign;
  while (number.integer >> 63 == 0) {
    number.integer *= 2;
    --number.power;
  }
  // The integer is 2^63 or more. Its upper mantissa + 1 bits stay, or fewer
  // where the result is subnormal.
  const int exponent = number.power + 63;
  int drop = 63 - f.mantissa;
  const int least = 1 - f.bias();
  if (exponent < least) drop += least - exponent;
  uint64_t kept = drop > 63 ? 0 : number.integer >> drop;
  const uint64_t rest =
      drop > 63 ? number.integer : number.integer - (kept << drop);
  // Half of a unit of the last place, as far as it is in reach.
  if (drop < 64) {
    const uint64_t half = uint64_t{1} << (drop - 1);
    if (rest > half || (rest == half && kept % 2 == 1)) ++kept;
  } else if (drop == 64 && rest > uint64_t{1} << 63) {
    ++kept;
  }
  uint64_t bits = kept;  // subnormal, or the smallest normal number
  if (exponent >= least) {
    bits += static_cast<uint64_t>(exponent - least) << f.mantissa;
  }
  return sign | std::min(bits, f.infinity());
}

/// Truncates and saturates.
inline int64_t ToInteger(const Number& number, lw_type to) {
  const int width = static_cast<int>(8 * ElementSize(to));
  const bool is_signed = IsSignedInteger(to);
  const uint64_t most = is_signed ? (uint64_t{1} << (width - 1)) - 1
                                  : ~uint64_t{0} >> (64 - width);
  const uint64_t least = is_signed ? most + 1 : 0;  // below 0
  uint64_t magnitude = number.integer;
  for (int i = 0; i > number.power; --i) magnitude /= 2;
  bool overflows = false;
  for (int i = 0; i < number.power && magnitude != 0 && !overflows; ++i) {
    overflows = magnitude >> 63 != 0;
    magnitude *= 2;
  }
  const uint64_t limit = number.negative ? least : most;
  if (overflows || magnitude > limit) magnitude = limit;
  return static_cast<int64_t>(number.negative ? 0 - magnitude : magnitude);
}

inline uint64_t ReadLow(lw_type type, const void* element) {
  const uint64_t bits = static_cast<uint64_t>(ReadInteger(type, element));
  return bits & (~uint64_t{0} >> (64 - 8 * ElementSize(type)));
}
/// The bits of a float of any type.
inline uint64_t FloatBits(lw_type type, const void* element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, ElementSize(type));
  return bits;
}

/// Sign and upper bits of the payload, quiet but for a bfloat16 in float32.
inline uint64_t NanBits(uint64_t bits, lw_type from, lw_type to) {
  const Fields f = FieldsOf(from), g = FieldsOf(to);
  const uint64_t payload = bits & ((uint64_t{1} << f.mantissa) - 1);
  const uint64_t moved = g.mantissa >= f.mantissa
                             ? payload << (g.mantissa - f.mantissa)
                             : payload >> (f.mantissa - g.mantissa);
  const bool shifts = from == to || (from == LW_BFLOAT16 && to == LW_FLOAT32);
  const uint64_t quiet = shifts ? 0 : uint64_t{1} << (g.mantissa - 1);
  return ((bits & f.sign()) != 0 ? g.sign() : 0) | g.infinity() | moved | quiet;
}

/// Between the types that are not narrow.
inline void ConvertWide(lw_type from, lw_type to, const void* const* in,
                        void* out) {
  const bool from_float = kF4.count(from) != 0;
  const bool to_float = kF4.count(to) != 0;
  uint64_t result = 0;
  if (from_float) {
    const Fields f = FieldsOf(from);
    const uint64_t bits = FloatBits(from, in[0]);
    const uint64_t magnitude = bits & ~f.sign();
    const bool negative = bits != magnitude;
    if (to == LW_BOOL) {
      result = magnitude != 0;
    } else if (magnitude > f.infinity()) {
      if (to_float) result = NanBits(bits, from, to);
    } else if (magnitude == f.infinity()) {
      const Number huge = {negative, uint64_t{1} << 63, 9999};
      result = to_float ? (negative ? FieldsOf(to).sign() : 0) |
                              FieldsOf(to).infinity()
                        : static_cast<uint64_t>(ToInteger(huge, to));
    } else {
      const Number number = FromBits(bits, f);
      result = to_float ? ToBits(number, FieldsOf(to))
                        : static_cast<uint64_t>(ToInteger(number, to));
    }
  } else {
    int64_t value = ReadInteger(from, in[0]);
    const bool is_signed = IsSignedInteger(from);
    uint64_t low = ReadLow(from, in[0]);
    if (from == LW_BOOL) value = static_cast<int64_t>(low = low != 0);
    const bool negative = is_signed && value < 0;
    if (to == LW_BOOL) {
      result = low != 0;
    } else if (to_float) {
      const uint64_t magnitude =
          negative ? 0 - static_cast<uint64_t>(value) : low;
      result = ToBits({negative, magnitude, 0}, FieldsOf(to));
    } else {
      result = is_signed ? static_cast<uint64_t>(value) : low;
    }
  }
  std::memcpy(out, &result, ElementSize(to));
}

/// The attributes for floats of 8 bits.
struct Rounding {
  bool saturates = true;
  const char* mode = "up";
};

/// To a narrow type, from an element that is not narrow.
inline uint8_t ToNarrow(lw_type from, lw_type to, const void* in,
                        const Rounding& rounding) {
  if (kNarrowIntegers.count(to) != 0 && kF4.count(from) == 0) {
    const int mask = to == LW_INT4 || to == LW_UINT4 ? 15 : 3;
    const int64_t number =
        from == LW_BOOL ? ReadInteger(from, in) != 0 : ReadInteger(from, in);
    return static_cast<uint8_t>(number & mask);
  }
  long double number =
      from == LW_BOOL ? static_cast<long double>(ReadInteger(from, in) != 0)
                      : ReadNumber(from, in);
  if (std::isnan(number)) {
    const bool negative = (FloatBits(from, in) & FieldsOf(from).sign()) != 0;
    number = std::copysign(number, negative ? -1.0L : 1.0L);
  }
  if (kNarrowIntegers.count(to) != 0) return SaturateNarrow(to, number);
  if (to == LW_FLOAT8E8M0) {
    return WriteScale(number, rounding.saturates, rounding.mode);
  }
  return WriteNarrowFloat(to, number, rounding.saturates);
}

/// The answer of Cast. A narrow element is one byte.
inline void Convert(lw_type from, lw_type to, const void* in, void* out,
                    const Rounding& rounding = {}) {
  uint8_t narrow = 0;
  float wide = 0;
  int8_t whole = 0;
  if (kNarrow.count(from) != 0) {
    std::memcpy(&narrow, in, 1);
    if (from == to) {
      std::memcpy(out, in, 1);
      return;
    }
    const long double number = ReadNarrow(from, narrow);
    wide = static_cast<float>(number);
    if (std::isnan(number)) {
      wide = std::copysign(std::numeric_limits<float>::quiet_NaN(),
                           IsNegativeNarrow(from, narrow) ? -1.0F : 1.0F);
    }
    const bool is_whole = kNarrowIntegers.count(from) != 0;
    if (is_whole) whole = static_cast<int8_t>(number);
    in = is_whole ? static_cast<const void*>(&whole) : &wide;
    from = is_whole ? LW_INT8 : LW_FLOAT32;
  }
  if (kNarrow.count(to) != 0) {
    const uint8_t result = ToNarrow(from, to, in, rounding);
    std::memcpy(out, &result, 1);
  } else {
    ConvertWide(from, to, &in, out);
  }
}
template <lw_type kTo>
void ConvertTo(lw_type from, const void* const* in, void* out) {
  Convert(from, kTo, in[0], out);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_KERNELS_CONVERSION_CAST_ORACLE_H_
