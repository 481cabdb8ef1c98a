// SPDX-License-Identifier: Apache-2.0
//
// A call of a chain with tensors. Planning a call takes longer than a run on
// small tensors. So a chain remembers the plan of its last call, and runs the
// next call by this plan if the tensors differ in nothing but their data.

#ifndef LANEWISE_RUNTIME_CHAIN_CHAIN_RUN_H_
#define LANEWISE_RUNTIME_CHAIN_CHAIN_RUN_H_

#include <atomic>
#include <cstddef>

#include "lanewise/lanewise.h"
#include "runtime/call/operation.h"
#include "runtime/chain/chain.h"
#include "runtime/chain/chain_tensors.h"
#include "runtime/chain/prepared_chain.h"

namespace lanewise {

/// lw_chain_infer.
lw_status InferChain(const Chain& chain, const lw_tensor* inputs, size_t count,
                     lw_shape* outputs);

/// How many threads run by a plan that is kept for later calls. No lock: each
/// call comes here. Alone in its cache line for the same reason.
class alignas(64) PlanUsers {
 public:
  /// A thread that may use the plan, if no other has it for itself.
  class One {
   public:
    explicit One(PlanUsers& users) : users_(users), is_in_(users.Enter()) {}
    One(const One&) = delete;
    One& operator=(const One&) = delete;
    ~One() {
      if (is_in_) users_.Leave();
    }
    bool is_in() const { return is_in_; }

   private:
    PlanUsers& users_;
    const bool is_in_;
  };

  /// A thread that has the plan for itself, if there is no user.
  class Alone {
   public:
    explicit Alone(PlanUsers& users) : users_(users) {
      int none = 0;
      is_mine_ = users_.count_.compare_exchange_strong(
          none, kClosed, std::memory_order_acquire);
    }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;
    // Lets others in again, even if planning throws.
    ~Alone() {
      if (is_mine_) {
        users_.count_.store(0, std::memory_order_release);
      } else if (is_user_) {
        users_.Leave();
      }
    }
    bool is_mine() const { return is_mine_; }
    /// From here on, the thread is a user as others are.
    void LetOthersIn() {
      users_.count_.store(1, std::memory_order_release);
      is_mine_ = false;
      is_user_ = true;
    }

   private:
    PlanUsers& users_;
    bool is_mine_;
    bool is_user_ = false;
  };

 private:
  static constexpr int kClosed = -1;

  bool Enter() {
    int users = count_.load(std::memory_order_relaxed);
    do {
      if (users == kClosed) return false;
    } while (!count_.compare_exchange_weak(users, users + 1,
                                           std::memory_order_acquire,
                                           std::memory_order_relaxed));
    return true;
  }
  void Leave() { count_.fetch_sub(1, std::memory_order_release); }

  std::atomic<int> count_{0};  ///< kClosed: a thread has the plan for itself
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

  /// If there is no user, plans and runs the call.
  bool Replace(const RunOptions& options, const ChainTensors& tensors,
               lw_status* status);
  /// Makes a plan that other calls may use.
  void Plan(const ChainTensors& tensors);

  PlanUsers users_;
  const Chain& chain_;
  const size_t rank_;
  bool has_plan_ = false;
  WithMemory<PlannedChain> planned_;
  WithMemory<ChainPlan> plan_;
  KeptTensors kept_;
};

/// lw_chain_run of a chain without reductions.
lw_status RunChain(const Chain& chain, ChainMemo& memo,
                   const RunOptions& options, const ChainTensors& tensors);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_CHAIN_RUN_H_
