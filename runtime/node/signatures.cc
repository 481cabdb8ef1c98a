// SPDX-License-Identifier: Apache-2.0

#include "runtime/node/signatures.h"

#include <cstring>
#include <forward_list>
#include <vector>

#include "runtime/node/registry.h"

namespace lanewise {
namespace {

// One row, and what it points to.
struct Row {
  std::vector<lw_operand> inputs;
  std::vector<lw_operand> outputs;
  std::vector<lw_attribute_info> attributes;
  std::forward_list<std::vector<int32_t>> types;
  lw_signature signature = {};
};

std::vector<int32_t> TypesOf(const Operator& op, int version,
                             const OperandInfo& operand) {
  if (operand.only != LW_ABSENT) return {operand.only};
  std::vector<int32_t> types;
  for (int32_t type = 1; type < kTypeCount; ++type) {
    const int told = operand.told ? SinceVersionTo(op, type) : 0;
    const bool is_listed = operand.told  ? told != 0 && told <= version
                           : operand.own ? ListsSecond(op, version, type)
                                         : ListsType(op, version, type);
    if (is_listed) types.push_back(type);
  }
  return types;
}

lw_operand Describe(const Operator& op, int version, const OperandInfo& operand,
                    bool in_place, bool variadic, Row* row) {
  const std::vector<int32_t>& types =
      row->types.emplace_front(TypesOf(op, version, operand));
  return {operand.name, operand.type_parameter, types.data(),
          types.size(), operand.optional,       in_place,
          variadic};
}

// The output has the type parameter of the input that tells its type, unless an
// attribute may tell it.
const char* OutputParameter(const Operator& op, const Form& form) {
  const char* of_second = op.output.type_parameter;
  if (!op.output.told) return of_second;
  for (const OperandInfo& input : form.inputs) {
    if (input.told) return input.type_parameter;
    if (input.own) of_second = input.type_parameter;
  }
  for (const AttributeInfo& attribute : form.attributes) {
    if (attribute.meaning == Meaning::kOutputType) {
      return op.output.type_parameter;
    }
  }
  return of_second;
}

bool HaveOneParameter(const Operator& op, const OperandInfo& input) {
  return std::strcmp(input.type_parameter, op.output.type_parameter) == 0;
}

void Fill(const Operator& op, int version, int last_opset, Row* row) {
  const Form& form = FormAt(op, version);
  for (const OperandInfo& input : form.inputs) {
    const bool in_place = input.role == Role::kElements && !input.own &&
                          form.shape_rule != ShapeRule::kReduced &&
                          input.only == op.output.only && !op.output.told &&
                          HaveOneParameter(op, input);
    row->inputs.push_back(
        Describe(op, version, input, in_place, form.variadic, row));
  }
  OperandInfo output = op.output;
  output.type_parameter = OutputParameter(op, form);
  row->outputs.push_back(Describe(op, version, output, false, false, row));
  for (const OperandInfo& more : op.more_outputs) {
    row->outputs.push_back(Describe(op, version, more, false, false, row));
  }
  for (const AttributeInfo& attribute : form.attributes) {
    row->attributes.push_back({attribute.name, attribute.kind,
                               attribute.required,
                               attribute.meaning == Meaning::kOutputType});
  }
  row->signature = {op.name,
                    version,
                    last_opset,
                    row->inputs.data(),
                    row->inputs.size(),
                    row->outputs.data(),
                    row->outputs.size(),
                    row->attributes.data(),
                    row->attributes.size(),
                    op.moves_only};
}

std::vector<const lw_signature*> MakeTable() {
  std::vector<const lw_signature*> table;
  for (const Operator* op : Operators()) {
    for (size_t i = 0; i < op->versions.size(); ++i) {
      const bool newest = i + 1 == op->versions.size();
      const int last = newest ? op->verified_opset : op->versions[i + 1] - 1;
      auto* row = new Row;  // never destroyed: hosts keep the rows
      Fill(*op, op->versions[i], last, row);
      table.push_back(&row->signature);
    }
  }
  return table;
}

}  // namespace

const lw_signature* SignatureAt(size_t index) {
  static const auto& table = *new std::vector<const lw_signature*>(MakeTable());
  return index < table.size() ? table[index] : nullptr;
}

}  // namespace lanewise
