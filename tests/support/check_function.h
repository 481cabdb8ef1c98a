// SPDX-License-Identifier: Apache-2.0
//
// What the tests of functions of one input share that always round to nearest
// and keep NaN as it is: the trigonometric and the hyperbolic ones.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_FUNCTION_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_FUNCTION_H_

#include <cstdint>
#include <vector>

#include "tests/support/check_ulps.h"

namespace lanewise::test {

/// A NaN becomes quiet, and keeps its sign and payload.
void CheckKeepsNaN(const OpId& op);

/// Zeros and the smallest numbers of each type stay.
void CheckKeepsSmall(const OpId& op);

/// What holds of all these functions: NaN, the same bits everywhere, no flag
/// that is not due, to nearest always. `ordinary`: arguments with finite
/// results.
void CheckFunction(const OpId& op, const std::vector<double>& ordinary);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_FUNCTION_H_
