// SPDX-License-Identifier: Apache-2.0
//
// ThresholdedRelu: the suite with the default alpha, other alphas in all values
// of the narrow types, and values by hand.

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

const std::vector<AttributeSpec> kThresholdSpec = {
    {"alpha", LW_ATTRIBUTE_FLOAT}};

/// Of numbers of the type, which has alpha, too.
long double ThresholdedRelu(lw_type type, long double x, double alpha) {
  const long double both[] = {x, alpha};
  return InTypeOf(type, both, [](auto number, auto limit) {
    return number > limit ? number : decltype(number){0};
  });
}

}  // namespace

extern const OperatorSpec kSpec_thresholded_relu = {
    .name = "ThresholdedRelu",
    .versions = {{10, kF3, {{"X"}}, kThresholdSpec},
                 {22, kF4, {{"X"}}, kThresholdSpec}},
    .output = {"Y"},
    .exact =
        [](lw_type type, const long double* in) {
          return ThresholdedRelu(type, in[0], 1);
        },
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/check_unary.h"
#include "tests/support/check_values.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_thresholded_relu);

constexpr OpId kThresholdedRelu = {"ThresholdedRelu", 22};

void Above1(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = x[i] > 1 ? x[i] : 0;
}
TEST(ThresholdedReluValues, ExhaustiveFloat32) {
  CheckAll32Bits(kThresholdedRelu, LW_FLOAT32, Above1);
}

void CheckAlpha(const Isa& isa, lw_type type, float alpha) {
  const lw_attribute attribute = FloatAttribute("alpha", &alpha);
  const OpPtr op = MakeOp(isa.engine, kThresholdedRelu, {attribute});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
  const Array in = AllValues(type);
  Array out(type, in.size());
  const void* const inputs[] = {in.data()};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK);
  const Format format = FormatOf(type);
  const double limit = Widen(Narrow(alpha, format), format);
  for (size_t i = 0; i < in.size(); ++i) {
    const bool is_above = Widen(static_cast<uint32_t>(i), format) > limit;
    ASSERT_EQ(out.as<uint16_t>()[i], is_above ? i : 0)
        << lw_type_name(type) << " alpha " << alpha;
  }
}

class ThresholdedReluTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, ThresholdedReluTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(ThresholdedReluTest, AnyAlphaInAllValuesOf16Bits) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const lw_type type : k16BitTypes) {
    for (const float alpha :
         {0.0f, -0.0f, 0.1f, -2.7f, 65519.9f, 65520.0f, 1e-40f, 2.9e-8f, -1e-8f,
          kInf, -kInf, std::nanf("")}) {
      ASSERT_NO_FATAL_FAILURE(CheckAlpha(isa(), type, alpha));
    }
  }
}

TEST(ThresholdedReluValues, ByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  CheckByHand(kThresholdedRelu, {-kInf, kInf, 1, 1.5, -2, 0, std::nan("")},
              {0, kInf, 0, 1.5, 0, 0, 0});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
