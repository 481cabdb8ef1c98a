// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/prepared_chain.h"

#include <algorithm>

#include "runtime/engine/engine.h"
#include "runtime/engine/status.h"
#include "runtime/plan/plan_runner.h"

namespace lanewise {

lw_status ReportZeros(const Chain& chain, const RunOptions& options,
                      const SharedZeros* zeros) {
  for (size_t s = 0; zeros != nullptr && s < chain.steps.size(); ++s) {
    const lw_zero_divisors found = zeros[s].Get();
    if (found.count == 0) continue;
    options.StoreZeros(found);
    if (chain.engine->allow_zero_divisor) return LW_OK;
    return chain.FailIn(s, FailZeroDivisors(chain.steps[s].node->label, found));
  }
  options.StoreZeros({});
  return LW_OK;
}

namespace {

// Calls run(zeros), with an entry for each step if a step reports zeros.
template <class Run>
lw_status CountingZeros(const Chain& chain, const RunOptions& options,
                        const Run& run) {
  if (!chain.reports_zeros) {
    const lw_status status = run(nullptr);
    return status == LW_OK ? ReportZeros(chain, options, nullptr) : status;
  }
  SharedZeros zeros[LW_MAX_STEPS];
  const lw_status status = run(zeros);
  return status == LW_OK ? ReportZeros(chain, options, zeros) : status;
}

}  // namespace

lw_status PlannedChain::Check(const ChainTensors& tensors) {
  plan_count_ = 0;
  const lw_status status = call_.Resolve(tensors.inputs, tensors.input_count);
  return status == LW_OK
             ? call_.CheckOutputs(tensors.outputs, tensors.output_count)
             : status;
}

void PlannedChain::AddPlan(ChainPlan* plan) {
  MakeChainPlan(call_, call_.pass(plan_count_), plan);
  plans_[plan_count_++] = plan;
}

void PlannedChain::Finish() {
  const size_t inputs = chain_.inputs();
  place_count_ = 0;
  for (size_t k = 0; k < inputs + chain_.outputs.size(); ++k) {
    if (k < inputs && !call_.IsRead(k)) continue;
    places_[place_count_++] = {k, k >= inputs, call_.alignment_mask(k),
                               call_.extent(k)};
  }
  is_one_job_ = plan_count_ == 1 && !chain_.reports_zeros &&
                IsOneJob(plans_[0]->plan, &n_, &setup_);
}

lw_status PreparedChain::Prepare(const ChainTensors& tensors, bool streams) {
  // What is wrong with the counts, the ranks or the dims is found before these
  // are copied.
  const lw_status status = planned_->Check(tensors);
  if (status != LW_OK) return status;
  kept_.Keep(tensors);
  planned_->Keep(kept_.inputs(), kept_.outputs());
  for (size_t at = 0; at < planned_->passes(); ++at) {
    plans_.push_back(std::make_unique<WithMemory<ChainPlan>>(*chain_, rank_));
    ChainPlan& plan = **plans_.back();
    planned_->AddPlan(&plan);
    if (streams) plan.plan.tuning.stream_bytes = 0;
    spreads_.push_back(ReadySpreads(plan));
    plan.program.ready_spreads =
        reinterpret_cast<const char*>(spreads_.back().data());
  }
  planned_->Finish();
  return LW_OK;
}

lw_status PreparedChain::Run(const RunOptions* options,
                             const void* const* inputs,
                             void* const* outputs) const {
  const size_t input_count = chain_->inputs();
  if ((inputs == nullptr && input_count != 0) || outputs == nullptr) {
    return Fail(chain_->label(), LW_INVALID_ARGUMENT, "%s is NULL",
                outputs == nullptr ? "outputs" : "inputs");
  }
  void* data[kMaxOperands];
  for (size_t k = 0; k < input_count; ++k) {
    data[k] = const_cast<void*>(inputs[k]);
  }
  std::copy_n(outputs, chain_->outputs.size(), data + input_count);
  if (options != nullptr) return planned_->Run(*options, data);
  return planned_->Run(RunOptions(), data);
}

bool PlannedChain::ArePlain(void* const* data) const {
  const auto at = [&](const PlaceInMemory& place, int64_t offset) {
    return reinterpret_cast<uintptr_t>(data[place.tensor]) +
           static_cast<uintptr_t>(offset);
  };
  bool plain = true;
  for (size_t k = 0; k < place_count_; ++k) {
    const PlaceInMemory& own = places_[k];
    plain &= data[own.tensor] != nullptr;
    plain &= (at(own, 0) & own.alignment_mask) == 0;
    for (size_t j = 0; own.is_output && j < k; ++j) {
      const PlaceInMemory& other = places_[j];
      plain &= at(own, own.extent.high) <= at(other, other.extent.low) ||
               at(other, other.extent.high) <= at(own, own.extent.low);
    }
  }
  return plain;
}

template <class PlanOf>
lw_status PlannedChain::RunPasses(const RunOptions& options, void* const* data,
                                  size_t passes, const PlanOf& plan_of) const {
  return CountingZeros(chain_, options, [&](SharedZeros* zeros) {
    return RunPassesCounting(options, data, passes, plan_of, zeros);
  });
}

template <class PlanOf>
lw_status PlannedChain::RunPassesCounting(const RunOptions& options,
                                          void* const* data, size_t passes,
                                          const PlanOf& plan_of,
                                          SharedZeros* zeros) const {
  const Threads threads = options.threads(*chain_.engine);
  for (size_t at = 0; at < passes; ++at) {
    const ChainRun run = {plan_of(at), data, zeros};
    const lw_status status = RunChainPlan(run, threads);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

void PlannedChain::RunOneJob(void* const* data) const {
  const ChainRun run = {*plans_[0], data, nullptr};
  void* operands[kMaxOperands];
  FindOperands(run, operands);
  RunChainRows(run, setup_, operands, n_);
}

lw_status PlannedChain::Run(const RunOptions& options,
                            void* const* data) const {
  const bool plain = ArePlain(data);
  if (is_one_job_ && plain) {  // no threads, whatever the options say
    RunOneJob(data);
    options.StoreZeros({});
    return LW_OK;
  }
  const lw_status status = plain ? LW_OK : call_.CheckPlaces(data);
  if (status != LW_OK) return status;
  return RunPasses(
      options, data, plan_count_,
      [this](size_t at) -> const ChainPlan& { return *plans_[at]; });
}

lw_status PlannedChain::RunChecked(const RunOptions& options, void* const* data,
                                   SharedZeros* zeros) const {
  if (is_one_job_) {
    RunOneJob(data);
    return LW_OK;
  }
  return RunPassesCounting(
      options, data, plan_count_,
      [this](size_t at) -> const ChainPlan& { return *plans_[at]; }, zeros);
}

lw_status PlannedChain::RunOnce(const RunOptions& options, void* const* data,
                                ChainPlan* plan) const {
  const lw_status status = call_.CheckPlaces(data);
  if (status != LW_OK) return status;
  return RunPasses(options, data, call_.passes(),
                   [&](size_t at) -> const ChainPlan& {
                     MakeChainPlan(call_, call_.pass(at), plan);
                     return *plan;
                   });
}

}  // namespace lanewise
