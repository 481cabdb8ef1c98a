// SPDX-License-Identifier: Apache-2.0
//
// ShapeRule::kAligned: a scale and a zero point for all elements of the first
// input, for each index of a dim, or for each block of such indexes.

#ifndef LANEWISE_RUNTIME_CALL_ALIGNMENT_H_
#define LANEWISE_RUNTIME_CALL_ALIGNMENT_H_

#include "lanewise/lanewise.h"
#include "runtime/call/call.h"
#include "runtime/node/node.h"

namespace lanewise {

/// Checks the shapes of the aligned inputs, and sets Call::alignment.
lw_status ResolveAlignment(const Node& node, Call* call);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CALL_ALIGNMENT_H_
