// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/registry.h"

#include <set>
#include <string_view>

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {
namespace {

// The types of a type parameter, as far as this version of ONNX Runtime knows
// them. For the codes 24 to 26, ONNX Runtime up to 1.30 reads ONNX's numbers
// here and newer versions read the numbers of its C interface. All three belong
// to one operator, which takes the type from the tensor: so the numbers of all
// that the operator lists are asked for, whatever each stands for.
std::vector<const OrtDataType*> TypesOf(const Api& api,
                                        const lw_operand& operand) {
  std::vector<const OrtDataType*> types;
  const auto add = [&](int32_t type) {
    const OrtDataType* known = nullptr;
    OrtStatus* refused = api.ep->GetTensorDataType(
        static_cast<ONNXTensorElementDataType>(type), &known);
    if (refused != nullptr) {
      api.ort->ReleaseStatus(refused);
    } else {
      types.push_back(known);
    }
  };
  bool unsure = false;
  for (size_t i = 0; i < operand.type_count; ++i) {
    if (operand.types[i] < LW_FLOAT8E8M0) {
      add(operand.types[i]);
    } else {
      unsure = true;
    }
  }
  if (unsure) {
    for (int32_t type = LW_FLOAT8E8M0; type <= LW_INT2; ++type) add(type);
  }
  return types;
}

// "T", but not "tensor(int64)": that is a type and needs no constraint.
bool IsTypeParameter(std::string_view name) {
  return name.find('(') == std::string_view::npos;
}

class Definition {
 public:
  explicit Definition(const Api& api)
      : api_(api),
        builder_(Get<OrtKernelDefBuilder*>(api, api.ep->CreateKernelDefBuilder),
                 api.ep->ReleaseKernelDefBuilder) {}

  void Describe(const lw_signature& signature) {
    OrtKernelDefBuilder* b = builder_.get();
    Check(api_, api_.ep->KernelDefBuilder_SetOperatorType(b, signature.name));
    Check(api_, api_.ep->KernelDefBuilder_SetDomain(b, ""));
    // A range without an end would match its first version only.
    Check(api_, api_.ep->KernelDefBuilder_SetSinceVersion(
                    b, signature.since_version, signature.last_opset));
    Check(api_,
          api_.ep->KernelDefBuilder_SetExecutionProvider(b, kProviderName));
    for (size_t i = 0; i < signature.input_count; ++i) {
      Constrain(signature.inputs[i]);
    }
    for (size_t i = 0; i < signature.attribute_count; ++i) {
      // Cast: no input has the output's type parameter.
      if (signature.attributes[i].tells_type) Constrain(signature.outputs[0]);
    }
    ShareMemory(signature);
  }

  std::unique_ptr<OrtKernelDef, void (*)(OrtKernelDef*)> Build() {
    return {Get<OrtKernelDef*>(api_, api_.ep->KernelDefBuilder_Build,
                               builder_.get()),
            api_.ep->ReleaseKernelDef};
  }

 private:
  // Names the types of an operand's type parameter, once for all operands that
  // have the parameter.
  void Constrain(const lw_operand& operand) {
    if (!IsTypeParameter(operand.type_parameter) ||
        !constrained_.insert(operand.type_parameter).second) {
      return;
    }
    const std::vector<const OrtDataType*> types = TypesOf(api_, operand);
    Check(api_, api_.ep->KernelDefBuilder_AddTypeConstraint(
                    builder_.get(), operand.type_parameter, types.data(),
                    types.size()));
  }

  // Which inputs may give their memory to the output. The memory of an input
  // that only changes its shape is always shared, that of others if nobody else
  // needs the input any more.
  void ShareMemory(const lw_signature& signature) {
    std::vector<int> inputs;
    for (size_t i = 0; i < signature.input_count; ++i) {
      if (signature.inputs[i].in_place) inputs.push_back(static_cast<int>(i));
    }
    if (inputs.empty()) return;
    const std::vector<int> outputs(inputs.size(), 0);
    const auto add =
        signature.moves_only
            ? api_.ep->KernelDefBuilder_AddInputOutputAliases
            : api_.ep->KernelDefBuilder_AddInputOutputMutableAliases;
    Check(api_,
          add(builder_.get(), inputs.data(), outputs.data(), inputs.size()));
  }

  const Api& api_;
  std::unique_ptr<OrtKernelDefBuilder, void (*)(OrtKernelDefBuilder*)> builder_;
  std::set<std::string_view> constrained_;
};

}  // namespace

Registry::Registry(const Api& api, const lw_engine* engine,
                   bool session_threads)
    : registry_(Get<OrtKernelRegistry*>(api, api.ep->CreateKernelRegistry),
                Release{api.ep}) {
  size_t rows = 0;
  while (lw_signature_at(rows) != nullptr) ++rows;
  recipes_.reserve(rows);
  for (size_t row = 0; row < rows; ++row) {
    const lw_signature* signature = lw_signature_at(row);
    if (IsLeftToHost(signature->name)) continue;
    recipes_.push_back({api, engine, signature, session_threads});
    Definition definition(api);
    definition.Describe(*signature);
    Check(api, api.ep->KernelRegistry_AddKernel(
                   registry_.get(), definition.Build().get(), CreateKernel,
                   &recipes_.back()));
  }
}

}  // namespace lanewise::ort
