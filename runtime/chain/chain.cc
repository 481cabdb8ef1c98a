// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/chain.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/call/call.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/types.h"
#include "runtime/plan/tensor.h"

namespace lanewise {

lw_status CheckCounts(const ChainParts& parts) {
  const struct {
    const char* what;
    const void* given;
    size_t count, least, most;
  } lists[] = {
      {"inputs", parts.input_types, parts.input_count, 0, LW_MAX_INPUTS},
      {"constants", parts.constants, parts.constant_count, 0, LW_MAX_CONSTANTS},
      {"steps", parts.steps, parts.step_count, 1, LW_MAX_STEPS},
      {"outputs", parts.outputs, parts.output_count, 1, LW_MAX_OUTPUTS},
  };
  for (const auto& list : lists) {
    if (list.count < list.least || list.count > list.most) {
      return Fail(kChainLabel, LW_WRONG_COUNT,
                  "%zu to %zu %s are possible, not %zu", list.least, list.most,
                  list.what, list.count);
    }
    if (list.count != 0 && list.given == nullptr) {
      return Fail(kChainLabel, LW_INVALID_ARGUMENT, "%s is NULL", list.what);
    }
  }
  return LW_OK;
}

namespace {

// Steps run on blocks of whole bytes, and know no host's strings.
lw_status CheckType(const char* what, size_t index, int32_t type) {
  const TypeInfo* info = FindType(type);
  if (info == nullptr) {
    return Fail(kChainLabel, LW_UNSUPPORTED_TYPE,
                "%s %zu: %d is not the code of an ONNX type", what, index,
                type);
  }
  if (info->bits >= 8) return LW_OK;
  return Fail(kChainLabel, LW_UNSUPPORTED_TYPE,
              "%s %zu is %s: a chain has no strings and no packed types", what,
              index, info->name);
}

// Copies the elements to memory without gaps.
void CopyElements(const lw_tensor& from, size_t size, unsigned char* to) {
  int64_t index[LW_MAX_RANK] = {};
  int64_t strides[LW_MAX_RANK];
  int64_t contiguous = 1;
  for (int32_t i = from.rank - 1; i >= 0; --i) {
    strides[i] = from.strides != nullptr ? from.strides[i] : contiguous;
    contiguous *= from.dims[i];
  }
  int64_t offset = 0;
  while (true) {
    std::memcpy(to,
                static_cast<const char*>(from.data) +
                    offset * static_cast<int64_t>(size),
                size);
    to += size;
    int32_t i = from.rank - 1;
    for (; i >= 0; --i) {
      offset += strides[i];
      if (++index[i] < from.dims[i]) break;
      offset -= from.dims[i] * strides[i];
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

lw_status AddConstant(const lw_tensor& given, size_t index, Chain* chain) {
  lw_status status = CheckType("constant", index, given.type);
  if (status != LW_OK) return status;
  Operand operand = {&given, "constant", index, 0};
  status = CheckShape(kChainLabel, operand);
  if (status != LW_OK) return status;
  const TypeInfo& info = *FindType(given.type);
  const size_t size = info.bits / 8;
  ChainConstant constant = {};
  constant.elements = operand.elements;
  constant.dims.assign(given.dims, given.dims + given.rank);
  chain->known_rank =
      std::max(chain->known_rank, static_cast<size_t>(given.rank));
  if (operand.elements != 0) {
    const ElementLayout layout = {info.bits, info.alignment};
    Extent extent;
    status = CheckPointer(kChainLabel, operand, given.data, layout);
    if (status == LW_OK) {
      status = CheckLayout(kChainLabel, operand, layout, &extent);
    }
    if (status != LW_OK) return status;
    constant.bytes.resize(static_cast<size_t>(operand.elements) * size);
    CopyElements(given, size, constant.bytes.data());
  }
  chain->constants.push_back(std::move(constant));
  ChainConstant& kept = chain->constants.back();
  kept.tensor = {kept.bytes.data(), given.type, given.rank,
                 kept.dims.data(),  nullptr,    0};
  return LW_OK;
}

lw_status TakeOperands(const lw_step& given, size_t index, const Chain& chain,
                       ChainStep* step) {
  const auto known = static_cast<int32_t>(chain.first_step() + index);
  const lw_status status = CheckStep(given, chain.UserStep(index), known);
  if (status != LW_OK) return status;
  step->operands.assign(given.operands, given.operands + given.operand_count);
  step->needs = StepSet{1} << index;
  for (const int32_t value : step->operands) {
    if (chain.IsStep(value)) {
      step->needs |= chain.steps[chain.StepOf(value)].needs;
    }
  }
  return LW_OK;
}

// The step's types, found on tensors of one element.
lw_status BindStep(size_t index, const Chain& chain, ChainStep* step) {
  const Node& node = *step->node;
  lw_tensor tensors[kMaxInputs] = {};
  for (size_t k = 0; k < step->operands.size(); ++k) {
    const int32_t value = step->operands[k];
    tensors[k].type = value < 0 ? LW_ABSENT : chain.TypeOf(value);
  }
  Call call;
  const lw_status status =
      ResolveTypes(node, tensors, step->operands.size(), &call);
  if (status != LW_OK) return chain.FailIn(index, status);
  step->type = call.shape.type;
  step->reports_zeros = node.op.reports_zero_divisors && IsInteger(call.type);
  return CheckType("step", chain.UserStep(index), step->type);
}

// Where a Reshape has its shape from, or a reduction its axes: the attribute, a
// constant or an input.
void FindShape(const ChainStep& step, Chain* chain) {
  size_t rank = step.node->attributes.target_shape().size();
  for (size_t k = 1; k < step.operands.size(); ++k) {
    if (step.operands[k] < 0) continue;
    const int32_t root = chain->RootOf(step.operands[k]);
    if (chain->IsInput(root)) {
      chain->shapes[static_cast<size_t>(root)] = true;
      chain->reads_shapes = true;
    } else {
      const size_t index = static_cast<size_t>(root) - chain->inputs();
      rank = static_cast<size_t>(chain->constants[index].elements);
    }
  }
  chain->known_rank =
      std::max(chain->known_rank, std::min<size_t>(rank, LW_MAX_RANK));
}

// Why an operator cannot be a step; nullptr if it can.
const char* WhyNoStep(const Node& node) {
  if (node.is_composed()) return "is composed, and is no step as it stands";
  if (node.is_aligned) return "has an operand that aligns at an axis";
  return node.second_tells ? "has an operand that is only a type" : nullptr;
}

lw_status AddStep(const lw_step& given, size_t index, Chain* chain) {
  const size_t user_index = chain->UserStep(index);
  ChainStep step = {};
  lw_status status = TakeOperands(given, index, *chain, &step);
  if (status != LW_OK) return status;
  step.node = given.op->node;
  if (const char* why = WhyNoStep(*step.node); why != nullptr) {
    return Fail(kChainLabel, LW_INVALID_ARGUMENT, "step %zu (%s) %s",
                user_index, step.node->op.name, why);
  }
  if (step.node->engine != chain->engine) {
    return Fail(kChainLabel, LW_INVALID_ARGUMENT,
                "step %zu has an operator of another engine", user_index);
  }
  status = BindStep(index, *chain, &step);
  if (status != LW_OK) return status;
  const int32_t first = step.operands[0];
  step.is_head =
      step.node->op.moves_only && first >= 0 && chain->RootOf(first) >= 0;
  step.is_tail = step.node->op.moves_only && !step.is_head;
  chain->has_reductions |= step.node->is_reduction;
  const bool has_shape = step.node->op.moves_only || step.node->is_reduction;
  for (size_t k = 1; has_shape && k < step.operands.size(); ++k) {
    if (step.operands[k] >= 0 && chain->RootOf(step.operands[k]) < 0) {
      return Fail(kChainLabel, LW_INVALID_ARGUMENT,
                  "step %zu (%s) has %s that %s computed", user_index,
                  step.node->op.name,
                  step.node->is_reduction ? "axes" : "a shape",
                  step.node->is_reduction ? "are" : "is");
    }
  }
  if (has_shape) FindShape(step, chain);
  chain->reports_zeros |= step.reports_zeros;
  chain->steps.push_back(std::move(step));
  return LW_OK;
}

lw_status FailOutput(size_t index, int32_t value, const char* fault) {
  return Fail(kChainLabel, LW_INVALID_ARGUMENT, "output %zu: value %d %s",
              index, value, fault);
}

}  // namespace

lw_status FailNoValue(size_t index, int32_t value) {
  return FailOutput(index, value, "does not exist");
}

namespace {

// Values of recipes' steps have no number for the user, but no user can name
// these.
int32_t UserValue(const Chain& chain, int32_t value) {
  if (!chain.IsStep(value)) return value;
  const size_t step = chain.UserStep(chain.StepOf(value));
  return static_cast<int32_t>(chain.first_step() - chain.names.constants +
                              step);
}

lw_status AddOutput(int32_t value, size_t index, Chain* chain) {
  const auto values =
      static_cast<int32_t>(chain->first_step() + chain->steps.size());
  if (value < 0 || value >= values) {
    return FailNoValue(index, value);
  }
  if (chain->RootOf(value) >= 0) {
    return FailOutput(index, UserValue(*chain, value),
                      "is computed by no step");
  }
  chain->outputs.push_back(chain->StepOf(value));
  for (size_t k = 0; k < index; ++k) {
    if (chain->SourceOf(k) == chain->SourceOf(index)) {
      return FailOutput(index, UserValue(*chain, value),
                        "is an output already");
    }
  }
  return LW_OK;
}

// Every step is for an output, and no step reads what a Reshape at the end
// gives.
lw_status CheckUses(const Chain& chain) {
  StepSet used = 0;
  for (const size_t output : chain.outputs) used |= chain.steps[output].needs;
  StepSet outputs = 0;
  for (const size_t output : chain.outputs) outputs |= StepSet{1} << output;
  for (size_t s = 0; s < chain.steps.size(); ++s) {
    if ((used >> s & 1) == 0) {
      return Fail(kChainLabel, LW_INVALID_ARGUMENT,
                  "the result of step %zu goes into no output",
                  chain.UserStep(s));
    }
    bool read = false;
    for (const ChainStep& step : chain.steps) {
      for (const int32_t value : step.operands) {
        read |= chain.IsStep(value) && chain.StepOf(value) == s;
      }
    }
    if (chain.steps[s].is_tail && (read || (outputs >> s & 1) == 0)) {
      return Fail(kChainLabel, LW_INVALID_ARGUMENT,
                  "step %zu (%s) is between other steps, and can only be at an "
                  "end of the chain",
                  chain.UserStep(s), chain.steps[s].node->op.name);
    }
  }
  return LW_OK;
}

// Which inputs have elements that steps read. A shape is not among these.
void FindReads(Chain* chain) {
  chain->reads.assign(chain->inputs(), false);
  for (const ChainStep& step : chain->steps) {
    if (step.is_head || step.is_tail) continue;
    for (size_t k = 0; k < step.reads(); ++k) {
      const int32_t value = step.operands[k];
      const int32_t root = value < 0 ? -1 : chain->RootOf(value);
      if (root >= 0 && chain->IsInput(root)) {
        chain->reads[static_cast<size_t>(root)] = true;
      }
    }
  }
}

// Inputs and constants of many elements are operands of the loops.
lw_status CheckOperandCount(const Chain& chain) {
  size_t count = chain.inputs();
  for (size_t c = 0; c < chain.constants.size(); ++c) {
    const auto value = static_cast<int32_t>(chain.inputs() + c);
    const auto reads = [value](const ChainStep& step) {
      const int32_t* operands = step.operands.data();
      const int32_t* end = operands + step.reads();
      return std::find(operands, end, value) != end;
    };
    if (chain.constants[c].elements != 1 &&
        std::any_of(chain.steps.begin(), chain.steps.end(), reads)) {
      ++count;
    }
  }
  if (count <= kMaxInputs) return LW_OK;
  return Fail(kChainLabel, LW_WRONG_COUNT,
              "%zu inputs and constants of more than one element are more than "
              "%d",
              count, kMaxInputs);
}

}  // namespace

// An operand must be a value that is known before the step.
lw_status CheckStep(const lw_step& step, size_t index, int32_t known) {
  if (step.operand_count > LW_MAX_INPUTS || step.operand_count == 0 ||
      step.operands == nullptr) {
    return Fail(kChainLabel, LW_WRONG_COUNT, "step %zu has %zu operands", index,
                step.operands == nullptr ? 0 : step.operand_count);
  }
  for (size_t k = 0; k < step.operand_count; ++k) {
    const int32_t value = step.operands[k];
    if (value >= -1 && value < known) continue;
    return Fail(kChainLabel, LW_INVALID_ARGUMENT,
                "step %zu reads value %d, but only 0 to %d are known there",
                index, value, known - 1);
  }
  if (step.op != nullptr) return LW_OK;
  return Fail(kChainLabel, LW_INVALID_ARGUMENT, "step %zu has no op (NULL)",
              index);
}

lw_status Chain::FailIn(size_t step, lw_status status) const {
  const bool is_users = label().version == 0;
  return is_users ? FailInStep(UserStep(step), status) : status;
}

int32_t Chain::TypeOf(int32_t value) const {
  const auto index = static_cast<size_t>(value);
  if (IsInput(value)) return input_types[index];
  if (IsStep(value)) return steps[StepOf(value)].type;
  return constants[index - inputs()].tensor.type;
}

int32_t Chain::RootOf(int32_t value) const {
  while (IsStep(value)) {
    const ChainStep& step = steps[StepOf(value)];
    if (!step.is_head) return -1;
    value = step.operands[0];
  }
  return value;
}

size_t Chain::SourceOf(size_t k) const {
  const ChainStep& step = steps[outputs[k]];
  return step.is_tail ? StepOf(step.operands[0]) : outputs[k];
}

size_t Chain::MostRank(const lw_tensor* tensors, size_t count) const {
  size_t most = known_rank;
  if (tensors == nullptr || count != inputs()) return most;
  for (size_t k = 0; k < count; ++k) {
    const int32_t rank = std::clamp(tensors[k].rank, 0, LW_MAX_RANK);
    most = std::max(most, static_cast<size_t>(rank));
    if (!shapes[k] || tensors[k].dims == nullptr) continue;
    int64_t elements = 0;
    const bool fits = CountElements({tensors[k].dims, rank}, &elements);
    if (!fits || elements < 0 || elements > LW_MAX_RANK) return LW_MAX_RANK;
    most = std::max(most, static_cast<size_t>(elements));
  }
  return most;
}

lw_status MakeChain(std::shared_ptr<const Engine> engine,
                    const ChainParts& parts,
                    std::shared_ptr<const Chain>* chain) {
  lw_status status = CheckCounts(parts);
  if (status != LW_OK) return status;
  auto made = std::make_shared<Chain>();
  made->engine = std::move(engine);
  made->names = parts.names;
  for (size_t i = 0; i < parts.input_count; ++i) {
    status = CheckType("input", i, parts.input_types[i]);
    if (status != LW_OK) return status;
    made->input_types.push_back(parts.input_types[i]);
  }
  made->shapes.resize(parts.input_count);
  made->constants.reserve(parts.constant_count);  // tensors point into them
  for (size_t i = 0; i < parts.constant_count; ++i) {
    status = AddConstant(parts.constants[i], i, made.get());
    if (status != LW_OK) return status;
  }
  made->steps.reserve(parts.step_count);
  for (size_t i = 0; i < parts.step_count; ++i) {
    status = AddStep(parts.steps[i], i, made.get());
    if (status != LW_OK) return status;
  }
  for (size_t i = 0; i < parts.output_count; ++i) {
    status = AddOutput(parts.outputs[i], i, made.get());
    if (status != LW_OK) return status;
  }
  FindReads(made.get());
  status = CheckUses(*made);
  if (status == LW_OK) status = CheckOperandCount(*made);
  if (status == LW_OK) *chain = std::move(made);
  return status;
}

}  // namespace lanewise
