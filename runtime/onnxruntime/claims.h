// SPDX-License-Identifier: Apache-2.0
//
// Which nodes the provider takes, and why: a function of a node and its
// neighbours. Nothing here knows ONNX Runtime's interface.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_CLAIMS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_CLAIMS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lanewise/lanewise.h"

namespace lanewise::ort {

/// Operators that the provider takes no node of. ONNX Runtime fuses quantizing
/// nodes with the nodes between them, and packs the weights behind them: single
/// nodes of ours would be in its way.
inline bool IsLeftToHost(std::string_view op) {
  return op == "QuantizeLinear" || op == "DequantizeLinear" ||
         op == "DynamicQuantizeLinear";
}

/// The option `claim`.
enum class Policy {
  kAll,        ///< every node that has a kernel
  kMissing,    ///< only types that the CPU provider does not compute itself
  kProfitable  ///< these, and nodes with a measured gain
};

/// How many elements a tensor is taken to have if nothing is known.
inline constexpr int64_t kLikelyElements = 1 << 16;

/// What a dim is taken for that is not known before the run.
inline constexpr int64_t kLikelyDim = 16;

inline constexpr int64_t kUnknownDim = -1;

struct Fusion;

/// What a node has besides operands, as far as somebody asks for it.
struct Attribute {
  std::vector<double> numbers;
  std::string text;
};

/// A value on the edges between nodes. Indexes stand for nodes and values.
struct Value {
  std::string name;
  int32_t type = LW_ABSENT;  ///< an lw_type; LW_ABSENT if it is unknown
  int64_t elements = -1;     ///< -1: unknown before the run
  /// The same with an assumption for what is unknown.
  int64_t likely_elements = kLikelyElements;
  bool is_row_scalar = false;  ///< a row of the tensor is one element
  bool has_rank = false;       ///< dims are known, but for some extents
  /// kUnknownDim or a smaller number: known only by a name. Equal names have
  /// equal numbers.
  std::vector<int64_t> dims;
  std::vector<double> numbers;  ///< of a constant with few elements
  bool constant = false;        ///< an initializer that no run changes
  bool is_output = false;       ///< of the graph
  int producer = -1;            ///< -1: none in this graph
  std::vector<int> consumers;
};

struct Node {
  std::string name;
  std::string op;
  std::string domain;       ///< empty for ONNX's own
  int since = 0;            ///< the version of the operator
  std::vector<int> inputs;  ///< -1 for one that is left out
  std::vector<int> outputs;
  std::map<std::string, Attribute, std::less<>> attributes;
  const lw_signature* signature = nullptr;  ///< if the support table has it
  /// Ours, for these types and attributes.
  bool has_kernel = false;
  bool is_taken = false;  ///< belongs to a provider already
  bool is_ours = false;   ///< namely to this one
  /// What a claim would prevent; nullptr if there is nothing.
  const Fusion* fusion = nullptr;
  int added_reorders = 0;  ///< by a claim of this node alone (layouts.h)
};

struct Graph {
  std::string name;
  int ort_minor = 32;       ///< ONNX Runtime 1.32
  int block_channels = 16;  ///< of the layout NCHWc; 1: there is none
  std::vector<Value> values;
  std::vector<Node> nodes;
};

struct Decision {
  bool take = false;
  std::string reason;  ///< a sentence
};

/// Nodes that could run in one pass.
struct Chain {
  std::vector<int> nodes;  ///< in the graph's order
  Decision decision;
  int64_t saved_bytes = 0;  ///< the sum behind the decision
  int added_reorders = 0;   ///< that ONNX Runtime needs for the claim
  int added_casts = 0;      ///< the same; negative: saved
};

struct Claims {
  std::vector<Decision> nodes;  ///< one for each node of the graph
  std::vector<Chain> chains;
};

/// How much faster lanewise was than the CPU provider: from kept results.
struct Gain {
  std::string_view op;
  int32_t type;
  double mean;   ///< the geometric mean of the ratios
  double worst;  ///< the smallest ratio
};

struct Facts {
  Policy policy = Policy::kProfitable;
  bool half_arithmetic = false;  ///< as the CPU provider uses it, on Arm
  lw_accuracy accuracy = LW_ACCURACY_FAST;
  int vector_bytes = 0;  ///< of our engine, on x86 with AVX2 or more
  const Gain* gains = nullptr;
  size_t gain_count = 0;
};

/// The lw_type of the operator's type parameter; LW_ABSENT if it is unknown.
int32_t TypeOf(const Graph& graph, const Node& node);

/// One decision. `ours` tells which nodes the provider will have.
Decision Decide(const Graph& graph, const std::vector<bool>& ours,
                const Facts& facts, int node);

/// All decisions; looks for fusions first. Nodes of a chain that is left are
/// decided one by one. A node or chain whose neighbours decide about it is
/// looked at again when one of these has been left.
Claims DecideAll(Graph graph, const Facts& facts);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_CLAIMS_H_
