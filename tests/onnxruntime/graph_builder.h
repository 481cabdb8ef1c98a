// SPDX-License-Identifier: Apache-2.0
//
// Graphs for tests of the claims.

#ifndef LANEWISE_TESTS_ONNXRUNTIME_GRAPH_BUILDER_H_
#define LANEWISE_TESTS_ONNXRUNTIME_GRAPH_BUILDER_H_

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

using Names = std::vector<std::string>;

inline Facts With(Policy policy) {
  Facts facts;
  facts.policy = policy;
  return facts;
}
inline Facts All() { return With(Policy::kAll); }
inline Facts Missing() { return With(Policy::kMissing); }

// Builds graphs from names. Names that no node writes are inputs.
class Builder {
 public:
  explicit Builder(int32_t type) : type_(type) {}

  Builder& Constant(const std::string& name, int64_t elements) {
    Value& value = graph_.values[Find(name)];
    value.constant = true;
    return Elements(name, elements);
  }
  Builder& Elements(const std::string& name, int64_t elements) {
    Value& value = graph_.values[Find(name)];
    value.elements = value.likely_elements = elements;
    value.is_row_scalar = elements == 1;
    return *this;
  }
  Builder& Shape(const std::string& name, const std::vector<int64_t>& dims) {
    Value& value = graph_.values[Find(name)];
    value.has_rank = true;
    value.dims = dims;
    int64_t elements = 1;
    for (int64_t dim : dims) elements *= dim;
    return Elements(name, elements);
  }
  Builder& Scalar(const std::string& name, double number) {
    Constant(name, 1);
    graph_.values[Find(name)].numbers = {number};
    return *this;
  }
  Builder& Weights(const std::string& name, const std::vector<int64_t>& dims) {
    return Constant(name, 1).Shape(name, dims);
  }
  /// Of the node that was added last.
  Builder& With(const std::string& attribute, std::vector<double> numbers) {
    graph_.nodes.back().attributes[attribute].numbers = std::move(numbers);
    return *this;
  }
  /// Of a value that is known already or comes later.
  Builder& Type(const std::string& name, int32_t type) {
    graph_.values[Find(name)].type = type;
    return *this;
  }
  Builder& Output(const std::string& name) {
    graph_.values[Find(name)].is_output = true;
    return *this;
  }
  Builder& Add(const std::string& op, const std::vector<std::string>& inputs,
               const std::string& output, int opset = 14) {
    Node node;
    node.op = op;
    node.name = output;
    node.signature = Newest(op, opset);
    node.since = node.signature != nullptr ? node.signature->since_version : 1;
    node.has_kernel = node.signature != nullptr;
    const int index = static_cast<int>(graph_.nodes.size());
    for (const std::string& input : inputs) {
      const int value = Find(input);
      node.inputs.push_back(value);
      graph_.values[value].consumers.push_back(index);
    }
    node.outputs = {Find(output)};
    graph_.values[node.outputs[0]].producer = index;
    graph_.nodes.push_back(node);
    return *this;
  }
  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }

  /// Values that nobody reads become the graph's outputs.
  Builder& End() {
    for (Value& value : graph_.values) {
      value.is_output = value.is_output || value.consumers.empty();
    }
    return *this;
  }

  /// The outputs of the nodes that are taken.
  std::vector<std::string> Taken(const Facts& facts) const {
    std::vector<std::string> taken;
    const std::vector<Decision> decisions = DecideAll(graph_, facts).nodes;
    for (size_t i = 0; i < decisions.size(); ++i) {
      EXPECT_EQ(decisions[i].reason.empty(),
                graph_.nodes[i].signature == nullptr);
      if (decisions[i].take) taken.push_back(graph_.nodes[i].name);
    }
    return taken;
  }
  /// The names of the nodes of each chain that is taken.
  std::vector<std::vector<std::string>> Chains(const Facts& facts) const {
    std::vector<std::vector<std::string>> chains;
    for (const Chain& chain : DecideAll(graph_, facts).chains) {
      if (!chain.decision.take) continue;
      std::vector<std::string>& names = chains.emplace_back();
      for (int node : chain.nodes) names.push_back(graph_.nodes[node].name);
    }
    return chains;
  }
  std::string Reason(const Facts& facts, size_t node) const {
    return DecideAll(graph_, facts).nodes[node].reason;
  }

 private:
  static const lw_signature* Newest(const std::string& op, int opset) {
    const lw_signature* newest = nullptr;
    if (IsLeftToHost(op)) return nullptr;
    const lw_signature* row = nullptr;
    for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
      if (op == row->name && row->since_version <= opset) newest = row;
    }
    return newest;
  }
  int Find(const std::string& name) {
    const auto [place, added] =
        names_.emplace(name, static_cast<int>(graph_.values.size()));
    if (added) {
      Value& value = graph_.values.emplace_back();
      value.name = name;
      value.type = type_;
    }
    return place->second;
  }

  int32_t type_;
  Graph graph_;
  std::map<std::string, int> names_;
};

}  // namespace lanewise::ort

#endif  // LANEWISE_TESTS_ONNXRUNTIME_GRAPH_BUILDER_H_
