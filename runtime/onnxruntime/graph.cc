// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/onnxruntime/attributes.h"
#include "runtime/onnxruntime/cpu_provider.h"
#include "runtime/onnxruntime/tensors.h"

namespace lanewise::ort {
namespace {

std::string Text(const char* text) { return text == nullptr ? "" : text; }

template <typename Count, typename List>
std::vector<const OrtValueInfo*> ValuesOf(const Api& api, const OrtNode* node,
                                          Count get_count, List get_list) {
  std::vector<const OrtValueInfo*> list(Get<size_t>(api, get_count, node));
  Check(api, get_list(node, list.data(), list.size()));
  return list;
}

// nullptr if the value is no tensor.
const OrtTensorTypeAndShapeInfo* TensorInfoOf(const Api& api,
                                              const OrtValueInfo* value) {
  const auto* type =
      Get<const OrtTypeInfo*>(api, api.ort->GetValueInfoTypeInfo, value);
  if (type == nullptr) return nullptr;
  return Get<const OrtTensorTypeAndShapeInfo*>(
      api, api.ort->CastTypeInfoToTensorInfo, type);
}

// -1: a dim is unknown, or the product is too large.
int64_t Product(const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(product, dim, &product)) return -1;
  }
  return product;
}

// Constants with at most so many elements are read.
constexpr int64_t kFewNumbers = 4;

template <typename T>
std::vector<double> Numbers(const void* data, int64_t count) {
  const T* numbers = static_cast<const T*>(data);
  return {numbers, numbers + count};
}

std::vector<double> NumbersOf(const Api& api, const OrtValueInfo* info,
                              int64_t count) {
  const auto* value =
      Get<const OrtValue*>(api, api.ort->ValueInfo_GetInitializerValue, info);
  if (value == nullptr) return {};
  lw_tensor tensor;
  Check(api, Look(*api.ort, value, &tensor));
  if (Elements(tensor) != static_cast<size_t>(count)) return {};
  switch (tensor.type) {
    case LW_FLOAT32:
      return Numbers<float>(tensor.data, count);
    case LW_FLOAT64:
      return Numbers<double>(tensor.data, count);
    case LW_INT64:
      return Numbers<int64_t>(tensor.data, count);
    case LW_INT8:
      return Numbers<int8_t>(tensor.data, count);
    case LW_UINT8:
      return Numbers<uint8_t>(tensor.data, count);
    default:
      return {};
  }
}

template <typename T>
std::vector<T> ReadAttribute(const Api& api, const OrtOpAttr* from,
                             OrtOpAttrType type) {
  size_t bytes = 0;  // The first reading fails and tells the size.
  OrtStatus* too_small = api.ort->ReadOpAttr(from, type, nullptr, 0, &bytes);
  if (too_small != nullptr) api.ort->ReleaseStatus(too_small);
  std::vector<T> read(bytes / sizeof(T));
  if (read.empty()) return read;
  Check(api, api.ort->ReadOpAttr(from, type, read.data(), bytes, &bytes));
  return read;
}

// Numbers and texts only.
Attribute AttributeOf(const Api& api, const OrtOpAttr* from) {
  OrtOpAttrType type;
  Check(api, api.ort->OpAttr_GetType(from, &type));
  const auto numbers = [](const auto& read) {
    return Attribute{{read.begin(), read.end()}, ""};
  };
  switch (type) {
    case ORT_OP_ATTR_INT:
    case ORT_OP_ATTR_INTS:
      return numbers(ReadAttribute<int64_t>(api, from, type));
    case ORT_OP_ATTR_FLOAT:
    case ORT_OP_ATTR_FLOATS:
      return numbers(ReadAttribute<float>(api, from, type));
    case ORT_OP_ATTR_STRING: {
      std::vector<char> text = ReadAttribute<char>(api, from, type);
      // Versions differ in whether they write a 0 at the end.
      if (!text.empty() && text.back() == 0) text.pop_back();
      return {{}, {text.begin(), text.end()}};
    }
    default:
      return {};
  }
}

class Reader {
 public:
  Reader(const Api& api, const lw_engine* engine, Graph* graph)
      : api_(api), engine_(engine), graph_(*graph) {}

  void Read(const OrtNode* from, OrtEpGraphSupportInfo* info) {
    Node node;
    node.name = Text(Get<const char*>(api_, api_.ort->Node_GetName, from));
    node.op =
        Text(Get<const char*>(api_, api_.ort->Node_GetOperatorType, from));
    node.domain = Text(Get<const char*>(api_, api_.ort->Node_GetDomain, from));
    if (node.domain == "ai.onnx") node.domain.clear();
    node.since = Get<int>(api_, api_.ort->Node_GetSinceVersion, from);
    const std::string owner =
        Text(Get<const char*>(api_, api_.ort->Node_GetEpName, from));
    node.is_taken = !owner.empty();
    node.is_ours = owner == kProviderName;
    node.signature = SignatureOf(api_, from);
    if (node.signature != nullptr) {
      node.has_kernel = Get<const OrtKernelDef*>(
                            api_, api_.ep->EpGraphSupportInfo_LookUpKernel,
                            info, from) != nullptr &&
                        CanBeMade(from, *node.signature);
    }
    ReadAttributes(from, &node);
    std::vector<const OrtValueInfo*> inputs = InputsOf(api_, from);
    // What the bodies of If and Loop read.
    const std::vector<const OrtValueInfo*> implicit =
        ValuesOf(api_, from, api_.ort->Node_GetNumImplicitInputs,
                 api_.ort->Node_GetImplicitInputs);
    inputs.insert(inputs.end(), implicit.begin(), implicit.end());
    const std::vector<const OrtValueInfo*> outputs = OutputsOf(api_, from);
    // Unlike the names of nodes, the names of outputs are unique in a graph.
    if (node.name.empty() && !outputs.empty() && outputs[0] != nullptr) {
      node.name = NameOf(api_, outputs[0]);
    }
    const int index = static_cast<int>(graph_.nodes.size());
    for (const OrtValueInfo* input : inputs) {
      const int value = node.inputs.emplace_back(Index(input));
      if (value >= 0) graph_.values[value].consumers.push_back(index);
    }
    for (const OrtValueInfo* output : outputs) {
      const int value = node.outputs.emplace_back(Index(output));
      if (value >= 0) graph_.values[value].producer = index;
    }
    graph_.nodes.push_back(std::move(node));
  }

 private:
  // A BatchNormalization that trains cannot, and has more outputs.
  bool CanBeMade(const OrtNode* from, const lw_signature& signature) const {
    if (Get<size_t>(api_, api_.ort->Node_GetNumOutputs, from) >
        signature.output_count) {
      return false;
    }
    const Attributes attributes(api_, from, signature);
    lw_op* op = nullptr;
    const lw_status status =
        lw_op_create(engine_, signature.name, signature.since_version,
                     attributes.list().data(), attributes.list().size(), &op);
    lw_op_destroy(op);
    return status == LW_OK;
  }

  void ReadAttributes(const OrtNode* from, Node* node) const {
    std::vector<const OrtOpAttr*> list(
        Get<size_t>(api_, api_.ort->Node_GetNumAttributes, from));
    Check(api_, api_.ort->Node_GetAttributes(from, list.data(), list.size()));
    for (const OrtOpAttr* attribute : list) {
      const char* name =
          Get<const char*>(api_, api_.ort->OpAttr_GetName, attribute);
      node->attributes.emplace(name, AttributeOf(api_, attribute));
    }
  }

  // Dims that have a name only.
  void ReadNamedDims(const OrtTensorTypeAndShapeInfo* tensor,
                     std::vector<int64_t>* dims) {
    std::vector<const char*> names(dims->size());
    Check(api_,
          api_.ort->GetSymbolicDimensions(tensor, names.data(), names.size()));
    for (size_t i = 0; i < names.size(); ++i) {
      if ((*dims)[i] >= 0) continue;
      (*dims)[i] = kUnknownDim;
      if (names[i] == nullptr || *names[i] == 0) continue;
      const auto place = dim_names_.emplace(names[i], dim_names_.size()).first;
      (*dims)[i] = kUnknownDim - 1 - static_cast<int64_t>(place->second);
    }
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
    value.name = NameOf(api_, info);
    value.constant =
        Get<bool>(api_, api_.ort->ValueInfo_IsConstantInitializer, info);
    value.is_output = Get<bool>(api_, api_.ort->ValueInfo_IsGraphOutput, info);
    const OrtTensorTypeAndShapeInfo* tensor = TensorInfoOf(api_, info);
    if (tensor == nullptr) return value;
    value.type = TypeOf(api_, info);
    if (!api_.ort->TensorTypeAndShape_HasShape(tensor)) return value;
    std::vector<int64_t> dims(
        Get<size_t>(api_, api_.ort->GetDimensionsCount, tensor));
    Check(api_, api_.ort->GetDimensions(tensor, dims.data(), dims.size()));
    ReadNamedDims(tensor, &dims);
    value.has_rank = true;
    value.dims = dims;
    value.elements = Product(dims);
    if (value.constant && value.elements > 0 && value.elements <= kFewNumbers) {
      value.numbers = NumbersOf(api_, info, value.elements);
    }
    value.is_row_scalar = dims.empty() || dims.back() == 1;
    std::replace_if(
        dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; },
        kLikelyDim);
    const int64_t likely = Product(dims);
    if (likely >= 0) value.likely_elements = likely;
    return value;
  }

  const Api& api_;
  const lw_engine* engine_;
  Graph& graph_;
  std::map<const OrtValueInfo*, int> indexes_;
  std::map<std::string, size_t> dim_names_;
};

}  // namespace

std::vector<const OrtNode*> NodesOf(const Api& api, const OrtGraph* graph) {
  std::vector<const OrtNode*> nodes(
      Get<size_t>(api, api.ort->Graph_GetNumNodes, graph));
  Check(api, api.ort->Graph_GetNodes(graph, nodes.data(), nodes.size()));
  return nodes;
}

std::vector<const OrtValueInfo*> InputsOf(const Api& api, const OrtNode* node) {
  return ValuesOf(api, node, api.ort->Node_GetNumInputs,
                  api.ort->Node_GetInputs);
}

std::vector<const OrtValueInfo*> OutputsOf(const Api& api,
                                           const OrtNode* node) {
  return ValuesOf(api, node, api.ort->Node_GetNumOutputs,
                  api.ort->Node_GetOutputs);
}

std::string NameOf(const Api& api, const OrtValueInfo* value) {
  return Text(Get<const char*>(api, api.ort->GetValueInfoName, value));
}

int32_t TypeOf(const Api& api, const OrtValueInfo* value) {
  const OrtTensorTypeAndShapeInfo* tensor = TensorInfoOf(api, value);
  if (tensor == nullptr) return LW_ABSENT;
  return TypeFromOrt(Get<ONNXTensorElementDataType>(
      api, api.ort->GetTensorElementType, tensor));
}

const lw_signature* SignatureOf(const Api& api, const OrtNode* node) {
  const std::string domain =
      Text(Get<const char*>(api, api.ort->Node_GetDomain, node));
  if (!domain.empty() && domain != "ai.onnx") return nullptr;
  const std::string op =
      Text(Get<const char*>(api, api.ort->Node_GetOperatorType, node));
  if (IsLeftToHost(op)) return nullptr;
  const int since = Get<int>(api, api.ort->Node_GetSinceVersion, node);
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    if (op == row->name && since == row->since_version) return row;
  }
  return nullptr;
}

Graph ReadGraph(const Api& api, const lw_engine* engine, const OrtGraph* from,
                const std::vector<const OrtNode*>& nodes,
                OrtEpGraphSupportInfo* info) {
  Graph graph;
  const char* name = Get<const char*>(api, api.ort->Graph_GetName, from);
  if (name != nullptr) graph.name = name;
  graph.ort_minor = api.minor;
  graph.block_channels = CpuProviderBlockChannels();
  Reader reader(api, engine, &graph);
  for (const OrtNode* node : nodes) reader.Read(node, info);
  return graph;
}

}  // namespace lanewise::ort
