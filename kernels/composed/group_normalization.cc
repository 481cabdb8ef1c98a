// SPDX-License-Identifier: Apache-2.0
//
// GroupNormalization: y = (x - mean) / sqrt(variance + epsilon) * scale + bias,
// over groups of channels (dim 1) and the dims behind
//
// Versions 18 (float16, float32, float64, bfloat16; scale and bias for each
// group), 21 (for each channel). Computes in float64 where X or stash_type are
// that, else in float32. The mean of a group has an element for each channel.

#include "kernels/composed/composed.h"

namespace lanewise::op_group_normalization {
namespace {

constexpr int kVersions[] = {18, 21};
constexpr OperandInfo kInputs[] = {{"X"}, {"scale"}, {"bias"}};
constexpr AttributeInfo kAttributes[] = {
    kEpsilon,
    {"num_groups", LW_ATTRIBUTE_INT, Meaning::kParameter, true},
    kStashType};
constexpr Form kForms[] = {
    {18, kInputs, ShapeRule::kOneWay, std::span(kAttributes).first(2)},
    {21, kInputs, ShapeRule::kOneWay, kAttributes}};

const char* Refuses(const AttributeValues& attributes) {
  if (*attributes.Int("num_groups") <= 0) {
    return "attribute \"num_groups\" is not above 0";
  }
  return RefusesStashType(attributes);
}

void Write(Recipe& r) {
  const bool of_groups = r.version() < 21;
  const int64_t groups = r.Int("num_groups");
  const int32_t type = of_groups ? LW_FLOAT32 : StashType(r);
  const Recipe::Value x = r.Wide(r.Input(0), type);
  const Normalized of(r, x, {{}, false, groups});
  const Recipe::Value channels =
      of_groups ? r.Equal(of.mean, of.mean) : Recipe::Value();
  const auto input = [&](size_t k) {
    const Recipe::Value given = r.Wide(r.Input(k), x.type);
    return of_groups ? r.OfGroups(channels, given, k, groups) : given;
  };
  const auto rule = [&](size_t k) {
    return of_groups ? StepRule() : r.OfChannels(k);
  };
  const Recipe::Value scaled = r.Mul(of.value, input(1), rule(1));
  r.Rounded(0, r.Add(scaled, input(2), rule(2)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "GroupNormalization",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<18>>,
    .refuses = Refuses,
    .recipe = Write,
};

}  // namespace lanewise::op_group_normalization
