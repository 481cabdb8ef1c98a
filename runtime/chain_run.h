// SPDX-License-Identifier: Apache-2.0
//
// A call of a chain with tensors. Planning a call takes longer than a run on
// small tensors. So a chain remembers the plan of its last call, and runs the
// next call by this plan if the tensors differ in nothing but their data.

#ifndef LANEWISE_RUNTIME_CHAIN_RUN_H_
#define LANEWISE_RUNTIME_CHAIN_RUN_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "lanewise/lanewise.h"
#include "runtime/chain.h"
#include "runtime/operation.h"
#include "runtime/prepared_chain.h"

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
  /// The pointers of the inputs, then of the outputs.
  void FindData(void** data) const;
};

/// A plan that many threads may use at once, and replace when none uses it.
class ChainMemo {
 public:
  explicit ChainMemo(const Chain& chain);
  ChainMemo(const ChainMemo&) = delete;
  ChainMemo& operator=(const ChainMemo&) = delete;

  /// Runs the call by the remembered plan. If that plan is for other tensors
  /// and no thread uses it, the plan of this call takes its place. Returns
  /// false if neither is possible; nothing is written then. True for wrong
  /// tensors, with their status.
  bool Run(const RunOptions& options, const ChainTensors& tensors,
           lw_status* status);

 private:
  static constexpr int kMostRank = 8;
  static constexpr int kClosed = -1;

  /// Enters as a user of the plan, if the plan is for these tensors.
  bool Enter(const ChainTensors& tensors);
  void Leave() { users_.fetch_sub(1, std::memory_order_release); }
  /// Their counts must be right.
  bool Fits(const ChainTensors& tensors) const;
  /// If there is no user, makes a plan for the tensors and enters. True with a
  /// status other than LW_OK: the tensors are wrong, and there is no plan.
  bool Replace(const ChainTensors& tensors, lw_status* status);
  void Copy(const lw_tensor& from, size_t k);

  /// How many threads run by the plan. kClosed: a thread makes the plan, or the
  /// chain has none for good, because a shape is an input, or because outputs
  /// of one call differed in shape. Alone in its cache line, as each call
  /// writes here.
  alignas(64) std::atomic<int> users_;
  alignas(64) const Chain& chain_;
  bool has_plan_ = false;
  std::optional<PlannedChain> planned_;
  ChainPlan plan_;
  lw_tensor tensors_[kMaxOperands];  ///< inputs, then outputs
  int64_t dims_[kMaxOperands][kMostRank];
  int64_t strides_[kMaxOperands][kMostRank];
};

}  // namespace lanewise

struct lw_chain {
  explicit lw_chain(std::shared_ptr<const lanewise::Chain> made)
      : chain(std::move(made)), memo(*chain) {}

  const std::shared_ptr<const lanewise::Chain> chain;
  mutable lanewise::ChainMemo memo;
};

namespace lanewise {

/// lw_chain_run.
lw_status RunChain(const lw_chain& chain, const RunOptions& options,
                   const ChainTensors& tensors);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_RUN_H_
