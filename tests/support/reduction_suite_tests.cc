// SPDX-License-Identifier: Apache-2.0
//
// The suite of reductions of the program that this file is linked into.

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

// Without initializers that run: objects of other files set them before main.
constinit const OperatorSpec* the_spec = nullptr;
constinit bool the_results_may_trap = false;

Isas SuiteIsas() { return IsasWithCode(*the_spec); }
Isas TrapIsas() { return the_results_may_trap ? Isas{} : SuiteIsas(); }

class ReductionTraps : public OnEveryIsa {};
class ReductionOnExactEngines : public OnEveryIsa {};
// How the work is divided does not depend on the instruction set.
class ReductionOnThreads : public OnEveryIsa {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReductionTraps);

INSTANTIATE_TEST_SUITE_P(Isa, ReductionSuite, testing::ValuesIn(SuiteIsas()),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Isa, ReductionOnExactEngines,
                         testing::ValuesIn(AllExactIsas()),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Isa, ReductionOnThreads,
                         testing::ValuesIn(BestAndLowest(SuiteIsas())),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Isa, ReductionTraps, testing::ValuesIn(TrapIsas()),
                         testing::PrintToStringParamName());

TEST_P(ReductionSuite, Lengths) { CheckReductionLengths(*the_spec, isa()); }
TEST_P(ReductionSuite, Columns) { CheckReductionColumns(*the_spec, isa()); }
TEST_P(ReductionSuite, Axes) { CheckReductionAxes(*the_spec, isa()); }
TEST_P(ReductionSuite, Edges) { CheckReductionEdges(*the_spec, isa()); }
TEST_P(ReductionSuite, Pieces) { CheckReductionPieces(*the_spec, isa()); }
TEST_P(ReductionSuite, ShapesAndStrides) {
  CheckReductionCalls(*the_spec, isa());
}
TEST_P(ReductionSuite, GuardPages) { CheckReductionGuards(*the_spec, isa()); }
TEST_P(ReductionOnThreads, SameBits) {
  CheckReductionThreads(*the_spec, isa());
}
TEST_P(ReductionSuite, Versions) { CheckReductionVersions(*the_spec, isa()); }
TEST_P(ReductionSuite, FloatEnvironment) {
  CheckReductionFloatEnv(*the_spec, isa());
}
TEST_P(ReductionSuite, InPlace) { CheckReductionInPlace(*the_spec, isa()); }
TEST_P(ReductionOnExactEngines, IgnoreTheEnvironment) {
  CheckReductionExactEngine(*the_spec, isa());
}
TEST_P(ReductionTraps, NothingTraps) { CheckReductionTraps(*the_spec, isa()); }

TEST(ReductionCalls, Faults) { CheckReductionFaults(*the_spec); }
TEST(ReductionCalls, Ranks) { CheckReductionRanks(*the_spec); }

}  // namespace

ReductionSuiteOf::ReductionSuiteOf(const OperatorSpec& spec, bool may_trap) {
  the_spec = &spec;
  the_results_may_trap = may_trap;
}

}  // namespace lanewise::test
