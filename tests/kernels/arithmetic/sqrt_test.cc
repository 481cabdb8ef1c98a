// SPDX-License-Identifier: Apache-2.0
//
// Sqrt: the suite (all values of 16 bits), all float32 numbers, and the error
// of float64 by its residual.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_sqrt = {
    .name = "Sqrt",
    .versions = {{1, kF3, {{"X"}}, {ConsumedInputsSpec()}},
                 {6, kF3, {{"X"}}},
                 {13, kF4, {{"X"}}}},
    .output = {"Y"},
    .exact =
        [](lw_type type, const long double* in) {
          const long double both[] = {in[0], 0};
          return InTypeOf(type, both,
                          [](auto x, auto) { return std::sqrt(x); });
        },
    .exact_inputs = {0, 1, 4, 9, 16, 25, -0.0},
    .typical = {Range::kUniform, 0, 100},
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/check_unary.h"
#include "tests/support/check_values.h"
#include "tests/support/operator_suite.h"
#include "tests/support/worst_errors.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_sqrt);

constexpr OpId kSqrt = {"Sqrt", 28};
constexpr double kInf = std::numeric_limits<double>::infinity();

// A double has more than twice the bits, and two to spare: rounding twice does
// no harm.
void ByDoubles(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i) {
    y[i] = static_cast<float>(std::sqrt(static_cast<double>(x[i])));
  }
}
TEST(SqrtValues, ExhaustiveFloat32) {
  CheckAll32Bits(kSqrt, LW_FLOAT32, ByDoubles, ExactOrNan);
}

// sqrt(x) - y is (x - y * y) / (sqrt(x) + y), where x - y * y is one fused
// operation.
TEST(SqrtErrors, Float64) {
  const Array in = RandomBits(LW_FLOAT64, 1 << 20, 7);
  const double* x = in.as<double>();
  for (const Isa& isa : AllIsas()) {
    const Array out = Compute(KernelApi(isa.engine, kSqrt, LW_FLOAT64), in);
    const double* y = out.as<double>();
    WorstError worst;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!(x[i] > 1e-290) || !std::isnormal(y[i])) continue;
      const double unit = std::ldexp(1.0, std::ilogb(y[i]) - 52);
      worst.Add(
          {std::fabs(std::fma(-y[i], y[i], x[i]) / (2 * y[i] * unit)), x[i]});
    }
    EXPECT_GT(worst.ulps, 0.49) << isa.name;
    EXPECT_LE(worst.ulps, 0.5) << isa.name;
  }
}

TEST(SqrtValues, SameBitsOnEveryIsa) {
  for (const lw_type type : kFloatTypes) {
    CheckSameOnEveryIsa(kSqrt, Lattice(type));
    CheckSameOnEveryIsa(kSqrt, RandomBits(type, 1 << 14));
  }
}

TEST(SqrtValues, ByHand) {
  const double nan = std::nan("");
  const std::vector<double> in = {0.0,  -0.0, 1.0,   2.25, 144.0,
                                  kInf, -1.0, -kInf, nan};
  const std::vector<double> out = {0.0,  -0.0, 1.0, 1.5, 12.0,
                                   kInf, nan,  nan, nan};
  for (const lw_type type : kFloatTypes) {
    for (const Isa& isa : AllIsas()) {
      const Array roots =
          Compute(KernelApi(isa.engine, kSqrt, type), FromValues(type, in));
      EXPECT_EQ(FirstRejected(FromValues(type, out), roots, ExactOrNan),
                in.size())
          << isa.name << ' ' << lw_type_name(type);
    }
  }
}

TEST(SqrtValues, DirectedRounding16) {
  for (const Isa& isa : AllIsas()) {
    CheckDirectedRounding16(isa.engine, kSqrt, 1);
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
