// SPDX-License-Identifier: Apache-2.0

#include "runtime/chain/chain_plan.h"

#include <algorithm>

#include "runtime/engine/engine.h"
#include "runtime/engine/types.h"
#include "runtime/plan/plan_runner.h"

namespace lanewise {
namespace {

// To start a row takes as long as some vectors of each step, so that short rows
// are gathered to long ones.
constexpr size_t kShortRowBytes = 512;

bool IsInPass(const PassLayout& layout, size_t step) {
  return (layout.pass->steps >> step & 1) != 0 &&
         !layout.call->chain().steps[step].is_head;
}

// What several steps cost. The thresholds count bytes that a call reads and
// writes, and a step in L1 takes about half of what a pass over memory takes.
Tuning::PerCostClass TuningOf(const PassLayout& layout) {
  const Chain& chain = layout.call->chain();
  auto cost = CostClass::kMemory;
  size_t steps = 0;
  for (size_t s = 0; s < chain.steps.size(); ++s) {
    if (!IsInPass(layout, s)) continue;
    cost = std::max(cost, chain.steps[s].node->op.cost);
    ++steps;
  }
  return chain.engine->tuning.For(cost, std::max<size_t>(1, steps / 2));
}

void SetShared(const PassLayout& layout, Plan* plan) {
  const Chain& chain = layout.call->chain();
  plan->engine = chain.engine.get();
  plan->label = chain.label();
  plan->setup = nullptr;
  plan->alignment = nullptr;
  plan->tuning = TuningOf(layout);
  plan->outputs = layout.pass->count;
  plan->has_input_nest = false;
  plan->moves_only = false;
  plan->kernel = ChainKernel;
  plan->base_pattern = 0;
  plan->strided = false;
  plan->host_strings = false;
  plan->packed = 1;
  plan->has_packed = false;
  std::fill_n(plan->packed_bits, kMaxOperands, uint8_t{0});
  plan->type = chain.steps[chain.outputs[layout.pass->outputs[0]]].type;
}

void MakeNest(const PassLayout& layout, int64_t* numbers, Plan* plan) {
  const ChainCall& call = *layout.call;
  const int count = layout.input_count;
  NestOperand operands[kMaxOperands];
  lw_tensor outputs[LW_MAX_OUTPUTS];
  for (int k = 0; k < count; ++k) {
    const PassInput& input = layout.inputs[k];
    operands[k] = {&call.TensorOf(input.value), input.offset};
  }
  for (int j = 0; j < layout.pass->count; ++j) {
    outputs[j] = call.OutputView(layout.pass->outputs[j]);
    operands[count + j] = {&outputs[j], 0};
  }
  // Positions of zero divisors are row-major.
  plan->keeps_order = false;
  for (size_t s = 0; s < call.chain().steps.size(); ++s) {
    plan->keeps_order |=
        IsInPass(layout, s) && call.chain().steps[s].reports_zeros;
  }
  BuildNest(operands, count + layout.pass->count, plan->keeps_order, numbers,
            &plan->nest);
  for (int k = 0; k < plan->operands(); ++k) {
    plan->element_bytes[k] = FindType(operands[k].tensor->type)->bits / 8;
  }
}

// Whether an input is one element for the whole nest.
bool IsFixed(const LoopNest& nest, int operand) {
  return std::all_of(nest.strides[operand], nest.strides[operand] + nest.rank,
                     [](int64_t stride) { return stride == 0; });
}

// Rows are taken as they lie if the elements of each operand lie side by side,
// or are one element.
bool TakesRows(const Plan& plan) {
  size_t widest = 1;
  for (int k = 0; k < plan.operands(); ++k) {
    const int64_t stride = plan.nest.inner_stride(k);
    if (stride != 1 && (stride != 0 || k >= plan.output())) return false;
    widest = std::max(widest, plan.element_bytes[k]);
  }
  const auto n = static_cast<size_t>(plan.nest.inner());
  return plan.nest.rank == 1 || n * widest >= kShortRowBytes;
}

void ChooseRowsOrTiles(Plan* plan) {
  plan->pattern = 0;
  plan->bytes_per_element = 0;
  plan->tiled = !TakesRows(*plan);
  for (int k = 0; k < plan->operands(); ++k) {
    if (k < plan->output() && IsFixed(plan->nest, k)) {
      plan->pattern |= 1 << k;
    } else {
      plan->bytes_per_element += plan->element_bytes[k];
    }
  }
}

// A value that lies in two places is two inputs of a pass.
size_t MostOperands(const Chain& chain) {
  size_t inputs = 0;
  for (const ChainStep& step : chain.steps) inputs += step.operands.size();
  return std::min<size_t>(inputs, kMaxInputs) + chain.outputs.size();
}

}  // namespace

ChainPlan::ChainPlan(const Chain& chain, size_t rank, MemoryParts& parts)
    : numbers(parts.Take<int64_t>(NestNumbers(MostOperands(chain), rank))),
      program(chain, parts) {}

void MakeChainPlan(const ChainCall& call, const ChainPass& pass,
                   ChainPlan* made) {
  PassLayout& layout = made->layout;
  layout.call = &call;
  layout.pass = &pass;
  layout.input_count =
      call.FindInputs(pass, layout.inputs, layout.step_offsets);
  SetShared(layout, &made->plan);
  MakeNest(layout, made->numbers, &made->plan);
  ChooseRowsOrTiles(&made->plan);
  MakeProgram(layout, made->plan, &made->program);
}

void FindOperands(const ChainRun& run, void** operands) {
  const PassLayout& layout = run.made.layout;
  const size_t inputs = layout.call->chain().inputs();
  for (int k = 0; k < layout.input_count; ++k) {
    operands[k] = const_cast<void*>(run.DataOf(layout.inputs[k].root));
  }
  for (int j = 0; j < layout.pass->count; ++j) {
    operands[layout.input_count + j] =
        run.data[inputs + layout.pass->outputs[j]];
  }
}

lw_status RunChainPlan(const ChainRun& run, const Threads& threads) {
  void* operands[kMaxOperands];
  FindOperands(run, operands);
  Setup setup = {};
  setup.rows = 1;
  setup.params = &run;
  lw_zero_divisors none;
  return RunPlan(run.made.plan, setup, threads, operands, &none);
}

}  // namespace lanewise
