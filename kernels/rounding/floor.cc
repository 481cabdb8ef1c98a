// SPDX-License-Identifier: Apache-2.0
//
// Floor: the largest whole number that is not above x
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// Exact. Zeros keep their sign; NaN and infinities
// pass, a NaN as a quiet one. The caller's rounding mode does not count.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rounding/floor.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/rounding/rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_floor {
namespace {

struct Down {
  template <class V>
  static HWY_INLINE V Of(V x) {
    return hn::Floor(x);
  }
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> GrowsMagnitude(D /*d*/, V x, V magnitude,
                                               V whole) {
    return hn::And(hn::IsNegative(x), hn::Lt(whole, magnitude));
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kRoundingKernels<Down, 1, 13>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_floor
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_floor {
namespace {

constexpr int kVersions[] = {1, 6, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Floor",
    .versions = kVersions,
    .forms = kUnaryFormsX,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_floor),
    .exact = true,
};

}  // namespace lanewise::op_floor
#endif  // HWY_ONCE
