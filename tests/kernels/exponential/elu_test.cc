// SPDX-License-Identifier: Apache-2.0
//
// Elu: the suite with the default alpha, errors in ULP, other alphas.

#include <cmath>

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

// alpha * x may be a tie.
template <typename T>
T ExactElu(T x, T alpha) {
  if (x < 0 && x > -0x1p-40) return TimesOnePlus(alpha * x, x / 2);
  return x < 0 ? alpha * std::expm1(x) : x;
}

}  // namespace

extern const OperatorSpec kSpec_elu = {
    .name = "Elu",
    .versions = {{1,
                  kF3,
                  {{"X"}},
                  {{"alpha", LW_ATTRIBUTE_FLOAT}, ConsumedInputsSpec()}},
                 {6, kF3, {{"X"}}, {{"alpha", LW_ATTRIBUTE_FLOAT}}},
                 {22, kF4, {{"X"}}, {{"alpha", LW_ATTRIBUTE_FLOAT}}}},
    .output = {"Y"},
    .exact = [](lw_type,
                const long double* in) { return ExactElu(in[0], 1.0L); },
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

const SuiteOf kSuite(kSpec_elu);

constexpr OpId kElu = {"Elu", 22};
constexpr double kInf = std::numeric_limits<double>::infinity();

template <typename T>
T ExactByDefault(T x) {
  return ExactElu(x, T{1});
}
LANEWISE_ULP_TESTS(EluErrors, kElu, ExactByDefault<double>,
                   ExactByDefault<long double>);
LANEWISE_FAST_TESTS(EluErrors, kElu, ExactByDefault<double>);
LANEWISE_FAST_TESTS64(EluErrors, kElu, ExactByDefault<long double>);

Precise EluInPrecise(const Precise& x) { return x < 0 ? expm1(x) : x; }
LANEWISE_EXACT_TESTS(EluErrors, kElu, ExactByDefault<double>, EluInPrecise,
                     kHardElu);

constexpr float kAlpha = -0.3f;
const lw_attribute kWithAlpha = FloatAttribute("alpha", &kAlpha);
template <typename T>
T ExactByAlpha(T x) {
  return ExactElu(x, T{kAlpha});
}
LANEWISE_FAST_TESTS(EluByAlpha, (OpId{"Elu", 22, 1, &kWithAlpha}),
                    ExactByAlpha<double>);
LANEWISE_FAST_TESTS64(EluByAlpha, (OpId{"Elu", 22, 1, &kWithAlpha}),
                      ExactByAlpha<long double>);

class EluTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, EluTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(EluTest, ByHand) {
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kElu, type,
                {{-kInf, -1.0},
                 {kInf, kInf},
                 {0.0, 0.0},
                 {-0.0, -0.0},
                 {-1000, -1.0},
                 {3.5, 3.5}});
  }
  CheckByHand(isa().engine, kElu, LW_FLOAT32, {{-0x1p-149, -0x1p-149}});
}

TEST_P(EluTest, AnyAttributes) {
  for (const float alpha :
       {0.3f, -1.7f, 1e-3f, 100.0f, 2.0f, 1.5f, 0.75f, 1.75f}) {
    SCOPED_TRACE(alpha);
    CheckNode(isa().engine, kElu, {FloatAttribute("alpha", &alpha)},
              [&](lw_type type, long double x) {
                return ExactElu(x, RoundedTo(type, alpha));
              });
  }
}

TEST_P(EluTest, SameBitsAtEveryLength) { CheckSameBits(isa().engine, kElu); }

TEST(EluByHand, AnInfiniteAlpha) {
  const auto alpha = std::numeric_limits<float>::infinity();
  CheckNode(nullptr, kElu, {FloatAttribute("alpha", &alpha)},
            [&](lw_type, long double x) { return x < 0 ? -kInf : x; });
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
