// SPDX-License-Identifier: Apache-2.0
//
// SwiGLU: the suite with the default alpha, random pairs with others.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

// The limit where Swish's own product has none.
long double ExactSwiglu(long double a, long double b, long double alpha) {
  const long double u = alpha * a;
  if (std::isinf(a)) return (u > 0 ? a : a > 0 ? 0.0L : -0.0L) * b;
  return u < 0 ? a * std::exp(u) / (1 + std::exp(u)) * b
               : a / (1 + std::exp(-u)) * b;
}

}  // namespace

extern const OperatorSpec kSpec_swiglu = {
    .name = "SwiGLU",
    .versions = {{28, kF4, InputsAB(), {{"alpha", LW_ATTRIBUTE_FLOAT}}}},
    .output = {"Y"},
    .exact =
        [](lw_type, const long double* in) {
          return ExactSwiglu(in[0], in[1], 1.0L);
        },
    .allowed_ulp = 1,
    .wide = [](lw_type) -> Range {
      return {Range::kUniform, -60, 20};
    },
    .one_shape = true,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

LANEWISE_OPERATOR_SUITE(kSpec_swiglu);

constexpr OpId kSwiglu = {"SwiGLU", 28, 2};

class SwigluTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, SwigluTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(SwigluTest, AnyAlpha) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> near(-12, 12);
  constexpr size_t kCount = 50'000;
  std::vector<double> numbers[2];
  for (auto& of : numbers) {
    for (size_t i = 0; i < kCount; ++i) of.push_back(near(random));
  }
  for (const float alpha : {1.0f, 0.3f, -1.7f, 1.702f}) {
    const lw_attribute attribute = FloatAttribute("alpha", &alpha);
    const OpPtr op = MakeOp(isa().engine, kSwiglu, {attribute});
    for (const lw_type type : kFloatTypes) {
      SCOPED_TRACE(lw_type_name(type));
      const Array a = FromValues(type, numbers[0]);
      const Array b = FromValues(type, numbers[1]);
      Array out(type, kCount);
      const lw_kernel* kernel = nullptr;
      ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
      const void* const inputs[] = {a.data(), b.data()};
      ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), kCount), LW_OK);
      for (size_t i = 0; i < kCount; ++i) {
        const long double exact =
            ExactSwiglu(ReadFloat(type, a.at(i)), ReadFloat(type, b.at(i)),
                        RoundedTo(type, alpha));
        ASSERT_TRUE(IsBelow1Ulp(type, exact, out.at(i)))
            << BitsText(a.at(i), a.element_size()) << ", "
            << BitsText(b.at(i), b.element_size()) << " gives "
            << BitsText(out.at(i), out.element_size()) << ", not " << exact;
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
