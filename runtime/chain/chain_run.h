// SPDX-License-Identifier: Apache-2.0
//
// A call of a chain with tensors. Planning a call takes longer than a run on
// small tensors. So a chain remembers the plan of its last call, and runs the
// next call by this plan if the tensors differ in nothing but their data.

#ifndef LANEWISE_RUNTIME_CHAIN_CHAIN_RUN_H_
#define LANEWISE_RUNTIME_CHAIN_CHAIN_RUN_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/call/operation.h"
#include "runtime/chain/chain.h"
#include "runtime/chain/prepared_chain.h"

namespace lanewise {

/// lw_chain_infer.
lw_status InferChain(const Chain& chain, const lw_tensor* inputs, size_t count,
                     lw_shape* outputs);

/// The arguments of a call.
struct ChainTensors {
  const lw_tensor* inputs;
  size_t input_count;
  const lw_tensor* outputs;
  size_t output_count;

  /// Whether there are as many tensors as the chain has inputs and outputs.
  bool HaveCountsOf(const Chain& chain) const;
  /// The failure where there are not.
  lw_status FailCounts(const Chain& chain) const;
  /// The pointers of the inputs, then of the outputs.
  void FindData(void** data) const;
};

/// A plan that many threads may use at once, and replace when none uses it. The
/// memory for the plans of all but very high ranks is allocated with the chain.
class ChainMemo {
 public:
  explicit ChainMemo(const Chain& chain);
  ChainMemo(const ChainMemo&) = delete;
  ChainMemo& operator=(const ChainMemo&) = delete;

  /// Runs the call by the remembered plan. If that plan is for other tensors
  /// and no thread uses it, the plan of this call takes its place. Returns
  /// false if neither is possible; nothing is written then. True with the
  /// status of the call. The counts of the tensors must be right.
  bool Run(const RunOptions& options, const ChainTensors& tensors,
           lw_status* status);

 private:
  /// Plans of all chains have room for so many dims.
  static constexpr size_t kLeastRank = 8;
  static constexpr int kClosed = -1;

  /// Enters as a user of the plan, if the plan is for these tensors.
  bool Enter(const ChainTensors& tensors);
  void Leave() { users_.fetch_sub(1, std::memory_order_release); }
  struct Leaver {
    ~Leaver() {
      if (is_alone) {
        memo.users_.store(0, std::memory_order_release);
      } else {
        memo.Leave();
      }
    }
    ChainMemo& memo;
    bool is_alone;  ///< the memo is closed
  };
  /// Their counts must be right.
  bool Fits(const ChainTensors& tensors) const;
  /// If there is no user, plans and runs the call.
  bool Replace(const RunOptions& options, const ChainTensors& tensors,
               lw_status* status);
  /// Makes a plan that other calls may use.
  void Plan(const ChainTensors& tensors);
  void Copy(const lw_tensor& from, size_t k);

  /// How many threads run by the plan. kClosed: a thread has all for itself.
  /// Alone in its cache line, as each call writes here.
  alignas(64) std::atomic<int> users_{0};
  alignas(64) const Chain& chain_;
  const size_t rank_;
  bool has_plan_ = false;
  WithMemory<PlannedChain> planned_;
  WithMemory<ChainPlan> plan_;
  std::vector<lw_tensor> tensors_;  ///< inputs, then outputs
  std::vector<int64_t> numbers_;    ///< their dims and strides
};

/// lw_chain_run of a chain without reductions.
lw_status RunChain(const Chain& chain, ChainMemo& memo,
                   const RunOptions& options, const ChainTensors& tensors);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_CHAIN_RUN_H_
