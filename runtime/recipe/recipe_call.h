// SPDX-License-Identifier: Apache-2.0
//
// A call of a composed operator: the chain for it, and the tensors that the
// chain has.

#ifndef LANEWISE_RUNTIME_RECIPE_RECIPE_CALL_H_
#define LANEWISE_RUNTIME_RECIPE_RECIPE_CALL_H_

#include <cstddef>

#include "lanewise/lanewise.h"
#include "runtime/recipe/recipe_chains.h"

namespace lanewise {

class RecipeCall {
 public:
  explicit RecipeCall(RecipeChains& chains) : chains_(chains) {}
  RecipeCall(const RecipeCall&) = delete;
  RecipeCall& operator=(const RecipeCall&) = delete;

  /// Checks the inputs' counts and types. All outputs are wanted.
  lw_status TakeInputs(const lw_tensor* inputs, size_t count);
  /// The same, for outputs that a caller gives.
  lw_status Take(const lw_tensor* inputs, size_t input_count,
                 const lw_tensor* outputs, size_t output_count);

  const RecipeChain& recipe() const { return *recipe_; }
  ChainTensors tensors() const {
    return {inputs_, input_count_, outputs_, recipe_->outputs.size()};
  }

 private:
  lw_status FindTypes(const lw_tensor* inputs, size_t count);
  lw_status FindChain(const lw_tensor* inputs);
  lw_status CheckOutputs(const lw_tensor* outputs, size_t count);

  RecipeChains& chains_;
  OperandTypes types_;
  const RecipeChain* recipe_ = nullptr;
  lw_tensor inputs_[kMaxInputs];
  lw_tensor outputs_[LW_MAX_OUTPUTS];
  size_t input_count_ = 0;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_RECIPE_RECIPE_CALL_H_
