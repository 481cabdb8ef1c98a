// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/claims.h"

#include <algorithm>

#include "runtime/onnxruntime/casts.h"
#include "runtime/onnxruntime/cpu_provider.h"
#include "runtime/onnxruntime/fusions.h"

namespace lanewise::ort {
namespace {

// A node with fewer elements gains nothing: a call costs more than its work.
constexpr int64_t kFewElements = 1024;
// A gain must be there on average, and no size may lose.
constexpr double kMeanGain = 1.05;
constexpr double kWorstGain = 0.95;

std::string Number(int64_t number) { return std::to_string(number); }

// "Div-14 of int64"
std::string Described(const Node& node, int32_t type) {
  return node.op + "-" + Number(node.since) + " of " + lw_type_name(type);
}

bool HasNeighboursOfOurs(const Graph& graph, const std::vector<bool>& ours,
                         int node) {
  const int data = graph.nodes[node].inputs[0];
  if (data < 0 || graph.values[data].producer < 0 ||
      !ours[graph.values[data].producer]) {
    return false;
  }
  const std::vector<int>& consumers =
      graph.values[graph.nodes[node].outputs[0]].consumers;
  return !consumers.empty() &&
         std::all_of(consumers.begin(), consumers.end(),
                     [&](int consumer) { return ours[consumer]; });
}

const Gain* GainOf(const Facts& facts, const Node& node, int32_t type) {
  for (size_t i = 0; i < facts.gain_count; ++i) {
    if (facts.gains[i].op == node.op && facts.gains[i].type == type) {
      return &facts.gains[i];
    }
  }
  return nullptr;
}

std::string Percent(double ratio) {
  return Number(static_cast<int64_t>(ratio * 100 + 0.5)) + "%";
}

Decision ByGain(const Graph& graph, const Facts& facts, const Node& node,
                int32_t type) {
  const int output = node.outputs[0];
  const int64_t elements = graph.values[output].elements;
  if (elements >= 0 && elements < kFewElements) {
    return {false, "The CPU provider has it too, and " + Number(elements) +
                       " elements are too few for a gain."};
  }
  const Gain* gain = GainOf(facts, node, type);
  if (gain == nullptr) {
    return {false, "The CPU provider has " + Described(node, type) +
                       " too, and there is no measured gain."};
  }
  const std::string measured = "In kept measurements, lanewise's speed was " +
                               Percent(gain->mean) +
                               " of the CPU provider's on average and " +
                               Percent(gain->worst) + " at worst.";
  return {gain->mean >= kMeanGain && gain->worst >= kWorstGain, measured};
}

std::string Described(const CastCount& casts) {
  return Number(casts.with) + " casts between float16 and float32 instead of " +
         Number(casts.without) + ".";
}

// A node that leaves the number of casts as it is may be part of a group that
// saves some.
Decision ForHalf(const Graph& graph, const std::vector<bool>& ours,
                 const Facts& facts, int node) {
  const CastCount casts =
      Casts(graph, facts.half_arithmetic).Around({node}, ours);
  return {casts.with <= casts.without,
          "With the claim there are " + Described(casts)};
}

bool IsHalfByCasts(const Graph& graph, const Facts& facts, int index) {
  const Node& node = graph.nodes[index];
  return TypeOf(graph, node) == LW_FLOAT16 && !node.is_taken &&
         CpuProviderHas(node.op, node.since, LW_FLOAT16,
                        facts.half_arithmetic) == Native::kByCasts;
}

// Leaves float16 nodes that only together have more casts than the CPU
// provider: without one of them there would be as many.
bool LeaveGroups(const Graph& graph, const Facts& facts,
                 std::vector<bool>* ours, std::vector<Decision>* decisions) {
  std::vector<bool> member(ours->size());
  for (size_t i = 0; i < member.size(); ++i) {
    member[i] = (*ours)[i] && IsHalfByCasts(graph, facts, static_cast<int>(i));
  }
  const Casts casts(graph, facts.half_arithmetic);
  bool changed = false;
  for (const std::vector<int>& group : casts.Groups(member)) {
    const CastCount count = casts.Around(group, *ours);
    if (count.with <= count.without) continue;
    for (int node : group) {
      (*ours)[node] = false;
      (*decisions)[node] = {
          false,
          "With it and its neighbours there would be " + Described(count)};
    }
    changed = true;
  }
  return changed;
}

}  // namespace

int32_t TypeOf(const Graph& graph, const Node& node) {
  if (node.signature == nullptr) return LW_ABSENT;
  // The type parameter that can be most types: not a condition or a shape.
  const lw_operand* inputs = node.signature->inputs;
  const size_t index = static_cast<size_t>(
      std::max_element(inputs, inputs + node.signature->input_count,
                       [](const lw_operand& a, const lw_operand& b) {
                         return a.type_count < b.type_count;
                       }) -
      inputs);
  if (index >= node.inputs.size() || node.inputs[index] < 0) return LW_ABSENT;
  return graph.values[node.inputs[index]].type;
}

Decision Decide(const Graph& graph, const std::vector<bool>& ours,
                const Facts& facts, int index) {
  const Node& node = graph.nodes[index];
  const int32_t type = TypeOf(graph, node);
  if (node.is_ours) return {true, "It was taken before."};
  if (node.is_taken) return {false, "Another provider has it."};
  if (!node.has_kernel) {
    return {false, "There is no kernel for " + Described(node, type) + "."};
  }
  if (node.inputs.size() > LW_MAX_INPUTS) {
    return {false, "It has more than " + Number(LW_MAX_INPUTS) + " inputs."};
  }
  if (facts.policy == Policy::kAll) return {true, "The option is claim=all."};

  const Native native =
      CpuProviderHas(node.op, node.since, type, facts.half_arithmetic);
  if (native == Native::kNo) {
    return {true, "The CPU provider lacks " + Described(node, type) + "."};
  }
  if (node.fusion != nullptr) {
    return {false,
            std::string("ONNX Runtime can fuse the node ") + node.fusion + "."};
  }
  if (native == Native::kByCasts) return ForHalf(graph, ours, facts, index);
  if (facts.policy == Policy::kMissing) {
    return {false, "The CPU provider has " + Described(node, type) + "."};
  }
  if (node.signature->moves_only) {
    if (HasNeighboursOfOurs(graph, ours, index)) {
      return {true, "The nodes before and behind it are lanewise's."};
    }
    return {false, "It moves no data in the CPU provider either."};
  }
  return ByGain(graph, facts, node, type);
}

std::vector<Decision> DecideAll(Graph graph, const Facts& facts) {
  const int count = static_cast<int>(graph.nodes.size());
  for (int i = 0; i < count; ++i) {
    Node& node = graph.nodes[i];
    if (node.signature != nullptr) node.fusion = FusionAround(graph, i);
  }
  // At first, each node counts as ours that could be. Then nodes are left one
  // after the other until the rest agrees with its neighbours: a node that was
  // left does not come back, so the loop ends.
  std::vector<bool> ours(count);
  for (int i = 0; i < count; ++i) {
    const Node& node = graph.nodes[i];
    ours[i] = node.signature != nullptr &&
              (node.is_ours || (node.has_kernel && !node.is_taken));
  }
  std::vector<Decision> decisions(count);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < count; ++i) {
      if (graph.nodes[i].signature == nullptr) continue;
      if (!ours[i] && !decisions[i].reason.empty()) continue;
      decisions[i] = Decide(graph, ours, facts, i);
      if (ours[i] && !decisions[i].take) {
        ours[i] = false;
        changed = true;
      }
    }
    if (!changed && facts.policy != Policy::kAll) {
      changed = LeaveGroups(graph, facts, &ours, &decisions);
    }
  }
  return decisions;
}

}  // namespace lanewise::ort
