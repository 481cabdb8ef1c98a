// SPDX-License-Identifier: Apache-2.0

#include "runtime/stages/planned_stages.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "kernels/fp_env.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/status.h"
#include "runtime/plan/plan_runner.h"
#include "runtime/plan/shape.h"
#include "runtime/plan/tensor.h"
#include "runtime/reduce/reduce.h"

namespace lanewise {
namespace {

// Values start on cache lines of their own.
constexpr size_t kLine = 64;
size_t InLines(size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

// No object has more. A value has at most half of what a size_t counts to.
constexpr size_t kMostBytes = PTRDIFF_MAX - kLine;

char* FirstLine(const std::unique_ptr<MemoryUnit[]>& memory) {
  return reinterpret_cast<char*>(
      InLines(reinterpret_cast<uintptr_t>(memory.get())));
}

std::unique_ptr<MemoryUnit[]> MakeScratch(size_t bytes) {
  return std::unique_ptr<MemoryUnit[]>(
      new MemoryUnit[MemoryUnits(bytes + kLine)]);
}

constexpr size_t kMaxValues = LW_MAX_INPUTS + LW_MAX_CONSTANTS + LW_MAX_STEPS;

// The operands of a part, of all values' places.
void FindData(const Stage& stage, char* const* at, void** data) {
  for (const int32_t value : stage.reads) *data++ = at[value];
  for (const int32_t value : stage.writes) *data++ = at[value];
}

// Options for a task, which stays on its thread.
RunOptions Serial(const Engine& engine) {
  lw_run_options given = {};
  given.struct_size = sizeof(given);
  given.max_threads = 1;
  RunOptions options;
  RunOptions::Read(engine, kChainLabel, &given, &options);
  return options;
}

}  // namespace

lw_status PlannedStages::Plan(const ChainTensors& tensors) {
  lw_status status = call_->Resolve(tensors.inputs, tensors.input_count);
  if (status == LW_OK) {
    status = call_->CheckOutputs(tensors.outputs, tensors.output_count);
  }
  if (status != LW_OK) return status;
  kept_.Keep(tensors);
  call_->Keep(kept_.inputs(), kept_.outputs());
  const Chain& chain = *stages_.chain;
  for (size_t k = 0; k < chain.outputs.size(); ++k) {
    const auto value =
        static_cast<int32_t>(chain.first_step() + chain.SourceOf(k));
    if (call_->ElementsOf(value) != 0) {
      needed_ |= chain.steps[chain.SourceOf(k)].needs;
    }
  }
  if (needed_ == 0) return LW_OK;  // no output has elements
  FindSites(stages_, *call_, chain.engine->executor->Threads(), &sites_);
  const Frame& frame = sites_.frame;
  status = MakeSet(frame.extent, &sets_[0]);
  if (status == LW_OK && frame.whole % frame.extent != 0) {
    status = MakeSet(frame.whole % frame.extent, &sets_[1]);
  }
  if (status != LW_OK) return status;

  return PlaceScratch();
}

void PlannedStages::Count(int64_t numbers) {
  const size_t known = counted_.size();
  counted_.resize(std::max(known, static_cast<size_t>(numbers)));
  std::iota(counted_.begin() + static_cast<ptrdiff_t>(known), counted_.end(),
            static_cast<int64_t>(known));
}

lw_status PlannedStages::FailBytes() const {
  return Fail(stages_.chain->label(), LW_SIZE_OVERFLOW,
              "the bytes of the values between reductions overflow");
}

lw_status PlannedStages::PlaceScratch() {
  size_t widest = 0;
  // First, where the values of a slice lie.
  size_t bytes = InLines(sites_.values.size() * sizeof(char*));
  for (size_t v = 0; v < sites_.values.size(); ++v) {
    Site& site = sites_.values[v];
    widest = std::max(widest, site.bytes);
    if (site.kind == Site::kCounted) {
      const int64_t numbers = call_->ElementsOf(static_cast<int32_t>(v));
      if (static_cast<size_t>(numbers) > kMostBytes / sizeof(numbers)) {
        return FailBytes();
      }
      Count(numbers);
    }
    if (site.kind != Site::kScratch) continue;
    int64_t count = 0;
    CountElements(DimsOf(sets_[0].views[v].tensor), &count);
    site.index = bytes;
    bytes += InLines(static_cast<size_t>(count) * site.bytes);
    if (bytes > kMostBytes) return FailBytes();
  }
  scratch_bytes_ = bytes;
  frame_bytes_ = static_cast<size_t>(sites_.frame.elements) * widest;
  scratch_.memory = MakeScratch(bytes);
  return LW_OK;
}

void PlannedStages::MakeView(const Site& site, int64_t extent,
                             View* view) const {
  const Frame& frame = sites_.frame;
  view->dims = site.dims;
  view->strides = site.strides;
  for (size_t i = 0; i < site.dims.size(); ++i) {
    if (site.dims[i] == 1) continue;
    for (size_t k = 0; k < frame.free.size() && k <= frame.split; ++k) {
      if (frame.free[k] != site.frame_dims[i]) continue;
      if (k < frame.split) view->dims[i] = 1;
      if (k == frame.split && frame.whole != 1) view->dims[i] = extent;
    }
  }
  const auto rank = static_cast<int32_t>(site.dims.size());
  view->tensor = {nullptr, site.type, rank, view->dims.data(), nullptr, 0};
  if (site.kind == Site::kScratch) {
    FindStrides(view->tensor, view->strides.data());
  }
  view->tensor.strides = view->strides.data();
}

bool PlannedStages::IsLarge() const {
  const Engine& engine = *stages_.chain->engine;
  size_t bytes = 0;
  for (size_t v = 0; v < sites_.values.size(); ++v) {
    const Site& site = sites_.values[v];
    if (site.kind != Site::kInput && site.kind != Site::kOutput) continue;
    bytes += site.bytes *
             static_cast<size_t>(call_->ElementsOf(static_cast<int32_t>(v)));
  }
  const Tuning::PerCostClass tuning =
      engine.tuning.For(CostClass::kTranscendental, 1);
  return bytes > (engine.executor->Threads() == 1
                      ? tuning.stream_bytes
                      : tuning.stream_parallel_bytes);
}

bool PlannedStages::WritesOnlyOutputs(const Stage& stage) const {
  return std::all_of(
      stage.writes.begin(), stage.writes.end(), [&](int32_t value) {
        const auto reads = [&](const Stage& other) {
          return std::count(other.reads.begin(), other.reads.end(), value) != 0;
        };
        return sites_.values[static_cast<size_t>(value)].kind ==
                   Site::kOutput &&
               std::none_of(stages_.stages.begin(), stages_.stages.end(),
                            reads);
      });
}

lw_status PlannedStages::MakeSet(int64_t extent, StageSet* set) {
  const bool is_large = sites_.frame.slices > 1 && IsLarge();
  set->views.resize(sites_.values.size());
  for (size_t v = 0; v < sites_.values.size(); ++v) {
    if (sites_.values[v].kind == Site::kNone) continue;
    MakeView(sites_.values[v], extent, &set->views[v]);
  }
  for (const Stage& stage : stages_.stages) {
    set->parts.emplace_back();
    set->reductions.emplace_back();
    set->spreads.emplace_back();
    if (stage.part == nullptr) {
      MakeReduction(stage, set);
      continue;
    }
    const lw_status status = MakePart(stage, is_large, set);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

int64_t PlannedStages::ChannelsOfGroup(const Stage& stage) const {
  const ChainStep& step = stages_.chain->steps[stage.steps[0]];
  const StepRule& rule = step.node->rule;
  if (rule.kind != StepRule::kGroup && rule.kind != StepRule::kReduceGroups) {
    return 0;
  }
  return call_->TensorOf(step.operands[0]).dims[1] / rule.number;
}

void PlannedStages::MakeReduction(const Stage& stage, StageSet* set) const {
  const auto result = static_cast<size_t>(stage.writes[0]);
  if (call_->ElementsOf(stage.writes[0]) == 0) return;
  const size_t step = stage.steps[0];
  const Node& node = *stages_.chain->steps[step].node;
  const lw_tensor& in = set->views[static_cast<size_t>(stage.reads[0])].tensor;
  const lw_tensor& out = set->views[result].tensor;
  const lw_tensor& whole = call_->TensorOf(stage.reads[0]);
  const uint64_t reduced = call_->ReducedOf(step);
  const int64_t each = ChannelsOfGroup(stage);
  if (each == 0) {
    set->reductions.back() =
        std::make_unique<ReducePlan>(node, in, out, reduced, whole);
    return;
  }
  // Of the two dims that dim 1 becomes, the second is reduced.
  const DividedTensor from(in, each), to(out, each), all(whole, each);
  set->reductions.back() = std::make_unique<ReducePlan>(
      node, from.tensor(), to.tensor(), reduced << 1, all.tensor());
  int64_t channels = 0;
  CountElements(DimsOf(out), &channels);
  set->spreads.back() = {channels / each, each,
                         static_cast<int64_t>(sites_.values[result].bytes)};
}

lw_status PlannedStages::MakePart(const Stage& stage, bool is_large,
                                  StageSet* set) const {
  // Of a step for each group, the operands behind the first are one value,
  // which has groups already.
  const int64_t each = ChannelsOfGroup(stage);
  const int32_t of_groups =
      each == 0 ? -1 : stages_.chain->steps[stage.steps[0]].operands[1];
  std::vector<DividedTensor> divided;
  if (each != 0) divided.reserve(kMaxOperands);
  const auto tensor = [&](int32_t value) {
    const lw_tensor& whole = set->views[static_cast<size_t>(value)].tensor;
    if (each == 0 || value == of_groups) return whole;
    return divided.emplace_back(whole, each).tensor();
  };
  std::vector<lw_tensor> inputs;
  std::vector<lw_tensor> outputs;
  for (const int32_t value : stage.reads) inputs.push_back(tensor(value));
  for (const int32_t value : stage.writes) outputs.push_back(tensor(value));
  auto part = std::make_unique<PreparedChain>(
      stage.part, stage.part->MostRank(inputs.data(), inputs.size()));
  const lw_status status = part->Prepare(
      {inputs.data(), inputs.size(), outputs.data(), outputs.size()},
      is_large && WritesOnlyOutputs(stage));
  if (status == LW_OK) set->parts.back() = std::move(part);
  return status;
}

void PlannedStages::FindPlaces(void* const* data, char* scratch, int64_t slice,
                               char** at) const {
  const Chain& chain = *stages_.chain;
  const Frame& frame = sites_.frame;
  int64_t index[LW_MAX_RANK] = {};  // by dim of the frame
  const bool has_part = frame.whole != 1;
  for (size_t k = frame.split + has_part; k-- > 0;) {
    const auto dim = static_cast<size_t>(frame.free[k]);
    const bool is_part = k == frame.split;
    const int64_t extent = is_part ? frame.extent : 1;
    const int64_t count = (frame.dims[dim] + extent - 1) / extent;
    index[dim] = slice % count * extent;
    slice /= count;
  }
  for (size_t v = 0; v < sites_.values.size(); ++v) {
    const Site& site = sites_.values[v];
    char* base = nullptr;
    switch (site.kind) {
      case Site::kNone:
        continue;
      case Site::kScratch:
        at[v] = scratch + site.index;
        continue;
      case Site::kInput:
        base = static_cast<char*>(data[site.index]);
        break;
      case Site::kOutput:
        base = static_cast<char*>(data[chain.inputs() + site.index]);
        break;
      case Site::kCounted:
        base = reinterpret_cast<char*>(const_cast<int64_t*>(counted_.data()));
        break;
      case Site::kConstant:
        base = static_cast<char*>(chain.constants[site.index].tensor.data);
        break;
    }
    int64_t offset = 0;
    for (size_t i = 0; i < site.dims.size(); ++i) {
      if (site.dims[i] == 1) continue;
      offset += index[site.frame_dims[i]] * site.strides[i];
    }
    at[v] = base + offset * static_cast<int64_t>(site.bytes);
  }
}

lw_status PlannedStages::RunPart(const RunOptions& options, const Stage& stage,
                                 const PreparedChain& part, char* const* at,
                                 SharedZeros* zeros) const {
  void* data[kMaxOperands];
  FindData(stage, at, data);
  return zeros == nullptr ? part.planned().RunChecked(options, data, zeros)
                          : RunPartCounting(options, stage, part, data, zeros);
}

// Apart, as other runs need no memory for counts.
[[gnu::noinline]] lw_status PlannedStages::RunPartCounting(
    const RunOptions& options, const Stage& stage, const PreparedChain& part,
    void* const* data, SharedZeros* zeros) const {
  SharedZeros own[LW_MAX_STEPS];
  const lw_status status = part.planned().RunChecked(options, data, own);
  for (size_t k = 0; k < stage.steps.size(); ++k) {
    const lw_zero_divisors found = own[k].Get();
    if (found.count == 0 || (needed_ >> stage.steps[k] & 1) == 0) continue;
    zeros[stage.steps[k]].Note(found.first, found.count);
  }
  return status;
}

lw_status PlannedStages::RunStages(const RunOptions& options,
                                   const StageSet& set, char* const* at,
                                   SharedZeros* zeros) const {
  lw_status status = LW_OK;
  for (size_t k = 0; k < stages_.stages.size() && status == LW_OK; ++k) {
    const Stage& stage = stages_.stages[k];
    if (set.parts[k] != nullptr) {
      status = RunPart(options, stage, *set.parts[k], at, zeros);
    } else if (set.reductions[k] != nullptr) {
      char* const to = at[stage.writes[0]];
      status = RunReduction(*set.reductions[k], at[stage.reads[0]], to,
                            options.threads(*stages_.chain->engine));
      set.spreads[k].Run(to);
    }
  }
  return status;
}

lw_status PlannedStages::RunSlices(const RunOptions& options, void* const* data,
                                   char* scratch, int64_t begin, int64_t end,
                                   SharedZeros* zeros) const {
  const Frame& frame = sites_.frame;
  const int64_t of_dim = (frame.whole + frame.extent - 1) / frame.extent;
  const bool has_rest = frame.whole % frame.extent != 0;
  auto** at = reinterpret_cast<char**>(scratch);
  for (int64_t slice = begin; slice < end; ++slice) {
    FindPlaces(data, scratch, slice, at);
    const bool is_rest = has_rest && slice % of_dim == of_dim - 1;
    const lw_status status = RunStages(options, sets_[is_rest], at, zeros);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

size_t PlannedStages::TasksOf(const RunOptions& options) const {
  const Engine& engine = *stages_.chain->engine;
  const Tuning::PerCostClass tuning =
      engine.tuning.For(CostClass::kTranscendental, 1);
  if (sites_.frame.slices == 1 || frame_bytes_ < tuning.serial_bytes) return 1;
  const size_t repaid =
      frame_bytes_ / std::max<size_t>(1, tuning.serial_bytes / 2);
  return std::min({options.threads(engine).count(), repaid,
                   static_cast<size_t>(sites_.frame.slices)});
}

struct PlannedStages::Task {
  const PlannedStages& stages;
  const RunOptions& options;
  void* const* data;
  char* scratch;
  size_t tasks;
  FpEnv::Word fp_env;
  std::atomic<bool> failed;

  static void Run(void* given, size_t index) {
    Task& task = *static_cast<Task*>(given);
    const FpEnv as_the_callers(task.fp_env);
    const PlannedStages& stages = task.stages;
    const auto slices = static_cast<size_t>(stages.sites_.frame.slices);
    const auto bound = [&](size_t k) {
      return static_cast<int64_t>(slices * k / task.tasks);
    };
    const lw_status status = stages.RunSlices(
        task.options, task.data, task.scratch + index * stages.scratch_bytes_,
        bound(index), bound(index + 1), nullptr);
    if (status != LW_OK) task.failed = true;
  }
};

lw_status PlannedStages::RunOnThreads(const RunOptions& options,
                                      void* const* data, size_t tasks) const {
  const Engine& engine = *stages_.chain->engine;
  if (scratch_bytes_ > kMostBytes / tasks) {
    return Fail(stages_.chain->label(), LW_SIZE_OVERFLOW,
                "the bytes of the values between reductions overflow");
  }
  const auto memory = MakeScratch(tasks * scratch_bytes_);
  const RunOptions serial = Serial(engine);
  Task task = {*this, serial,           data, FirstLine(memory),
               tasks, FpEnv::Current(), false};
  const lw_status status = RunTasks(
      stages_.chain->label(), options.threads(engine), tasks, Task::Run, &task);
  if (status != LW_OK || !task.failed) return status;
  return Fail(stages_.chain->label(), LW_THREADING_FAILED, "a task failed");
}

lw_status PlannedStages::RunHere(const RunOptions& options, void* const* data,
                                 SharedZeros* zeros) const {
  // Another thread may have the plan's own memory.
  const Taker taker(scratch_);
  const auto other = taker.is_mine ? nullptr : MakeScratch(scratch_bytes_);
  const auto& memory = taker.is_mine ? scratch_.memory : other;
  return RunSlices(options, data, FirstLine(memory), 0, sites_.frame.slices,
                   zeros);
}

[[gnu::noinline]] lw_status PlannedStages::RunCounting(
    const RunOptions& options, void* const* data) const {
  SharedZeros zeros[LW_MAX_STEPS];
  const lw_status status = RunHere(options, data, zeros);
  if (status != LW_OK) return status;
  return ReportZeros(*stages_.chain, options, zeros);
}

// The values of all slices lie to each other as those of the first one do.
[[gnu::noinline]] lw_status PlannedStages::CheckPlaces(
    void* const* data) const {
  lw_status status = call_->CheckPlaces(data);
  char* at[kMaxValues];
  FindPlaces(data, FirstLine(scratch_.memory), 0, at);
  for (size_t k = 0; k < stages_.stages.size() && status == LW_OK; ++k) {
    const auto& part = sets_[0].parts[k];
    void* of_part[kMaxOperands];
    if (part == nullptr) continue;
    FindData(stages_.stages[k], at, of_part);
    status = part->planned().CheckPlaces(of_part);
    if (status == LW_OVERLAP) {
      return Fail(stages_.chain->label(), LW_OVERLAP,
                  "an output overlaps an input that is read for another value "
                  "of a larger shape");
    }
  }
  return status;
}

lw_status PlannedStages::Run(const RunOptions& options,
                             void* const* data) const {
  const Chain& chain = *stages_.chain;
  lw_status status =
      needed_ == 0 ? call_->CheckPlaces(data) : CheckPlaces(data);
  if (status != LW_OK) return status;
  if (needed_ == 0) return ReportZeros(chain, options, nullptr);
  const FpEnv without_flags(FpEnv::Current());
  const size_t tasks = TasksOf(options);
  if (tasks > 1) {
    status = RunOnThreads(options, data, tasks);
  } else if (sites_.frame.slices > 1) {
    status = RunHere(Serial(*chain.engine), data, nullptr);
  } else if (!chain.reports_zeros) {
    // A single slice may use all threads.
    status = RunHere(options, data, nullptr);
  } else {
    return RunCounting(options, data);
  }
  return status == LW_OK ? ReportZeros(chain, options, nullptr) : status;
}

}  // namespace lanewise
