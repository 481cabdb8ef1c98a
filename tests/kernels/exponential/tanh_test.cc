// SPDX-License-Identifier: Apache-2.0
//
// Tanh: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactTanh(T x) {
  return std::tanh(x);
}

}  // namespace

extern const OperatorSpec kSpec_tanh = {
    .name = "Tanh",
    .versions = {{1, kF3, {{"input"}}, {ConsumedInputsSpec()}},
                 {6, kF3, {{"input"}}},
                 {13, kF4, {{"input"}}}},
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactTanh(in[0]); },
    .allowed_ulp = 1,
    .wide = [](lw_type) -> Range {
      return {Range::kUniform, -20, 20};
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

const SuiteOf kSuite(kSpec_tanh);

constexpr OpId kTanh = {"Tanh", 13};

LANEWISE_ULP_TESTS(TanhErrors, kTanh, ExactTanh<double>,
                   ExactTanh<long double>);
LANEWISE_FAST_TESTS(TanhErrors, kTanh, ExactTanh<double>);
LANEWISE_FAST_TESTS64(TanhErrors, kTanh, ExactTanh<long double>);

Precise TanhInPrecise(const Precise& x) { return tanh(x); }
LANEWISE_EXACT_TESTS(TanhErrors, kTanh, ExactTanh<double>, TanhInPrecise,
                     kHardTanh);

TEST(TanhErrors, FastIsNeverBeyond1) {
  for (const float first : {4.0f, 6.0f, 8.0f, 10.0f, 18.0f, 20.0f}) {
    CheckFastLimits(kTanh, first, 0.99f, 1);
  }
}

class TanhTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, TanhTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(TanhTest, ByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kTanh, type,
                {{-kInf, -1.0},
                 {kInf, 1.0},
                 {0.0, 0.0},
                 {-0.0, -0.0},
                 {1000, 1.0},
                 {-1000, -1.0}});
  }
  CheckByHand(isa().engine, kTanh, LW_FLOAT32,
              {{0x1p-149, 0x1p-149},
               {-0x1p-24, -0x1p-24},
               {-0x1.8p-127, -0x1.8p-127},
               {9.0, 1 - 0x1p-24}});
  CheckByHand(isa().engine, kTanh, LW_FLOAT64,
              {{0x1p-1074, 0x1p-1074}, {0x1p-30, 0x1p-30}});
}

TEST_P(TanhTest, SameBitsAtEveryLength) { CheckSameBits(isa().engine, kTanh); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
