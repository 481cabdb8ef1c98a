// SPDX-License-Identifier: Apache-2.0
//
// Swish: the suite with the default alpha, errors in ULP, other alphas.

#include <cmath>

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

// The limit where the product has none. Half of a small x may be a tie.
template <typename T>
T ExactSwish(T x, T alpha) {
  const T u = alpha * x;
  if (std::isinf(x)) return alpha == 0 || u > 0 ? x : std::copysign(T{0}, x);
  if (std::fabs(u) < 0x1p-40) return TimesOnePlus(x / 2, u / 2);
  return u < 0 ? x * std::exp(u) / (1 + std::exp(u)) : x / (1 + std::exp(-u));
}

}  // namespace

extern const OperatorSpec kSpec_swish = {
    .name = "Swish",
    .versions = {{24, kF4, {{"X"}}, {{"alpha", LW_ATTRIBUTE_FLOAT}}}},
    .output = {"Y"},
    .exact = [](lw_type,
                const long double* in) { return ExactSwish(in[0], 1.0L); },
    .allowed_ulp = 1,
    .wide = [](lw_type type) -> Range {
      if (type == LW_FLOAT64) return {Range::kUniform, -750, 40};
      return {Range::kUniform, -105, 20};
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

const SuiteOf kSuite(kSpec_swish);

constexpr OpId kSwish = {"Swish", 24};
constexpr double kInf = std::numeric_limits<double>::infinity();

template <typename T>
T ExactByDefault(T x) {
  return ExactSwish(x, T{1});
}
LANEWISE_ULP_TESTS(SwishErrors, kSwish, ExactByDefault<double>,
                   ExactByDefault<long double>);
LANEWISE_FAST_TESTS(SwishErrors, kSwish, ExactByDefault<double>);
LANEWISE_FAST_TESTS64(SwishErrors, kSwish, ExactByDefault<long double>);

Precise SwishInPrecise(const Precise& x) { return x / (1 + exp(-x)); }
LANEWISE_EXACT_TESTS(SwishErrors, kSwish, ExactByDefault<double>,
                     SwishInPrecise, kHardSwish);
constexpr float kAlpha = 1.702f;
constexpr float kNegative = -0.3f;
template <const float& kOf, typename T>
T ExactByAlpha(T x) {
  return ExactSwish(x, T{kOf});
}
const lw_attribute kWithAlpha = FloatAttribute("alpha", &kAlpha);
const lw_attribute kWithNegative = FloatAttribute("alpha", &kNegative);
LANEWISE_FAST_TESTS(SwishByAlpha, (OpId{"Swish", 24, 1, &kWithAlpha}),
                    (ExactByAlpha<kAlpha, double>));
LANEWISE_FAST_TESTS64(SwishByAlpha, (OpId{"Swish", 24, 1, &kWithAlpha}),
                      (ExactByAlpha<kAlpha, long double>));
LANEWISE_FAST_TESTS(SwishByNegativeAlpha,
                    (OpId{"Swish", 24, 1, &kWithNegative}),
                    (ExactByAlpha<kNegative, double>));
LANEWISE_FAST_TESTS64(SwishByNegativeAlpha,
                      (OpId{"Swish", 24, 1, &kWithNegative}),
                      (ExactByAlpha<kNegative, long double>));

class SwishTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, SwishTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(SwishTest, ByHand) {
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kSwish, type,
                {{-kInf, -0.0},
                 {kInf, kInf},
                 {0.0, 0.0},
                 {-0.0, -0.0},
                 {-1000, -0.0},
                 {1000, 1000}});
  }
}

TEST_P(SwishTest, AnyAttributes) {
  for (const float alpha : {0.3f, -1.7f, 1e-3f, 100.0f, 1.702f, 0.0f, 1e-9f}) {
    SCOPED_TRACE(alpha);
    CheckNode(isa().engine, kSwish, {FloatAttribute("alpha", &alpha)},
              [&](lw_type type, long double x) {
                return ExactSwish(x, RoundedTo(type, alpha));
              });
  }
}

TEST_P(SwishTest, SameBitsAtEveryLength) {
  CheckSameBits(isa().engine, kSwish);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
