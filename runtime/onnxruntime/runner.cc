// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/runner.h"

#include <algorithm>
#include <vector>

#include "runtime/onnxruntime/tensors.h"

namespace lanewise::ort {
namespace {

// Calls with fewer elements stay on their thread: no operator of lanewise uses
// threads for less, and lw_op_run is faster without options.
constexpr size_t kThreadsFrom = 1 << 14;

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

}  // namespace

OrtStatus* Failure(const Api& api, lw_status status) noexcept {
  switch (status) {
    case LW_DIVIDE_BY_ZERO:
      return AtBorder(api, [&] {
        // ONNX Runtime's own words come first.
        throw Error(
            api, ORT_INVALID_ARGUMENT,
            std::string("Integer division by zero: ") + lw_last_error());
      });
    case LW_OUT_OF_MEMORY:
    case LW_THREADING_FAILED:
      return api.ort->CreateStatus(ORT_FAIL, lw_last_error());
    default:
      return api.ort->CreateStatus(ORT_INVALID_ARGUMENT, lw_last_error());
  }
}

OpHandle MakeOp(const Api& api, const lw_engine* engine,
                const lw_signature& signature, const Attributes& attributes) {
  lw_op* op = nullptr;
  const lw_status status =
      lw_op_create(engine, signature.name, signature.since_version,
                   attributes.list().data(), attributes.list().size(), &op);
  if (status != LW_OK) throw Error(api, Failure(api, status));
  return OpHandle(op);
}

void TryConstantDivisor(const Api& api, const lw_op* op,
                        const lw_tensor& constant) {
  if (!IsInteger(constant.type)) return;
  lw_tensor inputs[2] = {{}, constant};
  const uint64_t any = 0;
  inputs[0].data = const_cast<uint64_t*>(&any);
  inputs[0].type = constant.type;
  std::vector<uint64_t> results(Elements(constant));
  lw_tensor output = constant;
  output.data = results.data();
  const lw_status status = lw_op_run(op, inputs, 2, &output, 1);
  if (status == LW_DIVIDE_BY_ZERO) throw Error(api, Failure(api, status));
}

OrtStatus* Runner::Run(OrtKernelContext* context, const lw_tensor* inputs,
                       size_t input_count, bool keep) noexcept {
  if (keep) {
    const Call* call = calls_.Get(callee_, inputs, input_count);
    if (call != nullptr) {
      return RunPrepared(context, *call, inputs, input_count);
    }
  }
  lw_shape shapes[LW_MAX_OUTPUTS];
  const lw_status known = callee_.Infer(inputs, input_count, shapes);
  if (known != LW_OK) return Failure(api_, known);
  lw_tensor outputs[LW_MAX_OUTPUTS];
  size_t elements = 0;
  for (size_t i = 0; i < callee_.outputs(); ++i) {
    lw_tensor& output = outputs[i];
    output = {};
    if (!callee_.wants(i)) continue;
    output = TensorOf(shapes[i]);
    OrtValue* value = nullptr;
    OrtStatus* status =
        Allocate(context, i, output.dims, static_cast<size_t>(output.rank),
                 &value, &output.data);
    if (status != nullptr) return status;
    elements = std::max(elements, Elements(output));
  }
  return WithThreads(context, elements, [&](const lw_run_options* options) {
    return callee_.Run(options, inputs, input_count, outputs);
  });
}

OrtStatus* Runner::RunPrepared(OrtKernelContext* context, const Call& call,
                               const lw_tensor* inputs,
                               size_t input_count) const noexcept {
  void* outputs[LW_MAX_OUTPUTS];
  for (size_t i = 0; i < callee_.outputs(); ++i) {
    outputs[i] = nullptr;
    if (!callee_.wants(i)) continue;
    OrtValue* value = nullptr;
    OrtStatus* status =
        Allocate(context, i, call.dims(i), call.rank(i), &value, &outputs[i]);
    if (status != nullptr) return status;
  }
  const void* data[LW_MAX_INPUTS];
  for (size_t i = 0; i < input_count; ++i) data[i] = inputs[i].data;
  return WithThreads(
      context, call.elements(), [&](const lw_run_options* options) {
        return lw_call_run_with(call.get(), options, data, outputs);
      });
}

OrtStatus* Runner::Allocate(OrtKernelContext* context, size_t index,
                            const int64_t* dims, size_t rank, OrtValue** value,
                            void** data) const noexcept {
  OrtStatus* status =
      api_.ort->KernelContext_GetOutput(context, index, dims, rank, value);
  return status != nullptr ? status
                           : api_.ort->GetTensorMutableData(*value, data);
}

// Calls body(options), with the session's threads if they pay.
template <class Body>
OrtStatus* Runner::WithThreads(OrtKernelContext* context, size_t elements,
                               const Body& body) const noexcept {
  SessionThreads threads = {*api_.ort, context};
  lw_run_options options = {};
  const bool alone = !session_threads_ || elements < kThreadsFrom;
  if (!alone) {
    options.struct_size = sizeof(options);
    options.parallel_for = SessionThreads::Run;
    options.parallel_for_context = &threads;
  }
  const lw_status done = body(alone ? nullptr : &options);
  return done == LW_OK ? nullptr : Failure(api_, done);
}

}  // namespace lanewise::ort
