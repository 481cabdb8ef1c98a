// SPDX-License-Identifier: Apache-2.0
//
// Rows that are too short for a kernel, where one input is stretched over them:
// which rows these are, and the plain calls that have such rows.

#ifndef LANEWISE_RUNTIME_PLAN_SHORT_ROWS_H_
#define LANEWISE_RUNTIME_PLAN_SHORT_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "hwy/detect_targets.h"
#include "kernels/kernel.h"
#include "kernels/operator.h"
#include "runtime/node/node.h"

namespace lanewise {

/// Rows are short if a row of the widest operand has fewer bytes than this. To
/// copy the stretched input then takes less time than to start a kernel for
/// each row. Where an element takes long, the kernel of a scalar divisor is
/// worth more. With AVX-512, 64 bytes are one vector, which a kernel takes
/// quickly. `repeats`: the stretched input is one row for all rows. A tile
/// with copies of that row is filled once for all tiles, so more rows count as
/// short.
constexpr size_t ShortRowBytes(CostClass cost, int64_t target, bool repeats) {
  const bool is_quick = cost == CostClass::kMemory;
  return is_quick && (repeats || target > HWY_AVX3) ? 128 : 64;
}

/// An input that is one row for all rows is repeated in a tile of this size.
/// Each row of the kernel's job is then as many rows of the call.
inline constexpr size_t kMergedRowBytes = 1024;

/// Whether RunShortRows takes less time than one job of `rows` rows. The widest
/// operand has rows of `row_bytes`. One input is the same row for all of them
/// (`repeats`), or has one element for each. To fill the tile takes the time of
/// some ten rows.
constexpr bool AreShortRows(CostClass cost, int64_t target, size_t rows,
                            size_t row_bytes, bool repeats) {
  if (row_bytes < ShortRowBytes(cost, target, false)) return true;
  return repeats && cost == CostClass::kMemory &&
         row_bytes <= kMergedRowBytes / 4 &&
         rows * row_bytes >= 16 * kMergedRowBytes;
}

/// Copies the stretched input of `rows` to a tile in which it has an element
/// for each output, and runs the kernel for inputs of one shape on long pieces.
/// All other operands must be contiguous. Returns the zero divisors.
lw_zero_divisors RunShortRows(const Node& node, const BoundTypes& bound,
                              const Job& rows);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_SHORT_ROWS_H_
