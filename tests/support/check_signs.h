// SPDX-License-Identifier: Apache-2.0
//
// Checks for Neg, Abs and Sign, which compute floats as bits.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_SIGNS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_SIGNS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/float_env.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {

struct InOut {
  uint64_t in;
  uint64_t out;
};

/// Values by hand, because the oracle might be wrong, too. Short and long jobs
/// may go different ways.
void CheckByHand(const OpId& op, lw_type type,
                 const std::vector<InOut>& values);

/// Rounding modes and FTZ change nothing, and nothing is raised.
void CheckNoFloatEnv(const OpId& op);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_SIGNS_H_
