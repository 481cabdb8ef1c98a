// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/chain_kernel.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/onnxruntime/attributes.h"
#include "runtime/onnxruntime/graph.h"
#include "runtime/onnxruntime/tensors.h"

namespace lanewise::ort {
namespace {

// Describes nodes to lw_chain_create. Values go by their names, which are
// unique in a graph.
class Builder {
 public:
  Builder(const Api& api, const lw_engine* engine, const OrtGraph* graph,
          const OrtNode* fused)
      : api_(api),
        engine_(engine),
        nodes_(NodesOf(api, graph)),
        results_(OutputsOf(api, fused)) {
    for (const OrtValueInfo* input : InputsOf(api, fused)) {
      AddNumber(input);
      types_.push_back(TypeOf(api, input));
    }
    for (const OrtNode* node : nodes_) {
      for (const OrtValueInfo* input : InputsOf(api, node)) AddConstant(input);
    }
    for (const OrtNode* node : nodes_) AddStep(node);
    for (const OrtValueInfo* result : results_) AddOutput(result);
  }

  size_t inputs() const { return types_.size(); }

  Callee Build() const {
    std::vector<lw_step> steps;
    for (const Step& step : steps_) {
      steps.push_back(
          {step.op.get(), step.operands.data(), step.operands.size()});
    }
    lw_chain* chain = nullptr;
    const lw_status status =
        lw_chain_create(engine_, types_.data(), types_.size(),
                        constants_.data(), constants_.size(), steps.data(),
                        steps.size(), outputs_.data(), outputs_.size(), &chain);
    if (status != LW_OK) throw Error(api_, Failure(api_, status));
    return Callee(ChainHandle(chain), outputs_.size());
  }

 private:
  struct Step {
    OpHandle op;
    std::vector<int32_t> operands;
  };

  // Values get numbers in the order in which they are met. false: it was met.
  bool AddNumber(const OrtValueInfo* value) {
    return numbers_.emplace(NameOf(api_, value), values_).second &&
           ++values_ != 0;
  }

  void AddConstant(const OrtValueInfo* input) {
    if (input == nullptr) return;
    const auto* value = Get<const OrtValue*>(
        api_, api_.ort->ValueInfo_GetInitializerValue, input);
    if (value == nullptr || !AddNumber(input)) return;
    Check(api_, Look(*api_.ort, value, &constants_.emplace_back()));
  }

  void AddOutput(const OrtValueInfo* result) {
    outputs_.push_back(numbers_.at(NameOf(api_, result)));
  }

  void AddStep(const OrtNode* node) {
    const lw_signature* signature = SignatureOf(api_, node);
    if (signature == nullptr) {
      throw Error(api_, ORT_EP_FAIL, "a node of another provider in a chain");
    }
    Step& step = steps_.emplace_back();
    step.op =
        MakeOp(api_, engine_, *signature, Attributes(api_, node, *signature));
    for (const OrtValueInfo* input : InputsOf(api_, node)) {
      step.operands.push_back(
          input == nullptr ? -1 : numbers_.at(NameOf(api_, input)));
    }
    AddNumber(OutputsOf(api_, node).at(0));
    if (step.operands.size() != 2 || step.operands[1] < 0) return;
    const auto constant = static_cast<size_t>(step.operands[1]) - inputs();
    if (constant < constants_.size()) {
      TryConstantDivisor(api_, step.op.get(), constants_[constant]);
    }
  }

  const Api& api_;
  const lw_engine* engine_;
  const std::vector<const OrtNode*> nodes_;
  const std::vector<const OrtValueInfo*> results_;
  std::map<std::string, int32_t> numbers_;
  int32_t values_ = 0;
  std::vector<int32_t> types_;  // of the inputs
  std::vector<lw_tensor> constants_;
  std::vector<Step> steps_;
  std::vector<int32_t> outputs_;
};

}  // namespace

ChainKernel::ChainKernel(const Api& api, Callee chain, size_t input_count,
                         bool session_threads)
    : OrtNodeComputeInfo{},
      api_(api),
      input_count_(input_count),
      runner_(api, std::move(chain), session_threads) {
  ort_version_supported = kApiVersion;
  // A run has no state of its own.
  CreateState = [](OrtNodeComputeInfo*, OrtNodeComputeContext*,
                   void** state) noexcept -> OrtStatus* {
    *state = nullptr;
    return nullptr;
  };
  Compute = [](OrtNodeComputeInfo* self, void*,
               OrtKernelContext* context) noexcept {
    return static_cast<ChainKernel*>(self)->Run(context);
  };
  ReleaseState = [](OrtNodeComputeInfo*, void*) noexcept {};
}

OrtStatus* ChainKernel::Run(OrtKernelContext* context) noexcept {
  lw_tensor inputs[LW_MAX_INPUTS];
  for (size_t i = 0; i < input_count_; ++i) {
    const OrtValue* value = nullptr;
    OrtStatus* status = api_.ort->KernelContext_GetInput(context, i, &value);
    if (status == nullptr) status = Look(*api_.ort, value, &inputs[i]);
    if (status != nullptr) return status;
  }
  return runner_.Run(context, inputs, input_count_, true);
}

std::unique_ptr<ChainKernel> MakeChainKernel(const Api& api,
                                             const lw_engine* engine,
                                             bool session_threads,
                                             const OrtGraph* graph,
                                             const OrtNode* fused) {
  const Builder builder(api, engine, graph, fused);
  return std::make_unique<ChainKernel>(api, builder.Build(), builder.inputs(),
                                       session_threads);
}

}  // namespace lanewise::ort
