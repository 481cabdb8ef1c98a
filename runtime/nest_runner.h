// SPDX-License-Identifier: Apache-2.0
//
// Runs a kernel over a loop nest: cuts the nest into chunks, a chunk into rows
// that a kernel takes, and gathers what no kernel takes into tiles first.

#ifndef LANEWISE_RUNTIME_NEST_RUNNER_H_
#define LANEWISE_RUNTIME_NEST_RUNNER_H_

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "runtime/engine.h"
#include "runtime/loop_nest.h"

namespace lanewise {

struct NestCall {
  const LoopNest* nest;
  /// Reshape between two strided tensors: the input's own nest, of the same
  /// elements in the same order; otherwise nullptr.
  const LoopNest* input_nest;
  /// By lw_run; only LW_SAME must be there.
  const KernelFn* kernels;
  size_t element_bytes;
  void* data[LoopNest::kMaxOperands];
  Work work;
  bool copies;    ///< the kernel changes nothing: gathering is all there is
  bool in_place;  ///< the output is one of the inputs
};

struct NestResult {
  size_t tasks;  ///< how many the call was cut into
  /// Integer Div's zero divisors, by row-major output index if the nest was
  /// built to keep that order.
  uint64_t zero_divisors;
  uint64_t first_zero_divisor;
};

NestResult RunNest(const Engine& engine, const NestCall& call);

/// Whether rows are so short that they must be gathered into tiles.
inline bool AreShort(size_t rows, size_t n) {
  return rows > 1 && n < static_cast<size_t>(kShortRow);
}

/// Runs a job of short rows of at least two elements: its inputs are rows as
/// the output's, one row for all, or one element for each.
NestResult RunShortRows(const Engine& engine, const Job& job,
                        size_t element_bytes, Work work, KernelFn same);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_NEST_RUNNER_H_
