// SPDX-License-Identifier: Apache-2.0
//
// Acos: y = acos(x), from 0 to pi
//
// Versions 7 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16. NaN -> NaN, beyond 1 -> NaN; 1 -> +0. How: inverse-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/trigonometry/acos.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/trigonometry/inverse-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_acos {
namespace {

TargetKernels Kernels() {
  return {HWY_TARGET,
          inverse::kKernelsOf<inverse::ArcSine<true>,
                              inverse::FastArcSine<true>, kHardAcos>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_acos
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_acos {
namespace {

constexpr int kVersions[] = {7, 22};
constexpr Form kForms[] = {{7, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Acos",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_acos),
};

}  // namespace lanewise::op_acos
#endif  // HWY_ONCE
