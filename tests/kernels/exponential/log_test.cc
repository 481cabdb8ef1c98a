// SPDX-License-Identifier: Apache-2.0
//
// Log: the suite, special values by hand, and the error in ULP: of all float32,
// and of doubles from several strata.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_log = {
    .name = "Log",
    .versions = {{1, kF3, {{"input"}}, {ConsumedInputsSpec()}},
                 {6, kF3, {{"input"}}},
                 {13, kF4, {{"input"}}}},
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return std::log(in[0]); },
    .allowed_ulp = 1,
    .typical = {Range::kUniform, 0, 20},
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include "tests/support/check_exact32.h"
#include "tests/support/check_ulps.h"
#include "tests/support/check_unary.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_log);

constexpr OpId kLog = {"Log", 13};
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LogValues, SpecialValues) {
  const std::vector<double> in = {0,     -0.0, 1,     -1,       kInf,
                                  -kInf, kNaN, -kNaN, -0x1p-120};
  const std::vector<double> out = {-kInf, -kInf, 0,    kNaN, kInf,
                                   kNaN,  kNaN,  kNaN, kNaN};
  for (const lw_type type : kFloatTypes) {
    if (type == LW_FLOAT16) continue;  // -2^-120 is 0; the suite has all values
    const Array x = FromValues(type, in);
    const Array y = FromValues(type, out);
    Isas isas = AllIsas();
    isas.insert(isas.end(), AllFastIsas().begin(), AllFastIsas().end());
    for (const Isa& isa : isas) {
      const Array actual = Compute(KernelApi(isa.engine, kLog, type), x);
      for (size_t i = 0; i < in.size(); ++i) {
        EXPECT_TRUE(ExactOrNan(ReadBits(y.at(i), y.element_size()),
                               ReadBits(actual.at(i), y.element_size()), type))
            << lw_type_name(type) << ' ' << isa.name << ' ' << in[i];
      }
    }
  }
}

TEST(LogValues, OnlyInexact) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckOnlyInexact(isa.engine, kLog,
                       FromValues(type, {0.75, 1.25, 1.75, 3.5, 6e4, 1e-4}));
    }
  }
}

TEST(LogValues, SameBitsOnEveryIsa) {
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(kLog, AllValues(type));
  }
}

TEST(LogValues, NothingRaised) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckNothingRaised(isa.engine, kLog, FromValues(type, {1.0}));
    }
  }
}

TEST(LogValues, RoundsToNearestInEveryMode) {
  for (const Isa& isa : AllIsas()) CheckAlwaysToNearest(isa.engine, kLog);
}

double InDouble(double x) { return std::log(x); }
long double InLongDouble(long double x) { return std::log(x); }

// Around 1, around the ends of the range of f, subnormal numbers, and all.
double AnyDouble(uint64_t block, size_t, std::mt19937_64& random) {
  switch (block % 6) {
    case 0:
      return AnyMagnitude(-1074, 1024, random);
    case 1:
      return 1 + AnyMagnitude(-53, -3, random);
    case 2:
      return Uniform(0.5, 2, random);
    case 3:
      return std::ldexp(std::sqrt(0.5) + AnyMagnitude(-40, -6, random),
                        static_cast<int>(random() % 9) - 4);
    case 4:
      return std::ldexp(Uniform(0.7, 1.5, random),
                        static_cast<int>(random() % 5) - 2);
    default:
      return DoubleOf(random());
  }
}

LANEWISE_ULP_TESTS(LogErrors, kLog, InDouble, InLongDouble, AnyDouble);
LANEWISE_FAST_TESTS(LogErrors, kLog, InDouble);

Precise LogInPrecise(const Precise& x) { return log(x); }
LANEWISE_EXACT_TESTS(LogErrors, kLog, InDouble, LogInPrecise, kHardLog);

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
