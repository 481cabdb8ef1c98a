// SPDX-License-Identifier: Apache-2.0
//
// Asinh: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/hyperbolic_spec.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactAsinh(T x) {
  return std::asinh(x);
}

}  // namespace

extern const OperatorSpec kSpec_asinh = {
    .name = "Asinh",
    .versions = HyperbolicVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactAsinh(in[0]); },
    .allowed_ulp = 1,
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

const SuiteOf kSuite(kSpec_asinh);

constexpr OpId kAsinh = {"Asinh", 22};
constexpr double kInf = std::numeric_limits<double>::infinity();

// All magnitudes, small ones, and those around 2^30.
double AnyDouble(uint64_t block, size_t, std::mt19937_64& random) {
  switch (block % 5) {
    case 0:
      return AnyMagnitude(-1074, 1024, random);
    case 1:
      return AnyMagnitude(-30, 0, random);
    case 2:
      return Uniform(-3, 3, random);
    case 3:
      return AnyMagnitude(0, 34, random);
    default:
      return DoubleOf(random());
  }
}

LANEWISE_ULP_TESTS(AsinhErrors, kAsinh, ExactAsinh<double>,
                   ExactAsinh<long double>, AnyDouble);
LANEWISE_FAST_TESTS(AsinhErrors, kAsinh, ExactAsinh<double>);
LANEWISE_FAST_TESTS64(AsinhErrors, kAsinh, ExactAsinh<long double>, AnyDouble);

Precise AsinhInPrecise(const Precise& x) { return asinh(x); }
LANEWISE_EXACT_TESTS(AsinhErrors, kAsinh, ExactAsinh<double>, AsinhInPrecise,
                     kHardAsinh);

TEST(AsinhValues, SameEverywhere) {
  CheckFunction(kAsinh, {0.0, -0.0, 0.75, -1.25, 1e4, kInf, -kInf});
}

TEST(AsinhValues, SmallOnesStay) { CheckKeepsSmall(kAsinh); }

TEST(AsinhValues, Ends) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa.engine, kAsinh, type, {{kInf, kInf}, {-kInf, -kInf}});
    }
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
