// SPDX-License-Identifier: Apache-2.0
//
// Softsign: the suite, all float32, the error of float64, and values by hand.

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/support/check_doubles.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

long double Softsign(lw_type type, long double x) {
  if (std::isinf(x)) return x < 0 ? -1 : 1;
  if (type != LW_FLOAT64) return x / (1 + std::fabs(x));
  const Quad exact = x;
  return static_cast<double>(exact / (1 + (exact < 0 ? -exact : exact)));
}

}  // namespace

extern const OperatorSpec kSpec_softsign = {
    .name = "Softsign",
    .versions = {{1, kF3, {{"input"}}}, {22, kF4, {{"input"}}}},
    .output = {"output"},
    .exact = [](lw_type type,
                const long double* in) { return Softsign(type, in[0]); },
    .allowed_ulp = 0.51,  // float64; the tests below hold float32 to 0.5
    .to_nearest = true,
    .exact_inputs = {0, -0.0},
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

const SuiteOf kSuite(kSpec_softsign);

constexpr OpId kSoftsign = {"Softsign", 22};

void Softsign32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i)
    y[i] = static_cast<float>(Softsign(LW_FLOAT32, x[i]));
}
TEST(SoftsignValues, ExhaustiveFloat32) {
  CheckAll32Bits(kSoftsign, LW_FLOAT32, Softsign32, ExactOrNan);
}

double InDouble(double x) {
  return static_cast<double>(Softsign(LW_FLOAT32, x));
}
LANEWISE_FAST_TESTS(SoftsignErrors, kSoftsign, InDouble);

TEST(SoftsignErrors, FastByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kMost = std::numeric_limits<float>::max();
  for (const Isa& isa : AllFastIsas()) {
    CheckByHand(isa.engine, kSoftsign, LW_FLOAT32,
                {{-kInf, -1}, {kInf, 1}, {-0.0, -0.0}, {kMost, 1}, {3, 0.75}});
  }
}

// The quotients that are nearest to the middle of two floats, on either side.
TEST(SoftsignValues, HardFloat32) {
  const std::vector<uint32_t> hard = {0x3C0B8116, 0x3C7C0FC2, 0x33DDB3D8,
                                      0x3DBF0941, 0xBC0B8116, 0xBC7C0FC2};
  CheckValues(kSoftsign, Array(LW_FLOAT32, hard), Softsign32);
}

void Softsign64(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const double*>(in);
  auto* y = static_cast<double*>(out);
  for (size_t i = 0; i < n; ++i) {
    y[i] = static_cast<double>(Softsign(LW_FLOAT64, x[i]));
  }
}
// Every one of these is correctly rounded.
TEST(SoftsignValues, Float64) {
  LANEWISE_SKIP_IF_EXACT();
  for (uint64_t seed = 0; seed < 10; ++seed) {
    CheckValues(kSoftsign, RandomDoubles(200'000, seed), Softsign64,
                ExactOrNan);
  }
}

TEST(SoftsignValues, ByHand) {
  LANEWISE_SKIP_IF_EXACT();  // not in float64
  constexpr double kInf = std::numeric_limits<double>::infinity();
  CheckByHand(kSoftsign, {-kInf, kInf, 0, -0.0, 1, -1, 3, -7, std::nan("")},
              {-1, 1, 0, -0.0, 0.5, -0.5, 0.75, -0.875, std::nan("")});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
