// SPDX-License-Identifier: Apache-2.0
//
// MeanVarianceNormalization: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> MeanVarianceNormalization(
    const ComposedNode& node, const std::vector<Numbers>& inputs) {
  const Numbers& x = inputs[0];
  const std::vector<int64_t> axes = node.Axes("axes", {0, 2, 3});
  const NormalizedNumbers of(x, axes, 0);
  Numbers y = of.value;
  for (size_t i = 0; i < y.values.size(); ++i) {
    const size_t k = IndexWithout(x.dims, axes, i);
    if (x.values[i] == of.mean.values[k]) {
      y.values[i] = 0;  // also where the deviation is 0
      y.scales[i] = 1;
    } else {
      y.values[i] /= 1 + 1e-9L * of.inverse.values[k];
    }
  }
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_mean_variance_normalization = {
    .name = "MeanVarianceNormalization",
    .versions = {{9, kF3, {{"X"}}, {{"axes", LW_ATTRIBUTE_INTS}}},
                 {13, kF4, {{"X"}}, {{"axes", LW_ATTRIBUTE_INTS}}}},
    .output = {"Y"},
    .allowed_ulp = 12,
    .composed = MeanVarianceNormalization,
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
    kSpec_mean_variance_normalization,
    {
        {13, {}, {{2, 3, 4, 5}}},
        {13, {{"axes", LW_ATTRIBUTE_INTS, {1}}}, {{2, 70}}},
        {13, {{"axes", LW_ATTRIBUTE_INTS, {0, -1}}}, {{2, 3, 4}}},
        {13, {{"axes", LW_ATTRIBUTE_INTS, {0}}}, {{70, 5}}},
        {13, {}, {{2, 3, 0, 5}}},
        {13, {}, {{4, 20, 20, 20}}},
        {9, {}, {{2, 3, 4, 5}}},
    });

TEST(MeanVarianceNormalizationCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_mean_variance_normalization;
  ExpectWrong(
      spec,
      {{13, {}, {{2, 3, 4}}}, LW_INVALID_SHAPE, "axis 3 is none of [2,3,4]"});
  ExpectWrong(spec, {{13, {{"axes", LW_ATTRIBUTE_INTS, {1, -1}}}, {{2, 3}}},
                     LW_INVALID_SHAPE,
                     "named twice"});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
