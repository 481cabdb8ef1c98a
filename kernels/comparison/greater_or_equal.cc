// SPDX-License-Identifier: Apache-2.0
//
// GreaterOrEqual: y = a >= b, as a bool
//
// Versions 12 (float16, float32, float64, all eight integers), 16 (+ bfloat16).
// Exact. Comparisons with a NaN are false; -0 and +0 are equal.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/comparison/greater_or_equal.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/comparison/compare-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_greater_or_equal {
namespace {

struct IsGreaterOrEqual {
  template <class V>
  static HWY_INLINE auto Of(V a, V b) {
    return hn::Ge(a, b);
  }
};
TargetKernels Kernels() {
  return {HWY_TARGET, kOrderKernels<IsGreaterOrEqual, 12, 12, 16>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_greater_or_equal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_greater_or_equal {
namespace {

constexpr int kVersions[] = {12, 16};

}  // namespace

extern const Operator kOperator = {
    .name = "GreaterOrEqual",
    .versions = kVersions,
    .forms = kComparisonForms,
    .output = kBoolOutputC,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_greater_or_equal),
    .exact = true,
};

}  // namespace lanewise::op_greater_or_equal
#endif  // HWY_ONCE
