// SPDX-License-Identifier: Apache-2.0
//
// Softmax: the suite, and values by hand.

#include "tests/support/softmax_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> Softmax(const ComposedNode& node,
                             const std::vector<Numbers>& inputs) {
  Numbers y = inputs[0];
  const std::vector<int64_t> axes = SoftmaxAxes(node, y);
  const Numbers most = MaxOf(y, axes);
  for (size_t i = 0; i < y.values.size(); ++i) {
    const size_t k = IndexWithout(y.dims, axes, i);
    y.values[i] = std::exp(y.values[i] - most.values[k]);
  }
  const Numbers sum = SumOf(y, axes);
  for (size_t i = 0; i < y.values.size(); ++i) {
    y.values[i] /= sum.values[IndexWithout(y.dims, axes, i)];
  }
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_softmax = {
    .name = "Softmax",
    .versions = SoftmaxVersions(),
    .output = {"output"},
    .allowed_ulp = 6,
    .composed = Softmax,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(kSpec_softmax, SoftmaxCases());

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> SoftmaxOf(const std::vector<double>& x, const Isa& isa,
                              lw_type type = LW_FLOAT32) {
  const ComposedCase node = {13, {}, {{static_cast<int64_t>(x.size())}}};
  return ComposedOutput(kSpec_softmax, isa, node, type, {x});
}

TEST_P(ComposedSuite, ByHand) {
  using Values = std::vector<double>;
  for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64}) {
    EXPECT_EQ(SoftmaxOf({5}, isa(), type), Values{1});
    EXPECT_EQ(SoftmaxOf({2, 2, 2, 2}, isa(), type), Values(4, 0.25));
    EXPECT_EQ(SoftmaxOf({0, -kInfinity}, isa(), type), (Values{1, 0}));
    EXPECT_EQ(SoftmaxOf({60000, 60000, 0}, isa(), type), (Values{0.5, 0.5, 0}));
    for (const Values& x : {Values{-kInfinity, -kInfinity}, Values{1, kNan},
                            Values{kInfinity, kInfinity}}) {
      for (const double y : SoftmaxOf(x, isa(), type))
        EXPECT_TRUE(std::isnan(y));
    }
  }
}

TEST(SoftmaxCalls, WrongOnesAreRefused) {
  ExpectWrongSoftmaxCalls(kSpec_softmax);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
