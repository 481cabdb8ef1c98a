// SPDX-License-Identifier: Apache-2.0
//
// Cosh: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/hyperbolic_spec.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactCosh(T x) {
  return std::cosh(x);
}

}  // namespace

extern const OperatorSpec kSpec_cosh = {
    .name = "Cosh",
    .versions = HyperbolicVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactCosh(in[0]); },
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

const SuiteOf kSuite(kSpec_cosh);

constexpr OpId kCosh = {"Cosh", 22};
constexpr double kInf = std::numeric_limits<double>::infinity();

LANEWISE_ULP_TESTS(CoshErrors, kCosh, ExactCosh<double>, ExactCosh<long double>,
                   HyperbolicAngle);
LANEWISE_FAST_TESTS(CoshErrors, kCosh, ExactCosh<double>);
LANEWISE_FAST_TESTS64(CoshErrors, kCosh, ExactCosh<long double>,
                      HyperbolicAngle);

Precise CoshInPrecise(const Precise& x) { return cosh(x); }
LANEWISE_EXACT_TESTS(CoshErrors, kCosh, ExactCosh<double>, CoshInPrecise,
                     kHardCosh);

TEST(CoshValues, FastIsNeverBelow1) { CheckFastLimits(kCosh, -1, 1, 2); }

TEST(CoshValues, SameEverywhere) {
  CheckFunction(kCosh, {0.0, -0.0, 0.75, -1.25, 10, kInf, -kInf});
}

TEST(CoshValues, Ends) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa.engine, kCosh, type,
                  {{0.0, 1.0}, {-0.0, 1.0}, {0x1p-30, 1.0}});
    }
  }
}

// The largest arguments with finite results, and the next ones.
TEST(CoshValues, Overflow) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa.engine, kCosh, type, {{kInf, kInf}, {-kInf, kInf}});
    }
    CheckByHand(isa.engine, kCosh, LW_FLOAT16,
                {{11.7812, 65376.0}, {-11.7891, kInf}});
    CheckByHand(isa.engine, kCosh, LW_FLOAT32,
                {{0x1.65a9f8p+6, 0x1.ffffd8p+127}, {-0x1.65a9fap+6, kInf}});
    CheckByHand(isa.engine, kCosh, LW_FLOAT64,
                {{0x1.633ce8fb9f87dp+9, 0x1.ffffffffffd3bp+1023},
                 {-0x1.633ce8fb9f87ep+9, kInf}});
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
