// SPDX-License-Identifier: Apache-2.0

#include "tests/support/samples.h"

namespace lanewise::test {

int MantissaBits(lw_type type) {
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

Array FromPatterns(lw_type type, const std::vector<uint64_t>& patterns) {
  Array array(type, patterns.size());
  for (size_t i = 0; i < patterns.size(); ++i) {
    WriteBits(patterns[i], array.at(i), array.element_size());
  }
  return array;
}

Array FloatLattice(lw_type type) {
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

Array IntegerLattice(lw_type type) {
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

Array AllValues(lw_type type) {
  std::vector<uint64_t> patterns(size_t{1} << (8 * ElementSize(type)));
  for (size_t i = 0; i < patterns.size(); ++i) patterns[i] = i;
  return FromPatterns(type, patterns);
}

Array RandomBits(lw_type type, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Array array(type, count);
  for (size_t i = 0; i < array.bytes(); ++i) {
    array.data()[i] = static_cast<uint8_t>(random() >> 56);
  }
  return array;
}

Array RandomDivisors(lw_type type, size_t count, uint64_t seed) {
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
