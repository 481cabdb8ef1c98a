// SPDX-License-Identifier: Apache-2.0
//
// On Windows, or under Wine: runs the model of models.py, which needs the
// provider. Nothing else tests the provider's DLL.
//
//   windows_load ONNXRUNTIME_DLL PROVIDER_DLL MODEL

// This program finds ONNX Runtime when it runs.
#define ORT_API_MANUAL_INIT
#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <onnxruntime_cxx_api.h>
#include <windows.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace {

constexpr char kProvider[] = "LanewiseExecutionProvider";
constexpr uint32_t kApiVersion = 24;

// A failure ends the program without destructors: these would call a provider's
// library that is no longer loaded.
void Expect(bool holds, const std::string& what) {
  if (holds) return;
  std::printf("FAILED: not so: %s\n", what.c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

void LoadOnnxRuntime(const std::filesystem::path& path) {
  const HMODULE library = LoadLibraryW(path.c_str());
  Expect(library != nullptr, "ONNX Runtime's library loads");
  const auto base = reinterpret_cast<decltype(&OrtGetApiBase)>(
      reinterpret_cast<void*>(GetProcAddress(library, "OrtGetApiBase")));
  Expect(base != nullptr, "the library has OrtGetApiBase");
  std::printf("ONNX Runtime %s\n", base()->GetVersionString());
  const OrtApi* api = base()->GetApi(kApiVersion);
  Expect(api != nullptr, "ONNX Runtime is 1.24 or newer");
  Ort::InitApi(api);
}

std::vector<Ort::ConstEpDevice> Devices(const Ort::Env& env) {
  std::vector<Ort::ConstEpDevice> devices;
  for (const Ort::ConstEpDevice device : env.GetEpDevices()) {
    if (device.EpName() == std::string(kProvider)) devices.push_back(device);
  }
  return devices;
}

Ort::Session Load(Ort::Env& env, const std::filesystem::path& model,
                  const std::vector<Ort::ConstEpDevice>& devices,
                  const char* claim) {
  Ort::SessionOptions options;
  options.SetLogSeverityLevel(ORT_LOGGING_LEVEL_ERROR);
  if (!devices.empty()) {
    Ort::KeyValuePairs pairs;
    pairs.Add("claim", claim);
    options.AppendExecutionProvider_V2(env, devices, pairs);
  }
  return Ort::Session(env, model.c_str(), options);
}

// The model does not load, and the message has these words.
void ExpectFailure(const char* words, Ort::Env& env,
                   const std::filesystem::path& model,
                   const std::vector<Ort::ConstEpDevice>& devices,
                   const char* claim) {
  std::string message;
  try {
    Load(env, model, devices, claim);
  } catch (const Ort::Exception& error) {
    message = error.what();
  }
  Expect(message.find(words) != std::string::npos,
         "'" + message + "' has '" + words + "'");
}

// 1 / Exp(Relu(x)), computed in bfloat16.
void Run(Ort::Session& session) {
  std::vector<float> x = {-7, -0.5f, 0, 0.25f, 1, 2, 3, 5};
  const int64_t dims[] = {1, 8};
  const Ort::Value input = Ort::Value::CreateTensor<float>(
      Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault),
      x.data(), x.size(), dims, 2);
  const char* const names[] = {"x", "z"};
  const std::vector<Ort::Value> outputs =
      session.Run(Ort::RunOptions(), names, &input, 1, names + 1, 1);
  const float* z = outputs[0].GetTensorData<float>();
  for (size_t i = 0; i < x.size(); ++i) {
    const float wanted = std::exp(-std::max(x[i], 0.0f));
    // Two results are rounded to bfloat16, and each is off by at most 2^-9.
    Expect(std::fabs(z[i] - wanted) <= wanted / 256,
           std::to_string(z[i]) + " is about " + std::to_string(wanted));
  }
}

// ONNX Runtime's own references may outlive the registration. The library must
// stay loaded without them.
void ExpectPinned(const std::filesystem::path& library) {
  for (int i = 0; i < 16; ++i) FreeLibrary(GetModuleHandleW(library.c_str()));
  Expect(GetModuleHandleW(library.c_str()) != nullptr,
         "the provider's library stays loaded");
}

void Test(char** arguments) {
  std::filesystem::path paths[3];
  std::transform(arguments, arguments + 3, paths, [](const char* path) {
    return std::filesystem::path(path).make_preferred();
  });
  LoadOnnxRuntime(paths[0]);
  Ort::Env env;
  ExpectFailure("Could not find an implementation", env, paths[2], {}, "");
  env.RegisterExecutionProviderLibrary("lanewise", paths[1].wstring());
  const std::vector<Ort::ConstEpDevice> devices = Devices(env);
  Expect(devices.size() == 1, "the provider has one device");
  std::printf("instruction set %s\n", devices[0].EpMetadata().GetValue("isa"));
  // The library throws an exception inside, and ONNX Runtime gets a status.
  ExpectFailure("claim", env, paths[2], devices, "sometimes");
  Ort::Session session = Load(env, paths[2], devices, "profitable");
  Run(session);
  env.UnregisterExecutionProviderLibrary("lanewise");
  Expect(Devices(env).empty(), "the provider is unregistered");
  ExpectPinned(paths[1].filename());
  Run(session);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    Expect(count == 4, "there are three arguments");
    Test(arguments + 1);
    std::puts("passed");
    return 0;
  } catch (const std::exception& error) {
    std::printf("FAILED: %s\n", error.what());
    return 1;
  }
}
