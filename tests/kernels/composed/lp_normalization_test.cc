// SPDX-License-Identifier: Apache-2.0
//
// LpNormalization: the suite, and values by hand.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> LpNormalization(const ComposedNode& node,
                                     const std::vector<Numbers>& inputs) {
  const long double p = node.Number("p", 2);
  const std::vector<int64_t> axes = {
      static_cast<int64_t>(node.Number("axis", -1))};
  Numbers y = inputs[0];
  for (long double& value : y.values) value = std::pow(std::fabs(value), p);
  const Numbers sum = SumOf(y, axes);
  for (size_t i = 0; i < y.values.size(); ++i) {
    const long double norm =
        std::pow(sum.values[IndexWithout(y.dims, axes, i)], 1 / p);
    y.values[i] = norm == 0 ? 0 : inputs[0].values[i] / norm;
  }
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_lp_normalization = {
    .name = "LpNormalization",
    .versions = {{1,
                  kF3,
                  {{"input"}},
                  {{"axis", LW_ATTRIBUTE_INT}, {"p", LW_ATTRIBUTE_INT}}},
                 {22,
                  kF4,
                  {{"input"}},
                  {{"axis", LW_ATTRIBUTE_INT}, {"p", LW_ATTRIBUTE_INT}}}},
    .output = {"output"},
    .allowed_ulp = 6,
    .composed = LpNormalization,
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
    kSpec_lp_normalization,
    {
        {22, {}, {{4, 5}}},
        {22, {IntOf("p", 1)}, {{4, 70}}},
        {22, {IntOf("axis", 0)}, {{70, 5}}},
        {22, {IntOf("axis", 1), IntOf("p", 1)}, {{2, 3, 4}}},
        {22, {}, {{3, 0}}},
        {22, {}, {{90, 500}}},
        {1, {}, {{4, 5}}},
    });

TEST_P(ComposedSuite, ByHand) {
  for (const int64_t p : {1, 2}) {
    EXPECT_EQ(ComposedOutput(kSpec_lp_normalization, isa(),
                             {22, {IntOf("p", p)}, {{2, 2}}}, LW_FLOAT32,
                             {{0, -0.0, -4, 0}}),
              (std::vector<double>{0, 0, -1, 0}));
  }
}

TEST(LpNormalizationCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_lp_normalization;
  ExpectWrong(spec, {{22, {IntOf("axis", -3)}, {{2, 3}}},
                     LW_INVALID_SHAPE,
                     "axis -3 is none of [2,3]"});
  ExpectRefused(spec, 22, {IntOf("p", 3)}, "neither 1 nor 2");
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
