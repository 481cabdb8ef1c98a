// SPDX-License-Identifier: Apache-2.0
//
// DynamicQuantizeLinear: y = saturate(round(x / y_scale) + y_zero_point), where
// the scale and the zero point are made of the least and the greatest x
//
// Version 11 (float32 to uint8). The scale is 1 where all x are 0.

#include "kernels/composed/composed.h"

namespace lanewise::op_dynamic_quantize_linear {
namespace {

constexpr int kVersions[] = {11};
constexpr OperandInfo kInputs[] = {{"x", Role::kElements, false, "T1"}};
constexpr OperandInfo kMoreOutputs[] = {
    {"y_scale", Role::kElements, false, "tensor(float)", LW_FLOAT32},
    {"y_zero_point", Role::kElements, false, "T2", LW_UINT8}};
constexpr Form kForms[] = {{11, kInputs, ShapeRule::kSame}};
constexpr KernelEntry kTypes[] = {{11, LW_FLOAT32, {}}};

void Write(Recipe& r) {
  const Recipe::Value x = r.Input(0);
  const Recipe::Value zero = r.Constant(0, LW_FLOAT32);
  const Recipe::Value one = r.Constant(1, LW_FLOAT32);
  const Recipe::Value most = r.Constant(255, LW_FLOAT32);
  const auto saturate = [&](Recipe::Value value) {
    return r.Max(zero, r.Min(most, value));
  };
  const Recipe::Value least = r.Min(zero, r.ReduceAll("ReduceMin", x));
  const Recipe::Value greatest = r.Max(zero, r.ReduceAll("ReduceMax", x));
  const Recipe::Value range = r.Sub(greatest, least);
  const Recipe::Value scale =
      r.Where(r.Equal(range, zero), one, r.Div(range, most));
  const Recipe::Value zero_point =
      r.Round(saturate(r.Sub(zero, r.Div(least, scale))));
  const Recipe::Value quotient = r.Round(r.Div(x, scale));
  r.Rounded(0, saturate(r.Add(quotient, zero_point)));
  if (r.Wants(1)) r.Output(1, scale);
  if (r.Wants(2)) r.Rounded(2, zero_point);
}

}  // namespace

extern const Operator kOperator = {
    .name = "DynamicQuantizeLinear",
    .versions = kVersions,
    .forms = kForms,
    .output = {"y", Role::kElements, false, "T2", LW_UINT8},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kTypes>,
    .recipe = Write,
    .more_outputs = kMoreOutputs,
};

}  // namespace lanewise::op_dynamic_quantize_linear
