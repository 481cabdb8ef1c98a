// SPDX-License-Identifier: Apache-2.0
//
// Celu: the suite with the default alpha, errors in ULP, other alphas.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactCelu(T x, T alpha) {
  return x < 0 ? alpha * std::expm1(x / alpha) : x;
}

}  // namespace

extern const OperatorSpec kSpec_celu = {
    .name = "Celu",
    .versions = {{12, {LW_FLOAT32}, {{"X"}}, {{"alpha", LW_ATTRIBUTE_FLOAT}}},
                 {28, kF4, {{"X"}}, {{"alpha", LW_ATTRIBUTE_FLOAT}}}},
    .output = {"Y"},
    .exact = [](lw_type,
                const long double* in) { return ExactCelu(in[0], 1.0L); },
    .allowed_ulp = 1,
    .wide = [](lw_type) -> Range {
      return {Range::kUniform, -90, 90};
    },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/check_exact32.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_celu);

constexpr OpId kCelu = {"Celu", 28};
constexpr double kInf = std::numeric_limits<double>::infinity();

template <typename T>
T ExactByDefault(T x) {
  return ExactCelu(x, T{1});
}
LANEWISE_ULP_TESTS(CeluErrors, kCelu, ExactByDefault<double>,
                   ExactByDefault<long double>);
LANEWISE_FAST_TESTS(CeluErrors, kCelu, ExactByDefault<double>);
LANEWISE_FAST_TESTS64(CeluErrors, kCelu, ExactByDefault<long double>);

Precise CeluInPrecise(const Precise& x) { return x < 0 ? expm1(x) : x; }
LANEWISE_EXACT_TESTS(CeluErrors, kCelu, ExactByDefault<double>, CeluInPrecise,
                     kHardElu);

constexpr float kAlpha = 0.3f, kNegative = -1.7f;
const lw_attribute kWithAlpha = FloatAttribute("alpha", &kAlpha);
const lw_attribute kWithNegative = FloatAttribute("alpha", &kNegative);
template <const float& kOf, typename T>
T ExactByAlpha(T x) {
  return ExactCelu(x, T{kOf});
}
LANEWISE_FAST_TESTS(CeluByAlpha, (OpId{"Celu", 28, 1, &kWithAlpha}),
                    (ExactByAlpha<kAlpha, double>));
LANEWISE_FAST_TESTS64(CeluByAlpha, (OpId{"Celu", 28, 1, &kWithAlpha}),
                      (ExactByAlpha<kAlpha, long double>));
LANEWISE_FAST_TESTS(CeluByNegativeAlpha, (OpId{"Celu", 28, 1, &kWithNegative}),
                    (ExactByAlpha<kNegative, double>));
LANEWISE_FAST_TESTS64(CeluByNegativeAlpha,
                      (OpId{"Celu", 28, 1, &kWithNegative}),
                      (ExactByAlpha<kNegative, long double>));

// e^z grows, and alpha * e^z may be finite where e^z is not.
constexpr float kMinusOne = -1, kMinusTiny = -1e-30f;
const lw_attribute kWithMinusOne = FloatAttribute("alpha", &kMinusOne);
const lw_attribute kWithMinusTiny = FloatAttribute("alpha", &kMinusTiny);
LANEWISE_ULP_TESTS(CeluByNegativeAlpha, (OpId{"Celu", 28, 1, &kWithNegative}),
                   (ExactByAlpha<kNegative, double>),
                   (ExactByAlpha<kNegative, long double>));
LANEWISE_ULP_TESTS(CeluByMinusOne, (OpId{"Celu", 28, 1, &kWithMinusOne}),
                   (ExactByAlpha<kMinusOne, double>),
                   (ExactByAlpha<kMinusOne, long double>));
LANEWISE_ULP_TESTS(CeluByMinusTiny, (OpId{"Celu", 28, 1, &kWithMinusTiny}),
                   (ExactByAlpha<kMinusTiny, double>),
                   (ExactByAlpha<kMinusTiny, long double>));

class CeluTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, CeluTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(CeluTest, ByHand) {
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kCelu, type,
                {{-kInf, -1.0},
                 {kInf, kInf},
                 {0.0, 0.0},
                 {-0.0, -0.0},
                 {-1000, -1.0},
                 {3.5, 3.5}});
  }
  CheckByHand(isa().engine, kCelu, LW_FLOAT32, {{-0x1p-149, -0x1p-149}});
}

TEST_P(CeluTest, AnyAttributes) {
  for (const float alpha : {0.3f, -1.7f, -5.0f, 1e-3f, 100.0f}) {
    SCOPED_TRACE(alpha);
    CheckNode(isa().engine, kCelu, {FloatAttribute("alpha", &alpha)},
              [&](lw_type type, long double x) {
                return ExactCelu(x, RoundedTo(type, alpha));
              });
  }
}

TEST_P(CeluTest, SameBitsAtEveryLength) { CheckSameBits(isa().engine, kCelu); }

TEST(CeluByHand, AlphaMayNotBe0) {
  for (const float alpha : {0.0f, -0.0f}) {
    const lw_attribute attribute = FloatAttribute("alpha", &alpha);
    lw_op* op = nullptr;
    EXPECT_EQ(lw_op_create(nullptr, "Celu", 28, &attribute, 1, &op),
              LW_INVALID_ATTRIBUTE);
    EXPECT_STREQ(lw_last_error(), "Celu-28: alpha is 0");
    lw_op_destroy(op);
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
