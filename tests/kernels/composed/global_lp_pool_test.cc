// SPDX-License-Identifier: Apache-2.0
//
// GlobalLpPool: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> GlobalLpPool(const ComposedNode& node,
                                  const std::vector<Numbers>& inputs) {
  const long double p = node.Number("p", 2);
  Numbers powers = inputs[0];
  for (long double& value : powers.values)
    value = std::pow(std::fabs(value), p);
  Numbers y = SumOf(powers, AxesFrom(2, powers.dims.size()));
  for (long double& value : y.values) value = std::pow(value, 1 / p);
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_global_lp_pool = {
    .name = "GlobalLpPool",
    .versions = {{1, kF3, {{"X"}}, {{"p", LW_ATTRIBUTE_FLOAT}}},
                 {2, kF3, {{"X"}}, {{"p", LW_ATTRIBUTE_INT}}},
                 {22, kF4, {{"X"}}, {{"p", LW_ATTRIBUTE_INT}}}},
    .output = {"Y"},
    .allowed_ulp = 16,
    .composed = GlobalLpPool,
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

const ComposedSuiteOf kSuite(kSpec_global_lp_pool,
                             {
                                 {22, {}, {{2, 3, 4, 5}}},
                                 {22, {IntOf("p", 1)}, {{2, 3, 70}}},
                                 {22, {IntOf("p", 3)}, {{2, 3, 7}}},
                                 {22, {}, {{2, 3, 1}}},
                                 {22, {IntOf("p", 4)}, {{2, 3, 0}}},
                                 {22, {}, {{2, 20, 30, 30}}},
                                 {2, {}, {{2, 3, 4}}},
                                 {1, {FloatOf("p", 2.5)}, {{2, 3, 4}}},
                                 {1, {}, {{2, 3, 4}}},
                             });

TEST(GlobalLpPoolCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_global_lp_pool;
  ExpectWrong(spec, {{22, {}, {{2, 3}}}, LW_INVALID_SHAPE, "axis 2 is none"});
  ExpectRefused(spec, 22, {IntOf("p", 0)}, "\"p\" is not above 0, or above");
  ExpectRefused(spec, 1, {FloatOf("p", -1)}, "\"p\"");
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
