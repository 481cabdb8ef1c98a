// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/rows.h"

#include <algorithm>
#include <optional>

#include "runtime/node/registry.h"
#include "runtime/onnxruntime/chains.h"

namespace lanewise::ort {
namespace {

// A sequence of so many bytes is a slice that stays in L2.
constexpr int64_t kMostOfSequence = int64_t{256} << 10;

const Operator* OperatorOf(const Node& node) {
  return node.signature == nullptr ? nullptr : FindOperator(node.op.c_str());
}

bool IsReduction(const Node& node) {
  const Operator* op = OperatorOf(node);
  return op != nullptr && op->recipe == nullptr &&
         op->forms.back().shape_rule == ShapeRule::kReduced;
}

std::optional<double> NumberOf(const Node& node, std::string_view name) {
  const auto place = node.attributes.find(name);
  if (place != node.attributes.end() && !place->second.numbers.empty()) {
    return place->second.numbers[0];
  }
  for (const AttributeInfo& info :
       FormAt(*OperatorOf(node), node.since).attributes) {
    if (info.name == name) return info.fallback;
  }
  return std::nullopt;
}

// The value that has the axes; -1: none has.
int AxesOf(const Node& node) {
  return IsReduction(node) && node.inputs.size() > 1 ? node.inputs[1] : -1;
}

// The axes that an attribute or a constant lists.
std::vector<double> ListedAxes(const Graph& graph, const Node& node) {
  const int input = AxesOf(node);
  if (input >= 0) return graph.values[input].numbers;
  const auto attribute = node.attributes.find(std::string_view("axes"));
  return attribute == node.attributes.end() ? std::vector<double>()
                                            : attribute->second.numbers;
}

// Whether a node reduces each dim of its first input. The sequences of a recipe
// that has an axis are taken to go on to the last dim, and those of a recipe
// without one to begin behind the channels.
std::vector<bool> DimsReducedBy(const Graph& graph, const Node& node,
                                size_t rank) {
  std::vector<bool> reduced(rank);
  const auto at = [&](double axis) {
    const double dims = static_cast<double>(rank);
    return static_cast<size_t>(
        std::clamp(axis < 0 ? axis + dims : axis, 0.0, dims));
  };
  const auto reduce = [&](size_t first, size_t last) {
    for (size_t i = first; i < std::min(last, rank); ++i) reduced[i] = true;
  };
  const std::vector<double> axes = ListedAxes(graph, node);
  if (!axes.empty()) {
    for (const double axis : axes) reduce(at(axis), at(axis) + 1);
  } else if (const auto axis = NumberOf(node, "axis")) {
    reduce(at(*axis), IsReduction(node) ? at(*axis) + 1 : rank);
  } else if (IsComposed(node)) {
    reduce(2, rank);
  } else if (NumberOf(node, "noop_with_empty_axes").value_or(0) == 0) {
    reduce(0, rank);
  }
  return reduced;
}

// The dims that all values of a chain have in common, aligned at the right.
// Operands that align at the channels are left out.
class Frame {
 public:
  // false: the value's rank is unknown.
  bool Add(const Value& value) {
    if (value.elements == 1) return true;
    const size_t rank = value.dims.size();
    if (dims_.size() < rank) dims_.resize(rank);
    for (size_t i = 0; i < rank; ++i) {
      const int64_t dim = value.dims[rank - 1 - i];
      dims_[i].extent = std::max(dims_[i].extent, dim < 0 ? kLikelyDim : dim);
    }
    return value.has_rank;
  }
  // In each slice of a dim that the value has not, the value would be made
  // again.
  void KeepDimsOf(const Value& value) {
    const size_t rank = value.dims.size();
    for (size_t i = 0; i < dims_.size(); ++i) {
      if (i >= rank || value.dims[rank - 1 - i] == 1) dims_[i].is_free = false;
    }
  }
  void Reduce(const std::vector<bool>& reduced) {
    for (size_t i = 0; i < reduced.size() && i < dims_.size(); ++i) {
      if (reduced[reduced.size() - 1 - i]) dims_[i].is_free = false;
    }
  }
  // Slices have whole groups of the value's channels, of one size only.
  void Group(const Value& value, double groups) {
    const size_t rank = value.dims.size();
    if (rank < 2 || rank > dims_.size()) return;
    Dim& channels = dims_[rank - 2];
    const int64_t each =
        channels.extent / std::max<int64_t>(1, static_cast<int64_t>(groups));
    if (channels.least == 1) channels.least = each;
    channels.is_free &= channels.least == each;
  }
  // Whether there are slices of at most so many elements.
  bool HasSlices(int64_t most) const {
    int64_t sequence = 1;
    bool is_sliced = false;
    for (const Dim& dim : dims_) {
      sequence *= dim.is_free ? dim.least : dim.extent;
      is_sliced |= dim.is_free && dim.extent > dim.least;
    }
    return is_sliced && sequence <= most;
  }

 private:
  struct Dim {
    int64_t extent = 1;
    int64_t least = 1;  // that a slice has
    bool is_free = true;
  };
  std::vector<Dim> dims_;  // from the last one on
};

}  // namespace

bool IsComposed(const Node& node) {
  const Operator* op = OperatorOf(node);
  return op != nullptr && op->recipe != nullptr;
}

bool Reduces(const Node& node) { return IsReduction(node) || IsComposed(node); }

bool ReadsComputedAxes(const Graph& graph, const Node& node) {
  const int axes = AxesOf(node);
  return axes >= 0 && !graph.values[axes].constant;
}

bool MayRepeatAxes(const Graph& graph, const Node& node) {
  if (!Reduces(node) || node.inputs.empty()) return false;
  const Value& operand = graph.values[node.inputs[0]];
  const auto rank = static_cast<double>(operand.dims.size());
  std::vector<double> axes = ListedAxes(graph, node);
  const auto is_negative = [](double axis) { return axis < 0; };
  const auto negative = std::count_if(axes.begin(), axes.end(), is_negative);
  if (!operand.has_rank && negative > 0 &&
      negative < static_cast<ptrdiff_t>(axes.size())) {
    return true;
  }
  for (double& axis : axes) {
    if (axis < 0) axis += rank;
  }
  std::sort(axes.begin(), axes.end());
  return std::adjacent_find(axes.begin(), axes.end()) != axes.end();
}

std::vector<bool> FindReduced(const Graph& graph) {
  std::vector<bool> reduced(graph.values.size());
  for (const Node& node : graph.nodes) {
    if (node.outputs.empty() || node.outputs[0] < 0) continue;
    reduced[node.outputs[0]] =
        IsReduction(node) ||
        (!node.inputs.empty() &&
         std::all_of(node.inputs.begin(), node.inputs.end(), [&](int value) {
           return value < 0 || reduced[value] ||
                  (graph.values[value].constant &&
                   graph.values[value].elements == 1);
         }));
  }
  return reduced;
}

bool RunInSlices(const Graph& graph, const std::vector<int>& nodes) {
  Frame frame;
  int64_t widest = 1;
  for (int index : nodes) {
    const Node& node = graph.nodes[index];
    // Where a recipe has no axis, other inputs align at the channels.
    const bool aligns_first = IsComposed(node) && !NumberOf(node, "axis");
    for (int value : node.inputs) {
      if (value < 0 || value == AxesOf(node)) continue;
      if (aligns_first && value != node.inputs[0]) continue;
      if (!frame.Add(graph.values[value])) return false;
      widest = std::max(widest, ElementBytes(graph.values[value].type));
    }
    if (!frame.Add(graph.values[node.outputs[0]])) return false;
  }
  for (int output : BorderOf(graph, nodes).outputs) {
    const Value& value = graph.values[output];
    // The dims of a reduction's result follow below.
    if (!IsReduction(graph.nodes[value.producer])) frame.KeepDimsOf(value);
  }
  for (int index : nodes) {
    const Node& node = graph.nodes[index];
    if (!Reduces(node)) continue;
    const Value& operand = graph.values[node.inputs[0]];
    const Value& result = graph.values[node.outputs[0]];
    frame.KeepDimsOf(operand);
    frame.Reduce(DimsReducedBy(graph, node, operand.dims.size()));
    if (const auto groups = NumberOf(node, "num_groups")) {
      frame.Group(operand, *groups);
    }
    const bool is_read = std::any_of(
        result.consumers.begin(), result.consumers.end(), [&](int reader) {
          return std::binary_search(nodes.begin(), nodes.end(), reader);
        });
    if (is_read && result.dims.size() != operand.dims.size()) return false;
  }
  return frame.HasSlices(kMostOfSequence / widest);
}

}  // namespace lanewise::ort
