// SPDX-License-Identifier: Apache-2.0
//
// Not: the suite, and all bytes.

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_not = {
    .name = "Not",
    .versions = {{1, {LW_BOOL}, {{"X"}}}},
    .output = {"Y"},
    .bits =
        [](lw_type, const void* const* in, void* out) {
          const bool x = *static_cast<const uint8_t*>(in[0]) != 0;
          *static_cast<uint8_t*>(out) = x ? 0 : 1;
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_bytes.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_not);

TEST_P(OperatorSuite, AnyByteIsTrue) { CheckAllBytes(kSpec_not, isa()); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
