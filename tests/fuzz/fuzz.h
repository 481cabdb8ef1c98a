// SPDX-License-Identifier: Apache-2.0
//
// What the fuzz targets share: an expectation of GoogleTest that fails ends the
// program, so that libFuzzer keeps the input.

#ifndef LANEWISE_TESTS_FUZZ_FUZZ_H_
#define LANEWISE_TESTS_FUZZ_FUZZ_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"
#include "tests/support/random_calls.h"

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  testing::GTEST_FLAG(break_on_failure) = true;
  return 0;
}

#endif  // LANEWISE_TESTS_FUZZ_FUZZ_H_
