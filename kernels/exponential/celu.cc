// SPDX-License-Identifier: Apache-2.0
//
// Celu: y = x < 0 ? alpha * (e^(x / alpha) - 1) : x
//
// Versions 12 (float32), 28 (float16, float32, float64, bfloat16). The
// attribute alpha (default 1) is rounded to the element type first; 0 is
// refused. Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16. NaN and -0.0 pass through.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/celu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/elu-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_celu {
namespace {

TargetKernels Kernels() {
  return {HWY_TARGET,
          kEluKernels<CeluOf, FastCelu, CeluOf<double>, ExactElu, 12, 28, 28>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_celu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_celu {
namespace {

constexpr int kVersions[] = {12, 28};
constexpr AttributeInfo kAlpha = {"alpha", LW_ATTRIBUTE_FLOAT,
                                  Meaning::kParameter, false, 1.0};
constexpr AttributeInfo kAttributes[] = {kAlpha};
constexpr Form kForms[] = {{12, kInputX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "Celu",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_celu),
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          const float alpha = *attributes.Float("alpha");
          KeepElu(alpha, 1, alpha == 1, params);
        },
    .refuses = [](const AttributeValues& attributes) -> const char* {
      return *attributes.Float("alpha") == 0 ? "alpha is 0" : nullptr;
    },
    .proven =
        [](const AttributeValues& attributes) {
          return *attributes.Float("alpha") == 1;
        },
};

}  // namespace lanewise::op_celu
#endif  // HWY_ONCE
