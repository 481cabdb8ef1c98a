// SPDX-License-Identifier: Apache-2.0
//
// What ONNX Runtime's layout transformer makes of a graph: which values are in
// the blocked layout, and which nodes become part of a convolution (layouts.h).

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_BLOCKED_LAYOUT_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_BLOCKED_LAYOUT_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/onnxruntime/fuser.h"

namespace lanewise::ort {

constexpr size_t kDims = 4;  // batch, channels, two of space

// Where an extent comes from: the value that had the extent first, and how
// often a stride of 2 has halved the extent since.
struct Extent {
  int value = -1;
  int halved = 0;
  bool operator==(const Extent&) const = default;
};
using Extents = std::array<Extent, kDims>;

// A node as ONNX Runtime sees it after the fusions that come first.
struct Unit {
  std::string_view op;
  int node = -1;  // whose attributes count
  std::vector<int> inputs;
  int output = -1;
  bool has_activation = false;
};

// What has become part of a convolution in the blocked layout.
struct Convolution {
  bool has_sum = false;
  bool has_activation = false;
};

// A value in the blocked layout.
struct Blocked {
  int64_t channels = 0;  // 0: the value is plain
  Extents extents;
  int uses = 0;       // at first
  int remaining = 0;  // by nodes that need the plain layout
  int conv = -1;      // the convolution that writes the value; -1: none
};

class Layout {
 public:
  explicit Layout(const Fuser& fuser)
      : fuser_(fuser),
        graph_(fuser.graph()),
        states_(graph_.values.size()),
        uses_(graph_.values.size()),
        reordered_(graph_.values.size()) {
    if (graph_.block_channels <= 1) return;
    MakeUnits();
    for (const Unit& unit : units_) Transform(unit);
  }

  int CountReorders() const {
    int count = transposes_;
    for (size_t i = 0; i < states_.size(); ++i) {
      count += reordered_[i];
      count += states_[i].channels > 0 && states_[i].remaining > 0;
    }
    return count;
  }

  // Whether the node reads or writes a value in the blocked layout.
  bool Touches(const Node& node) const {
    const auto blocked = [&](int value) { return IsBlocked(value); };
    return std::any_of(node.inputs.begin(), node.inputs.end(), blocked) ||
           std::any_of(node.outputs.begin(), node.outputs.end(), blocked);
  }

  std::vector<Fusion> TakeFusions() { return std::move(fusions_); }

 private:
  void MakeUnits();
  void AddUnit(int node);
  bool IsNew() const { return graph_.ort_minor > 24; }
  int64_t Block() const { return graph_.block_channels; }
  const Value& ValueAt(int value) const { return graph_.values[value]; }
  bool IsBlocked(int value) const {
    return value >= 0 && states_[value].channels > 0;
  }

  void Transform(const Unit& unit);
  void TransformConv(const Unit& unit);
  void TransformPool(const Unit& unit);
  void TransformBinary(const Unit& unit);
  void TransformConcat(const Unit& unit);
  void TransformActivation(const Unit& unit);
  void TransformNormalization(const Unit& unit);
  void TransformTranspose(const Unit& unit);
  void TransformResize(const Unit& unit);

  bool CanBlock(const Unit& unit, bool* reads_blocked) const;
  bool HandsOn(const Unit& unit) const;
  bool SameShape(int a, int b) const;
  // Each returns the convolution that the unit becomes part of; -1: none.
  int ConvForSum(const Unit& unit);
  int ConvForActivation(int value);
  int ConvForHardSwish(const Unit& unit);
  bool ScalesChannels(const Unit& unit);

  void Read(int value);
  void Write(const Unit& unit, int64_t channels, const Extents& extents,
             int conv);
  int NewConv(bool has_activation) {
    convs_.push_back({false, has_activation});
    return static_cast<int>(convs_.size()) - 1;
  }
  Extents FreshExtents(int value) const;
  Extents AfterWindow(const Unit& unit, int filter) const;
  void Fuse(int node) {
    if (fuser_.IsFused(node)) return;
    fusions_.push_back({"Conv", "with the convolution before it", {node}});
  }

  const Fuser& fuser_;
  const Graph& graph_;
  std::vector<Unit> units_;
  std::vector<Blocked> states_;
  std::vector<int> uses_;        // of each value, by units
  std::vector<bool> reordered_;  // a ReorderInput reads the value
  int transposes_ = 0;
  std::vector<Convolution> convs_;
  std::vector<Fusion> fusions_;
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_BLOCKED_LAYOUT_H_
