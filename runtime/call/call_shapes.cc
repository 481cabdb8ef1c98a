// SPDX-License-Identifier: Apache-2.0
//
// The shape rules: what shape the output of a call has, and how the inputs
// align with it.

#include "runtime/call/call_shapes.h"

#include <algorithm>
#include <span>

#include "kernels/reduction.h"
#include "runtime/call/alignment.h"
#include "runtime/plan/shape.h"
#include "runtime/plan/tensor.h"

namespace lanewise {
namespace {

void TakeShape(Dims dims, lw_shape* shape) {
  shape->rank = dims.rank;
  std::copy_n(dims.dims, dims.rank, shape->dims);
}

// Inputs of Role::kElements, and no others, stretch.
lw_status ResolveBroadcast(const Node& node, Call* call) {
  TakeShape(DimsOf(*call->inputs[0].tensor), &call->shape);
  for (size_t i = 1; i < call->kernel_inputs; ++i) {
    if (node.InputInfo(i).role != Role::kElements) continue;
    const lw_status status =
        Broadcast(node.label, DimsOf(*call->inputs[i].tensor), &call->shape);
    if (status != LW_OK) return status;
  }
  for (size_t i = 0; i < call->kernel_inputs; ++i) {
    const lw_tensor* tensor = call->inputs[i].tensor;
    const int32_t rank = tensor == nullptr ? 0 : tensor->rank;
    call->offsets[i] = call->shape.rank - rank;
  }
  int64_t elements = 0;
  if (!CountElements({call->shape.dims, call->shape.rank}, &elements)) {
    return Fail(node.label, LW_SIZE_OVERFLOW,
                "the number of elements of the output %s overflows",
                ShapeText(call->shape.dims, call->shape.rank).c_str());
  }
  return LW_OK;
}

lw_status ResolveEqual(const Node& node, Call* call) {
  const Dims first = DimsOf(*call->inputs[0].tensor);
  TakeShape(first, &call->shape);
  for (size_t i = 1; i < call->kernel_inputs; ++i) {
    const Dims other = DimsOf(*call->inputs[i].tensor);
    if (SameDims(first, other)) continue;
    return Fail(node.label, LW_INVALID_SHAPE,
                "inputs 0 and %zu have the shapes %s and %s, and this version "
                "stretches none",
                i, ShapeText(first.dims, first.rank).c_str(),
                ShapeText(other.dims, other.rank).c_str());
  }
  return LW_OK;
}

// What a message about the second input calls that input.
struct Second {
  explicit Second(const Node& node)
      : is_step(node.rule.kind != StepRule::kUsual),
        index(is_step ? node.rule.second.index : 1),
        name(is_step ? node.rule.second.name : node.InputInfo(1).name) {}
  bool is_step;  // of a recipe
  size_t index;
  const char* name;
};

// The second input stretches to the first one's shape.
lw_status ResolveOneWay(const Node& node, Call* call) {
  const Dims first = DimsOf(*call->inputs[0].tensor);
  const lw_status status = ResolveBroadcast(node, call);
  const Second named(node);
  if (status != LW_OK && !named.is_step) return status;
  if (status == LW_OK &&
      SameDims(first, {call->shape.dims, call->shape.rank})) {
    return LW_OK;
  }
  const Dims second = DimsOf(*call->inputs[1].tensor);
  return Fail(node.label, LW_INVALID_SHAPE,
              "input %zu (%s) of shape %s does not stretch to %s", named.index,
              named.name, ShapeText(second.dims, second.rank).c_str(),
              ShapeText(first.dims, first.rank).c_str());
}

// The second input is one element, or has one for each index of dim 1.
lw_status ResolveChannel(const Node& node, Call* call) {
  const Dims first = DimsOf(*call->inputs[0].tensor);
  const Dims second = DimsOf(*call->inputs[1].tensor);
  TakeShape(first, &call->shape);
  if (call->inputs[1].elements == 1) return LW_OK;
  call->offsets[1] = 1;
  if (second.rank == 1 && first.rank > 1 && second.dims[0] == first.dims[1]) {
    return LW_OK;
  }
  return Fail(node.label, LW_INVALID_SHAPE,
              "input 1 (%s) of shape %s is neither one element nor one for "
              "each channel (dim 1) of %s",
              node.InputInfo(1).name,
              ShapeText(second.dims, second.rank).c_str(),
              ShapeText(first.dims, first.rank).c_str());
}

lw_status ResolveLike(const Node& node, Call* call) {
  const Dims first = DimsOf(*call->inputs[0].tensor);
  const Dims second = DimsOf(*call->inputs[1].tensor);
  TakeShape(first, &call->shape);
  if (SameDims(first, second)) return LW_OK;
  const StepRule& rule = node.rule;
  return Fail(node.label, LW_INVALID_SHAPE,
              "inputs %zu (%s) and %zu (%s) have the shapes %s and %s",
              rule.first.index, rule.first.name, rule.second.index,
              rule.second.name, ShapeText(first.dims, first.rank).c_str(),
              ShapeText(second.dims, second.rank).c_str());
}

lw_status FailSecond(const Node& node, Dims wanted, Dims second) {
  return Fail(node.label, LW_INVALID_SHAPE,
              "input %zu (%s) is of shape %s, not %s", node.rule.second.index,
              node.rule.second.name,
              ShapeText(wanted.dims, wanted.rank).c_str(),
              ShapeText(second.dims, second.rank).c_str());
}

// The second input has some dims of the first one, from dim 1 on.
lw_status ResolveChannelDims(const Node& node, Call* call) {
  static constexpr int64_t kOne[] = {1};
  const Dims first = DimsOf(*call->inputs[0].tensor);
  const Dims second = DimsOf(*call->inputs[1].tensor);
  TakeShape(first, &call->shape);
  // Elements without channels are of one channel.
  const int32_t behind = first.rank > 1 ? first.rank - 1 : 1;
  const int64_t* dims = first.rank > 1 ? first.dims + 1 : kOne;
  const auto count = static_cast<int32_t>(
      node.rule.number < 0 ? behind
                           : std::min<int64_t>(node.rule.number, behind));
  call->offsets[1] = first.rank > 1 ? 1 : 0;
  if (SameDims(second, {dims, count})) return LW_OK;
  return FailSecond(node, {dims, count}, second);
}

// The inputs behind the first are the same: an element for each group of
// channels. These are told apart where the step runs (runtime/stages/groups.h).
lw_status ResolveGroups(const Node& node, Call* call) {
  const Dims second = DimsOf(*call->inputs[1].tensor);
  TakeShape(DimsOf(*call->inputs[0].tensor), &call->shape);
  std::fill_n(call->offsets + 1, call->kernel_inputs - 1, 1);
  if (SameDims(second, {&node.rule.number, 1})) return LW_OK;
  return FailSecond(node, {&node.rule.number, 1}, second);
}

lw_status ResolveLegacyBroadcast(const Node& node, Call* call) {
  const Dims a = DimsOf(*call->inputs[0].tensor);
  const Dims b = DimsOf(*call->inputs[1].tensor);
  TakeShape(a, &call->shape);
  if (node.attributes.broadcasts()) {
    return LegacyBroadcast(node.label, a, b, node.attributes.axis(),
                           &call->offsets[1]);
  }
  if (SameDims(a, b)) return LW_OK;
  return Fail(node.label, LW_INVALID_SHAPE,
              "shapes %s and %s differ, and broadcast is 0",
              ShapeText(a.dims, a.rank).c_str(),
              ShapeText(b.dims, b.rank).c_str());
}

// Reads a shape input's numbers, a few at most. Its data must then be readable.
lw_status ReadShapeInput(const Node& node, const Operand& shape,
                         int64_t* numbers) {
  const lw_tensor& tensor = *shape.tensor;
  const char* name = node.InputInfo(shape.index).name;
  if (tensor.rank != 1) {
    return Fail(node.label, LW_INVALID_SHAPE,
                "input %zu (%s) is of rank %d, not of rank 1", shape.index,
                name, tensor.rank);
  }
  if (shape.elements > LW_MAX_RANK) {
    return Fail(node.label, LW_INVALID_SHAPE,
                "input %zu (%s) has %lld elements, more than LW_MAX_RANK, %d",
                shape.index, name, static_cast<long long>(shape.elements),
                LW_MAX_RANK);
  }
  if (shape.elements == 0) return LW_OK;
  const ElementLayout layout = node.LayoutOf(LW_INT64);
  Extent extent;
  lw_status status = CheckPointer(node.label, shape, tensor.data, layout);
  if (status == LW_OK) status = CheckLayout(node.label, shape, layout, &extent);
  if (status != LW_OK) return status;
  const auto* from = static_cast<const int64_t*>(tensor.data);
  const int64_t stride = tensor.strides != nullptr ? tensor.strides[0] : 1;
  for (int64_t i = 0; i < shape.elements; ++i) numbers[i] = from[i * stride];
  return LW_OK;
}

// The target comes from the attribute, or is read from the shape input.
lw_status ResolveTargetShape(const Node& node, Call* call) {
  const Dims input = DimsOf(*call->inputs[0].tensor);
  const bool keeps_zeros = node.attributes.keeps_zeros();
  if (call->input_count == call->kernel_inputs) {
    const std::span<const int64_t> target = node.attributes.target_shape();
    const auto rank =
        static_cast<int32_t>(std::min<size_t>(target.size(), LW_MAX_RANK + 1));
    return ResolveTarget(node.label, input, {target.data(), rank}, keeps_zeros,
                         &call->shape);
  }
  const Operand& shape = call->inputs[call->kernel_inputs];
  int64_t target[LW_MAX_RANK];
  const lw_status status = ReadShapeInput(node, shape, target);
  if (status != LW_OK) return status;
  return ResolveTarget(node.label, input,
                       {target, static_cast<int32_t>(shape.elements)},
                       keeps_zeros, &call->shape);
}

// All dims from dim 1 on, which can be divided.
lw_status FindReducedGroups(const Node& node, Dims input, uint64_t* reduced) {
  const int64_t groups = node.rule.number;
  // The two dims that dim 1 is divided into need a rank of one more.
  if (input.rank < 2 || input.rank == LW_MAX_RANK ||
      input.dims[1] % groups != 0) {
    return Fail(node.label, LW_INVALID_SHAPE,
                "dim 1 of %s cannot be divided into %lld groups",
                ShapeText(input.dims, input.rank).c_str(),
                static_cast<long long>(groups));
  }
  *reduced = (uint64_t{1} << input.rank) - 2;
  return LW_OK;
}

// A dim, or all dims from it on.
lw_status FindReducedByRule(const Node& node, Dims input, uint64_t* reduced) {
  if (node.rule.kind == StepRule::kReduceGroups) {
    return FindReducedGroups(node, input, reduced);
  }
  const int64_t axes[] = {node.rule.number};
  const lw_status status = FindReduced(node.label, input, axes, false, reduced);
  const uint64_t all =
      input.rank == 64 ? ~uint64_t{0} : (uint64_t{1} << input.rank) - 1;
  const bool to_end = node.rule.kind == StepRule::kReduceFrom ||
                      node.rule.kind == StepRule::kCountFrom;
  if (status == LW_OK && to_end) *reduced = ~(*reduced - 1) & all;
  return status;
}

// The dims that are not counted are 1. Where there are no elements, there is
// nothing to count, and the counted dims alone may have too many.
lw_status ResolveCounted(const Node& node, Call* call) {
  const Dims input = DimsOf(*call->inputs[0].tensor);
  uint64_t counted = 0;
  const lw_status status = FindReducedByRule(node, input, &counted);
  TakeShape(input, &call->shape);
  call->reduced = 0;
  if (call->inputs[0].elements == 0) return status;
  for (int32_t i = 0; i < input.rank; ++i) {
    if ((counted >> i & 1) == 0) call->shape.dims[i] = 1;
  }
  return status;
}

// The axes come from an attribute, or are read from the last input.
lw_status ResolveReduced(const Node& node, Call* call) {
  const Attributes& attributes = node.attributes;
  int64_t numbers[LW_MAX_RANK];
  std::span<const int64_t> axes = attributes.axes();
  if (call->input_count > call->kernel_inputs) {
    const Operand& given = call->inputs[call->kernel_inputs];
    if (given.tensor != nullptr) {
      const lw_status status = ReadShapeInput(node, given, numbers);
      if (status != LW_OK) return status;
      axes = {numbers, static_cast<size_t>(given.elements)};
    }
  }
  const Dims input = DimsOf(*call->inputs[0].tensor);
  const bool has_rule = node.rule.kind != StepRule::kUsual;
  const lw_status status =
      has_rule ? FindReducedByRule(node, input, &call->reduced)
               : FindReduced(node.label, input, axes,
                             attributes.may_have_no_axes(), &call->reduced);
  if (status != LW_OK) return status;
  TakeReducedShape(input, call->reduced, attributes.keeps_dims(), &call->shape);
  if (node.rule.kind == StepRule::kReduceGroups) {
    call->shape.dims[1] = input.dims[1];
  }
  int64_t outputs = 0;
  CountElements({call->shape.dims, call->shape.rank}, &outputs);
  if (!call->bound->reduction->needs_elements || outputs == 0 || has_rule ||
      call->inputs[0].elements != 0) {
    return LW_OK;
  }
  return Fail(node.label, LW_INVALID_SHAPE,
              "a dim without elements is reduced in %s",
              ShapeText(input.dims, input.rank).c_str());
}

}  // namespace

lw_status ResolveShape(const Node& node, Call* call) {
  std::fill_n(call->offsets, kMaxInputs, 0);
  switch (node.rule.kind) {
    case StepRule::kStretch:
      return ResolveOneWay(node, call);
    case StepRule::kChannel:
      return ResolveChannelDims(node, call);
    case StepRule::kEqual:
      return ResolveLike(node, call);
    case StepRule::kGroup:
      return ResolveGroups(node, call);
    case StepRule::kCountFrom:
    case StepRule::kCountOne:
      return ResolveCounted(node, call);
    case StepRule::kReduceFrom:
    case StepRule::kReduceOne:
    case StepRule::kReduceGroups:
    case StepRule::kUsual:
      break;
  }
  switch (node.form.shape_rule) {
    case ShapeRule::kSame:
      TakeShape(DimsOf(*call->inputs[0].tensor), &call->shape);
      return LW_OK;
    case ShapeRule::kEqual:
      return ResolveEqual(node, call);
    case ShapeRule::kBroadcast:
      return ResolveBroadcast(node, call);
    case ShapeRule::kOneWay:
      return ResolveOneWay(node, call);
    case ShapeRule::kChannel:
      return ResolveChannel(node, call);
    case ShapeRule::kLegacyBroadcast:
      return ResolveLegacyBroadcast(node, call);
    case ShapeRule::kAligned:
      TakeShape(DimsOf(*call->inputs[0].tensor), &call->shape);
      return ResolveAlignment(node, call);
    case ShapeRule::kTarget:
      return ResolveTargetShape(node, call);
    case ShapeRule::kReduced:
      return ResolveReduced(node, call);
  }
  return LW_OK;
}

}  // namespace lanewise
