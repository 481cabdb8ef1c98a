// SPDX-License-Identifier: Apache-2.0
//
// LpNormalization: y = x / the norm along `axis`; 0 where the norm is 0
//
// Versions 1 (float16, float32, float64), 22 (+ bfloat16). 16-bit floats are
// computed in float32.

#include "kernels/composed/composed.h"

namespace lanewise::op_lp_normalization {
namespace {

constexpr int kVersions[] = {1, 22};
constexpr AttributeInfo kAttributes[] = {
    {"axis", LW_ATTRIBUTE_INT, Meaning::kParameter, false, -1},
    {"p", LW_ATTRIBUTE_INT, Meaning::kParameter, false, 2}};
constexpr Form kForms[] = {{1, kInputLowercase, ShapeRule::kSame, kAttributes}};

const char* Refuses(const AttributeValues& attributes) {
  const int64_t p = *attributes.Int("p");
  return p == 1 || p == 2 ? nullptr : "attribute \"p\" is neither 1 nor 2";
}

void Write(Recipe& r) {
  const int64_t axis = r.Int("axis");
  const Recipe::Axes axes = {{&axis, 1}};
  const Recipe::Value x = r.Wide(r.Input(0));
  const Recipe::Value norm =
      r.Int("p") == 1 ? r.ReduceL1(x, axes) : r.ReduceL2(x, axes);
  const Recipe::Value zero = r.Constant(0, x.type);
  r.Rounded(0, r.Where(r.Equal(norm, zero), zero, r.Div(x, norm)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "LpNormalization",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<1, 22>>,
    .refuses = Refuses,
    .recipe = Write,
};

}  // namespace lanewise::op_lp_normalization
