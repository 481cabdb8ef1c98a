// SPDX-License-Identifier: Apache-2.0

#include "runtime/call/plain_call.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "hwy/base.h"
#include "runtime/engine/types.h"
#include "runtime/plan/short_rows.h"
#include "runtime/plan/tensor.h"

namespace lanewise {
namespace {

uintptr_t AddressOf(const lw_tensor& tensor) {
  return reinterpret_cast<uintptr_t>(tensor.data);
}

// The number of elements, if it is between 1 and `max`; otherwise 0.
size_t FewElements(const lw_tensor& tensor, size_t max) {
  if (tensor.rank < 0 || tensor.rank > LW_MAX_RANK ||
      (tensor.dims == nullptr && tensor.rank != 0)) {
    return 0;
  }
  size_t elements = 1;
  for (int32_t i = 0; i < tensor.rank; ++i) {
    const auto dim = static_cast<size_t>(tensor.dims[i]);
    // A negative dim is a huge one here, and neither product wraps round.
    if (dim == 0 || dim > max) return 0;
    elements *= dim;
    if (elements > max) return 0;
  }
  return elements;
}

bool HasDims(const lw_tensor& tensor, const lw_tensor& out) {
  if (tensor.rank != out.rank) return false;
  if (tensor.dims == out.dims) return true;
  if (tensor.dims == nullptr) return false;
  for (int32_t i = 0; i < out.rank; ++i) {
    if (tensor.dims[i] != out.dims[i]) return false;
  }
  return true;
}

// How far apart the elements are in row-major order, in elements: 1, 2 or, for
// any other layout, 0. Out of line, as most calls have no strides.
[[gnu::noinline]] size_t StepByStrides(const lw_tensor& tensor) {
  if (tensor.rank < 0 || tensor.rank > LW_MAX_RANK ||
      (tensor.dims == nullptr && tensor.rank != 0)) {
    return 0;
  }
  uint64_t step = 0;   // none yet
  uint64_t inner = 1;  // elements under the dim
  for (int32_t i = tensor.rank - 1; i >= 0; --i) {
    if (tensor.dims[i] == 1) continue;
    const auto stride = static_cast<uint64_t>(tensor.strides[i]);
    if (step == 0) step = stride;
    if (step - 1 >= kMaxStride || stride != step * inner) return 0;
    inner *= static_cast<uint64_t>(tensor.dims[i]);
  }
  return step == 0 ? 1 : step;
}
[[gnu::always_inline]] inline size_t StepOf(const lw_tensor& tensor) {
  return HWY_LIKELY(tensor.strides == nullptr) ? 1 : StepByStrides(tensor);
}

// Whether there is memory for `bytes`, and it is aligned.
[[gnu::always_inline]] inline bool HasMemory(const lw_tensor& tensor,
                                             size_t bytes,
                                             uintptr_t alignment) {
  return tensor.data != nullptr && (AddressOf(tensor) & (alignment - 1)) == 0 &&
         (tensor.bytes == 0 || tensor.bytes >= bytes);
}

// Whether a tensor without gaps has memory.
[[gnu::always_inline]] inline bool IsSound(const lw_tensor& tensor,
                                           size_t bytes, uintptr_t alignment) {
  return StepOf(tensor) == 1 && HasMemory(tensor, bytes, alignment);
}

// Whether two tensors have no byte in common.
bool IsApart(const lw_tensor& in, size_t in_bytes, const lw_tensor& out,
             size_t out_bytes) {
  return AddressOf(in) >= AddressOf(out) + out_bytes ||
         AddressOf(out) >= AddressOf(in) + in_bytes;
}

// The output of a call, with which each input is compared.
struct Target {
  const lw_tensor& out;
  size_t elements;
  size_t element_bytes;
  size_t bytes() const { return elements * element_bytes; }
};

struct Element {
  int32_t type;
  size_t bytes;
  uintptr_t alignment;
};

// An element of input `k`, or of BoundTypes::kOutput.
[[gnu::always_inline]] inline Element ElementOf(const BoundTypes& bound,
                                                size_t k) {
  return {bound.types[k], bound.layouts[k].bits / 8,
          bound.layouts[k].alignment};
}

// Whether an input without gaps has the output's dims, and does not lie partly
// on it.
[[gnu::always_inline]] inline bool IsLikeOutput(const lw_tensor& in,
                                                const Element& element,
                                                const Target& to) {
  const size_t bytes = to.elements * element.bytes;
  return HasDims(in, to.out) && HasMemory(in, bytes, element.alignment) &&
         ((in.data == to.out.data && element.bytes == to.element_bytes) ||
          IsApart(in, bytes, to.out, to.bytes()));
}

// Whether an input whose elements are every second one in memory has the
// output's dims, and does not lie on the output.
[[gnu::noinline]] bool IsEverySecond(const lw_tensor& in,
                                     const Element& element, const Target& to) {
  const size_t bytes = (2 * to.elements - 1) * element.bytes;
  return HasDims(in, to.out) && HasMemory(in, bytes, element.alignment) &&
         IsApart(in, bytes, to.out, to.bytes());
}

// Whether an input is a single element that does not lie on the output.
bool IsOneElement(const lw_tensor& in, const Element& element, int32_t max_rank,
                  const Target& to) {
  return in.type == element.type && in.rank <= max_rank &&
         FewElements(in, 1) == 1 &&
         IsSound(in, element.bytes, element.alignment) &&
         IsApart(in, element.bytes, to.out, to.bytes());
}

// The rows of the output over which an input is stretched: the input has one
// element for each row, or is one row for all. No rows if neither is so. If
// both are so, the choice avoids rows of fewer than `short_bytes`.
struct Rows {
  size_t n;
  size_t count;
  bool per_element;
};

Rows RowsUnder(const lw_tensor& in, const Target& to, size_t short_bytes) {
  const lw_tensor& out = to.out;
  if (in.rank < 0 || in.rank > out.rank ||
      (in.dims == nullptr && in.rank != 0)) {
    return {0, 0, false};
  }
  const int32_t missing = out.rank - in.rank;
  const auto dim = [&](int32_t i) {
    return i < missing ? 1 : in.dims[i - missing];
  };
  const auto is_one = [&](int32_t i) { return dim(i) == 1; };
  const auto is_whole = [&](int32_t i) { return dim(i) == out.dims[i]; };
  // Counts the dims within the row, then those outside of the row.
  const auto split = [&](auto inside, auto outside, Rows* rows) {
    int32_t i = out.rank - 1;
    const auto out_dim = [&] { return static_cast<size_t>(out.dims[i]); };
    for (; i >= 0 && inside(i); --i) rows->n *= out_dim();
    for (; i >= 0 && outside(i); --i) rows->count *= out_dim();
    return i < 0;
  };
  Rows each = {1, 1, true};
  const bool is_each = split(is_one, is_whole, &each);
  if (is_each && each.n * to.element_bytes >= short_bytes) return each;
  Rows all = {1, 1, false};
  if (split(is_whole, is_one, &all)) return all;
  return is_each ? each : Rows{0, 0, false};
}

// Input `which` alone does not have the output's dims.
[[gnu::always_inline]] inline bool StretchOne(const Node& node,
                                              const lw_tensor& in, size_t which,
                                              const BoundTypes& bound,
                                              const Target& to, OwnJob* job,
                                              int* pattern, PlainCall* how) {
  const Element element = ElementOf(bound, which);
  const int64_t target = node.engine->target;
  const Rows rows =
      RowsUnder(in, to, ShortRowBytes(node.op.cost, target, false));
  const size_t bytes = (rows.per_element ? rows.count : rows.n) * element.bytes;
  if (bytes == 0 || !IsSound(in, bytes, element.alignment) ||
      !IsApart(in, bytes, to.out, to.bytes())) {
    return false;
  }
  job->n = rows.n;
  if (rows.per_element) *pattern |= 1 << which;
  if (rows.count == 1) return true;  // the node's setup will do
  Setup& setup = job->OwnSetup(node.kernel_inputs);
  setup.rows = rows.count;
  for (size_t k = 0; k < node.kernel_inputs; ++k) {
    const bool is_scalar = (node.base_pattern >> k & 1) != 0;
    setup.in_step[k] =
        is_scalar ? 0
                  : static_cast<ptrdiff_t>(rows.n * ElementOf(bound, k).bytes);
  }
  setup.out_step = static_cast<ptrdiff_t>(rows.n * to.element_bytes);
  setup.in_step[which] =
      rows.per_element ? static_cast<ptrdiff_t>(element.bytes) : 0;
  const size_t widest = std::max(element.bytes, to.element_bytes);
  if (AreShortRows(node.op.cost, target, rows.count, rows.n * widest,
                   !rows.per_element)) {
    *how = PlainCall::kShortRows;
  }
  return true;
}

// Whether each input that does not have the output's dims is one element.
[[gnu::always_inline]] inline bool AreScalars(const Node& node,
                                              const lw_tensor* inputs,
                                              unsigned stretched,
                                              const BoundTypes& bound,
                                              const Target& to) {
  for (size_t k = 0; k < node.kernel_inputs; ++k) {
    if ((stretched >> k & 1) == 0) continue;
    if (!IsOneElement(inputs[k], ElementOf(bound, k), to.out.rank, to)) {
      return false;
    }
  }
  return true;
}

// Inputs that do not lie like the output are bits: kStretched << k if input k
// does not have the output's dims, kSecond << k if the input has the output's
// dims, and its elements are every second one in memory.
constexpr unsigned kStretched = 1;
constexpr unsigned kSecond = kStretched << kPatternInputs;

// The pattern that the kernel must have for such inputs, or -1. Out of line, so
// that calls of one shape stay short.
[[gnu::noinline]] int PatternOf(const Node& node, const lw_tensor* inputs,
                                unsigned unlike, const BoundTypes& bound,
                                const Target& to, OwnJob* job, PlainCall* how) {
  if (unlike >= kSecond) {
    if (unlike % kSecond != 0) return -1;
    Setup& setup = job->OwnSetup(node.kernel_inputs);
    for (size_t k = 0; k < node.kernel_inputs; ++k) {
      setup.in_stride[k] = (unlike & kSecond << k) != 0 ? 2 : 1;
    }
    return kAnyStride;
  }
  const unsigned stretched = unlike;
  int pattern = node.base_pattern;
  const ShapeRule rule = node.form.shape_rule;
  const bool stretches = rule == ShapeRule::kBroadcast ||
                         (rule == ShapeRule::kOneWay && stretched % 2 == 0);
  if (!stretches) return -1;
  if (AreScalars(node, inputs, stretched, bound, to)) {
    return pattern | static_cast<int>(stretched);
  }
  if ((stretched & (stretched - 1)) != 0) return -1;
  const auto which = static_cast<size_t>(std::countr_zero(stretched));
  return StretchOne(node, inputs[which], which, bound, to, job, &pattern, how)
             ? pattern
             : -1;
}

// An input that is always one element, or is left out.
[[gnu::noinline]] bool TakeScalar(const Node& node, const lw_tensor& in,
                                  size_t k, const BoundTypes& bound,
                                  const Target& to, OwnJob* job) {
  const bool absent = node.InputInfo(k).optional && in.type == LW_ABSENT;
  if (!absent && !IsOneElement(in, ElementOf(bound, k), 1, to)) return false;
  job->inputs[k] = absent ? nullptr : in.data;
  return true;
}

PlainCall TakeStrided(const Node& node, const lw_tensor* inputs,
                      const lw_tensor& out, OwnJob* job, KernelFn* kernel);

// Inputs that align at an axis, each of one element for all of the first input.
[[gnu::noinline]] PlainCall TakeAligned(const Node& node,
                                        const lw_tensor* inputs,
                                        const lw_tensor& out, OwnJob* job,
                                        KernelFn* kernel) {
  const lw_tensor& x = inputs[0];
  const BoundTypes* bound =
      node.BindBy([&](size_t k) { return inputs[k].type; });
  if (bound == nullptr || !bound->has_plain_bytes) return PlainCall::kNot;
  const Element element = ElementOf(*bound, 0);
  const Element result = ElementOf(*bound, BoundTypes::kOutput);
  const Target to = {out, FewElements(out, bound->plain_bytes), result.bytes};
  if (out.type != result.type || to.elements == 0 || StepOf(x) != 1 ||
      !IsSound(out, to.bytes(), result.alignment) ||
      !IsLikeOutput(x, element, to) ||
      to.bytes() + to.elements * element.bytes > bound->plain_bytes ||
      !TakeScalar(node, inputs[1], 1, *bound, to, job) ||
      !TakeScalar(node, inputs[2], 2, *bound, to, job)) {
    return PlainCall::kNot;
  }
  Alignment& alignment = job->alignment;
  std::copy_n(bound->types, 3, alignment.types);
  alignment.to = result.type;
  alignment.rank = 1;
  alignment.dims[0] = to.elements;
  alignment.block[0] = 1;
  for (auto& steps : alignment.steps) steps[0] = 0;
  Setup& setup = job->OwnSetup(node.kernel_inputs);
  setup.alignment = &alignment;
  setup.first = 0;
  job->inputs[0] = x.data;
  job->out = out.data;
  job->n = to.elements;
  *kernel = bound->kernels[node.base_pattern];
  return PlainCall::kOneJob;
}

// With kHasStrides false, the first tensor with strides hands the call over to
// TakeStrided, so that this loop calls nothing.
template <bool kHasStrides>
[[gnu::always_inline]] inline PlainCall TakeElementwise(const Node& node,
                                                        const lw_tensor* inputs,
                                                        const lw_tensor& out,
                                                        OwnJob* job,
                                                        KernelFn* kernel) {
  if (!kHasStrides && HWY_UNLIKELY(out.strides != nullptr)) {
    return TakeStrided(node, inputs, out, job, kernel);
  }
  const BoundTypes* bound = node.Bind(inputs[node.binding_input].type);
  if (bound == nullptr || !bound->has_plain_bytes) {
    return node.is_aligned ? TakeAligned(node, inputs, out, job, kernel)
                           : PlainCall::kNot;
  }
  const Element result = ElementOf(*bound, BoundTypes::kOutput);
  if (out.type != result.type) return PlainCall::kNot;
  const Target to = {out, FewElements(out, bound->plain_bytes), result.bytes};
  if (to.elements == 0 || (kHasStrides && StepOf(out) != 1) ||
      !HasMemory(out, to.bytes(), result.alignment)) {
    return PlainCall::kNot;
  }

  size_t total = to.bytes();
  unsigned unlike = 0;
  for (size_t k = 0; k < node.kernel_inputs; ++k) {
    const lw_tensor& in = inputs[k];
    if (HWY_UNLIKELY((node.base_pattern >> k & 1) != 0)) {
      if (!TakeScalar(node, in, k, *bound, to, job)) return PlainCall::kNot;
      continue;
    }
    const Element element = ElementOf(*bound, k);
    // If the input is left out, nothing else of it may be read.
    if (HWY_UNLIKELY(in.type != element.type)) return PlainCall::kNot;
    if (!kHasStrides && HWY_UNLIKELY(in.strides != nullptr)) {
      return TakeStrided(node, inputs, out, job, kernel);
    }
    total += to.elements * element.bytes;
    job->inputs[k] = in.data;
    const size_t step = kHasStrides ? StepOf(in) : 1;
    if (step != 1) {
      if (step == 0 || !IsEverySecond(in, element, to)) return PlainCall::kNot;
      unlike |= kSecond << k;
    } else if (!IsLikeOutput(in, element, to)) {
      unlike |= kStretched << k;
    }
  }
  if (HWY_UNLIKELY(total > bound->plain_bytes)) return PlainCall::kNot;

  job->out = out.data;
  job->n = to.elements;
  int pattern = node.base_pattern;
  if (HWY_UNLIKELY(unlike != 0)) {
    PlainCall how = PlainCall::kOneJob;
    pattern = PatternOf(node, inputs, unlike, *bound, to, job, &how);
    if (pattern < 0) return PlainCall::kNot;
    if (how == PlainCall::kShortRows) return how;
  }
  *kernel = bound->kernels[pattern];
  return *kernel != nullptr ? PlainCall::kOneJob : PlainCall::kNot;
}

// Whether `out` is the shape that `target` asks for, if the number of elements
// is right. The number settles what a -1 stands for.
[[gnu::always_inline]] inline bool IsReshaped(Dims in, Dims target,
                                              bool keeps_zeros, Dims out) {
  if (target.rank != out.rank) return false;
  int inferred = 0;
  for (int32_t i = 0; i < target.rank; ++i) {
    int64_t wanted = target.dims[i];
    if (wanted == -1 && ++inferred == 1) continue;
    if (wanted == 0 && !keeps_zeros && i < in.rank) wanted = in.dims[i];
    if (wanted != out.dims[i]) return false;
  }
  return true;
}

// The target that the last input tells, if the output can have its shape.
[[gnu::always_inline]] inline bool ReadTarget(const lw_tensor& shape,
                                              int32_t rank, Dims* target) {
  if (rank == 0 || shape.type != LW_INT64 || shape.rank != 1 ||
      shape.dims == nullptr || shape.dims[0] != rank ||
      !IsSound(shape, sizeof(int64_t) * static_cast<size_t>(rank),
               alignof(int64_t))) {
    return false;
  }
  *target = {static_cast<const int64_t*>(shape.data), rank};
  return true;
}

lw_status DoNothing(const Setup* /*setup*/, const void* const* /*in*/,
                    void* /*out*/, size_t /*n*/, Zeros* /*zeros*/) noexcept {
  return LW_OK;
}

template <bool kHasStrides>
PlainCall TakeMove(const Node& node, const lw_tensor* inputs,
                   const lw_tensor& out, OwnJob* job, KernelFn* kernel) {
  const lw_tensor& in = inputs[0];
  if (!kHasStrides &&
      HWY_UNLIKELY(in.strides != nullptr || out.strides != nullptr)) {
    return TakeStrided(node, inputs, out, job, kernel);
  }
  const BoundTypes* bound = node.Bind(in.type);
  const TypeInfo* type = FindType(out.type);
  if (bound == nullptr || in.type != out.type || type->bits == 0) {
    return PlainCall::kNot;
  }
  // Packed elements cannot have strides, not even ordinary ones.
  if (kHasStrides && type->bits < 8) return PlainCall::kNot;
  const size_t most = bound->plain_bytes;
  const size_t elements = FewElements(out, most);
  const size_t bytes = BytesFor(elements, type->bits);
  const size_t step = kHasStrides ? StepOf(in) : 1;
  const size_t reach = step == 2 ? 2 * bytes - type->bits / 8 : bytes;
  const std::span<const int64_t> attribute = node.attributes.target_shape();
  Dims target = {attribute.data(), static_cast<int32_t>(attribute.size())};
  const bool in_place = in.data == out.data && step == 1;
  if (elements == 0 || FewElements(in, most) != elements || 2 * bytes > most ||
      step == 0 || !HasMemory(in, reach, type->alignment) ||
      (kHasStrides && StepOf(out) != 1) ||
      !HasMemory(out, bytes, type->alignment) ||
      (!in_place && !IsApart(in, reach, out, bytes)) ||
      (node.kernel_inputs < node.input_count &&
       !ReadTarget(inputs[1], out.rank, &target)) ||
      !IsReshaped(DimsOf(in), target, node.attributes.keeps_zeros(),
                  DimsOf(out))) {
    return PlainCall::kNot;
  }
  job->inputs[0] = in.data;
  job->out = out.data;
  job->n = elements;
  *kernel =
      in_place ? DoNothing : bound->kernels[step == 2 ? kAnyStride : LW_SAME];
  if (*kernel == nullptr) return PlainCall::kNot;
  return PlainCall::kOneJob;
}

[[gnu::noinline]] PlainCall TakeStrided(const Node& node,
                                        const lw_tensor* inputs,
                                        const lw_tensor& out, OwnJob* job,
                                        KernelFn* kernel) {
  return node.op.moves_only
             ? TakeMove<true>(node, inputs, out, job, kernel)
             : TakeElementwise<true>(node, inputs, out, job, kernel);
}

}  // namespace

PlainCall TakePlainCall(const Node& node, const lw_tensor* inputs,
                        const lw_tensor& output, OwnJob* job,
                        KernelFn* kernel) {
  return node.op.moves_only
             ? TakeMove<false>(node, inputs, output, job, kernel)
             : TakeElementwise<false>(node, inputs, output, job, kernel);
}

}  // namespace lanewise
