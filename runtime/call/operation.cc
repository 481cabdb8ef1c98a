// SPDX-License-Identifier: Apache-2.0

#include "runtime/call/operation.h"

#include <algorithm>

#include "hwy/base.h"
#include "runtime/call/call.h"
#include "runtime/call/call_plan.h"
#include "runtime/call/plain_call.h"
#include "runtime/plan/plan_runner.h"
#include "runtime/plan/short_rows.h"
#include "runtime/reduce/reduce.h"

namespace lanewise {
namespace {

// Runs the call if it is plain.
[[gnu::always_inline]] inline bool RunPlain(const Node& node,
                                            const lw_tensor* inputs,
                                            const lw_tensor& output,
                                            lw_zero_divisors* zeros) {
  OwnJob job(&node.setup);
  KernelFn kernel = nullptr;
  const PlainCall how = TakePlainCall(node, inputs, output, &job, &kernel);
  if (HWY_LIKELY(how == PlainCall::kOneJob)) {
    RunJob(kernel, job);
    if (HWY_UNLIKELY(job.found.count != 0)) *zeros = ZerosOf(job);
    return true;
  }
  if (how != PlainCall::kShortRows) return false;
  *zeros = RunShortRows(node, *node.Bind(inputs[node.binding_input].type), job);
  return true;
}

// The same for a call that leaves out the last inputs.
[[gnu::noinline]] bool RunPlainWithAbsent(const Node& node,
                                          const lw_tensor* inputs,
                                          size_t input_count,
                                          const lw_tensor& output,
                                          lw_zero_divisors* zeros) {
  static_assert(LW_ABSENT == 0);
  lw_tensor all[kPatternInputs] = {};
  std::copy_n(inputs, input_count, all);
  return RunPlain(node, all, output, zeros);
}

// Plans a call in `kNumbers` numbers on the stack, and runs the plan.
template <size_t kNumbers>
[[gnu::noinline]] lw_status PlanAndRun(const Node& node, const Call& call,
                                       const Threads& threads,
                                       void* const* data,
                                       lw_zero_divisors* zeros) {
  int64_t numbers[kNumbers];
  Plan plan;
  MakePlan(node, call, numbers, &plan);
  return RunPlan(plan, node.setup, threads, data, zeros);
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
  for (size_t k = 0; k < call.kernel_inputs; ++k) {
    if (call.inputs[k].tensor != nullptr) data[k] = call.inputs[k].tensor->data;
  }
  data[call.kernel_inputs] = call.output.tensor->data;
  status = CheckPlaces(node, call, data);
  if (status != LW_OK) return status;

  const bool is_view = node.op.moves_only && data[0] == data[1];
  if (node.is_reduction) {
    status = Reduce(node, call, options.threads(*node.engine), data);
  } else if (!is_view) {
    // Kernels with a large frame of their own have three inputs or fewer.
    constexpr size_t kFew = NestNumbers(3 + 1, LW_MAX_RANK);
    const auto run = PlanNumbers(node, call) <= kFew
                         ? PlanAndRun<kFew>
                         : PlanAndRun<kMostPlanNumbers>;
    status = run(node, call, options.threads(*node.engine), data, &zeros);
  }
  if (status != LW_OK) return status;
  return options.ReportZeros(node, zeros);
}

}  // namespace

lw_status RunOptions::Read(const Engine& engine, const Label& label,
                           const lw_run_options* given, RunOptions* options) {
  if (given == nullptr) return LW_OK;
  if (given->max_threads < 0) {
    return Fail(label, LW_INVALID_ARGUMENT, "%d is not a number of threads",
                given->max_threads);
  }
  if (given->reserved != 0) {
    return Fail(label, LW_INVALID_ARGUMENT,
                "lw_run_options: reserved is %d, but must be 0",
                given->reserved);
  }
  const auto most = static_cast<size_t>(given->max_threads);
  if (given->parallel_for != nullptr) {
    options->host_.emplace(given->parallel_for, given->parallel_for_context,
                           most != 0 ? most : engine.executor->Threads());
  }
  options->most_threads_ = most;
  options->zeros_ = given->zero_divisors;
  return LW_OK;
}

// Apart from its callers, whose frames would have room for the plan in each
// call.
[[gnu::noinline]] lw_status Reduce(const Node& node, const Call& call,
                                   const Threads& threads, void* const* data) {
  const lw_tensor& x = *call.inputs[0].tensor;
  const ReducePlan plan(node, x, *call.output.tensor, call.reduced, x);
  return RunReduction(plan, data[0], data[1], threads);
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
  if (input_count <= node.plain_inputs && input_count >= node.least_plain &&
      output_count == 1 && inputs != nullptr && outputs != nullptr) {
    lw_zero_divisors zeros = {};
    if (HWY_LIKELY(input_count == node.plain_inputs)
            ? RunPlain(node, inputs, *outputs, &zeros)
            : RunPlainWithAbsent(node, inputs, input_count, *outputs, &zeros)) {
      return options == nullptr ? node.ReportZeros(zeros)
                                : options->ReportZeros(node, zeros);
    }
  }
  const RunOptions none;
  return RunGeneral(node, options != nullptr ? *options : none, inputs,
                    input_count, outputs, output_count);
}

}  // namespace lanewise
