// SPDX-License-Identifier: Apache-2.0

#include "runtime/operation.h"

#include <algorithm>

#include "hwy/base.h"
#include "runtime/call.h"
#include "runtime/plain_call.h"
#include "runtime/plan.h"
#include "runtime/plan_runner.h"

namespace lanewise {
namespace {

[[gnu::noinline]] lw_status RunShortRows(const Node& node, const Job& job,
                                         int32_t type) {
  Plan plan;
  PlanShortRows(node, job, type, &plan);
  void* data[LoopNest::kMaxOperands];
  for (size_t k = 0; k < node.kernel_inputs; ++k) {
    data[k] = const_cast<void*>(job.in[k]);
  }
  data[node.kernel_inputs] = job.out;
  lw_zero_divisors zeros = {};
  const lw_status status =
      RunPlan(node, plan, {node.engine->executor.get(), 0}, data, &zeros);
  return status == LW_OK ? node.ReportZeros(zeros) : status;
}

// Any call that plain_call.h has not taken.
[[gnu::noinline]] lw_status RunGeneral(
    const Node& node, const RunOptions& options, const lw_tensor* inputs,
    size_t input_count, const lw_tensor* outputs, size_t output_count) {
  Call call;
  lw_status status = ResolveInputs(node, inputs, input_count, &call);
  if (status == LW_OK) {
    status = CheckOutput(node, outputs, output_count, &call);
  }
  if (status != LW_OK) return status;
  lw_zero_divisors zeros = {};
  if (call.output.elements == 0) return options.ReportZeros(node, zeros);
  status = CheckLayouts(node, &call);
  if (status != LW_OK) return status;

  void* data[kMaxInputs + 1] = {};
  for (size_t k = 0; k < node.kernel_inputs; ++k) {
    if (call.inputs[k].tensor != nullptr) data[k] = call.inputs[k].tensor->data;
  }
  data[node.kernel_inputs] = call.output.tensor->data;
  status = CheckPlaces(node, call, data);
  if (status != LW_OK) return status;

  const bool is_view = node.op.moves_only && data[0] == data[1];
  if (!is_view) {
    Plan plan;
    MakePlan(node, call, &plan);
    status = RunPlan(node, plan, options.threads(node), data, &zeros);
  }
  if (status != LW_OK) return status;
  return options.ReportZeros(node, zeros);
}

}  // namespace

lw_status RunOptions::Read(const Node& node, const lw_run_options* given,
                           RunOptions* options) {
  if (given == nullptr) return LW_OK;
  if (given->max_threads < 0) {
    return Fail(node.label, LW_INVALID_ARGUMENT,
                "%d is not a number of threads", given->max_threads);
  }
  if (given->reserved != 0) {
    return Fail(node.label, LW_INVALID_ARGUMENT,
                "lw_run_options: reserved is %d, but must be 0",
                given->reserved);
  }
  const auto most = static_cast<size_t>(given->max_threads);
  if (given->parallel_for != nullptr) {
    options->host_.emplace(given->parallel_for, given->parallel_for_context,
                           most != 0 ? most : node.engine->executor->Threads());
  }
  options->most_threads_ = most;
  options->zeros_ = given->zero_divisors;
  return LW_OK;
}

lw_status InferOutput(const Node& node, const lw_tensor* inputs, size_t count,
                      lw_shape* output) {
  Call call;
  const lw_status status = ResolveInputs(node, inputs, count, &call);
  if (status != LW_OK) return status;
  output->type = call.shape.type;
  output->rank = call.shape.rank;
  std::copy_n(call.shape.dims, call.shape.rank, output->dims);
  return LW_OK;
}

lw_status RunTensors(const Node& node, const RunOptions* options,
                     const lw_tensor* inputs, size_t input_count,
                     const lw_tensor* outputs, size_t output_count) {
  if (options == nullptr && input_count == node.input_count &&
      output_count == 1 && inputs != nullptr && outputs != nullptr) {
    Job job;
    KernelFn kernel = nullptr;
    switch (TakePlainCall(node, inputs, *outputs, &job, &kernel)) {
      case PlainCall::kOneJob:
        kernel(job);
        if (HWY_LIKELY(job.zero_divisors == 0)) return LW_OK;
        return node.ReportZeros(
            {job.first_zero_row * job.n + job.first_zero_column,
             job.zero_divisors});
      case PlainCall::kShortRows:
        return RunShortRows(node, job, inputs[node.binding_input].type);
      case PlainCall::kNot:
        break;
    }
  }
  const RunOptions none;
  return RunGeneral(node, options != nullptr ? *options : none, inputs,
                    input_count, outputs, output_count);
}

}  // namespace lanewise
