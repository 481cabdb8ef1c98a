// SPDX-License-Identifier: Apache-2.0
//
// A call of a composed operator: the chain for it, and the tensors as the chain
// sees them.

#ifndef LANEWISE_RUNTIME_RECIPE_RECIPE_CALL_H_
#define LANEWISE_RUNTIME_RECIPE_RECIPE_CALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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
  const std::shared_ptr<const std::vector<int64_t>>& positions() const {
    return positions_;
  }

 private:
  /// Memory for the dims or strides of a tensor.
  int64_t* NumbersOf(const lw_tensor& tensor);
  lw_status FindTypes(const lw_tensor* inputs, size_t count);
  lw_status FindChain(const lw_tensor* inputs);
  lw_status CheckOutputs(const lw_tensor* outputs, size_t count);
  lw_status DivideInputs();
  lw_status DivideOutput(const lw_tensor& whole);
  void Divide(int32_t dim, int64_t groups, lw_tensor* tensor);
  lw_status AddPositions(const lw_tensor& x);
  void FillPositions();

  RecipeChains& chains_;
  OperandTypes types_;
  const RecipeChain* recipe_ = nullptr;
  lw_tensor inputs_[kMaxInputs];
  lw_tensor outputs_[LW_MAX_OUTPUTS];
  size_t input_count_ = 0;
  // Dims and strides, only where channels are divided into groups, or positions
  // are counted: four tensors of 8 dims, one of which is divided, need no more.
  int64_t few_[4 * 2 * 9];
  size_t few_count_ = 0;
  std::vector<std::unique_ptr<int64_t[]>> more_;
  std::shared_ptr<const std::vector<int64_t>> positions_;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_RECIPE_RECIPE_CALL_H_
