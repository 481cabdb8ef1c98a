// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_PLAN_RUN_H_
#define LANEWISE_RUNTIME_PLAN_RUN_H_

#include <cstddef>
#include <cstdint>

#include "kernels/fp_env.h"
#include "kernels/kernel.h"
#include "runtime/plan/own_job.h"
#include "runtime/plan/plan.h"

namespace lanewise {

/// Shorter rows are streamed only if each row starts and ends on a cache line.
/// A line that is stored past the caches in part takes 20 times as long.
inline constexpr size_t kStreamRowBytes = 16384;

/// One run of a plan, as its tasks see it.
struct Run {
  const Plan& plan;
  const Setup& shared;       // what all jobs share
  char* data[kMaxOperands];  // where the nest starts
  bool stream;
  size_t chunk;
  FpEnv::Word fp_env;  // the caller's
  SharedZeros zeros;

  int64_t size(int operand) const {
    return static_cast<int64_t>(plan.element_bytes[operand]);
  }
};

inline void NoteZeros(Run& run, const Job& job, uint64_t first_element) {
  if (job.zeros->count == 0) return;
  const lw_zero_divisors zeros = ZerosOf(job);
  run.zeros.Note(first_element + zeros.first, zeros.count);
}

/// Whether rows of `bytes` that are `step` apart may go past the caches.
inline bool MayStream(const void* out, size_t bytes, ptrdiff_t step) {
  const auto place = reinterpret_cast<uintptr_t>(out);
  return bytes >= kStreamRowBytes ||
         ((place | bytes | static_cast<size_t>(step)) & 63) == 0;
}

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_RUN_H_
