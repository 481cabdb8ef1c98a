// SPDX-License-Identifier: Apache-2.0
//
// Test inputs: lattices that contain the edge cases of a type, and random bits.

#ifndef LANEWISE_TESTS_SUPPORT_SAMPLES_H_
#define LANEWISE_TESTS_SUPPORT_SAMPLES_H_

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/element_bits.h"

namespace lanewise::test {

inline bool IsFloat(lw_type type) {
  return type == LW_FLOAT16 || type == LW_BFLOAT16 || type == LW_FLOAT32 ||
         type == LW_FLOAT64;
}

/// The number of mantissa bits of a float type.
inline int MantissaBits(lw_type type) {
  switch (type) {
    case LW_FLOAT16:
      return 10;
    case LW_BFLOAT16:
      return 7;
    case LW_FLOAT32:
      return 23;
    default:
      return 52;
  }
}

/// Packs the low bits of each pattern into elements of `type`.
inline Array FromPatterns(lw_type type, const std::vector<uint64_t>& patterns) {
  Array array(type, patterns.size());
  for (size_t i = 0; i < patterns.size(); ++i) {
    WriteBits(patterns[i], array.at(i), array.element_size());
  }
  return array;
}

/// Every exponent with both signs. The mantissas are both ends, the middle, the
/// ends with single bits changed, and some random ones. This includes zeros,
/// subnormals, infinities, and quiet and signalling NaNs with payloads.
inline Array FloatLattice(lw_type type) {
  const int m = MantissaBits(type);
  const int width = static_cast<int>(8 * ElementSize(type));
  const uint64_t top = (uint64_t{1} << m) - 1;
  std::vector<uint64_t> mantissas = {0,       1,           2,       3,
                                     top / 2, top / 2 + 1, top - 1, top};
  std::mt19937_64 random(1);
  for (int i = 0; i < 4; ++i) mantissas.push_back(random() & top);

  std::vector<uint64_t> patterns;
  for (uint64_t high = 0; high < uint64_t{1} << (width - m); ++high) {
    for (const uint64_t mantissa : mantissas) {
      patterns.push_back(high << m | mantissa);
    }
  }
  return FromPatterns(type, patterns);
}

/// Powers of two, their neighbours, and the negatives of both. This includes
/// both ends of the type and of every narrower type.
inline Array IntegerLattice(lw_type type) {
  std::vector<uint64_t> patterns;
  for (size_t bit = 0; bit < 8 * ElementSize(type); ++bit) {
    const uint64_t power = uint64_t{1} << bit;
    for (const uint64_t near : {power - 2, power - 1, power, power + 1}) {
      patterns.push_back(near);
      patterns.push_back(0 - near);
    }
  }
  return FromPatterns(type, patterns);
}

inline Array Lattice(lw_type type) {
  return IsFloat(type) ? FloatLattice(type) : IntegerLattice(type);
}

/// All 2^8 or 2^16 values of a narrow type.
inline Array AllValues(lw_type type) {
  std::vector<uint64_t> patterns(size_t{1} << (8 * ElementSize(type)));
  for (size_t i = 0; i < patterns.size(); ++i) patterns[i] = i;
  return FromPatterns(type, patterns);
}

/// Random bits. For float types this includes an occasional NaN.
inline Array RandomBits(lw_type type, size_t count, uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  Array array(type, count);
  for (size_t i = 0; i < array.bytes(); ++i) {
    array.data()[i] = static_cast<uint8_t>(random() >> 56);
  }
  return array;
}

/// Random bits, except an integer 0 or a float NaN, so that quotients have the
/// same bits on every machine.
inline Array RandomDivisors(lw_type type, size_t count, uint64_t seed = 2) {
  Array array = RandomBits(type, count, seed);
  const size_t size = array.element_size();
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = ReadBits(array.at(i), size);
    // With an exponent bit cleared, a float is not NaN. With the low bit set,
    // no element is zero.
    if (IsFloat(type)) bits &= ~(uint64_t{1} << MantissaBits(type));
    bits |= 1;
    WriteBits(bits, array.at(i), size);
  }
  return array;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SAMPLES_H_
