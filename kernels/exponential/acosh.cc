// SPDX-License-Identifier: Apache-2.0
//
// Acosh: y = acosh(x)
//
// Versions 9 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly
// rounded in float16 and bfloat16. NaN -> NaN, below 1 -> NaN, +inf -> +inf,
// 1 -> +0.
// How: area-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/acosh.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/area-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_acosh {
namespace {

TargetKernels Kernels() {
  return {
      HWY_TARGET,
      hyperbolic::kKernelsOf<area::OfRoot<true>, area::FastOfRoot<true, float>,
                             area::FastOfRoot<true, double>, kHardAcosh>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_acosh
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_acosh {
namespace {

constexpr int kVersions[] = {9, 22};
constexpr Form kForms[] = {{9, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Acosh",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_acosh),
};

}  // namespace lanewise::op_acosh
#endif  // HWY_ONCE
