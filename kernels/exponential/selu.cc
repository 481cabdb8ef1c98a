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

#ifndef LANEWISE_KERNELS_SELU_DEFAULTS_  // once for all targets
#define LANEWISE_KERNELS_SELU_DEFAULTS_
namespace lanewise {
struct UsualSelu {
  static constexpr float kAlpha = 1.67326319217681884765625f;
  static constexpr float kGamma = 1.05070102214813232421875f;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_SELU_DEFAULTS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_selu {
namespace {

using ExactSelu = ExactEluOf<kHardSelu, UsualSelu>;

TargetKernels Kernels() {
  return {
      HWY_TARGET,
      kEluKernels<TightElu, FastElu, EluOf<double, true>, ExactSelu, 1, 1, 22>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_selu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_selu {
namespace {

constexpr int kVersions[] = {1, 6, 22};
constexpr AttributeInfo kOldAttributes[] = {
    {"alpha", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 1.6732f},
    {"gamma", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 1.0507f},
    kConsumedInputs};
constexpr AttributeInfo kAttributes[] = {
    {"alpha", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false,
     UsualSelu::kAlpha},
    {"gamma", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false,
     UsualSelu::kGamma}};
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
          KeepElu(alpha, gamma,
                  alpha == UsualSelu::kAlpha && gamma == UsualSelu::kGamma,
                  params);
        },
    .proven =
        [](const AttributeValues& attributes) {
          return *attributes.Float("alpha") == UsualSelu::kAlpha &&
                 *attributes.Float("gamma") == UsualSelu::kGamma;
        },
};

}  // namespace lanewise::op_selu
#endif  // HWY_ONCE
