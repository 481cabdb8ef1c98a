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
int MantissaBits(lw_type type);

/// Packs the low bits of each pattern into elements of `type`.
Array FromPatterns(lw_type type, const std::vector<uint64_t>& patterns);

/// Every exponent with both signs. The mantissas are both ends, the middle, the
/// ends with single bits changed, and some random ones. This includes zeros,
/// subnormals, infinities, and quiet and signalling NaNs with payloads.
Array FloatLattice(lw_type type);

/// Powers of two, their neighbours, and the negatives of both. This includes
/// both ends of the type and of every narrower type.
Array IntegerLattice(lw_type type);

inline Array Lattice(lw_type type) {
  return IsFloat(type) ? FloatLattice(type) : IntegerLattice(type);
}

/// All 2^8 or 2^16 values of a narrow type.
Array AllValues(lw_type type);

/// Random bits. For float types this includes an occasional NaN.
Array RandomBits(lw_type type, size_t count, uint64_t seed = 1);

/// Random bits, except an integer 0 or a float NaN, so that quotients have the
/// same bits on every machine.
Array RandomDivisors(lw_type type, size_t count, uint64_t seed = 2);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_SAMPLES_H_
