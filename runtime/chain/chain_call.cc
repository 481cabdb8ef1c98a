// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/chain_call.h"

#include <algorithm>

#include "runtime/call/call.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/types.h"
#include "runtime/plan/shape.h"

namespace lanewise {
namespace {

ElementLayout LayoutOf(int32_t type) {
  const TypeInfo& info = *FindType(type);
  return {info.bits, info.alignment};
}

}  // namespace

const lw_tensor& ChainCall::TensorOf(int32_t value) const {
  const auto index = static_cast<size_t>(value);
  if (chain_.IsInput(value)) return inputs_[index];
  if (chain_.IsStep(value)) return views_[chain_.StepOf(value)];
  return chain_.constants[index - chain_.inputs()].tensor;
}

int64_t ChainCall::ElementsOf(int32_t value) const {
  int64_t elements = 1;
  CountElements(DimsOf(TensorOf(value)), &elements);
  return elements;
}

uintptr_t ChainCall::alignment_mask(size_t tensor) const {
  const size_t inputs = chain_.inputs();
  const lw_tensor& given =
      tensor < inputs ? inputs_[tensor] : outputs_[tensor - inputs];
  return LayoutOf(given.type).alignment - 1;
}

lw_tensor ChainCall::OutputView(size_t k) const {
  lw_tensor view = outputs_[k];
  if (!chain_.steps[chain_.outputs[k]].is_tail) return view;
  const Dims shape = ShapeOf(chain_.SourceOf(k));
  view.rank = shape.rank;
  view.dims = shape.dims;
  view.strides = nullptr;
  return view;
}

lw_status ChainCall::CheckInputCount(const Chain& chain,
                                     const lw_tensor* inputs, size_t count) {
  if (count != chain.inputs()) {
    return Fail(chain.label(), LW_WRONG_COUNT,
                "%zu input(s) are needed, not %zu", chain.inputs(), count);
  }
  if (inputs == nullptr && count != 0) {
    return Fail(chain.label(), LW_INVALID_ARGUMENT, "inputs is NULL");
  }
  return LW_OK;
}

lw_status ChainCall::CheckOutputCount(const Chain& chain,
                                      const lw_tensor* outputs, size_t count) {
  if (count != chain.outputs.size()) {
    return Fail(chain.label(), LW_WRONG_COUNT,
                "%zu output(s) are needed, not %zu", chain.outputs.size(),
                count);
  }
  if (outputs == nullptr) {
    return Fail(chain.label(), LW_INVALID_ARGUMENT, "outputs is NULL");
  }
  return LW_OK;
}

lw_status ChainCall::CheckInputs(const lw_tensor* inputs, size_t count) {
  const lw_status counted = CheckInputCount(chain_, inputs, count);
  if (counted != LW_OK) return counted;
  for (size_t i = 0; i < count; ++i) {
    Operand operand = {&inputs[i], "input", i, 0};
    const lw_status status = CheckShape(chain_.label(), operand);
    if (status != LW_OK) return status;
    const int32_t wanted = chain_.input_types[i];
    if (inputs[i].type == wanted) continue;
    return Fail(chain_.label(), LW_UNSUPPORTED_TYPE, "input %zu is %s, not %s",
                i, lw_type_name(inputs[i].type), lw_type_name(wanted));
  }
  inputs_ = inputs;
  return LW_OK;
}

lw_status ChainCall::ResolveStep(size_t index) {
  const ChainStep& step = chain_.steps[index];
  lw_tensor tensors[kMaxInputs] = {};
  const size_t count = step.operands.size();
  for (size_t k = 0; k < count; ++k) {
    if (step.operands[k] >= 0) tensors[k] = TensorOf(step.operands[k]);
  }
  Call call;
  const lw_status status = ResolveInputs(*step.node, tensors, count, &call);
  if (status != LW_OK) return chain_.FailIn(index, status);
  int64_t* const dims = dims_ + index * rank_;
  std::copy_n(call.shape.dims, call.shape.rank, dims);
  std::transform(call.offsets, call.offsets + kMaxInputs, offsets_[index].of,
                 [](int32_t offset) { return static_cast<int8_t>(offset); });
  reduced_[index] = step.node->is_reduction ? call.reduced : 0;
  // A shape may be read through a view, but only where it has no gaps.
  const bool is_view = step.is_head && IsContiguous(tensors[0]);
  views_[index] = {is_view ? tensors[0].data : nullptr,
                   call.shape.type,
                   call.shape.rank,
                   dims,
                   nullptr,
                   is_view ? tensors[0].bytes : 0};
  return LW_OK;
}

lw_status ChainCall::Resolve(const lw_tensor* inputs, size_t count) {
  std::fill_n(in_extents_, kMaxInputs, Extent{});
  std::fill_n(out_extents_, LW_MAX_OUTPUTS, Extent{});
  std::fill_n(passes_, pass_count_, ChainPass{});
  pass_count_ = 0;
  lw_status status = CheckInputs(inputs, count);
  for (size_t s = 0; s < chain_.steps.size() && status == LW_OK; ++s) {
    status = ResolveStep(s);
  }
  return status;
}

void ChainCall::Infer(lw_shape* outputs) const {
  for (size_t k = 0; k < chain_.outputs.size(); ++k) {
    const lw_tensor& view = views_[chain_.outputs[k]];
    outputs[k].type = view.type;
    outputs[k].rank = view.rank;
    std::copy_n(view.dims, view.rank, outputs[k].dims);
  }
}

lw_status ChainCall::CheckOutput(const lw_tensor& output, size_t k) {
  Operand operand = {&output, "output", chain_.NumberOf(k), 0};
  const lw_status status = CheckShape(chain_.label(), operand);
  if (status != LW_OK) return status;
  const lw_tensor& wanted = views_[chain_.outputs[k]];
  if (output.type != wanted.type) {
    return Fail(chain_.label(), LW_UNSUPPORTED_TYPE, "output %zu is %s, not %s",
                chain_.NumberOf(k), lw_type_name(wanted.type),
                lw_type_name(output.type));
  }
  if (!SameDims(DimsOf(output), DimsOf(wanted))) {
    return Fail(chain_.label(), LW_INVALID_SHAPE,
                "the shape of output %zu is %s, not %s", chain_.NumberOf(k),
                ShapeText(wanted.dims, wanted.rank).c_str(),
                ShapeText(output.dims, output.rank).c_str());
  }
  return LW_OK;
}

// A tensor on the other side of a Reshape is described by other dims, which can
// have no strides.
lw_status CheckNoGaps(const Label& label, const char* role, size_t index,
                      const lw_tensor& tensor) {
  if (IsContiguous(tensor)) return LW_OK;
  return Fail(label, LW_INVALID_ARGUMENT,
              "%s %zu goes through Reshape and so must have no gaps", role,
              index);
}

lw_status ChainCall::CheckLayouts() {
  for (size_t i = 0; i < chain_.inputs(); ++i) {
    int64_t elements = 1;
    CountElements(DimsOf(inputs_[i]), &elements);
    if (elements == 0) continue;
    const lw_status status =
        CheckLayout(chain_.label(), {&inputs_[i], "input", i, elements},
                    LayoutOf(inputs_[i].type), &in_extents_[i]);
    if (status != LW_OK) return status;
  }
  for (const ChainStep& step : chain_.steps) {
    if (!step.is_head || !chain_.IsInput(step.operands[0])) continue;
    const auto i = static_cast<size_t>(step.operands[0]);
    const lw_status status =
        CheckNoGaps(chain_.label(), "input", i, inputs_[i]);
    if (status != LW_OK) return status;
  }
  for (size_t k = 0; k < chain_.outputs.size(); ++k) {
    int64_t elements = 1;
    CountElements(DimsOf(outputs_[k]), &elements);
    if (elements == 0) continue;
    lw_status status = CheckLayout(
        chain_.label(), {&outputs_[k], "output", chain_.NumberOf(k), elements},
        LayoutOf(outputs_[k].type), &out_extents_[k]);
    if (status == LW_OK && chain_.steps[chain_.outputs[k]].is_tail) {
      status = CheckNoGaps(chain_.label(), "output", k, outputs_[k]);
    }
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

lw_status ChainCall::MakePasses() {
  StepSet counted = 0;
  for (size_t k = 0; k < chain_.outputs.size(); ++k) {
    const size_t source = chain_.SourceOf(k);
    int64_t elements = 0;
    CountElements(ShapeOf(source), &elements);
    if (elements == 0) continue;
    size_t at = 0;
    for (; at < pass_count_; ++at) {
      const size_t first = chain_.SourceOf(passes_[at].outputs[0]);
      if (SameDims(ShapeOf(first), ShapeOf(source))) break;
    }
    ChainPass& pass = passes_[at];
    pass_count_ = std::max(pass_count_, at + 1);
    pass.outputs[pass.count++] = static_cast<uint8_t>(k);
    pass.steps |= chain_.steps[source].needs;
  }
  for (size_t at = 0; at < pass_count_; ++at) {
    passes_[at].counts = passes_[at].steps & ~counted;
    counted |= passes_[at].steps;
    PassInput inputs[kMaxInputs];
    int32_t offsets[LW_MAX_STEPS];
    if (FindInputs(passes_[at], inputs, offsets) < 0) {
      return Fail(chain_.label(), LW_INVALID_SHAPE,
                  "a value is read along two different axes, or too many "
                  "inputs are: these steps cannot be one chain");
    }
  }
  return LW_OK;
}

lw_status ChainCall::CheckOutputs(const lw_tensor* outputs, size_t count) {
  const lw_status counted = CheckOutputCount(chain_, outputs, count);
  if (counted != LW_OK) return counted;
  for (size_t k = 0; k < count; ++k) {
    const lw_status status = CheckOutput(outputs[k], k);
    if (status != LW_OK) return status;
  }
  outputs_ = outputs;
  const lw_status status = CheckLayouts();
  // Stages have passes of their own.
  return status == LW_OK && !chain_.has_reductions ? MakePasses() : status;
}

int ChainCall::FindInputs(const ChainPass& pass, PassInput* inputs,
                          int32_t* step_offsets) const {
  constexpr int32_t kUnknown = INT32_MIN;
  std::fill_n(step_offsets, LW_MAX_STEPS, kUnknown);
  for (int i = 0; i < pass.count; ++i) {
    step_offsets[chain_.SourceOf(pass.outputs[i])] = 0;
  }
  int count = 0;
  for (size_t s = chain_.steps.size(); s-- > 0;) {
    const ChainStep& step = chain_.steps[s];
    if ((pass.steps >> s & 1) == 0 || step.is_head) continue;
    // The steps that read this one came before and told its place, unless it is
    // one element, which lies anywhere.
    if (step_offsets[s] == kUnknown) step_offsets[s] = 0;
    for (size_t k = 0; k < step.operands.size(); ++k) {
      const int32_t value = step.operands[k];
      if (value < 0 || ElementsOf(value) == 1) continue;
      const int32_t offset = OffsetOf(s, k, step_offsets);
      const int32_t root = chain_.RootOf(value);
      if (root < 0) {
        int32_t& known = step_offsets[chain_.StepOf(value)];
        if (known != kUnknown && known != offset) return -1;
        known = offset;
        continue;
      }
      const auto* known =
          std::find_if(inputs, inputs + count, [&](const PassInput& input) {
            return input.value == value && input.offset == offset;
          });
      if (known != inputs + count) continue;
      if (count == kMaxInputs) return -1;
      inputs[count++] = {value, root, offset};
    }
  }
  return count;
}

// Whether output `k` of a pass may be written over the input `root`: no later
// step reads the input.
bool ChainCall::MayCover(int32_t root, size_t k, size_t at) const {
  for (size_t p = at; p < pass_count_; ++p) {
    for (size_t s = 0; s < chain_.steps.size(); ++s) {
      if ((passes_[p].steps >> s & 1) == 0 || chain_.steps[s].is_head) continue;
      if (p == at && s <= chain_.SourceOf(k)) continue;
      for (const int32_t value : chain_.steps[s].operands) {
        if (value >= 0 && chain_.RootOf(value) == root) return false;
      }
    }
  }
  return true;
}

Placed ChainCall::PlacedInput(size_t i, void* const* data) const {
  return {&inputs_[i], data[i], LayoutOf(inputs_[i].type).bits, in_extents_[i]};
}

Placed ChainCall::PlacedOutput(size_t k, const lw_tensor& view,
                               void* const* data) const {
  return {&view, data[chain_.inputs() + k], LayoutOf(view.type).bits,
          out_extents_[k]};
}

lw_status ChainCall::FailOverlap(size_t output, size_t input) const {
  return Fail(chain_.label(), LW_OVERLAP,
              "output %zu overlaps input %zu, which is not exactly the same "
              "elements, or is read by a later step",
              chain_.NumberOf(output), input);
}

lw_status ChainCall::CheckOutputsApart(size_t k, void* const* data) const {
  const Placed output = PlacedOutput(k, outputs_[k], data);
  for (size_t other = 0; other < chain_.outputs.size(); ++other) {
    if (other == k || out_extents_[other].high == out_extents_[other].low ||
        AreApart(output, PlacedOutput(other, outputs_[other], data))) {
      continue;
    }
    return Fail(chain_.label(), LW_OVERLAP, "outputs %zu and %zu overlap",
                chain_.NumberOf(k), chain_.NumberOf(other));
  }
  return LW_OK;
}

lw_status ChainCall::CheckOverlap(size_t at, void* const* data) const {
  PassInput inputs[kMaxInputs];
  int32_t offsets[LW_MAX_STEPS];
  const int count = FindInputs(passes_[at], inputs, offsets);
  for (int j = 0; j < passes_[at].count; ++j) {
    const size_t k = passes_[at].outputs[j];
    const lw_tensor view = OutputView(k);
    const Placed output = PlacedOutput(k, view, data);
    for (size_t i = 0; i < chain_.inputs(); ++i) {
      if (!IsRead(i)) continue;
      const Placed input = PlacedInput(i, data);
      if (AreApart(input, output)) continue;
      bool same = MayCover(static_cast<int32_t>(i), k, at);
      bool is_read = false;
      for (int p = 0; p < count; ++p) {
        if (inputs[p].root != static_cast<int32_t>(i)) continue;
        const Placed seen = {&TensorOf(inputs[p].value), data[i], input.bits,
                             in_extents_[i]};
        same &= AreSame(seen, output);
        is_read = true;
      }
      if (same && (is_read || AreSame(input, output))) continue;
      return FailOverlap(k, i);
    }
    const lw_status status = CheckOutputsApart(k, data);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

// A chain with reductions may write an output over an input that no step behind
// the output's own reads. Steps that read a view of the input must see the same
// elements at the same places: slices are written one after the other.
lw_status ChainCall::CheckInputsOfStages(size_t k, void* const* data) const {
  const lw_tensor view = OutputView(k);
  const Placed output = PlacedOutput(k, view, data);
  for (size_t i = 0; i < chain_.inputs(); ++i) {
    if (!IsRead(i)) continue;
    const Placed input = PlacedInput(i, data);
    if (AreApart(input, output)) continue;
    bool may_cover = true;
    for (size_t s = 0; s < chain_.steps.size(); ++s) {
      if (chain_.steps[s].is_head) continue;
      for (const int32_t value : chain_.steps[s].operands) {
        if (value < 0 || chain_.RootOf(value) != static_cast<int32_t>(i)) {
          continue;
        }
        const Placed seen = {&TensorOf(value), data[i], input.bits,
                             in_extents_[i]};
        may_cover &= s <= chain_.SourceOf(k) && AreSame(seen, output);
      }
    }
    if (!may_cover) return FailOverlap(k, i);
  }
  return LW_OK;
}

lw_status ChainCall::CheckPlaces(void* const* data) const {
  const size_t ins = chain_.inputs();
  for (size_t i = 0; i < ins; ++i) {
    // A reduction may make elements of none.
    if (!IsRead(i) || in_extents_[i].high == in_extents_[i].low) continue;
    const lw_status status =
        CheckPointer(chain_.label(), {&inputs_[i], "input", i, 0}, data[i],
                     LayoutOf(inputs_[i].type));
    if (status != LW_OK) return status;
  }
  const auto has_elements = [&](size_t k) {
    return out_extents_[k].high != out_extents_[k].low;
  };
  for (size_t k = 0; k < chain_.outputs.size(); ++k) {
    if (!has_elements(k)) continue;
    const lw_status status = CheckPointer(
        chain_.label(), {&outputs_[k], "output", chain_.NumberOf(k), 0},
        data[ins + k], LayoutOf(outputs_[k].type));
    if (status != LW_OK) return status;
  }
  for (size_t at = 0; at < pass_count_; ++at) {
    const lw_status status = CheckOverlap(at, data);
    if (status != LW_OK) return status;
  }
  if (!chain_.has_reductions) return LW_OK;
  for (size_t k = 0; k < chain_.outputs.size(); ++k) {
    if (!has_elements(k)) continue;
    lw_status status = CheckInputsOfStages(k, data);
    if (status == LW_OK) status = CheckOutputsApart(k, data);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

}  // namespace lanewise
