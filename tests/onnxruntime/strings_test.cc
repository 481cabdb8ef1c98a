// SPDX-License-Identifier: Apache-2.0
//
// Tensors of strings: short and long ones, empty ones, and bytes of 0.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/onnxruntime/host.h"
#include "tests/support/not_run.h"

namespace lanewise::test {
namespace {

using Strings = std::vector<std::string>;
using testing::ElementsAre;

constexpr auto kString = ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING;

class ProviderStrings : public testing::Test {
 protected:
  void SetUp() override {
    if (LoadOnnxRuntime() == nullptr) {
      LANEWISE_NOT_RUN("no ONNX Runtime in LANEWISE_TEST_ORT");
    }
    Register();
  }
  void TearDown() override {
    if (LoadOnnxRuntime() != nullptr) Unregister();
  }

  static Ort::Value Tensor(const Strings& strings, const Dims& dims) {
    Ort::AllocatorWithDefaultOptions allocator;
    Ort::Value value =
        Ort::Value::CreateTensor(allocator, dims.data(), dims.size(), kString);
    for (size_t i = 0; i < strings.size(); ++i) {
      std::copy(
          strings[i].begin(), strings[i].end(),
          value.GetResizedStringTensorElementBuffer(i, strings[i].size()));
    }
    return value;
  }

  static Strings Read(const Ort::Value& value) {
    Strings strings;
    const size_t count = value.GetTensorTypeAndShapeInfo().GetElementCount();
    for (size_t i = 0; i < count; ++i) {
      strings.push_back(value.GetStringTensorElement(i));
    }
    return strings;
  }

  const Strings some_ = {"", "short", std::string(1000, 'x'),
                         std::string("a\0b", 3)};
};

TEST_F(ProviderStrings, EqualComparesBytes) {
  Graph graph;
  graph.opset = 19;
  graph.inputs = {{"a", kString, {-1}}, {"b", kString, {-1}}};
  graph.outputs = {{"y", ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, {-1}}};
  graph.steps = {{"Equal", {"a", "b"}, {"y"}}};
  Ort::Session session = MakeStrictSession(std::move(graph));
  std::vector<Ort::Value> inputs;
  inputs.push_back(Tensor(some_, {4}));
  inputs.push_back(Tensor({std::string("a\0b", 3)}, {1}));
  EXPECT_THAT(Contents<bool>(RunModel(session, {"a", "b"}, inputs)),
              ElementsAre(false, false, false, true));
}

// The second Where may write over the result of the first.
TEST_F(ProviderStrings, WhereInAChain) {
  Graph graph;
  graph.opset = 16;
  graph.inputs = {{"c", ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, {-1}},
                  {"a", kString, {-1}},
                  {"b", kString, {-1}}};
  graph.outputs = {{"y", kString, {-1}}};
  graph.steps = {{"Where", {"c", "a", "b"}, {"s"}},
                 {"Where", {"c", "s", "a"}, {"t"}},
                 {"Where", {"c", "b", "t"}, {"y"}}};
  Ort::Session session = MakeStrictSession(std::move(graph));
  std::vector<unsigned char> condition = {1, 0, 1, 0};
  std::vector<Ort::Value> inputs;
  inputs.push_back(
      TensorOf(ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, {4}, condition));
  inputs.push_back(Tensor(some_, {4}));
  inputs.push_back(Tensor({"one of b"}, {1}));
  EXPECT_THAT(Read(RunModel(session, {"c", "a", "b"}, inputs)),
              ElementsAre("one of b", some_[1], "one of b", some_[3]));
}

TEST_F(ProviderStrings, ReshapeInAChain) {
  Graph graph;
  const auto integers = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;
  graph.inputs = {
      {"a", kString, {-1}}, {"p", integers, {2}}, {"q", integers, {1}}};
  graph.outputs = {{"y", kString, {-1}}};
  graph.steps = {{"Reshape", {"a", "p"}, {"s"}},
                 {"Reshape", {"s", "q"}, {"y"}}};
  Ort::Session session = MakeStrictSession(std::move(graph));
  std::vector<int64_t> square = {2, 2};
  std::vector<int64_t> flat = {-1};
  std::vector<Ort::Value> inputs;
  inputs.push_back(Tensor(some_, {4}));
  inputs.push_back(TensorOf(square, {2}));
  inputs.push_back(TensorOf(flat, {1}));
  EXPECT_EQ(Read(RunModel(session, {"a", "p", "q"}, inputs)), some_);
}

TEST_F(ProviderStrings, NoElements) {
  Graph graph;
  graph.opset = 19;
  graph.inputs = {{"a", kString, {-1}}, {"b", kString, {-1}}};
  graph.outputs = {{"y", ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, {-1}}};
  graph.steps = {{"Equal", {"a", "b"}, {"y"}}};
  Ort::Session session = MakeStrictSession(std::move(graph));
  std::vector<Ort::Value> inputs;
  inputs.push_back(Tensor({}, {0}));
  inputs.push_back(Tensor({"b"}, {1}));
  EXPECT_TRUE(Contents<bool>(RunModel(session, {"a", "b"}, inputs)).empty());
}

}  // namespace
}  // namespace lanewise::test
