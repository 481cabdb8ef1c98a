// SPDX-License-Identifier: Apache-2.0
//
// The library has a short way for small contiguous calls, which decides the
// rules of a call once more than the general way does, and prepared calls have
// a way of their own. Random calls go every way.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/check_values.h"
#include "tests/support/every_way.h"
#include "tests/support/isas.h"

namespace lanewise::test {
namespace {

/// How often each status came about.
using Statuses = std::map<lw_status, size_t>;

void RunMany(size_t count, uint64_t seed) {
  const Operators operators;
  Random random(seed);
  RandomCall call;
  std::map<const lw_signature*, Statuses> by_row;
  Statuses all;
  for (size_t i = 0; i < count; ++i) {
    const Ways& ways = operators.all()[random.Below(operators.all().size())];
    call.Make(ways.random, random);
    const lw_status status = RunEveryWay(ways, &call);
    if (testing::Test::HasFailure()) {
      FAIL() << "call " << i << ": " << call.Describe();
    }
    ++all[status];
    ++by_row[ways.random.row][status];
  }
  // The calls must be of every kind, or they say nothing.
  EXPECT_GT(all[LW_OK], count / 3);
  for (const lw_status status :
       {LW_INVALID_ARGUMENT, LW_UNSUPPORTED_TYPE, LW_WRONG_COUNT,
        LW_INVALID_SHAPE, LW_SIZE_OVERFLOW, LW_NULL_DATA, LW_MISALIGNED,
        LW_BUFFER_TOO_SMALL, LW_OVERLAP, LW_DIVIDE_BY_ZERO}) {
    EXPECT_GT(all[status], count / 2000) << lw_status_name(status);
  }
  // A third of all calls is right; of these few calls, all may be wrong.
  constexpr size_t kFewCalls = 100;
  for (const auto& [row, statuses] : by_row) {
    size_t calls = 0;
    for (const auto& [status, times] : statuses) calls += times;
    EXPECT_TRUE(calls < kFewCalls || statuses.contains(LW_OK))
        << row->name << row->since_version;
  }
}

// Fewer calls would say nothing of the rarest status.
TEST(BothWays, Agree) {
  RunMany(std::max<size_t>(300'000 / TestShare(), 20'000), 1);
}

TEST(BothWays, ExhaustiveAgree) {
  RunMany(AllIsasWanted() ? 5'000'000 : 2'000'000, 2);
}

}  // namespace
}  // namespace lanewise::test
