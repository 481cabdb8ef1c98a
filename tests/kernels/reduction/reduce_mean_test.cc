// SPDX-License-Identifier: Apache-2.0
//
// ReduceMean: the suite, and means by hand.

#include <type_traits>

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_mean = {
    .name = "ReduceMean",
    .versions = ReductionVersions(),
    .output = {"reduced"},
    .reduced =
        [](const Sequence& sequence, void* out) {
          InTypeOfResults(sequence.type, [&](auto zero) {
            using A = decltype(zero);
            const A sum = SumInOrder<A>(sequence);
            // Integers are divided in 64 bits.
            using Wide = std::conditional_t<
                std::is_floating_point_v<A>, A,
                std::conditional_t<std::is_signed_v<A>, int64_t, uint64_t>>;
            const auto count = static_cast<Wide>(sequence.count);
            const bool is_none = std::is_integral_v<A> && count == 0;
            WriteElement(sequence.type,
                         is_none ? A{0} : static_cast<A>(sum / count), out);
          });
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_mean);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceMeanByHand, Errors) {
  CheckReductionErrors(kSpec_reduce_mean,
                       [](const long double* x, size_t count) {
                         return std::accumulate(x, x + count, 0.0L) / count;
                       });
}

TEST(ReduceMeanByHand, IntegersAreTruncated) {
  ExpectReduced(kSpec_reduce_mean, LW_INT32, {-7, 0}, -3);
  ExpectReduced(kSpec_reduce_mean, LW_INT64, {-1, -1, -1, -4}, -1);
  ExpectReduced(kSpec_reduce_mean, LW_UINT32, {7, 0}, 3);
  ExpectReduced(kSpec_reduce_mean, LW_UINT64, {1, 2, 5}, 2);
}
// The sum wraps before the division.
TEST(ReduceMeanByHand, IntegersWrap) {
  ExpectReduced(kSpec_reduce_mean, LW_INT32, {2147483647, 1}, -1073741824);
  ExpectReduced(kSpec_reduce_mean, LW_UINT32, {4294967295, 3}, 1);
}

TEST(ReduceMeanByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_mean, type, {}, kNan);
    ExpectReduced(kSpec_reduce_mean, type, {1, kNan, 2}, kNan);
    ExpectReduced(kSpec_reduce_mean, type, {-kInfinity, 2}, -kInfinity);
    ExpectReduced(kSpec_reduce_mean, type, {1, 2, 3, 4}, 2.5);
  }
  ExpectReduced(kSpec_reduce_mean, LW_FLOAT16, {65504, 65504}, 65504);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
