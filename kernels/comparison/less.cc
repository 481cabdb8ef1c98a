// SPDX-License-Identifier: Apache-2.0
//
// Less: y = a < b, as a bool
//
// Versions 1, 7 (float16, float32, float64), 9 (+ all eight integers),
// 13 (+ bfloat16).
// Exact. Comparisons with a NaN are false; -0 and +0 are equal.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/comparison/less.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/comparison/compare-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_less {
namespace {

struct IsLess {
  template <class V>
  static HWY_INLINE auto Of(V a, V b) {
    return hn::Lt(a, b);
  }
};
TargetKernels Kernels() {
  return {HWY_TARGET, kOrderKernels<IsLess, 1, 9, 13>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_less
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_less {
namespace {

constexpr int kVersions[] = {1, 7, 9, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Less",
    .versions = kVersions,
    .forms = kComparisonForms,
    .output = kBoolOutputC,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_less),
    .exact = true,
};

}  // namespace lanewise::op_less
#endif  // HWY_ONCE
