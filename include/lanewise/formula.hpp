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
// Every operator that can be a step of a chain has its name here: C++'s where
// C++ has a symbol or a function for it, else ONNX's in snake_case. Attributes
// are arguments, with ONNX's defaults. Softmax with a scale and a mask:
//
//   lanewise::Trace<float, float>(engine, [](auto x, auto mask) {
//     auto y = x * 0.125f + mask;
//     y = exp(y - reduce_max(y, {-1}));
//     return y / sum(y, {-1});
//   });
//
// Where a formula differs from the same text on numbers:
//   - Nothing is promoted. Both sides have one type, and a number takes the
//     type of the value beside it: 0.1 beside a float16 is rounded to float16
//     once, 300 or 0.5 beside a uint8 is a failure. cast<T>(x) converts.
//   - Comparisons and logic give values of type bool, one for each element.
//     where(condition, x, y) chooses; if, ?: and loops cannot. && and ||
//     compute both sides.
//   - Integers never trap: overflow wraps, x / 0 and x % 0 are 0 and reported
//     as LW_DIVIDE_BY_ZERO, a shift by the width or more leaves 0 (or -1).
//   - round() rounds a tie to the even number, as std::nearbyint does.
//   - -x of unsigned numbers is 0 - x in their own type.
#ifndef LANEWISE_FORMULA_HPP_
#define LANEWISE_FORMULA_HPP_

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <type_traits>

#include "lanewise/chain.hpp"
#include "lanewise/lanewise.h"
#include "lanewise/lanewise.hpp"

namespace lanewise {
inline namespace cxx {

/// The opset of all steps: each name means the newest version up to this one.
inline constexpr int32_t kFormulaOpset = 28;

/// An operator as the next step of the formula that its operands belong to; no
/// value if all operands are numbers.
inline Value Traced(const char* name, std::initializer_list<Value> operands,
                    std::initializer_list<lw_attribute> attributes = {},
                    int32_t type = LW_ABSENT) noexcept {
  for (const Value& operand : operands) {
    Recorder* const recorder = operand.recorder();
    if (recorder == nullptr) continue;
    return recorder->Step(name, operands, attributes, type);
  }
  return Value();
}
inline bool IsBool(Value a, Value b) noexcept {
  return a.type() == LW_BOOL || b.type() == LW_BOOL;
}
inline lw_string Text(const char* text) noexcept {
  return {text, std::strlen(text)};
}

// ---- Symbols

#define LANEWISE_SYMBOL(symbol, name)                       \
  inline Value operator symbol(Value a, Value b) noexcept { \
    return Traced(name, {a, b});                            \
  }
LANEWISE_SYMBOL(+, "Add")
LANEWISE_SYMBOL(-, "Sub")
LANEWISE_SYMBOL(*, "Mul")
LANEWISE_SYMBOL(/, "Div")
LANEWISE_SYMBOL(==, "Equal")
LANEWISE_SYMBOL(<, "Less")
LANEWISE_SYMBOL(<=, "LessOrEqual")
LANEWISE_SYMBOL(>, "Greater")
LANEWISE_SYMBOL(>=, "GreaterOrEqual")
LANEWISE_SYMBOL(&&, "And")
LANEWISE_SYMBOL(||, "Or")
LANEWISE_SYMBOL(&, IsBool(a, b) ? "And" : "BitwiseAnd")
LANEWISE_SYMBOL(|, IsBool(a, b) ? "Or" : "BitwiseOr")
LANEWISE_SYMBOL(^, IsBool(a, b) ? "Xor" : "BitwiseXor")
#undef LANEWISE_SYMBOL

inline Value operator!(Value x) noexcept { return Traced("Not", {x}); }
inline Value operator!=(Value a, Value b) noexcept { return !(a == b); }
inline Value operator~(Value x) noexcept { return Traced("BitwiseNot", {x}); }
inline Value operator-(Value x) noexcept {
  const WholeType whole = WholeTypeOf(x.type());
  const bool is_unsigned = whole.bits > 1 && !whole.is_signed;
  return is_unsigned ? 0 - x : Traced("Neg", {x});
}
inline Value operator<<(Value x, Value bits) noexcept {
  const lw_string left = Text("LEFT");
  return Traced("BitShift", {x, bits}, {Attribute("direction", left)});
}
inline Value operator>>(Value x, Value bits) noexcept {
  const lw_string right = Text("RIGHT");
  return Traced("BitShift", {x, bits}, {Attribute("direction", right)});
}

/// The remainder with the sign of x, as in C++: of floats and of integers.
inline Value fmod(Value x, Value y) noexcept {
  const int64_t truncates = 1;
  return Traced("Mod", {x, y}, {Attribute("fmod", truncates)});
}
inline Value operator%(Value x, Value y) noexcept { return fmod(x, y); }
/// The remainder with the sign of y.
inline Value mod(Value x, Value y) noexcept { return Traced("Mod", {x, y}); }

#define LANEWISE_ASSIGNMENT(symbol, operation)                \
  inline Value& operator symbol(Value& a, Value b) noexcept { \
    return a = a operation b;                                 \
  }
LANEWISE_ASSIGNMENT(+=, +)
LANEWISE_ASSIGNMENT(-=, -)
LANEWISE_ASSIGNMENT(*=, *)
LANEWISE_ASSIGNMENT(/=, /)
LANEWISE_ASSIGNMENT(%=, %)
LANEWISE_ASSIGNMENT(&=, &)
LANEWISE_ASSIGNMENT(|=, |)
LANEWISE_ASSIGNMENT(^=, ^)
LANEWISE_ASSIGNMENT(<<=, <<)
LANEWISE_ASSIGNMENT(>>=, >>)
#undef LANEWISE_ASSIGNMENT

// ---- C++'s functions

inline Value abs(Value x) noexcept { return Traced("Abs", {x}); }
inline Value acos(Value x) noexcept { return Traced("Acos", {x}); }
inline Value acosh(Value x) noexcept { return Traced("Acosh", {x}); }
inline Value asin(Value x) noexcept { return Traced("Asin", {x}); }
inline Value asinh(Value x) noexcept { return Traced("Asinh", {x}); }
inline Value atan(Value x) noexcept { return Traced("Atan", {x}); }
inline Value atanh(Value x) noexcept { return Traced("Atanh", {x}); }
inline Value ceil(Value x) noexcept { return Traced("Ceil", {x}); }
inline Value cos(Value x) noexcept { return Traced("Cos", {x}); }
inline Value cosh(Value x) noexcept { return Traced("Cosh", {x}); }
inline Value erf(Value x) noexcept { return Traced("Erf", {x}); }
inline Value exp(Value x) noexcept { return Traced("Exp", {x}); }
inline Value floor(Value x) noexcept { return Traced("Floor", {x}); }
inline Value isnan(Value x) noexcept { return Traced("IsNaN", {x}); }
inline Value log(Value x) noexcept { return Traced("Log", {x}); }
inline Value pow(Value x, Value y) noexcept { return Traced("Pow", {x, y}); }
inline Value round(Value x) noexcept { return Traced("Round", {x}); }
inline Value sin(Value x) noexcept { return Traced("Sin", {x}); }
inline Value sinh(Value x) noexcept { return Traced("Sinh", {x}); }
inline Value sqrt(Value x) noexcept { return Traced("Sqrt", {x}); }
inline Value tan(Value x) noexcept { return Traced("Tan", {x}); }
inline Value tanh(Value x) noexcept { return Traced("Tanh", {x}); }

inline Value isinf(Value x, bool negative = true,
                   bool positive = true) noexcept {
  const int64_t detect_negative = negative, detect_positive = positive;
  return Traced("IsInf", {x},
                {Attribute("detect_negative", detect_negative),
                 Attribute("detect_positive", detect_positive)});
}
inline Value max(Value a, Value b) noexcept { return Traced("Max", {a, b}); }
inline Value min(Value a, Value b) noexcept { return Traced("Min", {a, b}); }
template <class... More>
Value max(Value a, Value b, Value c, More... more) noexcept {
  return Traced("Max", {a, b, c, more...});
}
template <class... More>
Value min(Value a, Value b, Value c, More... more) noexcept {
  return Traced("Min", {a, b, c, more...});
}

// ---- ONNX's functions

inline Value hard_swish(Value x) noexcept { return Traced("HardSwish", {x}); }
inline Value mish(Value x) noexcept { return Traced("Mish", {x}); }
inline Value reciprocal(Value x) noexcept { return Traced("Reciprocal", {x}); }
inline Value relu(Value x) noexcept { return Traced("Relu", {x}); }
inline Value sigmoid(Value x) noexcept { return Traced("Sigmoid", {x}); }
inline Value sign(Value x) noexcept { return Traced("Sign", {x}); }
inline Value softplus(Value x) noexcept { return Traced("Softplus", {x}); }
inline Value softsign(Value x) noexcept { return Traced("Softsign", {x}); }

inline Value celu(Value x, float alpha = 1) noexcept {
  return Traced("Celu", {x}, {Attribute("alpha", alpha)});
}
inline Value clip(Value x, Value low, Value high) noexcept {
  return Traced("Clip", {x, low, high});
}
inline Value elu(Value x, float alpha = 1) noexcept {
  return Traced("Elu", {x}, {Attribute("alpha", alpha)});
}
/// By the error function, or by an approximation that is made of Tanh.
enum GeluForm { kErf, kTanh };
inline Value gelu(Value x, GeluForm form = kErf) noexcept {
  const lw_string approximate = Text(form == kTanh ? "tanh" : "none");
  return Traced("Gelu", {x}, {Attribute("approximate", approximate)});
}
inline Value hard_sigmoid(Value x, float alpha = 0.2f,
                          float beta = 0.5f) noexcept {
  return Traced("HardSigmoid", {x},
                {Attribute("alpha", alpha), Attribute("beta", beta)});
}
inline Value leaky_relu(Value x, float alpha = 0.01f) noexcept {
  return Traced("LeakyRelu", {x}, {Attribute("alpha", alpha)});
}
template <class... More>
Value mean(Value a, Value b, More... more) noexcept {
  return Traced("Mean", {a, b, more...});
}
inline Value prelu(Value x, Value slope) noexcept {
  return Traced("PRelu", {x, slope});
}
inline Value selu(Value x, float alpha = 1.67326319217681884765625f,
                  float gamma = 1.05070102214813232421875f) noexcept {
  return Traced("Selu", {x},
                {Attribute("alpha", alpha), Attribute("gamma", gamma)});
}
inline Value shrink(Value x, float bias = 0, float lambd = 0.5f) noexcept {
  return Traced("Shrink", {x},
                {Attribute("bias", bias), Attribute("lambd", lambd)});
}
/// a + b + ..., from the left to the right; of 16-bit floats rounded once.
template <class... More>
Value sum(Value a, Value b, More... more) noexcept {
  return Traced("Sum", {a, b, more...});
}
/// swish(a, alpha) * b
inline Value swiglu(Value a, Value b, float alpha = 1) noexcept {
  return Traced("SwiGLU", {a, b}, {Attribute("alpha", alpha)});
}
inline Value swish(Value x, float alpha = 1) noexcept {
  return Traced("Swish", {x}, {Attribute("alpha", alpha)});
}
inline Value thresholded_relu(Value x, float alpha = 1) noexcept {
  return Traced("ThresholdedRelu", {x}, {Attribute("alpha", alpha)});
}

// ---- Reductions

/// A reduction of some axes, which stay as dims of 1 if `keepdims` is true.
inline Value Reduced(const char* name, std::initializer_list<Value> operands,
                     bool keepdims) noexcept {
  const int64_t keeps_dims = keepdims;
  return Traced(name, operands, {Attribute("keepdims", keeps_dims)},
                operands.begin()->type());
}
inline Value Reduced(const char* name, Value x,
                     std::initializer_list<int64_t> axes,
                     bool keepdims) noexcept {
  if (x.recorder() == nullptr) return Value();
  if (axes.size() == 0) return Reduced(name, {x}, keepdims);
  return Reduced(name, {x, x.recorder()->Shape(axes)}, keepdims);
}

// The axes are numbers, of which negative ones count from the end, or an
// argument of type int64. Without any, all axes are reduced.
#define LANEWISE_REDUCTION(function, name)                                    \
  inline Value function(Value x, std::initializer_list<int64_t> axes = {},    \
                        bool keepdims = true) noexcept {                      \
    return Reduced(name, x, axes, keepdims);                                  \
  }                                                                           \
  inline Value function(Value x, Value axes, bool keepdims = true) noexcept { \
    return Reduced(name, {x, axes}, keepdims);                                \
  }
LANEWISE_REDUCTION(reduce_l1, "ReduceL1")
LANEWISE_REDUCTION(reduce_l2, "ReduceL2")
LANEWISE_REDUCTION(reduce_log_sum, "ReduceLogSum")
LANEWISE_REDUCTION(reduce_log_sum_exp, "ReduceLogSumExp")
LANEWISE_REDUCTION(reduce_max, "ReduceMax")
LANEWISE_REDUCTION(reduce_mean, "ReduceMean")
LANEWISE_REDUCTION(reduce_min, "ReduceMin")
LANEWISE_REDUCTION(reduce_prod, "ReduceProd")
LANEWISE_REDUCTION(reduce_sum, "ReduceSum")
LANEWISE_REDUCTION(reduce_sum_square, "ReduceSumSquare")
#undef LANEWISE_REDUCTION

/// Short for reduce_sum and reduce_mean: sum(x, {-1}). Values in place of the
/// axes are added up.
inline Value sum(Value x, std::initializer_list<int64_t> axes = {},
                 bool keepdims = true) noexcept {
  return reduce_sum(x, axes, keepdims);
}
inline Value mean(Value x, std::initializer_list<int64_t> axes = {},
                  bool keepdims = true) noexcept {
  return reduce_mean(x, axes, keepdims);
}

/// The index of the first maximum or minimum along an axis, or of the last one:
/// a value of type int64.
inline Value arg_max(Value x, int64_t axis = 0, bool keepdims = true,
                     bool select_last_index = false) noexcept {
  const int64_t keeps_dims = keepdims, takes_last = select_last_index;
  return Traced("ArgMax", {x},
                {Attribute("axis", axis), Attribute("keepdims", keeps_dims),
                 Attribute("select_last_index", takes_last)},
                LW_INT64);
}
inline Value arg_min(Value x, int64_t axis = 0, bool keepdims = true,
                     bool select_last_index = false) noexcept {
  const int64_t keeps_dims = keepdims, takes_last = select_last_index;
  return Traced("ArgMin", {x},
                {Attribute("axis", axis), Attribute("keepdims", keeps_dims),
                 Attribute("select_last_index", takes_last)},
                LW_INT64);
}

// ---- Types, choices, shapes

/// To an lw_type. `saturate` and `round_mode` matter for float8 types only.
inline Value cast(Value x, int32_t type, bool saturate = true,
                  const char* round_mode = "up") noexcept {
  const int64_t to = type, saturates = saturate;
  const lw_string mode = Text(round_mode);
  return Traced("Cast", {x},
                {Attribute("to", to), Attribute("saturate", saturates),
                 Attribute("round_mode", mode)});
}
template <typename T>
Value cast(Value x) noexcept {
  return cast(x, kType<T>);
}

/// x where the condition is true, y elsewhere. One of both may be a number.
inline Value where(Value condition, Value x, Value y) noexcept {
  if (x.is_number() && y.is_number()) x = Value();
  return Traced("Where", {condition, x, y});
}

/// At the ends of a formula only: of an argument, or as a result. `shape` is an
/// argument of type int64.
inline Value reshape(Value x, Value shape, bool allowzero = false) noexcept {
  const int64_t keeps_zeros = allowzero;
  return Traced("Reshape", {x, shape}, {Attribute("allowzero", keeps_zeros)},
                x.type());
}
inline Value reshape(Value x, std::initializer_list<int64_t> shape,
                     bool allowzero = false) noexcept {
  if (x.recorder() == nullptr) return Value();
  return reshape(x, x.recorder()->Shape(shape), allowzero);
}

// ---- Composed operators

inline Value softmax(Value x, int64_t axis = -1) noexcept {
  return Traced("Softmax", {x}, {Attribute("axis", axis)}, x.type());
}
inline Value log_softmax(Value x, int64_t axis = -1) noexcept {
  return Traced("LogSoftmax", {x}, {Attribute("axis", axis)}, x.type());
}

inline Value hardmax(Value x, int64_t axis = -1) noexcept {
  return Traced("Hardmax", {x}, {Attribute("axis", axis)}, x.type());
}

/// LayerNormalization, over the dims from `axis` on.
inline Value layer_norm(Value x, Value scale, Value bias, int64_t axis = -1,
                        float epsilon = 1e-5f) noexcept {
  return Traced("LayerNormalization", {x, scale, bias},
                {Attribute("axis", axis), Attribute("epsilon", epsilon)},
                x.type());
}
inline Value layer_norm(Value x, Value scale, int64_t axis = -1,
                        float epsilon = 1e-5f) noexcept {
  return Traced("LayerNormalization", {x, scale},
                {Attribute("axis", axis), Attribute("epsilon", epsilon)},
                x.type());
}
/// RMSNormalization. The result has the type of the scale.
inline Value rms_norm(Value x, Value scale, int64_t axis = -1,
                      float epsilon = 1e-5f) noexcept {
  return Traced("RMSNormalization", {x, scale},
                {Attribute("axis", axis), Attribute("epsilon", epsilon)},
                scale.type());
}
/// BatchNormalization, as in inference.
inline Value batch_norm(Value x, Value scale, Value bias, Value mean,
                        Value variance, float epsilon = 1e-5f) noexcept {
  return Traced("BatchNormalization", {x, scale, bias, mean, variance},
                {Attribute("epsilon", epsilon)}, x.type());
}
/// InstanceNormalization.
inline Value instance_norm(Value x, Value scale, Value bias,
                           float epsilon = 1e-5f) noexcept {
  return Traced("InstanceNormalization", {x, scale, bias},
                {Attribute("epsilon", epsilon)}, x.type());
}
/// GroupNormalization: `groups` groups of channels; a scale and a bias for each
/// channel.
inline Value group_norm(Value x, Value scale, Value bias, int64_t groups,
                        float epsilon = 1e-5f) noexcept {
  return Traced(
      "GroupNormalization", {x, scale, bias},
      {Attribute("num_groups", groups), Attribute("epsilon", epsilon)},
      x.type());
}
inline Value lp_normalization(Value x, int64_t axis = -1,
                              int64_t p = 2) noexcept {
  return Traced("LpNormalization", {x},
                {Attribute("axis", axis), Attribute("p", p)}, x.type());
}
inline Value mean_variance_normalization(Value x,
                                         std::initializer_list<int64_t> axes = {
                                             0, 2, 3}) noexcept {
  return Traced("MeanVarianceNormalization", {x},
                {{"axes", LW_ATTRIBUTE_INTS, axes.size(), std::data(axes)}},
                x.type());
}
inline Value global_average_pool(Value x) noexcept {
  return Traced("GlobalAveragePool", {x}, {}, x.type());
}
inline Value global_lp_pool(Value x, int64_t p = 2) noexcept {
  return Traced("GlobalLpPool", {x}, {Attribute("p", p)}, x.type());
}
inline Value global_max_pool(Value x) noexcept {
  return Traced("GlobalMaxPool", {x}, {}, x.type());
}
/// The quantized elements; the scale and the zero point are no values.
inline Value dynamic_quantize_linear(Value x) noexcept {
  return Traced("DynamicQuantizeLinear", {x}, {}, LW_UINT8);
}

/// The chain that a function describes. T are the types of its arguments. It
/// returns a value, or an array of values for several outputs.
template <typename... T, class Function>
Chain Trace(const Engine& engine, const Function& function) noexcept {
  static_assert(sizeof...(T) >= 1 && sizeof...(T) <= LW_MAX_INPUTS,
                "Trace<float, ...> names the types of the arguments");
  Recorder recorder(engine, kFormulaOpset);
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

#endif  // LANEWISE_FORMULA_HPP_
