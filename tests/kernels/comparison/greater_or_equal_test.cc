// SPDX-License-Identifier: Apache-2.0
//
// GreaterOrEqual: the suite, and all pairs of 16-bit operands.

#include <functional>

#include "tests/support/operator_spec.h"
#include "tests/support/order_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_greater_or_equal = {
    .name = "GreaterOrEqual",
    .versions = WeakOrderVersions(),
    .output = {"C", "T1", {LW_BOOL}},
    .bits = OrderBits<std::greater_equal<>>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/operator_suite.h"
#include "tests/support/order_pairs.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_greater_or_equal);

constexpr OpId kGreaterOrEqual = {"GreaterOrEqual", 16, 2};

TEST(GreaterOrEqualPairs, ExhaustiveFloat16) {
  CheckOrder16<std::greater_equal<>>(kGreaterOrEqual, LW_FLOAT16);
}
TEST(GreaterOrEqualPairs, ExhaustiveBfloat16) {
  CheckOrder16<std::greater_equal<>>(kGreaterOrEqual, LW_BFLOAT16);
}
TEST(GreaterOrEqualPairs, ExhaustiveInt16) {
  CheckOrder16<std::greater_equal<>>(kGreaterOrEqual, LW_INT16);
}
TEST(GreaterOrEqualPairs, ExhaustiveUint16) {
  CheckOrder16<std::greater_equal<>>(kGreaterOrEqual, LW_UINT16);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
