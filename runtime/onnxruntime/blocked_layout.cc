// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/blocked_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanewise::ort {

void Layout::AddUnit(int node) {
  const Node& from = graph_.nodes[node];
  Unit unit{fuser_.Has(node) ? std::string_view(from.op) : "", node,
            from.inputs, from.outputs.empty() ? -1 : from.outputs[0]};
  if (const int index = fuser_.FusionOf(node); index >= 0) {
    const Fusion& fusion = fuser_.fusions()[index];
    if (fusion.op == "FusedConv") {
      if (node != fusion.nodes[0]) return;
      unit.output = fuser_.Output(fusion.last);
      unit.has_activation = true;
    } else if (fusion.op == "QuickGelu" || fusion.op == "Gelu") {
      if (node != fusion.last) return;
      unit.op = fusion.op;
      unit.inputs = {fusion.input};
    } else {
      unit.op = "fused";
    }
  }
  units_.push_back(std::move(unit));
}

void Layout::MakeUnits() {
  for (int i = 0; i < fuser_.Count(); ++i) AddUnit(i);
  for (const Unit& unit : units_) {
    for (int value : unit.inputs) {
      if (value >= 0) ++uses_[value];
    }
  }
  for (size_t i = 0; i < uses_.size(); ++i)
    uses_[i] += graph_.values[i].is_output;
}

void Layout::Read(int value) {
  if (IsBlocked(value)) {
    --states_[value].remaining;
  } else {
    reordered_[value] = true;
  }
}

void Layout::Write(const Unit& unit, int64_t channels, const Extents& extents,
                   int conv) {
  const int uses = uses_[unit.output];
  states_[unit.output] = {channels, extents, uses, uses, conv};
}

Extents Layout::FreshExtents(int value) const {
  Extents extents;
  extents.fill({value, 0});
  return extents;
}

bool Layout::SameShape(int a, int b) const {
  for (size_t i = 0; i < kDims; ++i) {
    if (states_[a].extents[i] == states_[b].extents[i]) continue;
    const Value& left = ValueAt(a);
    const Value& right = ValueAt(b);
    if (left.dims.size() != kDims || right.dims.size() != kDims ||
        left.dims[i] == 0 || !SameDim(left.dims[i], right.dims[i])) {
      return false;
    }
  }
  return true;
}

// What ONNX Runtime knows of the extents behind a convolution or a pool.
Extents Layout::AfterWindow(const Unit& unit, int filter) const {
  Extents extents = FreshExtents(unit.output);
  const Extents& before = states_[unit.inputs[0]].extents;
  extents[0] = before[0];
  const auto list = [&](std::string_view name, size_t size,
                        std::vector<double>* numbers) {
    const Attribute* attribute = fuser_.AttributeOf(unit.node, name);
    if (attribute != nullptr) *numbers = attribute->numbers;
    return numbers->size() == size;
  };
  std::vector<double> pads(4, 0), strides(2, 1), dilations(2, 1), kernel;
  if (!list("pads", 4, &pads) || !list("strides", 2, &strides) ||
      !list("dilations", 2, &dilations)) {
    return extents;
  }
  if (filter >= 0) {
    const std::vector<int64_t>& dims = ValueAt(filter).dims;
    kernel.assign(dims.begin() + 2, dims.end());
  } else if (!list("kernel_shape", 2, &kernel)) {
    return extents;
  }
  const std::string_view auto_pad =
      fuser_.TextOf(unit.node, "auto_pad", "NOTSET");
  const bool same = In(auto_pad, {"SAME_UPPER", "SAME_LOWER"});
  if (auto_pad != "NOTSET") {
    if (!same && auto_pad != "VALID") return extents;
    pads.assign(4, 0);
  }
  for (size_t i = 0; i < 2; ++i) {
    if (dilations[i] != 1 || (strides[i] != 1 && strides[i] != 2)) continue;
    if (!same && pads[i] + pads[i + 2] + 1 != kernel[i]) continue;
    extents[2 + i] = before[2 + i];
    extents[2 + i].halved += static_cast<int>(strides[i]) - 1;
  }
  return extents;
}

// Whether a convolution can run in the blocked layout. `*reads_blocked` tells
// whether the convolution also reads that layout.
bool Layout::CanBlock(const Unit& unit, bool* reads_blocked) const {
  const int filter = unit.inputs.size() > 1 ? unit.inputs[1] : -1;
  const int bias = unit.inputs.size() > 2 ? unit.inputs[2] : -1;
  if (filter < 0 || !ValueAt(filter).constant ||
      !fuser_.HasRank(filter, kDims) || !fuser_.IsFloat(filter) ||
      (bias >= 0 && !ValueAt(bias).constant) ||
      (graph_.nodes[unit.node].since >= 22 && !IsNew())) {
    return false;
  }
  const int64_t outputs = ValueAt(filter).dims[0];
  const int64_t inputs = ValueAt(filter).dims[1];
  const auto groups =
      static_cast<int64_t>(fuser_.NumberOf(unit.node, "group", 1));
  *reads_blocked = groups > 1 || inputs >= Block();
  if (groups == 1) return inputs < Block() || inputs % 4 == 0;
  if (inputs == 1 && outputs == groups) return outputs % 4 == 0;
  return inputs % Block() == 0 && outputs % groups == 0 &&
         outputs / groups % Block() == 0;
}

void Layout::TransformConv(const Unit& unit) {
  bool reads_blocked = false;
  if (!CanBlock(unit, &reads_blocked)) return;
  Fuse(unit.node);
  const int filter = unit.inputs[1];
  Extents extents = FreshExtents(unit.output);
  if (reads_blocked) {
    if (IsBlocked(unit.inputs[0])) extents = AfterWindow(unit, filter);
    Read(unit.inputs[0]);
  }
  Write(unit, ValueAt(filter).dims[0], extents, NewConv(unit.has_activation));
}

void Layout::TransformPool(const Unit& unit) {
  const int input = unit.inputs[0];
  const Node& node = graph_.nodes[unit.node];
  const bool is_global = In(unit.op, {"GlobalMaxPool", "GlobalAveragePool"});
  const bool is_known =
      IsNew() || node.since < (unit.op == "AveragePool" ? 19 : 22);
  if (!is_known || node.outputs.size() > 1 || !fuser_.HasRank(input, kDims) ||
      !fuser_.IsFloat(input) ||
      (is_global && !IsBlocked(input) && ValueAt(input).producer >= 0)) {
    return;
  }
  const int64_t channels = ValueAt(input).dims[1];
  if (channels <= 0 || channels % Block() != 0) return;
  Extents extents = FreshExtents(unit.output);
  if (IsBlocked(input)) extents = AfterWindow(unit, -1);
  Read(input);
  Write(unit, channels, extents, -1);
}

// A convolution that nobody else reads takes the Add behind it.
int Layout::ConvForSum(const Unit& unit) {
  if (unit.op == "Mul" || unit.inputs.size() != 2) return -1;
  for (int value : unit.inputs) {
    const Blocked& state = states_[value];
    if (state.conv < 0 || state.uses != 1) continue;
    Convolution& conv = convs_[state.conv];
    if (conv.has_sum || conv.has_activation) continue;
    conv.has_sum = true;
    Fuse(unit.node);
    return state.conv;
  }
  return -1;
}

int Layout::ConvForActivation(int value) {
  const Blocked& state = states_[value];
  if (state.conv < 0 || state.uses != 1) return -1;
  if (convs_[state.conv].has_activation) return -1;
  convs_[state.conv].has_activation = true;
  return state.conv;
}

// x * HardSigmoid(x) with the factors of HardSwish.
int Layout::ConvForHardSwish(const Unit& unit) {
  if (!IsNew() || unit.op != "Mul" || ValueAt(unit.output).is_output) {
    return -1;
  }
  for (size_t i = 0; i < 2; ++i) {
    const int x = unit.inputs[i];
    const int gate = ValueAt(unit.inputs[1 - i]).producer;
    if (!fuser_.Is(gate, {"HardSigmoid"}) || fuser_.Input(gate, 0) != x ||
        fuser_.OnlyConsumer(gate) != unit.node ||
        std::abs(fuser_.NumberOf(gate, "alpha", 0.2) - 1 / 6.0) > 1e-6 ||
        fuser_.NumberOf(gate, "beta", 0.5) != 0.5) {
      continue;
    }
    const Blocked& state = states_[x];
    if (state.conv < 0 || state.uses != 2) return -1;
    if (convs_[state.conv].has_activation) return -1;
    convs_[state.conv].has_activation = true;
    Fuse(unit.node);
    Fuse(gate);
    return state.conv;
  }
  return -1;
}

// A Mul by a constant for each channel becomes a convolution.
bool Layout::ScalesChannels(const Unit& unit) {
  if (!IsNew() || unit.op != "Mul") return false;
  for (size_t i = 0; i < 2; ++i) {
    const int x = unit.inputs[i];
    const Value& scale = ValueAt(unit.inputs[1 - i]);
    if (!IsBlocked(x) || !scale.constant) continue;
    std::vector<int64_t> dims = scale.dims;
    if (dims.size() == kDims && dims[0] == 1) dims.erase(dims.begin());
    if (dims != std::vector<int64_t>{states_[x].channels, 1, 1}) continue;
    const Blocked before = states_[x];
    Read(x);
    Write(unit, before.channels, before.extents, NewConv(false));
    Fuse(unit.node);
    return true;
  }
  return false;
}

void Layout::TransformBinary(const Unit& unit) {
  if (ScalesChannels(unit)) return;
  bool same_shape = true;
  for (int value : unit.inputs) {
    if (!IsBlocked(value) ||
        states_[value].channels != states_[unit.inputs[0]].channels) {
      return;
    }
    same_shape = same_shape && SameShape(unit.inputs[0], value);
  }
  if (unit.op == "Mul" && !same_shape) return;
  for (int value : unit.inputs) Read(value);
  const Blocked first = states_[unit.inputs[0]];
  // ONNX Runtime adds values whose shapes may differ in a shape of five dims.
  if (!same_shape) {
    Write(unit, first.channels, FreshExtents(unit.output), -1);
    return;
  }
  int conv = ConvForHardSwish(unit);
  if (conv < 0) conv = ConvForSum(unit);
  Write(unit, first.channels, first.extents, conv);
}

void Layout::TransformConcat(const Unit& unit) {
  if (fuser_.NumberOf(unit.node, "axis", 0) != 1) return;
  int64_t channels = 0;
  for (int value : unit.inputs) {
    if (!IsBlocked(value) || states_[value].channels % Block() != 0) return;
    channels += states_[value].channels;
  }
  for (int value : unit.inputs) Read(value);
  Extents extents = states_[unit.inputs[0]].extents;
  extents[1] = {unit.output, 0};
  Write(unit, channels, extents, -1);
}

void Layout::TransformActivation(const Unit& unit) {
  const int x = unit.inputs[0];
  if (!IsBlocked(x)) return;
  const Blocked before = states_[x];
  Read(x);
  // Convolutions have no Gelu inside.
  const bool fits = !In(unit.op, {"Gelu", "QuickGelu"});
  const int conv = fits ? ConvForActivation(x) : -1;
  if (conv >= 0) Fuse(unit.node);
  Write(unit, before.channels, before.extents, conv);
}

void Layout::TransformNormalization(const Unit& unit) {
  const int x = unit.inputs[0];
  const Node& node = graph_.nodes[unit.node];
  if (!IsBlocked(x) || node.outputs.size() > 1 ||
      (node.since > 9 && !IsNew())) {
    return;
  }
  for (size_t i = 1; i < unit.inputs.size(); ++i) {
    const int value = unit.inputs[i];
    if (!ValueAt(value).constant ||
        ValueAt(value).elements != states_[x].channels) {
      return;
    }
  }
  const Blocked before = states_[x];
  Read(x);
  Write(unit, before.channels, before.extents, NewConv(false));
}

// A ReorderOutput transposes as well.
void Layout::TransformTranspose(const Unit& unit) {
  const Attribute* perm = fuser_.AttributeOf(unit.node, "perm");
  if (!IsBlocked(unit.inputs[0]) || perm == nullptr ||
      perm->numbers != std::vector<double>{0, 2, 3, 1}) {
    return;
  }
  Read(unit.inputs[0]);
  ++transposes_;
}

void Layout::TransformResize(const Unit& unit) {
  if (!IsBlocked(unit.inputs[0])) return;
  const bool is_old =
      unit.op == "Upsample" || graph_.nodes[unit.node].since < 11;
  const size_t place = is_old ? 1 : 2;
  if (unit.inputs.size() != place + 1 || unit.inputs[place] < 0) return;
  const std::vector<double>& scales = ValueAt(unit.inputs[place]).numbers;
  if (scales.size() != kDims || scales[0] != 1 || scales[1] != 1) return;
  for (double scale : scales) {
    if (scale < 1 || scale != std::floor(scale)) return;
  }
  const std::string_view mode = fuser_.TextOf(unit.node, "mode", "nearest");
  if (!In(mode, {"nearest", "linear"})) return;
  const auto text = [&](std::string_view name, std::string_view otherwise) {
    return fuser_.TextOf(unit.node, name, otherwise);
  };
  const std::string_view coordinates =
      text("coordinate_transformation_mode", "half_pixel");
  if (!is_old && mode == "nearest" &&
      (coordinates != "asymmetric" ||
       text("nearest_mode", "round_prefer_floor") != "floor")) {
    return;
  }
  if (!is_old && mode == "linear" &&
      !In(coordinates, {"asymmetric", "align_corners", "half_pixel"})) {
    return;
  }
  const int64_t channels = states_[unit.inputs[0]].channels;
  Read(unit.inputs[0]);
  Write(unit, channels, FreshExtents(unit.output), -1);
}

// Whether the layout goes on through an operator of one operand.
bool Layout::HandsOn(const Unit& unit) const {
  return In(unit.op, {"Relu", "Sigmoid", "Tanh"}) ||
         (IsNew() && In(unit.op, {"HardSigmoid", "Gelu", "QuickGelu"}));
}

void Layout::Transform(const Unit& unit) {
  if (unit.op == "Conv") {
    TransformConv(unit);
  } else if (In(unit.op, {"MaxPool", "AveragePool", "GlobalMaxPool",
                          "GlobalAveragePool"})) {
    TransformPool(unit);
  } else if (In(unit.op, {"Add", "Sum", "Mul"})) {
    TransformBinary(unit);
  } else if (unit.op == "Concat") {
    TransformConcat(unit);
  } else if (unit.op == "BatchNormalization") {
    TransformNormalization(unit);
  } else if (unit.op == "Transpose") {
    TransformTranspose(unit);
  } else if (In(unit.op, {"Upsample", "Resize"})) {
    TransformResize(unit);
  } else if (HandsOn(unit)) {
    TransformActivation(unit);
  }
}

}  // namespace lanewise::ort
