// SPDX-License-Identifier: Apache-2.0
//
// XNNPACK's operators on one thread: Div and operators of one input (Relu is a
// clamp). Releases before 2024-11 name the operators differently; of those of
// one input, only Relu is called there.

#include <xnnpack.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>

#include "benchmarks/peer.h"

namespace {

using lanewise::bench::Pattern;
using lanewise::bench::Peer;
using lanewise::bench::Runner;
using lanewise::bench::Task;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Delete {
  void operator()(xnn_operator_t op) const { xnn_delete_operator(op); }
};
using Operator = std::unique_ptr<xnn_operator, Delete>;

struct Lengths {
  size_t a;
  size_t b;
};

#if LANEWISE_XNNPACK_UNIFIED
struct UnaryKind {
  const char* name;
  xnn_unary_operator kind;
};
constexpr UnaryKind kUnaryKinds[] = {
    {"Abs", xnn_unary_abs},
    {"Ceil", xnn_unary_ceiling},
    {"Elu", xnn_unary_elu},
    {"Exp", xnn_unary_exp},
    {"Floor", xnn_unary_floor},
    {"Gelu", xnn_unary_gelu},
    {"HardSwish", xnn_unary_hardswish},
    {"Neg", xnn_unary_negate},
    {"Relu", xnn_unary_clamp},
    {"Round", xnn_unary_bankers_rounding},
    {"Sigmoid", xnn_unary_sigmoid},
    {"Sqrt", xnn_unary_square_root},
    {"Tanh", xnn_unary_tanh},
};

xnn_operator_t MakeUnary(const Task& task) {
  const auto* found =
      std::find_if(std::begin(kUnaryKinds), std::end(kUnaryKinds),
                   [&](const UnaryKind& it) { return task.Is(it.name); });
  if (found == std::end(kUnaryKinds)) return nullptr;
  xnn_unary_params params = {};
  if (found->kind == xnn_unary_elu) params.elu.alpha = 1;
  if (found->kind == xnn_unary_clamp) params.clamp = {0, kInfinity};
  xnn_operator_t op = nullptr;
  if (xnn_create_unary_elementwise_nc(found->kind, xnn_datatype_fp32,
                                      xnn_datatype_fp32, &params, nullptr,
                                      nullptr, 0, &op) != xnn_status_success) {
    return nullptr;
  }
  Operator owner(op);
  if (xnn_reshape_unary_elementwise_nc(op, task.n, 1, 1, 1, nullptr) !=
          xnn_status_success ||
      xnn_setup_unary_elementwise_nc(op, task.a, task.out) !=
          xnn_status_success) {
    return nullptr;
  }
  return owner.release();
}

xnn_operator_t MakeDiv(const Task& task, const Lengths& lengths) {
  xnn_operator_t op = nullptr;
  if (xnn_create_binary_elementwise_nd(xnn_binary_divide, xnn_datatype_fp32,
                                       nullptr, nullptr, nullptr, 0,
                                       &op) != xnn_status_success) {
    return nullptr;
  }
  Operator owner(op);
  if (xnn_reshape_binary_elementwise_nd(op, 1, &lengths.a, 1, &lengths.b,
                                        nullptr) != xnn_status_success ||
      xnn_setup_binary_elementwise_nd(op, task.a, task.b, task.out) !=
          xnn_status_success) {
    return nullptr;
  }
  return owner.release();
}
#else
xnn_operator_t MakeUnary(const Task& task) {
  xnn_operator_t op = nullptr;
  if (!task.Is("Relu") || xnn_create_clamp_nc_f32(1, 1, 1, 0, kInfinity, 0,
                                                  &op) != xnn_status_success) {
    return nullptr;
  }
  Operator owner(op);
  if (xnn_setup_clamp_nc_f32(op, task.n, static_cast<const float*>(task.a),
                             static_cast<float*>(task.out),
                             nullptr) != xnn_status_success) {
    return nullptr;
  }
  return owner.release();
}

xnn_operator_t MakeDiv(const Task& task, const Lengths& lengths) {
  xnn_operator_t op = nullptr;
  if (xnn_create_divide_nd_f32(-kInfinity, kInfinity, 0, &op) !=
      xnn_status_success) {
    return nullptr;
  }
  Operator owner(op);
  if (xnn_setup_divide_nd_f32(
          op, 1, &lengths.a, 1, &lengths.b, static_cast<const float*>(task.a),
          static_cast<const float*>(task.b), static_cast<float*>(task.out),
          nullptr) != xnn_status_success) {
    return nullptr;
  }
  return owner.release();
}
#endif

Runner Prepare(const Task& task) {
  if (task.type != LW_FLOAT32 || task.threads != 1 || !task.IsFlat() ||
      task.pattern == Pattern::kInPlace) {
    return {};
  }
  const Lengths lengths = {task.pattern == Pattern::kScalarA ? 1 : task.n,
                           task.pattern == Pattern::kScalarB ? 1 : task.n};
  xnn_operator_t made =
      task.Is("Div") ? MakeDiv(task, lengths) : MakeUnary(task);
  if (made == nullptr) return {};
  const std::shared_ptr<xnn_operator> op(made, Delete());
  Runner runner;
  runner.whole = [op] { xnn_run_operator(op.get(), nullptr); };
  return runner;
}

}  // namespace

LANEWISE_BENCH_PEERS(xnnpack) {
  if (xnn_initialize(nullptr) != xnn_status_success) return {};
  return {{"xnnpack",
           LANEWISE_XNNPACK_UNIFIED ? "from 2024-11 or newer"
                                    : "from before 2024-11, Relu and Div",
           Prepare}};
}
