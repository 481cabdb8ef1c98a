// SPDX-License-Identifier: Apache-2.0
//
// Hardmax: 1 where the first maximum is, else 0
//
// Versions 1, 11 (float16, float32, float64), 13 (+ bfloat16, along one axis).
// A NaN counts as the maximum, as for ArgMax.

#include "kernels/composed/softmax_forms.h"

namespace lanewise::op_hardmax {
namespace {

void Write(Recipe& r) {
  const SoftmaxAxes of(r);
  const Recipe::Value x = r.Input(0);
  const Recipe::Value first = r.ArgMax(x, of.axes);
  r.Rounded(0, r.Equal(r.Positions(x, of.axes), first));
}

}  // namespace

extern const Operator kOperator = {
    .name = "Hardmax",
    .versions = kSoftmaxVersions,
    .forms = kSoftmaxForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<1, 13>>,
    .recipe = Write,
};

}  // namespace lanewise::op_hardmax
