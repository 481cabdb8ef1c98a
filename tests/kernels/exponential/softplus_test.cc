// SPDX-License-Identifier: Apache-2.0
//
// Softplus: the suite, the far ends by hand, and the error in ULP: of all
// float32, and of doubles from several strata.

#include <cmath>
#include <limits>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T SoftplusOf(T x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

}  // namespace

extern const OperatorSpec kSpec_softplus = {
    .name = "Softplus",
    .versions = {{1, kF3, {{"X"}}}, {22, kF4, {{"X"}}}},
    .output = {"Y"},
    .exact = [](lw_type, const long double* in) { return SoftplusOf(in[0]); },
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

const SuiteOf kSuite(kSpec_softplus, kMayTrap);

constexpr OpId kSoftplus = {"Softplus", 22};

// The far ends, where the exact results are infinite, a zero or x, and 0.
TEST(SoftplusValues, FarEnds) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::vector<double> in = {kInf, -kInf, 30'000, -30'000, -0.0, 0};
  const std::vector<double> out = {kInf, 0, 30'000, 0, kLn2, kLn2};
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      EXPECT_TRUE(SameBits(
          Compute(KernelApi(isa.engine, kSoftplus, type), FromValues(type, in)),
          FromValues(type, out)))
          << isa.name << ' ' << lw_type_name(type);
    }
  }
}

TEST(SoftplusValues, OnlyInexact) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckOnlyInexact(
          isa.engine, kSoftplus,
          FromValues(type, {kInf, 0.75, -1.25, 10, -9, 1e4, 0.0, -0.0}));
    }
  }
}

TEST(SoftplusValues, SameBitsOnEveryIsa) {
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(kSoftplus, AllValues(type));
  }
}

TEST(SoftplusValues, RoundsToNearestInEveryMode) {
  for (const Isa& isa : AllIsas()) CheckAlwaysToNearest(isa.engine, kSoftplus);
}

LANEWISE_ULP_TESTS(SoftplusErrors, kSoftplus, SoftplusOf<double>,
                   SoftplusOf<long double>);
LANEWISE_FAST_TESTS(SoftplusErrors, kSoftplus, SoftplusOf<double>);
LANEWISE_FAST_TESTS64(SoftplusErrors, kSoftplus, SoftplusOf<long double>);

Precise SoftplusInPrecise(const Precise& x) { return log1p(exp(x)); }
LANEWISE_EXACT_TESTS(SoftplusErrors, kSoftplus, SoftplusOf<double>,
                     SoftplusInPrecise, kHardSoftplus);

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
