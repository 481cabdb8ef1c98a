// SPDX-License-Identifier: Apache-2.0
//
// Ceil: the smallest whole number that is not below x
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// Exact. Zeros keep their sign, and Ceil(-0.5) is -0.0; NaN and infinities
// pass, a NaN as a quiet one. The caller's rounding mode does not count.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rounding/ceil.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/rounding/rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_ceil {
namespace {

struct Up {
  template <class V>
  static HWY_INLINE V Of(V x) {
    return hn::Ceil(x);
  }
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> GrowsMagnitude(D /*d*/, V x, V magnitude,
                                               V whole) {
    return hn::AndNot(hn::IsNegative(x), hn::Lt(whole, magnitude));
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kRoundingKernels<Up, 1, 13>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_ceil
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_ceil {
namespace {

constexpr int kVersions[] = {1, 6, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Ceil",
    .versions = kVersions,
    .forms = kUnaryFormsX,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_ceil),
    .exact = true,
};

}  // namespace lanewise::op_ceil
#endif  // HWY_ONCE
