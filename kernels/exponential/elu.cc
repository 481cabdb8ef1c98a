// SPDX-License-Identifier: Apache-2.0
//
// Elu: y = x < 0 ? alpha * (e^x - 1) : x
//
// Versions 1, 6 (float16, float32, float64), 22 (+ bfloat16). The attribute
// alpha (default 1) is rounded to the element type first. Below 1 ULP in
// float32 and float64, correctly rounded in float16 and bfloat16. NaN and -0.0
// pass through.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/elu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/elu-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_elu {
namespace {

TargetKernels Kernels() {
  return {
      HWY_TARGET,
      kEluKernels<TightElu, FastElu, EluOf<double, true>, ExactElu, 1, 1, 22>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_elu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_elu {
namespace {

constexpr int kVersions[] = {1, 6, 22};
constexpr AttributeInfo kAlpha = {"alpha", LW_ATTRIBUTE_FLOAT,
                                  Meaning::kParameter, false, 1.0};
constexpr AttributeInfo kOldAttributes[] = {kAlpha, kConsumedInputs};
constexpr AttributeInfo kAttributes[] = {kAlpha};
constexpr Form kForms[] = {{1, kInputX, ShapeRule::kSame, kOldAttributes},
                           {6, kInputX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "Elu",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_elu),
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          const float alpha = *attributes.Float("alpha");
          KeepElu(alpha, 1, alpha == 1, params);
        },
    .proven =
        [](const AttributeValues& attributes) {
          return *attributes.Float("alpha") == 1;
        },
};

}  // namespace lanewise::op_elu
#endif  // HWY_ONCE
