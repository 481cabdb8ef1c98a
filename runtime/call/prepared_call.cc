// SPDX-License-Identifier: Apache-2.0

#include "runtime/call/prepared_call.h"

#include "hwy/base.h"
#include "runtime/plan/own_job.h"
#include "runtime/plan/plan_runner.h"

namespace lanewise {

const lw_tensor* PreparedCall::Keep(const lw_tensor* tensor) {
  if (tensor == nullptr) return nullptr;
  auto copy = std::make_unique<Copy>();
  copy->tensor = *tensor;
  copy->dims.assign(tensor->dims, tensor->dims + tensor->rank);
  copy->tensor.dims = copy->dims.data();
  if (tensor->strides != nullptr) {
    copy->strides.assign(tensor->strides, tensor->strides + tensor->rank);
    copy->tensor.strides = copy->strides.data();
  }
  copies_.push_back(std::move(copy));
  return &copies_.back()->tensor;
}

lw_status PreparedCall::Prepare(const lw_tensor* inputs, size_t input_count,
                                const lw_tensor* outputs, size_t output_count) {
  lw_status status = ResolveInputs(*node_, inputs, input_count, &call_);
  if (status == LW_OK) {
    status = CheckOutput(*node_, outputs, output_count, &call_);
  }
  if (status != LW_OK) return status;
  for (size_t k = 0; k < call_.kernel_inputs; ++k) {
    call_.inputs[k].tensor = Keep(call_.inputs[k].tensor);
  }
  call_.output.tensor = Keep(call_.output.tensor);
  if (call_.output.elements == 0) return LW_OK;
  status = CheckLayouts(*node_, &call_);
  if (status != LW_OK) return status;
  if (node_->is_reduction) return LW_OK;
  numbers_.resize(PlanNumbers(*node_, call_));
  MakePlan(*node_, call_, numbers_.data(), &plan_);
  // Which inputs the output may cover: those of one layout with the output.
  const auto at_null = [&](size_t k, const lw_tensor* tensor) {
    return Placed{tensor, nullptr, call_.bound->layouts[k].bits,
                  call_.extents[k]};
  };
  for (size_t k = 0; k < call_.kernel_inputs; ++k) {
    const lw_tensor* tensor = call_.inputs[k].tensor;
    may_cover_[k] = tensor != nullptr && !node_->op.moves_only &&
                    AreSame(at_null(k, tensor),
                            at_null(BoundTypes::kOutput, call_.output.tensor));
  }
  is_one_job_ = IsOneJob(plan_, &n_, &setup_);
  return LW_OK;
}

bool PreparedCall::TakeInputs(const void* const* inputs, void* output,
                              const void** taken) const {
  const auto at = [](const void* data, int64_t offset) {
    return reinterpret_cast<uintptr_t>(data) + static_cast<uintptr_t>(offset);
  };
  const uintptr_t low = at(output, call_.out_extent().low);
  const uintptr_t high = at(output, call_.out_extent().high);
  bool fine = output != nullptr &&
              (at(output, 0) & (call_.out_layout().alignment - 1)) == 0;
  for (size_t k = 0; fine && k < call_.kernel_inputs; ++k) {
    taken[k] = nullptr;
    if (call_.inputs[k].tensor == nullptr) continue;
    const void* in = inputs[k];
    taken[k] = in;
    if (in == output && may_cover_[k]) continue;
    const Extent& extent = call_.extents[k];
    fine = in != nullptr &&
           (at(in, 0) & (call_.bound->layouts[k].alignment - 1)) == 0 &&
           (at(in, extent.low) >= high || at(in, extent.high) <= low);
  }
  return fine;
}

lw_status PreparedCall::RunPlanned(const RunOptions* options,
                                   const void* const* inputs,
                                   void* output) const {
  const Node& node = *node_;
  const size_t out = call_.kernel_inputs;
  void* data[kMaxInputs + 1] = {};
  for (size_t k = 0; k < out; ++k) {
    const bool absent = call_.inputs[k].tensor == nullptr;
    if (!absent) data[k] = const_cast<void*>(inputs[k]);
  }
  data[out] = output;
  lw_status status = CheckPlaces(node, call_, data);
  if (status != LW_OK) return status;
  const RunOptions none;
  const RunOptions& given = options != nullptr ? *options : none;
  lw_zero_divisors zeros = {};
  const bool is_view = node.op.moves_only && data[0] == data[out];
  if (node.is_reduction) {
    status = Reduce(node, call_, given.threads(*node.engine), data);
  } else if (!is_view) {
    status =
        RunPlan(plan_, node.setup, given.threads(*node.engine), data, &zeros);
  }
  return status == LW_OK ? given.ReportZeros(node, zeros) : status;
}

lw_status PreparedCall::Run(const RunOptions* options,
                            const void* const* inputs,
                            void* const* outputs) const {
  const Node& node = *node_;
  if (call_.output.elements == 0) {
    return options != nullptr ? options->ReportZeros(node, {}) : LW_OK;
  }
  if (inputs == nullptr || outputs == nullptr) {
    return Fail(node.label, LW_INVALID_ARGUMENT, "%s is NULL",
                inputs == nullptr ? "inputs" : "outputs");
  }
  if (!is_one_job_) return RunPlanned(options, inputs, outputs[0]);
  const void* taken[kMaxInputs];
  if (HWY_UNLIKELY(!TakeInputs(inputs, outputs[0], taken))) {
    return RunPlanned(options, inputs, outputs[0]);
  }
  // A single job needs no threads, whatever the options say.
  Zeros zeros;
  const Job job = {&setup_, taken, outputs[0], n_, &zeros};
  RunJob(plan_.kernel, job);
  if (HWY_LIKELY(zeros.count == 0 && options == nullptr)) return LW_OK;
  const lw_zero_divisors found =
      zeros.count == 0 ? lw_zero_divisors{} : ZerosOf(job);
  return options != nullptr ? options->ReportZeros(node, found)
                            : node.ReportZeros(found);
}

}  // namespace lanewise
