// SPDX-License-Identifier: Apache-2.0
//
// What the patterns of ONNX Runtime's fusions are written with.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_FUSER_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_FUSER_H_

#include <initializer_list>
#include <string_view>
#include <vector>

#include "runtime/onnxruntime/fusions.h"

namespace lanewise::ort {

/// A graph without some of its nodes, and the fusions found until now. A node
/// is an index, -1 is no node. A value likewise.
class Fuser {
 public:
  using Names = std::initializer_list<std::string_view>;

  /// `gone`: indexes of nodes that the CPU provider does not have.
  Fuser(const Graph& graph, const std::vector<int>& gone);

  const Graph& graph() const { return graph_; }
  const std::vector<Fusion>& fusions() const { return fusions_; }
  const Node& NodeAt(int node) const { return graph_.nodes[node]; }
  const Value& ValueAt(int value) const { return graph_.values[value]; }
  int Count() const { return static_cast<int>(graph_.nodes.size()); }

  /// Whether the CPU provider has the node, as one of ONNX's operators.
  bool Has(int node) const;
  /// The same for a node of these names that is in no fusion yet.
  bool Is(int node, Names names) const;
  bool IsFused(int node) const { return fusion_of_[node] >= 0; }
  /// -1: the node is in none.
  int FusionOf(int node) const { return fusion_of_[node]; }

  int Input(int node, size_t index) const;  ///< a value
  int Output(int node) const { return NodeAt(node).outputs[0]; }
  int Producer(int value) const;
  /// The node that alone reads the output, once; -1 also if the output is the
  /// graph's.
  int OnlyConsumer(int node) const;
  /// Whether nobody but these nodes reads the output.
  bool OnlyFor(int node, const std::vector<int>& readers) const;
  /// The other operand of a node of two operands.
  int Other(int node, int value) const;

  /// The same for a node whose outputs are read through Cast nodes. The nodes
  /// passed are added to `members`.
  int ProducerThroughCasts(int value, std::vector<int>* members) const;
  int ConsumerThroughCasts(int node, std::vector<int>* members) const;

  bool IsType(int value, std::initializer_list<int32_t> types) const;
  /// float32, or float16 that the CPU provider computes as float32.
  bool IsFloat(int value) const;
  /// A constant of one element and no more than one dim.
  bool IsScalar(int value) const;
  bool IsScalar(int value, double number) const;
  /// The position of the operand that is such a constant; -1: none is.
  int ScalarOperand(int node, double number) const;
  /// Rank 1; a constant or an input of the graph.
  bool IsVector(int value) const;
  bool HasRank(int value, size_t rank) const;
  /// nullptr: the node does not have the attribute.
  const Attribute* AttributeOf(int node, std::string_view name) const;
  double NumberOf(int node, std::string_view name, double otherwise) const;
  std::string_view TextOf(int node, std::string_view name,
                          std::string_view otherwise) const;

  void Add(Fusion fusion);
  /// A node before a fusion becomes part of the fusion, which from now on has
  /// the name of another one, and takes as much longer as that.
  void Extend(int fusion, int node, const Fusion& as);

 private:
  const Graph& graph_;
  std::vector<bool> gone_;
  std::vector<Fusion> fusions_;
  std::vector<int> fusion_of_;
};

/// Whether both extents are known or named, and equal.
bool SameDim(int64_t a, int64_t b);
bool SameDims(const Value& a, const Value& b);

bool In(std::string_view name, Fuser::Names names);

// The fusions, in ONNX Runtime's order. Each looks at what the ones before it
// left.
void FuseQuantized(Fuser* fuser);
void FuseActivations(Fuser* fuser);
void FuseGelus(Fuser* fuser);
void FuseNormalizations(Fuser* fuser);
void FuseScales(Fuser* fuser);
void FuseSums(Fuser* fuser);  ///< after the layouts are known

/// All but those that depend on layouts, if the CPU provider does not have the
/// nodes in `gone`.
Fuser EarlyFusions(const Graph& graph, const std::vector<int>& gone);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_FUSER_H_
