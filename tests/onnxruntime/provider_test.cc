// SPDX-License-Identifier: Apache-2.0
//
// The provider in the real ONNX Runtime: whether it loads, what it takes, how
// it fails, and how it leaves.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "lanewise/lanewise.h"
#include "tests/onnxruntime/host.h"
#include "tests/support/not_run.h"

namespace lanewise::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// Each test runs in a process of its own (ctest), or one after the other.
class Provider : public testing::Test {
 protected:
  void SetUp() override {
    if (LoadOnnxRuntime() == nullptr) {
      LANEWISE_NOT_RUN("no ONNX Runtime in LANEWISE_TEST_ORT");
    }
    Register();
    registered_ = true;
  }
  void TearDown() override {
    if (registered_) Unregister();
  }
  void UnregisterNow() {
    Unregister();
    registered_ = false;
  }

 private:
  bool registered_ = false;
};

// What the failure says; nothing if there is none.
template <typename Body>
std::string Failure(const Body& body) {
  try {
    body();
  } catch (const Ort::Exception& error) {
    return error.what();
  }
  return "";
}

Graph OneStep(const std::string& op, OrtType type, size_t inputs,
              OrtType output) {
  Graph graph;
  Step step = {op, {}, {"y"}};
  for (size_t i = 0; i < inputs; ++i) {
    step.inputs.push_back(std::string(1, static_cast<char>('a' + i)));
    graph.inputs.push_back({step.inputs.back(), type, {-1}});
  }
  graph.outputs = {{"y", output, {-1}}};
  graph.steps = {step};
  return graph;
}

Graph OneStep(const std::string& op, OrtType type, size_t inputs) {
  return OneStep(op, type, inputs, type);
}

template <typename T>
constexpr OrtType kOrtType = Ort::TypeToTensorType<T>::type;

template <typename T>
std::vector<T> Divide(std::vector<T> a, std::vector<T> b) {
  Ort::Session session = MakeStrictSession(OneStep("Div", kOrtType<T>, 2));
  std::vector<Ort::Value> inputs;
  inputs.push_back(TensorOf(a, {static_cast<int64_t>(a.size())}));
  inputs.push_back(TensorOf(b, {static_cast<int64_t>(b.size())}));
  return Contents<T>(RunModel(session, {"a", "b"}, inputs));
}

TEST_F(Provider, DescribesItself) {
  const std::vector<Ort::ConstEpDevice> devices = Devices();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_STREQ(devices[0].EpVendor(), "lanewise");
  EXPECT_EQ(devices[0].Device().Type(), OrtHardwareDeviceType_CPU);
}

TEST_F(Provider, ComesAndGoes) {
  EXPECT_EQ(Devices().size(), 1u);
  Unregister();
  EXPECT_EQ(Devices().size(), 0u);
  Register();
  EXPECT_EQ(Devices().size(), 1u);
  EXPECT_THAT(Divide<float>({6}, {3}), ElementsAre(2));
}

TEST_F(Provider, SessionOutlivesRegistration) {
  Ort::Session session = MakeStrictSession(OneStep("Relu", kOrtType<float>, 1));
  UnregisterNow();
  std::vector<float> x = {-1, 2};
  std::vector<Ort::Value> inputs;
  inputs.push_back(TensorOf(x, {2}));
  EXPECT_THAT(Contents<float>(RunModel(session, {"a"}, inputs)),
              ElementsAre(0, 2));
}

TEST_F(Provider, ExportsItsTwoFunctionsOnly) {
  void* library = dlopen(LANEWISE_ORT_PROVIDER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr);
  EXPECT_NE(dlsym(library, "CreateEpFactories"), nullptr);
  EXPECT_NE(dlsym(library, "ReleaseEpFactory"), nullptr);
  EXPECT_EQ(dlsym(library, "lw_version"), nullptr);
  dlclose(library);
}

// An ONNX Runtime that does not know the interface that the provider needs.
const OrtApi* ORT_API_CALL GetOldApi(uint32_t version) noexcept {
  return version < 24 ? LoadOnnxRuntime()->GetApi(version) : nullptr;
}

TEST_F(Provider, RefusesAnOldOnnxRuntime) {
  OrtApiBase old = *LoadOnnxRuntime();
  old.GetApi = GetOldApi;
  old.GetVersionString = []() noexcept { return "1.23.2"; };
  void* library = dlopen(LANEWISE_ORT_PROVIDER, RTLD_NOW | RTLD_LOCAL);
  const auto create = reinterpret_cast<CreateEpApiFactoriesFn>(
      dlsym(library, "CreateEpFactories"));
  OrtEpFactory* factory = nullptr;
  size_t count = 1;
  const Ort::Status status(
      create("lanewise", &old, nullptr, &factory, 1, &count));
  ASSERT_FALSE(status.IsOK());
  EXPECT_THAT(status.GetErrorMessage(), HasSubstr("1.24 or newer"));
  EXPECT_THAT(status.GetErrorMessage(), HasSubstr("1.23.2"));
  EXPECT_EQ(count, 0u);
  dlclose(library);
}

TEST_F(Provider, ZeroDivisorsAreAnError) {
  Ort::Session session =
      MakeStrictSession(OneStep("Div", kOrtType<int32_t>, 2));
  std::vector<int32_t> a = {1, 2, 3};
  std::vector<int32_t> b = {1, 0, 3};
  std::vector<Ort::Value> inputs;
  inputs.push_back(TensorOf(a, {3}));
  inputs.push_back(TensorOf(b, {3}));
  EXPECT_THAT(Failure([&] {
                RunModel(session, {"a", "b"}, inputs);
              }),
              HasSubstr("Integer division by zero"));
  b[1] = 2;  // the session lives on
  EXPECT_THAT(Contents<int32_t>(RunModel(session, {"a", "b"}, inputs)),
              ElementsAre(1, 1, 1));
}

TEST_F(Provider, ConstantZeroDivisorIsAnError) {
  Graph graph = OneStep("Div", kOrtType<int64_t>, 2);
  graph.inputs.pop_back();
  Ort::AllocatorWithDefaultOptions allocator;
  const int64_t dims[] = {1};
  Ort::Value zero = Ort::Value::CreateTensor<int64_t>(allocator, dims, 1);
  *zero.GetTensorMutableData<int64_t>() = 0;
  graph.constants.emplace("b", std::move(zero));
  EXPECT_THAT(Failure([&] { MakeStrictSession(std::move(graph)); }),
              HasSubstr("Integer division by zero"));
}

// 1.5 * max(x / d, 0) + x, where x / d is an output, too.
Graph Chain() {
  Graph graph;
  graph.inputs = {{"x", kOrtType<float>, {-1}}, {"d", kOrtType<float>, {-1}}};
  graph.outputs = {{"y", kOrtType<float>, {-1}}, {"q", kOrtType<float>, {-1}}};
  graph.steps = {{"Div", {"x", "d"}, {"q"}},
                 {"LeakyRelu", {"q"}, {"r"}, {{"alpha", 0.0f}}},
                 {"Mul", {"r", "c"}, {"s"}},
                 {"Add", {"s", "x"}, {"y"}}};
  Ort::AllocatorWithDefaultOptions allocator;
  const int64_t dims[] = {1};
  Ort::Value c = Ort::Value::CreateTensor<float>(allocator, dims, 1);
  *c.GetTensorMutableData<float>() = 1.5f;
  graph.constants.emplace("c", std::move(c));
  return graph;
}

TEST_F(Provider, RunsChains) {
  // More shapes than are kept, in two sessions at a time.
  Ort::Session one = MakeStrictSession(Chain());
  Ort::Session two = MakeStrictSession(Chain(), {{"threading", "serial"}});
  EXPECT_THAT(Placed(one),
              UnorderedElementsAre("Div", "LeakyRelu", "Mul", "Add"));
  for (const size_t n : {1, 2, 3, 0, 5, 100'000, 7, 1}) {
    std::vector<float> x(n, -2.0f);
    std::vector<float> d(n, -0.5f);
    std::vector<Ort::Value> inputs;
    inputs.push_back(TensorOf(x, {static_cast<int64_t>(n)}));
    inputs.push_back(TensorOf(d, {static_cast<int64_t>(n)}));
    const char* names[] = {"x", "d"};
    const char* outputs[] = {"y", "q"};
    for (Ort::Session* session : {&one, &two}) {
      const std::vector<Ort::Value> results =
          session->Run(Ort::RunOptions(), names, inputs.data(), 2, outputs, 2);
      EXPECT_EQ(Contents<float>(results[0]), std::vector<float>(n, 4.0f));
      EXPECT_EQ(Contents<float>(results[1]), std::vector<float>(n, 4.0f));
    }
  }
}

TEST_F(Provider, FailuresOfChainsLeaveNothingBehind) {
  // Shapes that do not fit are seen when the chain runs.
  Ort::Session session = MakeStrictSession(Chain());
  std::vector<float> x(3);
  std::vector<float> d(2);
  std::vector<Ort::Value> inputs;
  inputs.push_back(TensorOf(x, {3}));
  inputs.push_back(TensorOf(d, {2}));
  const char* names[] = {"x", "d"};
  const char* outputs[] = {"y", "q"};
  EXPECT_NE(Failure([&] {
              session.Run(Ort::RunOptions(), names, inputs.data(), 2, outputs,
                          2);
            }),
            "");
  // A constant divisor of 0 is seen when the session is made.
  Graph graph = Chain();
  graph.inputs.pop_back();
  Ort::AllocatorWithDefaultOptions allocator;
  const int64_t dims[] = {1};
  Ort::Value zero = Ort::Value::CreateTensor<int64_t>(allocator, dims, 1);
  *zero.GetTensorMutableData<int64_t>() = 0;
  graph.constants.clear();
  graph.constants.emplace("d", std::move(zero));
  graph.inputs[0].type = kOrtType<int64_t>;
  for (Edge& output : graph.outputs) output.type = kOrtType<int64_t>;
  graph.steps = {{"Div", {"x", "d"}, {"q"}}, {"Add", {"q", "x"}, {"y"}}};
  EXPECT_THAT(Failure([&] { MakeStrictSession(std::move(graph)); }),
              HasSubstr("Integer division by zero"));
}

template <typename T>
void CheckWrap() {
  constexpr T kMin = std::numeric_limits<T>::min();
  // Both a whole vector and a short one.
  for (const size_t n : {1, 3, 64}) {
    EXPECT_EQ(Divide(std::vector<T>(n, kMin), std::vector<T>(n, T{-1})),
              std::vector<T>(n, kMin));
  }
}

TEST_F(Provider, SmallestByMinusOneWraps) {
  CheckWrap<int8_t>();
  CheckWrap<int16_t>();
  CheckWrap<int32_t>();
  CheckWrap<int64_t>();
}

TEST_F(Provider, RefusesBadOptions) {
  const auto refusal = [](const Options& options) {
    return Failure(
        [&] { MakeSession(OneStep("Relu", kOrtType<float>, 1), options); });
  };
  EXPECT_EQ(refusal({{"claim", "missing"}, {"threading", "serial"}}), "");
  EXPECT_THAT(refusal({{"claim", "some"}}),
              HasSubstr("claim=some: allowed are all, missing and profitable"));
  EXPECT_THAT(refusal({{"threading", "tbb"}}),
              HasSubstr("threading=tbb: allowed are ort and serial"));
  EXPECT_THAT(refusal({{"isa", "MMX"}}), HasSubstr("isa=MMX"));
  EXPECT_THAT(refusal({{"accuracy", "exact"}}),
              HasSubstr("accuracy=exact: allowed are fast and tight"));
  EXPECT_THAT(refusal({{"speed", "9"}}),
              HasSubstr("the options are accuracy, chains, claim, threading, "
                        "isa and explain"));
  EXPECT_THAT(refusal({{"explain", "/nowhere/at/all"}}),
              HasSubstr("explain=/nowhere/at/all"));
}

TEST_F(Provider, ExplainsItsClaims) {
  std::string folder = testing::TempDir() + "lanewise_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string file = folder + "/explain.jsonl";
  MakeSession(OneStep("Relu", ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, 1),
              {{"explain", file}});
  std::ifstream lines(file);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  std::filesystem::remove_all(folder);
  EXPECT_THAT(line, HasSubstr("\"op\": \"Relu\""));
  EXPECT_THAT(line, HasSubstr("\"type\": \"bfloat16\", \"taken\": true"));
  EXPECT_THAT(line, HasSubstr("The CPU provider lacks Relu-14 of bfloat16."));
}

TEST_F(Provider, LeavesWhatTheCpuProviderHas) {
  const Ort::Session float_session =
      MakeSession(OneStep("Relu", kOrtType<float>, 1), {{"claim", "missing"}});
  EXPECT_THAT(Placed(float_session), ElementsAre());
  const Ort::Session integer_session =
      MakeSession(OneStep("Relu", kOrtType<int64_t>, 1), {});
  EXPECT_THAT(Placed(integer_session), ElementsAre("Relu"));
}

TEST_F(Provider, RunsOnManyThreadsAtOnce) {
  for (const char* threading : {"ort", "serial"}) {
    Ort::Session session = MakeStrictSession(OneStep("Exp", kOrtType<float>, 1),
                                             {{"threading", threading}});
    const auto one_run = [&](size_t n) {
      std::vector<float> x(n, 1.0f);
      std::vector<Ort::Value> inputs;
      inputs.push_back(TensorOf(x, {static_cast<int64_t>(n)}));
      for (int i = 0; i < 4; ++i) {
        const Ort::Value y = RunModel(session, {"a"}, inputs);
        const auto results = Contents<float>(y);
        EXPECT_EQ(results, std::vector<float>(n, results[0]));
        EXPECT_FLOAT_EQ(results[0], 2.7182817f);
      }
    };
    std::vector<std::thread> threads;
    for (const size_t n : {7, 100, 100'000, 3'000'000}) {
      threads.emplace_back(one_run, n);
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace lanewise::test
