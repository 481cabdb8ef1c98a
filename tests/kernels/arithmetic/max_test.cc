// SPDX-License-Identifier: Apache-2.0
//
// Max: the suite, with any number of inputs, and what NaNs and zeros give.

#include "tests/support/extreme_spec.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_max = {
    .name = "Max",
    .versions = VariadicVersions(),
    .output = {"max"},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          ChooseBits(type, in, out, [](auto a, auto b) { return a > b; });
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_variadic.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_max);

TEST(MaxByHand, NanWins) { CheckNanWins("Max"); }
TEST(MaxByHand, CountsOfInputs) { CheckCountsOfInputs("Max"); }
TEST(MaxByHand, OldVersionsStretchNothing) { CheckStretchesFrom("Max", 8); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
