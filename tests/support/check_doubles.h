// SPDX-License-Identifier: Apache-2.0
//
// Oracles for float64: numbers of twice the bits, and random inputs.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_DOUBLES_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_DOUBLES_H_

#include <cstdint>
#include <random>

#include "tests/support/array.h"
#include "tests/support/samples.h"

namespace lanewise::test {

/// At least 113 bits, on Windows, too.
#if defined(__x86_64__)
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

/// Numbers of either sign: half of them of any exponent, the others between
/// 2^-40 and 2^60.
inline Array RandomDoubles(size_t count, uint64_t seed) {
  Array array = RandomBits(LW_FLOAT64, count, seed);
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < count; ++i) {
    uint64_t& bits = array.as<uint64_t>()[i];
    const uint64_t exponent = i % 2 == 0 ? 983 + random() % 100  // 1023: 2^0
                                         : random() % 2047;
    bits = (bits & ~(uint64_t{0x7FF} << 52)) | exponent << 52;
  }
  return array;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_DOUBLES_H_
