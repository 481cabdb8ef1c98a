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
namespace lanewise::HWY_NAMESPACE::op_greater {
namespace {

struct IsGreater {
  template <class V>
  static HWY_INLINE auto Of(V a, V b) {
    return hn::Gt(a, b);
  }
};
TargetKernels Kernels() {
  return {HWY_TARGET, kOrderKernels<IsGreater, 1, 9, 13>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_greater
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_greater {
namespace {

constexpr int kVersions[] = {1, 7, 9, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Greater",
    .versions = kVersions,
    .forms = kComparisonForms,
    .output = kBoolOutputC,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_greater),
    .exact = true,
};

}  // namespace lanewise::op_greater
#endif  // HWY_ONCE
