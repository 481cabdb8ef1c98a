// SPDX-License-Identifier: Apache-2.0
//
// PRelu: the suite, and the shapes of slope before and after version 7.

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

const std::vector<OperandSpec> kXAndSlope = {{"X"}, {"slope"}};

}  // namespace

extern const OperatorSpec kSpec_prelu = {
    .name = "PRelu",
    .versions = {{1, kF3, kXAndSlope, {ConsumedInputsSpec()}},
                 {6, kF3, kXAndSlope},
                 {7, kF3, kXAndSlope},
                 {9, kN7, kXAndSlope},
                 {16, kN8, kXAndSlope}},
    .output = {"Y"},
    .exact =
        [](lw_type type, const long double* in) {
          return InTypeOf(type, in, [](auto x, auto slope) {
            return x < 0 ? slope * x : x;
          });
        },
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          const int64_t x = ReadInteger(type, in[0]);
          const auto slope = static_cast<uint64_t>(ReadInteger(type, in[1]));
          const bool below = IsSignedInteger(type) && x < 0;
          const uint64_t product = slope * static_cast<uint64_t>(x);
          WriteInteger(type, below ? static_cast<int64_t>(product) : x, out);
        },
    .wide = AnyExponent,
    .one_way = true,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/support/all_pairs16.h"
#include "tests/support/engines.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

// In versions 1 and 6, a slope of 1,000 elements beside as many of x is none.
OperatorSpec FromVersion7() {
  OperatorSpec spec = kSpec_prelu;
  spec.versions.erase(spec.versions.begin(), spec.versions.begin() + 2);
  return spec;
}
const OperatorSpec& SuiteSpec() {
  static const OperatorSpec& spec = *new OperatorSpec(FromVersion7());
  return spec;
}
const SuiteOf kSuite{SuiteSpec()};

constexpr OpId kPRelu = {"PRelu", 16, 2};

struct Leak {
  double operator()(double x, double slope) const {
    return x < 0 ? slope * x : x;
  }
};
TEST(PReluPairs, ExhaustiveFloat16) {
  CheckAllPairs16<uint16_t>(kPRelu, LW_FLOAT16, 0x7C00, ByDouble<5, 10, Leak>(),
                            LW_SAME);
}
TEST(PReluPairs, ExhaustiveBfloat16) {
  CheckAllPairs16<uint16_t>(kPRelu, LW_BFLOAT16, 0x7F80, ByDouble<8, 7, Leak>(),
                            LW_SAME);
}

// PRelu of an x of -1, -2, -3, ... by a slope of 1, 2, 3, ...
lw_status RunPRelu(int version, std::vector<int64_t> x_dims,
                   std::vector<int64_t> slope_dims, std::vector<float>* y) {
  const OpPtr op = MakeOp(nullptr, {"PRelu", version});
  const auto count = [](const std::vector<int64_t>& dims) {
    int64_t product = 1;
    for (const int64_t dim : dims) product *= dim;
    return static_cast<size_t>(product);
  };
  std::vector<float> x(count(x_dims)), slope(count(slope_dims));
  for (size_t i = 0; i < x.size(); ++i) x[i] = -1.0f - static_cast<float>(i);
  for (size_t i = 0; i < slope.size(); ++i)
    slope[i] = 1.0f + static_cast<float>(i);
  y->assign(x.size(), 0);
  const auto view = [](std::vector<float>& data, std::vector<int64_t>& dims) {
    return lw_tensor{data.data(), LW_FLOAT32, static_cast<int32_t>(dims.size()),
                     dims.data(), nullptr,    0};
  };
  const lw_tensor inputs[] = {view(x, x_dims), view(slope, slope_dims)};
  const lw_tensor output = view(*y, x_dims);
  return lw_op_run(op.get(), inputs, 2, &output, 1);
}

TEST(PReluByHand, OneSlopeForEachChannelBeforeVersion7) {
  std::vector<float> y;
  for (const int version : {1, 6}) {
    ASSERT_EQ(RunPRelu(version, {2, 3, 2}, {3}, &y), LW_OK) << lw_last_error();
    EXPECT_EQ(y, (std::vector<float>{-1, -2, -6, -8, -15, -18, -7, -8, -18, -20,
                                     -33, -36}));
    ASSERT_EQ(RunPRelu(version, {2, 3}, {1}, &y), LW_OK) << lw_last_error();
    EXPECT_EQ(y, (std::vector<float>{-1, -2, -3, -4, -5, -6}));
    ASSERT_EQ(RunPRelu(version, {3}, {}, &y), LW_OK) << lw_last_error();
    EXPECT_EQ(RunPRelu(version, {2, 3, 2}, {2}, &y), LW_INVALID_SHAPE);
    EXPECT_EQ(RunPRelu(version, {2, 3, 2}, {3, 1}, &y), LW_INVALID_SHAPE);
    EXPECT_EQ(RunPRelu(version, {3}, {3}, &y), LW_INVALID_SHAPE);
  }
}

TEST(PReluByHand, SlopeStretchesToTheShapeOfX) {
  std::vector<float> y;
  ASSERT_EQ(RunPRelu(7, {2, 3, 2}, {3, 1}, &y), LW_OK) << lw_last_error();
  EXPECT_EQ(y, (std::vector<float>{-1, -2, -6, -8, -15, -18, -7, -8, -18, -20,
                                   -33, -36}));
  EXPECT_EQ(RunPRelu(7, {2, 1}, {3}, &y), LW_INVALID_SHAPE);
  EXPECT_NE(std::string(lw_last_error()).find("slope"), std::string::npos);
  EXPECT_EQ(RunPRelu(7, {3}, {2, 3}, &y), LW_INVALID_SHAPE);
  EXPECT_EQ(RunPRelu(7, {2, 3}, {2}, &y), LW_INVALID_SHAPE);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
