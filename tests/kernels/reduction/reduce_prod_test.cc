// SPDX-License-Identifier: Apache-2.0
//
// ReduceProd: the suite, and products by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_prod = {
    .name = "ReduceProd",
    .versions = ReductionVersions(),
    .output = {"reduced"},
    .reduced =
        [](const Sequence& sequence, void* out) {
          InTypeOfResults(sequence.type, [&](auto zero) {
            using A = decltype(zero);
            WriteElement(sequence.type,
                         CombineInOrder(sequence, A{1}, kItself, Times<A>),
                         out);
          });
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_prod);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceProdByHand, Errors) {
  CheckReductionErrors(kSpec_reduce_prod, [](const long double* x,
                                             size_t count) {
    return std::accumulate(x, x + count, 1.0L, std::multiplies<long double>());
  });
}

TEST(ReduceProdByHand, IntegersWrap) {
  ExpectReduced(kSpec_reduce_prod, LW_INT32, {65536, 32768}, -2147483648.0);
  ExpectReduced(kSpec_reduce_prod, LW_UINT64, {0x1p40, 0x1p30}, 0);
  ExpectReduced(kSpec_reduce_prod, LW_INT64, {-3, 5, -7, 2}, 210);
}

TEST(ReduceProdByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_prod, type, {}, 1);
    ExpectReduced(kSpec_reduce_prod, type, {2, kNan, 2}, kNan);
    ExpectReduced(kSpec_reduce_prod, type, {-2, kInfinity}, -kInfinity);
    ExpectReduced(kSpec_reduce_prod, type, {0, 3, kInfinity}, kNan);
    ExpectReduced(kSpec_reduce_prod, type, {-0.0, 3}, -0.0);
    ExpectReduced(kSpec_reduce_prod, type, {-0.5, 3, 2}, -3);
  }
  // Beyond float16 in between.
  ExpectReduced(kSpec_reduce_prod, LW_FLOAT16, {60000, 4, 0.25, 0.125}, 7500);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
