// SPDX-License-Identifier: Apache-2.0
//
// RMSNormalization: y = x / sqrt(mean of x^2 + epsilon) * scale, over the dims
// from `axis` on
//
// Version 23 (float16, float32, float64, bfloat16; scale may have another of
// these types, which is that of Y). Computes in float64 where X or stash_type
// are that, else in float32.

#include "kernels/composed/composed.h"

namespace lanewise::op_rms_normalization {
namespace {

constexpr int kVersions[] = {23};
constexpr OperandInfo kInputs[] = {{"X"},
                                   {"scale", Role::kElements, false, "V"}};
constexpr AttributeInfo kAttributes[] = {
    {"axis", LW_ATTRIBUTE_INT, Meaning::kParameter, false, -1},
    kEpsilon,
    kStashType};
constexpr Form kForms[] = {{23, kInputs, ShapeRule::kOneWay, kAttributes}};

void Write(Recipe& r) {
  const int64_t axis = r.Int("axis");
  const Recipe::Value x = r.Wide(r.Input(0), StashType(r));
  const Recipe::Value mean = r.ReduceMean(r.Mul(x, x), From(axis));
  const Recipe::Value epsilon = r.Constant(r.Float("epsilon"), x.type);
  const Recipe::Value inverse = r.Reciprocal(r.Sqrt(r.Add(mean, epsilon)));
  const Recipe::Value normalized = r.Mul(x, inverse);
  const Recipe::Value scale = r.Input(1);
  r.Rounded(0, r.Mul(r.Wide(normalized, scale.type), r.Wide(scale, x.type),
                     r.Stretches(1)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "RMSNormalization",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y", Role::kElements, false, "V"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<23>>,
    .refuses = RefusesStashType,
    .recipe = Write,
};

}  // namespace lanewise::op_rms_normalization
