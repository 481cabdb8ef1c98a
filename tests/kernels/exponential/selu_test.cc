// SPDX-License-Identifier: Apache-2.0
//
// Selu: the suite with the default attributes, errors in ULP, other ones,
// and the defaults of version 1.

#include <cmath>

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

// gamma * alpha * x may be a tie.
template <typename T>
T ExactSelu(T x, T alpha, T gamma) {
  if (x < 0 && x > -0x1p-40) return TimesOnePlus(gamma * alpha * x, x / 2);
  return gamma * (x < 0 ? alpha * std::expm1(x) : x);
}
constexpr float kAlpha = 1.67326319217681884765625f;
constexpr float kGamma = 1.05070102214813232421875f;
/// The default as an element of the type.
long double InType(lw_type type, float value, long double half,
                   long double bfloat) {
  return type == LW_FLOAT16 ? half : type == LW_BFLOAT16 ? bfloat : value;
}

}  // namespace

extern const OperatorSpec kSpec_selu = {
    .name = "Selu",
    .versions =
        {{1,
          kF3,
          {{"X"}},
          {{"alpha", LW_ATTRIBUTE_FLOAT},
           {"gamma", LW_ATTRIBUTE_FLOAT},
           ConsumedInputsSpec()}},
         {6,
          kF3,
          {{"X"}},
          {{"alpha", LW_ATTRIBUTE_FLOAT}, {"gamma", LW_ATTRIBUTE_FLOAT}}},
         {22,
          kF4,
          {{"X"}},
          {{"alpha", LW_ATTRIBUTE_FLOAT}, {"gamma", LW_ATTRIBUTE_FLOAT}}}},
    .output = {"Y"},
    .exact =
        [](lw_type type, const long double* in) {
          return ExactSelu(in[0], InType(type, kAlpha, 0x1.ac4p0L, 0x1.acp0L),
                           InType(type, kGamma, 0x1.0dp0L, 0x1.0cp0L));
        },
    .allowed_ulp = 1,
    .wide = [](lw_type) -> Range {
      return {Range::kUniform, -90, 90};
    },
    .attributes = {{"alpha", LW_ATTRIBUTE_FLOAT, 1, &kAlpha},
                   {"gamma", LW_ATTRIBUTE_FLOAT, 1, &kGamma}},
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

const SuiteOf kSuite(kSpec_selu);

constexpr OpId kSelu = {"Selu", 22};
constexpr double kInf = std::numeric_limits<double>::infinity();

template <typename T>
T ExactByDefault(T x) {
  return ExactSelu(x, T{kAlpha}, T{kGamma});
}
LANEWISE_ULP_TESTS(SeluErrors, kSelu, ExactByDefault<double>,
                   ExactByDefault<long double>);
LANEWISE_FAST_TESTS(SeluErrors, kSelu, ExactByDefault<double>);
LANEWISE_FAST_TESTS64(SeluErrors, kSelu, ExactByDefault<long double>);

Precise SeluInPrecise(const Precise& x) {
  return kGamma * (x < 0 ? kAlpha * expm1(x) : x);
}
LANEWISE_EXACT_TESTS(SeluErrors, kSelu, ExactByDefault<double>, SeluInPrecise,
                     kHardSelu);

class SeluTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, SeluTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(SeluTest, ByHand) {
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kSelu, type,
                {{kInf, kInf}, {0.0, 0.0}, {-0.0, -0.0}});
  }
  CheckByHand(isa().engine, kSelu, LW_FLOAT64,
              {{-kInf, -double{kAlpha} * kGamma},
               {-1000, -double{kAlpha} * kGamma},
               {1, kGamma}});
}

TEST_P(SeluTest, AnyAttributes) {
  for (const auto& [alpha, gamma] : {std::pair(0.3f, 1.1f),
                                     {-1.7f, -3.3f},
                                     {1.6732f, 1.0507f},
                                     {1.5f, 1.0f}}) {
    SCOPED_TRACE(alpha);
    const float a = alpha;
    const float g = gamma;
    CheckNode(isa().engine, kSelu,
              {FloatAttribute("alpha", &a), FloatAttribute("gamma", &g)},
              [&](lw_type type, long double x) {
                return ExactSelu(x, RoundedTo(type, a), RoundedTo(type, g));
              });
  }
}

TEST_P(SeluTest, SameBitsAtEveryLength) { CheckSameBits(isa().engine, kSelu); }

TEST(SeluByHand, TheDefaultsOfVersion1) {
  const Array in = FromValues(LW_FLOAT64, {-1000.0, 1.0});
  const Array out = Compute(KernelApi(nullptr, {"Selu", 1}, LW_FLOAT64), in);
  EXPECT_EQ(out.as<double>()[0], -double{1.6732f} * double{1.0507f});
  EXPECT_EQ(out.as<double>()[1], double{1.0507f});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
