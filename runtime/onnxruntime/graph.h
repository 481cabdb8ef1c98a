// SPDX-License-Identifier: Apache-2.0
//
// Reads one of ONNX Runtime's graphs.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_GRAPH_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_GRAPH_H_

#include <string>
#include <vector>

#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

/// The nodes of a graph, in ONNX Runtime's order.
std::vector<const OrtNode*> NodesOf(const Api& api, const OrtGraph* graph);

/// nullptr for what is left out.
std::vector<const OrtValueInfo*> InputsOf(const Api& api, const OrtNode* node);
std::vector<const OrtValueInfo*> OutputsOf(const Api& api, const OrtNode* node);

std::string NameOf(const Api& api, const OrtValueInfo* value);

/// LW_ABSENT if the value is no tensor.
int32_t TypeOf(const Api& api, const OrtValueInfo* value);

/// nullptr: the support table does not have the node's operator and version, or
/// the operator is left to the host.
const lw_signature* SignatureOf(const Api& api, const OrtNode* node);

/// `nodes` are the graph's. Asks `info` which of them have a kernel of ours,
/// and `engine` whether there is one with their attributes.
Graph ReadGraph(const Api& api, const lw_engine* engine, const OrtGraph* graph,
                const std::vector<const OrtNode*>& nodes,
                OrtEpGraphSupportInfo* info);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_GRAPH_H_
