// SPDX-License-Identifier: Apache-2.0
//
// LayerNormalization and its relatives, and Attention.

#include <algorithm>

#include "runtime/onnxruntime/fuser.h"

namespace lanewise::ort {
namespace {

// Of the node of ONNX Runtime 1.24; the node of 1.32 takes four times as long.
constexpr Longer kSkip = {13, 13};

bool IsLastAxis(const Fuser& fuser, int reduce) {
  const std::vector<double>* axes = nullptr;
  if (const Attribute* attribute = fuser.AttributeOf(reduce, "axes")) {
    axes = &attribute->numbers;
  } else if (const int input = fuser.Input(reduce, 1); input >= 0) {
    axes = &fuser.ValueAt(input).numbers;
  }
  if (axes == nullptr || axes->size() != 1) return false;
  const Value& data = fuser.ValueAt(fuser.Input(reduce, 0));
  return (*axes)[0] == -1 ||
         (data.has_rank &&
          (*axes)[0] == static_cast<double>(data.dims.size()) - 1);
}

// The square's mean, + epsilon, Sqrt. `div` divides by the result; -1: none
// does.
int DeviationBefore(const Fuser& fuser, int div, std::vector<int>* members) {
  const int sqrt = fuser.ProducerThroughCasts(fuser.Input(div, 1), members);
  if (!fuser.Is(sqrt, {"Sqrt"})) return -1;
  const int add = fuser.Producer(fuser.Input(sqrt, 0));
  if (!fuser.Is(add, {"Add"}) || fuser.OnlyConsumer(add) != sqrt) return -1;
  int mean = fuser.Producer(fuser.Input(add, 0));
  if (mean < 0) mean = fuser.Producer(fuser.Input(add, 1));
  if (!fuser.Is(mean, {"ReduceMean"}) || fuser.OnlyConsumer(mean) != add ||
      !IsLastAxis(fuser, mean)) {
    return -1;
  }
  const int square = fuser.Producer(fuser.Input(mean, 0));
  if (!fuser.Is(square, {"Pow"}) || fuser.OnlyConsumer(square) != mean) {
    return -1;
  }
  const int exponent = fuser.Input(square, 1);
  const bool unread =
      fuser.IsScalar(exponent) && fuser.ValueAt(exponent).numbers.empty();
  if (!unread && !fuser.IsScalar(exponent, 2)) return -1;
  members->insert(members->end(), {sqrt, add, mean, square});
  return square;
}

// The node behind `node` that has the name and a vector as other operand.
int ThenVector(const Fuser& fuser, int node, std::string_view op,
               std::vector<int>* members) {
  const int next = fuser.ConsumerThroughCasts(node, members);
  if (!fuser.Is(next, {op})) return -1;
  members->push_back(next);
  const int a = fuser.Input(next, 0);
  const int b = fuser.Input(next, 1);
  return fuser.IsVector(a) || fuser.IsVector(b) ? next : -1;
}

// x less its mean, divided by its deviation, Mul and Add.
void FuseLayerNormalization(Fuser* fuser, int div) {
  std::vector<int> members = {div};
  if (!fuser->IsType(fuser->Output(div),
                     {LW_FLOAT32, LW_FLOAT16, LW_FLOAT64})) {
    return;
  }
  const int square = DeviationBefore(*fuser, div, &members);
  if (square < 0) return;
  const int centred =
      fuser->ProducerThroughCasts(fuser->Input(square, 0), &members);
  const int sub = fuser->ProducerThroughCasts(fuser->Input(div, 0), &members);
  if (!fuser->Is(sub, {"Sub"}) || !fuser->Is(centred, {"Sub"})) return;
  members.push_back(sub);
  if (centred != sub) members.push_back(centred);
  const int x = fuser->Input(sub, 0);
  const int mean = fuser->ProducerThroughCasts(fuser->Input(sub, 1), &members);
  if (!fuser->Is(mean, {"ReduceMean"}) || !IsLastAxis(*fuser, mean) ||
      fuser->Input(mean, 0) != x || fuser->Input(centred, 0) != x) {
    return;
  }
  members.push_back(mean);
  const int mul = ThenVector(*fuser, div, "Mul", &members);
  const int last = mul < 0 ? -1 : ThenVector(*fuser, mul, "Add", &members);
  if (last < 0) return;
  for (int node : members) {
    if (node != last && !fuser->OnlyFor(node, members)) return;
  }
  fuser->Add(
      {"LayerNormalization", "into LayerNormalization", members, x, last});
}

// The same without the mean and the Add.
void FuseSimplified(Fuser* fuser, int div) {
  std::vector<int> members = {div};
  const int square = DeviationBefore(*fuser, div, &members);
  if (square < 0 || fuser->Input(square, 0) != fuser->Input(div, 0)) return;
  const int mul = ThenVector(*fuser, div, "Mul", &members);
  if (mul < 0) return;
  for (int node : members) {
    if (node != mul && !fuser->OnlyFor(node, members)) return;
  }
  fuser->Add({"SimplifiedLayerNormalization", "into LayerNormalization",
              members, fuser->Input(div, 0), mul});
}

bool AddsTensors(const Fuser& fuser, int add) {
  return fuser.Is(add, {"Add"}) &&
         fuser.IsType(fuser.Input(add, 0), {LW_FLOAT32}) &&
         fuser.HasRank(fuser.Input(add, 0), 3) &&
         SameDims(fuser.ValueAt(fuser.Input(add, 0)),
                  fuser.ValueAt(fuser.Input(add, 1)));
}

bool AddsBias(const Fuser& fuser, int add, int reader) {
  if (!fuser.Is(add, {"Add"}) || fuser.OnlyConsumer(add) != reader) {
    return false;
  }
  const int bias = fuser.Input(add, 1);
  return fuser.HasRank(fuser.Input(add, 0), 3) && fuser.HasRank(bias, 1) &&
         fuser.ValueAt(bias).constant &&
         fuser.ValueAt(fuser.Input(add, 0)).dims[2] ==
             fuser.ValueAt(bias).dims[0];
}

// The nodes before a LayerNormalization that become part of it.
std::vector<int> SkipBefore(const Fuser& fuser, int x,
                            const std::vector<int>& readers) {
  const int add = fuser.Producer(x);
  if (add < 0 || !AddsTensors(fuser, add) || !fuser.OnlyFor(add, readers)) {
    return {};
  }
  for (size_t i = 0; i < 2; ++i) {
    const int bias = fuser.Producer(fuser.Input(add, i));
    if (bias >= 0 && AddsBias(fuser, bias, add)) return {bias, add};
  }
  return {add};
}

void FuseSkips(Fuser* fuser) {
  const Fusion skip{"SkipLayerNormalization", "into SkipLayerNormalization"};
  const int count = static_cast<int>(fuser->fusions().size());
  for (int i = 0; i < count; ++i) {
    const Fusion& fusion = fuser->fusions()[i];
    if (fusion.op != "LayerNormalization") continue;
    const std::vector<int> before =
        SkipBefore(*fuser, fusion.input, fusion.nodes);
    for (int node : before) fuser->Extend(i, node, skip);
  }
  for (int i = 0; i < fuser->Count(); ++i) {
    // Of three dims.
    const double axis = fuser->Is(i, {"LayerNormalization"})
                            ? fuser->NumberOf(i, "axis", -1)
                            : 0;
    if (axis != -1 && axis != 2) continue;
    Fusion fusion = skip;
    fusion.nodes = SkipBefore(*fuser, fuser->Input(i, 0), {i});
    if (fusion.nodes.empty()) continue;
    fusion.nodes.push_back(i);
    fusion.last = i;
    fusion.longer = kSkip;
    fuser->Add(std::move(fusion));
  }
}

// The Add of a vector behind a product that a Reshape follows: the heads of
// Attention.
bool IsBiasOfHeads(const Fuser& fuser, int add) {
  if (!fuser.Is(add, {"Add"})) return false;
  for (size_t i = 0; i < 2; ++i) {
    const int product = fuser.Producer(fuser.Input(add, i));
    const int bias = fuser.Input(add, 1 - i);
    if (fuser.Is(product, {"MatMul"}) && fuser.HasRank(bias, 1) &&
        fuser.ValueAt(bias).constant &&
        fuser.Is(fuser.OnlyConsumer(add), {"Reshape"})) {
      return true;
    }
  }
  return false;
}

// The mask of Attention and what computes the mask.
void FuseMask(Fuser* fuser, int softmax) {
  const int add = fuser->Producer(fuser->Input(softmax, 0));
  if (!fuser->Is(add, {"Add"})) return;
  std::vector<int> members = {softmax, add};
  for (size_t i = 1; i < members.size(); ++i) {
    for (int value : fuser->NodeAt(members[i]).inputs) {
      const int node = fuser->Producer(value);
      if (fuser->Is(node, {"Sub", "Mul", "Cast", "Unsqueeze", "Where"}) &&
          std::find(members.begin(), members.end(), node) == members.end()) {
        members.push_back(node);
      }
    }
  }
  fuser->Add({"Attention", "into Attention", members});
}

// The pattern is long. Three such biases, one for each kind of head, and a
// Softmax stand for the pattern.
void FuseAttention(Fuser* fuser) {
  std::vector<int> biases;
  for (int i = 0; i < fuser->Count(); ++i) {
    if (IsBiasOfHeads(*fuser, i)) biases.push_back(i);
  }
  if (biases.size() < 3) return;
  for (int i = 0; i < fuser->Count(); ++i) {
    if (fuser->Is(i, {"Softmax"})) FuseMask(fuser, i);
  }
  fuser->Add({"Attention", "into Attention", biases});
}

}  // namespace

void FuseNormalizations(Fuser* fuser) {
  const auto each = [&](auto fuse) {
    for (int i = 0; i < fuser->Count(); ++i) {
      if (fuser->Is(i, {"Div"})) fuse(fuser, i);
    }
  };
  each(FuseLayerNormalization);
  each(FuseSimplified);
  FuseAttention(fuser);
  FuseSkips(fuser);
}

}  // namespace lanewise::ort
