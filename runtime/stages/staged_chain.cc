// SPDX-License-Identifier: Apache-2.0

#include "runtime/stages/staged_chain.h"

#include <algorithm>
#include <utility>

namespace lanewise {

lw_status StagedChain::Run(const RunOptions& options,
                           const ChainTensors& tensors) {
  const Chain& chain = *stages_->chain;
  if (!tensors.HaveCountsOf(chain)) return tensors.FailCounts(chain);
  void* data[kMaxOperands];
  tensors.FindData(data);
  {
    const PlanUsers::One one(users_);
    if (one.is_in() && last_ != nullptr && last_->Fits(tensors)) {
      return last_->Run(options, data);
    }
  }
  auto planned = std::make_unique<PlannedStages>(
      *stages_, chain.MostRank(tensors.inputs, tensors.input_count));
  const lw_status status = planned->Plan(tensors);
  if (status != LW_OK) return status;
  if (chain.reads_shapes) return planned->Run(options, data);
  // Freed when others are in again.
  std::unique_ptr<const PlannedStages> other = std::move(planned);
  PlanUsers::Alone alone(users_);
  if (!alone.is_mine()) return other->Run(options, data);
  std::swap(last_, other);
  alone.LetOthersIn();
  return last_->Run(options, data);
}

lw_status PreparedStages::Run(const RunOptions* options,
                              const void* const* inputs,
                              void* const* outputs) const {
  const size_t count = chain().inputs();
  if ((inputs == nullptr && count != 0) || outputs == nullptr) {
    return Fail(chain().label(), LW_INVALID_ARGUMENT, "%s is NULL",
                outputs == nullptr ? "outputs" : "inputs");
  }
  void* data[kMaxOperands];
  for (size_t k = 0; k < count; ++k) data[k] = const_cast<void*>(inputs[k]);
  std::copy_n(outputs, chain().outputs.size(), data + count);
  const RunOptions none;
  return planned_.Run(options != nullptr ? *options : none, data);
}

lw_status MakeChainHandle(std::shared_ptr<const Engine> engine,
                          const ChainParts& parts, lw_chain** chain) {
  std::shared_ptr<const Chain> made;
  lw_status status = MakeChain(std::move(engine), parts, &made);
  if (status != LW_OK) return status;
  std::unique_ptr<StagedChain> staged;
  if (made->has_reductions) {
    auto stages = std::make_shared<Stages>();
    status = CutIntoStages(made, stages.get());
    if (status != LW_OK) return status;
    staged = std::make_unique<StagedChain>(std::move(stages));
  }
  *chain = new lw_chain(std::move(made), std::move(staged));
  return LW_OK;
}

lw_status RunChain(const lw_chain& chain, const RunOptions& options,
                   const ChainTensors& tensors) {
  if (chain.staged != nullptr) return chain.staged->Run(options, tensors);
  return RunChain(*chain.chain, *chain.memo, options, tensors);
}

}  // namespace lanewise
