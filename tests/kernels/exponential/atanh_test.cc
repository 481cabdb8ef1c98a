// SPDX-License-Identifier: Apache-2.0
//
// Atanh: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/hyperbolic_spec.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactAtanh(T x) {
  return std::atanh(x);
}

}  // namespace

extern const OperatorSpec kSpec_atanh = {
    .name = "Atanh",
    .versions = HyperbolicVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactAtanh(in[0]); },
    .allowed_ulp = 1,
    .typical = {Range::kUniform, -1, 1},
    .wide = [](lw_type) -> Range {
      return {Range::kUniform, -1, 1};
    },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_exact32.h"
#include "tests/support/check_function.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_atanh);

constexpr OpId kAtanh = {"Atanh", 22};
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Small numbers, numbers close to 1, and all magnitudes.
double AnyDouble(uint64_t block, size_t, std::mt19937_64& random) {
  switch (block % 5) {
    case 0:
      return AnyMagnitude(-1074, 1, random);
    case 1:
      return AnyMagnitude(-30, 0, random);
    case 2:
      return Uniform(-1, 1, random);
    case 3:
      return 1 - std::fabs(AnyMagnitude(-53, -1, random));
    default:
      return DoubleOf(random());
  }
}

LANEWISE_ULP_TESTS(AtanhErrors, kAtanh, ExactAtanh<double>,
                   ExactAtanh<long double>, AnyDouble);
LANEWISE_FAST_TESTS(AtanhErrors, kAtanh, ExactAtanh<double>);
LANEWISE_FAST_TESTS64(AtanhErrors, kAtanh, ExactAtanh<long double>, AnyDouble);

Precise AtanhInPrecise(const Precise& x) { return atanh(x); }
LANEWISE_EXACT_TESTS(AtanhErrors, kAtanh, ExactAtanh<double>, AtanhInPrecise,
                     kHardAtanh);

TEST(AtanhValues, SameEverywhere) {
  CheckFunction(kAtanh, {0.0, -0.0, 0.125, 0.75, -0.25, 0.99609375});
}

TEST(AtanhValues, SmallOnesStay) { CheckKeepsSmall(kAtanh); }

TEST(AtanhValues, Ends) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa.engine, kAtanh, type, {{1.0, kInf}, {-1.0, -kInf}});
    }
  }
}

TEST(AtanhValues, NoNumbers) {
  const std::vector<double> in = {1.0078125, -1.0078125, 2.0,
                                  -1e4,      kInf,       -kInf};
  CheckByHand(kAtanh, in, std::vector<double>(in.size(), kNaN));
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
