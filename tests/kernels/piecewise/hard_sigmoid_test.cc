// SPDX-License-Identifier: Apache-2.0
//
// HardSigmoid: the suite with the default attributes, other attributes in all
// values of the narrow types and near both ends of the slope, and special
// values by hand.

#include <cmath>

#include "tests/support/bits.h"
#include "tests/support/check_doubles.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

/// An attribute as an element of the type.
double InType(lw_type type, float value) {
  if (type == LW_FLOAT16) return Widen(Narrow(value, kHalf), kHalf);
  if (type == LW_BFLOAT16) return Widen(Narrow(value, kBfloat), kBfloat);
  return value;
}

template <typename T>
T Clipped(T y) {
  return y < 0 ? T{0} : y > 1 ? T{1} : y;
}

/// The double whose last bit tells that the sum is not exact, for types that
/// are narrower by far.
double ToOdd(Quad sum) {
  const auto near = static_cast<double>(sum);
  if (near == sum || BitsOf(near) % 2 != 0) return near;
  return std::nextafter(near, near < sum ? HUGE_VAL : -HUGE_VAL);
}

/// float32 and float64 are rounded once, in the current rounding mode.
long double HardSigmoid(lw_type type, double x, float alpha, float beta) {
  const double a = InType(type, alpha);
  const double b = InType(type, beta);
  if (type == LW_FLOAT64) return Clipped(std::fma(a, x, b));
  if (type != LW_FLOAT32) return Clipped(ToOdd(Quad{a} * x + b));
  return Clipped(std::fma(alpha, static_cast<float>(x), beta));
}

const std::vector<AttributeSpec> kLine = {{"alpha", LW_ATTRIBUTE_FLOAT},
                                          {"beta", LW_ATTRIBUTE_FLOAT}};
const std::vector<AttributeSpec> kOldLine = {{"alpha", LW_ATTRIBUTE_FLOAT},
                                             {"beta", LW_ATTRIBUTE_FLOAT},
                                             ConsumedInputsSpec()};

}  // namespace

extern const OperatorSpec kSpec_hard_sigmoid = {
    .name = "HardSigmoid",
    .versions = {{1, kF3, {{"X"}}, kOldLine},
                 {6, kF3, {{"X"}}, kLine},
                 {22, kF4, {{"X"}}, kLine}},
    .output = {"Y"},
    .exact =
        [](lw_type type, const long double* in) {
          return HardSigmoid(type, static_cast<double>(in[0]), 0.2f, 0.5f);
        },
    .exact_inputs = {0, -0.0},
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/support/check_unary.h"
#include "tests/support/check_values.h"
#include "tests/support/operator_suite.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_hard_sigmoid);

constexpr OpId kHardSigmoid = {"HardSigmoid", 22};

void HardSigmoid32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i) {
    y[i] = Clipped(std::fma(0.2f, x[i], 0.5f));
  }
}
TEST(HardSigmoidValues, ExhaustiveFloat32) {
  CheckAll32Bits(kHardSigmoid, LW_FLOAT32, HardSigmoid32, ExactOrNan);
}

struct Line {
  float alpha;
  float beta;
};

/// Values of any exponent, and values around those where the line is 0 or 1.
Array InputsFor(lw_type type, const Line& line) {
  if (ElementSize(type) == 2) return AllValues(type);
  std::mt19937_64 random(1);
  Array in = MixedElements(type, 4000, random);
  for (size_t i = 0; i < in.size(); i += 2) {
    const double y = static_cast<double>(random() % 4096) / 2048 - 0.5;
    const double x = (y - line.beta) / line.alpha * (1 + 0x1p-51 * (i % 64));
    if (!std::isfinite(x)) continue;
    const uint64_t bits = type == LW_FLOAT64 ? BitsOf(x) : Narrow(x, kSingle);
    WriteBits(bits, in.at(i), in.element_size());
  }
  return in;
}

void CheckLine(const Isa& isa, lw_type type, const Line& line) {
  const OpPtr op = MakeOp(isa.engine, kHardSigmoid,
                          {FloatAttribute("alpha", &line.alpha),
                           FloatAttribute("beta", &line.beta)});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
  OperatorSpec spec = kSpec_hard_sigmoid;
  static Line asked;
  asked = line;
  spec.exact = [](lw_type in_type, const long double* in) {
    return HardSigmoid(in_type, static_cast<double>(in[0]), asked.alpha,
                       asked.beta);
  };
  const Array in = InputsFor(type, line);
  const auto check = [&] {
    Array out(type, in.size());
    const void* const inputs[] = {in.data()};
    const Array expected = ExpectedOf(spec, type, {in}, in.size());
    ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK);
    const size_t i = FirstOther(spec, out, expected);
    ASSERT_EQ(i, in.size()) << "alpha " << line.alpha << ", beta " << line.beta
                            << ": " << Complaint(spec, {in}, i, out, expected);
  };
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    SCOPED_TRACE(mode);
    const FloatEnvScope scope;
    std::fesetround(mode);
    ASSERT_NO_FATAL_FAILURE(check());
  }
}

class HardSigmoidTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, HardSigmoidTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(HardSigmoidTest, AnyLineIsRoundedOnce) {
  LANEWISE_SKIP_IF_EXACT();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  for (const Line& line : std::initializer_list<Line>{
           {0.2f, 0.5f},       {1.0f / 6, 0.5f},  {-0.7f, 0.1f},
           {0.3f, 0},          {-1, -0.0f},       {0, 0.25f},
           {0.1f, -3},         {1, 1e30f},        {0.9f, -1e30f},
           {3e38f, -3e38f},    {1e-40f, 0},       {0.3f, 1e-30f},
           {1e-30f, 1e-30f},   {0x1.9p-3f, 0.5f}, {1e9f, 0.3f},
           {kInf, 0.5f},       {0.2f, kInf},      {-kInf, -kInf},
           {nan, 0.5f},        {0.2f, nan},       {0x1.0002p0f, 1e-3f},
           {0.1003f, 0.2501f}, {65519.9f, 65520}}) {
    for (const lw_type type : kFloatTypes) {
      SCOPED_TRACE(lw_type_name(type));
      ASSERT_NO_FATAL_FAILURE(CheckLine(isa(), type, line));
    }
  }
}

TEST(HardSigmoidValues, ByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  CheckByHand(kHardSigmoid, {-kInf, kInf, 0, -0.0, -8, 8, std::nan("")},
              {0, 1, 0.5, 0.5, 0, 1, std::nan("")});
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
