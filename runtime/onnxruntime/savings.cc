// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/savings.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "runtime/onnxruntime/chains.h"
#include "runtime/onnxruntime/cpu_provider.h"
#include "runtime/onnxruntime/fusions.h"
#include "runtime/onnxruntime/rows.h"

namespace lanewise::ort {
namespace {

// What memory moves in the time that a call of ONNX Runtime takes: about a
// quarter of a microsecond.
constexpr int64_t kCall = 1 << 13;
// The same for what engines that are not fast do more than the CPU provider. A
// step on float16 converts and rounds each element.
constexpr int64_t kHalfStep = 3;
// What a step on float32 takes longer than the CPU provider's node, measured
// with AVX-512. Engines that are not fast give functions a right last bit where
// the CPU provider approximates.
struct SlowStep {
  std::string_view op;
  int64_t fast;
  int64_t others;
};
constexpr SlowStep kSlowSteps[] = {
    {"Gelu", 0, 40},    {"LayerNormalization", 3, 3}, {"LogSoftmax", 12, 16},
    {"Sigmoid", 0, 12}, {"RMSNormalization", 6, 6},   {"Softmax", 12, 16},
    {"Tanh", 0, 14}};
// A claim must save this share of what the nodes move.
constexpr double kMargin = 0.1;

int64_t BytesOf(const Value& value) {
  return value.likely_elements * ElementBytes(value.type);
}

int64_t SlownessOf(const Node& node, int32_t type, bool is_fast) {
  if (type != LW_FLOAT32 && type != LW_FLOAT16) return 0;
  for (const SlowStep& step : kSlowSteps) {
    if (step.op == node.op) return is_fast ? step.fast : step.others;
  }
  return 0;
}

int64_t BytesMoved(const Graph& graph, const Node& node) {
  int64_t bytes = BytesOf(graph.values[node.outputs[0]]);
  for (int value : node.inputs) {
    if (value >= 0) bytes += BytesOf(graph.values[value]);
  }
  return bytes;
}

int64_t ElementsOf(const Graph& graph, const Node& node) {
  int64_t most = graph.values[node.outputs[0]].likely_elements;
  for (int value : node.inputs) {
    if (value >= 0) most = std::max(most, graph.values[value].likely_elements);
  }
  return most;
}

// What the stages of a chain hand on through memory, if there is more of it
// than the caches hold: each of these values is written and read.
int64_t BytesBetweenStages(const Graph& graph, const std::vector<int>& nodes) {
  std::set<int> values;
  for (int index : nodes) {
    const Node& node = graph.nodes[index];
    if (!Reduces(node)) continue;
    const int maker = graph.values[node.inputs[0]].producer;
    if (std::binary_search(nodes.begin(), nodes.end(), maker)) {
      values.insert(node.inputs[0]);
    }
    if (IsComposed(node)) values.insert(node.outputs[0]);
  }
  if (values.empty() || RunInSlices(graph, nodes)) return 0;
  int64_t bytes = 0;
  for (int value : values) bytes += 2 * BytesOf(graph.values[value]);
  return bytes;
}

// What the CPU provider's fused nodes move and take longer: each fusion is one
// node.
int64_t BytesOfFusions(const Graph& graph,
                       const std::set<const Fusion*>& fusions,
                       const Facts& facts) {
  int64_t bytes = 0;
  for (const Fusion* fusion : fusions) {
    const Border border = BorderOf(graph, fusion->nodes);
    for (const auto* values :
         {&border.inputs, &border.constants, &border.outputs}) {
      for (int value : *values) bytes += BytesOf(graph.values[value]);
    }
    const Value& result = graph.values[graph.nodes[fusion->last].outputs[0]];
    bytes += kCall + LongerBytes(*fusion, facts) * result.likely_elements;
  }
  return bytes;
}

}  // namespace

int64_t LongerBytes(const Fusion& fusion, const Facts& facts) {
  if (facts.accuracy != LW_ACCURACY_FAST || facts.vector_bytes < 32) return 0;
  return facts.vector_bytes < 64 ? fusion.longer.avx2 : fusion.longer.avx512;
}

bool Savings::IsWorthIt() const {
  return static_cast<double>(sum()) > kMargin * static_cast<double>(before);
}

std::string Savings::Described() const {
  const auto kib = [](int64_t bytes) { return std::to_string(bytes / 1024); };
  return "In one pass the nodes move " + kib(after) + " KiB instead of " +
         kib(before) + ". The claim adds " + std::to_string(reorders) +
         " reorders and " + std::to_string(casts) + " casts, which move " +
         kib(added) + " KiB, and saves " + kib(sum()) + " KiB in sum.";
}

Savings SavingsOf(const Graph& graph, const std::vector<int>& nodes,
                  int reorders, const CastCount& casts, const Facts& facts) {
  const bool is_fast = facts.accuracy == LW_ACCURACY_FAST;
  Savings savings;
  savings.after = kCall;
  std::set<const Fusion*> fusions;
  int64_t most_elements = 0;
  int64_t most_bytes = 0;
  for (int index : nodes) {
    const Node& node = graph.nodes[index];
    const Value& result = graph.values[node.outputs[0]];
    const int64_t elements = ElementsOf(graph, node);
    const int64_t moved = BytesMoved(graph, node);
    const int32_t type = TypeOf(graph, node);
    most_elements = std::max(most_elements, elements);
    most_bytes = std::max(most_bytes, BytesOf(result));
    if (node.fusion != nullptr && LongerBytes(*node.fusion, facts) > 0) {
      fusions.insert(node.fusion);
      continue;
    }
    savings.after += SlownessOf(node, type, is_fast) * elements;
    if (CpuProviderHas(node.op, node.since, type, facts.half_arithmetic) ==
        Native::kByCasts) {
      // Between its casts, the CPU provider moves float32 and rounds nothing.
      savings.before += kCall + 2 * moved;
      if (!is_fast) savings.after += kHalfStep * elements;
    } else {
      savings.before += kCall + moved;
    }
  }
  savings.before += BytesOfFusions(graph, fusions, facts);
  savings.after += BytesBetweenStages(graph, nodes);
  const Border border = BorderOf(graph, nodes);
  for (const std::vector<int>* values : {&border.inputs, &border.constants}) {
    for (int value : *values) savings.after += BytesOf(graph.values[value]);
  }
  // ONNX Runtime gives a fused node no memory of an input that dies. Memory
  // that is not in the caches is read before it is written.
  for (int value : border.outputs) {
    savings.after += 2 * BytesOf(graph.values[value]);
  }
  savings.reorders = reorders;
  savings.casts = casts.with - casts.without;
  constexpr int64_t kFloatAndHalf = 4 + 2;
  savings.added = savings.reorders * (kCall + 2 * most_bytes) +
                  savings.casts * (kCall + kFloatAndHalf * most_elements);
  return savings;
}

}  // namespace lanewise::ort
