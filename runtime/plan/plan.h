// SPDX-License-Identifier: Apache-2.0
//
// A call whose shapes are settled, turned into loops and a kernel. A plan holds
// no pointer to data: a prepared call runs one plan many times. What computes
// the rows is a kernel of an operator, or a chain of operators (chain_plan.h).

#ifndef LANEWISE_RUNTIME_PLAN_PLAN_H_
#define LANEWISE_RUNTIME_PLAN_PLAN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "kernels/tiles.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/status.h"
#include "runtime/engine/tuning.h"
#include "runtime/plan/loop_nest.h"

namespace lanewise {

struct Plan {
  const Engine* engine;
  Label label;
  const Setup* setup;          ///< what all jobs share
  const Alignment* alignment;  ///< the call's; nullptr but for kAligned
  Tuning::PerCostClass tuning;

  LoopNest nest;  ///< its operands are the inputs, then the outputs
  int outputs;    ///< how many of the operands are outputs
  /// Used when an operator only moves elements, between two strided tensors.
  /// The input then has its own nest, with the same elements in the same order.
  LoopNest input_nest;
  bool has_input_nest;
  bool moves_only;

  KernelFn kernel;
  /// Inputs that the kernel takes as one element per row.
  int pattern;
  int base_pattern;  ///< inputs that are one element in every call
  bool strided;      ///< some inputs of a row are every second element
  /// Operands go through tiles, because no kernel takes the nest's rows.
  bool tiled;
  /// Elements that only the host can move: no tiles, no threads, no streaming.
  bool host_strings;
  bool keeps_order;  ///< elements are visited in row-major order
  size_t element_bytes[kMaxOperands];  ///< of a packed type: 1
  /// Not 0 where the type of an operand is packed, unless elements are only
  /// moved: its bits. Such an operand lies in row-major order, and so do the
  /// tiles of the others.
  uint8_t packed_bits[kMaxOperands];
  bool has_packed;
  /// Kernel elements per nest element: 1, except for packed elements that are
  /// only moved, whose nest counts bytes.
  size_t packed;

  size_t bytes_per_element;  ///< read plus written
  int32_t type;              ///< for the trace

  int operands() const { return nest.operands; }
  int output() const { return nest.operands - outputs; }  ///< the first one
  /// Where element `index` of an operand without gaps lies, from its first one.
  int64_t BytesTo(int operand, int64_t index) const {
    const auto bytes = static_cast<int64_t>(element_bytes[operand]);
    const int64_t bits = packed_bits[operand];
    return bits == 0 ? index * bytes : index * bits / 8;
  }
  /// Whether packed types alone are why the plan has tiles: none is needed.
  bool IsFlatAndPacked() const {
    return has_packed && std::all_of(nest.flat, nest.flat + nest.operands,
                                     [](bool is_flat) { return is_flat; });
  }
  bool IsScalar(int operand) const { return (pattern >> operand & 1) != 0; }
  const LoopNest& NestOf(int operand) const {
    return operand == 0 && has_input_nest ? input_nest : nest;
  }
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_PLAN_H_
