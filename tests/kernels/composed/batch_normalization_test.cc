// SPDX-License-Identifier: Apache-2.0
//
// BatchNormalization: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<OperandSpec> OldInputs() {
  return {{"X"}, {"scale"}, {"B"}, {"mean"}, {"var"}};
}
std::vector<AttributeSpec> NewAttributes() {
  return {{"epsilon", LW_ATTRIBUTE_FLOAT},
          {"momentum", LW_ATTRIBUTE_FLOAT},
          {"training_mode", LW_ATTRIBUTE_INT}};
}

std::vector<Numbers> BatchNormalization(const ComposedNode& node,
                                        const std::vector<Numbers>& inputs) {
  Numbers y = inputs[0];
  const int64_t offset = y.dims.size() > 1 ? 1 : 0;
  for (size_t i = 0; i < y.values.size(); ++i) {
    const auto of = [&](size_t k) {
      const Numbers& operand = inputs[k];
      return operand.values[StretchedIndex(y.dims, i, operand, offset)];
    };
    const long double factor = of(1) / std::sqrt(of(4) + node.Epsilon());
    y.scales.push_back((std::fabs(y.values[i]) + std::fabs(of(3))) *
                           std::fabs(factor) +
                       std::fabs(of(2)));
    y.values[i] = (y.values[i] - of(3)) * factor + of(2);
  }
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_batch_normalization = {
    .name = "BatchNormalization",
    .versions = {{1,
                  kF3,
                  OldInputs(),
                  {{"consumed_inputs", LW_ATTRIBUTE_INTS, true},
                   {"epsilon", LW_ATTRIBUTE_FLOAT},
                   {"is_test", LW_ATTRIBUTE_INT, false, "", 1, true},
                   {"momentum", LW_ATTRIBUTE_FLOAT},
                   {"spatial", LW_ATTRIBUTE_INT}}},
                 {6,
                  kF3,
                  OldInputs(),
                  {{"epsilon", LW_ATTRIBUTE_FLOAT},
                   {"is_test", LW_ATTRIBUTE_INT, false, "", 1, true},
                   {"momentum", LW_ATTRIBUTE_FLOAT},
                   {"spatial", LW_ATTRIBUTE_INT}}},
                 {7,
                  kF3,
                  OldInputs(),
                  {{"epsilon", LW_ATTRIBUTE_FLOAT},
                   {"momentum", LW_ATTRIBUTE_FLOAT},
                   {"spatial", LW_ATTRIBUTE_INT}}},
                 {9,
                  kF3,
                  OldInputs(),
                  {{"epsilon", LW_ATTRIBUTE_FLOAT},
                   {"momentum", LW_ATTRIBUTE_FLOAT}}},
                 {14,
                  kF4,
                  {{"X"},
                   {"scale"},
                   {"B"},
                   {"input_mean", "U", kF4},
                   {"input_var", "U", kF4}},
                  NewAttributes()},
                 {15,
                  kF4,
                  {{"X"},
                   {"scale", "T1", kF4},
                   {"B", "T1", kF4},
                   {"input_mean", "T2", kF4},
                   {"input_var", "T2", kF4}},
                  NewAttributes()}},
    .output = {"Y"},
    .allowed_ulp = 8,
    .composed = BatchNormalization,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/composed_suite.h"

namespace lanewise::test {
namespace {

// A variance is not negative.
const std::vector<double> kLeast = {-3, -3, -3, -3, 0.125};

const ComposedSuiteOf kSuite(
    kSpec_batch_normalization,
    {
        {15, {}, {{2, 3, 4, 5}, {3}, {3}, {3}, {3}}, kLeast},
        {15, {}, {{70, 5}, {5}, {5}, {5}, {5}}, kLeast},
        {15, {}, {{9}, {1}, {1}, {1}, {1}}, kLeast},
        {15,
         {FloatOf("epsilon", 0.5)},
         {{2, 1, 3}, {1}, {1}, {1}, {1}},
         kLeast},
        {15, {}, {{0, 3, 4}, {3}, {3}, {3}, {3}}, kLeast},
        {15, {}, {{2, 0, 4}, {0}, {0}, {0}, {0}}, kLeast},
        {15, {}, {{4, 30, 300}, {30}, {30}, {30}, {30}}, kLeast},
        {14, {}, {{2, 3, 4}, {3}, {3}, {3}, {3}}, kLeast},
        {9, {}, {{2, 3, 4}, {3}, {3}, {3}, {3}}, kLeast},
        {7,
         {IntOf("spatial", 0)},
         {{2, 3, 4}, {3, 4}, {3, 4}, {3, 4}, {3, 4}},
         kLeast},
        {7, {}, {{2, 3, 4}, {3}, {3}, {3}, {3}}, kLeast},
        {6, {IntOf("is_test", 1)}, {{2, 3, 4}, {3}, {3}, {3}, {3}}, kLeast},
        {1,
         {IntOf("is_test", 1), {"consumed_inputs", LW_ATTRIBUTE_INTS, {0, 0}}},
         {{2, 3, 4}, {3}, {3}, {3}, {3}},
         kLeast},
    });

TEST(BatchNormalizationCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_batch_normalization;
  ExpectRefused(spec, 15, {IntOf("training_mode", 1)}, "training");
  ExpectRefused(spec, 14, {IntOf("training_mode", 1)}, "training");
  ExpectRefused(spec, 6, {}, "is_test");
  ExpectRefused(spec, 6, {IntOf("is_test", 0)}, "training");
  const auto wrong = [&](const std::vector<Dims64>& inputs, const char* text) {
    ExpectWrong(spec, {{15, {}, inputs}, LW_INVALID_SHAPE, text});
  };
  wrong({{2, 3, 4}, {4}, {3}, {3}, {4}},
        "input 1 (scale) is of shape [3], not [4]");
  wrong({{2, 3, 4}, {3}, {1}, {3}, {3}},
        "input 2 (B) is of shape [3], not [1]");
  wrong({{2, 3, 4}, {3}, {3}, {3, 4}, {3}},
        "input 3 (input_mean) is of shape [3], not [3,4]");
  wrong({{2, 3, 4}, {3}, {3}, {3}, {1}},
        "inputs 1 (scale) and 4 (input_var) have the shapes [3] and [1]");
  ExpectWrong(spec,
              {{7, {IntOf("spatial", 0)}, {{2, 3, 4}, {3}, {3}, {3}, {3}}},
               LW_INVALID_SHAPE,
               "input 3 (mean) is of shape [3,4], not [3]"});
  ExpectWrong(spec,
              {{14, {}, {{2, 3}, {3}, {3}, {3}, {3}}},
               LW_UNSUPPORTED_TYPE,
               "input 4 (input_var) is float16, not float32",
               LW_FLOAT32,
               {LW_FLOAT32, LW_FLOAT32, LW_FLOAT32, LW_FLOAT16, LW_FLOAT32}});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
