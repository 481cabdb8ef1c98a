// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/library.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "benchmarks/measure.h"
#include "kernels/kernel.h"
#include "runtime/registry.h"
#include "runtime/tuning.h"
#include "runtime/types.h"

namespace lanewise::bench {
namespace {

// Larger calls hide what the doors cost.
constexpr size_t kDoorElements = 2048;

void Must(lw_status status) {
  if (status == LW_OK) return;
  std::fprintf(stderr, "bench: %s: %s\n", lw_status_name(status),
               lw_last_error());
  std::exit(1);
}

// What an engine is made of beside the threads; empty for the default.
struct Setting {
  std::string isa;
  std::string tuning;
  bool read_after;  ///< its calls are followed by a read of the output
};

const lw_engine* EngineFor(const Setting& setting, int threads) {
  static auto& engines = *new std::map<std::string, lw_engine*>;
  lw_engine*& engine = engines[setting.isa + "\n" + setting.tuning + "\n" +
                               std::to_string(threads)];
  if (engine == nullptr) {
    lw_engine_options options = {};
    options.struct_size = sizeof(options);
    options.max_isa = setting.isa.empty() ? nullptr : setting.isa.c_str();
    options.tuning_file =
        setting.tuning.empty() ? nullptr : setting.tuning.c_str();
    options.max_threads = threads;
    Must(lw_engine_create(&options, &engine));
  }
  return engine;
}

int NewestVersion(std::string_view op) {
  int newest = 0;
  for (size_t i = 0;; ++i) {
    const int version = lw_operator_version(std::string(op).c_str(), i);
    if (version == 0) return newest;
    newest = version;
  }
}

// One call through the tensor door, made once and repeated.
struct Call {
  lw_op* op = nullptr;
  lw_tensor inputs[2] = {};
  size_t input_count = 1;
  lw_tensor output = {};
  lw_shape shape = {};
  int64_t dims[2][2] = {};
  int64_t stride = 2;
  int64_t target[2] = {2, -1};
  int64_t target_rank = 2;

  Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { lw_op_destroy(op); }
  lw_status Run() { return lw_op_run(op, inputs, input_count, &output, 1); }
};

// Dims of input `i`; a rank of 2 where the pattern has rows.
int32_t SetDims(const Task& task, int i, int64_t* dims) {
  const auto n = static_cast<int64_t>(task.n);
  const auto columns = static_cast<int64_t>(task.columns);
  switch (task.pattern) {
    case Pattern::kScalarA:
    case Pattern::kScalarB:
      dims[0] = (task.pattern == Pattern::kScalarA) == (i == 0) ? 1 : n;
      return 1;
    case Pattern::kRowB:
    case Pattern::kRow8B:
      if (i == 1) {
        dims[0] = columns;
        return 1;
      }
      break;
    case Pattern::kColB:
    case Pattern::kCol8B:
      if (i == 1) {
        dims[0] = n / columns;
        dims[1] = 1;
        return 2;
      }
      break;
    default:
      dims[0] = n;
      return 1;
  }
  dims[0] = n / columns;
  dims[1] = columns;
  return 2;
}

std::shared_ptr<Call> MakeCall(const Task& task, const Setting& setting) {
  const Operator& op = *FindOperator(std::string(task.op).c_str());
  auto call = std::make_shared<Call>();
  Must(lw_op_create(EngineFor(setting, task.threads), op.name,
                    NewestVersion(task.op), nullptr, 0, &call->op));
  const int data_inputs = op.form == Form::kBinary ? 2 : 1;
  for (int i = 0; i < data_inputs; ++i) {
    lw_tensor& input = call->inputs[i];
    input.data = const_cast<void*>(i == 0 ? task.a : task.b);
    input.type = task.type;
    input.rank = SetDims(task, i, call->dims[i]);
    input.dims = call->dims[i];
    if (task.pattern == Pattern::kStrided) input.strides = &call->stride;
  }
  if (op.form == Form::kReshape) {
    call->inputs[1] = {call->target,       LW_INT64, 1,
                       &call->target_rank, nullptr,  sizeof(call->target)};
  }
  call->input_count = op.form == Form::kUnary ? 1 : 2;
  Must(lw_op_infer(call->op, call->inputs, call->input_count, &call->shape));
  call->output = {task.out,         task.type, call->shape.rank,
                  call->shape.dims, nullptr,   0};
  return call;
}

// Reads what a call wrote, as whoever comes next would.
std::function<void()> ReaderOf(const Task& task) {
  const size_t bytes = BytesFor(task.n, FindType(task.type)->bits);
  const auto* words = static_cast<const uint64_t*>(task.out);
  const auto read = [words](size_t begin, size_t end) {
    uint64_t sum = 0;
    for (size_t i = begin; i < end; ++i) sum += words[i];
    benchmark::DoNotOptimize(sum);
  };
  return Spread(read, bytes / sizeof(*words), task.bytes, task.threads);
}

Runner TensorDoor(const Task& task, const Setting& setting) {
  if (FindOperator(std::string(task.op).c_str()) == nullptr) return {};
  auto call = MakeCall(task, setting);
  if (task.pattern != Pattern::kInPlace) {
    const lw_status status = call->Run();
    if (status != LW_DIVIDE_BY_ZERO || !task.MayTrap()) Must(status);
  }
  Runner runner;
  runner.whole = [call] { call->Run(); };
  if (setting.read_after) {
    runner.whole = [call, read = ReaderOf(task)] {
      call->Run();
      read();
    };
  }
  return runner;
}

bool HasDoors(const Task& task) {
  const Operator* op = FindOperator(std::string(task.op).c_str());
  return op != nullptr && task.IsFlat() && task.threads == 1 &&
         task.n <= kDoorElements && !task.MayTrap();
}

const lw_kernel* KernelFor(const Task& task) {
  const lw_run run = task.pattern == Pattern::kScalarA   ? LW_SCALAR_A
                     : task.pattern == Pattern::kScalarB ? LW_SCALAR_B
                                                         : LW_SAME;
  const lw_kernel* kernel = nullptr;
  Must(lw_kernel_find(EngineFor({}, 1), std::string(task.op).c_str(),
                      NewestVersion(task.op), task.type, run, &kernel));
  return kernel;
}

Runner DirectDoor(const Task& task) {
  if (!HasDoors(task)) return {};
  const lw_kernel* kernel = KernelFor(task);
  Runner runner;
  runner.whole = [kernel, a = task.a, b = task.b, out = task.out, n = task.n] {
    lw_kernel_run(kernel, a, b, out, n);
  };
  return runner;
}

Runner BareKernel(const Task& task) {
  if (!HasDoors(task)) return {};
  const KernelFn fn = KernelFor(task)->row.fn;
  Runner runner;
  runner.whole = [fn, a = task.a, b = task.b, out = task.out, n = task.n] {
    Job job = {};
    job.a = a;
    job.b = b;
    job.out = out;
    job.n = n;
    job.rows = 1;
    fn(job);
  };
  return runner;
}

}  // namespace

std::vector<Peer> OwnImplementations(const Options& options, bool doors) {
  std::vector<Peer> own;
  const auto add = [&](const std::string& name, const std::string& isa,
                       const std::string& tuning) {
    const Setting setting = {isa, tuning, options.read_after};
    own.push_back({name, lw_version(), [setting](const Task& task) {
                     return TensorDoor(task, setting);
                   }});
  };
  add("lanewise", "", "");
  for (const std::string& isa : options.isas) add("lanewise@" + isa, isa, "");
  for (const std::string& file : options.tunings) {
    add("lanewise+" + std::filesystem::path(file).stem().string(), "", file);
  }
  if (doors) {
    own.push_back({"direct", lw_version(), DirectDoor});
    own.push_back({"kernel", lw_version(), BareKernel});
  }
  return own;
}

std::string WorkClasses() {
  std::string classes;
  for (const Operator* op : Operators()) {
    if (!classes.empty()) classes += ' ';
    classes += op->name;
    classes += '=';
    classes += kWorkNames[static_cast<int>(op->work)];
  }
  return classes;
}

}  // namespace lanewise::bench
