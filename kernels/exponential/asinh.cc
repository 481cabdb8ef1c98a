// SPDX-License-Identifier: Apache-2.0
//
// Asinh: y = asinh(x)
//
// Versions 9 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly
// rounded in float16 and bfloat16. NaN -> NaN, +-inf stays; -0.0 and subnormal
// numbers are kept.
// How: area-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/asinh.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/area-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_asinh {
namespace {

TargetKernels Kernels() {
  return {HWY_TARGET,
          hyperbolic::kKernelsOf<area::OfRoot<false>,
                                 area::FastOfRoot<false, float>,
                                 area::FastOfRoot<false, double>, kHardAsinh>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_asinh
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_asinh {
namespace {

constexpr int kVersions[] = {9, 22};
constexpr Form kForms[] = {{9, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Asinh",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_asinh),
};

}  // namespace lanewise::op_asinh
#endif  // HWY_ONCE
