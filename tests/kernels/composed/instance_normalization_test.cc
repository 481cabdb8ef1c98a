// SPDX-License-Identifier: Apache-2.0
//
// InstanceNormalization: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> InstanceNormalization(const ComposedNode& node,
                                           const std::vector<Numbers>& inputs) {
  const Numbers& x = inputs[0];
  const NormalizedNumbers of(x, AxesFrom(2, x.dims.size()), node.Epsilon());
  return {ScaledAndShifted(of.value, inputs[1], inputs[2], 1)};
}

}  // namespace

extern const OperatorSpec kSpec_instance_normalization = {
    .name = "InstanceNormalization",
    .versions = {{1,
                  kF3,
                  {{"input"}, {"scale"}, {"B"}},
                  {ConsumedInputsSpec(), {"epsilon", LW_ATTRIBUTE_FLOAT}}},
                 {6,
                  kF3,
                  {{"input"}, {"scale"}, {"B"}},
                  {{"epsilon", LW_ATTRIBUTE_FLOAT}}},
                 {22,
                  kF4,
                  {{"input"}, {"scale"}, {"B"}},
                  {{"epsilon", LW_ATTRIBUTE_FLOAT}}}},
    .output = {"output"},
    .allowed_ulp = 12,
    .composed = InstanceNormalization,
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
    kSpec_instance_normalization,
    {
        {22, {}, {{2, 3, 4, 5}, {3}, {3}}},
        {22, {}, {{2, 3, 70}, {3}, {3}}},
        {22, {FloatOf("epsilon", 0.5)}, {{2, 1, 7}, {1}, {1}}},
        {22, {}, {{2, 3, 0}, {3}, {3}}},
        {22, {}, {{2, 0, 4}, {0}, {0}}},
        {22, {}, {{2, 20, 30, 30}, {20}, {20}}},
        {6, {}, {{2, 3, 4}, {3}, {3}}},
        {1, {}, {{2, 3, 4}, {3}, {3}}},
    });

TEST(InstanceNormalizationCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_instance_normalization;
  ExpectWrong(spec, {{22, {}, {{2, 3}, {3}, {3}}},
                     LW_INVALID_SHAPE,
                     "axis 2 is none of [2,3]"});
  ExpectWrong(spec, {{22, {}, {{2, 3, 4}, {4}, {3}}},
                     LW_INVALID_SHAPE,
                     "input 1 (scale) is of shape [3], not [4]"});
  ExpectWrong(spec, {{22, {}, {{2, 3, 4}, {3}, {1}}},
                     LW_INVALID_SHAPE,
                     "input 2 (B) is of shape [3], not [1]"});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
