// SPDX-License-Identifier: Apache-2.0
//
// Atanh: y = atanh(x)
//
// Versions 9 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly
// rounded in float16 and bfloat16. NaN -> NaN, beyond +-1 -> NaN, +-1 -> +-inf;
// -0.0 and subnormal numbers are kept.
// How: area-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/atanh.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/area-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_atanh {
namespace {

TargetKernels Kernels() {
  return {HWY_TARGET,
          hyperbolic::kKernelsOf<area::Atanh, area::FastAtanh<float>,
                                 area::FastAtanh<double>, kHardAtanh>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_atanh
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_atanh {
namespace {

constexpr int kVersions[] = {9, 22};
constexpr Form kForms[] = {{9, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Atanh",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_atanh),
};

}  // namespace lanewise::op_atanh
#endif  // HWY_ONCE
