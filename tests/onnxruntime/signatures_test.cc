// SPDX-License-Identifier: Apache-2.0
//
// Every operator, version and type of the support table in a model of one node:
// the provider gets the node, and the result is lanewise's own, bit for bit.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "lanewise/lanewise.h"
#include "runtime/onnxruntime/cpu_provider.h"
#include "tests/onnxruntime/host.h"
#include "tests/support/not_run.h"

namespace lanewise::test {
namespace {

constexpr int64_t kElements = 24;

// The codes of ONNX Runtime's C interface.
OrtType ToOrt(int32_t type) {
  switch (type) {
    case LW_UINT2:
      return static_cast<OrtType>(24);
    case LW_INT2:
      return static_cast<OrtType>(25);
    case LW_FLOAT8E8M0:
      return static_cast<OrtType>(26);
    default:
      return static_cast<OrtType>(type);
  }
}

size_t Bits(int32_t type) {
  switch (type) {
    case LW_FLOAT64:
    case LW_INT64:
    case LW_UINT64:
      return 64;
    case LW_FLOAT32:
    case LW_INT32:
    case LW_UINT32:
      return 32;
    case LW_FLOAT16:
    case LW_BFLOAT16:
    case LW_INT16:
    case LW_UINT16:
      return 16;
    case LW_INT4:
    case LW_UINT4:
    case LW_FLOAT4E2M1:
      return 4;
    case LW_INT2:
    case LW_UINT2:
      return 2;
    default:
      return 8;
  }
}

// Random bits; no integer is 0, as it may be a divisor.
std::vector<unsigned char> RandomBytes(int32_t type, size_t elements) {
  static std::mt19937 random(7);
  std::vector<unsigned char> bytes((elements * Bits(type) + 7) / 8);
  for (unsigned char& byte : bytes) {
    byte = static_cast<unsigned char>(random() | 1);
    if (type == LW_BOOL) byte = static_cast<unsigned char>(random() & 1);
  }
  return bytes;
}

struct Operand {
  int32_t type;
  Dims dims;
  std::vector<unsigned char> bytes;
};

lw_tensor View(Operand& operand) {
  return {operand.bytes.data(),
          operand.type,
          static_cast<int32_t>(operand.dims.size()),
          operand.dims.data(),
          nullptr,
          0};
}

Operand MakeOperand(const lw_operand& slot, int32_t type) {
  const bool follows = std::strcmp(slot.type_parameter, "T") == 0;
  if (slot.type_count == 1 && slot.types[0] == LW_INT64) {
    const int64_t target[] = {-1, 4};
    std::vector<unsigned char> bytes(sizeof(target));
    std::memcpy(bytes.data(), target, sizeof(target));
    return {LW_INT64, {2}, bytes};
  }
  const int32_t own = follows ? type : slot.types[0];
  if (slot.optional) return {own, {}, RandomBytes(own, 1)};
  return {own, {kElements}, RandomBytes(own, kElements)};
}

// The result of lanewise itself.
std::vector<unsigned char> Expected(const lw_signature& row,
                                    std::vector<Operand>& operands) {
  std::vector<lw_tensor> inputs;
  for (Operand& operand : operands) inputs.push_back(View(operand));
  const int64_t target[] = {-1, 4};
  const lw_attribute shape = {"shape", LW_ATTRIBUTE_INTS, 2, target};
  const bool has_shape = row.attribute_count > 0 &&
                         std::strcmp(row.attributes[0].name, "shape") == 0;
  lw_op* op = nullptr;
  EXPECT_EQ(lw_op_create(nullptr, row.name, row.since_version, &shape,
                         has_shape ? 1 : 0, &op),
            LW_OK);
  lw_shape result;
  EXPECT_EQ(lw_op_infer(op, inputs.data(), inputs.size(), &result), LW_OK)
      << lw_last_error();
  Operand output = {
      result.type, Dims(result.dims, result.dims + result.rank),
      std::vector<unsigned char>((kElements * Bits(result.type) + 7) / 8)};
  const lw_tensor view = View(output);
  EXPECT_EQ(lw_op_run(op, inputs.data(), inputs.size(), &view, 1), LW_OK)
      << lw_last_error();
  lw_op_destroy(op);
  return output.bytes;
}

Graph ModelOf(const lw_signature& row, int32_t type,
              const std::vector<Operand>& operands) {
  Graph graph;
  graph.opset = row.since_version;
  Step step = {row.name, {}, {"y"}};
  for (size_t i = 0; i < operands.size(); ++i) {
    step.inputs.push_back(row.inputs[i].name);
    graph.inputs.push_back({row.inputs[i].name, ToOrt(operands[i].type),
                            Dims(operands[i].dims.size(), -1)});
  }
  for (size_t i = 0; i < row.attribute_count; ++i) {
    if (std::strcmp(row.attributes[i].name, "shape") == 0) {
      step.ints = {{"shape", {-1, 4}}};
    }
  }
  const lw_operand& output = row.outputs[0];
  const bool follows = std::strcmp(output.type_parameter, "T") == 0;
  graph.outputs = {{"y", ToOrt(follows ? type : output.types[0]),
                    row.moves_only ? Dims{-1, -1} : Dims{-1}}};
  graph.steps = {step};
  return graph;
}

// ONNX Runtime has no complex tensors. For the last three types, models built
// in memory and tensors have different codes before 1.31.
bool IsElsewhere(int32_t type) {
  static const bool confused =
      std::atof(LoadOnnxRuntime()->GetVersionString() + 2) < 31;
  return type == LW_COMPLEX64 || type == LW_COMPLEX128 ||
         (confused && type >= LW_FLOAT8E8M0);
}

std::vector<Operand> OperandsOf(const lw_signature& row, int32_t type) {
  std::vector<Operand> operands;
  for (size_t i = 0; i < row.input_count; ++i) {
    operands.push_back(MakeOperand(row.inputs[i], type));
  }
  return operands;
}

// The provider's table of what the CPU provider computes. A node that the table
// wrongly grants would be left, and its model would not load.
void CheckCpuProvider(const lw_signature& row, int32_t type) {
  bool loads = true;
  std::string failure;
  try {
    MakeCpuSession(ModelOf(row, type, OperandsOf(row, type)));
  } catch (const Ort::Exception& error) {
    loads = false;
    failure = error.what();
  }
  const bool listed = ort::CpuProviderHas(row.name, row.since_version, type,
                                          false) != ort::Native::kNo;
  // Not in all versions, or not by a kernel of its own.
  const bool in_part =
      (std::strcmp(row.name, "Where") == 0 &&
       (type == LW_INT8 || type == LW_UINT32)) ||
      (std::strcmp(row.name, "LeakyRelu") == 0 && type == LW_FLOAT64);
  if (in_part) {
    EXPECT_FALSE(listed);
  } else {
    EXPECT_EQ(listed, loads) << failure;
  }
}

// Runs lanewise's kernel in ONNX Runtime.
void CheckRun(const lw_signature& row, int32_t type) {
  if (type == LW_STRING) return;  // strings_test.cc
  std::vector<Operand> operands = OperandsOf(row, type);
  Ort::Session session = MakeStrictSession(ModelOf(row, type, operands));
  EXPECT_EQ(Placed(session), std::vector<std::string>{row.name});
  std::vector<std::string> names;
  std::vector<Ort::Value> inputs;
  for (size_t i = 0; i < operands.size(); ++i) {
    names.push_back(row.inputs[i].name);
    inputs.push_back(
        TensorOf(ToOrt(operands[i].type), operands[i].dims, operands[i].bytes));
  }
  const Ort::Value output = RunModel(session, names, inputs);
  const std::vector<unsigned char> expected = Expected(row, operands);
  EXPECT_EQ(
      std::memcmp(output.GetTensorRawData(), expected.data(), expected.size()),
      0);
}

// Calls check(row, type) for all that this ONNX Runtime can name.
template <typename Check>
int ForEachType(const Check& check) {
  int count = 0;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    const lw_operand* slot = row->inputs;
    while (std::strcmp(slot->type_parameter, "T") != 0) ++slot;
    for (size_t k = 0; k < slot->type_count; ++k) {
      const int32_t type = slot->types[k];
      if (IsElsewhere(type)) continue;
      SCOPED_TRACE(std::string(row->name) + "-" +
                   std::to_string(row->since_version) + " " +
                   lw_type_name(type));
      check(*row, type);
      ++count;
    }
  }
  return count;
}

class Signatures : public testing::Test {
 protected:
  void SetUp() override {
    if (LoadOnnxRuntime() == nullptr) {
      LANEWISE_NOT_RUN("no ONNX Runtime in LANEWISE_TEST_ORT");
    }
  }
};

TEST_F(Signatures, AllRunHereWithLanewisesBits) {
  Register();
  EXPECT_GT(ForEachType(CheckRun), 450);
  Unregister();
}

TEST_F(Signatures, CpuProviderHasWhatTheTableSays) {
  EXPECT_GT(ForEachType(CheckCpuProvider), 450);
}

}  // namespace
}  // namespace lanewise::test
