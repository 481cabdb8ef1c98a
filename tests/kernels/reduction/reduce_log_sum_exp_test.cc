// SPDX-License-Identifier: Apache-2.0
//
// ReduceLogSumExp: the suite, and results by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_log_sum_exp = {
    .name = "ReduceLogSumExp",
    .versions = LogarithmVersions(),
    .output = {"reduced"},
    .reduced_within = LogarithmOfSumOfPowers,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_log_sum_exp, kMayTrap);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceLogSumExpByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_log_sum_exp, type, {}, -kInfinity);
    ExpectReduced(kSpec_reduce_log_sum_exp, type, {-kInfinity}, -kInfinity);
    ExpectReduced(kSpec_reduce_log_sum_exp, type, {-kInfinity, -kInfinity},
                  -kInfinity);
    ExpectReduced(kSpec_reduce_log_sum_exp, type, {-kInfinity, 2}, 2);
    ExpectReduced(kSpec_reduce_log_sum_exp, type, {1, kInfinity}, kNan);
    ExpectReduced(kSpec_reduce_log_sum_exp, type, {kInfinity}, kNan);
    ExpectReduced(kSpec_reduce_log_sum_exp, type, {kNan, 1}, kNan);
    ExpectReduced(kSpec_reduce_log_sum_exp, type, {kNan, kInfinity}, kNan);
  }
}

// One element is the result; e^x alone would overflow or be 0.
TEST(ReduceLogSumExpByHand, TheMaximumIsSubtracted) {
  for (const lw_type type : kFloats) {
    for (const double x : {0.0, 1.5, -7.0, 1000.0, -1000.0, 30'000.0}) {
      const double number = type == LW_BFLOAT16 && x > 1000 ? 29'952 : x;
      ExpectReduced(kSpec_reduce_log_sum_exp, type, {number}, number);
      ExpectReduced(kSpec_reduce_log_sum_exp, type, {number, -32'768}, number);
    }
  }
}

TEST(ReduceLogSumExpByHand, Integers) {
  const auto expect = [](lw_type type, const std::vector<double>& elements,
                         double expected) {
    ExpectReduced(kSpec_reduce_log_sum_exp, type, elements, expected, 0, 18);
  };
  expect(LW_INT32, {10, 10, 10}, 11);
  expect(LW_INT32, {-10, -10}, -9);
  expect(LW_UINT64, {1, 2, 3}, 3);
  expect(LW_INT64, {-5, 1000}, 1000);
  expect(LW_INT32, {}, -2147483648.0);
  expect(LW_UINT64, {}, 0);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
