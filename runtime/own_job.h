// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_OWN_JOB_H_
#define LANEWISE_RUNTIME_OWN_JOB_H_

#include <algorithm>

#include "kernels/kernel.h"

namespace lanewise {

/// A job with memory for its inputs, its zero divisors and a setup of its own.
struct OwnJob : Job {
  const void* inputs[kMaxOperands];
  Zeros found;
  Setup own;  ///< nothing is in it unless `setup` points to it

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

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_OWN_JOB_H_
