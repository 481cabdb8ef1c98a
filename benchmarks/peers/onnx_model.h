// SPDX-License-Identifier: Apache-2.0
//
// Writes a model of one node: the parts of the wire format of protocol buffers
// that such a model needs.

#ifndef LANEWISE_BENCHMARKS_PEERS_ONNX_MODEL_H_
#define LANEWISE_BENCHMARKS_PEERS_ONNX_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/chains.h"
#include "benchmarks/peer.h"

namespace lanewise::bench {

inline constexpr const char* kInputNames[] = {"a", "b", "c", "d"};
inline constexpr const char* kOutputName = "y";

namespace onnx_model {

inline std::string Varint(uint64_t value) {
  std::string out;
  for (; value > 127; value >>= 7)
    out += static_cast<char>((value & 127) | 128);
  return out + static_cast<char>(value);
}
inline std::string Number(int field, uint64_t value) {
  return Varint(static_cast<uint64_t>(field) << 3) + Varint(value);
}
inline std::string Message(int field, const std::string& body) {
  return Varint(static_cast<uint64_t>(field) << 3 | 2) + Varint(body.size()) +
         body;
}

// A ValueInfoProto without a shape.
inline std::string Value(const char* name, const Operand& operand) {
  const auto type = static_cast<uint64_t>(operand.type);
  return Message(1, name) + Message(2, Message(1, Number(1, type)));
}

// A TensorProto.
inline std::string Tensor(const char* name, const Operand& operand) {
  std::string dims;
  for (int32_t i = 0; i < operand.rank; ++i) {
    dims += Number(1, static_cast<uint64_t>(operand.dims[i]));
  }
  const std::string elements(static_cast<const char*>(operand.data),
                             operand.bytes);
  return dims + Number(2, static_cast<uint64_t>(operand.type)) +
         Message(8, name) + Message(9, elements);
}

}  // namespace onnx_model

/// A ModelProto of y = op(a, b, ...), with the opset of the operator's newest
/// version. Constant operands are initializers, the others are inputs.
inline std::string OneNodeModel(const Task& task) {
  using namespace onnx_model;
  constexpr uint64_t kIrVersion = 8;
  std::string node;
  std::string values;
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    node += Message(1, kInputNames[i]);
    const Operand& input = task.inputs[i];
    values += input.is_constant ? Message(5, Tensor(kInputNames[i], input))
                                : Message(11, Value(kInputNames[i], input));
  }
  node += Message(2, kOutputName) + Message(4, std::string(task.op));
  const std::string graph = Message(1, node) + Message(2, "g") + values +
                            Message(12, Value(kOutputName, task.output));
  const auto opset = static_cast<uint64_t>(task.version);
  return Number(1, kIrVersion) + Message(7, graph) +
         Message(8, Number(2, opset));
}

/// The same for a chain, whose constants are initializers of float32.
inline std::string ChainModel(const Task& task, const BenchChain& chain) {
  using namespace onnx_model;
  constexpr uint64_t kIrVersion = 8;
  std::vector<std::string> names = {kInputNames[0]};
  std::string graph;
  for (const float& constant : chain.constants) {
    names.push_back("c" + std::to_string(names.size()));
    const Operand operand = {LW_FLOAT32, 0, {},
                             1,          4, const_cast<float*>(&constant)};
    graph += Message(5, Tensor(names.back().c_str(), operand));
  }
  for (const ChainStep& step : chain.steps) {
    const bool is_last = &step == &chain.steps.back();
    std::string node;
    for (const int32_t value : step.operands) {
      node += Message(1, names[static_cast<size_t>(value)]);
    }
    names.push_back(is_last ? kOutputName : "v" + std::to_string(names.size()));
    node += Message(2, names.back()) + Message(4, step.op);
    graph += Message(1, node);
  }
  graph += Message(2, "g") +
           Message(11, Value(kInputNames[0], task.inputs[0])) +
           Message(12, Value(kOutputName, task.output));
  return Number(1, kIrVersion) + Message(7, graph) +
         Message(8, Number(2, kChainOpset));
}

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_PEERS_ONNX_MODEL_H_
