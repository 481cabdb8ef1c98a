// SPDX-License-Identifier: Apache-2.0
//
// HardSwish: the suite, all float32, the error of float64, and values by hand.

#include <cmath>
#include <limits>

#include "tests/support/check_doubles.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

/// Rounded to a double that is rounded to narrower types as the exact result
/// is. Near 0, the exact result is a little more than x / 2.
long double HardSwish(lw_type type, long double x) {
  if (x <= -3) return -0.0L;
  if (x >= 3) return x;
  if (x != 0 && std::fabs(x) < 0x1p-60L) {
    return type == LW_FLOAT64 ? std::nextafter(x / 2, 1.0L)
                              : std::nextafter(static_cast<double>(x) / 2, 1.0);
  }
  if (type != LW_FLOAT64) return x * (x + 3) / 6;
  const Quad exact = x;
  return static_cast<double>(exact * (exact + 3) / 6);
}

}  // namespace

extern const OperatorSpec kSpec_hard_swish = {
    .name = "HardSwish",
    .versions = {{14, kF3, {{"X"}}}, {22, kF4, {{"X"}}}},
    .output = {"Y"},
    .exact = [](lw_type type,
                const long double* in) { return HardSwish(type, in[0]); },
    .allowed_ulp = 0.51,  // float64; the tests below hold float32 to 0.5
    .to_nearest = true,
    .exact_inputs = {0, -3, -0.0, -8},
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_ulps.h"
#include "tests/support/check_unary.h"
#include "tests/support/check_values.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_hard_swish);

constexpr OpId kHardSwish = {"HardSwish", 22};

void HardSwish32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i) {
    y[i] = static_cast<float>(HardSwish(LW_FLOAT32, x[i]));
  }
}
TEST(HardSwishValues, ExhaustiveFloat32) {
  CheckAll32Bits(kHardSwish, LW_FLOAT32, HardSwish32, ExactOrNan);
}

double InDouble(double x) {
  return static_cast<double>(HardSwish(LW_FLOAT32, x));
}
LANEWISE_FAST_TESTS(HardSwishErrors, kHardSwish, InDouble);

TEST(HardSwishErrors, FastByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Isa& isa : AllFastIsas()) {
    CheckByHand(isa.engine, kHardSwish, LW_FLOAT32,
                {{-kInf, -0.0}, {kInf, kInf}, {-0.0, -0.0}, {-3, -0.0}});
  }
}

void HardSwish64(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const double*>(in);
  auto* y = static_cast<double*>(out);
  for (size_t i = 0; i < n; ++i) {
    y[i] = static_cast<double>(HardSwish(LW_FLOAT64, x[i]));
  }
}
// Every one of these is correctly rounded.
TEST(HardSwishValues, Float64) {
  LANEWISE_SKIP_IF_EXACT();
  for (uint64_t seed = 0; seed < 10; ++seed) {
    CheckValues(kHardSwish, RandomDoubles(200'000, seed), HardSwish64,
                ExactOrNan);
  }
}

TEST(HardSwishValues, ByHand) {
  LANEWISE_SKIP_IF_EXACT();  // not in float64
  constexpr double kInf = std::numeric_limits<double>::infinity();
  CheckByHand(
      kHardSwish, {-kInf, kInf, 0, -0.0, -8, 8, -3, 3, 1.5, -1.5, std::nan("")},
      {-0.0, kInf, 0, -0.0, -0.0, 8, -0.0, 3, 1.125, -0.375, std::nan("")});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
