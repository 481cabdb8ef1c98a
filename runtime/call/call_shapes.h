// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_CALL_CALL_SHAPES_H_
#define LANEWISE_RUNTIME_CALL_CALL_SHAPES_H_

#include "lanewise/lanewise.h"
#include "runtime/call/call.h"
#include "runtime/node/node.h"

namespace lanewise {

/// What ResolveInputs finds behind the types: the output's shape, and offsets,
/// reduced dims or an alignment.
lw_status ResolveShape(const Node& node, Call* call);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CALL_CALL_SHAPES_H_
