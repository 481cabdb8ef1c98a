// SPDX-License-Identifier: Apache-2.0
//
// The scale and the zero point of QuantizeLinear have an element for each
// index of a dim, or for each block of indexes, and the last block may be
// shorter: no nest of loops has such steps. The nest has x and the output
// only, in row-major order, and the kernel finds the parameters under each
// element (Alignment). Three inputs and the output have up to three types:
// one kernel takes them all, and reads the types, too. Such operators have
// no kernels in the kernel API, and are no steps of chains.

#include "runtime/call/alignment.h"

#include <algorithm>

#include "runtime/plan/tensor.h"

namespace lanewise {
namespace {

// How an aligned input lies beside the first one.
enum class Fit { kOneForAll, kByIndex, kByBlock, kNone };

Fit FitOf(Dims x, Dims scale, int64_t axis, int64_t block) {
  int64_t elements = 0;
  CountElements(scale, &elements);
  if (elements == 1 && scale.rank <= 1) return Fit::kOneForAll;
  if (axis < 0 || axis >= x.rank) return Fit::kNone;
  if (block == 0) {
    const bool fits = scale.rank == 1 && scale.dims[0] == x.dims[axis];
    return fits ? Fit::kByIndex : Fit::kNone;
  }
  if (scale.rank != x.rank) return Fit::kNone;
  for (int32_t i = 0; i < x.rank; ++i) {
    const int64_t dim = x.dims[i];
    const int64_t blocks = dim / block + (dim % block != 0 ? 1 : 0);
    if (scale.dims[i] != (i == axis ? blocks : dim)) return Fit::kNone;
  }
  return Fit::kByBlock;
}

// How far an aligned input steps along each dim of the first one.
void SetSteps(const lw_tensor* tensor, Fit fit, int64_t axis, int32_t rank,
              ptrdiff_t* steps) {
  std::fill_n(steps, rank, 0);
  if (tensor == nullptr || fit == Fit::kOneForAll) return;
  const auto stride = [&](int32_t i, int64_t contiguous) {
    return static_cast<ptrdiff_t>(
        tensor->strides != nullptr ? tensor->strides[i] : contiguous);
  };
  if (fit == Fit::kByIndex) {
    steps[axis] = stride(0, 1);
    return;
  }
  int64_t contiguous = 1;
  for (int32_t i = rank - 1; i >= 0; --i) {
    steps[i] = stride(i, contiguous);
    contiguous *= tensor->dims[i];
  }
}

// Joins neighbouring loops where both inputs have an even step across them, and
// drops loops of one index.
void Collapse(Alignment* to) {
  int rank = 0;
  for (int i = 0; i < to->rank; ++i) {
    if (to->dims[i] == 1) continue;
    bool even = rank > 0 && to->block[i] == 1 && to->block[rank - 1] == 1;
    for (const auto& steps : to->steps) {
      // A later check refuses strides whose products overflow.
      even = even && static_cast<size_t>(steps[rank - 1]) ==
                         static_cast<size_t>(steps[i]) * to->dims[i];
    }
    const int at = even ? rank - 1 : rank++;
    to->dims[at] = even ? to->dims[at] * to->dims[i] : to->dims[i];
    to->block[at] = to->block[i];
    for (auto& steps : to->steps) steps[at] = steps[i];
  }
  to->rank = rank;
}

}  // namespace

lw_status ResolveAlignment(const Node& node, Call* call) {
  const lw_tensor& x = *call->inputs[0].tensor;
  const lw_tensor& scale = *call->inputs[1].tensor;
  const lw_tensor* zero = call->inputs[2].tensor;
  // Version 10 has no axis.
  const int64_t given = node.attributes.Int("axis").value_or(x.rank);
  const int64_t axis = given < 0 ? given + x.rank : given;
  const int64_t block = node.attributes.Int("block_size").value_or(0);
  const Fit fit = FitOf(DimsOf(x), DimsOf(scale), axis, block);
  if (fit == Fit::kNone) {
    return Fail(node.label, LW_INVALID_SHAPE,
                "input 1 (%s) of shape %s does not fit input 0 of shape %s at "
                "axis %lld in blocks of %lld",
                node.InputInfo(1).name,
                ShapeText(scale.dims, scale.rank).c_str(),
                ShapeText(x.dims, x.rank).c_str(),
                static_cast<long long>(given), static_cast<long long>(block));
  }
  const bool both_are_one = fit == Fit::kOneForAll && zero != nullptr &&
                            zero->rank <= 1 && call->inputs[2].elements == 1;
  if (zero != nullptr && !both_are_one &&
      !SameDims(DimsOf(scale), DimsOf(*zero))) {
    return Fail(node.label, LW_INVALID_SHAPE,
                "input 2 (%s) has the shape %s, and not that of input 1, %s",
                node.InputInfo(2).name,
                ShapeText(zero->dims, zero->rank).c_str(),
                ShapeText(scale.dims, scale.rank).c_str());
  }

  // Nothing is computed, and products of the other dims may overflow.
  if (call->inputs[0].elements == 0) return LW_OK;
  Alignment& alignment = call->alignment;
  std::copy_n(call->bound->types, 3, alignment.types);
  alignment.to = call->shape.type;
  alignment.rank = x.rank;
  for (int32_t i = 0; i < x.rank; ++i) {
    alignment.dims[i] = static_cast<size_t>(x.dims[i]);
    const bool has_blocks = fit == Fit::kByBlock && i == axis;
    alignment.block[i] = has_blocks ? static_cast<size_t>(block) : 1;
  }
  SetSteps(&scale, fit, axis, x.rank, alignment.steps[0]);
  SetSteps(zero, fit, axis, x.rank, alignment.steps[1]);
  Collapse(&alignment);
  return LW_OK;
}

}  // namespace lanewise
