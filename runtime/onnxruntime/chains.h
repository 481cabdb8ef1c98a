// SPDX-License-Identifier: Apache-2.0
//
// Which nodes could run as chains, in one pass over memory. Nothing here knows
// ONNX Runtime's interface, or whether a chain is worth its claim.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_CHAINS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_CHAINS_H_

#include <vector>

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

/// The bytes of an element; 0 if chains cannot hold such elements.
int64_t ElementBytes(int32_t type);

/// Whether lw_chain_create accepts the node as a step between others.
bool CanBeStep(const Graph& graph, int node);

/// The values at the edges of a set of nodes, each once.
struct Border {
  std::vector<int> inputs;     ///< from outside, no constants
  std::vector<int> constants;  ///< of any size
  std::vector<int> outputs;    ///< somebody outside reads them
};
Border BorderOf(const Graph& graph, const std::vector<int>& nodes);

/// Sets of two or more nodes of `steps`, as large as possible, each in the
/// graph's order. The nodes of a set are connected. No path leads out of a set
/// and back into the set, not even through other sets: each set can become one
/// node. The limits of lw_chain_create hold.
std::vector<std::vector<int>> ChainsIn(const Graph& graph,
                                       const std::vector<bool>& steps);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_CHAINS_H_
