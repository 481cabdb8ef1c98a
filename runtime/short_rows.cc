// SPDX-License-Identifier: Apache-2.0

#include "runtime/short_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/tiles.h"
#include "runtime/engine.h"

namespace lanewise {
namespace {

size_t BytesOf(const BoundTypes& bound, size_t operand) {
  return bound.layouts[operand].bits / 8;
}

// The input that does not step by whole rows. Scalars do not step at all.
size_t StretchedInput(const Node& node, const BoundTypes& bound,
                      const Job& rows) {
  size_t k = 0;
  for (; k + 1 < node.kernel_inputs; ++k) {
    const bool is_scalar = (node.base_pattern >> k & 1) != 0;
    const size_t row_bytes = rows.n * BytesOf(bound, k);
    if (!is_scalar && static_cast<size_t>(rows.in_step[k]) != row_bytes) break;
  }
  return k;
}

const char* At(const void* memory, size_t bytes) {
  return static_cast<const char*>(memory) + bytes;
}

}  // namespace

lw_zero_divisors RunShortRows(const Node& node, const BoundTypes& bound,
                              const Job& rows) {
  const size_t stretched = StretchedInput(node, bound, rows);
  const size_t size = BytesOf(bound, stretched);
  const bool per_element = rows.in_step[stretched] != 0;
  const TileMove gather =
      node.engine->tile_moves[std::countr_zero(size)].gather;
  const KernelFn kernel = bound.kernels[node.base_pattern];
  alignas(64) char tile[kTileBytes];
  const size_t most_rows = kTileBytes / (rows.n * size);

  lw_zero_divisors zeros = {};
  for (size_t row = 0; row < rows.rows; row += most_rows) {
    const size_t count = std::min(most_rows, rows.rows - row);
    if (per_element) {
      const char* elements = At(rows.in[stretched], row * size);
      gather({const_cast<char*>(elements), static_cast<ptrdiff_t>(size), count,
              0, rows.n},
             tile);
    } else if (row == 0) {
      std::memcpy(tile, rows.in[stretched], rows.n * size);
      RepeatInTile(rows.n * size, count * rows.n * size, tile);
    }
    Job job;
    job.params = rows.params;
    for (size_t k = 0; k < node.kernel_inputs; ++k) {
      const auto step = static_cast<size_t>(rows.in_step[k]);
      job.in[k] = k == stretched ? tile : At(rows.in[k], row * step);
    }
    job.out =
        static_cast<char*>(rows.out) + row * static_cast<size_t>(rows.out_step);
    job.n = count * rows.n;
    kernel(job);
    if (job.zero_divisors == 0) continue;
    if (zeros.count == 0) zeros.first = row * rows.n + job.first_zero_column;
    zeros.count += job.zero_divisors;
  }
  return zeros;
}

}  // namespace lanewise
