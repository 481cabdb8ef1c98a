// SPDX-License-Identifier: Apache-2.0
//
// ReduceL2: the suite, and norms by hand.

#include <cfenv>
#include <cmath>
#include <type_traits>

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_l2 = {
    .name = "ReduceL2",
    .versions = ReductionVersions(),
    .output = {"reduced"},
    .reduced =
        [](const Sequence& sequence, void* out) {
          ReduceBySum(
              sequence, out, [](auto x) { return Times(x, x); },
              [](auto sum) {
                using A = decltype(sum);
                if constexpr (std::is_floating_point_v<A>) {
                  return std::sqrt(sum);
                } else {
                  // To nearest in any environment; the sum may have wrapped.
                  const int mode = std::fegetround();
                  std::fesetround(FE_TONEAREST);
                  const volatile auto wide = static_cast<double>(sum);
                  const volatile double root = std::sqrt(wide < 0 ? 0.0 : wide);
                  std::fesetround(mode);
                  return static_cast<A>(root);
                }
              });
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_l2, kMayTrap);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceL2ByHand, Errors) {
  CheckReductionErrors(kSpec_reduce_l2, [](const long double* x, size_t count) {
    return std::sqrt(std::inner_product(x, x + count, x, 0.0L));
  });
}

TEST(ReduceL2ByHand, IntegersAreTruncated) {
  ExpectReduced(kSpec_reduce_l2, LW_INT32, {3, -4}, 5);
  ExpectReduced(kSpec_reduce_l2, LW_UINT32, {3, 3}, 4);
  ExpectReduced(kSpec_reduce_l2, LW_INT64, {-1, 1, 1}, 1);
  ExpectReduced(kSpec_reduce_l2, LW_UINT64, {1, 1, 1, 1}, 2);
  // The sum of squares wraps to -2^31, to 2^31, and to -2^63.
  ExpectReduced(kSpec_reduce_l2, LW_INT32, {32768, 32768}, 0);
  ExpectReduced(kSpec_reduce_l2, LW_UINT32, {32768, 32768}, 46340);
  ExpectReduced(kSpec_reduce_l2, LW_INT64, {0x1p31, 0x1p31}, 0);
  ExpectReduced(kSpec_reduce_l2, LW_UINT64, {0x1p31, 0x1p31}, 3037000499);
}

TEST(ReduceL2ByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_l2, type, {}, 0.0);
    ExpectReduced(kSpec_reduce_l2, type, {-0.0}, 0.0);
    ExpectReduced(kSpec_reduce_l2, type, {-3, 4}, 5);
    ExpectReduced(kSpec_reduce_l2, type, {-kInfinity, 3}, kInfinity);
    ExpectReduced(kSpec_reduce_l2, type, {1, kNan, 2}, kNan);
  }
  // The sum of squares is beyond float16, and below float32.
  ExpectReduced(kSpec_reduce_l2, LW_FLOAT16, {24000, 32000}, 40000);
  ExpectReduced(kSpec_reduce_l2, LW_FLOAT32, {0x1p-80f, 0}, 0.0);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
