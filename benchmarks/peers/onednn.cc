// SPDX-License-Identifier: Apache-2.0
//
// oneDNN: eltwise, binary and reduction primitives, created once; chains by
// post-ops.
// Versions 2 and 3 describe primitives differently.

#include <dlfcn.h>

#include <dnnl.hpp>
#include <memory>
#include <unordered_map>
#include <vector>

#include "benchmarks/chains.h"
#include "benchmarks/peer.h"

namespace {

using lanewise::bench::Operand;
using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

using Algorithm = dnnl::algorithm;
using Memory = dnnl::memory;

Memory::data_type TypeOf(lw_type type) {
  switch (type) {
    case LW_FLOAT32:
      return Memory::data_type::f32;
    case LW_FLOAT16:
      return Memory::data_type::f16;
    case LW_BFLOAT16:
      return Memory::data_type::bf16;
    default:
      return Memory::data_type::undef;
  }
}

dnnl::engine& Cpu() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

// In builds with OpenMP, oneDNN uses as many threads as OpenMP.
using SetThreads = void (*)(int);
SetThreads OpenMpSetThreads() {
  static const auto set =
      reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  return set;
}

// A primitive with its operands.
struct Call {
  dnnl::primitive primitive;
  dnnl::stream stream{Cpu()};
  std::unordered_map<int, Memory> arguments;
  int threads;

  void Run() {
    if (OpenMpSetThreads() != nullptr) OpenMpSetThreads()(threads);
    primitive.execute(stream, arguments);
    stream.wait();
  }
};

Memory::desc Flat(size_t n, lw_type type) {
  return {{static_cast<Memory::dim>(n)}, TypeOf(type), Memory::format_tag::a};
}

struct EltwiseStep {
  Algorithm algorithm;
  float alpha, beta;
};

// The first step, with the others as its post-ops.
dnnl::primitive Eltwise(const std::vector<EltwiseStep>& steps,
                        const Memory::desc& desc) {
  const auto [algorithm, alpha, beta] = steps[0];
  dnnl::post_ops others;
  dnnl::primitive_attr attributes;
#if DNNL_VERSION_MAJOR >= 3
  for (size_t s = 1; s < steps.size(); ++s) {
    others.append_eltwise(steps[s].algorithm, steps[s].alpha, steps[s].beta);
  }
  attributes.set_post_ops(others);
  return dnnl::eltwise_forward(dnnl::eltwise_forward::primitive_desc(
      Cpu(), dnnl::prop_kind::forward_inference, algorithm, desc, desc, alpha,
      beta, attributes));
#else
  for (size_t s = 1; s < steps.size(); ++s) {
    others.append_eltwise(1, steps[s].algorithm, steps[s].alpha, steps[s].beta);
  }
  attributes.set_post_ops(others);
  const dnnl::eltwise_forward::desc described(
      dnnl::prop_kind::forward_inference, algorithm, desc, alpha, beta);
  return dnnl::eltwise_forward(
      dnnl::eltwise_forward::primitive_desc(described, attributes, Cpu()));
#endif
}

// Operators and chains of one input; nothing for others.
std::vector<EltwiseStep> EltwiseSteps(const Task& task) {
  struct Named {
    const char* op;
    EltwiseStep step;
  };
  static constexpr Named kNamed[] = {
    {"Abs", {Algorithm::eltwise_abs, 0, 0}},
    {"Elu", {Algorithm::eltwise_elu, 1, 0}},
    {"Exp", {Algorithm::eltwise_exp, 0, 0}},
    {"Gelu", {Algorithm::eltwise_gelu_erf, 0, 0}},
#if DNNL_VERSION_MAJOR >= 3
    {"HardSigmoid", {Algorithm::eltwise_hardsigmoid, 0.2f, 0.5f}},
    {"HardSwish", {Algorithm::eltwise_hardswish, 1.0f / 6, 0.5f}},
#endif
    {"Log", {Algorithm::eltwise_log, 0, 0}},
    {"Mish", {Algorithm::eltwise_mish, 0, 0}},
    {"Reciprocal", {Algorithm::eltwise_pow, 1, -1}},
    {"Relu", {Algorithm::eltwise_relu, 0, 0}},
    {"Round", {Algorithm::eltwise_round, 0, 0}},
    {"Sigmoid", {Algorithm::eltwise_logistic, 0, 0}},
    {"Softplus", {Algorithm::eltwise_soft_relu, 1, 0}},
    {"Sqrt", {Algorithm::eltwise_sqrt, 0, 0}},
    {"Swish", {Algorithm::eltwise_swish, 1, 0}},
    {"Tanh", {Algorithm::eltwise_tanh, 0, 0}},
  };
  for (const auto& [op, step] : kNamed) {
    if (task.Is(op)) return {step};
  }
  if (task.Is("Chain.SiLU")) return {{Algorithm::eltwise_swish, 1, 0}};
  if (task.Is("Chain.GreaterWhere")) {
    return {{Algorithm::eltwise_relu, 0.5f, 0}};
  }
  const EltwiseStep scale = {Algorithm::eltwise_linear, 1.1f, 0.1f};
  if (task.Is("Chain.MulAddRelu")) {
    return {scale, {Algorithm::eltwise_relu, 0, 0}};
  }
#if DNNL_VERSION_MAJOR >= 3
  if (task.Is("Chain.HardSwish")) {
    return {scale,
            {Algorithm::eltwise_hardswish, 1.0f / 6, 0.5f},
            {Algorithm::eltwise_linear, 0.9f, -0.2f}};
  }
#endif
  return {};
}

dnnl::primitive Divide(const Memory::desc& a, const Memory::desc& b,
                       const Memory::desc& out) {
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::binary(
      dnnl::binary::primitive_desc(Cpu(), Algorithm::binary_div, a, b, out));
#else
  const dnnl::binary::desc described(Algorithm::binary_div, a, b, out);
  return dnnl::binary(dnnl::binary::primitive_desc(described, Cpu()));
#endif
}

// The algorithm of a reduction, and its power.
struct Reduction {
  Algorithm algorithm = Algorithm::undef;
  float power = 0;
};
Reduction ReductionOf(const Task& task) {
  if (task.Is("ReduceSum")) return {Algorithm::reduction_sum};
  if (task.Is("ReduceMean")) return {Algorithm::reduction_mean};
  if (task.Is("ReduceProd")) return {Algorithm::reduction_mul};
  if (task.Is("ReduceMax")) return {Algorithm::reduction_max};
  if (task.Is("ReduceMin")) return {Algorithm::reduction_min};
  if (task.Is("ReduceL1")) return {Algorithm::reduction_norm_lp_sum, 1};
  if (task.Is("ReduceL2")) return {Algorithm::reduction_norm_lp_sum, 2};
  if (task.Is("ReduceSumSquare")) {
    return {Algorithm::reduction_norm_lp_power_p_sum, 2};
  }
  return {};
}

dnnl::primitive Reduce(const Reduction& of, const Memory::desc& from,
                       const Memory::desc& to) {
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::reduction(dnnl::reduction::primitive_desc(
      Cpu(), of.algorithm, from, to, of.power, 0.0f));
#else
  const dnnl::reduction::desc described(of.algorithm, from, to, of.power, 0.0f);
  return dnnl::reduction(dnnl::reduction::primitive_desc(described, Cpu()));
#endif
}

dnnl::primitive Softmax(const Memory::desc& rows) {
  constexpr auto kForward = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::softmax_forward(dnnl::softmax_forward::primitive_desc(
      Cpu(), kForward, Algorithm::softmax_accurate, rows, rows, 1));
#else
  const dnnl::softmax_forward::desc described(kForward, rows, 1);
  return dnnl::softmax_forward(
      dnnl::softmax_forward::primitive_desc(described, Cpu()));
#endif
}

dnnl::primitive LayerNorm(const Memory::desc& rows) {
  constexpr auto kForward = dnnl::prop_kind::forward_inference;
  const auto flags = dnnl::normalization_flags::use_scale |
                     dnnl::normalization_flags::use_shift;
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::layer_normalization_forward(
      dnnl::layer_normalization_forward::primitive_desc(Cpu(), kForward, rows,
                                                        rows, 1e-5f, flags));
#else
  const dnnl::layer_normalization_forward::desc described(kForward, rows, 1e-5f,
                                                          flags);
  return dnnl::layer_normalization_forward(
      dnnl::layer_normalization_forward::primitive_desc(described, Cpu()));
#endif
}

bool HasRows(const Task& task) {
  return task.Is("Chain.Softmax") || task.Is("Chain.LayerNorm");
}

Memory::desc RowsOf(const Operand& operand) {
  return {{operand.dims[0], operand.dims[1]},
          TypeOf(operand.type),
          Memory::format_tag::ab};
}

std::shared_ptr<Call> MakeReduction(const Task& task) {
  auto call = std::make_shared<Call>();
  call->threads = task.threads;
  const Memory::desc from = RowsOf(task.inputs[0]);
  const Memory::desc to = RowsOf(task.output);
  call->primitive = Reduce(ReductionOf(task), from, to);
  call->arguments.emplace(DNNL_ARG_SRC,
                          Memory(from, Cpu(), const_cast<void*>(task.a)));
  call->arguments.emplace(DNNL_ARG_DST, Memory(to, Cpu(), task.out));
  return call;
}

// The constants of a chain with rows are float32.
std::shared_ptr<Call> MakeRowCall(const Task& task) {
  auto call = std::make_shared<Call>();
  call->threads = task.threads;
  const auto columns = static_cast<Memory::dim>(task.columns);
  const Memory::desc rows = {
      {static_cast<Memory::dim>(task.n) / columns, columns},
      TypeOf(task.type),
      Memory::format_tag::ab};
  const auto bind = [&](int argument, void* at) {
    call->arguments.emplace(argument, Memory(rows, Cpu(), at));
  };
  bind(DNNL_ARG_SRC, const_cast<void*>(task.a));
  bind(DNNL_ARG_DST, task.out);
  if (task.Is("Chain.Softmax")) {
    call->primitive = Softmax(rows);
    return call;
  }
  call->primitive = LayerNorm(rows);
  const Memory::desc row = Flat(task.columns, LW_FLOAT32);
  const auto& constants = lanewise::bench::FindChain(task.op)->constants;
  for (const int k : {0, 1}) {
    Memory memory(row, Cpu());
    auto* elements = static_cast<float*>(memory.get_data_handle());
    for (size_t c = 0; c < task.columns; ++c) {
      elements[c] = constants[static_cast<size_t>(k)].At(c);
    }
    call->arguments.emplace(k == 0 ? DNNL_ARG_SCALE : DNNL_ARG_SHIFT, memory);
  }
  return call;
}

std::shared_ptr<Call> MakeCall(const Task& task) {
  if (HasRows(task)) return MakeRowCall(task);
  if (task.Reduces()) return MakeReduction(task);
  auto call = std::make_shared<Call>();
  call->threads = task.threads;
  const Memory::desc desc = Flat(task.n, task.type);
  const auto bind = [&](int argument, const Memory::desc& as, const void* at) {
    call->arguments.emplace(argument, Memory(as, Cpu(), const_cast<void*>(at)));
  };
  if (task.Is("Div")) {
    const Memory::desc b =
        task.pattern == Pattern::kScalarB ? Flat(1, task.type) : desc;
    call->primitive = Divide(desc, b, desc);
    bind(DNNL_ARG_SRC_0, desc, task.a);
    bind(DNNL_ARG_SRC_1, b, task.b);
  } else {
    call->primitive = Eltwise(EltwiseSteps(task), desc);
    bind(DNNL_ARG_SRC, desc, task.a);
  }
  bind(DNNL_ARG_DST, desc, task.out);
  return call;
}

Runner Prepare(const Task& task) {
  const bool reduces = ReductionOf(task).algorithm != Algorithm::undef;
  const bool known =
      task.Is("Div") || HasRows(task) || reduces || !EltwiseSteps(task).empty();
  // oneDNN divides in place only into the first input, and broadcasts only the
  // second input.
  const bool fits = (task.IsFlat() || reduces) &&
                    task.pattern != Pattern::kScalarA &&
                    !(task.Is("Div") && task.pattern == Pattern::kInPlace) &&
                    (task.threads == 1 || OpenMpSetThreads() != nullptr);
  if (!known || !fits || TypeOf(task.type) == Memory::data_type::undef) {
    return {};
  }
  try {
    const auto call = MakeCall(task);
    Runner runner;
    runner.whole = [call] { call->Run(); };
    return runner;
  } catch (const dnnl::error&) {
    return {};  // oneDNN lacks this type on this CPU
  }
}

}  // namespace

LANEWISE_BENCH_PEERS(onednn) {
  const dnnl_version_t* version = dnnl_version();
  return {{"onednn",
           std::to_string(version->major) + "." +
               std::to_string(version->minor) + "." +
               std::to_string(version->patch),
           Prepare}};
}
