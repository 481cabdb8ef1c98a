// SPDX-License-Identifier: Apache-2.0
//
// Reads one of ONNX Runtime's graphs.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_GRAPH_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_GRAPH_H_

#include <vector>

#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

/// The nodes of a graph, in ONNX Runtime's order.
std::vector<const OrtNode*> NodesOf(const Api& api, const OrtGraph* graph);

/// `nodes` are the graph's. Asks `info` which of them have a kernel of ours.
Graph ReadGraph(const Api& api, const OrtGraph* graph,
                const std::vector<const OrtNode*>& nodes,
                OrtEpGraphSupportInfo* info);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_GRAPH_H_
