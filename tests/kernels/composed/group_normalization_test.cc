// SPDX-License-Identifier: Apache-2.0
//
// GroupNormalization: the suite, and wrong calls.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

constexpr int64_t kOneGroup = 1;

std::vector<Numbers> GroupNormalization(const ComposedNode& node,
                                        const std::vector<Numbers>& inputs) {
  const auto groups = static_cast<int64_t>(node.Number("num_groups", 1));
  Numbers x = inputs[0];
  const std::vector<int64_t> dims = x.dims;
  x.dims.insert(x.dims.begin() + 2, dims[1] / groups);
  x.dims[1] = groups;
  const NormalizedNumbers of(x, AxesFrom(2, x.dims.size()), node.Epsilon());
  Numbers scale = inputs[1];
  Numbers shift = inputs[2];
  if (node.version >= 21) {
    scale.dims = shift.dims = {groups, dims[1] / groups};
  }
  Numbers y = ScaledAndShifted(of.value, scale, shift, 1);
  y.dims = dims;
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_group_normalization = {
    .name = "GroupNormalization",
    .versions = {{18,
                  kF4,
                  {{"X"}, {"scale"}, {"bias"}},
                  {{"epsilon", LW_ATTRIBUTE_FLOAT},
                   {"num_groups", LW_ATTRIBUTE_INT, true}}},
                 {21,
                  kF4,
                  {{"X"}, {"scale"}, {"bias"}},
                  {{"epsilon", LW_ATTRIBUTE_FLOAT},
                   {"num_groups", LW_ATTRIBUTE_INT, true},
                   {"stash_type", LW_ATTRIBUTE_INT}}}},
    .output = {"Y"},
    .allowed_ulp = 12,
    .composed = GroupNormalization,
    .attributes = {{"num_groups", LW_ATTRIBUTE_INT, 1, &kOneGroup}},
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/composed_suite.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(
    kSpec_group_normalization,
    {
        {21, {IntOf("num_groups", 2)}, {{2, 4, 3, 5}, {4}, {4}}},
        {21, {IntOf("num_groups", 4)}, {{2, 4, 7}, {4}, {4}}},
        {21, {IntOf("num_groups", 1)}, {{3, 6}, {6}, {6}}},
        {21,
         {IntOf("num_groups", 2), FloatOf("epsilon", 0.5)},
         {{2, 4, 7}, {4}, {4}}},
        {21, {IntOf("num_groups", 2)}, {{2, 4, 0}, {4}, {4}}},
        {21, {IntOf("num_groups", 8)}, {{2, 32, 20, 20}, {32}, {32}}},
        {18, {IntOf("num_groups", 2)}, {{2, 4, 3, 5}, {2}, {2}}},
        {18, {IntOf("num_groups", 4)}, {{2, 4, 7}, {4}, {4}}},
    });

TEST(GroupNormalizationCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_group_normalization;
  const auto wrong = [&](int32_t opset, const std::vector<Dims64>& inputs,
                         const char* text) {
    ExpectWrong(
        spec,
        {{opset, {IntOf("num_groups", 2)}, inputs}, LW_INVALID_SHAPE, text});
  };
  wrong(21, {{2, 3, 4}, {3}, {3}}, "dim 1 of [2,3,4] cannot be divided into 2");
  wrong(21, {{6}, {3}, {3}}, "dim 1 of [6] cannot be divided");
  wrong(21, {{2, 4, 4}, {2}, {4}}, "input 1 (scale) is of shape [4], not [2]");
  wrong(21, {{2, 4, 4}, {4}, {1}}, "input 2 (bias) is of shape [4], not [1]");
  wrong(18, {{2, 4, 4}, {4}, {4}}, "input 1 (scale) is of shape [2], not [4]");
  ExpectWrong(spec, {{21, {IntOf("num_groups", 2)}, {{2, 4, 4}, {4}, {4}}},
                     LW_INVALID_SHAPE,
                     "the shape of output 0 is [2,4,4], not [4,2,4]",
                     LW_FLOAT32,
                     {},
                     1,
                     {{4, 2, 4}}});
  ExpectRefused(spec, 21, {IntOf("num_groups", 0)}, "num_groups");
  ExpectRefused(spec, 21, {IntOf("num_groups", 2), IntOf("stash_type", 7)},
                "stash_type");
}

// Strides that nobody can reach are refused, but not of tensors without
// elements.
TEST(GroupNormalizationCalls, StridesThatOverflow) {
  const int64_t groups = 2;
  const OpPtr op = MakeOp(nullptr, {"GroupNormalization", 21},
                          {IntAttribute("num_groups", &groups)});
  Array x(LW_FLOAT32, 16), channels(LW_FLOAT32, 4), y(LW_FLOAT32, 16);
  const auto run = [&](const Dims64& dims) {
    const Tensor in = {LW_FLOAT32, x.data(), dims, {1, INT64_MAX / 3 * 2, 1}};
    const Tensor of_channels = TensorOf(channels), out = TensorOf(y, dims);
    const lw_tensor inputs[] = {in.view(), of_channels.view(),
                                of_channels.view()};
    const lw_tensor output = out.view();
    return lw_op_run(op.get(), inputs, 3, &output, 1);
  };
  EXPECT_EQ(run({1, 4, 4}), LW_SIZE_OVERFLOW);
  EXPECT_NE(std::string(lw_last_error()).find("GroupNormalization-21: input 0"),
            std::string::npos)
      << lw_last_error();
  EXPECT_EQ(run({0, 4, 4}), LW_OK) << lw_last_error();
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
