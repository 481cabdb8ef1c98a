// SPDX-License-Identifier: Apache-2.0
//
// BatchNormalization, as in inference: y = (x - mean) * (scale / sqrt(var +
// epsilon)) + B, for each channel (dim 1)
//
// Versions 1, 6, 7, 9 (float16, float32, float64), 14 (+ bfloat16; mean and var
// may have another type), 15 (so may scale and B). A node that would train is
// refused. Before version 9, spatial = 0 means operands for each element of
// dims 1 to the last. Computes in float64 where an operand is float64, else in
// float32.

#include "kernels/composed/composed.h"

namespace lanewise::op_batch_normalization {
namespace {

constexpr int kVersions[] = {1, 6, 7, 9, 14, 15};
constexpr OperandInfo kInputs[] = {{"X"}, {"scale"}, {"B"}, {"mean"}, {"var"}};
constexpr OperandInfo kInputs14[] = {
    {"X"},
    {"scale"},
    {"B"},
    {"input_mean", Role::kElements, false, "U"},
    {"input_var", Role::kElements, false, "U"}};
constexpr OperandInfo kInputs15[] = {
    {"X"},
    {"scale", Role::kElements, false, "T1"},
    {"B", Role::kElements, false, "T1"},
    {"input_mean", Role::kElements, false, "T2"},
    {"input_var", Role::kElements, false, "T2"}};

constexpr AttributeInfo kMomentum = {"momentum", LW_ATTRIBUTE_FLOAT,
                                     Meaning::kNothing};
constexpr AttributeInfo kSpatial = {"spatial", LW_ATTRIBUTE_INT,
                                    Meaning::kParameter, false, 1};
constexpr AttributeInfo kIsTest = {"is_test", LW_ATTRIBUTE_INT,
                                   Meaning::kParameter, false, 0};
constexpr AttributeInfo kTrains = {"training_mode", LW_ATTRIBUTE_INT,
                                   Meaning::kParameter, false, 0};
constexpr AttributeInfo kAttributes1[] = {
    kEpsilon,
    kMomentum,
    kSpatial,
    kIsTest,
    {"consumed_inputs", LW_ATTRIBUTE_INTS, Meaning::kNothing, true}};
constexpr AttributeInfo kAttributes14[] = {kEpsilon, kMomentum, kTrains};
constexpr std::span<const AttributeInfo> kOld(kAttributes1);
constexpr Form kForms[] = {{1, kInputs, ShapeRule::kOneWay, kOld},
                           {6, kInputs, ShapeRule::kOneWay, kOld.first(4)},
                           {7, kInputs, ShapeRule::kOneWay, kOld.first(3)},
                           {9, kInputs, ShapeRule::kOneWay, kOld.first(2)},
                           {14, kInputs14, ShapeRule::kOneWay, kAttributes14},
                           {15, kInputs15, ShapeRule::kOneWay, kAttributes14}};

const char* Refuses(const AttributeValues& attributes) {
  if (attributes.Int("is_test").value_or(1) == 0) {
    return "attribute \"is_test\" is 0: training is not supported";
  }
  if (attributes.Int("training_mode").value_or(0) != 0) {
    return "attribute \"training_mode\" is not 0: training is not supported";
  }
  return nullptr;
}

void Write(Recipe& r) {
  int32_t type = LW_FLOAT32;
  for (size_t k = 0; k < 5; ++k) {
    if (r.Input(k).type == LW_FLOAT64) type = LW_FLOAT64;
  }
  const auto input = [&](size_t k) { return r.Wide(r.Input(k), type); };
  const int64_t dims = r.attributes().Int("spatial").value_or(1) != 0 ? 1 : -1;
  const Recipe::Value epsilon = r.Constant(r.Float("epsilon"), type);
  const Recipe::Value deviation = r.Sqrt(r.Add(input(4), epsilon));
  const Recipe::Value difference =
      r.Sub(input(0), input(3), r.OfChannels(3, dims));
  const Recipe::Value factor = r.Div(input(1), deviation, r.IsLike(4, 1));
  const Recipe::Value scaled = r.Mul(difference, factor, r.OfChannels(1, dims));
  r.Rounded(0, r.Add(scaled, input(2), r.OfChannels(2, dims)));
}

}  // namespace

extern const Operator kOperator = {
    .name = "BatchNormalization",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = OnlyTypes<kFloats<1, 14>>,
    .refuses = Refuses,
    .recipe = Write,
};

}  // namespace lanewise::op_batch_normalization
