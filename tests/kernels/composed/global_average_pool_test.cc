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

#include "tests/support/pool_cases.h"

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(kSpec_global_average_pool, PoolCases());

TEST(GlobalAveragePoolCalls, WrongOnesAreRefused) {
  ExpectWrongPools(kSpec_global_average_pool);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
