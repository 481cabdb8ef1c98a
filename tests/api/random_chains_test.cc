// SPDX-License-Identifier: Apache-2.0
//
// Random chains against their operators, called one by one.

#include "tests/support/random_chains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/check_values.h"
#include "tests/support/isas.h"

namespace lanewise::test {
namespace {

void RunMany(size_t count, uint64_t seed) {
  Random random(seed);
  std::map<lw_status, size_t> statuses;
  size_t with_reductions = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto& engines = AllChainOperators();
    RandomChain chain;
    const lw_status status = chain.Check(*engines[i % engines.size()], random);
    ++statuses[status];
    if (status == LW_OK && chain.has_reductions()) ++with_reductions;
    if (testing::Test::HasFailure()) {
      FAIL() << "chain " << i << ": " << chain.Describe();
    }
  }
  // The chains must be of every kind, or they say nothing.
  EXPECT_GT(statuses[LW_OK], count / 3);
  EXPECT_GT(with_reductions, count / 10);
  EXPECT_GT(statuses[LW_INVALID_SHAPE], count / 100);
  EXPECT_GT(statuses[LW_DIVIDE_BY_ZERO], count / 200);
}

// Fewer chains would say nothing of the rarest status.
TEST(RandomChains, Agree) {
  RunMany(std::max<size_t>(10'000 / TestShare(), 1'000), 1);
}

TEST(RandomChains, ExhaustiveAgree) {
  RunMany(AllIsasWanted() ? 1'000'000 : 25'000, 2);
}

}  // namespace
}  // namespace lanewise::test
