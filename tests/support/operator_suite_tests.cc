// SPDX-License-Identifier: Apache-2.0
//
// The operator suite of the program that this file is linked into.

#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

// Without initializers that run: objects of other files set them before main.
constinit const OperatorSpec* the_spec = nullptr;
constinit bool the_results_may_trap = false;

Isas SuiteIsas() {
  return the_spec == nullptr ? Isas{} : IsasWithCode(*the_spec);
}
Isas TrapIsas() {
  if (the_spec == nullptr || the_results_may_trap) return {};
  Isas isas = SuiteIsas();
  const Isas& fast = AllFastIsas();
  isas.insert(isas.end(), fast.begin(), fast.end());
  return isas;
}

class OperatorTraps : public OnEveryIsa {};
// Some operators have tests of their own in place of the suite.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OperatorSuite);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OperatorTraps);

INSTANTIATE_TEST_SUITE_P(Isa, OperatorSuite, testing::ValuesIn(SuiteIsas()),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Isa, OperatorTraps, testing::ValuesIn(TrapIsas()),
                         testing::PrintToStringParamName());

TEST_P(OperatorSuite, Values) { CheckSuiteValues(*the_spec, isa()); }
TEST_P(OperatorSuite, Patterns) { CheckSuitePatterns(*the_spec, isa()); }
TEST_P(OperatorSuite, LengthsAndAlignments) {
  CheckSuiteLengths(*the_spec, isa());
}
TEST_P(OperatorSuite, ShapesAndStrides) { CheckSuiteTensors(*the_spec, isa()); }
TEST_P(OperatorSuite, ThreadsAndStreaming) {
  CheckSuiteThreads(*the_spec, isa());
}
TEST_P(OperatorSuite, VersionsAgree) { CheckSuiteVersions(*the_spec, isa()); }
TEST_P(OperatorSuite, FloatEnvironment) {
  CheckSuiteFloatEnv(*the_spec, isa());
}
TEST_P(OperatorTraps, NothingTraps) { CheckSuiteTraps(*the_spec, isa()); }

}  // namespace

SuiteOf::SuiteOf(const OperatorSpec& spec, bool may_trap) {
  the_spec = &spec;
  the_results_may_trap = may_trap;
}

}  // namespace lanewise::test
