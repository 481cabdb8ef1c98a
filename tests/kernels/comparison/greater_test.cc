// SPDX-License-Identifier: Apache-2.0
//
// Greater: the suite, and all pairs of 16-bit operands.

#include <functional>

#include "tests/support/operator_spec.h"
#include "tests/support/order_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_greater = {
    .name = "Greater",
    .versions = StrictOrderVersions(),
    .output = {"C", "T1", {LW_BOOL}},
    .bits = OrderBits<std::greater<>>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/operator_suite.h"
#include "tests/support/order_pairs.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_greater);

constexpr OpId kGreater = {"Greater", 13, 2};

TEST(GreaterPairs, ExhaustiveFloat16) {
  CheckOrder16<std::greater<>>(kGreater, LW_FLOAT16);
}
TEST(GreaterPairs, ExhaustiveBfloat16) {
  CheckOrder16<std::greater<>>(kGreater, LW_BFLOAT16);
}
TEST(GreaterPairs, ExhaustiveInt16) {
  CheckOrder16<std::greater<>>(kGreater, LW_INT16);
}
TEST(GreaterPairs, ExhaustiveUint16) {
  CheckOrder16<std::greater<>>(kGreater, LW_UINT16);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
