// SPDX-License-Identifier: Apache-2.0
//
// Hardmax: the suite, and values by hand.

#include "tests/support/composed_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> Hardmax(const ComposedNode& node,
                             const std::vector<Numbers>& inputs) {
  Numbers y = inputs[0];
  const std::vector<int64_t> axes = SoftmaxAxes(node, y);
  const Numbers most = MaxOf(y, axes);
  std::vector<bool> is_found(most.values.size(), false);
  for (size_t i = 0; i < y.values.size(); ++i) {
    const size_t k = IndexWithout(y.dims, axes, i);
    const bool is_first = !is_found[k] && y.values[i] == most.values[k];
    y.values[i] = is_first ? 1 : 0;
    if (is_first) is_found[k] = true;
  }
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_hardmax = {
    .name = "Hardmax",
    .versions = {{1, kF3, {{"input"}}, {{"axis", LW_ATTRIBUTE_INT}}},
                 {11, kF3, {{"input"}}, {{"axis", LW_ATTRIBUTE_INT}}},
                 {13, kF4, {{"input"}}, {{"axis", LW_ATTRIBUTE_INT}}}},
    .output = {"output"},
    .allowed_ulp = 0,
    .composed = Hardmax,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/composed_suite.h"

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(
    kSpec_hardmax,
    {
        {13, {}, {{7}}, {}, "needs the shape of its input"},
        {13, {}, {{}}, {}, "needs the shape of its input"},
        {13, {}, {{3, 1}}, {}, "needs the shape of its input"},
        {13, {}, {{5, 300}}, {}, "needs the shape of its input"},
        {13, {IntOf("axis", 0)}, {{70, 5}}, {}, "needs the shape of its input"},
        {13,
         {IntOf("axis", 1)},
         {{2, 3, 4, 5}},
         {},
         "needs the shape of its input"},
        {13,
         {IntOf("axis", -2)},
         {{2, 33, 40}},
         {},
         "needs the shape of its input"},
        {13,
         {IntOf("axis", 1)},
         {{3, 0, 2}},
         {},
         "needs the shape of its input"},
        {13, {}, {{0, 4}}, {}, "needs the shape of its input"},
        {13, {}, {{90, 500}}, {}, "needs the shape of its input"},
        {11, {}, {{2, 3, 4}}, {}, "needs the shape of its input"},
        {11,
         {IntOf("axis", 2)},
         {{2, 3, 4}},
         {},
         "needs the shape of its input"},
        {11,
         {IntOf("axis", 0)},
         {{2, 3, 4}},
         {},
         "needs the shape of its input"},
        {1,
         {IntOf("axis", -1)},
         {{2, 3, 40}},
         {},
         "needs the shape of its input"},
        {1, {}, {{0, 3}}, {}, "needs the shape of its input"},
    });

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_P(ComposedSuite, ByHand) {
  const auto of = [](const std::vector<double>& x, int32_t opset,
                     const Dims64& dims) {
    return ComposedOutput(kSpec_hardmax, isa(), {opset, {}, {dims}}, LW_FLOAT32,
                          {x});
  };
  using Values = std::vector<double>;
  EXPECT_EQ(of({1, 3, 3, 2}, 13, {4}), (Values{0, 1, 0, 0}));
  EXPECT_EQ(of({1, 3, 3, 2}, 13, {2, 2}), (Values{0, 1, 1, 0}));
  EXPECT_EQ(of({1, 3, 3, 2}, 11, {1, 2, 2}), (Values{0, 1, 0, 0}));
  EXPECT_EQ(of({1, kNan, 3, kNan}, 13, {4}), (Values{0, 1, 0, 0}));
  EXPECT_EQ(of({-kInfinity, -kInfinity}, 13, {2}), (Values{1, 0}));
}

TEST(HardmaxCalls, WrongOnesAreRefused) {
  const OperatorSpec& spec = kSpec_hardmax;
  ExpectWrong(spec, {{13, {IntOf("axis", 2)}, {{2, 3}}},
                     LW_INVALID_SHAPE,
                     "axis 2 is none of [2,3]"});
  ExpectWrong(spec, {{11, {}, {{3}}}, LW_INVALID_SHAPE, "axis 1 is none"});
  ExpectWrong(spec, {{11, {}, {{2, 3}}},
                     LW_UNSUPPORTED_TYPE,
                     "bfloat16 is supported from version 13 on",
                     LW_BFLOAT16});
  ExpectWrong(spec,
              {{13, {}, {{2, 3}}}, LW_UNSUPPORTED_TYPE, "int32", LW_INT32});
  ExpectWrong(spec, {{13, {}, {{2, 3}, {3}}},
                     LW_WRONG_COUNT,
                     "1 input(s) are needed, not 2"});
  ExpectWrong(spec, {{13, {}, {{2, 3}}},
                     LW_WRONG_COUNT,
                     "1 output is needed, not 2",
                     LW_FLOAT32,
                     {},
                     2});
  ExpectWrong(spec, {{13, {}, {{2, 3}}},
                     LW_INVALID_SHAPE,
                     "the shape of output 0 is [2,3], not [3,2]",
                     LW_FLOAT32,
                     {},
                     1,
                     {{3, 2}}});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
