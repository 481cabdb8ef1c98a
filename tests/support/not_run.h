// SPDX-License-Identifier: Apache-2.0
//
// A test that lacks something on its machine is skipped and says what. In CI it
// fails, where a test that never runs would not be noticed.

#ifndef LANEWISE_TESTS_SUPPORT_NOT_RUN_H_
#define LANEWISE_TESTS_SUPPORT_NOT_RUN_H_

#include <gtest/gtest.h>

#include <cstdlib>

#define LANEWISE_NOT_RUN(reason)                       \
  do {                                                 \
    ASSERT_STRNE(std::getenv("CI"), "true") << reason; \
    GTEST_SKIP() << reason;                            \
  } while (false)

#endif  // LANEWISE_TESTS_SUPPORT_NOT_RUN_H_
