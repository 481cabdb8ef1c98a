// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/kernel.h"

#include <algorithm>
#include <cstddef>
#include <list>
#include <vector>

#include "lanewise/lanewise.hpp"
#include "runtime/onnxruntime/attributes.h"
#include "runtime/onnxruntime/runner.h"
#include "runtime/onnxruntime/strings.h"
#include "runtime/onnxruntime/tensors.h"

namespace lanewise::ort {
namespace {

constexpr size_t kMaxInputs = LW_MAX_INPUTS;

// Nodes with more inputs are not claimed.
size_t InputCount(const Api& api, const OrtKernelInfo* info) {
  const auto count = Get<size_t>(api, api.ort->KernelInfo_GetInputCount, info);
  if (count > 0 && count <= kMaxInputs) return count;
  throw Error(api, ORT_INVALID_GRAPH, "unexpected number of inputs");
}

// An output that is left out has no name.
std::vector<bool> OutputsOf(const Api& api, const OrtKernelInfo* info) {
  std::vector<bool> wanted(
      Get<size_t>(api, api.ort->KernelInfo_GetOutputCount, info));
  for (size_t i = 0; i < wanted.size(); ++i) {
    size_t bytes = 0;  // with the 0 at the end
    Check(api, api.ort->KernelInfo_GetOutputName(info, i, nullptr, &bytes));
    wanted[i] = bytes > 1;
  }
  return wanted;
}

Callee MakeOperator(const KernelRecipe& recipe, const OrtKernelInfo* info) {
  const lw_signature& signature = *recipe.signature;
  const Attributes attributes(recipe.api, info, signature);
  return Callee(MakeOp(recipe.api, recipe.engine, signature, attributes),
                OutputsOf(recipe.api, info));
}

class Kernel final : public OrtKernelImpl {
 public:
  Kernel(const KernelRecipe& recipe, const OrtKernelInfo* info)
      : OrtKernelImpl{},
        api_(recipe.api),
        view_(recipe.signature->moves_only != 0),
        input_count_(InputCount(api_, info)),
        runner_(api_, MakeOperator(recipe, info), recipe.session_threads) {
    ort_version_supported = kApiVersion;
    Compute = [](OrtKernelImpl* self, OrtKernelContext* context) noexcept {
      return static_cast<Kernel*>(self)->Run(context);
    };
    Release = [](OrtKernelImpl* self) noexcept {
      delete static_cast<Kernel*>(self);
    };
    for (size_t i = 0; i < input_count_; ++i) FindConstant(info, i);
    const lw_signature& signature = *recipe.signature;
    const bool reads_shape =
        signature.input_count > 1 && IsShape(signature.inputs[1]);
    fixed_ = !reads_shape || input_count_ == 1 || IsConstant(1);
    if (input_count_ == 2 && !reads_shape && IsConstant(1)) {
      TryConstantDivisor(api_, runner_.callee().op(), constants_[1]);
    }
  }

 private:
  // Asks ONNX Runtime once for an input that is the same in every call (bounds
  // of Clip, target shapes). The session keeps such a tensor as long as its
  // kernels. Strings are read anew in each call, because they need copies.
  void FindConstant(const OrtKernelInfo* info, size_t i) {
    int constant = 0;
    const OrtValue* value = nullptr;
    Check(api_, api_.ort->KernelInfoGetConstantInput_tensor(info, i, &constant,
                                                            &value));
    if (constant == 0 || value == nullptr) return;
    Check(api_, Look(*api_.ort, value, &constants_[i]));
    if (constants_[i].type == LW_STRING) constants_[i] = {};
  }

  bool IsConstant(size_t i) const { return constants_[i].type != LW_ABSENT; }

  OrtStatus* Run(OrtKernelContext* context) noexcept {
    const OrtApi& ort = *api_.ort;
    const OrtValue* values[kMaxInputs];
    lw_tensor inputs[kMaxInputs];
    inputs[0] = {};  // the compiler does not know that there is an input
    bool strings = false;
    for (size_t i = 0; i < input_count_; ++i) {
      if (IsConstant(i)) {
        inputs[i] = constants_[i];
        continue;
      }
      OrtStatus* status = ort.KernelContext_GetInput(context, i, &values[i]);
      if (status == nullptr) status = Look(ort, values[i], &inputs[i]);
      if (status != nullptr) return status;
      strings = strings || inputs[i].type == LW_STRING;
    }
    if (strings) {
      return AtBorder(api_, [&] { RunStrings(context, values, inputs); });
    }
    return runner_.Run(context, inputs, input_count_, fixed_);
  }

  void RunStrings(OrtKernelContext* context, const OrtValue* const* values,
                  lw_tensor* inputs) const {
    lw_shape shape;
    Succeed(runner_.callee().Infer(inputs, input_count_, &shape));
    lw_tensor output = TensorOf(shape);
    OrtValue* value = nullptr;
    Check(api_, runner_.Allocate(context, 0, output.dims,
                                 static_cast<size_t>(output.rank), &value,
                                 &output.data));
    if (view_ && output.data == inputs[0].data) return;
    std::list<StringCopy> copies;
    for (size_t i = 0; i < input_count_; ++i) {
      if (inputs[i].type != LW_STRING) continue;
      StringCopy& copy =
          copies.emplace_back(api_, values[i], Elements(inputs[i]));
      inputs[i].data = copy.elements();
    }
    std::vector<lw_string> results;
    if (output.type == LW_STRING) {
      results.resize(Elements(output));
      output.data = results.data();
    }
    Succeed(runner_.callee().Run(nullptr, inputs, input_count_, &output));
    StoreStrings(api_, results, value);
  }

  void Succeed(lw_status status) const {
    if (status != LW_OK) throw Error(api_, Failure(api_, status));
  }

  Api api_;
  bool view_;
  /// Not where a target shape or axes are computed: the output's shape depends
  /// on data.
  bool fixed_;
  size_t input_count_;
  lw_tensor constants_[kMaxInputs] = {};  // LW_ABSENT: not constant
  Runner runner_;
};

}  // namespace

OrtStatus* ORT_API_CALL CreateKernel(void* recipe, const OrtKernelInfo* info,
                                     OrtKernelImpl** kernel) noexcept {
  const auto& known = *static_cast<const KernelRecipe*>(recipe);
  *kernel = nullptr;
  return AtBorder(known.api, [&] { *kernel = new Kernel(known, info); });
}

}  // namespace lanewise::ort
