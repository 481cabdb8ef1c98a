// SPDX-License-Identifier: Apache-2.0
//
// Calls of composed operators: a chain computes them, made of the operator's
// recipe for the types and the outputs of the first such call.

#ifndef LANEWISE_RUNTIME_RECIPE_RECIPE_CHAINS_H_
#define LANEWISE_RUNTIME_RECIPE_RECIPE_CHAINS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/call/operation.h"
#include "runtime/chain/prepared_chain.h"
#include "runtime/node/node.h"
#include "runtime/recipe/recipe_writer.h"
#include "runtime/stages/staged_chain.h"

namespace lanewise {

/// The chain for operands of some types.
struct RecipeChain {
  OperandTypes types;
  std::unique_ptr<lw_chain> chain;
  /// Operands of the operator that the chain has, in order.
  std::vector<size_t> inputs;
  std::vector<size_t> outputs;
  const RecipeChain* next;
};

/// The chains of one node. Any number of threads find them without a lock.
class RecipeChains {
 public:
  explicit RecipeChains(std::shared_ptr<const Node> node)
      : node_(std::move(node)) {}
  RecipeChains(const RecipeChains&) = delete;
  RecipeChains& operator=(const RecipeChains&) = delete;
  ~RecipeChains();

  const Node& node() const { return *node_; }
  lw_status Find(const OperandTypes& types, const RecipeChain** found);

 private:
  const RecipeChain* FindKnown(const OperandTypes& types) const;
  lw_status Make(const OperandTypes& types, RecipeChain* chain) const;

  const std::shared_ptr<const Node> node_;
  std::mutex chains_mutex_;  ///< of who adds a chain
  std::atomic<const RecipeChain*> first_{nullptr};
};

/// lw_op_infer, with a shape for each output of the operator.
lw_status InferRecipe(RecipeChains& chains, const lw_tensor* inputs,
                      size_t count, lw_shape* outputs);

/// lw_op_run and lw_op_run_with; `options` may be nullptr.
lw_status RunRecipe(RecipeChains& chains, const RunOptions* options,
                    const lw_tensor* inputs, size_t input_count,
                    const lw_tensor* outputs, size_t output_count);

/// A prepared call.
class PreparedRecipe {
 public:
  explicit PreparedRecipe(std::shared_ptr<RecipeChains> chains)
      : chains_(std::move(chains)) {}

  lw_status Prepare(const lw_tensor* inputs, size_t input_count,
                    const lw_tensor* outputs, size_t output_count);
  /// `options` may be nullptr.
  lw_status Run(const RunOptions* options, const void* const* inputs,
                void* const* outputs) const;
  const Chain& chain() const { return *recipe_->chain->chain; }

 private:
  const std::shared_ptr<RecipeChains> chains_;
  const RecipeChain* recipe_ = nullptr;
  // One of these two.
  std::unique_ptr<PreparedChain> plain_;
  std::unique_ptr<PreparedStages> stages_;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_RECIPE_RECIPE_CHAINS_H_
