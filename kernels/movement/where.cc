// SPDX-License-Identifier: Apache-2.0
//
// Where: y = condition ? x : y
//
// Versions 9 (float16, float32, float64, all integers, bool, complex64,
// complex128, string), 16 (+ bfloat16).
// Elements keep their bits, so only the size of a type matters.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/movement/where.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_where {
namespace {

template <typename TLane>
struct Select {
  using T = TLane;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  using OnBytes = Select<uint8_t>;

  template <class D, class VC, class V>
  HWY_INLINE V operator()(D d, VC condition, V x, V y) const {
    if constexpr (sizeof(T) == 1) {
      return hn::IfThenElse(hn::Ne(condition, hn::Zero(d)), x, y);
    } else {
      return hn::IfThenElse(hn::Ne(hn::PromoteTo(d, condition), hn::Zero(d)), x,
                            y);
    }
  }
};

template <typename T, int kPattern>
constexpr KernelFn Choose = OfInputs<Select<T>, kPattern, uint8_t, T, T>;

/// One condition for each row: copies the row of x or y.
template <size_t kBytes>
HWY_INLINE void ChooseRows(const Job& job) {
  for (size_t row = 0; row < job.setup->rows; ++row) {
    const bool first = *InRow<uint8_t>(job, 0, row) != 0;
    const int k = first ? 1 : 2;
    std::memmove(OutRow<char>(job, row), InRow<char>(job, k, row),
                 job.n * kBytes);
  }
}

/// Calls choose(out, x or y) for each element of `bytes`.
template <class Fn>
HWY_INLINE void ForEachChoice(const Job& job, size_t bytes, const Fn& choose) {
  for (size_t row = 0; row < job.setup->rows; ++row) {
    const auto* condition = InRow<uint8_t>(job, 0, row);
    const char* x = InRow<char>(job, 1, row);
    const char* y = InRow<char>(job, 2, row);
    char* out = OutRow<char>(job, row);
    for (size_t i = 0; i < job.n; ++i) {
      choose(out + i * bytes, (condition[i] != 0 ? x : y) + i * bytes);
    }
  }
}

/// Elements that cannot be loaded as lanes: wider than any lane, or complex64,
/// whose address need not be a multiple of its size.
template <size_t kBytes>
HWY_INLINE void ChooseBytes(const Job& job) {
  ForEachChoice(job, kBytes, [](char* out, const char* chosen) HWY_ATTR {
    char element[kBytes];
    std::memcpy(element, chosen, kBytes);
    std::memcpy(out, element, kBytes);
  });
}

HWY_INLINE void ChooseStrings(const Job& job) {
  const lw_string_type& strings = *job.setup->strings;
  if (strings.copy == nullptr) return ChooseBytes<16>(job);
  ForEachChoice(job, strings.element_size,
                [&](char* out, const char* chosen) HWY_ATTR {
                  if (out == chosen) return;
                  strings.copy(strings.context, out, chosen, 1);
                });
}

template <typename T>
constexpr PatternKernel kChoose[] = {
    {LW_SAME, Choose<T, LW_SAME>},
    {LW_SCALAR_A, Kernel<ChooseRows<sizeof(T)>>},
    {LW_SCALAR_B, Choose<T, LW_SCALAR_B>},
    {LW_SCALAR_C, Choose<T, LW_SCALAR_C>},
    {LW_SCALAR_B | LW_SCALAR_C, Choose<T, LW_SCALAR_B | LW_SCALAR_C>},
    Strided<kAllReadStrided>([](auto any) { return Choose<T, any>; })};
template <size_t kBytes>
constexpr PatternKernel kChooseBytes[] = {
    {LW_SAME, Kernel<ChooseBytes<kBytes>>},
    {LW_SCALAR_A, Kernel<ChooseRows<kBytes>>}};

constexpr KernelEntry kKernels[] = {
    {9, LW_FLOAT16, kChoose<uint16_t>},
    {9, LW_FLOAT32, kChoose<uint32_t>},
    {9, LW_FLOAT64, kChoose<uint64_t>},
    {9, LW_INT8, kChoose<uint8_t>},
    {9, LW_INT16, kChoose<uint16_t>},
    {9, LW_INT32, kChoose<uint32_t>},
    {9, LW_INT64, kChoose<uint64_t>},
    {9, LW_UINT8, kChoose<uint8_t>},
    {9, LW_UINT16, kChoose<uint16_t>},
    {9, LW_UINT32, kChoose<uint32_t>},
    {9, LW_UINT64, kChoose<uint64_t>},
    {9, LW_BOOL, kChoose<uint8_t>},
    {9, LW_COMPLEX64, kChooseBytes<8>},
    {9, LW_COMPLEX128, kChooseBytes<16>},
    {9, LW_STRING, kOnlySame<Kernel<ChooseStrings>>},
    {16, LW_BFLOAT16, kChoose<uint16_t>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_where
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_where {
namespace {

constexpr int kVersions[] = {9, 16};
constexpr OperandInfo kInputs[] = {
    {"condition", Role::kElements, false, "B", LW_BOOL}, {"X"}, {"Y"}};
constexpr Form kForms[] = {{9, kInputs, ShapeRule::kBroadcast}};

}  // namespace

extern const Operator kOperator = {
    .name = "Where",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_where),
    .exact = true,
};

}  // namespace lanewise::op_where
#endif  // HWY_ONCE
