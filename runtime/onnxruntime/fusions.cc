// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/fusions.h"

#include <algorithm>
#include <initializer_list>
#include <set>

namespace lanewise::ort {
namespace {

using Names = std::initializer_list<std::string_view>;

bool In(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A node and its place in the graph.
class Place {
 public:
  Place(const Graph* graph, int node) : graph_(graph), node_(node) {}

  bool Is(Names names) const { return In(op(), names); }
  const std::string& op() const { return node().op; }

  std::vector<Place> Producers() const {
    std::vector<Place> found;
    for (int value : node().inputs) {
      if (value < 0 || graph_->values[value].producer < 0) continue;
      found.emplace_back(graph_, graph_->values[value].producer);
    }
    return found;
  }
  std::vector<Place> Consumers() const {
    std::vector<Place> found;
    for (int value : node().outputs) {
      if (value < 0) continue;
      for (int consumer : graph_->values[value].consumers) {
        found.emplace_back(graph_, consumer);
      }
    }
    return found;
  }
  bool Follows(Names names) const { return Any(Producers(), names); }
  bool Feeds(Names names) const { return Any(Consumers(), names); }

  /// One operand is a constant of one element.
  bool HasConstantScalar() const {
    return std::any_of(node().inputs.begin(), node().inputs.end(),
                       [&](int value) {
                         return value >= 0 && graph_->values[value].constant &&
                                graph_->values[value].elements == 1;
                       });
  }

  /// Whether a node that fits is at most `steps` edges away, over nodes of the
  /// names in `over`.
  template <typename Fits>
  bool Reaches(int steps, Names over, const Fits& fits) const {
    return Search(steps, true, over, fits);
  }

  /// As Reaches, but only towards the inputs.
  bool Descends(int steps, Names over, Names from) const {
    return Search(steps, false, over,
                  [&](const Place& place) { return place.Is(from); });
  }

 private:
  static bool Any(const std::vector<Place>& places, Names names) {
    return std::any_of(places.begin(), places.end(),
                       [&](const Place& place) { return place.Is(names); });
  }
  // Looks at each node once, the nearest first.
  template <typename Fits>
  bool Search(int steps, bool both_ways, Names over, const Fits& fits) const {
    std::set<int> seen = {node_};
    std::vector<Place> edge = {*this};
    for (; steps > 0 && !edge.empty(); --steps) {
      std::vector<Place> found;
      const auto look_at = [&](const Place& place) {
        if (!seen.insert(place.node_).second) return false;
        if (place.Is(over)) found.push_back(place);
        return fits(place);
      };
      for (const Place& place : edge) {
        for (const Place& next : place.Producers()) {
          if (look_at(next)) return true;
        }
        if (!both_ways) continue;
        for (const Place& next : place.Consumers()) {
          if (look_at(next)) return true;
        }
      }
      edge.swap(found);
    }
    return false;
  }
  const Node& node() const { return graph_->nodes[node_]; }

  const Graph* graph_;
  int node_;
};

// A convolution takes the activation behind it. On x64 it also hands its own
// data layout on, through nodes of these names.
bool IsInConvolution(const Place& node) {
  return node.Is({"Relu", "LeakyRelu", "Clip", "Add", "Mul"}) &&
         node.Descends(
             4,
             {"Add", "Sum", "Mul", "Relu", "LeakyRelu", "Clip", "Sigmoid",
              "Tanh", "Concat", "BatchNormalization", "MaxPool", "AveragePool"},
             {"Conv", "FusedConv"});
}

bool IsActivationOfGemm(const Place& node) {
  return node.Is({"Relu", "LeakyRelu"}) && node.Follows({"Gemm", "FusedGemm"});
}

const Names kProducts = {"MatMul", "FusedMatMul", "TransposeMatMul"};

bool IsScaleOfMatMul(const Place& node) {
  return node.Is({"Mul", "Div"}) && node.HasConstantScalar() &&
         (node.Follows(kProducts) || node.Feeds(kProducts));
}

// A bias, which Gelu, LayerNormalization and Attention take.
bool IsBiasOfMatMul(const Place& node) {
  return node.Is({"Add"}) &&
         (node.Follows(kProducts) || node.Follows({"MatMulNBits"}));
}

bool IsGelu(const Place& node) {
  return node.Is({"Add", "Div", "Mul"}) &&
         node.Reaches(3, {"Add", "Div", "Mul"}, [](const Place& place) {
           return place.Is({"Erf"}) && place.Feeds({"Add"});
         });
}

bool IsFastGelu(const Place& node) {
  return node.Is({"Add", "Mul"}) &&
         node.Reaches(4, {"Add", "Mul", "Pow"}, [](const Place& place) {
           return place.Is({"Tanh"}) && place.Feeds({"Add"});
         });
}

bool IsQuickGelu(const Place& node) {
  return node.Is({"Mul"}) &&
         (node.Follows({"Sigmoid"}) || node.Feeds({"Sigmoid"}));
}

bool IsLayerNormalization(const Place& node) {
  return node.Is({"Add", "Div", "Mul", "Sub", "Reciprocal"}) &&
         node.Reaches(
             3, {"Add", "Div", "Mul", "Sub", "Pow", "Reciprocal", "ReduceMean"},
             [](const Place& place) {
               return place.Is({"Sqrt"}) &&
                      place.Descends(2, {"Add"}, {"ReduceMean"});
             });
}

bool IsBeforeNormalization(const Place& node) {
  static const Names kTakers = {"LayerNormalization",
                                "SkipLayerNormalization",
                                "RMSNormalization",
                                "SimplifiedLayerNormalization",
                                "Softmax",
                                "Gelu",
                                "BiasGelu",
                                "FastGelu"};
  if (!node.Is({"Add", "Where"})) return false;
  const std::vector<Place> consumers = node.Consumers();
  return node.Feeds(kTakers) ||
         std::any_of(consumers.begin(), consumers.end(),
                     [&](const Place& next) {
                       return next.Is({"Add"}) && next.Feeds(kTakers);
                     });
}

bool IsQuantized(const Place& node) {
  return node.Follows({"DequantizeLinear", "DynamicQuantizeLinear"}) ||
         node.Feeds({"QuantizeLinear"}) ||
         node.Descends(3, {"Cast", "Mul"}, {"MatMulInteger", "ConvInteger"});
}

struct Fusion {
  bool (*around)(const Place& node);
  const char* what;
};
constexpr Fusion kFusions[] = {
    {IsInConvolution, "with the convolution before it"},
    {IsActivationOfGemm, "with the Gemm before it"},
    {IsScaleOfMatMul, "with the matrix product beside it"},
    {IsBiasOfMatMul, "as the bias of the matrix product before it"},
    {IsGelu, "into Gelu"},
    {IsFastGelu, "into FastGelu"},
    {IsQuickGelu, "into QuickGelu"},
    {IsLayerNormalization, "into LayerNormalization"},
    {IsBeforeNormalization,
     "with the normalization, Softmax or Gelu behind it"},
    {IsQuantized, "with the quantized nodes around it"},
};

}  // namespace

const char* FusionAround(const Graph& graph, int node) {
  const Place place(&graph, node);
  for (const Fusion& fusion : kFusions) {
    if (fusion.around(place)) return fusion.what;
  }
  return nullptr;
}

}  // namespace lanewise::ort
