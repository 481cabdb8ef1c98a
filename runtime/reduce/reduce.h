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

namespace lanewise {

struct ReduceCall {
  const Node& node;
  const Reduction& kernels;
  const lw_tensor& in;
  const lw_tensor& out;
  uint64_t reduced;  ///< dims of `in`, as bits
  const void* from;  ///< in place of in.data
  void* to;          ///< in place of out.data
};

/// Of an output that has elements. Allocates only for several threads.
lw_status RunReduction(const ReduceCall& call, const Threads& threads);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_REDUCE_REDUCE_H_
