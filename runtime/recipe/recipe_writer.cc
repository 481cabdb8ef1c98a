// SPDX-License-Identifier: Apache-2.0

#include "runtime/recipe/recipe_writer.h"

#include <cstring>

#include "runtime/call/call.h"
#include "runtime/engine/types.h"

namespace lanewise {
namespace {

bool HaveOneType(const OperandInfo& a, const OperandInfo& b) {
  return a.only == LW_ABSENT && b.only == LW_ABSENT && !a.told && !b.told &&
         std::strcmp(a.type_parameter, b.type_parameter) == 0;
}

// The type that an operand must have after the inputs before `count` are
// known; LW_ABSENT if any that the version lists will do.
int32_t TypeOf(const Node& node, const OperandTypes& types, size_t count,
               const OperandInfo& operand) {
  if (operand.only != LW_ABSENT) return operand.only;
  if (operand.told) {
    const int32_t told = node.attributes.output_type();
    return told != LW_ABSENT ? told : int32_t{LW_FLOAT32};
  }
  for (size_t k = 0; k < count; ++k) {
    const bool is_there = types.inputs[k] != LW_ABSENT;
    if (is_there && HaveOneType(node.InputInfo(k), operand)) {
      return types.inputs[k];
    }
  }
  return LW_ABSENT;
}

class Writer final : public Recipe {
 public:
  Writer(const Node& node, const OperandTypes& types, WrittenRecipe* written)
      : node_(node), types_(types), written_(*written) {}

  int version() const override { return node_.version; }
  const AttributeValues& attributes() const override {
    return node_.attributes;
  }
  Value Input(size_t k) override {
    if (types_.inputs[k] == LW_ABSENT) return {};
    return {static_cast<int32_t>(k), types_.inputs[k]};
  }
  bool Wants(size_t k) const override { return types_.outputs[k] != LW_ABSENT; }
  int32_t OutputType(size_t k) const override { return types_.outputs[k]; }
  void Output(size_t k, Value value) override {
    written_.outputs[k] = value.number;
  }
  Value Constant(double value, int32_t type) override;
  Value Step(const char* op, int version, std::initializer_list<Value> operands,
             std::span<const lw_attribute> attributes,
             const StepRule& rule) override;
  StepRule Stretches(size_t k) const override {
    return {StepRule::kStretch, 0, Name(k)};
  }
  StepRule IsLike(size_t k, size_t first) const override {
    return {StepRule::kEqual, 0, Name(k), Name(first)};
  }
  StepRule OfChannels(size_t k, int64_t dims) const override {
    return {StepRule::kChannel, dims, Name(k)};
  }
  StepRule OfGroup(size_t k, int64_t groups) const override {
    return {StepRule::kGroup, groups, Name(k)};
  }

  lw_status status() const { return status_; }

 private:
  StepRule::Named Name(size_t k) const { return {k, node_.InputInfo(k).name}; }
  lw_status AddStep(const char* op, int version,
                    std::initializer_list<Value> operands,
                    std::span<const lw_attribute> attributes,
                    const StepRule& rule, Value* result);

  const Node& node_;
  const OperandTypes& types_;
  WrittenRecipe& written_;
  lw_status status_ = LW_OK;
};

template <class T>
void Store(double value, unsigned char* to) {
  const T typed = static_cast<T>(value);
  std::memcpy(to, &typed, sizeof(typed));
}

Recipe::Value Writer::Constant(double value, int32_t type) {
  WrittenRecipe::Constant constant = {};
  constant.type = type;
  if (type == LW_FLOAT64) {
    Store<double>(value, constant.bytes);
  } else {
    constant.type = LW_FLOAT32;
    Store<float>(value, constant.bytes);
  }
  written_.constants.push_back(constant);
  const auto index = static_cast<int32_t>(written_.constants.size()) - 1;
  return {WrittenRecipe::kFirstConstant + index, constant.type};
}

lw_status Writer::AddStep(const char* op, int version,
                          std::initializer_list<Value> operands,
                          std::span<const lw_attribute> attributes,
                          const StepRule& rule, Value* result) {
  const Operator* found = nullptr;
  int found_version = 0;
  lw_status status =
      ResolveOperator(op, version, false, &found, &found_version);
  if (status != LW_OK) return status;
  WrittenRecipe::Step step;
  status = MakeNode(node_.engine, *found, found_version, attributes.data(),
                    attributes.size(), &step.op.node, &node_.label, rule);
  if (status != LW_OK) return status;
  lw_tensor tensors[kMaxInputs] = {};
  for (const Value& value : operands) {
    tensors[step.operands.size()].type = value.type;
    step.operands.push_back(value.number);
  }
  Call call;
  status = ResolveTypes(*step.op.node, tensors, step.operands.size(), &call);
  if (status != LW_OK) return status;
  written_.steps.push_back(std::move(step));
  const auto index = static_cast<int32_t>(written_.steps.size()) - 1;
  *result = {WrittenRecipe::kFirstStep + index, call.shape.type};
  return LW_OK;
}

Recipe::Value Writer::Step(const char* op, int version,
                           std::initializer_list<Value> operands,
                           std::span<const lw_attribute> attributes,
                           const StepRule& rule) {
  Value result;
  if (status_ == LW_OK) {
    status_ = AddStep(op, version, operands, attributes, rule, &result);
  }
  return result;
}

}  // namespace

lw_status FindOutputTypes(const Node& node, OperandTypes* types) {
  for (size_t k = 0; k < node.input_count; ++k) {
    const int32_t type = types->inputs[k];
    if (type == LW_ABSENT) continue;
    const OperandInfo& input = node.InputInfo(k);
    const int32_t wanted = TypeOf(node, *types, k, input);
    if (wanted == LW_ABSENT && k == node.binding_input) {
      const lw_status status = node.CheckType(type);
      if (status != LW_OK) return status;
    } else if (wanted == LW_ABSENT && !ListsType(node.op, node.version, type)) {
      return Fail(node.label, LW_UNSUPPORTED_TYPE,
                  "input %zu (%s) cannot be %s", k, input.name,
                  lw_type_name(type));
    } else if (wanted != LW_ABSENT && wanted != type) {
      return Fail(node.label, LW_UNSUPPORTED_TYPE,
                  "input %zu (%s) is %s, not %s", k, input.name,
                  lw_type_name(wanted), lw_type_name(type));
    }
  }
  for (size_t k = 0; k < node.op.OutputCount(); ++k) {
    types->outputs[k] =
        TypeOf(node, *types, node.input_count, node.op.Output(k));
  }
  return LW_OK;
}

lw_status WriteRecipe(const Node& node, const OperandTypes& types,
                      WrittenRecipe* written) {
  Writer writer(node, types, written);
  node.op.recipe(writer);
  return writer.status();
}

}  // namespace lanewise
