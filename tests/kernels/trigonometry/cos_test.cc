// SPDX-License-Identifier: Apache-2.0
//
// Cos: the suite, errors in ULP, values by hand.

#include <cmath>

#include "tests/support/operator_spec.h"
#include "tests/support/trigonometry_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactCos(T x) {
  return std::cos(x);
}

}  // namespace

extern const OperatorSpec kSpec_cos = {
    .name = "Cos",
    .versions = TrigonometryVersions(),
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactCos(in[0]); },
    .allowed_ulp = 1,
    .wide = ManyTurns,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_exact32.h"
#include "tests/support/check_function.h"
#include "tests/support/check_trigonometry.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_cos, kMayTrap);

constexpr OpId kCos = {"Cos", 22};

LANEWISE_ULP_TESTS(CosErrors, kCos, ExactCos<double>, ExactCos<long double>,
                   AnyAngle);
LANEWISE_FAST_TESTS(CosErrors, kCos, ExactCos<double>);
LANEWISE_FAST_TESTS64(CosErrors, kCos, ExactCos<long double>, AnyAngle);

Precise CosInPrecise(const Precise& x) { return cos(x); }
LANEWISE_EXACT_TESTS(CosErrors, kCos, ExactCos<double>, CosInPrecise, kHardCos);

TEST(CosValues, FastIsNeverBeyond1) { CheckFastLimits(kCos, 2.5f, -1, 1); }
// Close to 0, where the reduced argument is close to pi/2.
TEST(CosValues, FastIsNeverBeyond1Near0) {
  std::mt19937_64 random(1);
  Array in(LW_FLOAT64, 100'000);
  for (size_t i = 0; i < in.size(); ++i) {
    in.as<double>()[i] = AnyMagnitude(-60, -8, random);
  }
  for (const Isa& isa : AllFastIsas()) {
    const Array out = Compute(KernelApi(isa.engine, kCos, LW_FLOAT64), in);
    for (size_t i = 0; i < out.size(); ++i) {
      ASSERT_LE(out.as<double>()[i], 1) << isa << ' ' << in.as<double>()[i];
    }
  }
}
TEST(CosValues, FastIs1At0) {
  for (const Isa& isa : AllFastIsas()) {
    for (const lw_type type : {LW_FLOAT32, LW_FLOAT64}) {
      CheckByHand(isa.engine, kCos, type, {{0.0, 1.0}, {-0.0, 1.0}});
    }
  }
}

TEST(CosValues, NoInfinity) { CheckRefusesInfinity(kCos); }
TEST(CosValues, SameEverywhere) {
  CheckFunction(kCos, {0.0, -0.0, 0.75, -1.25, 10, 1000});
}

// The largest double, and those that lie closest to a multiple of pi/2.
TEST(CosValues, HardAngles) {
  CheckAngles(kCos, {{0x1.fffffffffffffp+1023, -0x1.fffe62ecfab75p-1},
                     {0x1.0p20, 0x1.e33ada92fe2aep-1},
                     {0x1.fffffffffffffp19, 0x1.e33ada9352c61p-1},
                     {1e22, 0x1.0be2cef01c8f4p-1},
                     {0x1.6ac5b262ca1ffp+849, -0x1.14ae72e6ba22fp-61},
                     {0x1.6c6cbc45dc8dep+5, -0x1.6d61b58c99c43p-61},
                     {-0x1.b951f1572eba5p+23, -0x1.f54f5227a4e84p-60}});
}

TEST_P(OperatorSuite, ByHand) {
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kCos, type, {{0.0, 1.0}, {-0.0, 1.0}});
  }
  CheckByHand(isa().engine, kCos, LW_FLOAT32,
              {{0x1p-149, 1.0}, {-0x1p-20, 1.0}});
  CheckByHand(isa().engine, kCos, LW_FLOAT64,
              {{0x1p-1074, 1.0}, {-0x1p-30, 1.0}});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
