// SPDX-License-Identifier: Apache-2.0

#include "runtime/nest_runner.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "hwy/cache_control.h"
#include "kernels/fp_env.h"
#include "runtime/chunking.h"

namespace lanewise {
namespace {

// A gathered operand goes through a buffer of this size on the stack: small
// enough to stay in L1 beside the other operands' tiles.
constexpr size_t kTileBytes = 4096;

// In shorter rows too many lines would be stored past the caches in part, which
// takes 20 times as long, unless they end where lines end.
constexpr size_t kStreamRowBytes = 16384;

// One call, as its tasks see it.
struct Run {
  const LoopNest* nest;
  const LoopNest* input_nest;  // the same, but for some copies
  KernelFn kernel;             // for rows as they are, or for gathered tiles
  bool copies;
  bool tiled;
  bool stream;
  size_t size;  // bytes of an element
  TileMoves moves;
  char* data[LoopNest::kMaxOperands];
  size_t chunk;
  FpEnv::Word fp_env;  // the caller's
  std::atomic<uint64_t> zero_divisors{0};
  std::atomic<uint64_t> first_zero_divisor{UINT64_MAX};
};

void NoteZeros(Run& run, const Job& job, uint64_t first_element) {
  if (job.zero_divisors == 0) return;
  run.zero_divisors.fetch_add(job.zero_divisors, std::memory_order_relaxed);
  const uint64_t first =
      first_element + job.first_zero_row * job.n + job.first_zero_column;
  uint64_t known = run.first_zero_divisor.load(std::memory_order_relaxed);
  while (first < known && !run.first_zero_divisor.compare_exchange_weak(
                              known, first, std::memory_order_relaxed)) {
  }
}

// Whether rows of `bytes` that are `step` apart may go past the caches.
bool MayStream(const void* out, size_t bytes, ptrdiff_t step) {
  const auto place = reinterpret_cast<uintptr_t>(out);
  return bytes >= kStreamRowBytes ||
         ((place | bytes | static_cast<size_t>(step)) & 63) == 0;
}

// Where row `row` (counted over all dims but the innermost) starts.
char* RowStart(const Run& run, const LoopNest& nest, int operand, int64_t row) {
  int64_t offset = 0;
  for (int i = nest.rank - 2; i >= 0 && row != 0; --i) {
    offset += row % nest.dims[i] * nest.strides[operand][i];
    row /= nest.dims[i];
  }
  return run.data[operand] + offset * static_cast<int64_t>(run.size);
}

// Rows as they lie in memory, as many at once as follow each other evenly.
void RunRows(Run& run, int64_t begin, int64_t end) {
  const LoopNest& nest = *run.nest;
  const int out = nest.operands - 1;
  const auto size = static_cast<int64_t>(run.size);
  const int64_t n = nest.inner();
  const int outer = nest.rank - 2;  // the dim that rows follow each other in

  while (begin < end) {
    // Of one row there is nothing to divide, which costs what a small call is.
    const int64_t row = outer < 0 ? 0 : begin / n;
    const int64_t column = begin - row * n;
    int64_t rows = 1;
    int64_t length = std::min(n - column, end - begin);
    if (outer >= 0 && length == n) {
      rows = std::min((end - begin) / n,
                      nest.dims[outer] - row % nest.dims[outer]);
    }
    const auto at = [&](int k) {
      return RowStart(run, nest, k, row) + column * nest.inner_stride(k) * size;
    };
    const auto step = [&](int k) {
      return outer < 0 ? 0 : nest.strides[k][outer] * size;
    };
    Job job;
    job.a = at(0);
    job.b = out == 2 ? at(1) : nullptr;
    job.out = at(out);
    job.n = static_cast<size_t>(length);
    job.rows = static_cast<size_t>(rows);
    job.a_step = step(0);
    job.b_step = out == 2 ? step(1) : 0;
    job.out_step = step(out);
    job.stream =
        run.stream && MayStream(job.out, job.n * run.size, job.out_step);
    run.kernel(job);
    NoteZeros(run, job, static_cast<uint64_t>(begin));
    begin += rows * length;
  }
}

// The nest that tells where an operand lies.
const LoopNest& NestOf(const Run& run, int operand) {
  return operand == 0 ? *run.input_nest : *run.nest;
}

// Copies elements [begin, begin + count) of the nest between an operand's place
// in memory and a contiguous tile.
void MoveTile(const Run& run, int operand, int64_t begin, int64_t count,
              TileMove move, char* tile) {
  const LoopNest& nest = NestOf(run, operand);
  const auto size = static_cast<int64_t>(run.size);
  const int64_t* strides = nest.strides[operand];
  const int64_t n = nest.inner();
  const int64_t stride = nest.inner_stride(operand);
  int64_t row = begin / n;
  int64_t column = begin - row * n;
  char* memory = RowStart(run, nest, operand, row);
  int64_t index[LW_MAX_RANK];  // of the row in the outer dims
  for (int i = nest.rank - 2; i >= 0; --i) {
    index[i] = row % nest.dims[i];
    row /= nest.dims[i];
  }
  const int outer = nest.rank - 2;
  while (true) {
    // Part of a row, or whole ones along the next dim.
    const int64_t length = std::min(n - column, count);
    int64_t moved = 1;
    if (outer >= 0 && length == n) {
      moved = std::min(count / n, nest.dims[outer] - index[outer]);
    }
    move({memory + column * stride * size,
          outer >= 0 ? strides[outer] * size : 0, static_cast<size_t>(moved),
          stride, static_cast<size_t>(length)},
         tile);
    count -= moved * length;
    if (count == 0) return;
    tile += moved * length * size;
    column = 0;
    // On to the row behind them.
    memory += (moved - 1) * strides[outer] * size;
    index[outer] += moved - 1;
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
  return run.data[operand] + begin * static_cast<int64_t>(run.size);
}

// Whether each row of an input is the same: then so is each tile of whole rows.
bool RepeatsRows(const LoopNest& nest, int operand) {
  for (int i = 0; i < nest.rank - 1; ++i) {
    if (nest.strides[operand][i] != 0) return false;
  }
  return true;
}

// Gathers an input into a tile. What repeats itself is read once.
void GatherTile(const Run& run, int operand, int64_t begin, int64_t count,
                char* tile) {
  const LoopNest& nest = NestOf(run, operand);
  int64_t once = count;
  if (RepeatsRows(nest, operand)) once = std::min(nest.inner(), count);
  MoveTile(run, operand, begin, once, run.moves.gather, tile);
  const auto size = static_cast<int64_t>(run.size);
  for (int64_t there = once; there < count; there *= 2) {
    std::memcpy(tile + there * size, tile,
                static_cast<size_t>(std::min(there, count - there) * size));
  }
}

// Operands that are not contiguous go through tiles.
void RunTiles(Run& run, int64_t begin, int64_t end) {
  const int out = run.nest->operands - 1;
  const int64_t n = run.nest->inner();
  auto tile_elements = static_cast<int64_t>(kTileBytes / run.size);
  if (n < tile_elements) tile_elements -= tile_elements % n;
  alignas(64) char tiles[LoopNest::kMaxOperands][kTileBytes];
  bool there[LoopNest::kMaxOperands] = {};  // from the tile before

  for (; begin < end; begin += tile_elements) {
    const int64_t count = std::min(tile_elements, end - begin);
    char* at[LoopNest::kMaxOperands] = {};
    for (int k = 0; k <= out; ++k) {
      const LoopNest& nest = NestOf(run, k);
      at[k] = nest.flat[k] ? FlatAt(run, k, begin) : tiles[k];
      if (k == out || nest.flat[k] || there[k]) continue;
      GatherTile(run, k, begin, count, tiles[k]);
      there[k] = tile_elements % nest.inner() == 0 && RepeatsRows(nest, k);
    }
    Job job;
    job.a = at[0];
    job.b = out == 2 ? at[1] : nullptr;
    job.out = at[out];
    job.n = static_cast<size_t>(count);
    job.stream = run.stream && MayStream(at[out], job.n * run.size, 0);
    run.kernel(job);
    NoteZeros(run, job, static_cast<uint64_t>(begin));
    if (!run.nest->flat[out]) {
      MoveTile(run, out, begin, count, run.moves.scatter, tiles[out]);
    }
  }
}

// Copies need no tile of their own unless both sides are strided.
void CopyTiles(Run& run, int64_t begin, int64_t end) {
  const bool in_flat = run.input_nest->flat[0];
  const bool out_flat = run.nest->flat[1];
  if (out_flat && !in_flat) {
    MoveTile(run, 0, begin, end - begin, run.moves.gather,
             FlatAt(run, 1, begin));
  } else if (in_flat && !out_flat) {
    MoveTile(run, 1, begin, end - begin, run.moves.scatter,
             FlatAt(run, 0, begin));
  } else {
    RunTiles(run, begin, end);
  }
}

void RunRange(Run& run, int64_t begin, int64_t end) {
  if (!run.tiled) {
    RunRows(run, begin, end);
  } else if (run.copies) {
    CopyTiles(run, begin, end);
  } else {
    RunTiles(run, begin, end);
  }
  if (run.stream) hwy::FlushStream();
}

void RunTask(void* data, size_t index) {
  Run& run = *static_cast<Run*>(data);
  const FpEnv as_the_callers(run.fp_env);
  const auto begin = static_cast<int64_t>(index * run.chunk);
  const int64_t end =
      std::min(begin + static_cast<int64_t>(run.chunk), run.nest->elements);
  RunRange(run, begin, end);
}

// The kernel that takes the nest's rows as they lie, or nullptr.
KernelFn KernelForRows(const NestCall& call) {
  const LoopNest& nest = *call.nest;
  const int out = nest.operands - 1;
  if (call.input_nest != nullptr || nest.inner_stride(out) != 1) return nullptr;
  if (nest.rank > 1 && nest.inner() < kShortRow) return nullptr;
  const int64_t a = nest.inner_stride(0);
  const int64_t b = out == 2 ? nest.inner_stride(1) : 1;
  if (a == 1 && b == 1) return call.kernels[LW_SAME];
  if (a == 1 && b == 0) return call.kernels[LW_SCALAR_B];
  if (a == 0 && b == 1) return call.kernels[LW_SCALAR_A];
  return nullptr;
}

}  // namespace

NestResult RunNest(const Engine& engine, const NestCall& call) {
  const LoopNest& nest = *call.nest;
  const auto elements = static_cast<size_t>(nest.elements);
  const size_t bytes_per_element =
      call.element_bytes * static_cast<size_t>(nest.operands);
  const size_t moved = elements * bytes_per_element;

  Run run;
  run.nest = &nest;
  run.input_nest = call.input_nest != nullptr ? call.input_nest : &nest;
  run.copies = call.copies;
  run.kernel = KernelForRows(call);
  run.tiled = run.kernel == nullptr;
  run.size = call.element_bytes;
  if (run.tiled) {
    run.kernel = call.kernels[LW_SAME];
    run.moves = engine.tile_moves[std::countr_zero(run.size)];
  }
  for (int k = 0; k < nest.operands; ++k) {
    run.data[k] = static_cast<char*>(call.data[k]) +
                  NestOf(run, k).start[k] * static_cast<int64_t>(run.size);
  }

  const Tuning::PerWork& tuning = engine.tuning.For(call.work);
  Chunks chunks = {1, elements};
  if (moved >= tuning.serial_bytes) {
    chunks = PlanChunks(elements, bytes_per_element, engine.executor->Threads(),
                        tuning);
  }
  run.stream = !call.in_place && (!run.tiled || nest.flat[nest.operands - 1]) &&
               moved > (chunks.count == 1 ? tuning.stream_bytes
                                          : tuning.stream_parallel_bytes);
  if (chunks.count == 1) {
    RunRange(run, 0, nest.elements);
  } else {
    run.chunk = chunks.size;
    run.fp_env = FpEnv::Current();
    engine.executor->Run(chunks.count, RunTask, &run);
  }
  return {chunks.count, run.zero_divisors.load(std::memory_order_relaxed),
          run.first_zero_divisor.load(std::memory_order_relaxed)};
}

NestResult RunShortRows(const Engine& engine, const Job& job,
                        size_t element_bytes, Work work, KernelFn same) {
  const auto n = static_cast<int64_t>(job.n);
  LoopNest nest;
  nest.operands = 3;
  nest.rank = 2;
  nest.dims[0] = static_cast<int64_t>(job.rows);
  nest.dims[1] = n;
  nest.elements = nest.dims[0] * n;
  const ptrdiff_t steps[] = {job.a_step, job.b_step, job.out_step};
  for (int k = 0; k < nest.operands; ++k) {
    const int64_t step = steps[k] >> std::countr_zero(element_bytes);
    nest.strides[k][0] = step;
    nest.strides[k][1] = step == 1 ? 0 : 1;
    nest.start[k] = 0;
    nest.flat[k] = step == n;
  }
  NestCall call = {};
  call.nest = &nest;
  call.kernels = &same;
  call.element_bytes = element_bytes;
  call.data[0] = const_cast<void*>(job.a);
  call.data[1] = const_cast<void*>(job.b);
  call.data[2] = job.out;
  call.work = work;
  call.in_place = job.a == job.out || job.b == job.out;
  return RunNest(engine, call);
}

}  // namespace lanewise
