// SPDX-License-Identifier: Apache-2.0
//
// Mish: the suite, the far ends by hand, and the error in ULP: of all float32,
// and of doubles from several strata.

#include <cmath>
#include <limits>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

// With e = e^-|x|, which does not overflow.
template <typename T>
T MishOf(T x) {
  const T e = std::exp(-std::fabs(x));
  if (std::isinf(x)) return x > 0 ? x : -T{0};
  if (x > 0) return x * (1 + 2 * e) / (1 + 2 * e + 2 * e * e);
  return x * (e * (e + 2) / (e * (e + 2) + 2));
}

}  // namespace

extern const OperatorSpec kSpec_mish = {
    .name = "Mish",
    .versions = {{18, kF3, {{"X"}}}, {22, kF4, {{"X"}}}},
    .output = {"Y"},
    .exact = [](lw_type, const long double* in) { return MishOf(in[0]); },
    .allowed_ulp = 1,
    .wide = [](lw_type type) -> Range {
      if (type == LW_FLOAT16) return {Range::kUniform, -17, 30};
      if (type == LW_FLOAT64) return {Range::kUniform, -745, 900};
      return {Range::kUniform, -104, 120};
    },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include "tests/support/check_exact32.h"
#include "tests/support/check_ulps.h"
#include "tests/support/check_unary.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_mish, kMayTrap);

constexpr OpId kMish = {"Mish", 22};

// The far ends, where the exact results are infinite, a zero or x, and 0.
TEST(MishValues, FarEnds) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::vector<double> in = {kInf, -kInf, 30'000, -30'000, -0.0, 0};
  const std::vector<double> out = {kInf, -0.0, 30'000, -0.0, -0.0, 0};
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      EXPECT_TRUE(SameBits(
          Compute(KernelApi(isa.engine, kMish, type), FromValues(type, in)),
          FromValues(type, out)))
          << isa.name << ' ' << lw_type_name(type);
    }
  }
}

TEST(MishValues, OnlyInexact) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckOnlyInexact(
          isa.engine, kMish,
          FromValues(type, {kInf, 0.75, -1.25, 10, -9, 1e4, 0.0, -0.0}));
    }
  }
}

TEST(MishValues, SameBitsOnEveryIsa) {
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(kMish, AllValues(type));
  }
}

TEST(MishValues, RoundsToNearestInEveryMode) {
  for (const Isa& isa : AllIsas()) CheckAlwaysToNearest(isa.engine, kMish);
}

LANEWISE_ULP_TESTS(MishErrors, kMish, MishOf<double>, MishOf<long double>);
LANEWISE_FAST_TESTS(MishErrors, kMish, MishOf<double>);
LANEWISE_FAST_TESTS64(MishErrors, kMish, MishOf<long double>);

Precise MishInPrecise(const Precise& x) { return x * tanh(log1p(exp(x))); }
LANEWISE_EXACT_TESTS(MishErrors, kMish, MishOf<double>, MishInPrecise,
                     kHardMish);

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
