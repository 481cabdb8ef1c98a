// SPDX-License-Identifier: Apache-2.0
//
// Or: the suite, and all pairs of bytes.

#include "tests/support/logic_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_or = {
    .name = "Or",
    .versions = LogicVersions(),
    .output = BoolOutput(),
    .bits = TruthOf<kOrTable>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_bytes.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_or);

TEST_P(OperatorSuite, AnyByteIsTrue) { CheckAllBytes(kSpec_or, isa()); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
