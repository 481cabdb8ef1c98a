// SPDX-License-Identifier: Apache-2.0
//
// The tests that every operator must pass, made from its spec: values, lengths
// and alignments, patterns, shapes and strides, threads, streaming, versions
// and the floating-point environment, in every type on every instruction set
// for which the operator has code.
//
// An operator's test file includes this header and names its spec:
//
//   const SuiteOf kSuite(kSpec_add);
//
// What the suite cannot know, such as all 2^32 pairs of 16-bit operands or
// values by hand, stands in the test file itself.

#ifndef LANEWISE_TESTS_SUPPORT_OPERATOR_SUITE_H_
#define LANEWISE_TESTS_SUPPORT_OPERATOR_SUITE_H_

#include <gtest/gtest.h>

#include "tests/support/isas.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {

// Each checks all types of the newest version on one instruction set.
void CheckSuiteValues(const OperatorSpec& spec, const Isa& isa);
void CheckSuitePatterns(const OperatorSpec& spec, const Isa& isa);
void CheckSuiteLengths(const OperatorSpec& spec, const Isa& isa);
void CheckSuiteTensors(const OperatorSpec& spec, const Isa& isa);
void CheckSuiteThreads(const OperatorSpec& spec, const Isa& isa);
void CheckSuiteVersions(const OperatorSpec& spec, const Isa& isa);
void CheckSuiteFloatEnv(const OperatorSpec& spec, const Isa& isa);
void CheckSuiteTraps(const OperatorSpec& spec, const Isa& isa);

/// The instruction sets for which the operator has code of its own. On others,
/// an engine runs the code for a lower set, as targets.h says.
Isas IsasWithCode(const OperatorSpec& spec);

/// Results of such operators are not exact, so flags that trap may be raised.
inline constexpr bool kMayTrap = true;

/// The operator that a program's suite tests: a program has one such object, or
/// none and no suite.
struct SuiteOf {
  explicit SuiteOf(const OperatorSpec& spec, bool may_trap = false);
};

/// An operator's own file may add tests: TEST_P(OperatorSuite, ByHand).
class OperatorSuite : public OnEveryIsa {};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_OPERATOR_SUITE_H_
