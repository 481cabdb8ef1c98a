// SPDX-License-Identifier: Apache-2.0
//
// GroupNormalization: y = (x - mean) / sqrt(variance + epsilon) * scale + bias,
// over groups of channels (dim 1) and the dims behind
//
// Versions 18 (float16, float32, float64, bfloat16; scale and bias for each
// group), 21 (for each channel). Computes in float64 where X or stash_type are
// that, else in float32. The runtime hands over X with dim 1 as two dims:
// groups, and channels of a group.

#include "kernels/composed/composed.h"

namespace lanewise::op_group_normalization {
namespace {

constexpr int kVersions[] = {18, 21};
constexpr OperandInfo kOfGroups[] = {{"X"}, {"scale"}, {"bias"}};
constexpr OperandInfo kOfChannels[] = {
    {"X"}, {"scale", Role::kChannels}, {"bias", Role::kChannels}};
constexpr AttributeInfo kAttributes[] = {
    kEpsilon,
    {"num_groups", LW_ATTRIBUTE_INT, Meaning::kGroups, true},
    kStashType};
constexpr Form kForms[] = {
    {18, kOfGroups, ShapeRule::kOneWay, std::span(kAttributes).first(2)},
    {21, kOfChannels, ShapeRule::kOneWay, kAttributes}};

const char* Refuses(const AttributeValues& attributes) {
  if (*attributes.Int("num_groups") <= 0) {
    return "attribute \"num_groups\" is not above 0";
  }
  return RefusesStashType(attributes);
}

void Write(Recipe& r) {
  const int64_t dims = r.version() < 21 ? 1 : 2;
  const int32_t type = dims == 1 ? LW_FLOAT32 : StashType(r);
  const Recipe::Value x = r.Wide(r.Input(0), type);
  const Normalized of(r, x, From(kSpatialDims));
  const auto input = [&](size_t k) { return r.Wide(r.Input(k), x.type); };
  const Recipe::Value scaled = r.Mul(of.value, input(1), r.OfChannels(1, dims));
  r.Rounded(0, r.Add(scaled, input(2), r.OfChannels(2, dims)));
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
