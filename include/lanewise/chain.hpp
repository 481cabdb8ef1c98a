// SPDX-License-Identifier: Apache-2.0
//
// Chains for C++17, written as formulas:
//
//   lanewise::Chain silu = lanewise::Trace<float>(
//       engine, [](auto x) { return x * (1 / (1 + exp(-x))); });
//   if (!silu.status().ok()) std::puts(silu.status().message());
//   lanewise::Status status = silu.Run(inputs, outputs);
//
// The function is called once, with values that record what is done to them.
// No function throws, and nothing is allocated but the chain itself.
#ifndef LANEWISE_CHAIN_HPP_
#define LANEWISE_CHAIN_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "lanewise/lanewise.h"
#include "lanewise/lanewise.hpp"

namespace lanewise {
inline namespace cxx {

/// Owns an lw_chain.
class Chain {
 public:
  Chain() noexcept = default;
  /// A chain that could not be made.
  explicit Chain(Status failure) noexcept : status_(failure) {}

  static Status Create(const Engine& engine, Span<const int32_t> input_types,
                       Span<const lw_tensor> constants,
                       Span<const lw_step> steps, Span<const int32_t> outputs,
                       Chain* chain) noexcept {
    lw_chain* made = nullptr;
    const lw_status status =
        lw_chain_create(engine.get(), input_types.data(), input_types.size(),
                        constants.data(), constants.size(), steps.data(),
                        steps.size(), outputs.data(), outputs.size(), &made);
    if (status == LW_OK) chain->handle_.reset(made);
    return status;
  }

  /// What Trace could not do; OK for a chain that is there.
  const Status& status() const noexcept { return status_; }

  /// One shape for each output.
  Status Infer(Span<const lw_tensor> inputs, lw_shape* outputs) const noexcept {
    return lw_chain_infer(get(), inputs.data(), inputs.size(), outputs);
  }
  Status Run(Span<const lw_tensor> inputs,
             Span<const lw_tensor> outputs) const noexcept {
    return lw_chain_run(get(), nullptr, inputs.data(), inputs.size(),
                        outputs.data(), outputs.size());
  }
  Status Run(const lw_tensor& input, const lw_tensor& output) const noexcept {
    return lw_chain_run(get(), nullptr, &input, 1, &output, 1);
  }
  /// struct_size is filled in here.
  Status Run(lw_run_options options, Span<const lw_tensor> inputs,
             Span<const lw_tensor> outputs) const noexcept {
    options.struct_size = sizeof(options);
    return lw_chain_run(get(), &options, inputs.data(), inputs.size(),
                        outputs.data(), outputs.size());
  }
  Status Prepare(Span<const lw_tensor> inputs, Span<const lw_tensor> outputs,
                 Call* call) const noexcept {
    lw_call* made = nullptr;
    const lw_status status =
        lw_chain_prepare(get(), inputs.data(), inputs.size(), outputs.data(),
                         outputs.size(), &made);
    if (status == LW_OK) *call = Call::Adopt(made);
    return status;
  }

  const lw_chain* get() const noexcept { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(lw_chain* chain) const noexcept { lw_chain_destroy(chain); }
  };
  std::unique_ptr<lw_chain, Destroy> handle_;
  Status status_;
};

/// Records the steps of a chain. The first failure stays.
class Recorder {
 public:
  /// A value that is being recorded. Not a number: what is done to it becomes
  /// a step.
  class Value {
   public:
    int32_t type() const noexcept { return type_; }

   private:
    friend class Recorder;
    Value() noexcept = default;
    enum Kind : uint8_t { kInput, kConstant, kStep };
    Value(Recorder* recorder, Kind kind, size_t index, int32_t type) noexcept
        : recorder_(recorder), kind_(kind), index_(index), type_(type) {}
    Recorder* recorder_ = nullptr;
    Kind kind_ = kInput;
    size_t index_ = 0;
    int32_t type_ = LW_ABSENT;
  };

  Recorder(const Engine& engine, int32_t opset) noexcept
      : engine_(engine), opset_(opset) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  Value Input(int32_t type) noexcept {
    input_types_[input_count_] = type;
    return {this, Value::kInput, input_count_++, type};
  }

  /// One element of a type, rounded as Cast does.
  Value Constant(double number, int32_t type) noexcept {
    if (constant_count_ == LW_MAX_CONSTANTS) {
      Fail(LW_WRONG_COUNT, "more than LW_MAX_CONSTANTS constants");
      return {this, Value::kConstant, 0, type};
    }
    const int64_t to = type;
    const lw_attribute attribute = {"to", LW_ATTRIBUTE_INT, 1, &to};
    lw_tensor& constant = constants_[constant_count_];
    constant = {&numbers_[constant_count_], type, 0, nullptr, nullptr, 0};
    const lw_tensor from = {&number, LW_FLOAT64, 0, nullptr, nullptr, 0};
    Op cast;
    Status status = Op::Create(engine_, "Cast", opset_, {&attribute, 1}, &cast);
    if (status.ok()) status = cast.Run(from, constant);
    Keep(status);
    return {this, Value::kConstant, constant_count_++, type};
  }

  /// A step. `type` is that of the result.
  Value Step(const char* name, std::initializer_list<Value> operands,
             int32_t type, Span<const lw_attribute> attributes = {}) noexcept {
    if (step_count_ == LW_MAX_STEPS) {
      Fail(LW_WRONG_COUNT, "more than LW_MAX_STEPS steps");
      return {this, Value::kStep, 0, type};
    }
    OneStep& step = steps_[step_count_];
    Keep(Op::Create(engine_, name, opset_, attributes, &step.op));
    step.count = operands.size();
    size_t k = 0;
    for (const Value& operand : operands) step.operands[k++] = operand;
    return {this, Value::kStep, step_count_++, type};
  }

  /// The chain whose outputs are these values.
  Chain Finish(std::initializer_list<Value> outputs) noexcept {
    if (!status_.ok()) return Chain(status_);
    std::array<std::array<int32_t, kMostOperands>, LW_MAX_STEPS> numbers;
    std::array<lw_step, LW_MAX_STEPS> steps;
    for (size_t s = 0; s < step_count_; ++s) {
      for (size_t k = 0; k < steps_[s].count; ++k) {
        numbers[s][k] = NumberOf(steps_[s].operands[k]);
      }
      steps[s] = {steps_[s].op.get(), numbers[s].data(), steps_[s].count};
    }
    std::array<int32_t, LW_MAX_OUTPUTS> results;
    size_t count = 0;
    if (outputs.size() > LW_MAX_OUTPUTS) {
      return Chain(
          Status::Failure(LW_WRONG_COUNT, "more than LW_MAX_OUTPUTS outputs"));
    }
    for (const Value& output : outputs) results[count++] = NumberOf(output);
    Chain chain;
    const Status status = Chain::Create(
        engine_, {input_types_.data(), input_count_},
        {constants_.data(), constant_count_}, {steps.data(), step_count_},
        {results.data(), count}, &chain);
    return status.ok() ? std::move(chain) : Chain(status);
  }

  // ---- What formulas are made of

  static Value Binary(const char* name, Value a, Value b,
                      int32_t type = LW_ABSENT) noexcept {
    return a.recorder_->Step(name, {a, b}, type == LW_ABSENT ? a.type_ : type);
  }
  /// A number in a formula: a constant of the value's type.
  static Value Like(Value value, double number) noexcept {
    return value.recorder_->Constant(number, value.type_);
  }
  static Value Unary(const char* name, Value x) noexcept {
    return x.recorder_->Step(name, {x}, x.type_);
  }
  static Value Choice(Value condition, Value x, Value y) noexcept {
    return x.recorder_->Step("Where", {condition, x, y}, x.type_);
  }
  static Value Bounded(Value x, Value low, Value high) noexcept {
    return x.recorder_->Step("Clip", {x, low, high}, x.type_);
  }
  static Value Converted(Value x, int32_t type) noexcept {
    const int64_t to = type;
    const lw_attribute attribute = {"to", LW_ATTRIBUTE_INT, 1, &to};
    return x.recorder_->Step("Cast", {x}, type, {&attribute, 1});
  }

 private:
  static constexpr size_t kMostOperands = 3;
  struct OneStep {
    // GCC 14 stops with an internal error at an array of them without this.
    OneStep() noexcept {}

    Op op;
    size_t count = 0;
    Value operands[kMostOperands];
  };

  int32_t NumberOf(const Value& value) const noexcept {
    size_t first = 0;
    if (value.kind_ != Value::kInput) first += input_count_;
    if (value.kind_ == Value::kStep) first += constant_count_;
    return static_cast<int32_t>(first + value.index_);
  }
  void Keep(Status status) noexcept {
    if (status_.ok()) status_ = status;
  }
  void Fail(lw_status code, const char* message) noexcept {
    Keep(Status::Failure(code, message));
  }

  const Engine& engine_;
  int32_t opset_;
  Status status_;
  std::array<int32_t, LW_MAX_INPUTS> input_types_;
  size_t input_count_ = 0;
  std::array<uint64_t, LW_MAX_CONSTANTS> numbers_;
  std::array<lw_tensor, LW_MAX_CONSTANTS> constants_;
  size_t constant_count_ = 0;
  std::array<OneStep, LW_MAX_STEPS> steps_;
  size_t step_count_ = 0;
};

/// A value of a formula.
using Value = Recorder::Value;

#define LANEWISE_OPERATOR(symbol, name)                      \
  inline Value operator symbol(Value a, Value b) noexcept {  \
    return Recorder::Binary(name, a, b);                     \
  }                                                          \
  inline Value operator symbol(Value a, double b) noexcept { \
    return Recorder::Binary(name, a, Recorder::Like(a, b));  \
  }                                                          \
  inline Value operator symbol(double a, Value b) noexcept { \
    return Recorder::Binary(name, Recorder::Like(b, a), b);  \
  }
LANEWISE_OPERATOR(+, "Add")
LANEWISE_OPERATOR(-, "Sub")
LANEWISE_OPERATOR(*, "Mul")
LANEWISE_OPERATOR(/, "Div")
#undef LANEWISE_OPERATOR

inline Value operator-(Value x) noexcept {
  // Unsigned numbers have no -1, and 0 - 0.0 would lose the sign.
  const bool is_unsigned = x.type() == LW_UINT8 || x.type() == LW_UINT16 ||
                           x.type() == LW_UINT32 || x.type() == LW_UINT64;
  return is_unsigned ? 0.0 - x : x * -1.0;
}
inline Value operator>(Value a, Value b) noexcept {
  return Recorder::Binary("Greater", a, b, LW_BOOL);
}
inline Value operator>(Value a, double b) noexcept {
  return a > Recorder::Like(a, b);
}
inline Value operator<(Value a, Value b) noexcept { return b > a; }
inline Value operator<(Value a, double b) noexcept {
  return Recorder::Like(a, b) > a;
}
inline Value equal(Value a, Value b) noexcept {
  return Recorder::Binary("Equal", a, b, LW_BOOL);
}
inline Value max(Value a, Value b) noexcept {
  return Recorder::Binary("Max", a, b);
}
inline Value max(Value a, double b) noexcept {
  return max(a, Recorder::Like(a, b));
}
inline Value min(Value a, Value b) noexcept {
  return Recorder::Binary("Min", a, b);
}
inline Value min(Value a, double b) noexcept {
  return min(a, Recorder::Like(a, b));
}
inline Value exp(Value x) noexcept { return Recorder::Unary("Exp", x); }
inline Value relu(Value x) noexcept { return Recorder::Unary("Relu", x); }
inline Value reciprocal(Value x) noexcept {
  return Recorder::Unary("Reciprocal", x);
}
inline Value clip(Value x, double low, double high) noexcept {
  return Recorder::Bounded(x, Recorder::Like(x, low), Recorder::Like(x, high));
}
inline Value where(Value condition, Value x, Value y) noexcept {
  return Recorder::Choice(condition, x, y);
}
inline Value where(Value condition, Value x, double y) noexcept {
  return where(condition, x, Recorder::Like(x, y));
}
template <typename T>
Value cast(Value x) noexcept {
  return Recorder::Converted(x, kType<T>);
}

/// The chain that a function describes. T are the types of its arguments. It
/// returns a value, or an array of values for several outputs.
template <typename... T, class Function>
Chain Trace(const Engine& engine, const Function& function) noexcept {
  static_assert(sizeof...(T) >= 1 && sizeof...(T) <= LW_MAX_INPUTS,
                "Trace<float, ...> names the types of the arguments");
  constexpr int32_t kOpset = 25;
  Recorder recorder(engine, kOpset);
  // Braces keep the arguments' order.
  const std::array<Value, sizeof...(T)> inputs = {recorder.Input(kType<T>)...};
  const auto results = std::apply(function, inputs);
  if constexpr (std::is_same_v<std::decay_t<decltype(results)>, Value>) {
    return recorder.Finish({results});
  } else {
    return std::apply(
        [&](auto... outputs) { return recorder.Finish({outputs...}); },
        results);
  }
}

}  // namespace cxx
}  // namespace lanewise

#endif  // LANEWISE_CHAIN_HPP_
