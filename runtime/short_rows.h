// SPDX-License-Identifier: Apache-2.0
//
// Rows that are too short for a kernel, where one input is stretched over them:
// which rows these are, and the plain calls that have such rows.

#ifndef LANEWISE_RUNTIME_SHORT_ROWS_H_
#define LANEWISE_RUNTIME_SHORT_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "hwy/detect_targets.h"
#include "kernels/kernel.h"
#include "kernels/operator.h"
#include "runtime/node.h"

namespace lanewise {

/// Rows are short if a row of the widest operand has fewer bytes than this. To
/// copy the stretched input then takes less time than to start a kernel for
/// each row. Where an element takes long, the kernel of a scalar divisor is
/// worth more. Measured on a Zen 3 with rows of 8 to 512 bytes: rows of 16
/// 8-bit elements are 3 to 17 times as fast copied, rows of 64 bytes 0.5 to 2.8
/// times, rows of 128 bytes 0.3 to 1.7. With AVX-512, 64 bytes are one vector:
/// on a Zen 4, Add of bytes with one element for each row takes 0.67 times as
/// long by rows. `repeats`: the stretched input is one row for all rows. A tile
/// with copies of that row is filled once for all tiles, so more rows count as
/// short.
constexpr size_t ShortRowBytes(CostClass cost, int64_t target, bool repeats) {
  const bool is_quick = cost == CostClass::kMemory;
  return is_quick && (repeats || target > HWY_AVX3) ? 128 : 64;
}

/// An input that is one row for all rows is repeated in a tile of this size.
/// Each row of the kernel's job is then as many rows of the call. On an Intel
/// Xeon with AVX-512, repeated rows of 16 to 256 bytes take 0.5 to 0.95 of the
/// time, and rows of 512 bytes 1.07 to 1.2 times as long.
inline constexpr size_t kMergedRowBytes = 1024;

/// Whether RunShortRows takes less time than one job of `rows` rows. The widest
/// operand has rows of `row_bytes`. One input is the same row for all of them
/// (`repeats`), or has one element for each. To fill the tile takes the time of
/// some ten rows: on a Zen 4, 32 rows of 64 to 256 bytes took 1.04 to 1.24
/// times as long repeated (Add).
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

#endif  // LANEWISE_RUNTIME_SHORT_ROWS_H_
