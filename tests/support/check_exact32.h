// SPDX-License-Identifier: Apache-2.0
//
// float32 results of exact engines, of operators with one input: each is the
// correctly rounded one. A function of doubles decides where its error leaves
// no doubt, and 400 bits decide the rest.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_EXACT32_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_EXACT32_H_

#include <cstdint>
#include <vector>

#include "kernels/hard_floats.h"
#include "tests/support/check_ulps.h"
#include "tests/support/precise.h"

namespace lanewise::test {

/// A function twice: of doubles, off by less than 2^-40, and of 400 bits.
struct ExactFunction {
  double (*in_double)(double);
  Precise (*in_precise)(const Precise&);
};

/// Every stride-th of the 2^32 floats, an odd number.
void CheckExact32(const OpId& op, const ExactFunction& function,
                  uint32_t stride);

/// The hard floats, each alone and in all lanes of a vector; special values;
/// small multiples of 2^-24; runs of any length.
void CheckHardFloats(const OpId& op, const ExactFunction& function,
                     const HardFloat* hard, size_t count);

/// The tests of an operator's float32 kernel for exact engines.
#define LANEWISE_EXACT_TESTS(suite, op, in_double, in_precise, hard)   \
  TEST(suite, ExhaustiveExactFloat32) {                                \
    CheckExact32(op, {in_double, in_precise}, FloatStride());          \
  }                                                                    \
  TEST(suite, ExactFloat32Sample) {                                    \
    CheckExact32(op, {in_double, in_precise}, 1021);                   \
  }                                                                    \
  TEST(suite, ExactHardFloats) {                                       \
    CheckHardFloats(op, {in_double, in_precise}, (hard).floats.data(), \
                    (hard).floats.size());                             \
  }                                                                    \
  static_assert(true, "a semicolon follows")

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_EXACT32_H_
