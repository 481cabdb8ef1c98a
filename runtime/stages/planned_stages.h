// SPDX-License-Identifier: Apache-2.0
//
// A call of a chain with reductions, planned for any data. Slices are
// independent of each other: a task runs all stages on one slice after the
// other. What the stages hand on lies in scratch memory of the task.

#ifndef LANEWISE_RUNTIME_STAGES_PLANNED_STAGES_H_
#define LANEWISE_RUNTIME_STAGES_PLANNED_STAGES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/call/operation.h"
#include "runtime/chain/chain_call.h"
#include "runtime/chain/chain_tensors.h"
#include "runtime/chain/prepared_chain.h"
#include "runtime/reduce/reduce.h"
#include "runtime/stages/cut.h"
#include "runtime/stages/groups.h"
#include "runtime/stages/sites.h"

namespace lanewise {

class PlannedStages {
 public:
  /// For values of up to `rank` dims. `stages` must outlive the plan.
  PlannedStages(const Stages& stages, size_t rank)
      : stages_(stages),
        call_(*stages.chain, rank),
        kept_(*stages.chain, rank) {}
  PlannedStages(const PlannedStages&) = delete;
  PlannedStages& operator=(const PlannedStages&) = delete;

  /// Checks all but the pointers, and plans. Copies dims and strides.
  lw_status Plan(const ChainTensors& tensors);
  /// With a pointer for each input, then for each output.
  lw_status Run(const RunOptions& options, void* const* data) const;

  /// Whether the plan is for tensors like these. Their counts must be right.
  bool Fits(const ChainTensors& tensors) const { return kept_.Fit(tensors); }

 private:
  /// The value of a stage on a slice.
  struct View {
    lw_tensor tensor;
    std::vector<int64_t> dims;
    std::vector<int64_t> strides;
  };
  /// The stages for slices of one size.
  struct StageSet {
    // By stage; a stage without elements has neither.
    std::vector<std::unique_ptr<PreparedChain>> parts;
    std::vector<std::unique_ptr<ReducePlan>> reductions;
    std::vector<GroupSpread> spreads;  ///< of reductions
    std::vector<View> views;           ///< by value
  };
  /// Scratch memory of a task, taken while the flag is set.
  struct Scratch {
    std::unique_ptr<MemoryUnit[]> memory;
    std::atomic<bool> is_taken{false};
  };
  /// Takes the memory if nobody has it, and gives it back.
  struct Taker {
    explicit Taker(Scratch& of)
        : scratch(of), is_mine(!of.is_taken.exchange(true)) {}
    Taker(const Taker&) = delete;
    Taker& operator=(const Taker&) = delete;
    ~Taker() {
      if (is_mine) scratch.is_taken = false;
    }
    Scratch& scratch;
    const bool is_mine;
  };
  struct Task;

  /// Where the values lie that the stages hand on.
  lw_status PlaceScratch();
  lw_status FailBytes() const;
  /// Makes so many numbers ready, from 0 on.
  void Count(int64_t numbers);
  /// Whether the tensors of a call are so large that its outputs are stored
  /// past the caches.
  bool IsLarge() const;
  /// Whether a stage writes outputs which no other stage reads.
  bool WritesOnlyOutputs(const Stage& stage) const;
  lw_status MakeSet(int64_t extent, StageSet* set);
  lw_status MakePart(const Stage& stage, bool is_large, StageSet* set) const;
  void MakeReduction(const Stage& stage, StageSet* set) const;
  /// The channels of a group, if the stage is done for each; else 0.
  int64_t ChannelsOfGroup(const Stage& stage) const;
  void MakeView(const Site& site, int64_t extent, View* view) const;
  lw_status RunSlices(const RunOptions& options, void* const* data,
                      char* scratch, int64_t begin, int64_t end,
                      SharedZeros* zeros) const;
  lw_status RunStages(const RunOptions& options, const StageSet& set,
                      char* const* at, SharedZeros* zeros) const;
  lw_status RunPart(const RunOptions& options, const Stage& stage,
                    const PreparedChain& part, char* const* at,
                    SharedZeros* zeros) const;
  /// Where the values of a slice lie.
  void FindPlaces(void* const* data, char* scratch, int64_t slice,
                  char** at) const;
  lw_status RunOnThreads(const RunOptions& options, void* const* data,
                         size_t tasks) const;
  lw_status RunHere(const RunOptions& options, void* const* data,
                    SharedZeros* zeros) const;
  size_t TasksOf(const RunOptions& options) const;
  lw_status CheckPlaces(void* const* data) const;
  lw_status RunCounting(const RunOptions& options, void* const* data) const;
  lw_status RunPartCounting(const RunOptions& options, const Stage& stage,
                            const PreparedChain& part, void* const* data,
                            SharedZeros* zeros) const;

  const Stages& stages_;
  WithMemory<ChainCall> call_;
  KeptTensors kept_;
  Sites sites_;
  StageSet sets_[2];          ///< for all slices, and for the last of a dim
  size_t scratch_bytes_ = 0;  ///< whole cache lines
  StepSet needed_ = 0;        ///< the steps that outputs with elements need
  size_t frame_bytes_ = 0;
  mutable Scratch scratch_;
  std::vector<int64_t> counted_;  ///< 0, 1, 2, ...
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_STAGES_PLANNED_STAGES_H_
