// SPDX-License-Identifier: Apache-2.0
//
// A call whose shapes are settled, turned into loops and a kernel. A plan holds
// no pointer to data: a prepared call runs one plan many times.

#ifndef LANEWISE_RUNTIME_PLAN_H_
#define LANEWISE_RUNTIME_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "kernels/tiles.h"
#include "runtime/call.h"
#include "runtime/loop_nest.h"
#include "runtime/node.h"

namespace lanewise {

struct Plan {
  LoopNest nest;  ///< its last operand is the output
  /// Used when an operator only moves elements, between two strided tensors.
  /// The input then has its own nest, with the same elements in the same order.
  LoopNest input_nest;
  bool has_input_nest;

  KernelFn kernel;
  /// Inputs that the kernel takes as one element per row.
  int pattern;
  bool strided;  ///< some inputs of a row are every second element
  /// Operands go through tiles, because no kernel takes the nest's rows.
  bool tiled;
  /// Elements that only the host can move: no tiles, no threads, no streaming.
  bool host_strings;
  size_t element_bytes[LoopNest::kMaxOperands];
  /// Kernel elements per nest element: 1, except for packed types, whose nest
  /// counts bytes.
  size_t packed;

  size_t bytes_per_element;  ///< read plus written
  int32_t type;              ///< for the trace

  int output() const { return nest.operands - 1; }
  const LoopNest& NestOf(int operand) const {
    return operand == 0 && has_input_nest ? input_nest : nest;
  }
};

/// Plans a call that has elements.
void MakePlan(const Node& node, const Call& call, Plan* plan);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_H_
