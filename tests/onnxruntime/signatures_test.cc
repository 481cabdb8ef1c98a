// SPDX-License-Identifier: Apache-2.0
//
// Every operator, version and type of the support table in a model of one node:
// the provider gets the node, and the result is lanewise's own, bit for bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "lanewise/lanewise.h"
#include "runtime/onnxruntime/claims.h"
#include "runtime/onnxruntime/cpu_provider.h"
#include "runtime/onnxruntime/rows.h"
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

// "T", or "T1" of Cast.
bool IsBound(const lw_operand& slot) { return slot.type_parameter[0] == 'T'; }

Operand MakeShape(std::vector<int64_t> numbers) {
  std::vector<unsigned char> bytes(numbers.size() * sizeof(int64_t));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return {LW_INT64, {static_cast<int64_t>(numbers.size())}, bytes};
}

// Whether the operator is a reduction or a composed one.
bool HasRows(const lw_signature& row) {
  ort::Node node;
  node.op = row.name;
  node.signature = &row;
  return ort::Reduces(node);
}

// Of such an operator: with channels, and more dims.
Operand MakeRowsOperand(const lw_signature& row, size_t index, int32_t type) {
  const lw_operand& slot = row.inputs[index];
  if (std::strcmp(slot.name, "axes") == 0) return MakeShape({-1, 1});
  const bool along_rows = std::strcmp(row.name, "LayerNormalization") == 0 ||
                          std::strcmp(row.name, "RMSNormalization") == 0;
  const Dims dims = index == 0   ? Dims{2, 3, 2, 2}
                    : along_rows ? Dims{2}
                                 : Dims{3};
  const auto elements = static_cast<size_t>(index == 0 ? kElements : dims[0]);
  return {type, dims, RandomBytes(type, elements)};
}

Operand MakeOperand(const lw_operand& slot, int32_t type) {
  const bool follows = IsBound(slot);
  if (slot.type_count == 1 && slot.types[0] == LW_INT64) {
    return MakeShape({-1, 4});
  }
  const int32_t* const end = slot.types + slot.type_count;
  const bool listed = std::find(slot.types, end, type) != end;
  const int32_t own = follows && listed ? type : slot.types[0];
  if (slot.optional) return {own, {}, RandomBytes(own, 1)};
  // Before version 7, PRelu's slope is one element, or one for each channel.
  if (std::strcmp(slot.name, "slope") == 0)
    return {own, {1}, RandomBytes(own, 1)};
  return {own, {kElements}, RandomBytes(own, kElements)};
}

// An engine as the provider's.
const lw_engine* FastEngine() {
  static const lw_engine* const engine = [] {
    lw_engine_options options = {};
    options.struct_size = sizeof(options);
    options.accuracy = LW_ACCURACY_FAST;
    lw_engine* made = nullptr;
    EXPECT_EQ(lw_engine_create(&options, &made), LW_OK);
    return made;
  }();
  return engine;
}

// What a node needs besides its operands.
Step NodeOf(const lw_signature& row) {
  Step step = {row.name, {}, {"y"}};
  for (size_t i = 0; i < row.attribute_count; ++i) {
    const lw_attribute_info& it = row.attributes[i];
    const bool is_text = it.kind == LW_ATTRIBUTE_STRING;
    if (std::strcmp(it.name, "shape") == 0) {
      step.ints[it.name] = {-1, 4};
    } else if (it.tells_type != 0 && is_text) {
      step.texts[it.name] = "FLOAT";
    } else if (it.tells_type != 0) {
      step.numbers[it.name] = LW_FLOAT32;
    } else if (is_text && it.required != 0) {
      step.texts[it.name] = "LEFT";
    } else if (std::strcmp(it.name, "is_test") == 0) {
      step.numbers[it.name] = 1;
    } else if (it.kind == LW_ATTRIBUTE_INT && it.required != 0) {
      step.numbers[it.name] = 3;
    } else if (it.kind == LW_ATTRIBUTE_INTS && it.required != 0) {
      step.ints[it.name] = Dims(row.input_count);
    }
  }
  return step;
}

// What lanewise itself makes of the operands: type and dims, or all.
enum class Part { kShape, kAll };
Operand Expected(const lw_signature& row, std::vector<Operand>& operands,
                 Part part) {
  std::vector<lw_tensor> inputs;
  for (Operand& operand : operands) inputs.push_back(View(operand));
  const Step node = NodeOf(row);
  std::vector<lw_attribute> attributes;
  for (const auto& [name, values] : node.ints) {
    attributes.push_back(
        {name.c_str(), LW_ATTRIBUTE_INTS, values.size(), values.data()});
  }
  for (const auto& [name, value] : node.numbers) {
    attributes.push_back({name.c_str(), LW_ATTRIBUTE_INT, 1, &value});
  }
  std::vector<lw_string> texts;
  texts.reserve(node.texts.size());
  for (const auto& [name, text] : node.texts) {
    texts.push_back({text.data(), text.size()});
    attributes.push_back({name.c_str(), LW_ATTRIBUTE_STRING, 1, &texts.back()});
  }
  lw_op* op = nullptr;
  EXPECT_EQ(lw_op_create(FastEngine(), row.name, row.since_version,
                         attributes.data(), attributes.size(), &op),
            LW_OK);
  lw_shape results[LW_MAX_OUTPUTS];
  EXPECT_EQ(lw_op_infer(op, inputs.data(), inputs.size(), results), LW_OK)
      << lw_last_error();
  const lw_shape& result = results[0];
  size_t elements = 1;
  for (int32_t i = 0; i < result.rank; ++i) {
    elements *= static_cast<size_t>(result.dims[i]);
  }
  Operand output = {
      result.type, Dims(result.dims, result.dims + result.rank),
      std::vector<unsigned char>((elements * Bits(result.type) + 7) / 8)};
  if (part == Part::kAll) {
    const lw_tensor view = View(output);
    EXPECT_EQ(lw_op_run(op, inputs.data(), inputs.size(), &view, 1), LW_OK)
        << lw_last_error();
  }
  lw_op_destroy(op);
  return output;
}

Graph ModelOf(const lw_signature& row, std::vector<Operand> operands) {
  Graph graph;
  graph.opset = row.since_version;
  Step step = NodeOf(row);
  for (size_t i = 0; i < operands.size(); ++i) {
    step.inputs.push_back(row.inputs[i].name);
    graph.inputs.push_back({row.inputs[i].name, ToOrt(operands[i].type),
                            Dims(operands[i].dims.size(), -1)});
  }
  const Operand result = Expected(row, operands, Part::kShape);
  graph.outputs = {{"y", ToOrt(result.type), Dims(result.dims.size(), -1)}};
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
  const bool has_rows = row.input_count > 0 && HasRows(row);
  for (size_t i = 0; i < row.input_count; ++i) {
    operands.push_back(has_rows ? MakeRowsOperand(row, i, type)
                                : MakeOperand(row.inputs[i], type));
  }
  return operands;
}

// Whether this ONNX Runtime loads models of an opset.
bool Loads(int opset) {
  static auto& known = *new std::map<int, bool>;
  const auto [at, is_new] = known.try_emplace(opset, true);
  if (is_new) {
    Graph graph;
    graph.opset = opset;
    graph.inputs = {{"x", ToOrt(LW_FLOAT32), {-1}}};
    graph.outputs = {{"y", ToOrt(LW_FLOAT32), {-1}}};
    graph.steps = {{"Exp", {"x"}, {"y"}}};
    try {
      MakeCpuSession(std::move(graph));
    } catch (const Ort::Exception&) {
      at->second = opset < 7;  // which the CPU provider lacks
    }
  }
  return at->second;
}

// Whether ONNX Runtime puts the function's body in place of the node.
bool IsBody(const lw_signature& row, int32_t type) {
  const std::string_view op = row.name;
  if (op == "CastLike") return true;
  if (op == "GroupNormalization") return type != LW_BFLOAT16;
  if (op == "ReduceLogSum") {
    return row.since_version >= 28 && type != LW_BFLOAT16;
  }
  if (op == "ReduceLogSumExp") {
    return row.since_version >= 28 ||
           (row.since_version >= 18 &&
            (type == LW_BFLOAT16 || type == LW_UINT32 || type == LW_UINT64));
  }
  for (const char* name : {"HardSwish", "Mish", "SwiGLU", "Swish"}) {
    if (std::strcmp(row.name, name) == 0) return type != LW_BFLOAT16;
  }
  return std::strcmp(row.name, "Celu") == 0 && row.since_version >= 28 &&
         type != LW_FLOAT32 && type != LW_FLOAT16;
}

// The provider's table of what the CPU provider computes. A node that the table
// wrongly grants would be left, and its model would not load.
void CheckCpuProvider(const lw_signature& row, int32_t type) {
  // In models that are so old, ONNX Runtime cannot insert casts.
  if (row.since_version < 6 && type == LW_FLOAT16) return;
  bool loads = true;
  std::string failure;
  try {
    MakeCpuSession(ModelOf(row, OperandsOf(row, type)));
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
      (std::strcmp(row.name, "PRelu") == 0 && row.since_version >= 16 &&
       type != LW_FLOAT32 && type != LW_FLOAT16) ||
      (std::strcmp(row.name, "BitShift") == 0 && type != LW_UINT8 &&
       type != LW_UINT32 && type != LW_UINT64) ||
      (std::strcmp(row.name, "LeakyRelu") == 0 && type == LW_FLOAT64) ||
      (std::strcmp(row.name, "Cos") == 0 && type == LW_FLOAT64) ||
      (std::strcmp(row.name, "Cast") == 0 && type == LW_FLOAT8E8M0) ||
      (std::strcmp(row.name, "LayerNormalization") == 0 &&
       type == LW_BFLOAT16) ||
      (std::strcmp(row.name, "LpNormalization") == 0 &&
       row.since_version >= 22 && type != LW_BFLOAT16) ||
      IsBody(row, type);
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
  Ort::Session session = MakeStrictSession(ModelOf(row, operands));
  EXPECT_EQ(Placed(session), std::vector<std::string>{row.name});
  std::vector<std::string> names;
  std::vector<Ort::Value> inputs;
  for (size_t i = 0; i < operands.size(); ++i) {
    names.push_back(row.inputs[i].name);
    inputs.push_back(
        TensorOf(ToOrt(operands[i].type), operands[i].dims, operands[i].bytes));
  }
  const Ort::Value output = RunModel(session, names, inputs);
  const std::vector<unsigned char> expected =
      Expected(row, operands, Part::kAll).bytes;
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
    if (!Loads(row->since_version) || ort::IsLeftToHost(row->name)) continue;
    const lw_operand* slot = row->inputs;
    while (!IsBound(*slot)) ++slot;
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
