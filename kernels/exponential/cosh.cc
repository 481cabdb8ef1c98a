// SPDX-License-Identifier: Apache-2.0
//
// Cosh: y = cosh(x)
//
// Versions 9 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly
// rounded in float16 and bfloat16. NaN -> NaN, +-inf -> +inf. Infinite only
// where the exact result, rounded, is. How: hyperbolic-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/cosh.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/hyperbolic-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_cosh {
namespace {

TargetKernels Kernels() {
  return {HWY_TARGET,
          hyperbolic::kKernelsOf<
              hyperbolic::SinhCosh<true>, hyperbolic::FastSinhCosh<true, float>,
              hyperbolic::FastSinhCosh<true, double>, kHardCosh>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_cosh
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_cosh {
namespace {

constexpr int kVersions[] = {9, 22};
constexpr Form kForms[] = {{9, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Cosh",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_cosh),
};

}  // namespace lanewise::op_cosh
#endif  // HWY_ONCE
