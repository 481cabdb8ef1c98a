// SPDX-License-Identifier: Apache-2.0
//
// ReduceL1: the suite, and sums of magnitudes by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_l1 = {
    .name = "ReduceL1",
    .versions = ReductionVersions(),
    .output = {"reduced"},
    .reduced =
        [](const Sequence& sequence, void* out) {
          ReduceBySum(
              sequence, out, [](auto x) { return Magnitude(x); }, kItself);
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_l1);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceL1ByHand, Errors) {
  CheckReductionErrors(kSpec_reduce_l1, [](const long double* x, size_t count) {
    long double sum = 0;
    for (size_t k = 0; k < count; ++k) sum += std::fabs(x[k]);
    return sum;
  });
}

TEST(ReduceL1ByHand, Integers) {
  ExpectReduced(kSpec_reduce_l1, LW_INT32, {-5, 3, -1}, 9);
  ExpectReduced(kSpec_reduce_l1, LW_INT32, {-2147483648.0, -1}, -2147483647);
  ExpectReduced(kSpec_reduce_l1, LW_UINT32, {4294967295, 3}, 2);
  ExpectReduced(kSpec_reduce_l1, LW_INT64, {-0x1p40, -1}, 0x1p40 + 1);
}

TEST(ReduceL1ByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_l1, type, {}, 0.0);
    ExpectReduced(kSpec_reduce_l1, type, {-0.0}, 0.0);
    ExpectReduced(kSpec_reduce_l1, type, {-kInfinity, 3, kInfinity}, kInfinity);
    ExpectReduced(kSpec_reduce_l1, type, {1, kNan}, kNan);
  }
  ExpectReduced(kSpec_reduce_l1, LW_FLOAT16, {-2048, 1, -1}, 2050);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
