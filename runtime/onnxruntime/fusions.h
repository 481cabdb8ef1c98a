// SPDX-License-Identifier: Apache-2.0
//
// Patterns that ONNX Runtime turns into one node after the providers have made
// their claims. It does so only if the whole pattern belongs to the CPU
// provider. fusions_test.py compares with the graphs that ONNX Runtime writes.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_FUSIONS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_FUSIONS_H_

#include <string_view>
#include <vector>

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

/// What a node of ONNX Runtime takes longer than the steps of a fast chain, in
/// bytes of memory for each element (savings.h), by the instruction set of the
/// steps; 0: not longer. Measured by benchmarks/models/time_fusions.py.
struct Longer {
  int avx2 = 0;
  int avx512 = 0;
};

struct Fusion {
  std::string_view op;          ///< of the node that stands for the nodes
  const char* what;             ///< the end of a sentence: fused ...
  std::vector<int> nodes = {};  ///< that a claim must leave together
  int input = -1;               ///< the value that the nodes work on
  int last = -1;                ///< the node whose output remains
  Longer longer = {};
};

/// All of a graph. A node is in at most one of them.
std::vector<Fusion> FusionsIn(const Graph& graph);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_FUSIONS_H_
