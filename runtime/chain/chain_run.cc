// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/chain_run.h"

#include <algorithm>

namespace lanewise {

ChainMemo::ChainMemo(const Chain& chain)
    : chain_(chain),
      rank_(std::max(kLeastRank, chain.known_rank)),
      planned_(chain, rank_),
      plan_(chain, rank_),
      kept_(chain, rank_) {}

void ChainMemo::Plan(const ChainTensors& tensors) {
  kept_.Keep(tensors);
  planned_->Keep(kept_.inputs(), kept_.outputs());
  if (planned_->passes() == 1) planned_->AddPlan(&*plan_);
  planned_->Finish();
  has_plan_ = true;
}

bool ChainMemo::Replace(const RunOptions& options, const ChainTensors& tensors,
                        lw_status* status) {
  if (chain_.MostRank(tensors.inputs, tensors.input_count) > rank_) {
    return false;
  }
  PlanUsers::Alone alone(users_);
  if (!alone.is_mine()) return false;
  has_plan_ = false;
  *status = planned_->Check(tensors);
  if (*status != LW_OK) return true;
  void* data[kMaxOperands];
  tensors.FindData(data);
  if (planned_->passes() > 1 || chain_.reads_shapes) {
    *status = planned_->RunOnce(options, data, &*plan_);
    return true;
  }
  Plan(tensors);
  alone.LetOthersIn();
  *status = planned_->Run(options, data);
  return true;
}

bool ChainMemo::Run(const RunOptions& options, const ChainTensors& tensors,
                    lw_status* status) {
  {
    const PlanUsers::One one(users_);
    if (one.is_in() && has_plan_ && kept_.Fit(tensors)) {
      void* data[kMaxOperands];
      tensors.FindData(data);
      *status = planned_->Run(options, data);
      return true;
    }
  }
  return Replace(options, tensors, status);
}

lw_status InferChain(const Chain& chain, const lw_tensor* inputs, size_t count,
                     lw_shape* outputs) {
  const size_t rank = chain.MostRank(inputs, count);
  const size_t bytes = WithMemory<ChainCall>::BytesOf(chain, rank);
  // Enough for 64 steps on tensors of 8 dims.
  MemoryUnit few[(size_t{10} << 10) / sizeof(MemoryUnit)];
  std::unique_ptr<MemoryUnit[]> many;
  if (bytes > sizeof(few)) many.reset(new MemoryUnit[MemoryUnits(bytes)]);
  MemoryParts parts(many != nullptr ? many.get() : few);
  ChainCall call(chain, rank, parts);
  const lw_status status = call.Resolve(inputs, count);
  if (status == LW_OK) call.Infer(outputs);
  return status;
}

namespace {

// A call that finds no room in the memory of the chain.
struct OwnPlan {
  OwnPlan(const Chain& chain, size_t rank)
      : planned(chain, rank), plan(chain, rank) {}
  WithMemory<PlannedChain> planned;
  WithMemory<ChainPlan> plan;
};

// Apart, as other runs need no stack for this.
[[gnu::noinline]] lw_status RunUnplanned(const Chain& chain,
                                         const RunOptions& options,
                                         const ChainTensors& tensors) {
  const auto own = std::make_unique<OwnPlan>(
      chain, chain.MostRank(tensors.inputs, tensors.input_count));
  const lw_status status = own->planned->Check(tensors);
  if (status != LW_OK) return status;
  void* data[kMaxOperands];
  tensors.FindData(data);
  return own->planned->RunOnce(options, data, &*own->plan);
}

}  // namespace

lw_status RunChain(const Chain& chain, ChainMemo& memo,
                   const RunOptions& options, const ChainTensors& tensors) {
  lw_status status;
  if (!tensors.HaveCountsOf(chain)) [[unlikely]] {
    return tensors.FailCounts(chain);
  }
  if (memo.Run(options, tensors, &status)) return status;
  return RunUnplanned(chain, options, tensors);
}

}  // namespace lanewise
