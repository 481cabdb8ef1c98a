// SPDX-License-Identifier: Apache-2.0
//
// Rules about shapes only: counting elements, broadcasting, target shapes.

#ifndef LANEWISE_RUNTIME_PLAN_SHAPE_H_
#define LANEWISE_RUNTIME_PLAN_SHAPE_H_

#include <cstdint>
#include <span>

#include "lanewise/lanewise.h"
#include "runtime/engine/status.h"

namespace lanewise {

/// Dims that the caller owns.
struct Dims {
  const int64_t* dims;
  int32_t rank;
};

/// Counts elements. A shape with a 0 has none, whatever its other dims are.
/// Returns false if that many elements of 16 bytes exceed the address space.
bool CountElements(Dims shape, int64_t* count);

bool SameDims(Dims x, Dims y);

/// numpy's rule: dims are aligned at the right, and a dim of 1 stretches to
/// match the other shape. `out` is the broadcast shape of the inputs so far;
/// updates it for one more input.
lw_status Broadcast(const Label& label, Dims shape, lw_shape* out);

/// The rule of operators before opset 7: B is one element, or matches a
/// contiguous run of A's dims starting at `axis` (-1: the last dims of A). The
/// output has A's shape. Sets `offset` to the dim of A that B's first dim
/// aligns with.
lw_status LegacyBroadcast(const Label& label, Dims a, Dims b, int64_t axis,
                          int32_t* offset);

/// The rule for a target shape that contains -1 or 0. With `keeps_zeros` a 0 is
/// a dim of size 0; otherwise a 0 copies the input's dim.
lw_status ResolveTarget(const Label& label, Dims input, Dims target,
                        bool keeps_zeros, lw_shape* out);

/// The dims that a reduction's axes name, as bits. No axes are all of them, or
/// none if `may_be_none`. A scalar has an axis 0 that names nothing.
lw_status FindReduced(const Label& label, Dims input,
                      std::span<const int64_t> axes, bool may_be_none,
                      uint64_t* reduced);

/// The shape that remains. Sets only rank and dims.
void TakeReducedShape(Dims input, uint64_t reduced, bool keeps_dims,
                      lw_shape* out);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_SHAPE_H_
