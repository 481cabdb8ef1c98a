// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/claims.h"

#include <algorithm>
#include <utility>

#include "runtime/onnxruntime/casts.h"
#include "runtime/onnxruntime/chains.h"
#include "runtime/onnxruntime/cpu_provider.h"
#include "runtime/onnxruntime/fusions.h"
#include "runtime/onnxruntime/layouts.h"
#include "runtime/onnxruntime/rows.h"
#include "runtime/onnxruntime/savings.h"

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
  const int most = Reduces(node) ? node.inputs[0] : node.outputs[0];
  const int64_t elements = graph.values[most].elements;
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

}  // namespace

int32_t TypeOf(const Graph& graph, const Node& node) {
  if (node.signature == nullptr) return LW_ABSENT;
  // The first type parameter that can be several types: not a condition.
  const lw_operand* inputs = node.signature->inputs;
  const lw_operand* end = inputs + node.signature->input_count;
  const lw_operand* found = std::find_if(
      inputs, end,
      [](const lw_operand& operand) { return operand.type_count > 1; });
  const size_t index = found == end ? 0 : static_cast<size_t>(found - inputs);
  if (index >= node.inputs.size() || node.inputs[index] < 0) return LW_ABSENT;
  return graph.values[node.inputs[index]].type;
}

namespace {

// What the CPU provider has for all types of a node: Pow has two.
Native NativeOf(const Graph& graph, const Node& node, const Facts& facts) {
  const size_t inputs =
      std::min(node.signature->input_count, node.inputs.size());
  for (size_t k = 0; k < inputs; ++k) {
    const bool has_parameter = node.signature->inputs[k].type_count > 1;
    if (!has_parameter || node.inputs[k] < 0) continue;
    const int32_t type = graph.values[node.inputs[k]].type;
    if (CpuProviderHas(node.op, node.since, type, facts.half_arithmetic) ==
        Native::kNo) {
      return Native::kNo;
    }
  }
  return CpuProviderHas(node.op, node.since, TypeOf(graph, node),
                        facts.half_arithmetic);
}

}  // namespace

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

  const Native native = NativeOf(graph, node, facts);
  if (native == Native::kNo) {
    return {true, "The CPU provider lacks " + Described(node, type) + "."};
  }
  if (node.fusion != nullptr) {
    return {false, std::string("ONNX Runtime can fuse the node ") +
                       node.fusion->what + "."};
  }
  if (node.added_reorders > 0) {
    return {false, "ONNX Runtime would reorder values between layouts " +
                       Number(node.added_reorders) + " times more."};
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

namespace {

// Whether one chain has all nodes of the fusion.
bool IsWhole(const Fusion& fusion,
             const std::vector<std::vector<int>>& chains) {
  return std::any_of(
      chains.begin(), chains.end(), [&](const std::vector<int>& chain) {
        return std::all_of(
            fusion.nodes.begin(), fusion.nodes.end(), [&](int node) {
              return std::binary_search(chain.begin(), chain.end(), node);
            });
      });
}

// All decisions about a graph. At first, each node counts as ours that could
// be. Then chains and nodes are left one after the other until the rest agrees
// with its neighbours. What was left does not come back, so the loop ends.
class Claimer {
 public:
  Claimer(Graph graph, const Facts& facts)
      : graph_(std::move(graph)),
        facts_(facts),
        casts_(graph_, facts.half_arithmetic),
        fusions_(FusionsIn(graph_)),
        ours_(graph_.nodes.size()),
        in_chain_(graph_.nodes.size()) {
    for (const Fusion& fusion : fusions_) {
      for (int node : fusion.nodes) graph_.nodes[node].fusion = &fusion;
    }
    const Reorders reorders(graph_);
    claims_.nodes.resize(graph_.nodes.size());
    std::vector<bool> steps(graph_.nodes.size());
    for (int i = 0; i < Count(); ++i) {
      Node& node = graph_.nodes[i];
      if (node.signature == nullptr) continue;
      if (MayRepeatAxes(graph_, node)) node.has_kernel = false;
      if (node.fusion == nullptr) node.added_reorders = reorders.AddedBy({i});
      ours_[i] = node.is_ours || (node.has_kernel && !node.is_taken);
      steps[i] = CanBeStep(graph_, i) &&
                 (facts.policy == Policy::kAll || node.fusion == nullptr ||
                  LongerBytes(*node.fusion, facts_) > 0 ||
                  NativeOf(graph_, node, facts_) == Native::kNo);
    }
    for (std::vector<int>& nodes : ChainsOfWholeFusions(std::move(steps))) {
      for (int node : nodes) in_chain_[node] = true;
      Chain& chain = claims_.chains.emplace_back();
      chain.nodes = std::move(nodes);
      chain.added_reorders = reorders.AddedBy(chain.nodes);
      chain.decision.take = true;
    }
  }

  Claims Decide() && {
    for (bool changed = true; changed;) {
      changed = false;
      for (Chain& chain : claims_.chains) changed |= LeaveChain(&chain);
      for (int i = 0; i < Count(); ++i) changed |= LeaveNode(i);
      if (!changed && facts_.policy != Policy::kAll) changed = LeaveGroups();
    }
    return std::move(claims_);
  }

 private:
  int Count() const { return static_cast<int>(graph_.nodes.size()); }

  // A fusion is left to ONNX Runtime unless one chain has all of its nodes.
  std::vector<std::vector<int>> ChainsOfWholeFusions(
      std::vector<bool> steps) const {
    for (;;) {
      std::vector<std::vector<int>> chains = ChainsIn(graph_, steps);
      bool changed = false;
      for (const Fusion& fusion : fusions_) {
        if (facts_.policy == Policy::kAll || IsWhole(fusion, chains) ||
            LongerBytes(fusion, facts_) == 0) {
          continue;
        }
        for (int node : fusion.nodes) {
          changed |= steps[node];
          steps[node] = false;
        }
      }
      if (!changed) return chains;
    }
  }

  // true: the chain was taken until now.
  bool LeaveChain(Chain* chain) {
    if (!chain->decision.take) return false;
    const Savings savings =
        SavingsOf(graph_, chain->nodes, chain->added_reorders,
                  casts_.Around(chain->nodes, ours_), facts_);
    chain->saved_bytes = savings.sum();
    chain->added_casts = savings.casts;
    chain->decision = DecideChain(chain->nodes, savings);
    for (int node : chain->nodes) {
      in_chain_[node] = chain->decision.take;
      claims_.nodes[node] = {true, "In a chain: " + chain->decision.reason};
    }
    return !chain->decision.take;
  }

  Decision DecideChain(const std::vector<int>& nodes,
                       const Savings& savings) const {
    if (facts_.policy == Policy::kAll) {
      return {true, "The option is claim=all. " + savings.Described()};
    }
    if (facts_.policy == Policy::kMissing &&
        std::all_of(nodes.begin(), nodes.end(), [&](int node) {
          return NativeOf(graph_, graph_.nodes[node], facts_) == Native::kYes;
        })) {
      return {false, "The CPU provider has all of its nodes."};
    }
    return {savings.IsWorthIt(), savings.Described()};
  }

  // true: the node was taken until now.
  bool LeaveNode(int i) {
    Decision& decision = claims_.nodes[i];
    if (graph_.nodes[i].signature == nullptr || in_chain_[i]) return false;
    if (!ours_[i] && !decision.reason.empty()) return false;
    decision = ort::Decide(graph_, ours_, facts_, i);
    const bool left = ours_[i] && !decision.take;
    if (left) ours_[i] = false;
    return left;
  }

  // Leaves float16 nodes that only together have more casts than the CPU
  // provider: without one of them there would be as many.
  bool LeaveGroups() {
    std::vector<bool> member(ours_.size());
    for (int i = 0; i < Count(); ++i) {
      member[i] = ours_[i] && !in_chain_[i] && IsHalfByCasts(graph_, facts_, i);
    }
    bool changed = false;
    for (const std::vector<int>& group : casts_.Groups(member)) {
      const CastCount count = casts_.Around(group, ours_);
      if (count.with <= count.without) continue;
      for (int node : group) {
        ours_[node] = false;
        claims_.nodes[node] = {
            false,
            "With it and its neighbours there would be " + Described(count)};
      }
      changed = true;
    }
    return changed;
  }

  Graph graph_;
  const Facts& facts_;
  Casts casts_;
  const std::vector<Fusion> fusions_;
  std::vector<bool> ours_;
  std::vector<bool> in_chain_;  // the chain is taken
  Claims claims_;
};

}  // namespace

Claims DecideAll(Graph graph, const Facts& facts) {
  return Claimer(std::move(graph), facts).Decide();
}

}  // namespace lanewise::ort
