// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/fuser.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanewise::ort {

bool In(std::string_view name, Fuser::Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool SameDim(int64_t a, int64_t b) { return a == b && a != kUnknownDim; }

bool SameDims(const Value& a, const Value& b) {
  return a.has_rank && b.has_rank &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    SameDim);
}

Fuser::Fuser(const Graph& graph, const std::vector<int>& gone)
    : graph_(graph),
      gone_(graph.nodes.size()),
      fusion_of_(graph.nodes.size(), -1) {
  for (int node : gone) gone_[node] = true;
}

// What a second look at the graph finds with this provider was the CPU
// provider's in the first look.
bool Fuser::Has(int node) const {
  return node >= 0 && !gone_[node] &&
         (!NodeAt(node).is_taken || NodeAt(node).is_ours) &&
         NodeAt(node).domain.empty();
}

bool Fuser::Is(int node, Names names) const {
  return Has(node) && !IsFused(node) && In(NodeAt(node).op, names);
}

int Fuser::Input(int node, size_t index) const {
  const std::vector<int>& inputs = NodeAt(node).inputs;
  return index < inputs.size() ? inputs[index] : -1;
}

int Fuser::Producer(int value) const {
  return value < 0 ? -1 : ValueAt(value).producer;
}

int Fuser::OnlyConsumer(int node) const {
  const Value& output = ValueAt(Output(node));
  if (output.is_output || output.consumers.size() != 1) return -1;
  return output.consumers[0];
}

bool Fuser::OnlyFor(int node, const std::vector<int>& readers) const {
  const Value& output = ValueAt(Output(node));
  return !output.is_output &&
         std::all_of(output.consumers.begin(), output.consumers.end(),
                     [&](int consumer) {
                       return std::find(readers.begin(), readers.end(),
                                        consumer) != readers.end();
                     });
}

int Fuser::Other(int node, int value) const {
  return Input(node, 0) == value ? Input(node, 1) : Input(node, 0);
}

int Fuser::ProducerThroughCasts(int value, std::vector<int>* members) const {
  int node = Producer(value);
  while (Is(node, {"Cast"})) {
    members->push_back(node);
    node = Producer(Input(node, 0));
  }
  return node;
}

int Fuser::ConsumerThroughCasts(int node, std::vector<int>* members) const {
  node = OnlyConsumer(node);
  while (Is(node, {"Cast"})) {
    members->push_back(node);
    node = OnlyConsumer(node);
  }
  return node;
}

bool Fuser::IsType(int value, std::initializer_list<int32_t> types) const {
  return value >= 0 && std::find(types.begin(), types.end(),
                                 ValueAt(value).type) != types.end();
}

bool Fuser::IsFloat(int value) const {
  return IsType(value, {LW_FLOAT32, LW_FLOAT16});
}

bool Fuser::IsScalar(int value) const {
  return value >= 0 && ValueAt(value).constant &&
         ValueAt(value).elements == 1 && ValueAt(value).dims.size() <= 1;
}

bool Fuser::IsScalar(int value, double number) const {
  return IsScalar(value) && !ValueAt(value).numbers.empty() &&
         std::abs(ValueAt(value).numbers[0] - number) <=
             1e-8 + 1e-5 * std::abs(number);
}

int Fuser::ScalarOperand(int node, double number) const {
  for (int i = 0; i < 2; ++i) {
    if (IsScalar(Input(node, i), number)) return i;
  }
  return -1;
}

bool Fuser::IsVector(int value) const {
  return HasRank(value, 1) &&
         (ValueAt(value).constant || ValueAt(value).producer < 0);
}

bool Fuser::HasRank(int value, size_t rank) const {
  return value >= 0 && ValueAt(value).has_rank &&
         ValueAt(value).dims.size() == rank;
}

const Attribute* Fuser::AttributeOf(int node, std::string_view name) const {
  const auto place = NodeAt(node).attributes.find(name);
  return place == NodeAt(node).attributes.end() ? nullptr : &place->second;
}

double Fuser::NumberOf(int node, std::string_view name,
                       double otherwise) const {
  const Attribute* attribute = AttributeOf(node, name);
  return attribute == nullptr || attribute->numbers.empty()
             ? otherwise
             : attribute->numbers[0];
}

std::string_view Fuser::TextOf(int node, std::string_view name,
                               std::string_view otherwise) const {
  const Attribute* attribute = AttributeOf(node, name);
  return attribute == nullptr ? otherwise : attribute->text;
}

void Fuser::Add(Fusion fusion) {
  for (int node : fusion.nodes) {
    fusion_of_[node] = static_cast<int>(fusions_.size());
  }
  fusions_.push_back(std::move(fusion));
}

void Fuser::Extend(int fusion, int node, const Fusion& as) {
  Fusion& with = fusions_[fusion];
  with.op = as.op;
  with.what = as.what;
  with.nodes.insert(with.nodes.begin(), node);
  with.longer = as.longer;
  fusion_of_[node] = fusion;
}

}  // namespace lanewise::ort
