// SPDX-License-Identifier: Apache-2.0
//
// Softmax: y = e^(x - max) / the sum of these
//
// Versions 1, 11 (float16, float32, float64), 13 (+ bfloat16, along one axis).
// 16-bit floats are computed in float32.

#include "kernels/composed/softmax_forms.h"

namespace lanewise::op_softmax {
namespace {

void Write(Recipe& r) {
  const SoftmaxAxes of(r);
  const Recipe::Value x = r.Wide(r.Input(0));
  const Recipe::Value e = r.Exp(r.Sub(x, r.ReduceMax(x, of.axes)));
  r.Rounded(0, r.Div(e, r.ReduceSum(e, of.axes)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "Softmax",
    .versions = kSoftmaxVersions,
    .forms = kSoftmaxForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = OnlyTypes<kFloats<1, 13>>,
    .recipe = Write,
};

}  // namespace lanewise::op_softmax
