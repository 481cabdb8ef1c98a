// SPDX-License-Identifier: Apache-2.0
//
// Compares results with a scalar oracle, which runs once for all instruction
// sets.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_VALUES_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_VALUES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/bits.h"
#include "tests/support/element_bits.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// out[i] = op(in[i]) for i < n, in plain scalar code. Elements are values of
/// the type; for 16-bit floats they are the bits.
using Oracle = void (*)(const void* in, void* out, size_t n);

/// Whether a result is acceptable. `expected` is the oracle's result.
using Accept = bool (*)(uint64_t expected, uint64_t actual, lw_type type);

inline bool ExactBits(uint64_t expected, uint64_t actual, lw_type) {
  return expected == actual;
}

/// The same bits, or any NaN where a NaN is expected.
bool ExactOrNan(uint64_t expected, uint64_t actual, lw_type type);

/// The index of the first unacceptable element, or the array's size.
size_t FirstRejected(const Array& expected, const Array& actual, Accept accept);

/// Runs `in` through `subject` into `actual`. If a result is not acceptable,
/// reports a failure and returns false.
bool CheckBlock(const Subject& subject, const char* isa, const Array& in,
                const Array& expected, Array& actual, Accept accept);

/// Compares an operator of one input with the oracle on every instruction set.
void CheckValues(const OpId& op, const Array& in, Oracle oracle,
                 Accept accept = ExactBits, const Isas& isas = AllIsas());

/// LANEWISE_TEST_SHARE=n: of many blocks, tests take every n-th, and they make
/// an n-th of the random calls that are not in exhaustive tests, as in CI.
uint64_t TestShare();

/// Runs body(next) on every core. `next(&i)` hands out each i < count once,
/// then returns false.
using NextBlock = std::function<bool(uint64_t*)>;
void OnEveryCore(uint64_t count,
                 const std::function<void(const NextBlock&)>& body);

/// Tests all 2^32 inputs of a 4-byte type on every instruction set.
void CheckAll32Bits(const OpId& op, lw_type type, Oracle oracle,
                    Accept accept = ExactBits, const Isas& all = AllIsas());

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_VALUES_H_
