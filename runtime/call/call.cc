// SPDX-License-Identifier: Apache-2.0

#include "runtime/call/call.h"

#include <algorithm>

#include "runtime/call/call_shapes.h"
#include "runtime/engine/types.h"

namespace lanewise {
namespace {

lw_status CheckCount(const Node& node, const lw_tensor* inputs, size_t count) {
  const size_t least = node.least_inputs;
  const size_t most = node.input_count;
  if (count < least || count > most) {
    return least == most ? Fail(node.label, LW_WRONG_COUNT,
                                "%zu input(s) are needed, not %zu", most, count)
                         : Fail(node.label, LW_WRONG_COUNT,
                                "%zu to %zu inputs are needed, not %zu", least,
                                most, count);
  }
  if (inputs == nullptr) {
    return Fail(node.label, LW_INVALID_ARGUMENT, "inputs is NULL");
  }
  return LW_OK;
}

lw_status CheckInputShapes(const Node& node, const lw_tensor* inputs,
                           size_t count, Call* call) {
  call->input_count = node.form.variadic ? count : node.input_count;
  call->kernel_inputs = node.KernelInputsOf(count);
  for (size_t i = 0; i < call->input_count; ++i) {
    const bool absent = i >= count || inputs[i].type == LW_ABSENT;
    call->inputs[i] = {absent ? nullptr : &inputs[i], "input", i, 0};
    if (absent) {
      if (node.InputInfo(i).optional) continue;
      return Fail(node.label, LW_WRONG_COUNT, "input %zu (%s) is left out", i,
                  node.InputInfo(i).name);
    }
    const lw_status status = CheckShape(node.label, call->inputs[i]);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

lw_status CheckTypes(const Node& node, Call* call) {
  const auto type_of = [&](size_t k) {
    const lw_tensor* tensor = call->inputs[k].tensor;
    return tensor != nullptr ? tensor->type : int32_t{LW_ABSENT};
  };
  call->type = type_of(node.binding_input);
  call->bound = node.BindBy(type_of);
  if (call->bound == nullptr && node.is_aligned) {
    return node.FailAligned(call->type, type_of(1),
                            node.OutputOf(type_of(1), type_of(2)));
  }
  if (call->bound == nullptr || call->type == LW_STRING) {
    const lw_status status = node.second_is_own
                                 ? node.CheckPair(call->type, type_of(1))
                                 : node.CheckType(call->type);
    if (status != LW_OK) return status;
  }
  for (size_t i = 0; i < call->input_count; ++i) {
    const lw_tensor* tensor = call->inputs[i].tensor;
    if (tensor == nullptr || node.InputInfo(i).role == Role::kType) continue;
    const int32_t wanted = i < call->kernel_inputs
                               ? call->bound->types[i]
                               : int32_t{node.InputInfo(i).only};
    if (tensor->type == wanted) continue;
    return Fail(node.label, LW_UNSUPPORTED_TYPE, "input %zu (%s) is %s, not %s",
                i, node.InputInfo(i).name, lw_type_name(wanted),
                lw_type_name(tensor->type));
  }
  call->shape.type = call->bound->types[BoundTypes::kOutput];
  return LW_OK;
}

lw_status CheckScalars(const Node& node, const Call& call) {
  for (size_t i = 0; i < call.input_count; ++i) {
    const lw_tensor* tensor = call.inputs[i].tensor;
    if (node.InputInfo(i).role != Role::kScalar || tensor == nullptr) continue;
    if (tensor->rank <= 1 && call.inputs[i].elements == 1) continue;
    return Fail(node.label, LW_INVALID_SHAPE,
                "input %zu (%s) is a scalar, not of shape %s", i,
                node.InputInfo(i).name,
                ShapeText(tensor->dims, tensor->rank).c_str());
  }
  return LW_OK;
}

// A view: elements that lie in row-major order, and keep it, may stay where
// they are under another shape.
bool IsView(const Node& node, const Call& call, const void* const* data) {
  return node.op.moves_only && data[0] == data[1] &&
         IsContiguous(*call.inputs[0].tensor) &&
         IsContiguous(*call.output.tensor);
}

}  // namespace

lw_status TakeInputs(const Node& node, const lw_tensor* inputs, size_t count,
                     Call* call) {
  const lw_status status = CheckCount(node, inputs, count);
  return status == LW_OK ? CheckInputShapes(node, inputs, count, call) : status;
}

lw_status ResolveTypes(const Node& node, const lw_tensor* inputs, size_t count,
                       Call* call) {
  const lw_status status = TakeInputs(node, inputs, count, call);
  return status == LW_OK ? CheckTypes(node, call) : status;
}

lw_status ResolveInputs(const Node& node, const lw_tensor* inputs, size_t count,
                        Call* call) {
  lw_status status = ResolveTypes(node, inputs, count, call);
  if (status == LW_OK) status = CheckScalars(node, *call);
  if (status == LW_OK) status = ResolveShape(node, call);
  return status;
}

lw_status CheckOutput(const Node& node, const lw_tensor* outputs, size_t count,
                      Call* call) {
  if (count != 1) {
    return Fail(node.label, LW_WRONG_COUNT, "1 output is needed, not %zu",
                count);
  }
  if (outputs == nullptr) {
    return Fail(node.label, LW_INVALID_ARGUMENT, "outputs is NULL");
  }
  call->output = {&outputs[0], "output", 0, 0};
  const lw_status status = CheckShape(node.label, call->output);
  if (status != LW_OK) return status;
  if (outputs[0].type != call->shape.type) {
    return Fail(node.label, LW_UNSUPPORTED_TYPE, "the output is %s, not %s",
                lw_type_name(call->shape.type), lw_type_name(outputs[0].type));
  }
  const Dims wanted = {call->shape.dims, call->shape.rank};
  if (!SameDims(DimsOf(outputs[0]), wanted)) {
    return Fail(node.label, LW_INVALID_SHAPE,
                "the output's shape is %s, not %s",
                ShapeText(wanted.dims, wanted.rank).c_str(),
                ShapeText(outputs[0].dims, outputs[0].rank).c_str());
  }
  return LW_OK;
}

namespace {

// A reduction has results even of an input that is empty and may lie nowhere.
bool HasElements(const Call& call, size_t input) {
  const Operand& operand = call.inputs[input];
  return operand.tensor != nullptr && operand.elements != 0;
}

}  // namespace

lw_status CheckLayouts(const Node& node, Call* call) {
  lw_status status = CheckLayout(node.label, call->output, call->out_layout(),
                                 &call->out_extent());
  for (size_t i = 0; i < call->kernel_inputs && status == LW_OK; ++i) {
    if (!HasElements(*call, i)) continue;
    status = CheckLayout(node.label, call->inputs[i], call->bound->layouts[i],
                         &call->extents[i]);
  }
  return status;
}

lw_status CheckPlaces(const Node& node, const Call& call,
                      const void* const* data) {
  const size_t out = call.kernel_inputs;
  lw_status status =
      CheckPointer(node.label, call.output, data[out], call.out_layout());
  for (size_t i = 0; i < out && status == LW_OK; ++i) {
    if (!HasElements(call, i)) continue;
    status = CheckPointer(node.label, call.inputs[i], data[i],
                          call.bound->layouts[i]);
  }
  if (status != LW_OK || IsView(node, call, data)) return status;

  const Placed output = {call.output.tensor, data[out], call.out_layout().bits,
                         call.out_extent()};
  for (size_t i = 0; i < out; ++i) {
    if (!HasElements(call, i)) continue;
    const Placed input = {call.inputs[i].tensor, data[i],
                          call.bound->layouts[i].bits, call.extents[i]};
    if (AreApart(input, output) || AreSame(input, output)) continue;
    return Fail(node.label, LW_OVERLAP,
                "output 0 overlaps input %zu in part: only exactly the same "
                "elements (in place) or no common byte will do",
                i);
  }
  return LW_OK;
}

}  // namespace lanewise
