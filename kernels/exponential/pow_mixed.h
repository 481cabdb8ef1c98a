// SPDX-License-Identifier: Apache-2.0
//
// Pow of inputs of two types: from any type to doubles or 64-bit integers, and
// back. Plain loops, because such calls are rare and the powers take longer.

#ifndef LANEWISE_KERNELS_EXPONENTIAL_POW_MIXED_H_
#define LANEWISE_KERNELS_EXPONENTIAL_POW_MIXED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "hwy/base.h"
#include "lanewise/lanewise.h"

namespace lanewise {
namespace pow_mixed {

/// Calls fn(elements) with a pointer to the numbers of a type; to their bits
/// for 16-bit floats.
template <class Fn>
static void WithType(lw_type type, const void* in, const Fn& fn) {
  switch (type) {
    case LW_FLOAT32:
      return fn(static_cast<const float*>(in));
    case LW_FLOAT64:
      return fn(static_cast<const double*>(in));
    case LW_INT8:
      return fn(static_cast<const int8_t*>(in));
    case LW_INT16:
      return fn(static_cast<const int16_t*>(in));
    case LW_INT32:
      return fn(static_cast<const int32_t*>(in));
    case LW_INT64:
      return fn(static_cast<const int64_t*>(in));
    case LW_UINT8:
      return fn(static_cast<const uint8_t*>(in));
    case LW_UINT32:
      return fn(static_cast<const uint32_t*>(in));
    case LW_UINT64:
      return fn(static_cast<const uint64_t*>(in));
    default:
      return fn(static_cast<const uint16_t*>(in));
  }
}

inline double NumberOf16Bits(lw_type type, uint16_t bits) {
  if (type == LW_FLOAT16) {
    return hwy::F32FromF16(hwy::float16_t::FromBits(bits));
  }
  return hwy::BitCastScalar<float>(static_cast<uint32_t>(bits) << 16);
}

/// x as the sum of two doubles, the first of which is x rounded.
template <typename T>
double InTwoWords(T x, double* lo) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const T low = x & T{0xFFFFFFFF};
    const auto upper = static_cast<double>(x - low);
    const double hi = upper + static_cast<double>(low);
    *lo = static_cast<double>(low) - (hi - upper);
    return hi;
  } else {
    *lo = 0;
    return static_cast<double>(x);
  }
}

template <typename T>
static T Saturate(double x) {
  constexpr double kEnd = 0x1p31 * (sizeof(T) == 8 ? 0x1p32 : 1);
  if (x >= kEnd) return std::numeric_limits<T>::max();
  if (x < -kEnd) return std::numeric_limits<T>::min();
  return x == x ? static_cast<T>(x) : T{0};
}

}  // namespace pow_mixed

static inline size_t PowElementBytes(lw_type type) {
  size_t bytes = 0;
  pow_mixed::WithType(type, nullptr, [&](auto* p) { bytes = sizeof(*p); });
  return bytes;
}

/// hi + lo = the n elements of `in`.
static inline void PowToDoubles(lw_type type, const void* in, size_t n,
                                double* hi, double* lo) {
  if (type == LW_FLOAT16 || type == LW_BFLOAT16) {
    const auto* bits = static_cast<const uint16_t*>(in);
    for (size_t i = 0; i < n; ++i) {
      hi[i] = pow_mixed::NumberOf16Bits(type, bits[i]);
      lo[i] = 0;
    }
    return;
  }
  pow_mixed::WithType(type, in, [&](auto* p) {
    for (size_t i = 0; i < n; ++i) hi[i] = pow_mixed::InTwoWords(p[i], &lo[i]);
  });
}

/// Integers, truncated and saturated, and float32 and float64.
static inline void PowFromDoubles(lw_type type, const double* from, size_t n,
                                  void* out) {
  pow_mixed::WithType(type, out, [&](auto* p) {
    using T = std::remove_const_t<std::remove_reference_t<decltype(*p)>>;
    auto* to = const_cast<T*>(p);
    for (size_t i = 0; i < n; ++i) {
      if constexpr (std::is_integral_v<T>) {
        to[i] = pow_mixed::Saturate<T>(from[i]);
      } else {
        to[i] = static_cast<T>(from[i]);
      }
    }
  });
}

/// Integers as exponents. From 2^62 on, even numbers have the power 0 in 64
/// bits, and those of odd numbers repeat after 2^62: such a number of uint64
/// has another that does the same.
static inline void PowToIntegers(lw_type type, const void* in, size_t n,
                                 int64_t* out) {
  pow_mixed::WithType(type, in, [&](auto* p) {
    for (size_t i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<decltype(p), const uint64_t*>) {
        constexpr uint64_t kPeriod = uint64_t{1} << 62;
        out[i] = static_cast<int64_t>(std::min(p[i], p[i] % kPeriod + kPeriod));
      } else {
        out[i] = static_cast<int64_t>(p[i]);
      }
    }
  });
}

/// Whether both types are integers, x is 0, and y is below 0.
inline bool PowDividesByZero(const int32_t* types, const void* x,
                             const void* y) {
  const auto is_float = [](int32_t type) {
    return type == LW_FLOAT16 || type == LW_BFLOAT16 || type == LW_FLOAT32 ||
           type == LW_FLOAT64;
  };
  if (is_float(types[0]) || is_float(types[1])) return false;
  int64_t numbers[2];
  PowToIntegers(static_cast<lw_type>(types[0]), x, 1, &numbers[0]);
  PowToIntegers(static_cast<lw_type>(types[1]), y, 1, &numbers[1]);
  return numbers[0] == 0 && numbers[1] < 0;
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_EXPONENTIAL_POW_MIXED_H_
