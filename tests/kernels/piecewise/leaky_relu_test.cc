// SPDX-License-Identifier: Apache-2.0
//
// LeakyRelu: the suite with the default alpha, other alphas in all values of
// the narrow types, and the rounding of alpha by hand.

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

/// alpha as an element of the type.
double AlphaIn(lw_type type, float alpha) {
  if (type == LW_FLOAT16) return Widen(Narrow(alpha, kHalf), kHalf);
  if (type == LW_BFLOAT16) return Widen(Narrow(alpha, kBfloat), kBfloat);
  return alpha;
}

const std::vector<AttributeSpec> kAlphaSpec = {{"alpha", LW_ATTRIBUTE_FLOAT}};

}  // namespace

extern const OperatorSpec kSpec_leaky_relu = {
    .name = "LeakyRelu",
    .versions = {{1,
                  kF3,
                  {{"X"}},
                  {{"alpha", LW_ATTRIBUTE_FLOAT}, ConsumedInputsSpec()}},
                 {6, kF3, {{"X"}}, kAlphaSpec},
                 {16, kF4, {{"X"}}, kAlphaSpec}},
    .output = {"Y"},
    .exact =
        [](lw_type type, const long double* in) {
          const long double both[] = {in[0], AlphaIn(type, 0.01f)};
          return InTypeOf(type, both, [](auto x, auto alpha) {
            return x < 0 ? alpha * x : x;
          });
        },
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/all_pairs16.h"
#include "tests/support/check_values.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_leaky_relu);

constexpr OpId kLeakyRelu = {"LeakyRelu", 16};

void Leak32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = x[i] < 0 ? 0.01f * x[i] : x[i];
}
TEST(LeakyReluValues, ExhaustiveFloat32) {
  CheckAll32Bits(kLeakyRelu, LW_FLOAT32, Leak32);
}

// A node with a given alpha applied to all values of a 16-bit type.
void CheckAlpha(const Isa& isa, lw_type type, float alpha) {
  const lw_attribute attribute = FloatAttribute("alpha", &alpha);
  const OpPtr op = MakeOp(isa.engine, kLeakyRelu, {attribute});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
  const Array in = AllValues(type);
  Array out(type, in.size());
  const void* const inputs[] = {in.data()};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK);
  const Format format = type == LW_FLOAT16 ? kHalf : kBfloat;
  const double factor = AlphaIn(type, alpha);
  for (size_t i = 0; i < in.size(); ++i) {
    const double x = Widen(static_cast<uint32_t>(i), format);
    // The product of two 16-bit floats is a double.
    const uint32_t expected =
        x < 0 ? Narrow(factor * x, format) : static_cast<uint32_t>(i);
    const uint64_t actual = out.as<uint16_t>()[i];
    ASSERT_TRUE(ExactOrNan(expected, actual, type))
        << lw_type_name(type) << " alpha " << alpha << ", x " << x << ": "
        << actual << ", not " << expected;
  }
}

class LeakyReluTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, LeakyReluTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(LeakyReluTest, AnyAlphaInAllValuesOf16Bits) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16}) {
    for (const float alpha :
         {0.0f,     -0.0f,          1.0f,     -1.0f,   0.1f,
          0.3f,     -2.7f,          1e-3f,    3.4e38f, -3.4e38f,
          65504.0f, 65519.9f,       65520.0f, 6e-8f,   2.9e-8f,
          1e-40f,   0x1.0266p-127f, kInf,     -kInf,   std::nanf("")}) {
      ASSERT_NO_FATAL_FAILURE(CheckAlpha(isa(), type, alpha));
    }
  }
}

TEST(LeakyReluByHand, AlphaIsRoundedToTheElementTypeFirst) {
  const float alpha = 0.1f;
  const lw_attribute attribute = FloatAttribute("alpha", &alpha);
  const OpPtr op = MakeOp(nullptr, kLeakyRelu, {attribute});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_FLOAT64, LW_SAME, &kernel), LW_OK);
  double x[] = {-1, -0.0, 0, 2, -std::numeric_limits<double>::infinity()};
  const void* const inputs[] = {x};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, x, 5), LW_OK);
  EXPECT_EQ(x[0], -static_cast<double>(0.1f)) << "0.1f, not 0.1";
  EXPECT_TRUE(x[1] == 0 && std::signbit(x[1]));
  EXPECT_EQ(x[3], 2);
  EXPECT_EQ(x[4], -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
