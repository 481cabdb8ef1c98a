// SPDX-License-Identifier: Apache-2.0
//
// QuantizeLinear: every pair of types to every type, every shape of the scale,
// and the attributes, held against an oracle of single elements.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/kernels/conversion/cast_oracle.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

constexpr Types kX10 = {LW_FLOAT32, LW_INT32};
constexpr Types kX19 = kX10 + Types{LW_FLOAT16, LW_BFLOAT16};
constexpr Types kScale24 = kX19 + Types{LW_FLOAT8E8M0};
constexpr Types kY10 = {LW_INT8, LW_UINT8};
constexpr Types kY19 = kY10 + kFloat8;
constexpr Types kY21 = kY19 + Types{LW_INT16, LW_UINT16, LW_INT4, LW_UINT4};
constexpr Types kY23 = kY21 + Types{LW_FLOAT4E2M1};
constexpr Types kY25 = kY23 + Types{LW_INT2, LW_UINT2};

const AttributeSpec kAxis = {"axis", LW_ATTRIBUTE_INT};
const AttributeSpec kSaturate = {"saturate", LW_ATTRIBUTE_INT};
const AttributeSpec kBlockSize = {"block_size", LW_ATTRIBUTE_INT};
const AttributeSpec kOutputType = {"output_dtype", LW_ATTRIBUTE_INT};
const AttributeSpec kPrecision = {"precision", LW_ATTRIBUTE_INT};

VersionSpec VersionOf(int version, const Types& x, const OperandSpec& scale,
                      const char* y_parameter, const Types& y,
                      std::vector<AttributeSpec> attributes) {
  return {version,
          x,
          {{"x", "T1"}, scale, {"y_zero_point", y_parameter, y, true}},
          std::move(attributes),
          {{"y", y_parameter, y}}};
}

struct Numbers {
  int32_t x, scale, to;
  int32_t precision = LW_ABSENT;
  bool saturates = true;
};

/// An element in another type, as Cast has it.
std::vector<uint8_t> InType(int32_t from, int32_t to, const uint8_t* element) {
  std::vector<uint8_t> result(8);
  Convert(static_cast<lw_type>(from), static_cast<lw_type>(to), element,
          result.data());
  return result;
}

/// The quotient, rounded to the precision.
double QuotientOf(const Numbers& n, const uint8_t* x, const uint8_t* scale) {
  int32_t precision = n.precision;
  if (precision == LW_ABSENT) {
    const bool is_exact = n.scale == LW_FLOAT8E8M0 || n.scale == LW_INT32;
    const bool in_doubles =
        is_exact && (n.x == LW_INT32 || n.scale == LW_INT32);
    precision = in_doubles ? LW_FLOAT64 : is_exact ? LW_FLOAT32 : n.scale;
  }
  const auto number = [&](int32_t type, const uint8_t* element) {
    return static_cast<double>(
        NumberAt(precision, InType(type, precision, element).data()));
  };
  const double a = number(n.x, x), b = number(n.scale, scale);
  if (precision == LW_FLOAT64) return a / b;
  const float quotient = static_cast<float>(a) / static_cast<float>(b);
  const auto* bytes = reinterpret_cast<const uint8_t*>(&quotient);
  return static_cast<double>(
      NumberAt(precision, InType(LW_FLOAT32, precision, bytes).data()));
}

std::vector<uint8_t> Answer(const Numbers& n, const uint8_t* x,
                            const uint8_t* scale, const uint8_t* zero) {
  const double quotient = QuotientOf(n, x, scale);
  const auto to = static_cast<lw_type>(n.to);
  const auto shift =
      zero == nullptr ? 0 : static_cast<double>(NumberAt(n.to, zero));
  if (kNarrowFloats.count(to) != 0) {
    // Doubles only where the quotient is one.
    const bool in_doubles = n.precision == LW_FLOAT64 ||
                            (n.precision == LW_ABSENT &&
                             (n.scale == LW_INT32 ||
                              (n.x == LW_INT32 && n.scale == LW_FLOAT8E8M0)));
    double sum = quotient;
    if (zero != nullptr) {
      sum = in_doubles
                ? quotient + shift
                : static_cast<float>(quotient) + static_cast<float>(shift);
    }
    if (std::isnan(sum)) sum = std::fabs(sum);
    return {WriteNarrowFloat(to, sum, n.saturates)};
  }
  const double rounded =
      std::isnan(quotient) ? quotient : std::nearbyint(quotient) + shift;
  if (kNarrowIntegers.count(to) != 0) return {SaturateNarrow(to, rounded)};
  const bool is_signed = IsSignedInteger(to);
  const auto width = static_cast<int>(8 * ElementSize(to));
  const double most = std::ldexp(1.0, is_signed ? width - 1 : width) - 1;
  const double least = is_signed ? -most - 1 : 0;
  const double whole =
      std::isnan(rounded) ? 0 : std::clamp(rounded, least, most);
  std::vector<uint8_t> result(ElementSize(to));
  WriteInteger(to, static_cast<int64_t>(whole), result.data());
  return result;
}

/// With the types of three inputs, as a node without attributes has them.
void AnswerOfTypes(const int32_t* types, const void* const* in, void* out) {
  const auto element = [&](size_t k) {
    return static_cast<const uint8_t*>(in[k]);
  };
  const std::vector<uint8_t> answer = Answer(
      {types[0], types[1], types[2]}, element(0), element(1), element(2));
  std::memcpy(out, answer.data(), answer.size());
}

}  // namespace

extern const OperatorSpec kSpec_quantize_linear = {
    .name = "QuantizeLinear",
    .versions =
        {VersionOf(10, kX10, {"y_scale", "tensor(float)", {LW_FLOAT32}}, "T2",
                   kY10, {}),
         VersionOf(13, kX10, {"y_scale", "tensor(float)", {LW_FLOAT32}}, "T2",
                   kY10, {kAxis}),
         VersionOf(19, kX19, {"y_scale", "T1"}, "T2", kY19, {kAxis, kSaturate}),
         VersionOf(21, kX19, {"y_scale", "T1"}, "T2", kY21,
                   {kAxis, kSaturate, kBlockSize, kOutputType}),
         VersionOf(23, kX19, {"y_scale", "T2", kX19}, "T3", kY23,
                   {kAxis, kSaturate, kBlockSize, kOutputType, kPrecision}),
         VersionOf(24, kX19, {"y_scale", "T2", kScale24}, "T3", kY23,
                   {kAxis, kSaturate, kBlockSize, kOutputType, kPrecision}),
         VersionOf(25, kX19, {"y_scale", "T2", kScale24}, "T3", kY25,
                   {kAxis, kSaturate, kBlockSize, kOutputType, kPrecision}),
         VersionOf(28, kX19, {"y_scale", "T2", kScale24}, "T3", kY25,
                   {kAxis, kSaturate, kBlockSize, kOutputType, kPrecision})},
    .output = {"y", "T3", {LW_UINT8}, false, false, true},
    .of_types = AnswerOfTypes,
    .one_way = true,
    .is_aligned = true,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <random>

#include "tests/kernels/conversion/aligned_calls.h"
#include "tests/support/isas.h"

namespace lanewise::test {
namespace {

/// Random bits; of floats, most are such that the quotients are small.
void Fill(std::mt19937_64& random, bool is_scale, AlignedTensor* tensor) {
  for (uint8_t& byte : tensor->bytes) byte = static_cast<uint8_t>(random());
  const bool is_float = kF4.count(tensor->type) != 0;
  const bool is_power = tensor->type == LW_FLOAT8E8M0;
  if (!is_float && !is_power && tensor->type != LW_INT32) return;
  const size_t size = ElementSize(static_cast<lw_type>(tensor->type));
  for (int64_t i = 0; i < CountOf(tensor->dims); ++i) {
    const auto kind = random() % 16;
    if (kind == 0) continue;  // any bits
    const auto whole = static_cast<int>(random() % 700) - 350;
    float number = is_scale ? static_cast<float>(random() % 8 + 1) / 4
                            : static_cast<float>(whole) / 8;
    if (kind < 4) number *= 1.0009765F;
    if (kind == 4) number *= 4096;
    if (is_power) {
      tensor->Set<uint8_t>(i, static_cast<uint8_t>(124 + random() % 8));
    } else if (tensor->type == LW_INT32) {
      tensor->Set(i, is_scale ? static_cast<int32_t>(random() % 9) : whole * 3);
    } else {
      std::vector<uint8_t> own =
          InType(LW_FLOAT32, tensor->type, reinterpret_cast<uint8_t*>(&number));
      std::copy_n(own.begin(), size,
                  &tensor->bytes[static_cast<size_t>(i) * size]);
    }
  }
}

struct Attributes {
  int64_t axis, block, to, precision, saturate;
  std::vector<lw_attribute> list = {};

  Attributes(const AlignedShape& shape, const Numbers& n, bool tells_type)
      : axis(shape.axis),
        block(shape.block),
        to(n.to),
        precision(n.precision),
        saturate(n.saturates) {
    if (axis != 1) list.push_back(IntAttribute("axis", &axis));
    if (block != 0) list.push_back(IntAttribute("block_size", &block));
    if (tells_type) list.push_back(IntAttribute("output_dtype", &to));
    if (precision != 0) list.push_back(IntAttribute("precision", &precision));
    if (saturate == 0) list.push_back(IntAttribute("saturate", &saturate));
  }
};

void CheckOne(const lw_engine* engine, int version, const AlignedShape& shape,
              const Numbers& n, bool has_zero) {
  std::mt19937_64 random(static_cast<uint64_t>(n.x * 31 + n.to));
  AlignedTensor x(n.x, shape.x), scale(n.scale, shape.scale),
      zero(n.to, shape.scale);
  Fill(random, false, &x);
  Fill(random, true, &scale);
  Fill(random, false, &zero);
  const bool tells = !has_zero && n.to != LW_UINT8;
  const Attributes attributes(shape, n, tells);
  const OpPtr op = MakeOp(engine, {"QuantizeLinear", version}, attributes.list);
  CheckAligned(op, shape, x, scale, has_zero ? &zero : nullptr, n.to,
               [&](const uint8_t* a, const uint8_t* b, const uint8_t* c) {
                 return Answer(n, a, b, c);
               });
}

class QuantizeLinear : public testing::TestWithParam<Isa> {};
INSTANTIATE_TEST_SUITE_P(Isa, QuantizeLinear, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

const Types& ScalesOf(const VersionSpec& version, int32_t x, Types* own) {
  *own = Types{x};
  const Types& listed = version.inputs[1].types;
  return listed.empty() ? *own : listed;
}

TEST_P(QuantizeLinear, EveryTypeOfEveryVersion) {
  const AlignedShape& shape = AlignedShapes()[0];
  for (const VersionSpec& version : kSpec_quantize_linear.versions) {
    for (const int32_t x : version.types) {
      Types own;
      for (const int32_t scale : ScalesOf(version, x, &own)) {
        for (const int32_t to : version.inputs[2].types) {
          const Numbers n = {x, scale, to};
          CheckOne(GetParam().engine, version.version, shape, n, true);
          if (version.version < 21 && to != LW_UINT8) continue;
          CheckOne(GetParam().engine, version.version, shape, n, false);
        }
      }
    }
  }
}

TEST_P(QuantizeLinear, EveryShape) {
  for (const AlignedShape& shape : AlignedShapes()) {
    for (const int32_t x : {LW_FLOAT32, LW_FLOAT16}) {
      for (const int32_t to : {LW_UINT8, LW_INT16, LW_INT4, LW_UINT2,
                               LW_FLOAT8E4M3FN, LW_FLOAT4E2M1}) {
        for (const bool has_zero : {false, true}) {
          CheckOne(GetParam().engine, 25, shape, {x, x, to}, has_zero);
        }
      }
    }
  }
}

TEST_P(QuantizeLinear, Precision) {
  for (const int32_t precision :
       {LW_FLOAT32, LW_FLOAT16, LW_BFLOAT16, LW_FLOAT64}) {
    for (const int32_t x : kX19) {
      for (const int32_t scale : kScale24) {
        for (const int32_t to : {LW_INT8, LW_INT16, LW_FLOAT8E5M2}) {
          CheckOne(GetParam().engine, 24, AlignedShapes()[8],
                   {x, scale, to, precision}, true);
        }
      }
    }
  }
}

TEST_P(QuantizeLinear, Saturates) {
  for (const int32_t to : kFloat8) {
    for (const bool has_zero : {false, true}) {
      CheckOne(GetParam().engine, 21, AlignedShapes()[0],
               {LW_FLOAT32, LW_FLOAT32, to, LW_ABSENT, false}, has_zero);
    }
  }
}

// Ties, limits and NaN by hand.
TEST_P(QuantizeLinear, ByHand) {
  const float in[] = {0.5F, 1.5F, -2.5F, 300, -300, NAN, INFINITY, -INFINITY};
  const uint8_t expected[] = {128, 130, 126, 255, 0, 0, 255, 0};
  const float scale = 1;
  const uint8_t zero = 128;
  uint8_t out[8] = {};
  constexpr int64_t kDim = 8;
  const lw_tensor inputs[] = {
      {const_cast<float*>(in), LW_FLOAT32, 1, &kDim, nullptr, 0},
      {const_cast<float*>(&scale), LW_FLOAT32, 0, nullptr, nullptr, 0},
      {const_cast<uint8_t*>(&zero), LW_UINT8, 0, nullptr, nullptr, 0}};
  const lw_tensor output = {out, LW_UINT8, 1, &kDim, nullptr, 0};
  const OpPtr op = MakeOp(GetParam().engine, {"QuantizeLinear", 13});
  ASSERT_EQ(lw_op_run(op.get(), inputs, 3, &output, 1), LW_OK);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], expected[i]) << in[i];
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
