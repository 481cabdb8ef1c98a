// SPDX-License-Identifier: Apache-2.0
//
// Tiles have 4 KiB each, which stay in L1; more than four share 16 KiB. An
// operand that lies exactly as the output's elements are visited is not
// copied. A transposed operand has several rows on one cache line: tiles
// hold at least four whole rows or parts of eight, and rows that lie side by
// side are gathered four at a time (two of 8 bytes).
//
// Packed types have no strides: their elements lie in row-major order, the
// first one in the lowest bits. A call with a packed operand goes by tiles
// in row-major order, each a whole number of bytes, so that the other
// operands may have strides; a call without any takes one job.

#include "runtime/plan/run_tiles.h"

#include <algorithm>
#include <bit>

#include "kernels/tiles.h"
#include "runtime/plan/short_rows.h"
#include "runtime/plan/task_tiles.h"

namespace lanewise {
namespace {

// Elements that follow each other in a nest. The operands of a tile share the
// divisions.
struct Span {
  int64_t count;
  int64_t rows;                // that are whole, if the span starts with a row
  int64_t column;              // of the first element
  int64_t index[LW_MAX_RANK];  // of the first row in the outer dims

  Span(const LoopNest& nest, int64_t begin, int64_t length)
      : count(length), rows(length / nest.inner()) {
    int64_t row = begin / nest.inner();
    column = begin - row * nest.inner();
    for (int i = nest.rank - 2; i >= 0; --i) {
      const int64_t rest = row < nest.dims[i] ? 0 : row / nest.dims[i];
      index[i] = row - rest * nest.dims[i];
      row = rest;
    }
  }
};

// Where a span's first element lies.
char* StartOf(const Run& run, const LoopNest& nest, int operand,
              const Span& span) {
  int64_t offset = span.column * nest.inner_stride(operand);
  for (int i = 0; i < nest.rank - 1; ++i) {
    offset += span.index[i] * nest.strides[operand][i];
  }
  return run.data[operand] + offset * run.size(operand);
}

// Copies a span between an operand's place in memory and a contiguous tile.
void MoveTile(const Run& run, int operand, const Span& span, TileMove move,
              char* tile) {
  const LoopNest& nest = run.plan.NestOf(operand);
  const int64_t size = run.size(operand);
  const int64_t* strides = nest.strides[operand];
  const int64_t n = nest.inner();
  const int64_t stride = nest.inner_stride(operand);
  const int outer = nest.rank - 2;
  const int64_t step = outer >= 0 ? strides[outer] * size : 0;
  const auto run_move = [&](char* memory, int64_t rows, int64_t length) {
    RunMove(move,
            {memory, step, static_cast<size_t>(rows), stride,
             static_cast<size_t>(length)},
            tile);
    tile += rows * length * size;
  };
  char* memory = StartOf(run, nest, operand, span);
  int64_t left = span.count;
  if (outer < 0) return run_move(memory, 1, left);
  if (span.column == 0 && span.rows * n == left &&
      span.index[outer] + span.rows <= nest.dims[outer]) {
    return run_move(memory, span.rows, n);
  }
  int64_t index[LW_MAX_RANK];
  std::copy_n(span.index, nest.rank - 1, index);
  int64_t column = span.column;
  while (true) {
    // Part of a row, or several whole rows along the next dim.
    const int64_t length = std::min(n - column, left);
    int64_t rows = 1;
    if (length == n) rows = std::min(left / n, nest.dims[outer] - index[outer]);
    run_move(memory, rows, length);
    left -= rows * length;
    if (left == 0) return;
    // On to the row after the moved rows.
    memory += (rows - 1) * step - column * stride * size;
    column = 0;
    index[outer] += rows - 1;
    for (int i = outer; i >= 0; --i) {
      memory += strides[i] * size;
      if (++index[i] < nest.dims[i]) break;
      memory -= nest.dims[i] * strides[i] * size;
      index[i] = 0;
    }
  }
}

// Where elements [begin, ...) of an operand that is one contiguous run lie.
char* FlatAt(const Run& run, int operand, int64_t begin) {
  return run.data[operand] + run.plan.BytesTo(operand, begin);
}

// Whether all rows of an input are equal: then all tiles of whole rows are
// equal.
bool RepeatsRows(const LoopNest& nest, int operand) {
  for (int i = 0; i < nest.rank - 1; ++i) {
    if (nest.strides[operand][i] != 0) return false;
  }
  return true;
}

const TileMoves& MovesOf(const Run& run, int operand) {
  const size_t size = run.plan.element_bytes[operand];
  return run.plan.engine->tile_moves[std::countr_zero(size)];
}

// Gathers an input into a tile. A repeated row is read once, then copied within
// the tile.
void GatherTile(const Run& run, int operand, const Span& span, char* tile) {
  const LoopNest& nest = run.plan.NestOf(operand);
  const TileMove gather = MovesOf(run, operand).gather;
  const int64_t n = nest.inner();
  if (span.count <= n || !RepeatsRows(nest, operand)) {
    return MoveTile(run, operand, span, gather, tile);
  }
  Span once = span;
  once.count = n;
  once.rows = 1;
  MoveTile(run, operand, once, gather, tile);
  const auto size = static_cast<size_t>(run.size(operand));
  RepeatInTile(static_cast<size_t>(n) * size,
               static_cast<size_t>(span.count) * size, tile);
}

// Copies a block between an operand's place in memory and a contiguous tile.
void MoveBlock(const Run& run, int operand, const Span& start,
               const Piece& block, TileMove move, char* tile) {
  const LoopNest& nest = run.plan.nest;
  RunMove(move,
          {StartOf(run, nest, operand, start),
           nest.strides[operand][nest.rank - 2] * run.size(operand),
           static_cast<size_t>(block.rows), nest.inner_stride(operand),
           static_cast<size_t>(block.length)},
          tile);
}

// Whether all tiles of an input are equal: they have whole rows, which repeat.
bool HasEqualTiles(const LoopNest& nest, int operand, int64_t tile_elements) {
  return RepeatsRows(nest, operand) && tile_elements % nest.inner() == 0;
}

// Whether only inputs with equal tiles go through tiles. The kernel then takes
// all tiles as rows of one job.
bool OnlyRepeats(const Plan& plan, int64_t tile_elements) {
  for (int k = 0; k < plan.operands(); ++k) {
    const LoopNest& nest = plan.NestOf(k);
    if (plan.IsScalar(k) || nest.flat[k]) continue;
    if (k >= plan.output()) return false;
    if (!HasEqualTiles(nest, k, tile_elements)) return false;
  }
  return true;
}

constexpr bool kNone[kMaxOperands] = {};

// Computes a piece by one job. `held`: the operands whose tiles have what the
// piece needs.
void RunPiece(Run& run, Tiles& tiles, const Piece& piece, const bool* held) {
  const Plan& plan = run.plan;
  const int out = plan.output();
  OwnJob job(&run.shared);
  Setup& setup =
      job.OwnSetup(static_cast<size_t>(out), static_cast<size_t>(plan.outputs));
  const Span span(plan.NestOf(0), piece.begin, piece.length);
  for (int k = 0; k < plan.operands(); ++k) {
    const bool is_flat = plan.NestOf(k).flat[k];
    setup.in_stride[k] = plan.IsScalar(k) ? 0 : 1;
    if (plan.IsScalar(k)) {
      job.inputs[k] = run.data[k];
      continue;
    }
    job.inputs[k] = is_flat ? FlatAt(run, k, piece.begin) : tiles.Of(k);
    setup.in_step[k] =
        plan.BytesTo(k, is_flat ? piece.pitch : piece.tile_pitch);
    if (is_flat || k >= out || held[k]) continue;
    if (piece.is_block()) {
      MoveBlock(run, k, span, piece, MovesOf(run, k).gather, tiles.Of(k));
    } else {
      GatherTile(run, k, span, tiles.Of(k));
    }
  }
  job.out = const_cast<void*>(job.inputs[out]);
  setup.out_step = setup.in_step[out];
  setup.first = static_cast<size_t>(piece.begin);
  setup.alignment = plan.alignment;
  job.n = static_cast<size_t>(piece.length);
  setup.rows = static_cast<size_t>(piece.rows);
  setup.stream =
      run.stream &&
      MayStream(job.out, static_cast<size_t>(piece.length * run.size(out)),
                setup.out_step);
  RunJob(plan.kernel, job);
  NoteZeros(run, job, static_cast<uint64_t>(piece.begin));
  for (int k = out; k < plan.operands(); ++k) {
    const TileMove scatter = MovesOf(run, k).scatter;
    if (plan.nest.flat[k]) continue;
    if (piece.is_block()) {
      MoveBlock(run, k, span, piece, scatter, tiles.Of(k));
    } else {
      MoveTile(run, k, Span(plan.nest, piece.begin, piece.length), scatter,
               tiles.Of(k));
    }
  }
}

// Runs elements in the order of the nest.
void RunInOrder(Run& run, Tiles& tiles, int64_t begin, int64_t end) {
  const Plan& plan = run.plan;
  int64_t tile_elements =
      TileElements(plan, std::min(kMergedRowBytes, tiles.bytes()));
  const bool merged = OnlyRepeats(plan, tile_elements);
  if (!merged) tile_elements = TileElements(plan, tiles.bytes());
  if (plan.IsFlatAndPacked()) tile_elements = end - begin;
  // Tiles that are equal are gathered once.
  bool equal[kMaxOperands];
  for (int k = 0; k < plan.output(); ++k) {
    equal[k] = HasEqualTiles(plan.NestOf(k), k, tile_elements);
  }
  const bool* held = kNone;
  int64_t rows = 1;
  for (; begin < end; begin += rows * tile_elements) {
    const int64_t count = std::min(tile_elements, end - begin);
    rows = merged ? std::max((end - begin) / tile_elements, int64_t{1}) : 1;
    RunPiece(run, tiles, {begin, count, rows, tile_elements, 0}, held);
    held = equal;
  }
}

// Runs whole rows in blocks. Bands of few rows keep the lines that the next
// block reads again in L1.
void RunBlocks(Run& run, Tiles& tiles, const BlockShape& shape, int64_t row,
               int64_t end) {
  constexpr int64_t kBandRows = 64;
  const LoopNest& nest = run.plan.nest;
  const int64_t n = nest.inner();
  const int64_t height = nest.dims[nest.rank - 2];
  while (row < end) {
    const int64_t stop =
        row + std::min({kBandRows, height - row % height, end - row});
    for (int64_t column = 0; column < n; column += shape.length) {
      const int64_t length = std::min(shape.length, n - column);
      for (int64_t r = row; r < stop; r += shape.rows) {
        const int64_t rows = std::min(shape.rows, stop - r);
        RunPiece(run, tiles, {r * n + column, length, rows, n, length}, kNone);
      }
    }
    row = stop;
  }
}

[[gnu::noinline]] void RunOnTiles(Run& run, Tiles& tiles, int64_t begin,
                                  int64_t end) {
  const BlockShape shape = BlockShapeOf(run.plan, tiles.bytes());
  const int64_t n = run.plan.nest.inner();
  const int64_t first_row = (begin + n - 1) / n;
  const int64_t end_row = end / n;
  if (shape.rows == 0 || first_row >= end_row) {
    return RunInOrder(run, tiles, begin, end);
  }
  RunInOrder(run, tiles, begin, first_row * n);
  RunBlocks(run, tiles, shape, first_row, end_row);
  RunInOrder(run, tiles, end_row * n, end);
}

// Has memory for so many full tiles on the stack. Calls with few tiles take no
// more, because some of their kernels take much of the stack themselves.
template <size_t kCount>
[[gnu::noinline]] void RunWithMemory(Run& run, Tiles& tiles, int64_t begin,
                                     int64_t end) {
  alignas(64) char memory[kCount * kTileBytes];
  tiles.Use(memory);
  RunOnTiles(run, tiles, begin, end);
}

}  // namespace

void RunTiles(Run& run, int64_t begin, int64_t end) {
  Tiles tiles(run.plan);
  const auto run_with =
      tiles.count() <= 2 ? RunWithMemory<2> : RunWithMemory<Tiles::kFull>;
  run_with(run, tiles, begin, end);
}

void MoveTiles(Run& run, int64_t begin, int64_t end) {
  const bool in_flat = run.plan.NestOf(0).flat[0];
  const bool out_flat = run.plan.nest.flat[1];
  if (out_flat && !in_flat) {
    MoveTile(run, 0, Span(run.plan.NestOf(0), begin, end - begin),
             MovesOf(run, 0).gather, FlatAt(run, 1, begin));
  } else if (in_flat && !out_flat) {
    MoveTile(run, 1, Span(run.plan.nest, begin, end - begin),
             MovesOf(run, 1).scatter, FlatAt(run, 0, begin));
  } else {
    RunTiles(run, begin, end);
  }
}

}  // namespace lanewise
