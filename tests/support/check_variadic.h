// SPDX-License-Identifier: Apache-2.0
//
// Checks of operators with any number of inputs: Max, Min, Sum, Mean.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_VARIADIC_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_VARIADIC_H_

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/check_unary.h"
#include "tests/support/engines.h"
#include "tests/support/isas.h"

namespace lanewise::test {

/// One call on rows of float32: one tensor for each row.
lw_status RunRows(const lw_op* op, std::vector<std::vector<float>>& in,
                  std::vector<float>* out);

/// A NaN in any place of any input gives a NaN there, and nowhere else.
void CheckNanWins(const char* name);

/// 1 to LW_MAX_INPUTS inputs, and no others. So many inputs of 2 give the same
/// again, or their sum.
void CheckCountsOfInputs(const char* name, bool adds = false);

/// One input gives its bits, those of NaNs and subnormal numbers included.
void CheckOneInputIsCopied(const char* name);

/// Inputs of one element, in rows of several lengths.
void CheckOneElement(const char* name, lw_type type,
                     const std::vector<double>& values, double expected);

/// Before `version`, all inputs have one shape.
void CheckStretchesFrom(const char* name, int version);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_VARIADIC_H_
