// SPDX-License-Identifier: Apache-2.0

#include "runtime/recipe/recipe_call.h"

#include "runtime/call/call.h"

namespace lanewise {

lw_status RecipeCall::FindTypes(const lw_tensor* inputs, size_t count) {
  const Node& node = chains_.node();
  Call call;
  const lw_status status = lanewise::TakeInputs(node, inputs, count, &call);
  if (status != LW_OK) return status;
  for (size_t k = 0; k < call.input_count; ++k) {
    const lw_tensor* tensor = call.inputs[k].tensor;
    if (tensor != nullptr) types_.inputs[k] = tensor->type;
  }
  return FindOutputTypes(node, &types_);
}

lw_status RecipeCall::FindChain(const lw_tensor* inputs) {
  const lw_status status = chains_.Find(types_, &recipe_);
  if (status != LW_OK) return status;
  input_count_ = recipe_->inputs.size();
  for (size_t k = 0; k < input_count_; ++k) {
    inputs_[k] = inputs[recipe_->inputs[k]];
  }
  return LW_OK;
}

lw_status RecipeCall::TakeInputs(const lw_tensor* inputs, size_t count) {
  const lw_status status = FindTypes(inputs, count);
  return status == LW_OK ? FindChain(inputs) : status;
}

lw_status RecipeCall::CheckOutputs(const lw_tensor* outputs, size_t count) {
  const Node& node = chains_.node();
  const size_t most = node.op.OutputCount();
  if (count == 0 || count > most) {
    return most == 1
               ? Fail(node.label, LW_WRONG_COUNT, "1 output is needed, not %zu",
                      count)
               : Fail(node.label, LW_WRONG_COUNT,
                      "1 to %zu outputs are possible, not %zu", most, count);
  }
  if (outputs == nullptr) {
    return Fail(node.label, LW_INVALID_ARGUMENT, "outputs is NULL");
  }
  for (size_t k = 0; k < most; ++k) {
    if (k < count && outputs[k].type != LW_ABSENT) continue;
    const OperandInfo& output = node.op.Output(k);
    if (!output.optional) {
      return Fail(node.label, LW_WRONG_COUNT, "output %zu (%s) is left out", k,
                  output.name);
    }
    types_.outputs[k] = LW_ABSENT;
  }
  return LW_OK;
}

lw_status RecipeCall::Take(const lw_tensor* inputs, size_t input_count,
                           const lw_tensor* outputs, size_t output_count) {
  lw_status status = FindTypes(inputs, input_count);
  if (status == LW_OK) status = CheckOutputs(outputs, output_count);
  if (status == LW_OK) status = FindChain(inputs);
  if (status != LW_OK) return status;
  for (size_t k = 0; k < recipe_->outputs.size(); ++k) {
    outputs_[k] = outputs[recipe_->outputs[k]];
  }
  return LW_OK;
}

}  // namespace lanewise
