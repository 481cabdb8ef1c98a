// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/fusions.h"

#include <algorithm>
#include <limits>

#include "runtime/onnxruntime/fuser.h"
#include "runtime/onnxruntime/layouts.h"

namespace lanewise::ort {
namespace {

constexpr char kWithConvolution[] = "with the convolution before it";
constexpr char kWithGemm[] = "with the Gemm before it";
constexpr char kWithQuantized[] = "with the quantized nodes around it";
constexpr char kWithProduct[] = "with the matrix product beside it";

// Whether ONNX Runtime's fusions know this version of an operator: 1.24 knows
// none of opset 22 and later.
bool IsKnown(const Fuser& fuser, int node) {
  return fuser.NodeAt(node).since < 22 || fuser.graph().ort_minor > 24;
}

bool HasConstantBounds(const Fuser& fuser, int clip) {
  for (size_t i = 1; i < 3; ++i) {
    const int bound = fuser.Input(clip, i);
    if (bound >= 0 && !fuser.ValueAt(bound).constant) return false;
  }
  return true;
}

bool IsActivationOfConv(const Fuser& fuser, int node) {
  return (fuser.Is(node,
                   {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid"}) &&
          IsKnown(fuser, node)) ||
         (fuser.Is(node, {"Clip"}) && HasConstantBounds(fuser, node));
}

bool IsActivationOfGemm(const Fuser& fuser, int node) {
  if (fuser.Is(node, {"LeakyRelu"})) {
    return fuser.NodeAt(node).since < 16 || fuser.graph().ort_minor > 24;
  }
  return fuser.Is(node, {"Relu", "Sigmoid", "Tanh", "HardSigmoid", "Elu",
                         "Selu", "Softplus", "Softsign", "ThresholdedRelu"}) &&
         IsKnown(fuser, node);
}

// The DequantizeLinear and QuantizeLinear nodes become part of the node.
bool IsBetweenQuantized(const Fuser& fuser, int node) {
  size_t first = 0;
  size_t count = 0;
  if (fuser.Is(node,
               {"GlobalAveragePool", "LeakyRelu", "Sigmoid", "Softmax"})) {
    count = 1;
  }
  if (fuser.Is(node, {"Add", "Mul"})) count = 2;
  if (fuser.Is(node, {"Where"})) first = 1, count = 2;
  if (count == 0 || !fuser.Is(fuser.OnlyConsumer(node), {"QuantizeLinear"})) {
    return false;
  }
  for (size_t i = first; i < first + count; ++i) {
    const int before = fuser.Producer(fuser.Input(node, i));
    if (!fuser.Is(before, {"DequantizeLinear"})) return false;
  }
  return true;
}

// The numbers that a QuantizeLinear can tell apart.
struct Range {
  double low;
  double high;
};

bool RangeOf(const Fuser& fuser, int quantize, Range* range) {
  const int scale = fuser.Input(quantize, 1);
  const int zero = fuser.Input(quantize, 2);
  if (!fuser.IsScalar(scale) || fuser.ValueAt(scale).numbers.empty() ||
      !fuser.IsScalar(zero) || fuser.ValueAt(zero).numbers.empty()) {
    return false;
  }
  const double step = fuser.ValueAt(scale).numbers[0];
  const double offset = fuser.ValueAt(zero).numbers[0];
  const bool is_signed = fuser.IsType(zero, {LW_INT8});
  if (!is_signed && !fuser.IsType(zero, {LW_UINT8})) return false;
  *range = {(is_signed ? -128 - offset : -offset) * step,
            (is_signed ? 127 - offset : 255 - offset) * step};
  return true;
}

// Such a Clip is left out, as the quantization bounds the numbers anyway.
bool IsClipOfQuantized(const Fuser& fuser, int node) {
  if (!fuser.Is(node, {"Relu", "Clip"})) return false;
  const int next = fuser.OnlyConsumer(node);
  Range range;
  if (!fuser.Is(next, {"QuantizeLinear"}) || !RangeOf(fuser, next, &range)) {
    return false;
  }
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  if (fuser.Is(node, {"Clip"})) {
    if (!HasConstantBounds(fuser, node)) return false;
    const auto bound = [&](size_t index, double otherwise) {
      const int value = fuser.Input(node, index);
      return value < 0 || fuser.ValueAt(value).numbers.empty()
                 ? otherwise
                 : fuser.ValueAt(value).numbers[0];
    };
    low = bound(1, fuser.NumberOf(node, "min", -high));
    high = bound(2, fuser.NumberOf(node, "max", high));
  }
  return low <= range.low && high >= range.high;
}

// MatMulInteger, Cast, Mul by the product of two scales, Add of a bias.
void FuseIntegerProduct(Fuser* fuser, int product) {
  Fusion fusion{"MatMulIntegerToFloat", kWithQuantized, {}};
  const int cast = fuser->OnlyConsumer(product);
  if (!fuser->Is(cast, {"Cast"})) return;
  const int mul = fuser->OnlyConsumer(cast);
  if (!fuser->Is(mul, {"Mul"})) return;
  const int scale = fuser->Producer(fuser->Other(mul, fuser->Output(cast)));
  if (!fuser->Is(scale, {"Mul"}) || fuser->OnlyConsumer(scale) != mul) return;
  fusion.nodes = {product, cast, scale, mul};
  const int add = fuser->OnlyConsumer(mul);
  if (fuser->Is(add, {"Add"})) {
    const int bias = fuser->Other(add, fuser->Output(mul));
    if (fuser->HasRank(bias, 1) && fuser->ValueAt(bias).constant) {
      fusion.nodes.push_back(add);
    }
  }
  fuser->Add(std::move(fusion));
}

// Whether the node multiplies or divides a value by a constant. `data` is the
// position of the value.
bool IsScale(const Fuser& fuser, int node, int* data) {
  if (!fuser.Is(node, {"Mul", "Div"})) return false;
  for (int scale = fuser.Is(node, {"Div"}) ? 1 : 0; scale < 2; ++scale) {
    const int value = fuser.Input(node, scale);
    const Value& other = fuser.ValueAt(fuser.Input(node, 1 - scale));
    if (fuser.ValueAt(value).constant && fuser.ValueAt(value).elements == 1 &&
        fuser.ValueAt(value).dims.size() <= other.dims.size()) {
      *data = 1 - scale;
      return true;
    }
  }
  return false;
}

// Of float64, the product keeps the scale as float32.
bool IsExactAsFloat(const Fuser& fuser, int node, int data) {
  const Value& scale = fuser.ValueAt(fuser.Input(node, 1 - data));
  if (scale.type != LW_FLOAT64) return true;
  if (fuser.graph().ort_minor <= 24 || scale.numbers.empty()) return false;
  const double factor =
      fuser.Is(node, {"Div"}) ? 1 / scale.numbers[0] : scale.numbers[0];
  return static_cast<double>(static_cast<float>(factor)) == factor;
}

bool IsProduct(const Fuser& fuser, int node) {
  return node >= 0 &&
         (fuser.Is(node, {"MatMul"}) ||
          (fuser.NodeAt(node).domain == "com.microsoft" &&
           fuser.NodeAt(node).op == "FusedMatMul")) &&
         fuser.IsType(fuser.Input(node, 0),
                      {LW_FLOAT32, LW_FLOAT16, LW_FLOAT64});
}

// Whether the node is a product or has become part of one.
bool IsInProduct(const Fuser& fuser, int node) {
  if (node < 0) return false;
  const int fusion = fuser.FusionOf(node);
  return IsProduct(fuser, node) ||
         (fusion >= 0 && fuser.fusions()[fusion].op == "FusedMatMul");
}

bool ScalesProduct(const Fuser& fuser, int node, int* data) {
  if (!IsScale(fuser, node, data) || !IsExactAsFloat(fuser, node, *data)) {
    return false;
  }
  const int value = fuser.Input(node, *data);
  const int before = fuser.Producer(value);
  if (IsInProduct(fuser, before) && fuser.OnlyConsumer(before) == node &&
      (IsProduct(fuser, before) ||
       IsInProduct(fuser, fuser.Producer(fuser.Input(before, 0))) ||
       IsInProduct(fuser, fuser.Producer(fuser.Input(before, 1))))) {
    return true;
  }
  const Value& output = fuser.ValueAt(fuser.Output(node));
  return fuser.ValueAt(value).has_rank && !fuser.ValueAt(value).dims.empty() &&
         !output.is_output && !output.consumers.empty() &&
         std::all_of(output.consumers.begin(), output.consumers.end(),
                     [&](int next) { return IsInProduct(fuser, next); });
}

bool CanTakeSum(const Fuser& fuser, int conv, int add) {
  return fuser.Is(conv, {"Conv"}) && IsKnown(fuser, conv) &&
         fuser.IsFloat(fuser.Input(conv, 0)) && fuser.Input(conv, 2) >= 0 &&
         fuser.OnlyConsumer(conv) == add;
}

}  // namespace

void FuseQuantized(Fuser* fuser) {
  for (int i = 0; i < fuser->Count(); ++i) {
    if (IsBetweenQuantized(*fuser, i) || IsClipOfQuantized(*fuser, i)) {
      fuser->Add({"", kWithQuantized, {i}});
    } else if (fuser->Is(i, {"MatMulInteger"})) {
      FuseIntegerProduct(fuser, i);
    }
  }
}

void FuseActivations(Fuser* fuser) {
  for (int i = 0; i < fuser->Count(); ++i) {
    const bool conv = fuser->Is(i, {"Conv"}) && IsKnown(*fuser, i);
    if (!conv && !fuser->Is(i, {"Gemm"})) continue;
    if (!fuser->IsFloat(fuser->Input(i, 0))) continue;
    const int next = fuser->OnlyConsumer(i);
    if (conv ? IsActivationOfConv(*fuser, next)
             : IsActivationOfGemm(*fuser, next)) {
      fuser->Add({conv ? "FusedConv" : "FusedGemm",
                  conv ? kWithConvolution : kWithGemm,
                  {i, next},
                  fuser->Input(i, 0),
                  next});
    }
  }
}

void FuseScales(Fuser* fuser) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < fuser->Count(); ++i) {
      int data = 0;
      if (!ScalesProduct(*fuser, i, &data)) continue;
      fuser->Add({"FusedMatMul", kWithProduct, {i}, fuser->Input(i, data), i});
      changed = true;
    }
  }
}

// A convolution in plain layout takes the sum behind it, and the activation
// behind that.
void FuseSums(Fuser* fuser) {
  for (int i = 0; i < fuser->Count(); ++i) {
    if (!fuser->Is(i, {"Add"})) continue;
    const int a = fuser->Input(i, 0);
    const int b = fuser->Input(i, 1);
    const Value& value = fuser->ValueAt(a);
    if (!fuser->HasRank(a, 4) || !SameDims(value, fuser->ValueAt(b)) ||
        std::count(value.dims.begin(), value.dims.end(), 0) > 0) {
      continue;
    }
    for (int operand : {a, b}) {
      const int conv = fuser->Producer(operand);
      if (!CanTakeSum(*fuser, conv, i)) continue;
      Fusion fusion{"FusedConv", kWithConvolution, {conv, i}};
      const int next = fuser->OnlyConsumer(i);
      if (IsActivationOfConv(*fuser, next)) fusion.nodes.push_back(next);
      fuser->Add(std::move(fusion));
      break;
    }
  }
}

Fuser EarlyFusions(const Graph& graph, const std::vector<int>& gone) {
  Fuser fuser(graph, gone);
  FuseQuantized(&fuser);
  FuseActivations(&fuser);
  FuseNormalizations(&fuser);
  FuseGelus(&fuser);
  FuseScales(&fuser);
  return fuser;
}

std::vector<Fusion> FusionsIn(const Graph& graph) {
  Fuser fuser = EarlyFusions(graph, {});
  for (Fusion& fusion : FusionsOfLayout(fuser)) fuser.Add(std::move(fusion));
  FuseSums(&fuser);
  return fuser.fusions();
}

}  // namespace lanewise::ort
