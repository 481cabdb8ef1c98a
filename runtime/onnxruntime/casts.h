// SPDX-License-Identifier: Apache-2.0
//
// The Cast nodes that ONNX Runtime will insert around the float16 nodes of its
// CPU provider, once all providers have claimed their nodes.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_CASTS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_CASTS_H_

#include <vector>

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

/// How many Cast nodes stand at the values beside some nodes.
struct CastCount {
  int with = 0;     ///< if these nodes are ours
  int without = 0;  ///< if they are not
};

class Casts {
 public:
  Casts(const Graph& graph, bool half_arithmetic)
      : graph_(graph), half_arithmetic_(half_arithmetic) {}

  /// `ours` tells which of the other nodes the provider has.
  CastCount Around(const std::vector<int>& nodes,
                   const std::vector<bool>& ours) const;

  /// The nodes that `member` tells of, in groups: nodes that read or write the
  /// same float16 value are in one group.
  std::vector<std::vector<int>> Groups(const std::vector<bool>& member) const;

 private:
  bool IsHalf(int value) const;
  bool RunsInFloat(int node, const std::vector<bool>& ours) const;
  bool CanFollowIntoFloat(int node) const;
  int At(int value, const std::vector<bool>& ours) const;
  std::vector<int> ValuesBeside(const std::vector<int>& nodes) const;

  const Graph& graph_;
  bool half_arithmetic_;
};

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_CASTS_H_
