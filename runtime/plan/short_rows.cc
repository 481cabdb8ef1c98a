// SPDX-License-Identifier: Apache-2.0

#include "runtime/plan/short_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/tiles.h"
#include "runtime/engine/engine.h"
#include "runtime/plan/own_job.h"

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
    const auto step = static_cast<size_t>(rows.setup->in_step[k]);
    if (!is_scalar && step != row_bytes) break;
  }
  return k;
}

const char* At(const void* memory, size_t bytes) {
  return static_cast<const char*>(memory) + bytes;
}

// Fills a job of `count` rows, each of which is `merged` rows of the call, from
// `row` on. The job reads the stretched input from the tile.
void MergeRows(const Node& node, const Job& rows, size_t stretched,
               const char* tile, size_t row, size_t count, size_t merged,
               OwnJob* job) {
  Setup& setup = job->OwnSetup(node.kernel_inputs);
  for (size_t k = 0; k < node.kernel_inputs; ++k) {
    if (k == stretched) {
      job->inputs[k] = tile;
      setup.in_step[k] = 0;
      continue;
    }
    const auto step = static_cast<size_t>(rows.setup->in_step[k]);
    job->inputs[k] = At(rows.in[k], row * step);
    setup.in_step[k] = static_cast<ptrdiff_t>(merged * step);
  }
  const auto step = static_cast<size_t>(rows.setup->out_step);
  job->out = static_cast<char*>(rows.out) + row * step;
  setup.out_step = static_cast<ptrdiff_t>(merged * step);
  job->n = merged * rows.n;
  setup.rows = count;
}

// Adds the zero divisors of a job that starts at element `first`.
void AddZeros(const Job& job, size_t first, lw_zero_divisors* zeros) {
  if (job.zeros->count == 0) return;
  const lw_zero_divisors found = ZerosOf(job);
  if (zeros->count == 0) zeros->first = first + found.first;
  zeros->count += found.count;
}

}  // namespace

lw_zero_divisors RunShortRows(const Node& node, const BoundTypes& bound,
                              const Job& rows) {
  const size_t stretched = StretchedInput(node, bound, rows);
  const size_t size = BytesOf(bound, stretched);
  const bool per_element = rows.setup->in_step[stretched] != 0;
  const KernelFn kernel = bound.kernels[node.base_pattern];
  alignas(64) char tile[kTileBytes];
  lw_zero_divisors zeros = {};
  const auto run = [&](size_t row, size_t count, size_t merged) {
    OwnJob job(rows.setup);
    MergeRows(node, rows, stretched, tile, row, count, merged, &job);
    RunJob(kernel, job);
    AddZeros(job, row * rows.n, &zeros);
  };

  const size_t count = rows.setup->rows;
  const size_t row_bytes = rows.n * size;
  // How many rows fit: small calls need no division.
  const auto fit = [&](size_t bytes) {
    return count * row_bytes <= bytes ? count : bytes / row_bytes;
  };

  if (!per_element) {
    const size_t merged = fit(kMergedRowBytes);
    std::memcpy(tile, rows.in[stretched], row_bytes);
    RepeatInTile(row_bytes, merged * row_bytes, tile);
    const size_t whole = merged == count ? 1 : count / merged;
    const size_t rest = count - whole * merged;
    run(0, whole, merged);
    if (rest != 0) run(count - rest, 1, rest);
    return zeros;
  }

  const TileMove gather =
      node.engine->tile_moves[std::countr_zero(size)].gather;
  const size_t most_rows = fit(kTileBytes);
  for (size_t row = 0; row < count; row += most_rows) {
    const size_t some = std::min(most_rows, count - row);
    const char* elements = At(rows.in[stretched], row * size);
    RunMove(gather,
            {const_cast<char*>(elements), static_cast<ptrdiff_t>(size), some, 0,
             rows.n},
            tile);
    run(row, 1, some);
  }
  return zeros;
}

}  // namespace lanewise
