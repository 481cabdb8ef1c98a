// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/library.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "benchmarks/chain_runners.h"
#include "benchmarks/chains.h"
#include "benchmarks/measure.h"
#include "kernels/kernel.h"
#include "runtime/engine/tuning.h"
#include "runtime/engine/types.h"
#include "runtime/node/node.h"
#include "runtime/node/registry.h"

namespace lanewise::bench {
namespace {

// In larger calls the cost of the two APIs does not show.
constexpr size_t kSmallElements = 2048;

void Must(lw_status status) {
  if (status == LW_OK) return;
  std::fprintf(stderr, "bench: %s: %s\n", lw_status_name(status),
               lw_last_error());
  std::exit(1);
}

// The options of an engine except its threads. Empty strings mean the default.
struct Setting {
  std::string isa;
  std::string tuning;
  bool read_after;  ///< each call is followed by a read of its output
  lw_accuracy accuracy = LW_ACCURACY_TIGHT;
};

const lw_engine* EngineFor(const Setting& setting, int threads) {
  static auto& engines = *new std::map<std::string, lw_engine*>;
  lw_engine*& engine = engines[setting.isa + "\n" + setting.tuning + "\n" +
                               std::to_string(threads) + "\n" +
                               std::to_string(setting.accuracy)];
  if (engine == nullptr) {
    lw_engine_options options = {};
    options.struct_size = sizeof(options);
    options.max_isa = setting.isa.empty() ? nullptr : setting.isa.c_str();
    options.tuning_file =
        setting.tuning.empty() ? nullptr : setting.tuning.c_str();
    options.max_threads = threads;
    options.accuracy = setting.accuracy;
    Must(lw_engine_create(&options, &engine));
  }
  return engine;
}

// A call through the tensor API, prepared once and repeated.
struct Call {
  lw_op* op = nullptr;
  std::vector<Operand> operands;
  std::vector<lw_tensor> inputs;
  lw_tensor output = {};
  lw_shape shape = {};

  Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { lw_op_destroy(op); }
  lw_status Run() {
    return lw_op_run(op, inputs.data(), inputs.size(), &output, 1);
  }
};

std::shared_ptr<Call> MakeCall(const Task& task, const Setting& setting) {
  auto call = std::make_shared<Call>();
  const lw_attribute axis = {"axis", LW_ATTRIBUTE_INT, 1, task.axis};
  Must(lw_op_create(EngineFor(setting, task.threads),
                    std::string(task.op).c_str(), task.version, &axis,
                    task.axis != nullptr ? 1 : 0, &call->op));
  call->operands = task.inputs;
  for (const Operand& operand : call->operands) {
    lw_tensor input = {};
    input.data = operand.data;
    input.type = operand.type;
    input.rank = operand.rank;
    input.dims = operand.dims;
    if (operand.stride != 1) input.strides = &operand.stride;
    call->inputs.push_back(input);
  }
  Must(lw_op_infer(call->op, call->inputs.data(), call->inputs.size(),
                   &call->shape));
  call->output = {task.out,         call->shape.type, call->shape.rank,
                  call->shape.dims, nullptr,          0};
  return call;
}

// Reads the output of a call, as the next operator of a model would.
std::function<void()> ReaderOf(const Task& task, int32_t type) {
  const size_t bytes = BytesFor(task.results(), FindType(type)->bits);
  const auto* words = static_cast<const uint64_t*>(task.out);
  const auto read = [words](size_t begin, size_t end) {
    uint64_t sum = 0;
    for (size_t i = begin; i < end; ++i) sum += words[i];
    benchmark::DoNotOptimize(sum);
  };
  return Spread(read, bytes / sizeof(*words), task.bytes, task.threads);
}

// Whether engines of another accuracy compute the task by kernels of their own.
bool HasOwnKernels(const Task& task, const Engine& engine) {
  const Operator* op = FindOperator(std::string(task.op).c_str());
  if (op == nullptr) return false;
  const auto entries = op->kernels(engine.targets).entries;
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    return entry.way == engine.ways.accuracy && entry.type == task.type;
  });
}

Runner TensorApi(const Task& task, const Setting& setting) {
  const bool is_tight = setting.accuracy == LW_ACCURACY_TIGHT;
  if (FindChain(task.op) != nullptr && setting.accuracy != LW_ACCURACY_EXACT) {
    return ChainRunner(task, EngineFor(setting, task.threads), ChainWay::kRun);
  }
  if (task.version == 0) return {};
  if (!is_tight &&
      !HasOwnKernels(task, *EngineFor(setting, task.threads)->engine)) {
    return {};
  }
  auto call = MakeCall(task, setting);
  if (task.pattern != Pattern::kInPlace) {
    const lw_status status = call->Run();
    if (status != LW_DIVIDE_BY_ZERO || !task.MayTrap()) Must(status);
  }
  Runner runner;
  runner.whole = [call] { call->Run(); };
  if (setting.read_after) {
    runner.whole = [call, read = ReaderOf(task, call->output.type)] {
      call->Run();
      read();
    };
  }
  return runner;
}

// The inputs of a call, in an array that lives as long as the call. To write
// the array before each call took up to 3 ns more on a Zen 4: compilers write
// two pointers by one store of 16 bytes, and loads of one pointer wait for such
// a store.
std::array<const void*, 3> PointersOf(const Task& task) {
  return {task.a, task.b, task.c};
}

// The same call, prepared: for sizes at which preparing is worth something.
Runner PreparedCall(const Task& task) {
  if (FindChain(task.op) != nullptr) {
    return ChainRunner(task, EngineFor({}, task.threads), ChainWay::kPrepared);
  }
  if (task.version == 0 || task.n > kSmallElements || task.threads != 1 ||
      task.MayTrap()) {
    return {};
  }
  const std::shared_ptr<Call> call = MakeCall(task, {});
  lw_call* made = nullptr;
  Must(lw_call_create(call->op, call->inputs.data(), call->inputs.size(),
                      &call->output, 1, &made));
  const std::shared_ptr<lw_call> prepared(made, lw_call_destroy);
  Runner runner;
  runner.whole = [prepared, inputs = PointersOf(task), out = task.out] {
    lw_call_run(prepared.get(), inputs.data(), &out);
  };
  return runner;
}

bool HasKernelApi(const Task& task) {
  return task.version != 0 && task.IsFlat() && task.threads == 1 &&
         task.n <= kSmallElements && !task.MayTrap();
}

const lw_kernel* KernelFor(const Task& task) {
  const lw_pattern pattern = task.pattern == Pattern::kScalarA   ? LW_SCALAR_A
                             : task.pattern == Pattern::kScalarB ? LW_SCALAR_B
                             : task.pattern == Pattern::kScalarC ? LW_SCALAR_C
                                                                 : LW_SAME;
  // One operator for each name. It is never destroyed, so that its kernels stay
  // valid.
  static auto& ops = *new std::map<std::string, lw_op*>;
  lw_op*& op = ops[std::string(task.op)];
  if (op == nullptr) {
    Must(lw_op_create(EngineFor({}, 1), std::string(task.op).c_str(),
                      task.version, nullptr, 0, &op));
  }
  const lw_kernel* kernel = nullptr;
  lw_op_kernel(op, task.type, pattern, &kernel);
  return kernel;  // nullptr: no kernel takes this pattern
}

Runner KernelApi(const Task& task) {
  const lw_kernel* kernel = HasKernelApi(task) ? KernelFor(task) : nullptr;
  if (kernel == nullptr) return {};
  Runner runner;
  runner.whole = [kernel, inputs = PointersOf(task), out = task.out,
                  n = task.n] { lw_kernel_run(kernel, inputs.data(), out, n); };
  return runner;
}

Runner BareKernel(const Task& task) {
  const lw_kernel* kernel = HasKernelApi(task) ? KernelFor(task) : nullptr;
  if (kernel == nullptr) return {};
  Runner runner;
  runner.whole = [fn = kernel->fn, setup = kernel->setup,
                  inputs = PointersOf(task), out = task.out, n = task.n] {
    Zeros zeros;
    fn(setup, inputs.data(), out, n, &zeros);
  };
  return runner;
}

}  // namespace

std::vector<Peer> OwnImplementations(const Options& options, bool both_apis) {
  std::vector<Peer> own;
  const auto add = [&](const std::string& name, const Setting& setting) {
    own.push_back({name, lw_version(), [setting](const Task& task) {
                     return TensorApi(task, setting);
                   }});
  };
  const bool read = options.read_after;
  add("lanewise", {"", "", read});
  const auto add_grades = [&](const std::string& isa, const std::string& at) {
    if (read) return;
    add("lanewise+fast" + at, {isa, "", false, LW_ACCURACY_FAST});
    add("lanewise+exact" + at, {isa, "", false, LW_ACCURACY_EXACT});
  };
  add_grades("", "");
  for (const std::string& isa : options.isas) {
    add("lanewise@" + isa, {isa, "", read});
    add_grades(isa, "@" + isa);
  }
  for (const std::string& file : options.tunings) {
    add("lanewise+" + std::filesystem::path(file).stem().string(),
        {"", file, read});
  }
  if (both_apis) {
    own.push_back({"direct", lw_version(), KernelApi});
    own.push_back({"kernel", lw_version(), BareKernel});
    own.push_back({"prepared", lw_version(), PreparedCall});
    own.push_back({"lanewise+steps", lw_version(), [](const Task& task) {
                     return ChainRunner(task, EngineFor({}, task.threads),
                                        ChainWay::kSteps);
                   }});
  }
  return own;
}

std::string WorkClasses() {
  std::string classes;
  for (const Operator* op : Operators()) {
    if (!classes.empty()) classes += ' ';
    classes += op->name;
    classes += '=';
    classes += kCostClassNames[static_cast<int>(op->cost)];
  }
  return classes;
}

}  // namespace lanewise::bench
