// SPDX-License-Identifier: Apache-2.0
//
// Runs a reduction whose shapes are checked.

#ifndef LANEWISE_RUNTIME_REDUCE_REDUCE_H_
#define LANEWISE_RUNTIME_REDUCE_REDUCE_H_

#include <cstdint>

#include "kernels/reduction.h"
#include "lanewise/lanewise.h"
#include "runtime/engine/executor.h"
#include "runtime/node/node.h"
#include "runtime/reduce/feeds.h"
#include "runtime/reduce/sequences.h"

namespace lanewise {

/// A reduction of tensors that may lie anywhere.
struct ReducePlan {
  /// `reduced`: dims of `in`, as bits. The output has elements. The node must
  /// outlive the plan. `in` is `whole`, or a slice of it.
  ReducePlan(const Node& node, const lw_tensor& in, const lw_tensor& out,
             uint64_t reduced, const lw_tensor& whole);
  ReducePlan(const ReducePlan&) = delete;
  ReducePlan& operator=(const ReducePlan&) = delete;

  const Node& node;
  const Reduction& kernels;
  const int32_t type;
  const int64_t out_bytes;
  Sequences sequences;
  const Feeder feeder;
  bool whole_rows;   ///< Reduction::rows takes the sequences as they lie
  uint64_t pieces;   ///< of a sequence
  int64_t most = 1;  ///< outputs of a block
  int64_t blocks;    ///< of the innermost kept dim
  int64_t units;     ///< blocks of all outputs
};

/// Allocates only for several threads.
lw_status RunReduction(const ReducePlan& plan, const void* from, void* to,
                       const Threads& threads);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_REDUCE_REDUCE_H_
