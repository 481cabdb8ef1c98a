// SPDX-License-Identifier: Apache-2.0
//
// ReduceMax: the suite, and maxima by hand.

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reduce_max = {
    .name = "ReduceMax",
    .versions = ExtremeVersions(),
    .output = {"reduced"},
    .reduced = ReduceByExtreme<true>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_reduce_max);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ReduceMaxByHand, NanWins) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_max, type, {1, kNan, kInfinity}, kNan);
    ExpectReduced(kSpec_reduce_max, type, {kNan, 1}, kNan);
    ExpectReduced(kSpec_reduce_max, type, {kNan}, kNan);
  }
}

TEST(ReduceMaxByHand, NanKeepsItsBits) {
  CheckNanKeepsItsBits(kSpec_reduce_max);
}

TEST(ReduceMaxByHand, AnyByteIsTrue) {
  CheckAnyByteIsTrue(kSpec_reduce_max, true);
}

TEST(ReduceMaxByHand, Specials) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_reduce_max, type, {}, -kInfinity);
    ExpectReduced(kSpec_reduce_max, type, {3, kInfinity, 4, -kInfinity},
                  kInfinity);
    ExpectReduced(kSpec_reduce_max, type, {-3, -kInfinity}, -3);
    ExpectReduced(kSpec_reduce_max, type, {-0.0, -0.0}, -0.0);
  }
}

TEST(ReduceMaxByHand, EndsOfIntegers) {
  ExpectReduced(kSpec_reduce_max, LW_INT8, {}, -128);
  ExpectReduced(kSpec_reduce_max, LW_UINT8, {}, 0);
  ExpectReduced(kSpec_reduce_max, LW_INT32, {}, -2147483648.0);
  ExpectReduced(kSpec_reduce_max, LW_UINT32, {}, 0);
  ExpectReduced(kSpec_reduce_max, LW_INT8, {-128, 127, 0}, 127);
  ExpectReduced(kSpec_reduce_max, LW_UINT8, {0, 255, 3}, 255);
  ExpectReduced(kSpec_reduce_max, LW_INT64, {-0x1p63, 0x1p62}, 0x1p62);
  ExpectReduced(kSpec_reduce_max, LW_UINT64, {0x1p63, 1}, 0x1p63);
}

TEST(ReduceMaxByHand, Bools) {
  ExpectReduced(kSpec_reduce_max, LW_BOOL, {}, 0);
  ExpectReduced(kSpec_reduce_max, LW_BOOL, {0, 1, 0}, 1);
  ExpectReduced(kSpec_reduce_max, LW_BOOL, {0, 0}, 0);
  ExpectReduced(kSpec_reduce_max, LW_BOOL, {1, 1, 1}, 1);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
