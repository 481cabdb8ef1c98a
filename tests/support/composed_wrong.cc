// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/support/composed_call.h"

namespace lanewise::test {

void ExpectWrong(const OperatorSpec& spec, const WrongCall& wrong) {
  const ComposedCase& given = wrong.call;
  const NodeAttributes attributes(given.attributes);
  const OpPtr op = MakeOp(nullptr, {spec.name, given.opset}, attributes.list());
  std::vector<Array> arrays;
  std::vector<Tensor> tensors;
  std::vector<lw_tensor> in;
  const auto add = [&](lw_type type, const Dims64& dims,
                       std::vector<lw_tensor>* list) {
    tensors.push_back({type, arrays.back().data(), dims});
    list->push_back(tensors.back().view());
  };
  arrays.reserve(LW_MAX_INPUTS + LW_MAX_OUTPUTS);
  tensors.reserve(LW_MAX_INPUTS + LW_MAX_OUTPUTS);
  for (size_t k = 0; k < given.inputs.size(); ++k) {
    const auto type = k < wrong.types.size()
                          ? static_cast<lw_type>(wrong.types[k])
                          : wrong.type;
    arrays.emplace_back(LW_FLOAT64, CountOf(given.inputs[k]));
    add(type, given.inputs[k], &in);
  }
  std::vector<lw_tensor> out;
  for (size_t k = 0; k < wrong.outputs; ++k) {
    const Dims64& dims = wrong.out.empty() ? given.inputs[0] : wrong.out[0];
    arrays.emplace_back(LW_FLOAT64, CountOf(dims));
    add(wrong.type, dims, &out);
  }
  const std::string label =
      std::string(spec.name) + "-" +
      std::to_string(VersionOf(spec, given.opset).version) + ": ";
  const auto expect = [&](lw_status status) {
    const std::string message = lw_last_error();
    EXPECT_EQ(status, wrong.status) << message;
    EXPECT_EQ(message.rfind(label, 0), 0u) << message;
    EXPECT_NE(message.find(wrong.text), std::string::npos)
        << message << "\nwithout\n"
        << wrong.text;
  };
  expect(lw_op_run(op.get(), in.data(), in.size(), out.data(), out.size()));
  lw_call* call = nullptr;
  expect(lw_call_create(op.get(), in.data(), in.size(), out.data(), out.size(),
                        &call));
  EXPECT_EQ(call, nullptr);
}

void ExpectRefused(const OperatorSpec& spec, int32_t opset,
                   const std::vector<ComposedAttribute>& given,
                   const char* text) {
  const NodeAttributes attributes(given);
  lw_op* op = nullptr;
  EXPECT_EQ(lw_op_create(nullptr, spec.name, opset, attributes.list().data(),
                         attributes.list().size(), &op),
            LW_INVALID_ATTRIBUTE);
  EXPECT_EQ(op, nullptr);
  const std::string message = lw_last_error();
  EXPECT_EQ(message.rfind(std::string(spec.name) + "-", 0), 0u) << message;
  EXPECT_NE(message.find(text), std::string::npos) << message;
}

std::vector<double> ComposedOutput(
    const OperatorSpec& spec, const Isa& isa, const ComposedCase& node,
    lw_type type, const std::vector<std::vector<double>>& inputs) {
  const NodeAttributes attributes(node.attributes);
  const OpPtr op =
      MakeOp(isa.engine, {spec.name, node.opset}, attributes.list());
  std::vector<Array> arrays;
  std::vector<lw_tensor> in;
  arrays.reserve(inputs.size());
  for (size_t k = 0; k < inputs.size(); ++k) {
    const std::vector<long double> values(inputs[k].begin(), inputs[k].end());
    arrays.push_back(ArrayOf(type, values));
    in.push_back({arrays[k].data(), type,
                  static_cast<int32_t>(node.inputs[k].size()),
                  node.inputs[k].data(), nullptr, 0});
  }
  std::vector<lw_shape> shapes(1 + spec.more_outputs.size());
  EXPECT_EQ(lw_op_infer(op.get(), in.data(), in.size(), shapes.data()), LW_OK)
      << lw_last_error();
  const Dims64 dims(shapes[0].dims, shapes[0].dims + shapes[0].rank);
  Array result(static_cast<lw_type>(shapes[0].type), CountOf(dims));
  std::vector<lw_tensor> out = {
      {result.data(), result.type(), shapes[0].rank, dims.data(), nullptr, 0}};
  std::vector<std::vector<uint8_t>> others(shapes.size());
  for (size_t k = 1; k < shapes.size(); ++k) {
    if (spec.more_outputs[k - 1].optional) continue;
    others[k].resize(64);
    out.push_back({others[k].data(), shapes[k].type, shapes[k].rank,
                   shapes[k].dims, nullptr, 0});
  }
  EXPECT_EQ(lw_op_run(op.get(), in.data(), in.size(), out.data(), out.size()),
            LW_OK)
      << lw_last_error();
  const std::vector<long double> values = ValuesOf(result);
  return {values.begin(), values.end()};
}

}  // namespace lanewise::test
