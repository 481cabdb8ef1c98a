// SPDX-License-Identifier: Apache-2.0
//
// DynamicQuantizeLinear: the suite, and values by hand.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

float Saturated(float x) { return std::max(0.0f, std::min(255.0f, x)); }

// In float32, as the document's function body.
std::vector<Numbers> DynamicQuantizeLinear(const ComposedNode& /*node*/,
                                           const std::vector<Numbers>& inputs) {
  Numbers y = inputs[0];
  float least = 0;
  float most = 0;
  for (const long double x : y.values) {
    least = std::min(least, static_cast<float>(x));
    most = std::max(most, static_cast<float>(x));
  }
  const float range = most - least;
  const float scale = range == 0 ? 1 : range / 255;
  const float zero = std::nearbyintf(Saturated(0 - least / scale));
  for (long double& value : y.values) {
    value =
        Saturated(std::nearbyintf(static_cast<float>(value) / scale) + zero);
  }
  return {y, {{}, {scale}}, {{}, {zero}}};
}

}  // namespace

extern const OperatorSpec kSpec_dynamic_quantize_linear = {
    .name = "DynamicQuantizeLinear",
    .versions = {{11, {LW_FLOAT32}, {{"x", "T1"}}}},
    .output = {"y", "T2", {LW_UINT8}},
    .allowed_ulp = 0,
    .composed = DynamicQuantizeLinear,
    .more_outputs = {{"y_scale", "tensor(float)", {LW_FLOAT32}},
                     {"y_zero_point", "T2", {LW_UINT8}}},
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

const ComposedSuiteOf kSuite(kSpec_dynamic_quantize_linear,
                             {
                                 {11, {}, {{2, 3, 4}}},
                                 {11, {}, {{}}},
                                 {11, {}, {{7}}, {0.5}},
                                 {11, {}, {{3, 0}}},
                                 {11, {}, {{90, 500}}},
                             });

TEST_P(ComposedSuite, ByHand) {
  const auto of = [](const std::vector<double>& x) {
    const ComposedCase node = {11, {}, {{static_cast<int64_t>(x.size())}}};
    return ComposedOutput(kSpec_dynamic_quantize_linear, isa(), node,
                          LW_FLOAT32, {x});
  };
  EXPECT_EQ(of({0, 0, -0.0}), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(of({-1, 0, 254}), (std::vector<double>{0, 1, 255}));
  EXPECT_EQ(of({255, 254.5, 253.5}), (std::vector<double>{255, 254, 254}));
  EXPECT_EQ(of({-255, -1}), (std::vector<double>{0, 254}));
}

TEST(DynamicQuantizeLinearCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_dynamic_quantize_linear;
  ExpectWrong(spec,
              {{11, {}, {{2, 3}}}, LW_UNSUPPORTED_TYPE, "float64", LW_FLOAT64});
  ExpectWrong(
      spec,
      {{11, {}, {{2, 3}}}, LW_WRONG_COUNT, "output 1 (y_scale) is left out"});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
