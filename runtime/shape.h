// SPDX-License-Identifier: Apache-2.0
//
// Rules about shapes alone: counting, broadcasting, Reshape's targets.

#ifndef LANEWISE_RUNTIME_SHAPE_H_
#define LANEWISE_RUNTIME_SHAPE_H_

#include <cstdint>

#include "lanewise/lanewise.h"
#include "runtime/status.h"

namespace lanewise {

/// Dims of somebody else's.
struct Dims {
  const int64_t* dims;
  int32_t rank;
};

/// Counts elements. A shape with a 0 has none, whatever its other dims are.
/// False if the count, at 16 bytes an element, exceeds the address space.
bool CountElements(Dims shape, int64_t* count);

bool SameDims(Dims x, Dims y);

/// numpy's rule: aligned at the right, a 1 stretches to the other's dim.
lw_status Broadcast(const Label& label, Dims a, Dims b, lw_shape* out);

/// The rule of Div-1 and Div-6: B is one element or a contiguous run of A's
/// dims from `axis` on (negative: the suffix); the output has A's shape. Tells
/// under which of A's dims B's first one stands.
lw_status LegacyBroadcast(const Label& label, Dims a, Dims b, int64_t axis,
                          int32_t* offset);

/// Reshape's rule for a target shape with -1 and 0 in it.
lw_status ResolveReshape(const Label& label, Dims input, Dims target,
                         bool allow_zero, lw_shape* out);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_SHAPE_H_
