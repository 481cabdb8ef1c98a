// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/chains.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "runtime/onnxruntime/rows.h"

namespace lanewise::ort {
namespace {

void AddOnce(int value, std::vector<int>* values) {
  if (std::find(values->begin(), values->end(), value) == values->end()) {
    values->push_back(value);
  }
}

bool Contains(const std::vector<int>& sorted, int node) {
  return std::binary_search(sorted.begin(), sorted.end(), node);
}

bool IsWithinLimits(const Graph& graph, const std::vector<int>& nodes) {
  const auto recipes = static_cast<size_t>(
      std::count_if(nodes.begin(), nodes.end(),
                    [&](int node) { return IsComposed(graph.nodes[node]); }));
  const size_t steps = nodes.size() + recipes * (kStepsOfRecipe - 1);
  if (steps > LW_MAX_STEPS) return false;
  const Border border = BorderOf(graph, nodes);
  const auto arrays = std::count_if(
      border.constants.begin(), border.constants.end(),
      [&](int value) { return graph.values[value].elements != 1; });
  return border.inputs.size() + static_cast<size_t>(arrays) <= LW_MAX_INPUTS &&
         border.constants.size() + recipes * kConstantsOfRecipe <=
             LW_MAX_CONSTANTS &&
         border.outputs.size() <= LW_MAX_OUTPUTS;
}

// Groups of nodes, and an order in which they could run one after the other.
// In the beginning each node is a group.
class Groups {
 public:
  explicit Groups(const Graph& graph)
      : graph_(graph),
        group_(graph.nodes.size()),
        members_(group_.size()),
        order_(group_.size()),
        position_(group_.size()),
        mark_(group_.size()) {
    std::iota(group_.begin(), group_.end(), 0);
    order_ = position_ = group_;
    for (int node : group_) members_[node] = {node};
  }

  /// Makes one group of two nodes' groups if that is possible and they are not
  /// one. There is an edge from `from` to `to`.
  bool Join(int from, int to) {
    const int a = group_[from];
    const int b = group_[to];
    if (a == b) return false;
    std::vector<int> both;
    std::merge(members_[a].begin(), members_[a].end(), members_[b].begin(),
               members_[b].end(), std::back_inserter(both));
    if (!IsWithinLimits(graph_, both) || !FindBetween(a, b)) return false;
    Reorder(a, b);
    for (int node : members_[b]) group_[node] = a;
    members_[b].clear();
    members_[a] = std::move(both);
    return true;
  }

  /// The groups of more than one node.
  std::vector<std::vector<int>> Large() && {
    std::vector<std::vector<int>> large;
    for (std::vector<int>& nodes : members_) {
      if (nodes.size() > 1) large.push_back(std::move(nodes));
    }
    return large;
  }

 private:
  // Marks the groups behind `a` that must run before `b`. false: one of them
  // must run after `a`, so a path leads from `a` over another group to `b`.
  bool FindBetween(int a, int b) {
    ++round_;
    mark_[b] = round_;
    std::vector<int> queue = {b};
    for (size_t i = 0; i < queue.size(); ++i) {
      for (int node : members_[queue[i]]) {
        for (int value : graph_.nodes[node].inputs) {
          const int producer = value < 0 ? -1 : graph_.values[value].producer;
          if (producer < 0) continue;
          const int before = group_[producer];
          if (before == a && queue[i] != b) return false;
          if (position_[before] <= position_[a]) continue;
          if (mark_[before] == round_) continue;
          mark_[before] = round_;
          queue.push_back(before);
        }
      }
    }
    return true;
  }

  // The groups from `a` to `b`: first those that must run before `b`, then the
  // joined group in the place of `a`, then the others.
  void Reorder(int a, int b) {
    const auto first = order_.begin() + position_[a];
    const auto last = order_.begin() + position_[b] + 1;
    const std::vector<int> old(first, last);
    auto to = first;
    const auto put = [&](int group) {
      position_[group] = static_cast<int>(to - order_.begin());
      *to++ = group;
    };
    for (int group : old) {
      if (mark_[group] == round_ && group != b) put(group);
    }
    put(a);
    for (int group : old) {
      if (mark_[group] != round_ && group != a) put(group);
    }
    put(b);  // without members from now on
  }

  const Graph& graph_;
  std::vector<int> group_;  // of each node: the index of one of its nodes
  std::vector<std::vector<int>> members_;  // in the graph's order
  std::vector<int> order_;                 // groups
  std::vector<int> position_;              // of each group in order_
  std::vector<int> mark_;                  // the round that marked a group
  int round_ = 0;
};

}  // namespace

int64_t ElementBytes(int32_t type) {
  switch (type) {
    case LW_UINT8:
    case LW_INT8:
    case LW_BOOL:
    case LW_FLOAT8E4M3FN:
    case LW_FLOAT8E4M3FNUZ:
    case LW_FLOAT8E5M2:
    case LW_FLOAT8E5M2FNUZ:
    case LW_FLOAT8E8M0:
      return 1;
    case LW_UINT16:
    case LW_INT16:
    case LW_FLOAT16:
    case LW_BFLOAT16:
      return 2;
    case LW_FLOAT32:
    case LW_INT32:
    case LW_UINT32:
      return 4;
    case LW_FLOAT64:
    case LW_INT64:
    case LW_UINT64:
      return 8;
    default:
      return 0;
  }
}

bool CanBeStep(const Graph& graph, int index) {
  const Node& node = graph.nodes[index];
  if (node.signature == nullptr || !node.has_kernel || node.is_taken ||
      node.signature->moves_only || node.inputs.size() > LW_MAX_INPUTS ||
      ReadsComputedAxes(graph, node) ||
      // A chain has the first output only.
      std::any_of(node.outputs.begin() + 1, node.outputs.end(),
                  [](int value) { return value >= 0; })) {
    return false;
  }
  // An operand of which only the type matters; more steps than kStepsOfRecipe.
  if (node.op == "CastLike" ||
      (node.op == "GroupNormalization" && node.since < 21)) {
    return false;
  }
  const auto fits = [&](int value) {
    return value < 0 || ElementBytes(graph.values[value].type) > 0;
  };
  const Value& result = graph.values[node.outputs[0]];
  return std::all_of(node.inputs.begin(), node.inputs.end(), fits) &&
         fits(node.outputs[0]) &&
         (result.is_output || !result.consumers.empty());
}

Border BorderOf(const Graph& graph, const std::vector<int>& nodes) {
  Border border;
  for (int node : nodes) {
    for (int value : graph.nodes[node].inputs) {
      if (value < 0) continue;
      const Value& input = graph.values[value];
      if (input.constant) {
        AddOnce(value, &border.constants);
      } else if (!Contains(nodes, input.producer)) {
        AddOnce(value, &border.inputs);
      }
    }
    const int value = graph.nodes[node].outputs[0];
    const std::vector<int>& readers = graph.values[value].consumers;
    if (graph.values[value].is_output ||
        !std::all_of(readers.begin(), readers.end(),
                     [&](int reader) { return Contains(nodes, reader); })) {
      border.outputs.push_back(value);
    }
  }
  return border;
}

std::vector<std::vector<int>> ChainsIn(const Graph& graph,
                                       const std::vector<bool>& steps) {
  Groups groups(graph);
  const std::vector<bool> reduced = FindReduced(graph);
  // A step computes a value of a smaller shape again wherever the value is
  // stretched to. That is cheap only if the value is one element for a whole
  // row.
  const auto is_cheap = [&](int value, const Value& result) {
    const Value& of = graph.values[value];
    return of.is_row_scalar || reduced[value] ||
           of.likely_elements >= result.likely_elements;
  };
  // A refused join may become possible: what was an output is read inside then.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (!steps[i]) continue;
      const Node& node = graph.nodes[i];
      const Value& result = graph.values[node.outputs[0]];
      for (int value : node.inputs) {
        if (value < 0) continue;
        const int producer = graph.values[value].producer;
        if (producer >= 0 && steps[producer] && is_cheap(value, result)) {
          changed |= groups.Join(producer, static_cast<int>(i));
        }
      }
    }
  }
  return std::move(groups).Large();
}

}  // namespace lanewise::ort
