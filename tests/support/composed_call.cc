// SPDX-License-Identifier: Apache-2.0

#include "tests/support/composed_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "tests/support/bits.h"

namespace lanewise::test {

NodeAttributes::NodeAttributes(
    const std::vector<ComposedAttribute>& attributes) {
  for (const ComposedAttribute& given : attributes) {
    ints_.emplace_back(given.values.begin(), given.values.end());
    floats_.emplace_back();
    for (const double value : given.values) {
      floats_.back().push_back(static_cast<float>(value));
    }
    const void* values = ints_.back().data();
    if (given.kind == LW_ATTRIBUTE_FLOAT) values = floats_.back().data();
    list_.push_back({given.name, given.kind, given.values.size(), values});
  }
}

Array ArrayOf(lw_type type, const std::vector<long double>& values) {
  Array array(type, values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]);
    const auto single = static_cast<float>(value);
    const uint16_t narrow =
        type == LW_FLOAT16 ? ToHalf(value) : ToBfloat(value);
    const void* bits = type == LW_FLOAT64   ? static_cast<const void*>(&value)
                       : type == LW_FLOAT32 ? static_cast<const void*>(&single)
                                            : &narrow;
    std::memcpy(array.at(i), bits, array.element_size());
  }
  return array;
}

std::vector<long double> ValuesOf(const Array& array) {
  std::vector<long double> values;
  for (size_t i = 0; i < array.size(); ++i) {
    values.push_back(ReadNumber(array.type(), array.at(i)));
  }
  return values;
}

StridedCopy::StridedCopy(const ComposedOperand& operand, Kind kind)
    : dims_(operand.dims), strides_(RowMajor(dims_)) {
  int64_t stride = kind == kGaps ? 2 : 1;
  for (size_t k = 0; k < dims_.size(); ++k) {
    const size_t i = kind == kTransposed ? k : dims_.size() - 1 - k;
    strides_[i] = stride;
    stride *= std::max<int64_t>(dims_[i], 1);
    if (kind == kGaps) stride += 3;
  }
  if (kind == kReversed) {
    for (size_t i = 0; i < dims_.size(); ++i) {
      first_ += std::max<int64_t>(dims_[i] - 1, 0) * strides_[i];
      strides_[i] = -strides_[i];
    }
  }
  memory_ = Array(operand.type, static_cast<size_t>(stride));
  std::memset(memory_.data(), 0xA5, memory_.bytes());
  for (size_t i = 0; i < operand.elements.size(); ++i) {
    const int64_t at =
        first_ + OffsetOf(dims_, strides_, static_cast<int64_t>(i));
    std::memcpy(memory_.at(static_cast<size_t>(at)), operand.elements.at(i),
                memory_.element_size());
  }
  tensor_ = {memory_.at(static_cast<size_t>(first_)),    operand.type,
             static_cast<int32_t>(dims_.size()),         dims_.data(),
             kind == kPlain ? nullptr : strides_.data(), 0};
}

Array StridedCopy::Elements() const {
  Array elements(memory_.type(), static_cast<size_t>(Count(dims_)));
  for (size_t i = 0; i < elements.size(); ++i) {
    const int64_t at =
        first_ + OffsetOf(dims_, strides_, static_cast<int64_t>(i));
    std::memcpy(elements.at(i), memory_.at(static_cast<size_t>(at)),
                elements.element_size());
  }
  return elements;
}

namespace {

// Multiples of 1/64, which all types have.
std::vector<long double> RandomValues(size_t count, double least,
                                      std::mt19937_64* random) {
  std::uniform_int_distribution<int> any(static_cast<int>(least * 64), 192);
  std::vector<long double> values(count);
  for (long double& value : values) value = any(*random) / 64.0L;
  return values;
}

}  // namespace

ComposedRun::ComposedRun(const OperatorSpec& spec, const ComposedCase& given,
                         lw_type type, size_t turn, const lw_engine* engine)
    : spec_(spec), given_(given) {
  const NodeAttributes attributes(given.attributes);
  op_ = MakeOp(engine, {spec.name, given.opset}, attributes.list());
  const VersionSpec& version = VersionOf(spec, given.opset);
  std::map<std::string, lw_type> types = {{version.inputs[0].parameter, type}};
  std::mt19937_64 random(static_cast<uint64_t>(type) + 100 * turn);
  std::vector<lw_tensor> views;
  for (size_t k = 0; k < given.inputs.size(); ++k) {
    const OperandSpec& input = version.inputs[k];
    const auto first = version.types.begin();
    const auto place = static_cast<size_t>(
        std::find(first, version.types.end(), type) - first);
    const auto other = static_cast<lw_type>(
        first[(place + turn * types.size()) % version.types.size()]);
    const lw_type own = types.try_emplace(input.parameter, other).first->second;
    const double least = k < given.least.size() ? given.least[k] : -3;
    const Dims64& dims = given.inputs[k];
    inputs_.push_back(
        {own, dims, ArrayOf(own, RandomValues(CountOf(dims), least, &random))});
  }
  for (ComposedOperand& input : inputs_) {
    views.push_back({input.elements.data(), input.type,
                     static_cast<int32_t>(input.dims.size()), input.dims.data(),
                     nullptr, input.elements.bytes()});
  }
  std::vector<lw_shape> shapes(1 + spec.more_outputs.size());
  EXPECT_EQ(lw_op_infer(op(), views.data(), views.size(), shapes.data()), LW_OK)
      << lw_last_error();
  for (const lw_shape& shape : shapes) {
    const Dims64 dims(shape.dims, shape.dims + shape.rank);
    const auto out = static_cast<lw_type>(shape.type);
    outputs_.push_back({out, dims, Array(out, CountOf(dims))});
  }
}

std::vector<Numbers> ComposedRun::Expected() const {
  ComposedNode node = {VersionOf(spec_, given_.opset).version, {}};
  for (const ComposedAttribute& attribute : given_.attributes) {
    node.attributes[attribute.name] = attribute.values;
  }
  std::vector<Numbers> inputs;
  for (const ComposedOperand& input : inputs_) {
    inputs.push_back({input.dims, ValuesOf(input.elements)});
  }
  const size_t all = VersionOf(spec_, given_.opset).inputs.size();
  while (inputs.size() < all) inputs.push_back({{}, {}, false});
  return spec_.composed(node, inputs);
}

bool ComposedRun::HasDoubles() const {
  return std::all_of(
      inputs_.begin(), inputs_.end(),
      [](const ComposedOperand& input) { return input.type == LW_FLOAT64; });
}

std::vector<Array> ComposedRun::Run() const {
  std::vector<StridedCopy> ins;
  std::vector<StridedCopy> outs;
  ins.reserve(inputs_.size());
  outs.reserve(outputs_.size());
  std::vector<lw_tensor> in;
  std::vector<lw_tensor> out;
  for (const ComposedOperand& input : inputs_) {
    in.push_back(ins.emplace_back(input, StridedCopy::kPlain).tensor());
  }
  for (const ComposedOperand& output : outputs_) {
    out.push_back(outs.emplace_back(output, StridedCopy::kPlain).tensor());
  }
  EXPECT_EQ(lw_op_run(op(), in.data(), in.size(), out.data(), out.size()),
            LW_OK)
      << lw_last_error();
  std::vector<Array> results;
  for (const StridedCopy& copy : outs) results.push_back(copy.Elements());
  return results;
}

}  // namespace lanewise::test
