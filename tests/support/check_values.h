// SPDX-License-Identifier: Apache-2.0
//
// Compares results with a scalar oracle, which runs once for all instruction
// sets.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_VALUES_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_VALUES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <thread>
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
inline bool ExactOrNan(uint64_t expected, uint64_t actual, lw_type type) {
  if (expected == actual) return true;
  const int m = MantissaBits(type);
  switch (ElementSize(type)) {
    case 2:
      return IsNan(static_cast<uint16_t>(expected), m) &&
             IsNan(static_cast<uint16_t>(actual), m);
    case 4:
      return IsNan(static_cast<uint32_t>(expected), m) &&
             IsNan(static_cast<uint32_t>(actual), m);
    default:
      return IsNan(expected, m) && IsNan(actual, m);
  }
}

/// The index of the first unacceptable element, or the array's size.
inline size_t FirstRejected(const Array& expected, const Array& actual,
                            Accept accept) {
  const size_t n = expected.size();
  const size_t size = expected.element_size();
  size_t i = FirstDifference(expected.data(), actual.data(), n, size);
  for (; i < n; ++i) {
    const uint64_t wanted = ReadBits(expected.at(i), size);
    const uint64_t got = ReadBits(actual.at(i), size);
    if (wanted != got && !accept(wanted, got, expected.type())) {
      return i;
    }
  }
  return n;
}

/// Runs `in` through `subject` into `actual`. If a result is not acceptable,
/// reports a failure and returns false.
inline bool CheckBlock(const Subject& subject, const char* isa, const Array& in,
                       const Array& expected, Array& actual, Accept accept) {
  const size_t n = in.size();
  const lw_status status =
      subject.compute(in.data(), nullptr, actual.data(), n);
  if (status != LW_OK) {
    ADD_FAILURE() << isa << ": " << lw_last_error();
    return false;
  }
  const size_t i = FirstRejected(expected, actual, accept);
  if (i == n) return true;
  const size_t size = in.element_size();
  ADD_FAILURE() << lw_type_name(in.type()) << " on " << isa << ": "
                << BitsText(in.at(i), size) << " gives "
                << BitsText(actual.at(i), size) << ", not "
                << BitsText(expected.at(i), size);
  return false;
}

/// Compares an operator of one input with the oracle on every instruction set.
inline void CheckValues(const OpId& op, const Array& in, Oracle oracle,
                        Accept accept = ExactBits,
                        const Isas& isas = AllIsas()) {
  Array expected(in.type(), in.size());
  oracle(in.data(), expected.data(), in.size());
  for (const Isa& isa : isas) {
    Array actual(in.type(), in.size());
    CheckBlock(KernelApi(isa.engine, op, in.type()), isa.name, in, expected,
               actual, accept);
  }
}

/// LANEWISE_TEST_SHARE=n: of many blocks, tests take every n-th, and they make
/// an n-th of the random calls that are not in exhaustive tests, as in CI.
inline uint64_t TestShare() {
  const char* text = std::getenv("LANEWISE_TEST_SHARE");
  const int value = text == nullptr ? 1 : std::atoi(text);
  return static_cast<uint64_t>(std::max(value, 1));
}

/// Runs body(next) on every core. `next(&i)` hands out each i < count once,
/// then returns false.
template <class Body>
void OnEveryCore(uint64_t count, const Body& body) {
  constexpr uint64_t kMany = 1 << 14;
  const uint64_t step = count < kMany ? 1 : TestShare();
  std::atomic<uint64_t> taken{0};
  const auto next = [&](uint64_t* i) {
    const uint64_t k = taken.fetch_add(1, std::memory_order_relaxed);
    // Another place in each stretch, as some faults repeat with a power of 2.
    *i = k * step + k % step;
    return *i < count;
  };
  std::vector<std::thread> threads;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < cores; ++i) {
    threads.emplace_back([&] { body(next); });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Tests all 2^32 inputs of a 4-byte type on every instruction set.
inline void CheckAll32Bits(const OpId& op, lw_type type, Oracle oracle,
                           Accept accept = ExactBits,
                           const Isas& all = AllIsas()) {
  const Isas isas = BestAndLowest(all);
  constexpr uint64_t kBlock = 1 << 13;  // three such buffers fit into L2
  std::vector<Subject> subjects;
  for (const Isa& isa : isas) {
    subjects.push_back(KernelApi(isa.engine, op, type));
  }
  std::atomic<bool> failed{false};
  OnEveryCore((uint64_t{1} << 32) / kBlock, [&](const auto& next) {
    Array in(type, kBlock);
    Array expected(type, kBlock);
    Array actual(type, kBlock);
    for (uint64_t block = 0; !failed && next(&block);) {
      uint32_t* bits = in.as<uint32_t>();
      std::iota(bits, bits + kBlock, static_cast<uint32_t>(block * kBlock));
      oracle(in.data(), expected.data(), kBlock);
      for (size_t i = 0; i < subjects.size(); ++i) {
        if (!CheckBlock(subjects[i], isas[i].name, in, expected, actual,
                        accept)) {
          failed = true;
        }
      }
    }
  });
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_VALUES_H_
