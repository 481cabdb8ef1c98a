// SPDX-License-Identifier: Apache-2.0

#include "runtime/call/call_plan.h"

#include <algorithm>

#include "runtime/engine/types.h"
#include "runtime/plan/short_rows.h"
#include "runtime/plan/tensor.h"

namespace lanewise {
namespace {

void PlanElementwise(const Node& node, const Call& call, int64_t* numbers,
                     Plan* plan) {
  NestOperand operands[kMaxOperands];
  const size_t out = call.kernel_inputs;
  for (size_t k = 0; k < out; ++k) {
    const bool is_aligned = node.InputInfo(k).role == Role::kAligned;
    operands[k] = {is_aligned ? nullptr : call.inputs[k].tensor,
                   call.offsets[k]};
  }
  operands[out] = {call.output.tensor, 0};
  plan->keeps_order = plan->has_packed || node.is_aligned ||
                      (node.op.reports_zero_divisors && IsInteger(call.type));
  BuildNest(operands, static_cast<int>(out) + 1, plan->keeps_order, numbers,
            &plan->nest);
}

void NestBetween(const lw_tensor& in, const lw_tensor& out, bool keep_order,
                 int64_t* numbers, LoopNest* nest) {
  const NestOperand operands[] = {{&in, 0}, {&out, 0}};
  BuildNest(operands, 2, keep_order, numbers, nest);
}
size_t NumbersBetween(const lw_tensor& tensor) {
  return NestNumbers(2, static_cast<size_t>(tensor.rank));
}

// Row-major order is kept, so a contiguous tensor may be described with the
// other tensor's dims.
lw_tensor WithDimsOf(const lw_tensor& contiguous, const lw_tensor& other) {
  lw_tensor tensor = contiguous;
  tensor.rank = other.rank;
  tensor.dims = other.dims;
  tensor.strides = nullptr;
  return tensor;
}

// Packed elements have no strides: whole bytes are moved.
void PlanPackedMove(const Call& call, int64_t* numbers, Plan* plan) {
  const size_t bits = call.bound->layouts[0].bits;
  const auto elements = static_cast<size_t>(call.output.elements);
  const auto bytes = static_cast<int64_t>(BytesFor(elements, bits));
  const lw_tensor tensor = {nullptr, LW_UINT8, 1, &bytes, nullptr, 0};
  NestBetween(tensor, tensor, false, numbers, &plan->nest);
  plan->packed = 8 / bits;
}

void PlanMove(const Call& call, int64_t* numbers, Plan* plan) {
  if (call.bound->layouts[0].bits < 8) {
    return PlanPackedMove(call, numbers, plan);
  }
  const lw_tensor& in = *call.inputs[0].tensor;
  const lw_tensor& out = *call.output.tensor;
  const bool in_strided = !IsContiguous(in);
  const bool out_strided = !IsContiguous(out);
  if (in_strided && out_strided) {
    NestBetween(in, in, true, numbers, &plan->input_nest);
    NestBetween(out, out, true, numbers + NumbersBetween(in), &plan->nest);
    plan->has_input_nest = true;
    plan->keeps_order = true;
  } else if (in_strided) {
    NestBetween(in, WithDimsOf(out, in), false, numbers, &plan->nest);
  } else {
    NestBetween(WithDimsOf(in, out), out, false, numbers, &plan->nest);
  }
}

// Whether an input has one element for several outputs.
bool IsStretched(const LoopNest& nest, int operand) {
  for (int i = 0; i < nest.rank; ++i) {
    if (nest.strides[operand][i] == 0 && nest.dims[i] > 1) return true;
  }
  return false;
}

// Whether a kernel should take tiles instead of the nest's rows. If an operand
// that is not stretched would need a tile, too (`has_gaps`), rows pay from 32
// bytes on. Rows of every second element (kAnyStride) pay from 65 bytes on.
bool HasShortRows(const Node& node, const Plan& plan) {
  constexpr size_t kVectorBytes = 32;
  constexpr size_t kMoreThanVectorBytes = 65;
  const LoopNest& nest = plan.nest;
  if (nest.rank == 1) return false;
  bool repeats = false;
  bool has_gaps = false;
  size_t widest = plan.element_bytes[plan.output()];
  for (int k = 0; k < nest.operands; ++k) {
    const bool is_scalar = (node.base_pattern >> k & 1) != 0;
    if (is_scalar || nest.flat[k]) continue;
    widest = std::max(widest, plan.element_bytes[k]);
    has_gaps |= !IsStretched(nest, k);
    repeats |= nest.inner_stride(k) != 0;
  }
  size_t limit = ShortRowBytes(node.op.cost, node.engine->target, repeats);
  if (has_gaps) limit = kVectorBytes;
  if (plan.strided) limit = kMoreThanVectorBytes;
  return static_cast<size_t>(nest.inner()) * widest < limit;
}

// The pattern of the nest's rows as they lie, or -1: no kernel takes them.
int PatternOfRows(const Node& node, const LoopNest& nest, bool* strided) {
  const int out = nest.operands - 1;
  *strided = false;
  if (nest.inner_stride(out) != 1) return -1;
  int pattern = node.base_pattern;
  for (int k = 0; k < out; ++k) {
    if ((node.base_pattern >> k & 1) != 0) continue;
    const int64_t stride = nest.inner_stride(k);
    if (stride < 0 || stride > kMaxStride) return -1;
    if (stride == 0) pattern |= 1 << k;
    *strided |= stride > 1;
  }
  const bool has_pattern = node.HasPatterns(static_cast<size_t>(out));
  return *strided || !has_pattern ? kAnyStride : pattern;
}

// The kernel that takes the nest's rows as they lie, or nullptr.
KernelFn KernelForRows(const Node& node, const KernelFn* kernels, Plan* plan) {
  if (plan->has_input_nest) return nullptr;
  plan->pattern = PatternOfRows(node, plan->nest, &plan->strided);
  if (plan->pattern < 0 || HasShortRows(node, *plan)) return nullptr;
  return kernels[plan->pattern];
}

// What follows from the types of the operands.
void SetSizes(const Node& node, const Call& call, Plan* plan) {
  plan->bytes_per_element = 0;
  plan->has_packed = false;
  const auto out = static_cast<int>(call.kernel_inputs);
  for (int k = 0; k <= out; ++k) {
    const size_t bits =
        call.bound
            ->layouts[k < out ? static_cast<size_t>(k) : BoundTypes::kOutput]
            .bits;
    const bool is_packed = bits < 8 && !node.op.moves_only;
    plan->element_bytes[k] = bits < 8 ? 1 : bits / 8;
    plan->packed_bits[k] = is_packed ? static_cast<uint8_t>(bits) : 0;
    plan->has_packed |= is_packed;
    const bool is_scalar = (node.base_pattern >> k & 1) != 0;
    if (!is_scalar) plan->bytes_per_element += plan->element_bytes[k];
  }
}

void UseTiles(const Node& node, const KernelFn* kernels, Plan* plan) {
  plan->tiled = true;
  plan->pattern = node.base_pattern;
  const bool has_pattern =
      node.HasPatterns(static_cast<size_t>(plan->output()));
  plan->kernel = kernels[has_pattern ? plan->pattern : kAnyStride];
}

}  // namespace

size_t PlanNumbers(const Node& node, const Call& call) {
  const lw_tensor& out = *call.output.tensor;
  if (node.op.moves_only) {
    return NumbersBetween(*call.inputs[0].tensor) + NumbersBetween(out);
  }
  return NestNumbers(call.kernel_inputs + 1, static_cast<size_t>(out.rank));
}

void MakePlan(const Node& node, const Call& call, int64_t* numbers,
              Plan* plan) {
  plan->engine = node.engine.get();
  plan->label = node.label;
  plan->setup = &node.setup;
  plan->alignment = node.is_aligned ? &call.alignment : nullptr;
  plan->tuning = node.TuningOf(call.type);
  plan->outputs = 1;
  plan->moves_only = node.op.moves_only;
  plan->base_pattern = node.base_pattern;
  plan->has_input_nest = false;
  plan->keeps_order = false;
  plan->packed = 1;
  plan->type = call.type;
  plan->host_strings =
      call.type == LW_STRING && node.engine->string_type.copy != nullptr;
  SetSizes(node, call, plan);
  if (node.op.moves_only) {
    PlanMove(call, numbers, plan);
  } else {
    PlanElementwise(node, call, numbers, plan);
  }

  plan->tiled = false;
  plan->kernel = plan->has_packed
                     ? nullptr
                     : KernelForRows(node, call.bound->kernels, plan);
  if (plan->kernel == nullptr || plan->host_strings) {
    UseTiles(node, call.bound->kernels, plan);
  }
}

}  // namespace lanewise
