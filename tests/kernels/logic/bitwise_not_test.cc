// SPDX-License-Identifier: Apache-2.0
//
// BitwiseNot: the suite, and all 2^32 numbers.

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_bitwise_not = {
    .name = "BitwiseNot",
    .versions = {{18, kI8, {{"X"}}}},
    .output = {"Y"},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          WriteInteger(type, -1 - ReadInteger(type, in[0]), out);
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_values.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_bitwise_not);

TEST(BitwiseNotValues, ExhaustiveUint32) {
  CheckAll32Bits({"BitwiseNot", 18}, LW_UINT32,
                 [](const void* in, void* out, size_t n) {
                   const auto* x = static_cast<const uint32_t*>(in);
                   auto* y = static_cast<uint32_t*>(out);
                   for (size_t i = 0; i < n; ++i) y[i] = UINT32_MAX - x[i];
                 });
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
