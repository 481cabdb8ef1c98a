// SPDX-License-Identifier: Apache-2.0
//
// BitwiseOr: the suite, and all pairs of 16 bits.

#include "tests/support/logic_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_bitwise_or = {
    .name = "BitwiseOr",
    .versions = BitwiseVersions(),
    .output = {"C"},
    .bits = BitByBit<kOrTable>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/all_pairs16.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_bitwise_or);

TEST(BitwiseOrPairs, ExhaustiveUint16) {
  CheckAllPairs16<uint16_t>({"BitwiseOr", 18, 2}, LW_UINT16, 0x7FFF,
                            [](uint16_t a, uint16_t b) { return a | b; });
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
