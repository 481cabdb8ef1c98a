// SPDX-License-Identifier: Apache-2.0
//
// Sinh: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/hyperbolic_spec.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactSinh(T x) {
  return std::sinh(x);
}

}  // namespace

extern const OperatorSpec kSpec_sinh = {
    .name = "Sinh",
    .versions = HyperbolicVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactSinh(in[0]); },
    .allowed_ulp = 1,
    .wide = UpToOverflow,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_exact32.h"
#include "tests/support/check_function.h"
#include "tests/support/check_hyperbolic.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_sinh);

constexpr OpId kSinh = {"Sinh", 22};
constexpr double kInf = std::numeric_limits<double>::infinity();

LANEWISE_ULP_TESTS(SinhErrors, kSinh, ExactSinh<double>, ExactSinh<long double>,
                   HyperbolicAngle);
LANEWISE_FAST_TESTS(SinhErrors, kSinh, ExactSinh<double>);
LANEWISE_FAST_TESTS64(SinhErrors, kSinh, ExactSinh<long double>,
                      HyperbolicAngle);

Precise SinhInPrecise(const Precise& x) { return sinh(x); }
LANEWISE_EXACT_TESTS(SinhErrors, kSinh, ExactSinh<double>, SinhInPrecise,
                     kHardSinh);

TEST(SinhValues, SameEverywhere) {
  CheckFunction(kSinh, {0.0, -0.0, 0.75, -1.25, 10, kInf, -kInf});
}

TEST(SinhValues, SmallOnesStay) { CheckKeepsSmall(kSinh); }

// The largest arguments with finite results, and the next ones.
TEST(SinhValues, Overflow) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa.engine, kSinh, type, {{kInf, kInf}, {-kInf, -kInf}});
    }
    CheckByHand(isa.engine, kSinh, LW_FLOAT16,
                {{11.7812, 65376.0}, {-11.7891, -kInf}});
    CheckByHand(isa.engine, kSinh, LW_FLOAT32,
                {{0x1.65a9f8p+6, 0x1.ffffd8p+127}, {-0x1.65a9fap+6, -kInf}});
    CheckByHand(isa.engine, kSinh, LW_FLOAT64,
                {{0x1.633ce8fb9f87dp+9, 0x1.ffffffffffd3bp+1023},
                 {-0x1.633ce8fb9f87ep+9, -kInf}});
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
