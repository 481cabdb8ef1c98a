// SPDX-License-Identifier: Apache-2.0
//
// LayerNormalization: y = (x - mean) / sqrt(variance + epsilon) * Scale + B,
// over the dims from `axis` on
//
// Version 17 (float16, float32, float64, bfloat16). Computes in float64 for
// float64, else in float32; the outputs Mean and InvStdDev, of the type that
// stash_type tells, are rounded once.

#include "kernels/composed/composed.h"

namespace lanewise::op_layer_normalization {
namespace {

constexpr int kVersions[] = {17};
constexpr OperandInfo kInputs[] = {
    {"X"}, {"Scale"}, {"B", Role::kElements, true}};
constexpr OperandInfo kMoreOutputs[] = {
    {"Mean", Role::kElements, true, "U", LW_ABSENT, true},
    {"InvStdDev", Role::kElements, true, "U", LW_ABSENT, true}};
constexpr ListedType kOutputTypes[] = {{LW_FLOAT32, 17}, {LW_BFLOAT16, 17}};
constexpr AttributeInfo kAttributes[] = {
    {"axis", LW_ATTRIBUTE_INT, Meaning::kParameter, false, -1},
    kEpsilon,
    {"stash_type", LW_ATTRIBUTE_INT, Meaning::kOutputType, false, 1}};
constexpr Form kForms[] = {{17, kInputs, ShapeRule::kOneWay, kAttributes}};

const char* Refuses(const AttributeValues& attributes) {
  const int64_t type = *attributes.Int("stash_type");
  return type == LW_FLOAT32 || type == LW_BFLOAT16
             ? nullptr
             : "attribute \"stash_type\" is neither float32 nor bfloat16";
}

void Write(Recipe& r) {
  const int64_t axis = r.Int("axis");
  const Recipe::Value x = r.Wide(r.Input(0));
  const Normalized of(r, x, From(axis));
  Recipe::Value y = r.Mul(of.value, r.Wide(r.Input(1)), r.Stretches(1));
  const Recipe::Value shift = r.Input(2);
  if (shift.is_there()) y = r.Add(y, r.Wide(shift), r.Stretches(2));
  r.Rounded(0, y);
  if (r.Wants(1)) r.Rounded(1, of.mean);
  if (r.Wants(2)) r.Rounded(2, of.inverse);
}

}  // namespace

extern const Operator kOperator = {
    .name = "LayerNormalization",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<17>>,
    .outputs = kOutputTypes,
    .refuses = Refuses,
    .recipe = Write,
    .more_outputs = kMoreOutputs,
};

}  // namespace lanewise::op_layer_normalization
