// SPDX-License-Identifier: Apache-2.0
//
// What the digests know of types: the format of an element, sample elements,
// and how an element is added to a digest.

#ifndef LANEWISE_TESTS_DIGEST_ELEMENTS_H_
#define LANEWISE_TESTS_DIGEST_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lanewise/lanewise.h"

namespace lanewise::digest {

// ---- Types ------------------------------------------------------------------

// The number of bits of an integer, or of a float with its exponent.
struct Format {
  int bits;  ///< of an element; packed types: 8, of which elements are parts
  int parts = 1;     ///< complex numbers: 2
  int mantissa = 0;  ///< floats: explicit bits
  uint64_t one = 1;  ///< the number 1
};

inline Format FormatOf(int32_t type) {
  switch (type) {
    case LW_FLOAT32:
      return {32, 1, 23, 0x3F800000};
    case LW_FLOAT64:
      return {64, 1, 52, 0x3FF0000000000000};
    case LW_FLOAT16:
      return {16, 1, 10, 0x3C00};
    case LW_BFLOAT16:
      return {16, 1, 7, 0x3F80};
    case LW_COMPLEX64:
      return {32, 2};
    case LW_COMPLEX128:
      return {64, 2};
    case LW_INT16:
    case LW_UINT16:
      return {16};
    case LW_INT32:
    case LW_UINT32:
      return {32};
    case LW_INT64:
    case LW_UINT64:
      return {64};
    default:
      return {8};
  }
}
inline size_t BytesOf(const Format& format) {
  return static_cast<size_t>(format.bits * format.parts / 8);
}
// How many elements share a byte.
inline int64_t Packed(int32_t type) {
  switch (type) {
    case LW_UINT4:
    case LW_INT4:
    case LW_FLOAT4E2M1:
      return 2;
    case LW_UINT2:
    case LW_INT2:
      return 4;
    default:
      return 1;
  }
}

inline void Store(uint64_t value, int bits, void* to) {
  const auto store = [&](auto narrow) {
    std::memcpy(to, &narrow, sizeof(narrow));
  };
  if (bits == 8) return store(static_cast<uint8_t>(value));
  if (bits == 16) return store(static_cast<uint16_t>(value));
  if (bits == 32) return store(static_cast<uint32_t>(value));
  store(value);
}

template <typename T>
uint64_t Load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// ---- Samples ----------------------------------------------------------------

inline uint64_t Random(uint64_t index) {  // splitmix64
  uint64_t x = (index + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

// A float between 2^-8 and 2^10 or a small integer.
inline uint64_t Moderate(const Format& format, uint64_t bits) {
  if (format.mantissa == 0) return (bits % 256 - 128);
  const uint64_t sign = (bits >> 63) << (format.bits - 1);
  return sign | (format.one + (((bits >> 32) % 18) << format.mantissa) -
                 (uint64_t{8} << format.mantissa) +
                 (bits & ((uint64_t{1} << format.mantissa) - 1)));
}

// One of: an edge of the type, any bits, what is moderate.
inline uint64_t Sample(const Format& format, uint64_t index) {
  const uint64_t random = Random(index);
  const uint64_t bits = Random(~index);
  const uint64_t sign = (bits >> 63) << (format.bits - 1);
  switch (random % 4) {
    case 0: {
      const uint64_t edge = format.mantissa == 0
                                ? uint64_t{1} << (bits % 64)
                                : (bits % 2048) << format.mantissa;
      return sign ^ (edge + (bits >> 32) % 3 - 1);
    }
    case 1:
    case 2:
      return Moderate(format, bits);
    default:
      return bits;
  }
}

// ---- Digests ----------------------------------------------------------------

constexpr uint64_t kEmpty = 0xCBF29CE484222325;

// Adds the elements to a digest: FNV-1a with elements in place of bytes.
template <typename T>
uint64_t Mix(uint64_t digest, const uint8_t* data, size_t n, int mantissa) {
  const uint64_t sign = uint64_t{1} << (8 * sizeof(T) - 1);
  const uint64_t infinity = sign - (uint64_t{1} << mantissa);
  for (size_t i = 0; i < n; ++i) {
    uint64_t value = Load<T>(data + i * sizeof(T));
    if (mantissa != 0 && (value & ~sign) > infinity) value = infinity + 1;
    digest = (digest ^ value) * 0x100000001B3;
    digest ^= digest >> 32;
  }
  return digest;
}
inline uint64_t Mix(uint64_t digest, const uint8_t* data, size_t n,
                    const Format& format) {
  n *= static_cast<size_t>(format.parts);
  switch (format.bits) {
    case 8:
      return Mix<uint8_t>(digest, data, n, format.mantissa);
    case 16:
      return Mix<uint16_t>(digest, data, n, format.mantissa);
    case 32:
      return Mix<uint32_t>(digest, data, n, format.mantissa);
    default:
      return Mix<uint64_t>(digest, data, n, format.mantissa);
  }
}

}  // namespace lanewise::digest

#endif  // LANEWISE_TESTS_DIGEST_ELEMENTS_H_
