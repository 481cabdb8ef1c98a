// SPDX-License-Identifier: Apache-2.0
//
// Plain calls whose rows are too short for a kernel: one input is stretched
// over rows of fewer than kShortRow elements.

#ifndef LANEWISE_RUNTIME_SHORT_ROWS_H_
#define LANEWISE_RUNTIME_SHORT_ROWS_H_

#include "kernels/kernel.h"
#include "runtime/node.h"

namespace lanewise {

/// Copies the stretched input of `rows` to a tile in which it has an element
/// for each output, and runs the kernel for inputs of one shape on long pieces.
/// All other operands must be contiguous. Returns the zero divisors.
lw_zero_divisors RunShortRows(const Node& node, const BoundTypes& bound,
                              const Job& rows);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_SHORT_ROWS_H_
