// SPDX-License-Identifier: Apache-2.0
//
// GlobalLpPool: the p-th root of the sum of |x|^p, over the dims from the third
// one on, which become 1
//
// Versions 1 (float16, float32, float64; p is a float), 2 (p is an integer), 22
// (+ bfloat16).

#include "kernels/composed/composed.h"

namespace lanewise::op_global_lp_pool {
namespace {

constexpr int kVersions[] = {1, 2, 22};
constexpr AttributeInfo kFloatP[] = {
    {"p", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 2}};
constexpr AttributeInfo kIntP[] = {
    {"p", LW_ATTRIBUTE_INT, Meaning::kParameter, false, 2}};
constexpr Form kForms[] = {{1, kInputX, ShapeRule::kReduced, kFloatP},
                           {2, kInputX, ShapeRule::kReduced, kIntP}};

double P(const AttributeValues& attributes) {
  const auto p = attributes.Int("p");
  return p ? static_cast<double>(*p) : *attributes.Float("p");
}

const char* Refuses(const AttributeValues& attributes) {
  const double p = P(attributes);
  return p > 0 && p <= 1e6 ? nullptr
                           : "attribute \"p\" is not above 0, or above 1e6";
}

void Write(Recipe& r) {
  const double p = P(r.attributes());
  const Recipe::Axes axes = From(kSpatialDims);
  if (p == 1) return r.Output(0, r.ReduceL1(r.Input(0), axes));
  if (p == 2) return r.Output(0, r.ReduceL2(r.Input(0), axes));
  const Recipe::Value x = r.Abs(r.Wide(r.Input(0)));
  const Recipe::Value sum = r.ReduceSum(r.Pow(x, r.Constant(p, x.type)), axes);
  r.Rounded(0, r.Pow(sum, r.Constant(1 / p, x.type)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "GlobalLpPool",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = OnlyTypes<kFloats<1, 22>>,
    .refuses = Refuses,
    .recipe = Write,
};

}  // namespace lanewise::op_global_lp_pool
