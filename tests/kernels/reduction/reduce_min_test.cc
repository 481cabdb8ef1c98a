// SPDX-License-Identifier: Apache-2.0
//
// ReduceMin: the suite, and minima by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_min = {
    .name = "ReduceMin",
    .versions = ExtremeVersions(),
    .output = {"reduced"},
    .reduced = ReduceByExtreme<false>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_min);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceMinByHand, NanWins) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_min, type, {1, kNan, -kInfinity}, kNan);
    ExpectReduced(kSpec_reduce_min, type, {kNan, 1}, kNan);
    ExpectReduced(kSpec_reduce_min, type, {kNan}, kNan);
  }
}

TEST(ReduceMinByHand, NanKeepsItsBits) {
  CheckNanKeepsItsBits(kSpec_reduce_min);
}

TEST(ReduceMinByHand, AnyByteIsTrue) {
  CheckAnyByteIsTrue(kSpec_reduce_min, false);
}

TEST(ReduceMinByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_min, type, {}, kInfinity);
    ExpectReduced(kSpec_reduce_min, type, {3, kInfinity, 4, -kInfinity},
                  -kInfinity);
    ExpectReduced(kSpec_reduce_min, type, {3, kInfinity}, 3);
    ExpectReduced(kSpec_reduce_min, type, {-0.0, -0.0}, -0.0);
  }
}

TEST(ReduceMinByHand, EndsOfIntegers) {
  ExpectReduced(kSpec_reduce_min, LW_INT8, {}, 127);
  ExpectReduced(kSpec_reduce_min, LW_UINT8, {}, 255);
  ExpectReduced(kSpec_reduce_min, LW_INT32, {}, 2147483647);
  ExpectReduced(kSpec_reduce_min, LW_UINT32, {}, 4294967295);
  ExpectReduced(kSpec_reduce_min, LW_INT8, {-128, 127, 0}, -128);
  ExpectReduced(kSpec_reduce_min, LW_UINT8, {0, 255, 3}, 0);
  ExpectReduced(kSpec_reduce_min, LW_INT64, {-0x1p63, 0x1p62}, -0x1p63);
  ExpectReduced(kSpec_reduce_min, LW_UINT64, {0x1p63, 1}, 1);
}

TEST(ReduceMinByHand, Bools) {
  ExpectReduced(kSpec_reduce_min, LW_BOOL, {}, 1);
  ExpectReduced(kSpec_reduce_min, LW_BOOL, {0, 1, 0}, 0);
  ExpectReduced(kSpec_reduce_min, LW_BOOL, {0, 0}, 0);
  ExpectReduced(kSpec_reduce_min, LW_BOOL, {1, 1, 1}, 1);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
