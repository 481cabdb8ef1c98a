// SPDX-License-Identifier: Apache-2.0
//
// Cos: y = cos(x)
//
// Versions 7 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64 for arguments of any size, correctly
// rounded in float16 and bfloat16. NaN -> NaN, +-inf -> NaN.
// How: trigonometry-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/trigonometry/cos.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/trigonometry/trigonometry-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_cos {
namespace {

TargetKernels Kernels() {
  return {HWY_TARGET,
          trigonometry::kKernelsOf<trigonometry::Sine<true>, kHardCos>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_cos
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_cos {
namespace {

constexpr int kVersions[] = {7, 22};
constexpr Form kForms[] = {{7, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Cos",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_cos),
};

}  // namespace lanewise::op_cos
#endif  // HWY_ONCE
