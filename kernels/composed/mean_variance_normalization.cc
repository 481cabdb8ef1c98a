// SPDX-License-Identifier: Apache-2.0
//
// MeanVarianceNormalization: y = (x - mean) / (sqrt(variance) + 1e-9), over
// `axes`
//
// Versions 9 (float16, float32, float64), 13 (+ bfloat16). 16-bit floats are
// computed in float32.

#include "kernels/composed/composed.h"

namespace lanewise::op_mean_variance_normalization {
namespace {

constexpr int kVersions[] = {9, 13};
constexpr AttributeInfo kAttributes[] = {{"axes", LW_ATTRIBUTE_INTS}};
constexpr Form kForms[] = {{9, kInputX, ShapeRule::kSame, kAttributes}};
constexpr int64_t kAllButChannels[] = {0, 2, 3};

void Write(Recipe& r) {
  Recipe::Axes axes = {r.attributes().Ints("axes")};
  if (axes.some.empty()) axes.some = kAllButChannels;
  const Recipe::Value x = r.Wide(r.Input(0));
  const Recipe::Value d = r.Sub(x, r.ReduceMean(x, axes));
  const Recipe::Value deviation = r.Sqrt(r.ReduceMean(r.Mul(d, d), axes));
  const Recipe::Value epsilon = r.Constant(1e-9, x.type);
  r.Rounded(0, r.Div(d, r.Add(deviation, epsilon)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "MeanVarianceNormalization",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<9, 13>>,
    .recipe = Write,
};

}  // namespace lanewise::op_mean_variance_normalization
