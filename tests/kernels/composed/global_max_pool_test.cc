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

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/composed_suite.h"

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(kSpec_global_max_pool,
                             {
                                 {22, {}, {{2, 3, 4, 5}}},
                                 {22, {}, {{2, 3, 70}}},
                                 {22, {}, {{2, 3, 1}}},
                                 {22, {}, {{2, 0, 4}}},
                                 {22, {}, {{2, 3, 0}}},
                                 {22, {}, {{2, 20, 30, 30}}},
                                 {1, {}, {{2, 3, 4}}},
                             });

TEST(GlobalMaxPoolCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_global_max_pool;
  ExpectWrong(spec, {{22, {}, {{2, 3}}}, LW_INVALID_SHAPE, "axis 2 is none"});
  ExpectWrong(spec, {{22, {}, {{2, 3, 4}}},
                     LW_INVALID_SHAPE,
                     "the shape of output 0 is [2,3,1], not [2,3,4]"});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
