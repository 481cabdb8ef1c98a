// SPDX-License-Identifier: Apache-2.0
//
// ArgMin: the suite, and places by hand.

#include <cstring>

#include "tests/support/operator_spec.h"
#include "tests/support/reduction_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_arg_min = {
    .name = "ArgMin",
    .versions = IndexVersions(),
    .output = {"reduced", "tensor(int64)", {LW_INT64}},
    .reduced =
        [](const Sequence& sequence, void* out) {
          const int64_t place = PlaceOfWinner(
              sequence, [](auto x, auto best) { return x < best; });
          std::memcpy(out, &place, sizeof(place));
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/support/reduction_suite.h"

namespace lanewise::test {
namespace {

const ReductionSuiteOf kSuite(kSpec_arg_min);

constexpr lw_type kFloats[] = {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ArgMinByHand, FirstOrLast) {
  for (const lw_type type :
       {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64, LW_INT8, LW_INT64}) {
    ExpectReduced(kSpec_arg_min, type, {1, 3, -2, 3, -2, 1}, 2);
    ExpectReduced(kSpec_arg_min, type, {1, 3, -2, 3, -2, 1}, 4, 1);
    ExpectReduced(kSpec_arg_min, type, {7}, 0, 1);
  }
  for (const lw_type type : kFloats) {  // zeros are equal
    ExpectReduced(kSpec_arg_min, type, {-0.0, 0.0, -0.0}, 0);
    ExpectReduced(kSpec_arg_min, type, {0.0, -0.0, 0.0}, 0);
    ExpectReduced(kSpec_arg_min, type, {0.0, -0.0, -0.0}, 2, 1);
  }
}

TEST(ArgMinByHand, NanWins) {
  for (const lw_type type : kFloats) {
    ExpectReduced(kSpec_arg_min, type, {1, kInfinity, kNan, -kInfinity, kNan},
                  2);
    ExpectReduced(kSpec_arg_min, type, {1, kNan, kInfinity, kNan, -kInfinity},
                  3, 1);
    ExpectReduced(kSpec_arg_min, type, {kNan, 1}, 0);
    ExpectReduced(kSpec_arg_min, type, {kNan, 1}, 0, 1);
    ExpectReduced(kSpec_arg_min, type, {kInfinity, kInfinity}, 0);
    ExpectReduced(kSpec_arg_min, type, {kInfinity, kInfinity}, 1, 1);
  }
}

TEST(ArgMinByHand, EndsOfIntegers) {
  ExpectReduced(kSpec_arg_min, LW_UINT8, {0, 255, 128}, 0);
  ExpectReduced(kSpec_arg_min, LW_INT16, {-32768, 32767, 0}, 0);
  ExpectReduced(kSpec_arg_min, LW_UINT32, {1, 4294967295, 0}, 2);
  ExpectReduced(kSpec_arg_min, LW_UINT64, {0x1p63, 1}, 1);
  ExpectReduced(kSpec_arg_min, LW_INT64, {-0x1p63, 0x1p62}, 0);
}

// A place that no 16-bit number can tell.
TEST(ArgMinByHand, PlacesFarAway) {
  std::vector<double> elements(70'001, 1);
  elements.back() = 0;
  for (const lw_type type : {LW_FLOAT16, LW_UINT8, LW_FLOAT64}) {
    ExpectReduced(kSpec_arg_min, type, elements, 70'000);
  }
}

TEST(ArgMinByHand, ADimWithoutElementsIsRefused) {
  for (const int32_t version : {1, 11, 12, 13}) {
    const OpPtr op = MakeOp(nullptr, {"ArgMin", version});
    const int64_t dims[] = {0, 3}, out_dims[] = {1, 3};
    int64_t places[3] = {7, 7, 7};
    const lw_tensor in = {nullptr, LW_FLOAT32, 2, dims, nullptr, 0};
    const lw_tensor out = {places, LW_INT64, 2, out_dims, nullptr, 0};
    lw_shape shape;
    EXPECT_EQ(lw_op_infer(op.get(), &in, 1, &shape), LW_INVALID_SHAPE);
    EXPECT_EQ(lw_op_run(op.get(), &in, 1, &out, 1), LW_INVALID_SHAPE);
    const std::string message = lw_last_error();
    EXPECT_EQ(message.rfind("ArgMin-" + std::to_string(version) + ": ", 0), 0u)
        << message;
    EXPECT_NE(message.find("[0,3]"), std::string::npos) << message;
    EXPECT_EQ(places[0], 7);
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
