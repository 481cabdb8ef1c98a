// SPDX-License-Identifier: Apache-2.0
//
// GlobalAveragePool: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> GlobalAveragePool(const ComposedNode& /*node*/,
                                       const std::vector<Numbers>& inputs) {
  const Numbers& x = inputs[0];
  Numbers y = MeanOf(x, AxesFrom(2, x.dims.size()));
  for (const long double mean : y.values) {
    y.scales.push_back(std::fabs(mean) + 3);  // of what was added
  }
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_global_average_pool = {
    .name = "GlobalAveragePool",
    .versions = {{1, kF3, {{"X"}}}, {22, kF4, {{"X"}}}},
    .output = {"Y"},
    .allowed_ulp = 8,
    .composed = GlobalAveragePool,
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

const ComposedSuiteOf kSuite(kSpec_global_average_pool,
                             {
                                 {22, {}, {{2, 3, 4, 5}}},
                                 {22, {}, {{2, 3, 70}}},
                                 {22, {}, {{2, 3, 1}}},
                                 {22, {}, {{2, 0, 4}}},
                                 {22, {}, {{2, 3, 0}}},
                                 {22, {}, {{2, 20, 30, 30}}},
                                 {1, {}, {{2, 3, 4}}},
                             });

TEST(GlobalAveragePoolCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_global_average_pool;
  ExpectWrong(spec, {{22, {}, {{2, 3}}}, LW_INVALID_SHAPE, "axis 2 is none"});
  ExpectWrong(spec, {{22, {}, {{2, 3, 4}}},
                     LW_INVALID_SHAPE,
                     "the shape of output 0 is [2,3,1], not [2,3,4]"});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
