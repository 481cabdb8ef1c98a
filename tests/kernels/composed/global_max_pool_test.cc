// SPDX-License-Identifier: Apache-2.0
//
// GlobalMaxPool: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> GlobalMaxPool(const ComposedNode& /*node*/,
                                   const std::vector<Numbers>& inputs) {
  const Numbers& x = inputs[0];
  return {MaxOf(x, AxesFrom(2, x.dims.size()))};
}

}  // namespace

extern const OperatorSpec kSpec_global_max_pool = {
    .name = "GlobalMaxPool",
    .versions = {{1, kF3, {{"X"}}}, {22, kF4, {{"X"}}}},
    .output = {"Y"},
    .allowed_ulp = 0,
    .composed = GlobalMaxPool,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/pool_cases.h"

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(kSpec_global_max_pool, PoolCases());

TEST(GlobalMaxPoolCalls, WrongOnesAreRefused) {
  ExpectWrongPools(kSpec_global_max_pool);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
