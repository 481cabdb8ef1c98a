// SPDX-License-Identifier: Apache-2.0
//
// Asin: y = asin(x), from -pi/2 to pi/2
//
// Versions 7 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16. NaN -> NaN, beyond 1 -> NaN; -0.0 stays. How: inverse-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/trigonometry/asin.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/trigonometry/inverse-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_asin {
namespace {

TargetKernels Kernels() {
  return {HWY_TARGET,
          inverse::kKernelsOf<inverse::ArcSine<false>,
                              inverse::FastArcSine<false>, kHardAsin>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_asin
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_asin {
namespace {

constexpr int kVersions[] = {7, 22};
constexpr Form kForms[] = {{7, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Asin",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_asin),
};

}  // namespace lanewise::op_asin
#endif  // HWY_ONCE
