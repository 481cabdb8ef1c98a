// SPDX-License-Identifier: Apache-2.0
//
// Measures errors in ULP on every instruction set, block by block, using every
// core. The oracle runs once per block. If two instruction sets return the same
// results, these are judged once.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_ERRORS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_ERRORS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "tests/support/check_values.h"
#include "tests/support/float_env.h"
#include "tests/support/isas.h"
#include "tests/support/subject.h"
#include "tests/support/worst_errors.h"

namespace lanewise::test {

/// The verdict on one block of results, or on all of them.
struct Judgement {
  WorstError worst;
  /// The number of places where the next larger input has a smaller result, and
  /// one such input.
  uint64_t reversals = 0;
  double reversed_input = 0;
  /// The latest fault that no error bound permits, and its input.
  const char* fault = nullptr;
  double fault_input = 0;

  void Add(const Judgement& other) {
    worst.Add(other.worst);
    reversals += other.reversals;
    if (other.reversals != 0) reversed_input = other.reversed_input;
    if (other.fault == nullptr) return;
    fault = other.fault;
    fault_input = other.fault_input;
  }
};

/// Runs the operator over `blocks` blocks in a rounding mode. A `Block` has
///
///   using T = float;
///   static constexpr lw_type kType = LW_FLOAT32;
///   static constexpr size_t kSize = 4096;     // maximum number of elements
///   size_t Fill(uint64_t index, T* x);        // makes the inputs of a block
///   void Prepare(const T* x, size_t n);       // runs the oracle, to nearest
///   Judgement Judge(const T* y, size_t n);    // compares with the oracle
///
/// Each thread uses its own copy of the block. Returns one judgement for each
/// of the instruction sets.
template <class Block>
std::vector<Judgement> JudgeEveryIsa(const OpId& op, uint64_t blocks,
                                     const Block& prototype,
                                     const RoundingMode& rounding,
                                     const Isas& isas = AllIsas()) {
  using T = typename Block::T;
  constexpr size_t kSize = Block::kSize;
  std::vector<Subject> subjects;
  for (const Isa& isa : isas) {
    subjects.push_back(KernelApi(isa.engine, op, Block::kType));
  }
  std::vector<Judgement> total(subjects.size());
  std::atomic<bool> failed{false};
  std::mutex mutex;
  OnEveryCore(blocks, [&](const auto& next) {
    Block block = prototype;
    std::vector<T> x(kSize);
    std::vector<T> results(kSize * subjects.size());
    std::vector<Judgement> judged(subjects.size());
    std::vector<Judgement> mine(subjects.size());
    for (uint64_t index = 0; next(&index) && !failed;) {
      const size_t n = block.Fill(index, x.data());
      block.Prepare(x.data(), n);
      {
        const FloatEnvScope scope;
        std::fesetround(rounding.mode);
        for (size_t i = 0; i < subjects.size(); ++i) {
          T* y = &results[i * kSize];
          if (subjects[i].compute(x.data(), nullptr, y, n) != LW_OK) {
            failed = true;
          }
        }
      }
      for (size_t i = 0; i < subjects.size(); ++i) {
        const T* y = &results[i * kSize];
        size_t twin = 0;
        while (std::memcmp(&results[twin * kSize], y, n * sizeof(T)) != 0) {
          ++twin;
        }
        judged[i] = twin == i ? block.Judge(y, n) : judged[twin];
        mine[i].Add(judged[i]);
      }
    }
    const std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < mine.size(); ++i) total[i].Add(mine[i]);
  });
  EXPECT_FALSE(failed) << "a call did not return LW_OK";
  return total;
}

/// Like JudgeEveryIsa, but fails on any fault, any error above `bound` ULP and
/// any reversal. Records the worst errors.
template <class Block>
void CheckErrors(const OpId& op, uint64_t blocks, const Block& block,
                 double bound, const RoundingMode& rounding = kToNearest,
                 const Isas& isas = AllIsas()) {
  const std::vector<Judgement> judgements =
      JudgeEveryIsa(op, blocks, block, rounding, isas);
  for (size_t i = 0; i < judgements.size(); ++i) {
    const Judgement& it = judgements[i];
    std::string isa = isas[i].name;
    if (*isas[i].way != '\0') isa += std::string("+") + isas[i].way;
    worst_errors.Note(op.name, Block::kType, isa.c_str(), it.worst, rounding);
    EXPECT_LE(it.worst.ulps, bound)
        << isa << ", rounding " << rounding.name << ", at " << std::hexfloat
        << it.worst.input;
    EXPECT_EQ(it.fault, nullptr)
        << isa << ", rounding " << rounding.name << ": " << it.fault << " at "
        << std::hexfloat << it.fault_input;
    EXPECT_EQ(it.reversals, 0u) << isa << ": not monotone, for example at "
                                << std::hexfloat << it.reversed_input;
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_ERRORS_H_
