// SPDX-License-Identifier: Apache-2.0
//
// A call stores past the caches if it moves more bytes than the last-level
// caches of its threads hold, or on one thread more than three quarters of
// the cache (stream_parallel_bytes and stream_bytes of a tuning file). Not
// streamed are calls that are in place, scatter their output, or have an
// input whose elements are more than twice as wide as the output's. Rows and
// tiles of less than 16 KiB are streamed only if they start and end on cache
// lines: a line that is stored in part takes many times as long.

#include "runtime/plan/plan_runner.h"

#include <algorithm>
#include <exception>

#include "hwy/cache_control.h"
#include "kernels/fp_env.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/isa.h"
#include "runtime/engine/status.h"
#include "runtime/engine/types.h"
#include "runtime/plan/chunking.h"
#include "runtime/plan/own_job.h"
#include "runtime/plan/run.h"
#include "runtime/plan/run_tiles.h"

namespace lanewise {
namespace {

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
  return RunTasks(plan.label, threads, chunks.count, RunTask, &run);
}

}  // namespace

// What the host's parallel_for or oneTBB throws must be a failure of the
// threads, whatever it is: by then tasks may have written.
lw_status RunTasks(const Label& label, const Threads& threads, size_t count,
                   lw_task task, void* data) {
  try {
    if (threads.Run(count, task, data)) return LW_OK;
    return Fail(label, LW_THREADING_FAILED,
                "the host's parallel_for reported a failure");
  } catch (const std::exception& e) {
    return Fail(label, LW_THREADING_FAILED, "the threading library failed: %s",
                e.what());
  } catch (...) {
    return Fail(label, LW_THREADING_FAILED, "the threading library failed");
  }
}

lw_status RunPlan(const Plan& plan, const Setup& shared, const Threads& threads,
                  void* const* data, lw_zero_divisors* zeros) {
  Run run = {plan, shared, {}, false, 0, {}, {}};
  for (int k = 0; k < plan.operands(); ++k) {
    if (data[k] == nullptr) continue;
    run.data[k] =
        static_cast<char*>(data[k]) + plan.NestOf(k).start[k] * run.size(k);
  }
  const Trace& trace = plan.engine->trace;
  const uint64_t start = trace.exec() ? Trace::Nanoseconds() : 0;
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
               tasks == 1 ? 1 : threads.count(), Trace::Nanoseconds() - start);
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
