// SPDX-License-Identifier: Apache-2.0
//
// And: the suite, and all pairs of bytes.

#include "tests/support/logic_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_and = {
    .name = "And",
    .versions = LogicVersions(),
    .output = BoolOutput(),
    .bits = TruthOf<kAndTable>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_bytes.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_and);

TEST_P(OperatorSuite, AnyByteIsTrue) { CheckAllBytes(kSpec_and, isa()); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
