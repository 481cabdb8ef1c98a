// SPDX-License-Identifier: Apache-2.0

#include "tests/onnxruntime/host.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace lanewise::test {
namespace {

const OrtApiBase* Load() {
  // Wheels from 1.29 on report usage otherwise.
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  const char* root = std::getenv("LANEWISE_TEST_ORT");
  if (root == nullptr) return nullptr;
  namespace fs = std::filesystem;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(root, none)) {
    if (entry.path().filename().string().rfind("libonnxruntime.so.", 0) != 0) {
      continue;
    }
    void* library = dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    const auto get = reinterpret_cast<const OrtApiBase* (*)()>(
        dlsym(library, "OrtGetApiBase"));
    if (get == nullptr) continue;
    Ort::InitApi(get()->GetApi(24));
    return get();
  }
  return nullptr;
}

std::vector<Ort::ValueInfo> Values(const std::vector<Edge>& edges) {
  std::vector<Ort::ValueInfo> values;
  for (const Edge& edge : edges) {
    const Ort::TensorTypeAndShapeInfo shape(edge.type, edge.dims);
    const auto type = Ort::TypeInfo::CreateTensorInfo(shape.GetConst());
    values.emplace_back(edge.name, type.GetConst());
  }
  return values;
}

std::vector<Ort::OpAttr> Attributes(const Step& step) {
  std::vector<Ort::OpAttr> attributes;
  for (const auto& [name, value] : step.floats) {
    attributes.emplace_back(name.c_str(), &value, 1, ORT_OP_ATTR_FLOAT);
  }
  for (const auto& [name, value] : step.numbers) {
    attributes.emplace_back(name.c_str(), &value, 1, ORT_OP_ATTR_INT);
  }
  for (const auto& [name, value] : step.ints) {
    attributes.emplace_back(name.c_str(), value.data(),
                            static_cast<int>(value.size()), ORT_OP_ATTR_INTS);
  }
  for (const auto& [name, value] : step.texts) {
    attributes.emplace_back(name.c_str(), value.data(),
                            static_cast<int>(value.size()), ORT_OP_ATTR_STRING);
  }
  return attributes;
}

Ort::Model MakeModel(Graph graph) {
  Ort::Graph made;
  std::vector<Ort::ValueInfo> inputs = Values(graph.inputs);
  std::vector<Ort::ValueInfo> outputs = Values(graph.outputs);
  made.SetInputs(inputs);
  made.SetOutputs(outputs);
  for (auto& [name, value] : graph.constants) {
    made.AddInitializer(name, value, false);
  }
  for (const Step& step : graph.steps) {
    std::vector<Ort::OpAttr> attributes = Attributes(step);
    Ort::Node node(step.op, "", step.outputs[0], step.inputs, step.outputs,
                   attributes);
    made.AddNode(node);
  }
  Ort::Model model({{"", graph.opset}});
  model.AddGraph(made);
  return model;
}

}  // namespace

const OrtApiBase* LoadOnnxRuntime() {
  static const OrtApiBase* const base = Load();
  return base;
}

Ort::Env& Environment() {
  static auto* const env = new Ort::Env(ORT_LOGGING_LEVEL_FATAL, "test");
  return *env;
}

void Register() {
  Environment().RegisterExecutionProviderLibrary(kRegistration,
                                                 LANEWISE_ORT_PROVIDER);
}

void Unregister() {
  Environment().UnregisterExecutionProviderLibrary(kRegistration);
}

std::vector<Ort::ConstEpDevice> Devices() {
  std::vector<Ort::ConstEpDevice> devices;
  for (const Ort::ConstEpDevice& device : Environment().GetEpDevices()) {
    if (std::strcmp(device.EpName(), kProvider) == 0) {
      devices.push_back(device);
    }
  }
  return devices;
}

Ort::Session MakeSession(Graph graph, const Options& options,
                         Ort::SessionOptions session) {
  session.AddConfigEntry("session.record_ep_graph_assignment_info", "1");
  session.AppendExecutionProvider_V2(
      Environment(), Devices(),
      std::unordered_map<std::string, std::string>(options.begin(),
                                                   options.end()));
  return Ort::Session(Environment(), MakeModel(std::move(graph)), session);
}

Ort::Session MakeCpuSession(Graph graph) {
  return Ort::Session(Environment(), MakeModel(std::move(graph)),
                      Ort::SessionOptions());
}

Ort::Session MakeStrictSession(Graph graph, Options options) {
  options.emplace("claim", "all");
  Ort::SessionOptions session;
  session.AddConfigEntry("session.disable_cpu_ep_fallback", "1");
  return MakeSession(std::move(graph), options, std::move(session));
}

std::vector<std::string> Placed(const Ort::Session& session) {
  std::vector<std::string> operators;
  for (const auto& part : session.GetEpGraphAssignmentInfo()) {
    if (part.GetEpName() != kProvider) continue;
    for (const auto& node : part.GetNodes()) {
      operators.push_back(node.GetOperatorType());
    }
  }
  return operators;
}

Ort::Value TensorOf(OrtType type, const Dims& dims,
                    const std::vector<unsigned char>& bytes) {
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value value =
      Ort::Value::CreateTensor(allocator, dims.data(), dims.size(), type);
  if (!bytes.empty()) {
    std::memcpy(value.GetTensorMutableRawData(), bytes.data(), bytes.size());
  }
  return value;
}

Ort::Value RunModel(Ort::Session& session,
                    const std::vector<std::string>& names,
                    const std::vector<Ort::Value>& inputs) {
  std::vector<const char*> input_names;
  for (const std::string& name : names) input_names.push_back(name.c_str());
  const char* const output = "y";
  std::vector<Ort::Value> results =
      session.Run(Ort::RunOptions{nullptr}, input_names.data(), inputs.data(),
                  inputs.size(), &output, 1);
  return std::move(results[0]);
}

}  // namespace lanewise::test
