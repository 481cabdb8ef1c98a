// SPDX-License-Identifier: Apache-2.0
//
// Chains for C++17: their owner, and how formulas become chains. What a formula
// may say, and how to make a chain of a formula, stands in formula.hpp.
//
// No function throws, and nothing is allocated but operators and the chain.
#ifndef LANEWISE_CHAIN_HPP_
#define LANEWISE_CHAIN_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
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

class Recorder;

/// A value of a formula: not a number yet, as what is done to a value becomes a
/// step of a chain. Numbers of C++ become values, too, and take their type from
/// the value beside them.
class Value {
 public:
  /// No value: a step or an output that is none makes the formula fail.
  Value() noexcept = default;
  template <typename T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Value(T number) noexcept {  // NOLINT: x * 2
    if constexpr (std::is_floating_point_v<T>) {
      real_ = static_cast<double>(number);
      type_ = LW_FLOAT64;
    } else {
      whole_ = static_cast<int64_t>(number);
      type_ = std::is_signed_v<T> || whole_ >= 0 ? LW_INT64 : LW_UINT64;
    }
  }

  /// An lw_type; LW_ABSENT after a failure.
  int32_t type() const noexcept { return type_; }
  /// The formula that the value is a part of; nullptr for a number.
  Recorder* recorder() const noexcept { return recorder_; }
  bool is_number() const noexcept {
    return recorder_ == nullptr && type_ != LW_ABSENT;
  }

 private:
  friend class Recorder;
  Value(Recorder* recorder, size_t place, int32_t type) noexcept
      : recorder_(recorder), place_(static_cast<int32_t>(place)), type_(type) {}
  /// Whether an integer type, or bool, has exactly this number; other types
  /// round.
  bool Fits(int32_t type) const noexcept;

  Recorder* recorder_ = nullptr;
  int32_t place_ = 0;
  int32_t type_ = LW_ABSENT;
  double real_ = 0;    // of a number that is LW_FLOAT64
  int64_t whole_ = 0;  // of any other number
};

/// A type of whole numbers: bits is 0 for any other type.
struct WholeType {
  int bits;
  bool is_signed;
};
constexpr WholeType WholeTypeOf(int32_t type) noexcept {
  switch (type) {
    case LW_BOOL:
      return {1, false};
    case LW_UINT8:
      return {8, false};
    case LW_INT8:
      return {8, true};
    case LW_UINT16:
      return {16, false};
    case LW_INT16:
      return {16, true};
    case LW_UINT32:
      return {32, false};
    case LW_INT32:
      return {32, true};
    case LW_UINT64:
      return {64, false};
    case LW_INT64:
      return {64, true};
    default:
      return {0, true};
  }
}

inline bool Value::Fits(int32_t type) const noexcept {
  const WholeType whole = WholeTypeOf(type);
  if (whole.bits == 0) return true;
  if (type_ == LW_UINT64) return type == LW_UINT64;
  // A double may not hold all bits of the number.
  if (type_ == LW_INT64 && whole.bits == 64) {
    return whole.is_signed || whole_ >= 0;
  }
  const double x = type_ == LW_FLOAT64 ? real_ : static_cast<double>(whole_);
  const double end = std::ldexp(1.0, whole.bits - (whole.is_signed ? 1 : 0));
  return x == std::trunc(x) && x < end && x >= (whole.is_signed ? -end : 0);
}

/// An attribute of a step. The value must outlive the attribute.
inline lw_attribute Attribute(const char* name, const float& value) noexcept {
  return {name, LW_ATTRIBUTE_FLOAT, 1, &value};
}
inline lw_attribute Attribute(const char* name, const int64_t& value) noexcept {
  return {name, LW_ATTRIBUTE_INT, 1, &value};
}
inline lw_attribute Attribute(const char* name,
                              const lw_string& value) noexcept {
  return {name, LW_ATTRIBUTE_STRING, 1, &value};
}

/// Records the steps of a chain. The first failure stays, and nothing more is
/// recorded then.
class Recorder {
 public:
  Recorder(const Engine& engine, int32_t opset) noexcept
      : engine_(engine), opset_(opset) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  Value Input(int32_t type) noexcept {
    if (input_count_ == LW_MAX_INPUTS) {
      return Fail(LW_WRONG_COUNT, "more than LW_MAX_INPUTS inputs");
    }
    input_types_[input_count_] = type;
    return {this, input_count_++, type};
  }

  /// A number as one element of a type, rounded once, as Cast does. A build
  /// without Cast has no numbers.
  Value Constant(Value number, int32_t type) noexcept {
    if (!number.Fits(type)) {
      return Fail(LW_INVALID_ARGUMENT,
                  "a number does not fit the integer type of the value beside "
                  "the number");
    }
    if (constant_count_ == LW_MAX_CONSTANTS) return FailConstants();
    void* data = &number.whole_;
    if (number.type_ == LW_FLOAT64) data = &number.real_;
    const lw_tensor from = {data, number.type_, 0, nullptr, nullptr, 0};
    const int64_t to = type;
    const lw_attribute attribute = Attribute("to", to);
    Op cast;
    Keep(Op::Create(engine_, "Cast", opset_, {&attribute, 1}, &cast));
    uint64_t* element = &elements_[constant_count_];
    const lw_tensor constant = {element, type, 0, nullptr, nullptr, 0};
    if (status_.ok()) Keep(cast.Run(from, constant));
    return AddConstant(constant);
  }

  /// A shape, for Reshape, or axes.
  Value Shape(std::initializer_list<int64_t> dims) noexcept {
    const size_t end = dim_count_ + 1 + dims.size();
    if (constant_count_ == LW_MAX_CONSTANTS || end > dims_.size()) {
      return FailConstants();
    }
    int64_t* count = &dims_[dim_count_];
    *count = static_cast<int64_t>(dims.size());
    std::copy(dims.begin(), dims.end(), count + 1);
    dim_count_ = end;
    return AddConstant({count + 1, LW_INT64, 1, count, nullptr, 0});
  }

  /// A step. Numbers take the type of the last operand that is none. The
  /// library tells the result's type, unless `type` does.
  Value Step(const char* name, std::initializer_list<Value> operands,
             std::initializer_list<lw_attribute> attributes = {},
             int32_t type = LW_ABSENT) noexcept {
    if (step_count_ == LW_MAX_STEPS || operands.size() > LW_MAX_INPUTS) {
      return Fail(LW_WRONG_COUNT,
                  "more than LW_MAX_STEPS steps, or more than LW_MAX_INPUTS "
                  "operands");
    }
    int32_t beside = LW_ABSENT;
    for (const Value& operand : operands) {
      if (operand.recorder_ == this) beside = operand.type_;
    }
    OneStep& step = steps_[step_count_];
    std::array<lw_tensor, LW_MAX_INPUTS> tensors;
    for (Value operand : operands) {
      if (!status_.ok()) break;
      if (operand.is_number()) operand = Constant(operand, beside);
      if (operand.recorder_ != this) FailForeign();
      tensors[step.count] = {nullptr, operand.type_, 0, nullptr, nullptr, 0};
      step.operands[step.count++] = operand.place_;
    }
    if (status_.ok()) {
      Keep(Op::Create(engine_, name, opset_,
                      {attributes.begin(), attributes.size()}, &step.op));
    }
    if (status_.ok() && type == LW_ABSENT) {
      lw_shape results[LW_MAX_OUTPUTS];
      Keep(step.op.Infer({tensors.data(), step.count}, results));
      if (status_.ok()) type = results[0].type;
    }
    if (!status_.ok()) return {this, 0, LW_ABSENT};
    return {this, kFirstStep + step_count_++, type};
  }

  /// The chain whose outputs are these values.
  Chain Finish(std::initializer_list<Value> outputs) noexcept {
    if (outputs.size() > LW_MAX_OUTPUTS) {
      Fail(LW_WRONG_COUNT, "more than LW_MAX_OUTPUTS outputs");
    }
    std::array<int32_t, LW_MAX_OUTPUTS> results;
    size_t count = 0;
    for (const Value& output : outputs) {
      if (output.recorder_ != this) FailForeign();
      if (status_.ok()) results[count++] = NumberOf(output.place_);
    }
    if (!status_.ok()) return Chain(status_);
    std::array<lw_step, LW_MAX_STEPS> steps;
    for (size_t s = 0; s < step_count_; ++s) {
      OneStep& step = steps_[s];
      for (size_t k = 0; k < step.count; ++k) {
        step.operands[k] = NumberOf(step.operands[k]);
      }
      steps[s] = {step.op.get(), step.operands.data(), step.count};
    }
    Chain chain;
    const Status status = Chain::Create(
        engine_, {input_types_.data(), input_count_},
        {constants_.data(), constant_count_}, {steps.data(), step_count_},
        {results.data(), count}, &chain);
    return status.ok() ? std::move(chain) : Chain(status);
  }

 private:
  // The places of values: as in lw_chain_create, but with room for as many
  // inputs and constants as there may be.
  static constexpr size_t kFirstConstant = LW_MAX_INPUTS;
  static constexpr size_t kFirstStep = kFirstConstant + LW_MAX_CONSTANTS;

  struct OneStep {
    // GCC 14 stops with an internal error at an array of them without this.
    OneStep() noexcept {}

    Op op;
    size_t count = 0;
    std::array<int32_t, LW_MAX_INPUTS> operands;
  };

  int32_t NumberOf(int32_t place) const noexcept {
    auto number = static_cast<size_t>(place);
    if (number >= kFirstStep) number -= LW_MAX_CONSTANTS - constant_count_;
    if (number >= kFirstConstant) number -= LW_MAX_INPUTS - input_count_;
    return static_cast<int32_t>(number);
  }
  Value AddConstant(const lw_tensor& constant) noexcept {
    constants_[constant_count_] = constant;
    return {this, kFirstConstant + constant_count_++, constant.type};
  }

  void Keep(Status status) noexcept {
    if (status_.ok()) status_ = status;
  }
  Value Fail(lw_status code, const char* message) noexcept {
    Keep(Status::Failure(code, message));
    return {this, 0, LW_ABSENT};
  }
  Value FailConstants() noexcept {
    return Fail(LW_WRONG_COUNT,
                "more than LW_MAX_CONSTANTS constants, or too many dims of "
                "shapes");
  }
  void FailForeign() noexcept {
    Fail(LW_INVALID_ARGUMENT,
         "an operand or an output is no value of this formula; numbers need a "
         "value beside them, whose type they take");
  }

  const Engine& engine_;
  int32_t opset_;
  Status status_;
  std::array<int32_t, LW_MAX_INPUTS> input_types_;
  size_t input_count_ = 0;
  std::array<uint64_t, LW_MAX_CONSTANTS> elements_;
  std::array<int64_t, 2 * LW_MAX_RANK> dims_;  // of each shape: a count, dims
  size_t dim_count_ = 0;
  std::array<lw_tensor, LW_MAX_CONSTANTS> constants_;
  size_t constant_count_ = 0;
  std::array<OneStep, LW_MAX_STEPS> steps_;
  size_t step_count_ = 0;
};

}  // namespace cxx
}  // namespace lanewise

#endif  // LANEWISE_CHAIN_HPP_
