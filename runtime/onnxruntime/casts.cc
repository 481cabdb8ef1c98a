// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/casts.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "runtime/onnxruntime/cpu_provider.h"

namespace lanewise::ort {

bool Casts::IsHalf(int value) const {
  return value >= 0 && graph_.values[value].type == LW_FLOAT16;
}

// Whether ONNX Runtime moves a node that could compute float16 to float32 if
// its inputs come from float32 nodes.
bool Casts::CanFollowIntoFloat(int index) const {
  const Node& node = graph_.nodes[index];
  if (node.op == "If" || node.op == "Loop" || node.op == "Scan") return false;
  const bool goes_on =
      std::any_of(node.outputs.begin(), node.outputs.end(), [&](int value) {
        return IsHalf(value) && !graph_.values[value].consumers.empty();
      });
  return goes_on &&
         std::none_of(node.outputs.begin(), node.outputs.end(), [&](int value) {
           return value >= 0 && graph_.values[value].is_output;
         });
}

bool Casts::RunsInFloat(int index, const std::vector<bool>& ours) const {
  const Node& node = graph_.nodes[index];
  if (ours[index] || node.is_taken) return false;
  if (std::none_of(node.inputs.begin(), node.inputs.end(),
                   [&](int value) { return IsHalf(value); })) {
    return false;
  }
  const bool by_casts =
      node.signature == nullptr
          ? CpuProviderCastsHalf(node.op, node.domain)
          : CpuProviderHas(node.op, node.since, LW_FLOAT16, half_arithmetic_) ==
                Native::kByCasts;
  if (by_casts) return true;
  return CanFollowIntoFloat(index) &&
         std::all_of(node.inputs.begin(), node.inputs.end(), [&](int value) {
           if (!IsHalf(value) || graph_.values[value].constant) return true;
           const int producer = graph_.values[value].producer;
           return producer >= 0 && RunsInFloat(producer, ours);
         });
}

// ONNX Runtime inserts one Cast for all readers of a value.
int Casts::At(int index, const std::vector<bool>& ours) const {
  const Value& value = graph_.values[index];
  // A constant is cast when it is loaded.
  if (!IsHalf(index) || value.constant) return 0;
  // Nobody looks for a reader when a float32 node gets a Cast behind it.
  bool half_reader = value.is_output || value.consumers.empty();
  bool float_reader = false;
  for (int consumer : value.consumers) {
    const bool in_float = RunsInFloat(consumer, ours);
    half_reader = half_reader || !in_float;
    float_reader = float_reader || in_float;
  }
  const bool made_in_float =
      value.producer >= 0 && RunsInFloat(value.producer, ours);
  return made_in_float ? half_reader : float_reader;
}

// The values at which casts depend on the owner of the nodes: also those of
// nodes that follow into float32.
std::vector<int> Casts::ValuesBeside(const std::vector<int>& nodes) const {
  std::set<int> values;
  std::vector<int> queue = nodes;
  std::set<int> seen(nodes.begin(), nodes.end());
  for (size_t i = 0; i < queue.size(); ++i) {
    const Node& node = graph_.nodes[queue[i]];
    for (int value : node.inputs) {
      if (IsHalf(value)) values.insert(value);
    }
    for (int value : node.outputs) {
      if (!IsHalf(value)) continue;
      values.insert(value);
      for (int consumer : graph_.values[value].consumers) {
        if (CanFollowIntoFloat(consumer) && seen.insert(consumer).second) {
          queue.push_back(consumer);
        }
      }
    }
  }
  return {values.begin(), values.end()};
}

CastCount Casts::Around(const std::vector<int>& nodes,
                        const std::vector<bool>& now) const {
  const std::vector<int> values = ValuesBeside(nodes);
  if (values.empty()) return {};
  std::vector<bool> ours = now;
  const auto count = [&](bool owned) {
    for (int node : nodes) ours[node] = owned;
    return std::accumulate(
        values.begin(), values.end(), 0,
        [&](int sum, int value) { return sum + At(value, ours); });
  };
  CastCount casts;
  casts.with = count(true);
  casts.without = count(false);
  return casts;
}

std::vector<std::vector<int>> Casts::Groups(
    const std::vector<bool>& member) const {
  std::vector<std::vector<int>> groups;
  std::vector<bool> seen(member.size());
  for (size_t first = 0; first < member.size(); ++first) {
    if (!member[first] || seen[first]) continue;
    std::vector<int> group = {static_cast<int>(first)};
    seen[first] = true;
    const auto add = [&](int node) {
      if (node < 0 || !member[node] || seen[node]) return;
      seen[node] = true;
      group.push_back(node);
    };
    for (size_t i = 0; i < group.size(); ++i) {
      for (int value : ValuesBeside({group[i]})) {
        if (graph_.values[value].constant) continue;
        add(graph_.values[value].producer);
        for (int consumer : graph_.values[value].consumers) add(consumer);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace lanewise::ort
