// SPDX-License-Identifier: Apache-2.0
//
// LayerNormalization: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> LayerNormalization(const ComposedNode& node,
                                        const std::vector<Numbers>& inputs) {
  const Numbers& x = inputs[0];
  const NormalizedNumbers of(
      x, AxesFrom(static_cast<int64_t>(node.Number("axis", -1)), x.dims.size()),
      node.Epsilon());
  return {ScaledAndShifted(of.value, inputs[1], inputs[2]), of.mean,
          of.inverse};
}

}  // namespace

extern const OperatorSpec kSpec_layer_normalization = {
    .name = "LayerNormalization",
    .versions = {{17,
                  kF4,
                  {{"X"}, {"Scale"}, {"B", "T", {}, true}},
                  {{"axis", LW_ATTRIBUTE_INT},
                   {"epsilon", LW_ATTRIBUTE_FLOAT},
                   {"stash_type", LW_ATTRIBUTE_INT}}}},
    .output = {"Y"},
    .allowed_ulp = 12,
    .composed = LayerNormalization,
    .more_outputs = {{"Mean", "U", {LW_FLOAT32, LW_BFLOAT16}, true},
                     {"InvStdDev", "U", {LW_FLOAT32, LW_BFLOAT16}, true}},
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lanewise/lanewise.hpp"
#include "tests/support/composed_suite.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(
    kSpec_layer_normalization,
    {
        {17, {}, {{4, 5}, {5}, {5}}},
        {17, {}, {{4, 5}, {5}}},
        {17, {}, {{7}, {}, {1}}},
        {17, {}, {{3, 1}, {1}, {1}}},
        {17, {}, {{2, 3, 300}, {300}, {300}}},
        {17, {IntOf("axis", 1)}, {{2, 3, 4, 5}, {3, 4, 5}, {3, 4, 5}}},
        {17, {IntOf("axis", -2)}, {{2, 3, 4, 5}, {5}, {4, 1}}},
        {17, {IntOf("axis", 0)}, {{3, 4}, {3, 4}}},
        {17, {IntOf("axis", 0)}, {{3, 0}, {0}}},
        {17, {}, {{0, 4}, {4}, {4}}},
        {17, {FloatOf("epsilon", 0.5)}, {{4, 5}, {4, 5}, {5}}},
        {17, {IntOf("stash_type", LW_BFLOAT16)}, {{6, 40}, {40}, {40}}},
        {17, {}, {{90, 500}, {500}, {500}}},
    });

TEST(LayerNormalizationCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_layer_normalization;
  ExpectWrong(spec, {{17, {}, {{2, 3}, {2}}},
                     LW_INVALID_SHAPE,
                     "input 1 (Scale) of shape [2] does not stretch to [2,3]"});
  ExpectWrong(spec, {{17, {}, {{2, 3}, {4, 2, 3}}},
                     LW_INVALID_SHAPE,
                     "input 1 (Scale) of shape [4,2,3]"});
  ExpectWrong(spec, {{17, {}, {{2, 3}, {3}, {5}}},
                     LW_INVALID_SHAPE,
                     "input 2 (B) of shape [5] does not stretch to [2,3]"});
  ExpectWrong(spec, {{17, {IntOf("axis", 2)}, {{2, 3}, {3}}},
                     LW_INVALID_SHAPE,
                     "axis 2 is none of [2,3]"});
  ExpectWrong(spec, {{17, {}, {{2, 3}, {3}}},
                     LW_UNSUPPORTED_TYPE,
                     "input 1 (Scale) is float32, not float16",
                     LW_FLOAT32,
                     {LW_FLOAT32, LW_FLOAT16}});
  ExpectWrong(spec, {{17, {}, {{2, 3}, {3}}},
                     LW_WRONG_COUNT,
                     "input 1 (Scale) is left out",
                     LW_FLOAT32,
                     {LW_FLOAT32, LW_ABSENT}});
  ExpectWrong(
      spec,
      {{17, {}, {{2, 3}}}, LW_WRONG_COUNT, "2 to 3 inputs are needed, not 1"});
  ExpectWrong(spec, {{17, {}, {{2, 3}, {3}}},
                     LW_WRONG_COUNT,
                     "1 to 3 outputs are possible, not 4",
                     LW_FLOAT32,
                     {},
                     4});
  ExpectWrong(spec, {{17, {}, {{2, 3}, {3}}},
                     LW_INVALID_SHAPE,
                     "the shape of output 1 is [2,1], not [2,3]",
                     LW_FLOAT32,
                     {},
                     2});
  ExpectRefused(spec, 17, {IntOf("stash_type", LW_FLOAT16)}, "stash_type");
}

// An output that is left out does not change what messages call the next one.
TEST(LayerNormalizationCalls, OutputsKeepTheirNumbers) {
  const int64_t dims[] = {2, 3}, row[] = {3};
  float x[6] = {}, scale[3] = {}, y[6], wrong[6];
  const lw_tensor in[] = {{x, LW_FLOAT32, 2, dims, nullptr, 0},
                          {scale, LW_FLOAT32, 1, row, nullptr, 0}};
  const lw_tensor out[] = {{y, LW_FLOAT32, 2, dims, nullptr, 0},
                           {},
                           {wrong, LW_FLOAT32, 2, dims, nullptr, 0}};
  const OpPtr op = MakeOp(nullptr, {"LayerNormalization", 17});
  EXPECT_EQ(lw_op_run(op.get(), in, 2, out, 3), LW_INVALID_SHAPE);
  EXPECT_STREQ(lw_last_error(),
               "LayerNormalization-17: the shape of output 2 is [2,1], not "
               "[2,3]");
}

TEST(LayerNormalizationCalls, SeveralOutputsInCpp) {
  lanewise::Op op;
  ASSERT_TRUE(lanewise::Op::Create("LayerNormalization", 17, &op).ok());
  const int64_t dims[] = {1, 2}, row[] = {2}, one[] = {1, 1};
  float x[] = {-1, 1}, scale[] = {2, 3}, y[2], mean[1];
  const lw_tensor in[] = {{x, LW_FLOAT32, 2, dims, nullptr, 0},
                          {scale, LW_FLOAT32, 1, row, nullptr, 0}};
  const lw_tensor out[] = {{y, LW_FLOAT32, 2, dims, nullptr, 0},
                           {mean, LW_FLOAT32, 2, one, nullptr, 0}};
  lw_shape shapes[3];
  ASSERT_TRUE(op.Infer(in, shapes).ok());
  EXPECT_EQ(shapes[0].dims[1], 2);
  EXPECT_EQ(shapes[2].dims[1], 1);
  ASSERT_TRUE(op.Run(in, out).ok()) << lw_last_error();
  EXPECT_EQ(mean[0], 0);
  EXPECT_NEAR(y[0], -2, 1e-4);
}

// The mean of squares is that of differences: for large means, E[x^2] - E[x]^2
// would have no right digit.
TEST_P(ComposedSuite, LargeMeans) {
  const std::vector<double> y =
      ComposedOutput(kSpec_layer_normalization, isa(),
                     {17, {FloatOf("epsilon", 0)}, {{4}, {1}}}, LW_FLOAT32,
                     {{1e6, 1e6 + 1, 1e6, 1e6 + 1}, {1}});
  EXPECT_EQ(y, (std::vector<double>{-1, 1, -1, 1}));
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
