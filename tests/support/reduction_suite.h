// SPDX-License-Identifier: Apache-2.0
//
// The tests that every reduction must pass, made from its spec: versions, axes,
// shapes, strides, lengths, faults, threads and the floating-point environment,
// in every type on every instruction set for which the operator has code.
//
// A reduction's test file includes this header and names its spec:
//
//   const ReductionSuiteOf kSuite(kSpec_reduce_sum);
//
// The file adds results by hand.

#ifndef LANEWISE_TESTS_SUPPORT_REDUCTION_SUITE_H_
#define LANEWISE_TESTS_SUPPORT_REDUCTION_SUITE_H_

#include <gtest/gtest.h>

#include "tests/support/isas.h"
#include "tests/support/operator_spec.h"
#include "tests/support/operator_suite.h"
#include "tests/support/reduction_call.h"

namespace lanewise::test {

// Each checks all types of the newest version on one instruction set.
void CheckReductionLengths(const OperatorSpec& spec, const Isa& isa);
void CheckReductionColumns(const OperatorSpec& spec, const Isa& isa);
void CheckReductionAxes(const OperatorSpec& spec, const Isa& isa);
void CheckReductionEdges(const OperatorSpec& spec, const Isa& isa);
void CheckReductionPieces(const OperatorSpec& spec, const Isa& isa);
void CheckReductionCalls(const OperatorSpec& spec, const Isa& isa);
void CheckReductionGuards(const OperatorSpec& spec, const Isa& isa);
void CheckReductionInPlace(const OperatorSpec& spec, const Isa& isa);
void CheckReductionThreads(const OperatorSpec& spec, const Isa& isa);
void CheckReductionVersions(const OperatorSpec& spec, const Isa& isa);
void CheckReductionFloatEnv(const OperatorSpec& spec, const Isa& isa);
/// On an exact engine, whatever the environment is.
void CheckReductionExactEngine(const OperatorSpec& spec, const Isa& isa);
void CheckReductionTraps(const OperatorSpec& spec, const Isa& isa);

// These do not depend on the instruction set.
void CheckReductionFaults(const OperatorSpec& spec);
void CheckReductionRanks(const OperatorSpec& spec);
/// `exact` is the result of all elements as if each step were exact. Its error
/// in the documented order is below that of `count` additions of magnitudes.
void CheckReductionErrors(const OperatorSpec& spec,
                          long double (*exact)(const long double* x,
                                               size_t count));

/// The reduction that a program's suite tests. `may_trap`: results are not
/// exact, so flags that trap may be raised.
struct ReductionSuiteOf {
  explicit ReductionSuiteOf(const OperatorSpec& spec, bool may_trap = false);
};

class ReductionSuite : public OnEveryIsa {};

/// One call on all elements of a list; the one result. `columns`: the list is
/// the first of several equal columns, whose results must be equal.
long double Reduced(const OperatorSpec& spec, const Isa& isa, lw_type type,
                    const std::vector<double>& elements, size_t columns = 0,
                    int64_t takes_last = 0, int32_t opset = 28);
/// Holds Reduced, of rows and columns, against a result on every instruction
/// set. NaN is expected by NaN; the signs of zeros count.
void ExpectReduced(const OperatorSpec& spec, lw_type type,
                   const std::vector<double>& elements, double expected,
                   int64_t takes_last = 0, int32_t opset = 28);

/// ReduceMax, ReduceMin: a NaN comes out with its bits, wherever it stands.
void CheckNanKeepsItsBits(const OperatorSpec& spec);
/// The same: bools are 0 and 1, whatever byte stands for true.
void CheckAnyByteIsTrue(const OperatorSpec& spec, bool of_false_and_true);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_REDUCTION_SUITE_H_
