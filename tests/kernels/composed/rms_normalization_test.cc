// SPDX-License-Identifier: Apache-2.0
//
// RMSNormalization: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> RmsNormalization(const ComposedNode& node,
                                      const std::vector<Numbers>& inputs) {
  Numbers y = inputs[0];
  const std::vector<int64_t> axes =
      AxesFrom(static_cast<int64_t>(node.Number("axis", -1)), y.dims.size());
  Numbers squares = y;
  for (long double& value : squares.values) value *= value;
  const Numbers mean = MeanOf(squares, axes);
  for (size_t i = 0; i < y.values.size(); ++i) {
    const size_t k = IndexWithout(y.dims, axes, i);
    y.values[i] /= std::sqrt(mean.values[k] + node.Epsilon());
    y.scales.push_back(std::fabs(y.values[i]));
  }
  return {ScaledAndShifted(y, inputs[1], {{}, {}, false})};
}

}  // namespace

extern const OperatorSpec kSpec_rms_normalization = {
    .name = "RMSNormalization",
    .versions = {{23,
                  kF4,
                  {{"X"}, {"scale", "V", kF4}},
                  {{"axis", LW_ATTRIBUTE_INT},
                   {"epsilon", LW_ATTRIBUTE_FLOAT},
                   {"stash_type", LW_ATTRIBUTE_INT}}}},
    .output = {"Y", "V", kF4},
    .allowed_ulp = 8,
    .composed = RmsNormalization,
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

const ComposedSuiteOf kSuite(
    kSpec_rms_normalization,
    {
        {23, {}, {{4, 5}, {5}}},
        {23, {}, {{7}, {}}},
        {23, {}, {{2, 3, 300}, {300}}},
        {23, {IntOf("axis", 1)}, {{2, 3, 4, 5}, {3, 4, 5}}},
        {23, {IntOf("axis", -2)}, {{2, 3, 4, 5}, {4, 1}}},
        {23, {IntOf("axis", 0)}, {{3, 0}, {0}}},
        {23, {FloatOf("epsilon", 0.5)}, {{0, 5}, {5}}},
        {23, {FloatOf("epsilon", 0.5)}, {{4, 5}, {4, 5}}},
        {23, {}, {{90, 500}, {500}}},
    });

TEST(RmsNormalizationCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_rms_normalization;
  ExpectWrong(spec, {{23, {}, {{2, 3}, {2}}},
                     LW_INVALID_SHAPE,
                     "input 1 (scale) of shape [2] does not stretch to [2,3]"});
  ExpectWrong(spec, {{23, {}, {{2, 3}, {3}}},
                     LW_UNSUPPORTED_TYPE,
                     "input 1 (scale) cannot be int32",
                     LW_FLOAT32,
                     {LW_FLOAT32, LW_INT32}});
  ExpectWrong(spec, {{23, {}, {{2, 3}, {3}}},
                     LW_UNSUPPORTED_TYPE,
                     "output 0 is float16, not float32",
                     LW_FLOAT32,
                     {LW_FLOAT32, LW_FLOAT16}});
  ExpectRefused(spec, 23, {IntOf("stash_type", LW_INT32)}, "stash_type");
}

// With float64 inside, each of these results is the rounded one.
TEST_P(ComposedSuite, StashType) {
  std::vector<double> x, exact;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    x.push_back(i % 37 + 1);
    sum += x.back() * x.back();
  }
  for (const double value : x) {
    exact.push_back(static_cast<float>(value / std::sqrt(sum / 1000)));
  }
  const ComposedCase node = {
      23,
      {FloatOf("epsilon", 0), IntOf("stash_type", LW_FLOAT64)},
      {{1000}, {1}}};
  EXPECT_EQ(ComposedOutput(kSpec_rms_normalization, isa(), node, LW_FLOAT32,
                           {x, {1}}),
            exact);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
