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

/// A ModelProto of y = op(a, b, ...). Constant operands are initializers, the
/// others are inputs.
inline std::string OneNodeModel(const Task& task, int opset) {
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
  if (task.axis != nullptr) {
    constexpr uint64_t kInt = 2;
    node += Message(5, Message(1, "axis") +
                           Number(3, static_cast<uint64_t>(*task.axis)) +
                           Number(20, kInt));
  }
  const std::string graph = Message(1, node) + Message(2, "g") + values +
                            Message(12, Value(kOutputName, task.output));
  return Number(1, kIrVersion) + Message(7, graph) +
         Message(8, Number(2, static_cast<uint64_t>(opset)));
}

namespace onnx_model {

/// The same for a constant of a chain: float32, or an integer of the task's
/// type.
inline std::string ConstantTensor(const Task& task, const BenchChain& chain,
                                  const std::string& name,
                                  const ChainConstant& constant) {
  const auto columns = static_cast<int64_t>(ColumnsOf(chain, task.n));
  const int64_t rows = static_cast<int64_t>(task.n) / columns;
  Operand operand = {LW_FLOAT32, 0, {}, 1, sizeof(float), nullptr};
  switch (constant.shape) {
    case ChainConstant::kOne:
      break;
    case ChainConstant::kRow:
      operand.rank = 1;
      operand.dims[0] = columns;
      break;
    case ChainConstant::kColumn:
    case ChainConstant::kAll:
      operand.rank = 2;
      operand.dims[0] = rows;
      operand.dims[1] = constant.shape == ChainConstant::kAll ? columns : 1;
      break;
  }
  std::vector<float> numbers(CountOf(chain, constant, task.n));
  for (size_t k = 0; k < numbers.size(); ++k) numbers[k] = constant.At(k);
  operand.bytes = numbers.size() * sizeof(float);
  operand.data = numbers.data();
  const auto integer = static_cast<uint64_t>(constant.value);
  if (task.type == LW_UINT8 || task.type == LW_UINT32) {
    operand.type = task.type;
    operand.bytes = task.type == LW_UINT8 ? 1 : 4;
    operand.data = const_cast<uint64_t*>(&integer);
  }
  return Tensor(name.c_str(), operand);
}

// A NodeProto without names of inputs and output.
inline std::string Step(const Task& task, const ChainStep& step) {
  constexpr uint64_t kInt = 2;
  constexpr uint64_t kString = 3;
  std::string node = Message(4, step.op);
  if (std::string_view(step.op) == "Cast") {
    const lw_type to = step.to != LW_ABSENT ? step.to : task.type;
    node += Message(5, Message(1, "to") + Number(3, static_cast<uint64_t>(to)) +
                           Number(20, kInt));
  } else if (step.direction != nullptr) {
    node += Message(5, Message(1, "direction") + Message(4, step.direction) +
                           Number(20, kString));
  }
  return node;
}

}  // namespace onnx_model

/// The same for a chain, whose constants are initializers of float32.
inline std::string ChainModel(const Task& task, const BenchChain& chain) {
  using namespace onnx_model;
  constexpr uint64_t kIrVersion = 8;
  std::vector<std::string> names = {kInputNames[0]};
  std::string graph;
  for (const ChainConstant& constant : chain.constants) {
    names.push_back(std::string("c").append(std::to_string(names.size())));
    graph += Message(5, ConstantTensor(task, chain, names.back(), constant));
  }
  for (const ChainStep& step : chain.steps) {
    const bool is_last = &step == &chain.steps.back();
    std::string node;
    for (const int32_t value : step.operands) {
      node += Message(1, names[static_cast<size_t>(value)]);
    }
    const std::string own =
        std::string("v").append(std::to_string(names.size()));
    names.push_back(is_last ? kOutputName : own);
    node += Message(2, names.back()) + Step(task, step);
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
