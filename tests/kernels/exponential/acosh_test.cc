// SPDX-License-Identifier: Apache-2.0
//
// Acosh: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/hyperbolic_spec.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactAcosh(T x) {
  return std::acosh(x);
}

}  // namespace

extern const OperatorSpec kSpec_acosh = {
    .name = "Acosh",
    .versions = HyperbolicVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactAcosh(in[0]); },
    .allowed_ulp = 1,
    .typical = {Range::kUniform, 1, 20},
    .wide = AnyExponent,
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

const SuiteOf kSuite(kSpec_acosh);

constexpr OpId kAcosh = {"Acosh", 22};
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Close to 1, around 2^30, and all magnitudes.
double AnyDouble(uint64_t block, size_t, std::mt19937_64& random) {
  switch (block % 5) {
    case 0:
      return std::fabs(AnyMagnitude(-4, 1024, random));
    case 1:
      return 1 + std::fabs(AnyMagnitude(-53, 0, random));
    case 2:
      return Uniform(1, 5, random);
    case 3:
      return std::fabs(AnyMagnitude(0, 34, random));
    default:
      return DoubleOf(random());
  }
}

LANEWISE_ULP_TESTS(AcoshErrors, kAcosh, ExactAcosh<double>,
                   ExactAcosh<long double>, AnyDouble);
LANEWISE_FAST_TESTS(AcoshErrors, kAcosh, ExactAcosh<double>);
LANEWISE_FAST_TESTS64(AcoshErrors, kAcosh, ExactAcosh<long double>, AnyDouble);

Precise AcoshInPrecise(const Precise& x) { return acosh(x); }
LANEWISE_EXACT_TESTS(AcoshErrors, kAcosh, ExactAcosh<double>, AcoshInPrecise,
                     kHardAcosh);

TEST(AcoshValues, SameEverywhere) {
  CheckFunction(kAcosh, {1.0, 1.25, 1.5, 10, 1e4, kInf});
}

TEST(AcoshValues, Ends) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa.engine, kAcosh, type, {{1.0, 0.0}, {kInf, kInf}});
    }
  }
}

TEST(AcoshValues, NoNumbers) {
  const std::vector<double> in = {0.0,  -0.0, 0.5,  0.99609375,
                                  -1.0, -2.0, -kInf};
  CheckByHand(kAcosh, in, std::vector<double>(in.size(), kNaN));
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
