// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime through its C API: a session of one node over the memory of the
// benchmark, on ONNX Runtime's own CPU provider or on a plugin. All rows run
// the same model, in the same library, with the same number of threads: only
// the provider differs. The library is loaded at run time from its PyPI
// package.

#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/peer.h"
#include "benchmarks/peers/onnx_model.h"

namespace {

using lanewise::bench::BenchChain;
using lanewise::bench::ChainModel;
using lanewise::bench::FindChain;
using lanewise::bench::kInputNames;
using lanewise::bench::kOutputName;
using lanewise::bench::OneNodeModel;
using lanewise::bench::Operand;
using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

/// Returns the path of the first file whose name begins so; "" without one.
std::string FindFile(const std::string& start) {
  namespace fs = std::filesystem;
  std::error_code none;
  for (const auto& entry :
       fs::recursive_directory_iterator(LANEWISE_BENCH_ORT_ROOT, none)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(start, 0) == 0) return entry.path().string();
  }
  return "";
}

const OrtApiBase* LoadBase() {
  // Without this variable, newer versions report their use over the network.
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  const std::string path = FindFile("libonnxruntime.so.");
  void* library =
      path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto get = reinterpret_cast<const OrtApiBase* (*)()>(
      dlsym(library, "OrtGetApiBase"));
  return get == nullptr ? nullptr : get();
}
const OrtApiBase* Base() {
  static const OrtApiBase* base = LoadBase();
  return base;
}
const OrtApi* Api() {
  static const OrtApi* api =
      Base() == nullptr ? nullptr : Base()->GetApi(ORT_API_VERSION);
  return api;
}

bool Ok(OrtStatus* status) {
  if (status == nullptr) return true;
  Api()->ReleaseStatus(status);
  return false;
}

OrtEnv* Env() {
  static OrtEnv* env = [] {
    OrtEnv* made = nullptr;
    Ok(Api()->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "bench", &made));
    return made;
  }();
  return env;
}

// A provider in a library of its own, and its options.
struct Plugin {
  const OrtEpDevice* device = nullptr;
  std::vector<const char*> keys = {};
  std::vector<const char*> values = {};
  size_t most = SIZE_MAX;  // elements of a task
};

// Returns the first device of a plugin; nullptr if the plugin does not load.
const OrtEpDevice* Register(const std::string& library, const char* provider) {
  const OrtEpDevice* const* devices = nullptr;
  size_t count = 0;
  if (library.empty() || Env() == nullptr ||
      !Ok(Api()->RegisterExecutionProviderLibrary(Env(), provider,
                                                  library.c_str())) ||
      !Ok(Api()->GetEpDevices(Env(), &devices, &count))) {
    return nullptr;
  }
  for (size_t i = 0; i < count; ++i) {
    if (std::string(Api()->EpDevice_EpName(devices[i])) == provider) {
      return devices[i];
    }
  }
  return nullptr;
}

std::string VersionOf(const OrtEpDevice* device) {
  const char* version =
      Api()->GetKeyValue(Api()->EpDevice_EpMetadata(device), "version");
  return version == nullptr ? "of unknown version" : version;
}

// The code of ONNX Runtime's C API, which orders three types in its own way.
ONNXTensorElementDataType OrtType(lw_type type) {
  switch (type) {
    case LW_UINT2:
      return static_cast<ONNXTensorElementDataType>(24);
    case LW_INT2:
      return static_cast<ONNXTensorElementDataType>(25);
    case LW_FLOAT8E8M0:
      return static_cast<ONNXTensorElementDataType>(26);
    default:
      return static_cast<ONNXTensorElementDataType>(type);
  }
}

// ONNX Runtime 1.32 has no kernels for version 28 of these operators. What the
// cells compute is the same since version 21.
int OpsetOf(const Task& task) {
  const bool is_linear =
      task.Is("QuantizeLinear") || task.Is("DequantizeLinear");
  return is_linear ? 21 : task.version;
}

class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    for (OrtValue* value : inputs_) Api()->ReleaseValue(value);
    if (output_ != nullptr) Api()->ReleaseValue(output_);
    if (session_ != nullptr) Api()->ReleaseSession(session_);
  }

  bool Make(const Task& task, const Plugin& plugin) {
    if (!MakeSession(task, plugin)) return false;
    for (size_t i = 0; i < task.inputs.size(); ++i) {
      if (task.inputs[i].is_constant) continue;
      OrtValue* value = nullptr;
      if (!Bind(task.inputs[i], &value)) return false;
      inputs_.push_back(value);
      names_.push_back(kInputNames[i]);
    }
    return Bind(task.output, &output_) && Run();
  }
  bool Run() {
    return Ok(Api()->Run(session_, nullptr, names_.data(), inputs_.data(),
                         inputs_.size(), &kOutputName, 1, &output_));
  }

 private:
  bool MakeSession(const Task& task, const Plugin& plugin) {
    OrtSessionOptions* options = nullptr;
    if (Env() == nullptr || !Ok(Api()->CreateSessionOptions(&options))) {
      return false;
    }
    const BenchChain* chain = FindChain(task.op);
    const std::string model = chain != nullptr
                                  ? ChainModel(task, *chain)
                                  : OneNodeModel(task, OpsetOf(task));
    const bool made =
        Ok(Api()->SetIntraOpNumThreads(options, task.threads)) &&
        Ok(Api()->SetInterOpNumThreads(options, 1)) &&
        // Threads that look for work after a call would take other rows' cores.
        Ok(Api()->AddSessionConfigEntry(options, "session.force_spinning_stop",
                                        "1")) &&
        (plugin.device == nullptr || Append(plugin, options)) &&
        Ok(Api()->CreateSessionFromArray(Env(), model.data(), model.size(),
                                         options, &session_));
    Api()->ReleaseSessionOptions(options);
    return made;
  }

  // A node that the plugin does not take is an error: without that entry, ONNX
  // Runtime's own provider would silently run the node.
  static bool Append(const Plugin& plugin, OrtSessionOptions* options) {
    return Ok(Api()->AddSessionConfigEntry(
               options, "session.disable_cpu_ep_fallback", "1")) &&
           Ok(Api()->SessionOptionsAppendExecutionProvider_V2(
               options, Env(), &plugin.device, 1, plugin.keys.data(),
               plugin.values.data(), plugin.keys.size()));
  }

  static bool Bind(const Operand& operand, OrtValue** value) {
    static OrtMemoryInfo* memory = [] {
      OrtMemoryInfo* made = nullptr;
      Ok(Api()->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault,
                                    &made));
      return made;
    }();
    return Ok(Api()->CreateTensorWithDataAsOrtValue(
        memory, operand.data, operand.bytes, operand.dims,
        static_cast<size_t>(operand.rank), OrtType(operand.type), value));
  }

  OrtSession* session_ = nullptr;
  std::vector<const char*> names_;  // of inputs_
  std::vector<OrtValue*> inputs_;
  OrtValue* output_ = nullptr;
};

// Runs and times the calls, then waits: idle threads of ONNX Runtime spin for a
// while and would disturb the next measurement.
double TimeAndRest(Session& session, int64_t iterations) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int64_t i = 0; i < iterations; ++i) session.Run();
  const std::chrono::duration<double> taken = Clock::now() - start;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return taken.count();
}

// Faults that the checks would report in every run.
std::string KnownFault(const Task& task, const std::string& peer) {
  if (peer == "onnxruntime" && task.Is("Clip") && task.type == LW_INT64) {
    return "int64 above 2^31 clipped to the lower bound";  // 1.31, AVX2
  }
  if (peer == "ort+nxrt" && task.inputs.size() == 1 &&
      task.type == LW_FLOAT64) {
    return "float64 computed in float32";  // 0.1.0.dev6
  }
  return "";
}

Runner Prepare(const Task& task, const std::string& peer,
               const Plugin& plugin) {
  // A session never runs in place here, and ONNX Runtime has no strides.
  const BenchChain* chain = FindChain(task.op);
  const bool is_chain = chain != nullptr;
  // It has no 16-bit kernels for most operators.
  const bool fits = (task.type != LW_FLOAT16 && task.type != LW_BFLOAT16) ||
                    (is_chain && (chain->constants.empty() ||
                                  chain->constant_type == LW_FLOAT32));
  if (is_chain && (!fits || plugin.device != nullptr)) return {};
  if ((task.version == 0 && !is_chain) || task.n > plugin.most ||
      task.pattern == Pattern::kStrided || task.pattern == Pattern::kInPlace) {
    return {};
  }
  auto session = std::make_shared<Session>();
  if (!session->Make(task, plugin)) return {};  // the provider lacks this type
  Runner runner;
  runner.loose = KnownFault(task, peer);
  if (task.threads == 1) {
    runner.whole = [session] { session->Run(); };
  } else {
    runner.timed = [session](int64_t iterations) {
      return TimeAndRest(*session, iterations);
    };
  }
  return runner;
}

}  // namespace

LANEWISE_BENCH_PEERS(onnxruntime) {
  if (Api() == nullptr) return {};
  std::vector<Peer> peers;
  const auto add = [&](const char* name, std::string version,
                       const Plugin& plugin) {
    peers.push_back(
        {name, std::move(version), [name, plugin](const Task& task) {
           return Prepare(task, name, plugin);
         }});
  };
  const auto add_plugin = [&](const char* name, const std::string& library,
                              const char* provider, Plugin plugin) {
    plugin.device = Register(library, provider);
    if (plugin.device != nullptr) add(name, VersionOf(plugin.device), plugin);
  };
  add("onnxruntime", Base()->GetVersionString(), {});
  // The variable names the library of the wheel.
  const char* library = std::getenv("LANEWISE_ORT_LIBRARY");
  add_plugin(
      "ort+lanewise", library != nullptr ? library : LANEWISE_BENCH_ORT_EP,
      "LanewiseExecutionProvider", {nullptr, {"claim"}, {"all"}, SIZE_MAX});
  // Larger calls of some of its operators take seconds.
  add_plugin("ort+nxrt", FindFile("libonnx_runtime_ep_cpu_plugin.so"), "cpu_ep",
             {nullptr, {}, {}, 65536});
  return peers;
}
