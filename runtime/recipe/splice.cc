// SPDX-License-Identifier: Apache-2.0

#include "runtime/recipe/splice.h"

#include <algorithm>
#include <vector>

#include "runtime/call/call.h"
#include "runtime/recipe/recipe_writer.h"
#include "runtime/stages/staged_chain.h"

namespace lanewise {
namespace {

bool IsComposed(const lw_step& step) {
  return step.op != nullptr && step.op->node->is_composed();
}

class Splicer {
 public:
  explicit Splicer(const ChainParts& given)
      : given_(given), recipes_(given.step_count) {}

  lw_status Run();
  ChainParts parts() {
    return {given_.input_types, given_.input_count, constants_.data(),
            constants_.size(),  steps_.data(),      steps_.size(),
            outputs_.data(),    outputs_.size(),    names_};
  }

 private:
  lw_status WriteStep(size_t s);
  lw_status FindType(const Node& node, const lw_tensor* operands, size_t count,
                     size_t s);
  void AddStep(const lw_op& op, std::vector<int32_t> operands, size_t s);
  void Splice(size_t s, int32_t* first_constant);
  // Of a value of the chain as given.
  int32_t NumberOf(int32_t value) const {
    const auto first =
        static_cast<int32_t>(given_.input_count + given_.constant_count);
    if (value < first) return value;
    const auto s = static_cast<size_t>(value - first);
    return results_[s];
  }

  const ChainParts& given_;
  std::vector<WrittenRecipe> recipes_;  // by step
  std::vector<int32_t> types_;          // of the values as given
  // The chain without composed operators.
  std::vector<lw_tensor> constants_;
  std::vector<lw_step> steps_;
  std::vector<std::vector<int32_t>> operands_;
  std::vector<int32_t> outputs_;
  std::vector<int32_t> results_;  // by step as given
  ChainNames names_;
};

// The type of a step's result, found on tensors of one element, and the recipe.
lw_status Splicer::WriteStep(size_t s) {
  const lw_step& step = given_.steps[s];
  lw_status status = CheckStep(step, s, static_cast<int32_t>(types_.size()));
  if (status != LW_OK) return status;
  const Node& node = *step.op->node;
  lw_tensor tensors[kMaxInputs] = {};
  for (size_t k = 0; k < step.operand_count; ++k) {
    const int32_t value = step.operands[k];
    if (value >= 0) tensors[k].type = types_[static_cast<size_t>(value)];
  }
  Call call;
  if (!node.is_composed()) {
    // What is wrong with the step is found when the chain is made.
    const bool is_fine =
        ResolveTypes(node, tensors, step.operand_count, &call) == LW_OK;
    types_.push_back(is_fine ? call.shape.type : int32_t{LW_ABSENT});
    return LW_OK;
  }
  OperandTypes types;
  for (size_t k = 0; k < step.operand_count; ++k) {
    types.inputs[k] = tensors[k].type;
  }
  status = TakeInputs(node, tensors, step.operand_count, &call);
  if (status == LW_OK) status = FindOutputTypes(node, &types);
  std::fill_n(types.outputs + 1, LW_MAX_OUTPUTS - 1, int32_t{LW_ABSENT});
  if (status == LW_OK) status = WriteRecipe(node, types, &recipes_[s]);
  if (status != LW_OK) return FailInStep(s, status);
  types_.push_back(types.outputs[0]);
  return LW_OK;
}

void Splicer::AddStep(const lw_op& op, std::vector<int32_t> operands,
                      size_t s) {
  operands_.push_back(std::move(operands));
  steps_.push_back({&op, operands_.back().data(), operands_.back().size()});
  names_.steps.push_back(s);
}

void Splicer::Splice(size_t s, int32_t* first_constant) {
  const lw_step& step = given_.steps[s];
  std::vector<int32_t> operands(step.operands,
                                step.operands + step.operand_count);
  for (int32_t& value : operands) value = NumberOf(value);
  const auto first_step =
      static_cast<int32_t>(given_.input_count + constants_.size());
  const auto here = first_step + static_cast<int32_t>(steps_.size());
  if (!IsComposed(step)) {
    AddStep(*step.op, std::move(operands), s);
    results_.push_back(here);
    return;
  }
  const WrittenRecipe& recipe = recipes_[s];
  const auto number = [&](int32_t value) {
    if (value < 0) return value;
    if (value >= WrittenRecipe::kFirstStep) {
      return here + value - WrittenRecipe::kFirstStep;
    }
    if (value >= WrittenRecipe::kFirstConstant) {
      return *first_constant + value - WrittenRecipe::kFirstConstant;
    }
    return operands[static_cast<size_t>(value)];
  };
  for (const WrittenRecipe::Step& inner : recipe.steps) {
    std::vector<int32_t> reads = inner.operands;
    for (int32_t& value : reads) value = number(value);
    AddStep(inner.op, std::move(reads), s);
  }
  results_.push_back(number(recipe.outputs[0]));
  *first_constant += static_cast<int32_t>(recipe.constants.size());
}

lw_status Splicer::Run() {
  types_.assign(given_.input_types, given_.input_types + given_.input_count);
  for (size_t k = 0; k < given_.constant_count; ++k) {
    constants_.push_back(given_.constants[k]);
    types_.push_back(given_.constants[k].type);
  }
  size_t steps = 0;
  for (size_t s = 0; s < given_.step_count; ++s) {
    const lw_status status = WriteStep(s);
    if (status != LW_OK) return status;
    for (const WrittenRecipe::Constant& constant : recipes_[s].constants) {
      constants_.push_back(constant.tensor());
    }
    steps += IsComposed(given_.steps[s]) ? recipes_[s].steps.size() : 1;
  }
  names_.constants = constants_.size() - given_.constant_count;
  if (steps > LW_MAX_STEPS || constants_.size() > LW_MAX_CONSTANTS) {
    return Fail(kChainLabel, LW_WRONG_COUNT,
                "with those of composed operators, there are %zu steps and %zu "
                "constants, but %d and %d are possible",
                steps, constants_.size(), LW_MAX_STEPS, LW_MAX_CONSTANTS);
  }
  auto first_constant =
      static_cast<int32_t>(given_.input_count + given_.constant_count);
  for (size_t s = 0; s < given_.step_count; ++s) Splice(s, &first_constant);
  for (size_t k = 0; k < given_.output_count; ++k) {
    const int32_t value = given_.outputs[k];
    if (value >= static_cast<int32_t>(types_.size())) {
      return FailNoValue(k, value);
    }
    outputs_.push_back(NumberOf(value));
  }
  return LW_OK;
}

}  // namespace

lw_status MakeSplicedChain(std::shared_ptr<const Engine> engine,
                           const ChainParts& parts, lw_chain** chain) {
  lw_status status = CheckCounts(parts);
  if (status != LW_OK) return status;
  if (std::none_of(parts.steps, parts.steps + parts.step_count, IsComposed)) {
    return MakeChainHandle(std::move(engine), parts, chain);
  }
  Splicer splicer(parts);
  status = splicer.Run();
  if (status != LW_OK) return status;
  return MakeChainHandle(std::move(engine), splicer.parts(), chain);
}

}  // namespace lanewise
