// SPDX-License-Identifier: Apache-2.0
//
// A task reduces the sequences of some outputs, or, where these are few, only
// some pieces of the sequences: 2^k of them, so that the results of the groups
// are those of the tree's inner nodes (kernels/reduction.h).

#include "runtime/reduce/reduce.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <new>

#include "kernels/fp_env.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/isa.h"
#include "runtime/engine/trace.h"
#include "runtime/plan/plan_runner.h"
#include "runtime/reduce/feeds.h"
#include "runtime/reduce/pieces.h"
#include "runtime/reduce/sequences.h"

namespace lanewise {
namespace {

constexpr size_t kFrameBytes = size_t{14} << 10;
// A finished block of outputs fits a tile.
constexpr size_t kMostOfBlock = kTileBytes / kMostAccumulatorBytes;

// Some pieces of all sequences.
struct Range {
  uint64_t begin;
  uint64_t end;
};

// Outputs whose sequences are reduced together: neighbours of the innermost
// dim that is kept; of sequences along memory, a single one.
struct Block {
  int64_t first;  // output
  size_t n;
};

int64_t BytesOf(const Node& node, int32_t type) {
  return static_cast<int64_t>(node.LayoutOf(type).bits / 8);
}

struct Run {
  const ReducePlan& plan;
  const char* const from;
  char* const to;
  const void* const params = &plan.node.params;
  const FpEnv::Word fp_env = FpEnv::Current();
  // Of the tasks.
  int64_t units_of_task = 0;
  uint64_t pieces_of_group = 0;
  uint64_t groups = 1;
  const Reduction* kernels = &plan.kernels;
  // Where groups end: accumulators by group, then output.
  char* partial = nullptr;
  // The accumulators of Reduction::before by output, if they are known.
  const char* centers = nullptr;

  Range all() const { return {0, plan.pieces}; }
  Block BlockOf(int64_t unit) const {
    const int64_t inner = plan.sequences.kept.inner().size;
    const int64_t at = unit % plan.blocks * plan.most;
    return {unit / plan.blocks * inner + at,
            static_cast<size_t>(std::min(plan.most, inner - at))};
  }
};

// The bytes of `n` accumulators, as a frame has them.
constexpr size_t AccumulatorBytes(size_t n) {
  return (n + 7) / 8 * 8 * kMostAccumulatorBytes;
}

// The memory of a task.
struct Frame {
  alignas(64) char memory[kFrameBytes];
  alignas(64) char tile[kTileBytes];

  // Accumulators of a block of `n`, or the partial results of one sequence.
  char* sums() { return memory; }
  char* center(size_t n) {
    return memory + AccumulatorBytes(std::max(n, kPartials));
  }
  char* levels(size_t n) { return center(n) + AccumulatorBytes(n); }
};

// As many outputs as the frame has room for.
int64_t MostOfBlock(uint64_t pieces) {
  const size_t room = kFrameBytes - AccumulatorBytes(kPartials);
  const size_t blocks = 2 + Pieces::LevelsOf(pieces);
  const size_t n = room / blocks / kMostAccumulatorBytes;
  return static_cast<int64_t>(std::min(kMostOfBlock, n - n % 8));
}

// Reduces pieces of a block's sequences: the accumulators are at frame.sums().
void ReduceBlock(const Run& run, const Reduction& kernels, const Block& block,
                 const Range& range, const void* center, Frame& frame) {
  const bool along = run.plan.sequences.along;
  char* sums = frame.sums();
  Pieces tree(kernels, run.params, frame.levels(block.n),
              AccumulatorBytes(block.n), block.n);
  const uint64_t length = along ? kPieceElements : kRowsOfPiece;
  const auto count = static_cast<uint64_t>(run.plan.sequences.reduced.elements);
  Feed feed = {};
  feed.params = run.params;
  feed.n = block.n;
  feed.accumulators = sums;
  feed.center = center;
  for (uint64_t piece = range.begin; piece < range.end; ++piece) {
    const auto begin = static_cast<int64_t>(piece * length);
    const auto end =
        static_cast<int64_t>(std::min(count, (piece + 1) * length));
    const char* in = run.from + run.plan.sequences.kept.In(block.first);
    kernels.start(sums, along ? kPartials : block.n);
    if (along) {
      run.plan.feeder.Along(kernels, in, begin, end, frame.tile, &feed);
      kernels.fold(run.params, sums);
    } else {
      run.plan.feeder.Across(kernels, in, begin, end, frame.tile, &feed);
    }
    tree.Add(sums);
  }
  kernels.start(sums, block.n);
  tree.Finish(sums);
}

void FinishBlock(const Run& run, const Block& block, const void* center,
                 const void* sums, char* tile) {
  const ReduceDims& kept = run.plan.sequences.kept;
  char* out = run.to + kept.Out(block.first);
  const bool is_flat = block.n == 1 || kept.inner().out == run.plan.out_bytes;
  run.kernels->finish(
      {run.params, sums, center, block.n,
       static_cast<uint64_t>(run.plan.sequences.reduced.elements),
       is_flat ? out : tile});
  if (is_flat) return;
  const TileMoves& moves = run.plan.feeder.MovesOf(run.plan.out_bytes);
  RunMove(moves.scatter,
          {out, 0, 1, kept.inner().out / run.plan.out_bytes, block.n}, tile);
}

// Where the centers of a block are, computed now if they are not known.
const void* CenterOf(const Run& run, const Block& block, Frame& frame) {
  const Reduction* before = run.kernels->before;
  if (before == nullptr) return nullptr;
  if (run.centers != nullptr) {
    return run.centers +
           static_cast<size_t>(block.first) * before->accumulator_bytes;
  }
  ReduceBlock(run, *before, block, run.all(), nullptr, frame);
  char* center = frame.center(block.n);
  std::memcpy(center, frame.sums(), block.n * before->accumulator_bytes);
  return center;
}

char* PartialOf(const Run& run, uint64_t group, int64_t output) {
  const auto outputs = static_cast<uint64_t>(run.plan.sequences.kept.elements);
  return run.partial + (group * outputs + static_cast<uint64_t>(output)) *
                           run.kernels->accumulator_bytes;
}

void RunBlock(const Run& run, const Block& block, uint64_t group,
              Frame& frame) {
  const void* center = CenterOf(run, block, frame);
  Range range = run.all();
  if (run.groups > 1) {
    range.begin = group * run.pieces_of_group;
    range.end = std::min(run.plan.pieces, range.begin + run.pieces_of_group);
  }
  ReduceBlock(run, *run.kernels, block, range, center, frame);
  if (run.groups == 1) {
    FinishBlock(run, block, center, frame.sums(), frame.tile);
    return;
  }
  std::memcpy(PartialOf(run, group, block.first), frame.sums(),
              block.n * run.kernels->accumulator_bytes);
}

// Outputs whose sequences are rows in memory.
void RunWholeRows(const Run& run, int64_t begin, int64_t end) {
  const ReduceDims& kept = run.plan.sequences.kept;
  const ReduceDim& inner = kept.inner();
  while (begin < end) {
    const int64_t rows = std::min(end - begin, inner.size - begin % inner.size);
    run.kernels->rows({run.params, run.from + kept.In(begin),
                       static_cast<size_t>(run.plan.sequences.reduced.elements),
                       static_cast<size_t>(rows), inner.in,
                       run.to + kept.Out(begin), inner.out});
    begin += rows;
  }
}

void RunUnits(const Run& run, int64_t begin, int64_t end, uint64_t group) {
  if (run.plan.whole_rows && run.groups == 1)
    return RunWholeRows(run, begin, end);
  Frame frame;
  for (int64_t unit = begin; unit < end; ++unit) {
    RunBlock(run, run.BlockOf(unit), group, frame);
  }
}

void RunTask(void* data, size_t index) {
  const Run& run = *static_cast<const Run*>(data);
  const FpEnv as_the_callers(run.fp_env);
  const auto task = static_cast<int64_t>(index / run.groups);
  const int64_t begin = task * run.units_of_task;
  RunUnits(run, begin, std::min(run.plan.units, begin + run.units_of_task),
           index % run.groups);
}

lw_status RunOnThreads(Run& run, const Threads& threads) {
  const auto tasks = static_cast<uint64_t>(
      (run.plan.units + run.units_of_task - 1) / run.units_of_task);
  return RunTasks(run.plan.node.label, threads, tasks * run.groups, RunTask,
                  &run);
}

// Combines what the groups gave, and hands the accumulators of each block to
// `use`.
template <class Use>
[[gnu::noinline]] void JoinGroups(const Run& run, const Use& use) {
  Frame frame;
  for (int64_t unit = 0; unit < run.plan.units; ++unit) {
    const Block block = run.BlockOf(unit);
    const size_t bytes = block.n * run.kernels->accumulator_bytes;
    Pieces tree(*run.kernels, run.params, frame.levels(block.n),
                AccumulatorBytes(block.n), block.n);
    for (uint64_t group = 0; group < run.groups; ++group) {
      std::memcpy(frame.sums(), PartialOf(run, group, block.first), bytes);
      tree.Add(frame.sums());
    }
    tree.Finish(frame.sums());
    use(block, frame);
  }
}

// Few outputs of long sequences, whose pieces are shared among threads.
lw_status RunGroups(Run& run, const Threads& threads) {
  const auto outputs = static_cast<size_t>(run.plan.sequences.kept.elements);
  const Reduction* last = run.kernels;
  const size_t most = outputs * kMostAccumulatorBytes;
  const std::unique_ptr<char[]> partial(
      new (std::nothrow) char[run.groups * most]);
  const std::unique_ptr<char[]> centers(new (std::nothrow) char[most]);
  if (partial == nullptr || centers == nullptr) {
    run.groups = 1;
    RunUnits(run, 0, run.plan.units, 0);
    return LW_OK;
  }
  run.partial = partial.get();
  if (last->before != nullptr) {
    run.kernels = last->before;
    const lw_status status = RunOnThreads(run, threads);
    if (status != LW_OK) return status;
    const size_t each = run.kernels->accumulator_bytes;
    JoinGroups(run, [&](const Block& block, Frame& frame) {
      std::memcpy(centers.get() + static_cast<size_t>(block.first) * each,
                  frame.sums(), block.n * each);
    });
    run.kernels = last;
    run.centers = centers.get();
  }
  const lw_status status = RunOnThreads(run, threads);
  if (status != LW_OK) return status;
  JoinGroups(run, [&](const Block& block, Frame& frame) {
    FinishBlock(run, block, CenterOf(run, block, frame), frame.sums(),
                frame.tile);
  });
  return LW_OK;
}

// How many tasks the elements repay; 1: the calling thread does all the work.
int64_t TasksOf(const Run& run, size_t threads) {
  const ReducePlan& plan = run.plan;
  const Tuning::PerCostClass tuning = plan.node.TuningOf(plan.type);
  const auto bytes = static_cast<size_t>(run.plan.sequences.kept.elements *
                                         run.plan.sequences.reduced.elements *
                                         run.plan.feeder.element_bytes());
  if (threads <= 1 || bytes < tuning.serial_bytes) return 1;
  const size_t repaid = bytes / std::max<size_t>(1, tuning.serial_bytes / 2);
  threads = std::min(threads, repaid);
  const size_t wanted = std::max<size_t>(1, bytes / tuning.chunk_bytes);
  return static_cast<int64_t>((wanted + threads - 1) / threads * threads);
}

// Shares the work among `tasks`.
void Share(int64_t tasks, Run* run) {
  run->units_of_task =
      std::max<int64_t>(1, (run->plan.units + tasks - 1) / tasks);
  const int64_t of_unit = tasks / run->plan.units;
  if (of_unit <= 1 || run->plan.pieces < 2) return;
  const auto groups =
      std::min(static_cast<uint64_t>(of_unit), run->plan.pieces);
  run->pieces_of_group =
      std::bit_ceil((run->plan.pieces + groups - 1) / groups);
  run->groups =
      (run->plan.pieces + run->pieces_of_group - 1) / run->pieces_of_group;
}

}  // namespace

ReducePlan::ReducePlan(const Node& node_, const lw_tensor& in,
                       const lw_tensor& out, uint64_t reduced_dims,
                       const lw_tensor& whole)
    : node(node_),
      kernels(*node.Bind(in.type)->reduction),
      type(in.type),
      out_bytes(BytesOf(node, out.type)),
      feeder(sequences, BytesOf(node, in.type), node.engine->tile_moves) {
  const int64_t in_bytes = feeder.element_bytes();
  FindSequences(in, out, reduced_dims, in_bytes, out_bytes, &sequences);
  sequences.along = IsAlong(whole, reduced_dims);
  const ReduceDims& reduced = sequences.reduced;
  const uint64_t length = sequences.along ? kPieceElements : kRowsOfPiece;
  pieces = (static_cast<uint64_t>(reduced.elements) + length - 1) / length;
  whole_rows = sequences.along && pieces == 1 && reduced.rank == 1 &&
               reduced.inner().in == in_bytes;
  if (!sequences.along) most = MostOfBlock(pieces);
  const int64_t inner = sequences.kept.inner().size;
  blocks = (inner + most - 1) / most;
  units = sequences.kept.elements / inner * blocks;
}

lw_status RunReduction(const ReducePlan& plan, const void* from, void* to,
                       const Threads& threads) {
  const Trace& trace = plan.node.engine->trace;
  const uint64_t start = trace.exec() ? Trace::Nanoseconds() : 0;
  Run run = {plan, static_cast<const char*>(from), static_cast<char*>(to)};
  const int64_t tasks = TasksOf(run, threads.count());
  lw_status status = LW_OK;
  if (tasks == 1) {
    RunUnits(run, 0, plan.units, 0);
  } else {
    Share(tasks, &run);
    status =
        run.groups > 1 ? RunGroups(run, threads) : RunOnThreads(run, threads);
  }
  if (trace.exec()) {
    const Sequences& of = plan.sequences;
    trace.Exec(plan.node.label.name, plan.type, of.along ? "along" : "across",
               TargetName(plan.node.engine->target),
               static_cast<uint64_t>(of.kept.elements * of.reduced.elements),
               tasks == 1 ? 1 : threads.count(), Trace::Nanoseconds() - start);
  }
  return status;
}

}  // namespace lanewise
