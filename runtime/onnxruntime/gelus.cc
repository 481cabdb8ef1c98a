// SPDX-License-Identifier: Apache-2.0
//
// Gelu and its relatives.

#include <algorithm>
#include <cmath>

#include "runtime/onnxruntime/fuser.h"

namespace lanewise::ort {
namespace {

constexpr double kSqrt2 = 1.4142135623730951;
constexpr double kCubic = 0.044715;
constexpr double kSqrt2OverPi = 0.7978845608028654;

// ONNX Runtime's FastGelu and QuickGelu take no longer than steps, and with
// AVX2 its BiasGelu takes less than an Add and the operator Gelu.
constexpr Longer kGelu = {5, 11};
constexpr Longer kBiasGelu = {7, 13};
constexpr Longer kBiasGeluOfOperator = {0, 8};

// The node that alone reads `node` and has one of these names.
int Then(const Fuser& fuser, int node, Fuser::Names names) {
  if (node < 0) return -1;
  const int next = fuser.OnlyConsumer(node);
  return fuser.Is(next, names) ? next : -1;
}

// The same with a constant as its other operand.
int ThenWith(const Fuser& fuser, int node, std::string_view op, double number) {
  const int next = Then(fuser, node, {op});
  if (next < 0) return -1;
  return fuser.IsScalar(fuser.Other(next, fuser.Output(node)), number) ? next
                                                                       : -1;
}

// The node that multiplies `value` by the number, if nobody but `reader` reads
// the product.
int Multiplied(const Fuser& fuser, int product, int value, double number,
               int reader) {
  const int mul = fuser.Producer(product);
  if (!fuser.Is(mul, {"Mul"}) || fuser.OnlyConsumer(mul) != reader) return -1;
  const int constant = fuser.ScalarOperand(mul, number);
  return constant >= 0 && fuser.Input(mul, 1 - constant) == value ? mul : -1;
}

// x / sqrt(2), Erf, + 1, and the product with x and 0.5 in two orders.
void FuseGelu(Fuser* fuser, int div) {
  const int x = fuser->Input(div, 0);
  if (!fuser->IsType(x, {LW_FLOAT32}) ||
      !fuser->IsScalar(fuser->Input(div, 1), kSqrt2)) {
    return;
  }
  const int erf = Then(*fuser, div, {"Erf"});
  const int add = ThenWith(*fuser, erf, "Add", 1);
  const int mul = Then(*fuser, add, {"Mul"});
  if (mul < 0) return;
  const int other = fuser->Other(mul, fuser->Output(add));
  int second = -1;
  int last = mul;
  if (other == x) {
    last = second = ThenWith(*fuser, mul, "Mul", 0.5);
  } else {
    second = Multiplied(*fuser, other, x, 0.5, mul);
  }
  if (second < 0) return;
  fuser->Add(
      {"Gelu", "into Gelu", {div, erf, add, mul, second}, x, last, kGelu});
}

// tanh's argument: sqrt(2 / pi) * (x + 0.044715 * x ^ 3). -1: something else.
int CubeOf(const Fuser& fuser, int node, std::vector<int>* members, int* x) {
  *x = fuser.Input(node, 0);
  const int cubic = ThenWith(fuser, node, "Mul", kCubic);
  const int sum = Then(fuser, cubic, {"Add"});
  if (sum < 0 || !fuser.IsScalar(fuser.Input(node, 1), 3) ||
      fuser.Other(sum, fuser.Output(cubic)) != *x) {
    return -1;
  }
  const int last = ThenWith(fuser, sum, "Mul", kSqrt2OverPi);
  *members = {node, cubic, sum, last};
  return last;
}

// The same as sqrt(2 / pi) * x * (1 + 0.044715 * x * x).
int SquareOf(const Fuser& fuser, int node, std::vector<int>* members, int* x) {
  const int constant = fuser.ScalarOperand(node, kCubic);
  if (constant < 0) return -1;
  *x = fuser.Input(node, 1 - constant);
  const int square = Then(fuser, node, {"Mul"});
  if (square < 0 || fuser.Other(square, fuser.Output(node)) != *x) return -1;
  const int sum = ThenWith(fuser, square, "Add", 1);
  const int last = Then(fuser, sum, {"Mul"});
  if (last < 0) return -1;
  const int scaled = Multiplied(fuser, fuser.Other(last, fuser.Output(sum)), *x,
                                kSqrt2OverPi, last);
  *members = {node, square, sum, scaled, last};
  return scaled < 0 ? -1 : last;
}

void FuseFastGelu(Fuser* fuser, int node) {
  if (!fuser->IsType(fuser->Output(node), {LW_FLOAT32})) return;
  std::vector<int> members;
  int x = -1;
  const int argument = fuser->Is(node, {"Pow"})
                           ? CubeOf(*fuser, node, &members, &x)
                           : SquareOf(*fuser, node, &members, &x);
  const int tanh = Then(*fuser, argument, {"Tanh"});
  const int add = ThenWith(*fuser, tanh, "Add", 1);
  const int mul = Then(*fuser, add, {"Mul"});
  if (mul < 0 || fuser->ValueAt(fuser->Output(mul)).is_output) return;
  const int half =
      Multiplied(*fuser, fuser->Other(mul, fuser->Output(add)), x, 0.5, mul);
  if (half < 0) return;
  members.insert(members.end(), {tanh, add, mul, half});
  fuser->Add({"FastGelu", "into FastGelu", members, x, mul});
}

// x * Sigmoid(x), also with a constant factor in the Sigmoid.
void FuseQuickGelu(Fuser* fuser, int sigmoid) {
  const int argument = fuser->Input(sigmoid, 0);
  const int mul = Then(*fuser, sigmoid, {"Mul"});
  if (mul < 0 || !fuser->IsType(argument, {LW_FLOAT32})) return;
  const int x = fuser->Other(mul, fuser->Output(sigmoid));
  Fusion fusion{"QuickGelu", "into QuickGelu", {sigmoid, mul}, x, mul};
  if (x != argument) {
    const int scale = fuser->Producer(argument);
    if (!fuser->Is(scale, {"Mul"}) || fuser->OnlyConsumer(scale) != sigmoid) {
      return;
    }
    const int constant = fuser->Other(scale, x);
    if (fuser->Other(scale, constant) != x || !fuser->IsScalar(constant)) {
      return;
    }
    fusion.nodes.push_back(scale);
  }
  fuser->Add(std::move(fusion));
}

// Whether the Add adds a vector to each row.
bool AddsVector(const Fuser& fuser, int add) {
  const int a = fuser.Input(add, 0);
  const int b = fuser.Input(add, 1);
  if (!fuser.HasRank(a, 1) && !fuser.HasRank(b, 1)) return false;
  const Value& left = fuser.ValueAt(a);
  const Value& right = fuser.ValueAt(b);
  return !left.dims.empty() && !right.dims.empty() && left.dims.back() >= 0 &&
         left.dims.back() == right.dims.back();
}

void FuseBias(Fuser* fuser, int add) {
  const int sum = fuser->Output(add);
  if (!AddsVector(*fuser, add)) return;
  for (size_t i = 0; i < fuser->fusions().size(); ++i) {
    const Fusion& fusion = fuser->fusions()[i];
    if (fusion.input == sum && In(fusion.op, {"Gelu", "FastGelu"}) &&
        fuser->OnlyFor(add, fusion.nodes)) {
      Fusion with_bias{"BiasGelu", "into BiasGelu"};
      if (fusion.op == "Gelu") with_bias.longer = kBiasGelu;
      fuser->Extend(static_cast<int>(i), add, with_bias);
      return;
    }
  }
  const int next = fuser->OnlyConsumer(add);
  if (next >= 0 && fuser->NodeAt(next).op == "Gelu" && !fuser->IsFused(next) &&
      !fuser->NodeAt(next).is_taken) {
    const bool by_tanh = fuser->TextOf(next, "approximate", "none") == "tanh";
    fuser->Add({"BiasGelu",
                "into BiasGelu",
                {add, next},
                -1,
                next,
                by_tanh ? Longer{} : kBiasGeluOfOperator});
  }
}

}  // namespace

void FuseGelus(Fuser* fuser) {
  const auto each = [&](Fuser::Names names, auto fuse) {
    for (int i = 0; i < fuser->Count(); ++i) {
      if (fuser->Is(i, names)) fuse(fuser, i);
    }
  };
  each({"Div"}, FuseGelu);
  each({"Mul", "Pow"}, FuseFastGelu);
  each({"Add"}, FuseBias);
  each({"Sigmoid"}, FuseQuickGelu);
}

}  // namespace lanewise::ort
