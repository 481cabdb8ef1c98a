// SPDX-License-Identifier: Apache-2.0
//
// The layout of convolutions, in graphs made by hand. layouts_test.py compares
// with ONNX Runtime.

#include "runtime/onnxruntime/layouts.h"

#include <gtest/gtest.h>

#include "tests/onnxruntime/graph_builder.h"

namespace lanewise::ort {
namespace {

// A graph of values of 16 channels, in which Conv needs an input and a name.
class Net {
 public:
  Net() : b_(LW_FLOAT32) { b_.Shape("x", kShape).Weights("w", {16, 16, 3, 3}); }
  Net& Conv(const std::string& input, const std::string& output) {
    b_.Add("Conv", {input, "w"}, output).Shape(output, kShape);
    return *this;
  }
  Net& Add(const std::string& op, const std::vector<std::string>& inputs,
           const std::string& output) {
    b_.Add(op, inputs, output).Shape(output, kShape);
    return *this;
  }
  Builder& builder() { return b_; }
  int Added(const std::vector<int>& nodes) {
    return Reorders(b_.End().graph()).AddedBy(nodes);
  }
  int All(const std::vector<int>& without = {}) {
    return ReordersIn(b_.End().graph(), without);
  }

 private:
  static inline const std::vector<int64_t> kShape = {1, 16, 8, 8};
  Builder b_;
};

TEST(Layouts, OneReorderAtEachEnd) {
  Net net;
  net.Conv("x", "a").Conv("a", "b").Conv("b", "y");
  EXPECT_EQ(net.All(), 2);
}

TEST(Layouts, ScalarsEndTheLayoutAnyway) {
  Net net;
  net.builder().Scalar("s", 2);
  net.Conv("x", "a").Add("Mul", {"a", "s"}, "b").Add("Add", {"b", "s"}, "c");
  net.Conv("c", "y");
  EXPECT_EQ(net.All(), 4);
  EXPECT_EQ(net.Added({1, 2}), 0);
}

TEST(Layouts, ProductsHandTheLayoutOn) {
  Net net;
  net.Conv("x", "a").Add("Relu", {"a"}, "b").Add("Mul", {"b", "b"}, "c");
  net.Conv("c", "y");
  EXPECT_EQ(net.All(), 2);
  EXPECT_EQ(net.Added({2}), 2);
  EXPECT_EQ(net.Added({1, 2}), 2);
}

TEST(Layouts, SiluKeepsTheLayoutInNewVersions) {
  Net net;
  net.Conv("x", "a").Add("Sigmoid", {"a"}, "s").Add("Mul", {"a", "s"}, "c");
  net.Conv("c", "y");
  EXPECT_EQ(net.All(), 2);
  EXPECT_EQ(net.Added({2}), 3);
  net.builder().graph().ort_minor = 24;
  EXPECT_EQ(net.All(), 4);
}

TEST(Layouts, OneReorderServesAllReaders) {
  Net net;
  net.Conv("x", "a")
      .Conv("x", "b")
      .Add("LogSoftmax", {"a"}, "c")
      .Add("Softmax", {"a"}, "d");
  EXPECT_EQ(net.All(), 3);
}

TEST(Layouts, NoneOnOtherProcessors) {
  Net net;
  net.Conv("x", "a").Add("Mul", {"a", "a"}, "b").Conv("b", "y");
  net.builder().graph().block_channels = 1;
  EXPECT_EQ(net.All(), 0);
  EXPECT_EQ(net.Added({1}), 0);
}

TEST(Layouts, SumsBecomePartOfConvolutions) {
  Net net;
  net.Conv("x", "a").Conv("x", "b").Add("Add", {"a", "b"}, "c");
  net.Add("Relu", {"c"}, "d").Conv("d", "y");
  std::vector<int> fused;
  for (const Fusion& fusion : FusionsIn(net.builder().End().graph())) {
    fused.insert(fused.end(), fusion.nodes.begin(), fusion.nodes.end());
  }
  EXPECT_EQ(fused, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(net.Added({2}), 3);
}

}  // namespace
}  // namespace lanewise::ort
