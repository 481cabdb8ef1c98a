// SPDX-License-Identifier: Apache-2.0

#include "runtime/plan_runner.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <exception>

#include "hwy/cache_control.h"
#include "kernels/fp_env.h"
#include "runtime/chunking.h"
#include "runtime/engine.h"
#include "runtime/isa.h"
#include "runtime/own_job.h"
#include "runtime/short_rows.h"
#include "runtime/status.h"
#include "runtime/task_tiles.h"
#include "runtime/types.h"

namespace lanewise {
namespace {

// Shorter rows are streamed only if each row starts and ends on a cache line. A
// line that is stored past the caches in part takes 20 times as long.
constexpr size_t kStreamRowBytes = 16384;

// One run of a plan, as its tasks see it.
struct Run {
  const Plan& plan;
  const Setup& shared;       // what all jobs share
  char* data[kMaxOperands];  // where the nest starts
  bool stream;
  size_t chunk;
  FpEnv::Word fp_env;  // the caller's
  SharedZeros zeros;

  int64_t size(int operand) const {
    return static_cast<int64_t>(plan.element_bytes[operand]);
  }
};

void NoteZeros(Run& run, const Job& job, uint64_t first_element) {
  if (job.zeros->count == 0) return;
  const lw_zero_divisors zeros = ZerosOf(job);
  run.zeros.Note(first_element + zeros.first, zeros.count);
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
  return run.data[operand] + offset * run.size(operand);
}

// What Job::in_stride holds. Larger strides go through tiles, so that no kernel
// reads them.
uint8_t StrideOf(const Plan& plan, int operand) {
  return static_cast<uint8_t>(plan.nest.inner_stride(operand));
}

// Runs rows directly from memory. One job takes as many rows as have an even
// step.
void RunRows(Run& run, int64_t begin, int64_t end) {
  const LoopNest& nest = run.plan.nest;
  const int out = run.plan.output();
  const int64_t n = nest.inner();
  const int outer = nest.rank - 2;  // the dim in which rows follow each other

  while (begin < end) {
    // With a single row, skip the division: it would dominate a small call.
    const int64_t row = outer < 0 ? 0 : begin / n;
    const int64_t column = begin - row * n;
    int64_t rows = 1;
    int64_t length = std::min(n - column, end - begin);
    if (outer >= 0 && length == n) {
      rows = std::min((end - begin) / n,
                      nest.dims[outer] - row % nest.dims[outer]);
    }
    const auto at = [&](int k) {
      return RowStart(run, nest, k, row) +
             column * nest.inner_stride(k) * run.size(k);
    };
    const auto step = [&](int k) {
      return outer < 0 ? 0 : nest.strides[k][outer] * run.size(k);
    };
    OwnJob job(&run.shared);
    Setup& setup = job.OwnSetup(static_cast<size_t>(out),
                                static_cast<size_t>(run.plan.outputs));
    for (int k = 0; k < nest.operands; ++k) {
      job.inputs[k] = nullptr;
      if (run.data[k] == nullptr) continue;
      job.inputs[k] = at(k);
      setup.in_step[k] = step(k);
      setup.in_stride[k] = StrideOf(run.plan, k);
    }
    job.out = const_cast<void*>(job.inputs[out]);
    setup.out_step = setup.in_step[out];
    setup.first = static_cast<size_t>(begin);
    setup.alignment = run.plan.alignment;
    job.n = static_cast<size_t>(length) * run.plan.packed;
    setup.rows = static_cast<size_t>(rows);
    const size_t bytes = static_cast<size_t>(length * run.size(out));
    setup.stream = run.stream && MayStream(job.out, bytes, setup.out_step);
    RunJob(run.plan.kernel, job);
    NoteZeros(run, job, static_cast<uint64_t>(begin));
    begin += rows * length;
  }
}

// Copies elements [begin, begin + count) of the nest between an operand's place
// in memory and a contiguous tile.
void MoveTile(const Run& run, int operand, int64_t begin, int64_t count,
              TileMove move, char* tile) {
  const LoopNest& nest = run.plan.NestOf(operand);
  const int64_t size = run.size(operand);
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
    // Part of a row, or several whole rows along the next dim.
    const int64_t length = std::min(n - column, count);
    int64_t moved = 1;
    if (outer >= 0 && length == n) {
      moved = std::min(count / n, nest.dims[outer] - index[outer]);
    }
    RunMove(move,
            {memory + column * stride * size,
             outer >= 0 ? strides[outer] * size : 0, static_cast<size_t>(moved),
             stride, static_cast<size_t>(length)},
            tile);
    count -= moved * length;
    if (count == 0) return;
    tile += moved * length * size;
    column = 0;
    // On to the row after the moved rows.
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
void GatherTile(const Run& run, int operand, int64_t begin, int64_t count,
                char* tile) {
  const LoopNest& nest = run.plan.NestOf(operand);
  int64_t once = count;
  if (RepeatsRows(nest, operand)) once = std::min(nest.inner(), count);
  MoveTile(run, operand, begin, once, MovesOf(run, operand).gather, tile);
  const auto size = static_cast<size_t>(run.size(operand));
  RepeatInTile(static_cast<size_t>(once) * size,
               static_cast<size_t>(count) * size, tile);
}

// Whether all tiles of an input are equal: they have whole rows, which repeat.
bool HasEqualTiles(const LoopNest& nest, int operand, int64_t tile_elements) {
  return tile_elements % nest.inner() == 0 && RepeatsRows(nest, operand);
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

// Operands that are not contiguous go through tiles.
void RunTiles(Run& run, int64_t begin, int64_t end) {
  const Plan& plan = run.plan;
  const int out = plan.output();
  Tiles tiles(plan);
  int64_t tile_elements =
      TileElements(plan, std::min(kMergedRowBytes, tiles.bytes()));
  const bool merged = OnlyRepeats(plan, tile_elements);
  if (!merged) tile_elements = TileElements(plan, tiles.bytes());
  if (plan.IsFlatAndPacked()) tile_elements = end - begin;
  // Which tiles still hold what the next tile needs.
  bool gathered[kMaxOperands] = {};

  int64_t rows = 1;
  for (; begin < end; begin += rows * tile_elements) {
    const int64_t count = std::min(tile_elements, end - begin);
    rows = merged ? std::max((end - begin) / tile_elements, int64_t{1}) : 1;
    OwnJob job(&run.shared);
    Setup& setup = job.OwnSetup(static_cast<size_t>(out),
                                static_cast<size_t>(plan.outputs));
    for (int k = 0; k < plan.operands(); ++k) {
      const LoopNest& nest = plan.NestOf(k);
      setup.in_stride[k] = plan.IsScalar(k) ? 0 : 1;
      if (plan.IsScalar(k)) {
        job.inputs[k] = run.data[k];
        continue;
      }
      job.inputs[k] = nest.flat[k] ? FlatAt(run, k, begin) : tiles.Of(k);
      if (nest.flat[k]) setup.in_step[k] = plan.BytesTo(k, tile_elements);
      if (nest.flat[k] || gathered[k] || k >= out) continue;
      GatherTile(run, k, begin, count, tiles.Of(k));
      gathered[k] = HasEqualTiles(nest, k, tile_elements);
    }
    job.out = const_cast<void*>(job.inputs[out]);
    setup.out_step = plan.BytesTo(out, tile_elements);
    setup.first = static_cast<size_t>(begin);
    setup.alignment = plan.alignment;
    job.n = static_cast<size_t>(count);
    setup.rows = static_cast<size_t>(rows);
    setup.stream =
        run.stream &&
        MayStream(job.out, static_cast<size_t>(count * run.size(out)),
                  setup.out_step);
    RunJob(plan.kernel, job);
    NoteZeros(run, job, static_cast<uint64_t>(begin));
    for (int k = out; k < plan.operands(); ++k) {
      if (plan.nest.flat[k]) continue;
      MoveTile(run, k, begin, count, MovesOf(run, k).scatter, tiles.Of(k));
    }
  }
}

// Elements that are only moved need a tile of their own only where both sides
// are strided.
void MoveTiles(Run& run, int64_t begin, int64_t end) {
  const bool in_flat = run.plan.NestOf(0).flat[0];
  const bool out_flat = run.plan.nest.flat[1];
  if (out_flat && !in_flat) {
    MoveTile(run, 0, begin, end - begin, MovesOf(run, 0).gather,
             FlatAt(run, 1, begin));
  } else if (in_flat && !out_flat) {
    MoveTile(run, 1, begin, end - begin, MovesOf(run, 1).scatter,
             FlatAt(run, 0, begin));
  } else {
    RunTiles(run, begin, end);
  }
}

// Where element `index` of an operand lies, counted over all dims.
char* ElementAt(const Run& run, int operand, int64_t index) {
  const LoopNest& nest = run.plan.NestOf(operand);
  const int64_t row = index / nest.inner();
  return RowStart(run, nest, operand, row) + (index - row * nest.inner()) *
                                                 nest.inner_stride(operand) *
                                                 run.size(operand);
}

// How many elements lie side by side from element `index` on.
int64_t ContiguousFrom(const LoopNest& nest, int operand, int64_t index) {
  if (nest.flat[operand]) return nest.elements - index;
  const int64_t n = nest.inner();
  return nest.inner_stride(operand) == 1 ? n - index % n : 1;
}

// Elements that only the host can copy or compare cannot be gathered: the
// kernel is called for each run that is contiguous in all operands.
void RunHostStrings(Run& run) {
  const Plan& plan = run.plan;
  const int out = plan.output();
  for (int64_t i = 0; i < plan.nest.elements;) {
    int64_t count = plan.nest.elements - i;
    OwnJob job(&run.shared);
    for (int k = 0; k <= out; ++k) {
      count = std::min(count, ContiguousFrom(plan.NestOf(k), k, i));
    }
    for (int k = 0; k < out; ++k) job.inputs[k] = ElementAt(run, k, i);
    job.out = ElementAt(run, out, i);
    job.n = static_cast<size_t>(count);
    RunJob(plan.kernel, job);
    i += count;
  }
}

void RunRange(Run& run, int64_t begin, int64_t end) {
  if (!run.plan.tiled) {
    RunRows(run, begin, end);
  } else if (run.plan.moves_only) {
    MoveTiles(run, begin, end);
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
      std::min(begin + static_cast<int64_t>(run.chunk), run.plan.nest.elements);
  RunRange(run, begin, end);
}

bool IsInPlace(const Plan& plan, void* const* data) {
  for (int out = plan.output(); out < plan.operands(); ++out) {
    for (int k = 0; k < plan.output(); ++k) {
      if (data[k] == data[out]) return true;
    }
  }
  return false;
}

// Has the tasks of a run computed. What the host's parallel_for or oneTBB
// throws must be a failure of the threads, whatever it is: by then tasks may
// have written.
lw_status RunTasks(Run& run, size_t count, const Threads& threads) {
  const Label& label = run.plan.label;
  try {
    if (threads.Run(count, RunTask, &run)) return LW_OK;
    return Fail(label, LW_THREADING_FAILED,
                "the host's parallel_for reported a failure");
  } catch (const std::exception& e) {
    return Fail(label, LW_THREADING_FAILED, "the threading library failed: %s",
                e.what());
  } catch (...) {
    return Fail(label, LW_THREADING_FAILED, "the threading library failed");
  }
}

// Whether a call may store past the caches, at any size. If an input's elements
// are much wider than the output's (comparisons), few of the moved bytes are
// the output's, and such stores gain nothing.
bool SuitsStreaming(const Run& run) {
  const Plan& plan = run.plan;
  for (int out = plan.output(); out < plan.operands(); ++out) {
    for (int k = 0; k < plan.output(); ++k) {
      if (plan.element_bytes[k] > 2 * plan.element_bytes[out]) return false;
    }
    if (plan.tiled && !plan.nest.flat[out]) return false;
  }
  return true;
}

// Cuts the run into chunks and has them computed.
lw_status RunChunks(Run& run, const Threads& threads, bool in_place,
                    size_t* tasks) {
  const Plan& plan = run.plan;
  const auto elements = static_cast<size_t>(plan.nest.elements);
  const size_t moved = elements * plan.bytes_per_element;
  const Tuning::PerCostClass& tuning = plan.tuning;
  Chunks chunks = {1, elements};
  if (moved >= tuning.serial_bytes) {
    chunks =
        PlanChunks(elements, plan.bytes_per_element, threads.count(), tuning);
  }
  *tasks = chunks.count;
  run.stream = !in_place && SuitsStreaming(run) &&
               moved > (chunks.count == 1 ? tuning.stream_bytes
                                          : tuning.stream_parallel_bytes);
  if (chunks.count == 1) {
    RunRange(run, 0, plan.nest.elements);
    return LW_OK;
  }
  run.chunk = chunks.size;
  run.fp_env = FpEnv::Current();
  return RunTasks(run, chunks.count, threads);
}

uint64_t Nanoseconds() {
  return static_cast<uint64_t>(
      std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

lw_status RunPlan(const Plan& plan, const Setup& shared, const Threads& threads,
                  void* const* data, lw_zero_divisors* zeros) {
  Run run = {plan, shared, {}, false, 0, {}, {}};
  for (int k = 0; k < plan.operands(); ++k) {
    if (data[k] == nullptr) continue;
    run.data[k] =
        static_cast<char*>(data[k]) + plan.NestOf(k).start[k] * run.size(k);
  }
  const Trace& trace = plan.engine->trace;
  const uint64_t start = trace.exec() ? Nanoseconds() : 0;
  size_t tasks = 1;
  lw_status status = LW_OK;
  if (plan.host_strings) {
    RunHostStrings(run);
  } else {
    status = RunChunks(run, threads, IsInPlace(plan, data), &tasks);
  }
  if (trace.exec()) {
    trace.Exec(plan.label.name, plan.type,
               PatternName(plan.nest, plan.base_pattern, plan.outputs).c_str(),
               TargetName(plan.engine->target),
               static_cast<uint64_t>(plan.nest.elements),
               tasks == 1 ? 1 : threads.count(), Nanoseconds() - start);
  }
  *zeros = run.zeros.Get();
  return status;
}

bool IsOneJob(const Plan& plan, size_t* n, Setup* setup) {
  const LoopNest& nest = plan.nest;
  const size_t moved =
      static_cast<size_t>(nest.elements) * plan.bytes_per_element;
  if (plan.tiled || plan.host_strings || nest.rank > 2 ||
      plan.engine->trace.exec() || moved >= plan.tuning.serial_bytes ||
      moved > plan.tuning.stream_bytes) {
    return false;
  }
  // The bound tells GCC that no operand is written past the arrays.
  const int operands = std::min(plan.operands(), kMaxOperands);
  for (int k = 0; k < operands; ++k) {
    if (nest.start[k] != 0) return false;
  }
  *n = static_cast<size_t>(nest.inner()) * plan.packed;
  *setup = plan.setup != nullptr ? *plan.setup : Setup{};
  setup->rows = 1;
  setup->alignment = plan.alignment;
  setup->inputs = static_cast<size_t>(plan.output());
  setup->first = 0;
  for (int k = 0; k < operands; ++k) {
    setup->in_stride[k] = StrideOf(plan, k);
    if (nest.rank < 2) continue;
    setup->in_step[k] =
        nest.strides[k][0] * static_cast<int64_t>(plan.element_bytes[k]);
  }
  if (nest.rank == 2) {
    setup->rows = static_cast<size_t>(nest.dims[0]);
    setup->out_step = setup->in_step[plan.output()];
  }
  return true;
}

}  // namespace lanewise
