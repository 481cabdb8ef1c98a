// SPDX-License-Identifier: Apache-2.0
//
// Composed operators are data: a recipe writes down the steps of a chain, as
// ONNX's documents write function bodies. The runtime runs these steps for a
// call of the operator, and puts them into a chain that has the operator.
//
// A recipe knows the operator's version, attributes and types, and which
// optional inputs and outputs there are. It knows no shapes, not even ranks: a
// step that depends on these says so by a StepRule.

#ifndef LANEWISE_KERNELS_RECIPE_H_
#define LANEWISE_KERNELS_RECIPE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>

#include "kernels/operator.h"
#include "kernels/step_rule.h"
#include "lanewise/lanewise.h"

namespace lanewise {

class Recipe {
 public:
  /// An input, a constant or the result of a step.
  struct Value {
    int32_t number = -1;  ///< -1: an optional input that is left out
    int32_t type = LW_ABSENT;
    bool is_there() const { return number >= 0; }
  };
  /// The dims that a reduction reduces.
  struct Axes {
    std::span<const int64_t> some;  ///< none: all
    bool to_end = false;            ///< the first of `some`, and all behind
    /// Not 0: all from dim 1 on, which is divided into so many groups.
    int64_t groups = 0;
  };

  virtual int version() const = 0;
  virtual const AttributeValues& attributes() const = 0;
  virtual Value Input(size_t k) = 0;
  /// Whether a caller asks for output `k`.
  virtual bool Wants(size_t k) const = 0;
  /// What an output must have as its type.
  virtual int32_t OutputType(size_t k) const = 0;
  virtual void Output(size_t k, Value value) = 0;
  /// One element of a float or an integer type.
  virtual Value Constant(double value, int32_t type) = 0;
  virtual Value Step(const char* op, int version,
                     std::initializer_list<Value> operands,
                     std::span<const lw_attribute> attributes = {},
                     const StepRule& rule = {}) = 0;
  /// Rules for a step whose second operand is made of input `k`.
  virtual StepRule Stretches(size_t k) const = 0;
  /// Its first operand is made of input `first`.
  virtual StepRule IsLike(size_t k, size_t first) const = 0;
  virtual StepRule OfChannels(size_t k, int64_t dims = 1) const = 0;
  virtual StepRule OfGroup(size_t k, int64_t groups) const = 0;

  // Steps, named like their operators.
  Value Add(Value a, Value b, const StepRule& rule = {}) {
    return Step("Add", 14, {a, b}, {}, rule);
  }
  Value Sub(Value a, Value b, const StepRule& rule = {}) {
    return Step("Sub", 14, {a, b}, {}, rule);
  }
  Value Mul(Value a, Value b, const StepRule& rule = {}) {
    return Step("Mul", 14, {a, b}, {}, rule);
  }
  Value Div(Value a, Value b, const StepRule& rule = {}) {
    return Step("Div", 14, {a, b}, {}, rule);
  }
  Value Pow(Value a, Value b) { return Step("Pow", 15, {a, b}); }
  Value Max(Value a, Value b) { return Step("Max", 13, {a, b}); }
  Value Min(Value a, Value b) { return Step("Min", 13, {a, b}); }
  Value Equal(Value a, Value b) { return Step("Equal", 19, {a, b}); }
  Value Where(Value condition, Value x, Value y, const StepRule& rule = {}) {
    return Step("Where", 16, {condition, x, y}, {}, rule);
  }
  /// Hands an element for each group on to the channels of the group. `bools`
  /// has the channels as dim 1. `x` is made of input `k`.
  Value OfGroups(Value bools, Value x, size_t k, int64_t groups) {
    return Where(bools, x, x, OfGroup(k, groups));
  }
  Value Abs(Value x) { return Step("Abs", 13, {x}); }
  Value Exp(Value x) { return Step("Exp", 13, {x}); }
  Value Log(Value x) { return Step("Log", 13, {x}); }
  Value Sqrt(Value x) { return Step("Sqrt", 13, {x}); }
  Value Reciprocal(Value x) { return Step("Reciprocal", 13, {x}); }
  Value Round(Value x) { return Step("Round", 22, {x}); }
  /// No step if that is the type already.
  Value Cast(Value x, int32_t type);
  /// `op`: a reduction. The reduced dims stay, as 1.
  Value Reduce(const char* op, Value x, const Axes& axes);
  Value ReduceSum(Value x, const Axes& axes) {
    return Reduce("ReduceSum", x, axes);
  }
  Value ReduceMean(Value x, const Axes& axes) {
    return Reduce("ReduceMean", x, axes);
  }
  Value ReduceL1(Value x, const Axes& axes) {
    return Reduce("ReduceL1", x, axes);
  }
  Value ReduceL2(Value x, const Axes& axes) {
    return Reduce("ReduceL2", x, axes);
  }
  /// One element for all, without dims.
  Value ReduceAll(const char* op, Value x) {
    static constexpr int64_t kNone = 0;
    static constexpr lw_attribute kNoDims = {"keepdims", LW_ATTRIBUTE_INT, 1,
                                             &kNone};
    return Step(op, 13, {x}, {&kNoDims, 1});
  }
  Value ReduceMax(Value x, const Axes& axes) {
    return Reduce("ReduceMax", x, axes);
  }
  /// The place of the first maximum.
  Value ArgMax(Value x, const Axes& axes) {
    return Step("ArgMax", 13, {x}, {},
                {axes.to_end ? StepRule::kReduceFrom : StepRule::kReduceOne,
                 axes.some.front()});
  }
  /// The numbers 0, 1, 2, ... in the shape of these dims of `x`.
  Value Positions(Value x, const Axes& axes) {
    return Step("ArgMax", 13, {x}, {},
                {axes.to_end ? StepRule::kCountFrom : StepRule::kCountOne,
                 axes.some.front()});
  }
  /// 16-bit floats as float32, so that only the result is rounded to 16 bits.
  /// As float64 where `type` is that.
  Value Wide(Value x, int32_t type = LW_FLOAT32) {
    const bool is_double = x.type == LW_FLOAT64 || type == LW_FLOAT64;
    return Cast(x, is_double ? LW_FLOAT64 : LW_FLOAT32);
  }
  /// A result that is rounded to the output's type.
  void Rounded(size_t k, Value value) { Output(k, Cast(value, OutputType(k))); }

  // Attributes that have a fallback.
  double Float(const char* name) const { return *attributes().Float(name); }
  int64_t Int(const char* name) const { return *attributes().Int(name); }

 protected:
  ~Recipe() = default;
};

inline Recipe::Value Recipe::Cast(Value x, int32_t type) {
  if (x.type == type || !x.is_there()) return x;
  const int64_t to = type;
  const lw_attribute attribute = {"to", LW_ATTRIBUTE_INT, 1, &to};
  return Step("Cast", 13, {x}, {&attribute, 1});
}

inline Recipe::Value Recipe::Reduce(const char* op, Value x, const Axes& axes) {
  // The newest version whose axes are an attribute.
  const int version = std::strcmp(op, "ReduceSum") == 0 ? 11 : 13;
  if (axes.groups != 0) {
    return Step(op, version, {x}, {}, {StepRule::kReduceGroups, axes.groups});
  }
  if (axes.to_end) {
    return Step(op, version, {x}, {},
                {StepRule::kReduceFrom, axes.some.front()});
  }
  const lw_attribute attribute = {"axes", LW_ATTRIBUTE_INTS, axes.some.size(),
                                  axes.some.data()};
  return Step(op, version, {x}, {&attribute, axes.some.empty() ? 0u : 1u});
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_RECIPE_H_
