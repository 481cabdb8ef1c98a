// SPDX-License-Identifier: Apache-2.0
//
// Groups of channels (Meaning::kGroups): dim 1 of the first input and of the
// output becomes two dims, which any strides allow. The chain then knows
// nothing of groups.

#include "runtime/recipe/recipe_call.h"

#include <algorithm>
#include <iterator>

#include "runtime/call/call.h"
#include "runtime/plan/shape.h"
#include "runtime/plan/tensor.h"

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
  lw_status status = chains_.Find(types_, &recipe_);
  if (status != LW_OK) return status;
  input_count_ = recipe_->inputs.size();
  for (size_t k = 0; k < input_count_; ++k) {
    inputs_[k] = inputs[recipe_->inputs[k]];
  }
  if (chains_.node().attributes.groups() != 0) status = DivideInputs();
  if (recipe_->has_positions) status = AddPositions(inputs[0]);
  return status;
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
  if (recipe_->has_positions) FillPositions();
  return chains_.node().attributes.groups() != 0 ? DivideOutput(inputs[0])
                                                 : LW_OK;
}

int64_t* RecipeCall::NumbersOf(const lw_tensor& tensor) {
  const auto count = static_cast<size_t>(tensor.rank);
  if (count > std::size(few_) - few_count_) {
    more_.emplace_back(new int64_t[count]);
    return more_.back().get();
  }
  few_count_ += count;
  return few_ + few_count_ - count;
}

void RecipeCall::Divide(int32_t dim, int64_t groups, lw_tensor* tensor) {
  const lw_tensor whole = *tensor;
  tensor->rank = whole.rank + 1;
  int64_t* const dims = NumbersOf(*tensor);
  tensor->dims = dims;
  const int64_t each = whole.dims[dim] / groups;
  for (int32_t i = 0; i < tensor->rank; ++i) {
    dims[i] = i == dim       ? groups
              : i == dim + 1 ? each
                             : whole.dims[i - (i > dim)];
  }
  if (whole.strides == nullptr) return;
  int64_t* const strides = NumbersOf(*tensor);
  tensor->strides = strides;
  for (int32_t i = 0; i < tensor->rank; ++i) {
    strides[i] = whole.strides[i - (i > dim)];
  }
  // What nobody can reach is refused with the layout, where there are elements.
  if (__builtin_mul_overflow(strides[dim], each, &strides[dim])) {
    strides[dim] = INT64_MAX;
  }
}

lw_status RecipeCall::DivideInputs() {
  const Node& node = chains_.node();
  const int64_t groups = node.attributes.groups();
  const lw_tensor x = inputs_[0];
  if (x.rank < 2 || x.rank == LW_MAX_RANK || x.dims[1] % groups != 0) {
    return Fail(node.label, LW_INVALID_SHAPE,
                "dim 1 of %s cannot be divided into %lld groups",
                ShapeText(x.dims, x.rank).c_str(),
                static_cast<long long>(groups));
  }
  Divide(1, groups, &inputs_[0]);
  for (size_t k = 1; k < input_count_; ++k) {
    lw_tensor& tensor = inputs_[k];
    const OperandInfo& info = node.InputInfo(recipe_->inputs[k]);
    if (info.role != Role::kChannels) continue;
    if (tensor.rank != 1 || tensor.dims[0] != x.dims[1]) {
      return Fail(node.label, LW_INVALID_SHAPE,
                  "input %zu (%s) is of shape %s, not %s", k, info.name,
                  ShapeText(x.dims + 1, 1).c_str(),
                  ShapeText(tensor.dims, tensor.rank).c_str());
    }
    Divide(0, groups, &tensor);
  }
  return LW_OK;
}

lw_status RecipeCall::DivideOutput(const lw_tensor& whole) {
  const Node& node = chains_.node();
  const Operand operand = {&outputs_[0], "output", 0, 0};
  Operand checked = operand;
  const lw_status status = CheckShape(node.label, checked);
  if (status != LW_OK) return status;
  if (!SameDims(DimsOf(outputs_[0]), DimsOf(whole))) {
    return Fail(node.label, LW_INVALID_SHAPE,
                "the shape of output 0 is %s, not %s",
                ShapeText(whole.dims, whole.rank).c_str(),
                ShapeText(outputs_[0].dims, outputs_[0].rank).c_str());
  }
  Divide(1, node.attributes.groups(), &outputs_[0]);
  return LW_OK;
}

lw_status RecipeCall::AddPositions(const lw_tensor& x) {
  uint64_t reduced = 0;
  const int64_t axes[] = {recipe_->positions_from};
  const lw_status status =
      FindReduced(chains_.node().label, DimsOf(x), axes, false, &reduced);
  if (status != LW_OK) return status;
  int64_t elements = 0;
  CountElements(DimsOf(x), &elements);
  int32_t first = 0;
  while (first + 1 < x.rank && (reduced >> first & 1) == 0) ++first;
  // There are no positions without elements.
  if (elements == 0) first = 0;
  lw_tensor& tensor = inputs_[input_count_++];
  tensor = {nullptr, LW_INT64, x.rank - first, nullptr, nullptr, 0};
  int64_t* const dims = NumbersOf(tensor);
  tensor.dims = dims;
  for (int32_t i = 0; i < tensor.rank; ++i) {
    const bool is_counted =
        i == 0 || recipe_->positions_go_to_end || elements == 0;
    dims[i] = is_counted ? x.dims[first + i] : 1;
  }
  return LW_OK;
}

// Nobody reads them before the chain runs.
void RecipeCall::FillPositions() {
  lw_tensor& tensor = inputs_[input_count_ - 1];
  int64_t count = 0;
  CountElements(DimsOf(tensor), &count);
  if (count == 0) return;
  positions_ = chains_.Positions(static_cast<size_t>(count));
  tensor.data = const_cast<int64_t*>(positions_->data());
}

}  // namespace lanewise
