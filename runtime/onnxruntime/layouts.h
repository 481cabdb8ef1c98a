// SPDX-License-Identifier: Apache-2.0
//
// The CPU provider's convolutions on x64 work in a blocked layout (NCHWc). ONNX
// Runtime hands that layout on through the nodes it knows, and puts the nodes
// ReorderInput and ReorderOutput where other nodes read a value.
// layouts_test.py compares with the graphs that ONNX Runtime writes.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_LAYOUTS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_LAYOUTS_H_

#include <vector>

#include "runtime/onnxruntime/claims.h"
#include "runtime/onnxruntime/fuser.h"

namespace lanewise::ort {

/// How many nodes ReorderInput and ReorderOutput the graph gets if the CPU
/// provider does not have the nodes `without` (indexes).
int ReordersIn(const Graph& graph, const std::vector<int>& without);

/// What claims do to the number of reorders. The graph must stay as it is.
class Reorders {
 public:
  explicit Reorders(const Graph& graph);

  /// How many more the graph gets if the CPU provider loses `nodes`. Negative
  /// if the graph gets fewer.
  int AddedBy(const std::vector<int>& nodes) const;

 private:
  const Graph& graph_;
  int count_;
  std::vector<bool> touches_;  // Nodes that read or write the blocked layout.
};

/// The nodes that become part of a convolution in the blocked layout.
std::vector<Fusion> FusionsOfLayout(const Fuser& fuser);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_LAYOUTS_H_
