// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/kernel.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <list>
#include <vector>

#include "lanewise/lanewise.hpp"
#include "runtime/onnxruntime/attributes.h"
#include "runtime/onnxruntime/calls.h"
#include "runtime/onnxruntime/strings.h"
#include "runtime/onnxruntime/types.h"

namespace lanewise::ort {
namespace {

constexpr size_t kMaxInputs = LW_MAX_INPUTS;
// Calls with fewer elements stay on their thread: no operator of lanewise uses
// threads for less, and lw_op_run is faster without options.
constexpr size_t kThreadsFrom = 1 << 14;

// Nodes with more inputs are not claimed.
size_t InputCount(const Api& api, const OrtKernelInfo* info) {
  const auto count = Get<size_t>(api, api.ort->KernelInfo_GetInputCount, info);
  if (count > 0 && count <= kMaxInputs) return count;
  throw Error(api, ORT_INVALID_GRAPH, "unexpected number of inputs");
}

size_t Elements(const lw_tensor& tensor) {
  size_t count = 1;
  for (int32_t i = 0; i < tensor.rank; ++i) {
    count *= static_cast<size_t>(tensor.dims[i]);
  }
  return count;
}

bool IsInteger(int32_t type) {
  return (type >= LW_UINT8 && type <= LW_INT64) || type == LW_UINT32 ||
         type == LW_UINT64;
}

// The threads of the session that a call belongs to.
struct SessionThreads {
  const OrtApi& ort;
  const OrtKernelContext* context;

  static int32_t Run(void* self, lw_task task, size_t count, void* data) {
    const auto& [ort, context] = *static_cast<const SessionThreads*>(self);
    OrtStatus* status =
        ort.KernelContext_ParallelFor(context, task, count, 0, data);
    if (status == nullptr) return 0;
    ort.ReleaseStatus(status);
    return 1;
  }
};

class Kernel final : public OrtKernelImpl {
 public:
  Kernel(const KernelRecipe& recipe, const OrtKernelInfo* info)
      : OrtKernelImpl{},
        api_(recipe.api),
        view_(recipe.signature->moves_only != 0),
        session_threads_(recipe.session_threads),
        input_count_(InputCount(api_, info)) {
    ort_version_supported = kApiVersion;
    Compute = [](OrtKernelImpl* self, OrtKernelContext* context) noexcept {
      return static_cast<Kernel*>(self)->Run(context);
    };
    Release = [](OrtKernelImpl* self) noexcept {
      delete static_cast<Kernel*>(self);
    };
    const lw_signature& signature = *recipe.signature;
    const Attributes attributes(api_, info, signature);
    lw_op* op = nullptr;
    const lw_status status =
        lw_op_create(recipe.engine, signature.name, signature.since_version,
                     attributes.list().data(), attributes.list().size(), &op);
    if (status != LW_OK) throw Error(api_, Failure(status));
    op_.reset(op);
    for (size_t i = 0; i < input_count_; ++i) FindConstant(info, i);
    TryConstantDivisor();
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
    Check(api_, Look(value, &constants_[i]));
    if (constants_[i].type == LW_STRING) constants_[i] = {};
  }

  bool IsConstant(size_t i) const { return constants_[i].type != LW_ABSENT; }

  // ONNX Runtime refuses a session with a constant divisor of 0. To see such a
  // divisor, a call with the constant and with one element for the other
  // operand is tried.
  void TryConstantDivisor() const {
    if (input_count_ != 2 || view_ || !IsInteger(constants_[1].type)) return;
    lw_tensor inputs[2] = {{}, constants_[1]};
    const uint64_t any = 0;
    inputs[0].data = const_cast<uint64_t*>(&any);
    inputs[0].type = inputs[1].type;
    const size_t count = Elements(inputs[1]);
    std::vector<uint64_t> results(count);
    lw_tensor output = inputs[1];
    output.data = results.data();
    const lw_status status = lw_op_run(op_.get(), inputs, 2, &output, 1);
    if (status == LW_DIVIDE_BY_ZERO) throw Error(api_, Failure(status));
  }

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
      if (status == nullptr) status = Look(values[i], &inputs[i]);
      if (status != nullptr) return status;
      strings = strings || inputs[i].type == LW_STRING;
    }
    // Where a target shape is computed, the output's shape depends on data.
    // Strings need copies.
    const bool fixed = !view_ || input_count_ == 1 || IsConstant(1);
    if (fixed && !strings) {
      const Call* call = calls_.Get(op_.get(), inputs, input_count_);
      if (call != nullptr) return RunPrepared(context, *call, inputs);
    }
    lw_tensor output = {};
    lw_shape shape;
    const lw_status known =
        lw_op_infer(op_.get(), inputs, input_count_, &shape);
    if (known != LW_OK) return Failure(known);
    output.rank = shape.rank;
    output.dims = shape.dims;
    output.type = shape.type;
    OrtValue* value = nullptr;
    OrtStatus* status = ort.KernelContext_GetOutput(
        context, 0, output.dims, static_cast<size_t>(output.rank), &value);
    if (status == nullptr) {
      status = ort.GetTensorMutableData(value, &output.data);
    }
    if (status != nullptr) return status;
    if (strings) {
      return AtBorder(api_, [&] { RunStrings(values, inputs, value, output); });
    }
    const lw_status done = RunNumbers(context, inputs, output);
    return done == LW_OK ? nullptr : Failure(done);
  }

  OrtStatus* RunPrepared(OrtKernelContext* context, const Call& call,
                         const lw_tensor* inputs) const noexcept {
    OrtValue* value = nullptr;
    void* output = nullptr;
    OrtStatus* status = api_.ort->KernelContext_GetOutput(
        context, 0, call.dims(), call.rank(), &value);
    if (status == nullptr) {
      status = api_.ort->GetTensorMutableData(value, &output);
    }
    if (status != nullptr) return status;
    const void* data[kMaxInputs];
    for (size_t i = 0; i < input_count_; ++i) data[i] = inputs[i].data;
    const lw_status done = WithThreads(
        context, call.elements(), [&](const lw_run_options* options) {
          return lw_call_run_with(call.get(), options, data, &output);
        });
    return done == LW_OK ? nullptr : Failure(done);
  }

  OrtStatus* Look(const OrtValue* value, lw_tensor* tensor) const noexcept {
    *tensor = {};  // LW_ABSENT
    if (value == nullptr) return nullptr;
    ONNXTensorElementDataType type;
    size_t rank;
    OrtStatus* status = api_.ort->GetTensorElementTypeAndShapeDataReference(
        value, &type, &tensor->dims, &rank);
    if (status != nullptr) return status;
    tensor->type = TypeFromOrt(type);
    tensor->rank = static_cast<int32_t>(rank);
    // No input is written, but there is no other getter without an allocation.
    return api_.ort->GetTensorMutableData(const_cast<OrtValue*>(value),
                                          &tensor->data);
  }

  lw_status RunNumbers(OrtKernelContext* context, const lw_tensor* inputs,
                       const lw_tensor& output) const noexcept {
    return WithThreads(context, Elements(output),
                       [&](const lw_run_options* options) {
                         return lw_op_run_with(op_.get(), options, inputs,
                                               input_count_, &output, 1);
                       });
  }

  // Calls run(options), with the session's threads if they pay.
  template <class Run>
  lw_status WithThreads(OrtKernelContext* context, size_t elements,
                        const Run& run) const noexcept {
    if (!session_threads_ || elements < kThreadsFrom) return run(nullptr);
    SessionThreads threads = {*api_.ort, context};
    lw_run_options options = {};
    options.struct_size = sizeof(options);
    options.parallel_for = SessionThreads::Run;
    options.parallel_for_context = &threads;
    return run(&options);
  }

  void RunStrings(const OrtValue* const* values, lw_tensor* inputs,
                  OrtValue* value, lw_tensor output) const {
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
    const lw_status status =
        lw_op_run(op_.get(), inputs, input_count_, &output, 1);
    if (status != LW_OK) throw Error(api_, Failure(status));
    StoreStrings(api_, results, value);
  }

  // This thread's last failure, as a status.
  OrtStatus* Failure(lw_status status) const noexcept {
    switch (status) {
      case LW_DIVIDE_BY_ZERO:
        return AtBorder(api_, [&] {
          // ONNX Runtime's own words come first.
          throw Error(
              api_, ORT_INVALID_ARGUMENT,
              std::string("Integer division by zero: ") + lw_last_error());
        });
      case LW_OUT_OF_MEMORY:
      case LW_THREADING_FAILED:
        return api_.ort->CreateStatus(ORT_FAIL, lw_last_error());
      default:
        return api_.ort->CreateStatus(ORT_INVALID_ARGUMENT, lw_last_error());
    }
  }

  struct Destroy {
    void operator()(lw_op* op) const { lw_op_destroy(op); }
  };
  Api api_;
  bool view_;
  bool session_threads_;
  size_t input_count_;
  lw_tensor constants_[kMaxInputs] = {};  // LW_ABSENT: not constant
  std::unique_ptr<lw_op, Destroy> op_;
  Calls calls_;
};

}  // namespace

OrtStatus* ORT_API_CALL CreateKernel(void* recipe, const OrtKernelInfo* info,
                                     OrtKernelImpl** kernel) noexcept {
  const auto& known = *static_cast<const KernelRecipe*>(recipe);
  *kernel = nullptr;
  return AtBorder(known.api, [&] { *kernel = new Kernel(known, info); });
}

}  // namespace lanewise::ort
