// SPDX-License-Identifier: Apache-2.0
//
// InstanceNormalization: y = (x - mean) / sqrt(variance + epsilon) * scale + B,
// over the dims from the third one on
//
// Versions 1, 6 (float16, float32, float64), 22 (+ bfloat16). 16-bit floats are
// computed in float32.

#include "kernels/composed/composed.h"

namespace lanewise::op_instance_normalization {
namespace {

constexpr int kVersions[] = {1, 6, 22};
constexpr OperandInfo kInputs[] = {{"input"}, {"scale"}, {"B"}};
constexpr AttributeInfo kAttributes[] = {kEpsilon, kConsumedInputs};
constexpr Form kForms[] = {
    {1, kInputs, ShapeRule::kOneWay, kAttributes},
    {6, kInputs, ShapeRule::kOneWay, std::span(kAttributes).first(1)}};

void Write(Recipe& r) {
  const Normalized of(r, r.Wide(r.Input(0)), From(kSpatialDims));
  const Recipe::Value scaled =
      r.Mul(of.value, r.Wide(r.Input(1)), r.OfChannels(1));
  r.Rounded(0, r.Add(scaled, r.Wide(r.Input(2)), r.OfChannels(2)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "InstanceNormalization",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<1, 22>>,
    .recipe = Write,
};

}  // namespace lanewise::op_instance_normalization
