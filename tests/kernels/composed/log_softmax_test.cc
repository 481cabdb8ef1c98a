// SPDX-License-Identifier: Apache-2.0
//
// LogSoftmax: the suite, and values by hand.

#include "tests/support/softmax_spec.h"

namespace lanewise::test {

namespace {

std::vector<Numbers> LogSoftmax(const ComposedNode& node,
                                const std::vector<Numbers>& inputs) {
  Numbers y = inputs[0];
  const std::vector<int64_t> axes = SoftmaxAxes(node, y);
  const Numbers most = MaxOf(y, axes);
  Numbers e = y;
  for (size_t i = 0; i < y.values.size(); ++i) {
    y.values[i] -= most.values[IndexWithout(y.dims, axes, i)];
    e.values[i] = std::exp(y.values[i]);
  }
  const Numbers sum = SumOf(e, axes);
  for (size_t i = 0; i < y.values.size(); ++i) {
    const long double log = std::log(sum.values[IndexWithout(y.dims, axes, i)]);
    y.scales.push_back(std::max(std::fabs(y.values[i]), std::fabs(log) + 1));
    y.values[i] -= log;
  }
  return {y};
}

}  // namespace

extern const OperatorSpec kSpec_log_softmax = {
    .name = "LogSoftmax",
    .versions = SoftmaxVersions(),
    .output = {"output"},
    .allowed_ulp = 8,
    .composed = LogSoftmax,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(kSpec_log_softmax, SoftmaxCases());

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_P(ComposedSuite, ByHand) {
  const auto of = [](const std::vector<double>& x) {
    const ComposedCase node = {13, {}, {{static_cast<int64_t>(x.size())}}};
    return ComposedOutput(kSpec_log_softmax, isa(), node, LW_FLOAT64, {x});
  };
  EXPECT_EQ(of({5}), std::vector<double>{0});
  EXPECT_EQ(of({0, -kInfinity}), (std::vector<double>{0, -kInfinity}));
  for (const double y : of({1, kNan})) EXPECT_TRUE(std::isnan(y));
  for (const double y : of({-kInfinity, -kInfinity}))
    EXPECT_TRUE(std::isnan(y));
}

TEST(LogSoftmaxCalls, WrongOnesAreRefused) {
  ExpectWrongSoftmaxCalls(kSpec_log_softmax);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
