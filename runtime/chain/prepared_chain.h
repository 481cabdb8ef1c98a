// SPDX-License-Identifier: Apache-2.0
//
// A chain whose tensors are settled: the plan of a call, for any data. A
// prepared call is one; lw_chain_run keeps one of its last call
// (runtime/chain/chain_run.h).

#ifndef LANEWISE_RUNTIME_CHAIN_PREPARED_CHAIN_H_
#define LANEWISE_RUNTIME_CHAIN_PREPARED_CHAIN_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/call/operation.h"
#include "runtime/chain/chain.h"
#include "runtime/chain/chain_call.h"
#include "runtime/chain/chain_plan.h"
#include "runtime/chain/chain_tensors.h"

namespace lanewise {

/// The status of a run whose steps met zero divisors, or none: an entry for
/// each step, or nullptr. The first step counts.
lw_status ReportZeros(const Chain& chain, const RunOptions& options,
                      const SharedZeros* zeros);

/// The checked tensors of a call, its plans, and what a run needs.
class PlannedChain {
 public:
  /// For values of up to `rank` dims.
  PlannedChain(const Chain& chain, size_t rank, MemoryParts& parts)
      : chain_(chain), call_(chain, rank, parts) {}
  PlannedChain(const PlannedChain&) = delete;
  PlannedChain& operator=(const PlannedChain&) = delete;

  /// Checks all but the pointers. May be called again for other tensors.
  lw_status Check(const ChainTensors& tensors);
  size_t passes() const { return call_.passes(); }
  /// Replaces the tensors by copies of them, which must outlive this plan.
  void Keep(const lw_tensor* inputs, const lw_tensor* outputs) {
    call_.Keep(inputs, outputs);
  }
  /// Plans the next pass. The plan must live as long as this object is used.
  void AddPlan(ChainPlan* plan);
  /// To be called once after all passes have plans.
  void Finish();

  /// With a pointer for each input, then for each output.
  lw_status Run(const RunOptions& options, void* const* data) const;
  /// Checks that the tensors may lie at `data`.
  lw_status CheckPlaces(void* const* data) const {
    return ArePlain(data) ? LW_OK : call_.CheckPlaces(data);
  }
  /// Run of places that are checked. Leaves what zero divisors mean to the
  /// caller: an entry for each step, or nullptr.
  lw_status RunChecked(const RunOptions& options, void* const* data,
                       SharedZeros* zeros) const;
  /// Run without AddPlan and Finish: makes the plan of each pass just
  /// before the pass runs.
  lw_status RunOnce(const RunOptions& options, void* const* data,
                    ChainPlan* plan) const;

 private:
  /// Whether the pointers are plainly right: there, aligned, and no output near
  /// another tensor.
  bool ArePlain(void* const* data) const;
  /// Runs `passes` plans; plan_of(at) is the plan of a pass.
  template <class PlanOf>
  lw_status RunPasses(const RunOptions& options, void* const* data,
                      size_t passes, const PlanOf& plan_of) const;
  template <class PlanOf>
  lw_status RunPassesCounting(const RunOptions& options, void* const* data,
                              size_t passes, const PlanOf& plan_of,
                              SharedZeros* zeros) const;
  void RunOneJob(void* const* data) const;

  /// What is checked of a tensor's pointer.
  struct PlaceInMemory {
    size_t tensor;
    bool is_output;
    uintptr_t alignment_mask;
    Extent extent;
  };

  const Chain& chain_;
  ChainCall call_;
  const ChainPlan* plans_[LW_MAX_OUTPUTS];
  size_t plan_count_ = 0;
  /// Of the tensors that are read, then of the outputs.
  PlaceInMemory places_[kMaxOperands];
  size_t place_count_ = 0;
  bool is_one_job_ = false;
  size_t n_ = 0;  ///< of the one job
  Setup setup_;   ///< of the one job
};

class PreparedChain {
 public:
  /// For values of up to `rank` dims.
  PreparedChain(std::shared_ptr<const Chain> chain, size_t rank)
      : chain_(std::move(chain)),
        rank_(rank),
        kept_(*chain_, rank),
        planned_(*chain_, rank) {}

  /// `streams`: the outputs are stored past the caches, as a part of larger
  /// ones.
  lw_status Prepare(const ChainTensors& tensors, bool streams = false);
  /// `options` may be nullptr.
  lw_status Run(const RunOptions* options, const void* const* inputs,
                void* const* outputs) const;
  const Chain& chain() const { return *chain_; }
  const PlannedChain& planned() const { return *planned_; }

 private:
  const std::shared_ptr<const Chain> chain_;
  const size_t rank_;
  KeptTensors kept_;
  WithMemory<PlannedChain> planned_;
  std::vector<std::unique_ptr<WithMemory<ChainPlan>>> plans_;
  std::vector<std::vector<CacheLine>> spreads_;  ///< of the plans
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_PREPARED_CHAIN_H_
