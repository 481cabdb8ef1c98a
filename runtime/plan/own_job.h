// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_PLAN_OWN_JOB_H_
#define LANEWISE_RUNTIME_PLAN_OWN_JOB_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "kernels/kernel.h"

namespace lanewise {

/// A job with memory for its inputs, its zero divisors, a setup of its own, and
/// what that setup points to.
struct OwnJob : Job {
  const void* inputs[kMaxOperands];
  Zeros found;
  Setup own;            ///< nothing is in it unless `setup` points to it
  Alignment alignment;  ///< nothing is in it unless `own` points to it

  explicit OwnJob(const Setup* shared)
      : Job{shared, inputs, nullptr, 0, &found} {}
  OwnJob(const OwnJob&) = delete;
  OwnJob& operator=(const OwnJob&) = delete;

  /// Makes a copy of the setup for `count` inputs, which may then be changed.
  /// No input has a step; strides are the caller's to set. `more`: operands
  /// behind the inputs.
  Setup& OwnSetup(size_t count, size_t more = 0) {
    static_cast<SharedSetup&>(own) = *setup;
    own.inputs = count;
    std::fill_n(own.in_step, count + more, 0);
    setup = &own;
    return own;
  }
};

/// The zero divisors of a job, by their row-major position in the job.
inline lw_zero_divisors ZerosOf(const Job& job) {
  const Zeros& zeros = *job.zeros;
  return {zeros.first_row * job.n + zeros.first_column, zeros.count};
}

/// Zero divisors that the tasks of a run find.
class SharedZeros {
 public:
  void Note(uint64_t first, uint64_t count) {
    count_.fetch_add(count, std::memory_order_relaxed);
    uint64_t known = first_.load(std::memory_order_relaxed);
    while (first < known && !first_.compare_exchange_weak(
                                known, first, std::memory_order_relaxed)) {
    }
  }
  lw_zero_divisors Get() const {
    const uint64_t count = count_.load(std::memory_order_relaxed);
    if (count == 0) return {};
    return {first_.load(std::memory_order_relaxed), count};
  }

 private:
  std::atomic<uint64_t> count_{0};
  std::atomic<uint64_t> first_{UINT64_MAX};
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_OWN_JOB_H_
