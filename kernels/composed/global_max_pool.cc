// SPDX-License-Identifier: Apache-2.0
//
// GlobalMaxPool: the maximum of the dims from the third one on, which become 1
//
// Versions 1 (float16, float32, float64), 22 (+ bfloat16).

#include "kernels/composed/composed.h"

namespace lanewise::op_global_max_pool {
namespace {

constexpr int kVersions[] = {1, 22};
constexpr Form kForms[] = {{1, kInputX, ShapeRule::kReduced}};

void Write(Recipe& r) {
  r.Output(0, r.ReduceMax(r.Input(0), From(kSpatialDims)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "GlobalMaxPool",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<1, 22>>,
    .recipe = Write,
};

}  // namespace lanewise::op_global_max_pool
