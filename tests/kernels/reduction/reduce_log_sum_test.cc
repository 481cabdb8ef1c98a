// SPDX-License-Identifier: Apache-2.0
//
// ReduceLogSum: the suite, and logarithms of sums by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_log_sum = {
    .name = "ReduceLogSum",
    .versions = LogarithmVersions(),
    .output = {"reduced"},
    .reduced_within = LogarithmOfSum,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_log_sum, kMayTrap);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceLogSumByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_log_sum, type, {}, -kInfinity);
    ExpectReduced(kSpec_reduce_log_sum, type, {0.0, -0.0}, -kInfinity);
    ExpectReduced(kSpec_reduce_log_sum, type, {1}, 0.0);
    ExpectReduced(kSpec_reduce_log_sum, type, {3, -2}, 0.0);
    ExpectReduced(kSpec_reduce_log_sum, type, {3, -4}, kNan);
    ExpectReduced(kSpec_reduce_log_sum, type, {3, kInfinity}, kInfinity);
    ExpectReduced(kSpec_reduce_log_sum, type, {3, -kInfinity}, kNan);
    ExpectReduced(kSpec_reduce_log_sum, type, {kNan, 1}, kNan);
  }
}

TEST(ReduceLogSumByHand, Integers) {
  const auto expect = [](lw_type type, const std::vector<double>& elements,
                         double expected) {
    ExpectReduced(kSpec_reduce_log_sum, type, elements, expected, 0, 18);
  };
  expect(LW_INT32, {10, 11}, 3);
  expect(LW_INT64, {0x1p62, 0}, 42);
  expect(LW_UINT64, {0x1p63, 0}, 43);
  expect(LW_INT32, {3, -3}, -2147483648.0);
  expect(LW_INT32, {3, -4}, -2147483648.0);
  expect(LW_INT64, {}, -0x1p63);
  expect(LW_UINT32, {0}, 0);
  expect(LW_UINT32, {}, 0);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
