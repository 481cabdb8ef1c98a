// SPDX-License-Identifier: Apache-2.0
//
// The handles of chains: a chain with reductions runs in stages, and remembers
// the plan of its last call like any other (runtime/chain/chain_run.h).

#ifndef LANEWISE_RUNTIME_STAGES_STAGED_CHAIN_H_
#define LANEWISE_RUNTIME_STAGES_STAGED_CHAIN_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "lanewise/lanewise.h"
#include "runtime/call/operation.h"
#include "runtime/chain/chain.h"
#include "runtime/chain/chain_run.h"
#include "runtime/stages/cut.h"
#include "runtime/stages/planned_stages.h"

namespace lanewise {

class StagedChain {
 public:
  explicit StagedChain(std::shared_ptr<const Stages> stages)
      : stages_(std::move(stages)) {}

  const std::shared_ptr<const Stages>& stages() const { return stages_; }
  lw_status Run(const RunOptions& options, const ChainTensors& tensors);

 private:
  PlanUsers users_;  ///< of `last_`
  const std::shared_ptr<const Stages> stages_;
  std::unique_ptr<const PlannedStages> last_;
};

/// A prepared call of such a chain.
class PreparedStages {
 public:
  explicit PreparedStages(std::shared_ptr<const Stages> stages, size_t rank)
      : stages_(std::move(stages)), planned_(*stages_, rank) {}

  lw_status Prepare(const ChainTensors& tensors) {
    return planned_.Plan(tensors);
  }
  /// `options` may be nullptr.
  lw_status Run(const RunOptions* options, const void* const* inputs,
                void* const* outputs) const;
  const Chain& chain() const { return *stages_->chain; }

 private:
  const std::shared_ptr<const Stages> stages_;
  PlannedStages planned_;
};

}  // namespace lanewise

struct lw_chain {
  /// `staged`: of a chain with reductions, else nullptr.
  lw_chain(std::shared_ptr<const lanewise::Chain> made,
           std::unique_ptr<lanewise::StagedChain> staged_chain)
      : chain(std::move(made)), staged(std::move(staged_chain)) {
    if (staged == nullptr) memo.emplace(*chain);
  }

  const std::shared_ptr<const lanewise::Chain> chain;
  const std::unique_ptr<lanewise::StagedChain> staged;
  mutable std::optional<lanewise::ChainMemo> memo;
};

namespace lanewise {

/// lw_chain_create.
lw_status MakeChainHandle(std::shared_ptr<const Engine> engine,
                          const ChainParts& parts, lw_chain** chain);

/// lw_chain_run.
lw_status RunChain(const lw_chain& chain, const RunOptions& options,
                   const ChainTensors& tensors);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_STAGES_STAGED_CHAIN_H_
