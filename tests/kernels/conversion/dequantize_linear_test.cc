// SPDX-License-Identifier: Apache-2.0
//
// DequantizeLinear: every pair of types to every type, every shape of the
// scale, held against exact products that are rounded once.

#include <cmath>
#include <cstring>

#include "tests/kernels/conversion/cast_oracle.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

constexpr Types kQuantized10 = {LW_INT8, LW_UINT8, LW_INT32};
constexpr Types kQuantized19 = kQuantized10 + kFloat8;
constexpr Types kQuantized21 =
    kQuantized19 + Types{LW_INT16, LW_UINT16, LW_INT4, LW_UINT4};
constexpr Types kQuantized23 = kQuantized21 + Types{LW_FLOAT4E2M1};
constexpr Types kQuantized25 = kQuantized23 + Types{LW_INT2, LW_UINT2};
constexpr Types kReal10 = {LW_FLOAT32};
constexpr Types kReal19 = {LW_FLOAT32, LW_FLOAT16, LW_BFLOAT16};
constexpr Types kDequantizeScale24 = kReal19 + Types{LW_FLOAT8E8M0};

VersionSpec VersionOf(int version, const char* x_parameter, const Types& x,
                      const char* scale_parameter, const Types& scale,
                      const char* y_parameter, size_t attributes) {
  std::vector<AttributeSpec> all = {{"axis", LW_ATTRIBUTE_INT},
                                    {"block_size", LW_ATTRIBUTE_INT},
                                    {"output_dtype", LW_ATTRIBUTE_INT}};
  all.resize(attributes, all[0]);
  return {version,
          x,
          {{"x", x_parameter},
           {"x_scale", scale_parameter, scale},
           {"x_zero_point", x_parameter, {}, true}},
          all,
          {{"y", y_parameter, version < 19 ? kReal10 : kReal19}}};
}

/// A number of up to 64 bits, rounded once to a float of any type.
void Round(long double number, int32_t to, void* out) {
  const auto type = static_cast<lw_type>(to);
  const Fields fields = FieldsOf(type);
  uint64_t bits = std::signbit(number) ? fields.sign() : 0;
  if (std::isnan(number)) {
    bits = fields.infinity() + 1;
  } else if (std::isinf(number)) {
    bits |= fields.infinity();
  } else if (number != 0) {
    int power = 0;
    const long double fraction = std::frexp(std::fabs(number), &power);
    const auto integer = static_cast<uint64_t>(std::ldexp(fraction, 64));
    bits = ToBits({std::signbit(number), integer, power - 64}, fields);
  }
  std::memcpy(out, &bits, ElementSize(type));
}

void AnswerDequantized(const AlignedTypes& types, const void* const* in,
                       void* out) {
  const long double shift = in[2] == nullptr ? 0 : NumberAt(types.x, in[2]);
  const long double difference = NumberAt(types.x, in[0]) - shift;
  Round(difference * NumberAt(types.scale, in[1]), types.to, out);
}

}  // namespace

extern const OperatorSpec kSpec_dequantize_linear = {
    .name = "DequantizeLinear",
    .versions =
        {VersionOf(10, "T", kQuantized10, "tensor(float)", kReal10,
                   "tensor(float)", 0),
         VersionOf(13, "T", kQuantized10, "tensor(float)", kReal10,
                   "tensor(float)", 1),
         VersionOf(19, "T1", kQuantized19, "T2", kReal19, "T2", 1),
         VersionOf(21, "T1", kQuantized21, "T2", kReal19, "T2", 2),
         VersionOf(23, "T1", kQuantized23, "T2", kReal19, "T3", 3),
         VersionOf(24, "T1", kQuantized23, "T2", kDequantizeScale24, "T3", 3),
         VersionOf(25, "T1", kQuantized25, "T2", kDequantizeScale24, "T3", 3),
         VersionOf(28, "T1", kQuantized25, "T2", kDequantizeScale24, "T3", 3)},
    .output = {"y", "T3", {LW_FLOAT32}, false, false, true},
    .exact = [](lw_type,
                const long double* in) { return (in[0] - in[2]) * in[1]; },
    .one_way = true,
    .aligned = AnswerDequantized,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "tests/kernels/conversion/aligned_calls.h"
#include "tests/support/isas.h"

namespace lanewise::test {
namespace {

void CheckOne(const lw_engine* engine, int version, const AlignedShape& shape,
              int32_t x_type, int32_t scale_type, int32_t to, bool has_zero) {
  std::mt19937_64 random(static_cast<uint64_t>(x_type * 31 + to));
  AlignedTensor x(x_type, shape.x), scale(scale_type, shape.scale),
      zero(x_type, shape.scale);
  for (AlignedTensor* tensor : {&x, &scale, &zero}) {
    for (uint8_t& byte : tensor->bytes) byte = static_cast<uint8_t>(random());
  }
  std::vector<lw_attribute> list;
  const int64_t axis = shape.axis, block = shape.block, type = to;
  if (axis != 1) list.push_back(IntAttribute("axis", &axis));
  if (block != 0) list.push_back(IntAttribute("block_size", &block));
  if (to != scale_type) list.push_back(IntAttribute("output_dtype", &type));
  const OpPtr op = MakeOp(engine, {"DequantizeLinear", version}, list);
  CheckAligned(op, kSpec_dequantize_linear, shape, x, scale,
               has_zero ? &zero : nullptr, {x_type, scale_type, to});
}

class DequantizeLinear : public testing::TestWithParam<Isa> {};
INSTANTIATE_TEST_SUITE_P(Isa, DequantizeLinear, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(DequantizeLinear, EveryTypeOfEveryVersion) {
  // Many scales, so that all exponents occur.
  const AlignedShape one = AlignedShapes()[0];
  const AlignedShape many = {"many scales", {600, 3}, {600}, 0, 0, 13};
  for (const VersionSpec& version : kSpec_dequantize_linear.versions) {
    for (const int32_t x : version.types) {
      for (const int32_t scale : version.inputs[1].types) {
        for (const int32_t to : version.output[0].types) {
          const bool can_tell = version.version >= 23;
          if (to != scale && !can_tell) continue;
          for (const bool has_zero : {false, true}) {
            CheckOne(GetParam().engine, version.version,
                     version.version < 13 ? one : many, x, scale, to, has_zero);
          }
        }
      }
    }
  }
}

TEST_P(DequantizeLinear, EveryShape) {
  for (const AlignedShape& shape : AlignedShapes()) {
    for (const int32_t x : {LW_UINT8, LW_INT32, LW_INT4, LW_UINT2,
                            LW_FLOAT8E5M2, LW_FLOAT4E2M1}) {
      for (const int32_t scale : {LW_FLOAT32, LW_BFLOAT16}) {
        for (const bool has_zero : {false, true}) {
          CheckOne(GetParam().engine, 25, shape, x, scale, scale, has_zero);
        }
      }
    }
  }
}

TEST(DequantizeLinear, APowerOf2IsNoOutput) {
  const OpPtr op = MakeOp(nullptr, {"DequantizeLinear", 24});
  AlignedTensor x(LW_INT8, {4}), scale(LW_FLOAT8E8M0, {});
  const std::array<lw_tensor, 2> in = {x.View(), scale.View()};
  lw_shape out;
  EXPECT_EQ(lw_op_infer(op.get(), in.data(), 2, &out), LW_UNSUPPORTED_TYPE);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
