// SPDX-License-Identifier: Apache-2.0
//
// Selu: y = gamma * (x < 0 ? alpha * (e^x - 1) : x)
//
// Versions 1, 6 (float16, float32, float64), 22 (+ bfloat16). The attributes
// alpha (default 1.67326319217681884765625, in version 1 1.6732) and gamma
// (1.05070102214813232421875, in version 1 1.0507) are rounded to the element
// type first. Below 1 ULP in float32 and
// float64, correctly rounded in float16 and bfloat16. NaN and -0.0 pass
// through.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/selu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/elu-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_selu {
namespace {

TargetKernels Kernels() {
  return {HWY_TARGET, kEluKernels<EluOf<float>, FastElu, EluOf<double>,
                                  EluOf<double, true>, 1, 1, 22>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_selu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_selu {
namespace {

constexpr int kVersions[] = {1, 6, 22};
constexpr float kUsualAlpha = 1.67326319217681884765625f;
constexpr float kUsualGamma = 1.05070102214813232421875f;
constexpr AttributeInfo kOldAttributes[] = {
    {"alpha", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 1.6732f},
    {"gamma", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 1.0507f},
    kConsumedInputs};
constexpr AttributeInfo kAttributes[] = {
    {"alpha", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, kUsualAlpha},
    {"gamma", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, kUsualGamma}};
constexpr Form kForms[] = {{1, kInputX, ShapeRule::kSame, kOldAttributes},
                           {6, kInputX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "Selu",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_selu),
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          const float alpha = *attributes.Float("alpha");
          const float gamma = *attributes.Float("gamma");
          KeepElu(alpha, gamma, alpha == kUsualAlpha && gamma == kUsualGamma,
                  params);
        },
};

}  // namespace lanewise::op_selu
#endif  // HWY_ONCE
