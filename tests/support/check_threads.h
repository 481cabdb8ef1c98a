// SPDX-License-Identifier: Apache-2.0
//
// Checks that the bits of a result do not depend on the number of threads, on
// whether they belong to the library or the host, or on where the work is
// split.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_THREADS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_THREADS_H_

#include <gtest/gtest.h>

#include "tests/support/array.h"
#include "tests/support/engines.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// Tests sizes around chunk boundaries with a tuning that splits all of them,
/// and one size that the built-in tuning splits, too.
void CheckThreads(const OpId& op, lw_type type, lw_pattern pattern = LW_SAME);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_THREADS_H_
