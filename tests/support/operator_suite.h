// SPDX-License-Identifier: Apache-2.0
//
// The tests that every operator must pass, made from its spec: values, lengths
// and alignments, patterns, shapes and strides, threads, streaming, versions
// and the floating-point environment, in every type on every instruction set
// for which the operator has code.
//
// An operator's test file includes this header and instantiates the suite:
//
//   LANEWISE_OPERATOR_SUITE(kSpec_add);
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

}  // namespace lanewise::test

// For operators without exact results: without the test that no flag traps.
#define LANEWISE_INEXACT_OPERATOR_SUITE(spec)                                  \
  class OperatorSuite : public OnEveryIsa {};                                  \
  INSTANTIATE_TEST_SUITE_P(Isa, OperatorSuite,                                 \
                           testing::ValuesIn(IsasWithCode(spec)),              \
                           testing::PrintToStringParamName());                 \
  TEST_P(OperatorSuite, Values) { CheckSuiteValues(spec, isa()); }             \
  TEST_P(OperatorSuite, Patterns) { CheckSuitePatterns(spec, isa()); }         \
  TEST_P(OperatorSuite, LengthsAndAlignments) {                                \
    CheckSuiteLengths(spec, isa());                                            \
  }                                                                            \
  TEST_P(OperatorSuite, ShapesAndStrides) { CheckSuiteTensors(spec, isa()); }  \
  TEST_P(OperatorSuite, ThreadsAndStreaming) {                                 \
    CheckSuiteThreads(spec, isa());                                            \
  }                                                                            \
  TEST_P(OperatorSuite, VersionsAgree) { CheckSuiteVersions(spec, isa()); }    \
  TEST_P(OperatorSuite, FloatEnvironment) { CheckSuiteFloatEnv(spec, isa()); } \
  static_assert(true, "a semicolon follows")

#define LANEWISE_OPERATOR_SUITE(spec)                                   \
  LANEWISE_INEXACT_OPERATOR_SUITE(spec);                                \
  TEST_P(OperatorSuite, NothingTraps) { CheckSuiteTraps(spec, isa()); } \
  static_assert(true, "a semicolon follows")

#endif  // LANEWISE_TESTS_SUPPORT_OPERATOR_SUITE_H_
