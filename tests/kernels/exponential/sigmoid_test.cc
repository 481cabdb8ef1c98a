// SPDX-License-Identifier: Apache-2.0
//
// Sigmoid: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactSigmoid(T x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

}  // namespace

extern const OperatorSpec kSpec_sigmoid = {
    .name = "Sigmoid",
    .versions = {{1, kF3, {{"X"}}, {ConsumedInputsSpec()}},
                 {6, kF3, {{"X"}}},
                 {13, kF4, {{"X"}}}},
    .output = {"Y"},
    .exact = [](lw_type, const long double* in) { return ExactSigmoid(in[0]); },
    .allowed_ulp = 1,
    .wide = [](lw_type type) -> Range {
      if (type == LW_FLOAT16) return {Range::kUniform, -17, 11};
      if (type == LW_FLOAT64) return {Range::kUniform, -745, 40};
      return {Range::kUniform, -104, 20};
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

const SuiteOf kSuite(kSpec_sigmoid);

constexpr OpId kSigmoid = {"Sigmoid", 13};

LANEWISE_ULP_TESTS(SigmoidErrors, kSigmoid, ExactSigmoid<double>,
                   ExactSigmoid<long double>);
LANEWISE_FAST_TESTS(SigmoidErrors, kSigmoid, ExactSigmoid<double>);
LANEWISE_FAST_TESTS64(SigmoidErrors, kSigmoid, ExactSigmoid<long double>);

Precise SigmoidInPrecise(const Precise& x) { return 1 / (1 + exp(-x)); }
LANEWISE_EXACT_TESTS(SigmoidErrors, kSigmoid, ExactSigmoid<double>,
                     SigmoidInPrecise, kHardSigmoid);

class SigmoidTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, SigmoidTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(SigmoidTest, ByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kSigmoid, type,
                {{-kInf, 0.0},
                 {kInf, 1.0},
                 {0.0, 0.5},
                 {-0.0, 0.5},
                 {1000, 1.0},
                 {-1000, 0.0},
                 {-1e30, 0.0}});
  }
  CheckByHand(isa().engine, kSigmoid, LW_FLOAT32,
              {{-103.0, 0x1p-149}, {-100.0, 0x1.bp-145}});
  CheckByHand(isa().engine, kSigmoid, LW_FLOAT64, {{-745.0, 0x1p-1074}});
}

TEST_P(SigmoidTest, SameBitsAtEveryLength) {
  CheckSameBits(isa().engine, kSigmoid);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
