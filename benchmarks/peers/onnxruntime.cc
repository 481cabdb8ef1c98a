// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime's CPU provider through its C API: a session of one node over the
// memory of the benchmark. The library is loaded at run time from its PyPI
// package.

#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "benchmarks/peer.h"

namespace {

using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

constexpr int kOpset = 14;

const OrtApiBase* LoadBase() {
  namespace fs = std::filesystem;
  std::error_code none;
  for (const auto& entry :
       fs::recursive_directory_iterator(LANEWISE_BENCH_ORT_ROOT, none)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("libonnxruntime.so.", 0) != 0) continue;
    void* library = dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    const auto get = reinterpret_cast<const OrtApiBase* (*)()>(
        dlsym(library, "OrtGetApiBase"));
    if (get != nullptr) return get();
  }
  return nullptr;
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

// The parts of the wire format of protocol buffers that a model needs.
std::string Varint(uint64_t value) {
  std::string out;
  for (; value > 127; value >>= 7)
    out += static_cast<char>((value & 127) | 128);
  return out + static_cast<char>(value);
}
std::string Number(int field, uint64_t value) {
  return Varint(static_cast<uint64_t>(field) << 3) + Varint(value);
}
std::string Message(int field, const std::string& body) {
  return Varint(static_cast<uint64_t>(field) << 3 | 2) + Varint(body.size()) +
         body;
}

// A ModelProto of y = op(a[, b]), without shapes.
std::string OneNodeModel(const Task& task, int inputs) {
  const std::string tensor =
      Message(2, Message(1, Number(1, static_cast<uint64_t>(task.type))));
  const std::string names[] = {"a", "b"};
  std::string node;
  std::string values;
  for (int i = 0; i < inputs; ++i) {
    node += Message(1, names[i]);
    values += Message(11, Message(1, names[i]) + tensor);
  }
  node += Message(2, "y") + Message(4, std::string(task.op));
  const std::string graph = Message(1, node) + Message(2, "g") + values +
                            Message(12, Message(1, "y") + tensor);
  return Number(1, 8) + Message(7, graph) + Message(8, Number(2, kOpset));
}

struct Shape {
  int64_t dims[2];
  size_t rank;
  size_t elements() const {
    return static_cast<size_t>(rank == 2 ? dims[0] * dims[1] : dims[0]);
  }
};

Shape ShapeOf(const Task& task, int operand) {
  const auto n = static_cast<int64_t>(task.n);
  const auto columns = static_cast<int64_t>(task.columns);
  const bool is_b = operand == 1;
  switch (task.pattern) {
    case Pattern::kScalarA:
      return {{operand == 0 ? 1 : n, 1}, 1};
    case Pattern::kScalarB:
      return {{is_b ? 1 : n, 1}, 1};
    case Pattern::kRowB:
    case Pattern::kRow8B:
      if (is_b) return {{columns, 1}, 1};
      return {{n / columns, columns}, 2};
    case Pattern::kColB:
    case Pattern::kCol8B:
      return {{n / columns, is_b ? 1 : columns}, 2};
    default:
      return {{n, 1}, 1};
  }
}

size_t SizeOf(lw_type type) {
  switch (type) {
    case LW_INT8:
    case LW_UINT8:
      return 1;
    case LW_FLOAT16:
    case LW_BFLOAT16:
    case LW_INT16:
    case LW_UINT16:
      return 2;
    case LW_FLOAT32:
    case LW_INT32:
    case LW_UINT32:
      return 4;
    case LW_FLOAT64:
    case LW_INT64:
    case LW_UINT64:
      return 8;
    default:
      return 0;
  }
}

class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    for (OrtValue* value : {values_[0], values_[1], out_}) {
      if (value != nullptr) Api()->ReleaseValue(value);
    }
    if (session_ != nullptr) Api()->ReleaseSession(session_);
  }

  bool Make(const Task& task) {
    count_ = task.Is("Div") ? 2 : 1;
    return MakeSession(task) && Bind(task, 0, task.a, &values_[0]) &&
           (count_ == 1 || Bind(task, 1, task.b, &values_[1])) &&
           Bind(task, 2, task.out, &out_) && Run();
  }
  bool Run() {
    static const char* const kInputs[] = {"a", "b"};
    static const char* const kOutputs[] = {"y"};
    return Ok(Api()->Run(session_, nullptr, kInputs, values_, count_, kOutputs,
                         1, &out_));
  }

 private:
  bool MakeSession(const Task& task) {
    static OrtEnv* env = [] {
      OrtEnv* made = nullptr;
      Ok(Api()->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "bench", &made));
      return made;
    }();
    OrtSessionOptions* options = nullptr;
    if (env == nullptr || !Ok(Api()->CreateSessionOptions(&options))) {
      return false;
    }
    const std::string model = OneNodeModel(task, static_cast<int>(count_));
    const bool made = Ok(Api()->SetIntraOpNumThreads(options, task.threads)) &&
                      Ok(Api()->SetInterOpNumThreads(options, 1)) &&
                      Ok(Api()->CreateSessionFromArray(
                          env, model.data(), model.size(), options, &session_));
    Api()->ReleaseSessionOptions(options);
    return made;
  }

  static bool Bind(const Task& task, int operand, const void* data,
                   OrtValue** value) {
    static OrtMemoryInfo* memory = [] {
      OrtMemoryInfo* made = nullptr;
      Ok(Api()->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault,
                                    &made));
      return made;
    }();
    const Shape shape = operand == 2 && (task.pattern == Pattern::kScalarA)
                            ? Shape{{static_cast<int64_t>(task.n), 1}, 1}
                            : ShapeOf(task, operand == 2 ? 2 : operand);
    return Ok(Api()->CreateTensorWithDataAsOrtValue(
        memory, const_cast<void*>(data), shape.elements() * SizeOf(task.type),
        shape.dims, shape.rank,
        static_cast<ONNXTensorElementDataType>(task.type), value));
  }

  OrtSession* session_ = nullptr;
  OrtValue* values_[2] = {};
  OrtValue* out_ = nullptr;
  size_t count_ = 1;
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

Runner Prepare(const Task& task) {
  const bool known = task.Is("Div") || task.Is("Exp") || task.Is("Relu") ||
                     task.Is("Reciprocal");
  // A session never runs in place here, and ONNX Runtime has no strides.
  if (!known || SizeOf(task.type) == 0 || task.pattern == Pattern::kStrided ||
      task.pattern == Pattern::kInPlace) {
    return {};
  }
  auto session = std::make_shared<Session>();
  if (!session->Make(task)) return {};  // ONNX Runtime lacks this type
  Runner runner;
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
  return {{"onnxruntime", Base()->GetVersionString(), Prepare}};
}
