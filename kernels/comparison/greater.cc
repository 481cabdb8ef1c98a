// SPDX-License-Identifier: Apache-2.0
//
// Greater: y = a > b, as a bool
//
// Versions 1, 7 (float16, float32, float64), 9 (+ all eight integers),
// 13 (+ bfloat16).
// Exact. Comparisons with a NaN are false; -0 and +0 are equal.

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/comparison/greater.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/comparison/compare-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {

template <typename TLane>
struct IsGreater {
  using T = TLane;

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D /*d*/, V a, V b) const {
    return hn::Gt(a, b);
  }
};

template <int16_t kInfinity>
struct IsGreater16 {
  using T = int16_t;

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D d, V a, V b) const {
    return hn::And(hn::Gt(OrderOf16(d, a), OrderOf16(d, b)),
                   AreNumbers16<kInfinity>(d, a, b));
  }
};

template <typename T>
constexpr auto& kGreater = kComparePatterns<IsGreater<T>>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kComparePatterns<IsGreater16<0x7C00>>},
    {1, LW_FLOAT32, kGreater<float>},
    {1, LW_FLOAT64, kGreater<double>},
    {9, LW_INT8, kGreater<int8_t>},
    {9, LW_INT16, kGreater<int16_t>},
    {9, LW_INT32, kGreater<int32_t>},
    {9, LW_INT64, kGreater<int64_t>},
    {9, LW_UINT8, kGreater<uint8_t>},
    {9, LW_UINT16, kGreater<uint16_t>},
    {9, LW_UINT32, kGreater<uint32_t>},
    {9, LW_UINT64, kGreater<uint64_t>},
    {13, LW_BFLOAT16, kComparePatterns<IsGreater16<0x7F80>>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Kernels);
constexpr int kVersions[] = {1, 7, 9, 13};

}  // namespace

extern const Operator kOperator_greater = {
    .name = "Greater",
    .versions = kVersions,
    .forms = kComparisonForms,
    .output = kBoolOutputC,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS,
    .exact = true,
};

}  // namespace lanewise
#endif  // HWY_ONCE
