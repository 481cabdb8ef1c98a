// SPDX-License-Identifier: Apache-2.0
//
// LessOrEqual: the suite, and all pairs of 16-bit operands.

#include <functional>

#include "tests/support/operator_spec.h"
#include "tests/support/order_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_less_or_equal = {
    .name = "LessOrEqual",
    .versions = WeakOrderVersions(),
    .output = {"C", "T1", {LW_BOOL}},
    .bits = OrderBits<std::less_equal<>>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/operator_suite.h"
#include "tests/support/order_pairs.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_less_or_equal);

constexpr OpId kLessOrEqual = {"LessOrEqual", 16, 2};

TEST(LessOrEqualPairs, ExhaustiveFloat16) {
  CheckOrder16<std::less_equal<>>(kLessOrEqual, LW_FLOAT16);
}
TEST(LessOrEqualPairs, ExhaustiveBfloat16) {
  CheckOrder16<std::less_equal<>>(kLessOrEqual, LW_BFLOAT16);
}
TEST(LessOrEqualPairs, ExhaustiveInt16) {
  CheckOrder16<std::less_equal<>>(kLessOrEqual, LW_INT16);
}
TEST(LessOrEqualPairs, ExhaustiveUint16) {
  CheckOrder16<std::less_equal<>>(kLessOrEqual, LW_UINT16);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
