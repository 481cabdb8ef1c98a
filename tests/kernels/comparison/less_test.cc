// SPDX-License-Identifier: Apache-2.0
//
// Less: the suite, and all pairs of 16-bit operands.

#include <functional>

#include "tests/support/operator_spec.h"
#include "tests/support/order_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_less = {
    .name = "Less",
    .versions = StrictOrderVersions(),
    .output = {"C", "T1", {LW_BOOL}},
    .bits = OrderBits<std::less<>>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/operator_suite.h"
#include "tests/support/order_pairs.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_less);

constexpr OpId kLess = {"Less", 13, 2};

TEST(LessPairs, ExhaustiveFloat16) {
  CheckOrder16<std::less<>>(kLess, LW_FLOAT16);
}
TEST(LessPairs, ExhaustiveBfloat16) {
  CheckOrder16<std::less<>>(kLess, LW_BFLOAT16);
}
TEST(LessPairs, ExhaustiveInt16) { CheckOrder16<std::less<>>(kLess, LW_INT16); }
TEST(LessPairs, ExhaustiveUint16) {
  CheckOrder16<std::less<>>(kLess, LW_UINT16);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
