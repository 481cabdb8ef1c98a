// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/layouts.h"

#include <algorithm>

#include "runtime/onnxruntime/blocked_layout.h"

namespace lanewise::ort {

int ReordersIn(const Graph& graph, const std::vector<int>& without) {
  return Layout(EarlyFusions(graph, without)).CountReorders();
}

Reorders::Reorders(const Graph& graph) : graph_(graph) {
  const Fuser fuser = EarlyFusions(graph, {});
  const Layout layout(fuser);
  count_ = layout.CountReorders();
  for (const Node& node : graph.nodes) touches_.push_back(layout.Touches(node));
}

int Reorders::AddedBy(const std::vector<int>& nodes) const {
  // Otherwise all layouts stay as they are.
  const bool touched = std::any_of(nodes.begin(), nodes.end(),
                                   [&](int node) { return touches_[node]; });
  return touched ? ReordersIn(graph_, nodes) - count_ : 0;
}

std::vector<Fusion> FusionsOfLayout(const Fuser& fuser) {
  return Layout(fuser).TakeFusions();
}

}  // namespace lanewise::ort
