// SPDX-License-Identifier: Apache-2.0
//
// Plain calls whose rows are too short for a kernel: one input is stretched
// over rows of fewer than ShortRowBytes.

#ifndef LANEWISE_RUNTIME_SHORT_ROWS_H_
#define LANEWISE_RUNTIME_SHORT_ROWS_H_

#include <cstddef>

#include "kernels/kernel.h"
#include "kernels/operator.h"
#include "runtime/node.h"

namespace lanewise {

/// Rows whose outputs take fewer bytes are short: to copy the stretched input
/// takes less time than to start a kernel for each row. Where an element takes
/// long, the kernel of a scalar divisor is worth more. Measured on a Zen 3 with
/// rows of 8 to 512 bytes: rows of 16 8-bit elements are 3 to 17 times as fast
/// copied, rows of 64 bytes 0.5 to 2.8 times, rows of 128 bytes 0.3 to 1.7.
constexpr size_t ShortRowBytes(CostClass cost) {
  return cost == CostClass::kMemory ? 128 : 64;
}

/// Copies the stretched input of `rows` to a tile in which it has an element
/// for each output, and runs the kernel for inputs of one shape on long pieces.
/// All other operands must be contiguous. Returns the zero divisors.
lw_zero_divisors RunShortRows(const Node& node, const BoundTypes& bound,
                              const Job& rows);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_SHORT_ROWS_H_
