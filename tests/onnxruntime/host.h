// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime from its Python package, as a C++ application loads it, and
// models of few nodes that are built in memory.

#ifndef LANEWISE_TESTS_ONNXRUNTIME_HOST_H_
#define LANEWISE_TESTS_ONNXRUNTIME_HOST_H_

#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>

#include <map>
#include <string>
#include <vector>

namespace lanewise::test {

inline constexpr char kProvider[] = "LanewiseExecutionProvider";
inline constexpr char kRegistration[] = "lanewise";

using OrtType = ONNXTensorElementDataType;
using Dims = std::vector<int64_t>;
using Options = std::map<std::string, std::string>;

/// The library of the folder that LANEWISE_TEST_ORT names; nullptr if there is
/// none.
const OrtApiBase* LoadOnnxRuntime();

/// The process's environment. LoadOnnxRuntime must have succeeded.
Ort::Env& Environment();

/// Registers the provider, once, and finds its device.
void Register();
void Unregister();
std::vector<Ort::ConstEpDevice> Devices();

/// A value of a graph. Dims of -1 are unknown.
struct Edge {
  std::string name;
  OrtType type;
  Dims dims;
};

struct Step {
  std::string op;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::map<std::string, float> floats = {};
  std::map<std::string, std::vector<int64_t>> ints = {};
  std::map<std::string, int64_t> numbers = {};
  std::map<std::string, std::string> texts = {};
};

struct Graph {
  int opset = 14;
  std::vector<Edge> inputs;
  std::vector<Edge> outputs;
  std::vector<Step> steps;
  std::map<std::string, Ort::Value> constants = {};
};

/// A session whose nodes the provider may take. Throws Ort::Exception.
Ort::Session MakeSession(Graph graph, const Options& options,
                         Ort::SessionOptions session = {});

/// A session with ONNX Runtime's CPU provider alone.
Ort::Session MakeCpuSession(Graph graph);

/// A session that refuses to exist if a node stays with the CPU provider.
Ort::Session MakeStrictSession(Graph graph, Options options = {});

/// The operators of the nodes that the provider got.
std::vector<std::string> Placed(const Ort::Session& session);

template <typename T>
Ort::Value TensorOf(std::vector<T>& data, const Dims& dims) {
  static const auto memory =
      Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  return Ort::Value::CreateTensor<T>(memory, data.data(), data.size(),
                                     dims.data(), dims.size());
}

/// A tensor that owns its memory, filled from `bytes`.
Ort::Value TensorOf(OrtType type, const Dims& dims,
                    const std::vector<unsigned char>& bytes);

/// Runs a session with one output.
Ort::Value RunModel(Ort::Session& session,
                    const std::vector<std::string>& names,
                    const std::vector<Ort::Value>& inputs);

template <typename T>
std::vector<T> Contents(const Ort::Value& value) {
  const T* data = value.GetTensorData<T>();
  return std::vector<T>(
      data, data + value.GetTensorTypeAndShapeInfo().GetElementCount());
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_ONNXRUNTIME_HOST_H_
