// SPDX-License-Identifier: Apache-2.0
//
// Hardmax: the suite, and values by hand.

#include "tests/support/softmax_spec.h"

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
    .versions = SoftmaxVersions(),
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

#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

const ComposedSuiteOf kSuite(kSpec_hardmax, SoftmaxCases());

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

// No memory is needed, and none for the positions.
TEST(HardmaxCalls, ShapesWithoutData) {
  constexpr int64_t kMany = int64_t{1} << 40;
  for (const int32_t opset : {11, 13}) {
    const OpPtr op = MakeOp(nullptr, {"Hardmax", opset});
    for (const Dims64& dims : {Dims64{3, kMany}, Dims64{4, 1 << 20, 1 << 19},
                               Dims64{0, kMany, kMany}, Dims64{kMany, 0, kMany},
                               Dims64{0, 5}, Dims64{5, 0}}) {
      const Tensor tensor = {LW_FLOAT32, nullptr, dims};
      const lw_tensor x = tensor.view();
      lw_shape shape;
      ASSERT_EQ(lw_op_infer(op.get(), &x, 1, &shape), LW_OK) << lw_last_error();
      EXPECT_EQ(Dims64(shape.dims, shape.dims + shape.rank), dims);
      if (Count(dims) != 0) continue;
      EXPECT_EQ(lw_op_run(op.get(), &x, 1, &x, 1), LW_OK) << lw_last_error();
    }
  }
}

TEST(HardmaxCalls, WrongOnesAreRefused) {
  ExpectWrongSoftmaxCalls(kSpec_hardmax);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
