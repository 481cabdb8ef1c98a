// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/graph.h"

#include <map>
#include <utility>

#include "runtime/onnxruntime/types.h"

namespace lanewise::ort {
namespace {

const lw_signature* SignatureOf(const Node& node) {
  if (!node.domain.empty()) return nullptr;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    if (node.op == row->name && node.since == row->since_version) return row;
  }
  return nullptr;
}

class Reader {
 public:
  Reader(const Api& api, Graph* graph) : api_(api), graph_(*graph) {}

  void Read(const OrtNode* from, OrtEpGraphSupportInfo* info) {
    const auto text = [](const char* s) { return std::string(s ? s : ""); };
    Node node;
    node.name = text(Get<const char*>(api_, api_.ort->Node_GetName, from));
    if (node.name.empty()) node.name = text(NameOfOutput(from));
    node.op =
        text(Get<const char*>(api_, api_.ort->Node_GetOperatorType, from));
    node.domain = text(Get<const char*>(api_, api_.ort->Node_GetDomain, from));
    if (node.domain == "ai.onnx") node.domain.clear();
    node.since = Get<int>(api_, api_.ort->Node_GetSinceVersion, from);
    const std::string owner =
        text(Get<const char*>(api_, api_.ort->Node_GetEpName, from));
    node.is_taken = !owner.empty();
    node.is_ours = owner == kProviderName;
    node.signature = SignatureOf(node);
    if (node.signature != nullptr) {
      node.has_kernel = Get<const OrtKernelDef*>(
                            api_, api_.ep->EpGraphSupportInfo_LookUpKernel,
                            info, from) != nullptr;
    }
    const int index = static_cast<int>(graph_.nodes.size());
    node.inputs =
        Values(from, api_.ort->Node_GetNumInputs, api_.ort->Node_GetInputs);
    for (int value : node.inputs) {
      if (value >= 0) graph_.values[value].consumers.push_back(index);
    }
    node.outputs =
        Values(from, api_.ort->Node_GetNumOutputs, api_.ort->Node_GetOutputs);
    for (int value : node.outputs) {
      if (value >= 0) graph_.values[value].producer = index;
    }
    graph_.nodes.push_back(std::move(node));
  }

 private:
  // Unlike the names of nodes, the names of outputs are unique in a graph.
  const char* NameOfOutput(const OrtNode* node) {
    std::vector<const OrtValueInfo*> outputs(
        Get<size_t>(api_, api_.ort->Node_GetNumOutputs, node));
    Check(api_,
          api_.ort->Node_GetOutputs(node, outputs.data(), outputs.size()));
    if (outputs.empty() || outputs[0] == nullptr) return nullptr;
    return Get<const char*>(api_, api_.ort->GetValueInfoName, outputs[0]);
  }

  template <typename Count, typename List>
  std::vector<int> Values(const OrtNode* node, Count get_count, List get_list) {
    std::vector<const OrtValueInfo*> list(Get<size_t>(api_, get_count, node));
    Check(api_, get_list(node, list.data(), list.size()));
    std::vector<int> values;
    for (const OrtValueInfo* info : list) values.push_back(Index(info));
    return values;
  }

  int Index(const OrtValueInfo* info) {
    if (info == nullptr) return -1;
    const auto [place, added] =
        indexes_.emplace(info, static_cast<int>(graph_.values.size()));
    if (added) graph_.values.push_back(ReadValue(info));
    return place->second;
  }

  Value ReadValue(const OrtValueInfo* info) {
    Value value;
    value.constant =
        Get<bool>(api_, api_.ort->ValueInfo_IsConstantInitializer, info);
    value.is_output = Get<bool>(api_, api_.ort->ValueInfo_IsGraphOutput, info);
    const auto* type =
        Get<const OrtTypeInfo*>(api_, api_.ort->GetValueInfoTypeInfo, info);
    if (type == nullptr) return value;
    const auto* tensor = Get<const OrtTensorTypeAndShapeInfo*>(
        api_, api_.ort->CastTypeInfoToTensorInfo, type);
    if (tensor == nullptr) return value;
    value.type = TypeFromOrt(Get<ONNXTensorElementDataType>(
        api_, api_.ort->GetTensorElementType, tensor));
    std::vector<int64_t> dims(
        Get<size_t>(api_, api_.ort->GetDimensionsCount, tensor));
    Check(api_, api_.ort->GetDimensions(tensor, dims.data(), dims.size()));
    value.elements = 1;
    for (int64_t dim : dims) {
      if (dim < 0 ||
          __builtin_mul_overflow(value.elements, dim, &value.elements)) {
        value.elements = -1;
        break;
      }
    }
    return value;
  }

  const Api& api_;
  Graph& graph_;
  std::map<const OrtValueInfo*, int> indexes_;
};

}  // namespace

std::vector<const OrtNode*> NodesOf(const Api& api, const OrtGraph* graph) {
  std::vector<const OrtNode*> nodes(
      Get<size_t>(api, api.ort->Graph_GetNumNodes, graph));
  Check(api, api.ort->Graph_GetNodes(graph, nodes.data(), nodes.size()));
  return nodes;
}

Graph ReadGraph(const Api& api, const OrtGraph* from,
                const std::vector<const OrtNode*>& nodes,
                OrtEpGraphSupportInfo* info) {
  Graph graph;
  const char* name = Get<const char*>(api, api.ort->Graph_GetName, from);
  if (name != nullptr) graph.name = name;
  Reader reader(api, &graph);
  for (const OrtNode* node : nodes) reader.Read(node, info);
  return graph;
}

}  // namespace lanewise::ort
