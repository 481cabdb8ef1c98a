// SPDX-License-Identifier: Apache-2.0
//
// The facts of one call: its operands, their types and layouts, and the shape
// of the output. All checks of a tensor call are here; they come before
// anything is written.

#ifndef LANEWISE_RUNTIME_CALL_CALL_H_
#define LANEWISE_RUNTIME_CALL_CALL_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"
#include "runtime/node/node.h"
#include "runtime/plan/shape.h"
#include "runtime/plan/tensor.h"

namespace lanewise {

struct Call {
  int32_t type;          ///< that the call binds to T
  size_t input_count;    ///< all that the form has, present or not
  size_t kernel_inputs;  ///< how many of them the kernel gets
  Operand inputs[kMaxInputs];
  Operand output;
  lw_shape shape;  ///< what the output must be
  /// For each input: the output's dim that its first dim aligns with.
  int32_t offsets[kMaxInputs];
  Alignment alignment;  ///< for ShapeRule::kAligned only
  uint64_t reduced;  ///< for ShapeRule::kReduced only: dims of input 0, as bits
  const BoundTypes* bound;  ///< what follows from `type`
  /// One for each input of the kernel; that of the output is the last.
  Extent extents[kMaxInputs + 1];
  Extent& out_extent() { return extents[BoundTypes::kOutput]; }
  const Extent& out_extent() const { return extents[BoundTypes::kOutput]; }
  const ElementLayout& out_layout() const {
    return bound->layouts[BoundTypes::kOutput];
  }
};

/// Counts and ranks of the inputs, and how many elements they have.
lw_status TakeInputs(const Node& node, const lw_tensor* inputs, size_t count,
                     Call* call);
/// The same, the types, and the output's type.
lw_status ResolveTypes(const Node& node, const lw_tensor* inputs, size_t count,
                       Call* call);
/// The same, and the output's shape. Looks at no data but that of a shape
/// input.
lw_status ResolveInputs(const Node& node, const lw_tensor* inputs, size_t count,
                        Call* call);

/// Checks that the output is what ResolveInputs found.
lw_status CheckOutput(const Node& node, const lw_tensor* outputs, size_t count,
                      Call* call);

/// Checks that the strides of all operands make sense, and their bytes suffice.
/// The output must have elements.
lw_status CheckLayouts(const Node& node, Call* call);

/// Checks that the operands may lie at `data` (one pointer for each input of
/// the kernel, then the output's): there, aligned, and the output over an input
/// only if it is exactly this input.
lw_status CheckPlaces(const Node& node, const Call& call,
                      const void* const* data);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CALL_CALL_H_
