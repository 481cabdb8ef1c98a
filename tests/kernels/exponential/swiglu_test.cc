// SPDX-License-Identifier: Apache-2.0
//
// SwiGLU: the suite with the default alpha, random pairs with others and of all
// magnitudes.

#include <cmath>
#include <limits>

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

// The limit where Swish's own product has none. Half of a small a, times b, may
// be a tie; so may a large a times b.
long double ExactSwiglu(long double a, long double b, long double alpha) {
  const long double u = alpha * a;
  if (std::isinf(a)) {
    return (alpha == 0 || u > 0 ? a : std::copysign(0.0L, a)) * b;
  }
  if (std::fabs(u) < 0x1p-40L) return TimesOnePlus(a * b / 2, u / 2);
  if (u > 40 && std::isfinite(u)) {
    return TimesOnePlus(a * b, -std::numeric_limits<long double>::min());
  }
  if (u < -780) return std::copysign(0.0L, a) * b;
  return u < 0 ? a * std::exp(u) / (1 + std::exp(u)) * b
               : a / (1 + std::exp(-u)) * b;
}

}  // namespace

extern const OperatorSpec kSpec_swiglu = {
    .name = "SwiGLU",
    .versions = {{28, kF4, InputsAB(), {{"alpha", LW_ATTRIBUTE_FLOAT}}}},
    .output = {"Y"},
    .exact =
        [](lw_type, const long double* in) {
          return ExactSwiglu(in[0], in[1], 1.0L);
        },
    .allowed_ulp = 1,
    .wide = [](lw_type) -> Range {
      return {Range::kUniform, -60, 20};
    },
    .one_shape = true,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_swiglu);

constexpr OpId kSwiglu = {"SwiGLU", 28, 2};

class SwigluTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, SwigluTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

bool IsBelow4Ulp(lw_type type, long double exact, const void* y) {
  if (type == LW_FLOAT32) {
    return UlpError(exact, *static_cast<const float*>(y)) <= kFastUlps;
  }
  return UlpError(exact, *static_cast<const double*>(y)) <= kFastUlps;
}

/// Of fast engines, float32 or float64.
void CheckPairs(const lw_engine* engine, lw_type type, float alpha,
                const Array& a, const Array& b, bool fast = false) {
  const lw_attribute attribute = FloatAttribute("alpha", &alpha);
  const OpPtr op = MakeOp(engine, kSwiglu, {attribute});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
  Array out(type, a.size());
  const void* const inputs[] = {a.data(), b.data()};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), out.size()), LW_OK);
  for (size_t i = 0; i < out.size(); ++i) {
    const long double exact =
        ExactSwiglu(ReadFloat(type, a.at(i)), ReadFloat(type, b.at(i)),
                    RoundedTo(type, alpha));
    ASSERT_TRUE(fast ? IsBelow4Ulp(type, exact, out.at(i))
                     : IsBelow1Ulp(type, exact, out.at(i)))
        << BitsText(a.at(i), a.element_size()) << ", "
        << BitsText(b.at(i), b.element_size()) << " gives "
        << BitsText(out.at(i), out.element_size()) << ", not " << exact;
  }
}

lw_status RunOn(const lw_kernel* kernel, const std::vector<float>& a,
                const std::vector<float>& b, std::vector<float>* out) {
  const void* const inputs[] = {a.data(), b.data()};
  return lw_kernel_run(kernel, inputs, out->data(), out->size());
}

template <class Draw>
std::vector<double> Numbers(uint64_t seed, const Draw& draw) {
  std::mt19937_64 random(seed);
  std::vector<double> numbers(50'000);
  for (double& number : numbers) number = draw(random);
  return numbers;
}

TEST_P(SwigluTest, AnyAlpha) {
  const auto near = [](auto& random) { return Uniform(-12, 12, random); };
  const std::vector<double> a = Numbers(5, near), b = Numbers(6, near);
  for (const float alpha : {1.0f, 0.0f, 1e-9f, 0.3f, -1.7f, 1.702f, 1e30f}) {
    SCOPED_TRACE(alpha);
    for (const lw_type type : kFloatTypes) {
      SCOPED_TRACE(lw_type_name(type));
      CheckPairs(isa().engine, type, alpha, FromValues(type, a),
                 FromValues(type, b));
    }
  }
}

// The Swish of a may be subnormal, or nothing, and b makes up for that.
TEST_P(SwigluTest, AnyMagnitudes) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    const bool wide = type == LW_FLOAT64;
    const int low = wide ? -1080 : -150, high = wide ? 1024 : 128;
    const Array any = FromValues(type, Numbers(7, [&](auto& random) {
                                   return AnyMagnitude(low, high, random);
                                 }));
    CheckPairs(isa().engine, type, 1, any,
               FromValues(type, Numbers(8, [&](auto& random) {
                            return AnyMagnitude(low, high, random);
                          })));
    CheckPairs(isa().engine, type, 1,
               FromValues(type, Numbers(9,
                                        [&](auto& random) {
                                          return Uniform(wide ? -1500 : -200, 0,
                                                         random);
                                        })),
               any);
    CheckPairs(isa().engine, type, 1, RandomBits(type, 50'000),
               FromValues(type, Numbers(10, [&](auto& random) {
                            return random() % 4 == 0 ? -HUGE_VAL
                                                     : Uniform(-2, 2, random);
                          })));
  }
}

void CheckFast(const Isa& isa, lw_type type) {
  const bool wide = type == LW_FLOAT64;
  const int low = wide ? -1080 : -150, high = wide ? 1024 : 128;
  uint64_t seed = 10;
  const auto draw = [&](double least, double most) {
    return FromValues(type, Numbers(++seed, [&](auto& random) {
                        return Uniform(least, most, random);
                      }));
  };
  const auto any = [&](int most) {
    return FromValues(type, Numbers(++seed, [&](auto& random) {
                        return AnyMagnitude(low, most, random);
                      }));
  };
  for (const float alpha : {1.0f, 0.0f, 1e-9f, 0.3f, -1.7f, 1.702f, 1e30f}) {
    // The tight kernel, which computes these, loses bits: the product of a and
    // the sigmoid may be subnormal.
    if (wide && alpha > 2) continue;
    SCOPED_TRACE(alpha);
    const auto check = [&](const Array& a, const Array& b) {
      CheckPairs(isa.engine, type, alpha, a, b, true);
    };
    check(draw(-12, 12), draw(-12, 12));
    check(draw(wide ? -1500 : -200, 90), any(high));
    check(any(high), any(high));
    check(any(4), draw(1, 2));
    check(RandomBits(type, 50'000), draw(-2, 2));
  }
}
TEST(SwigluErrors, Fast) {
  for (const Isa& isa : AllFastIsas()) {
    SCOPED_TRACE(isa.name);
    CheckFast(isa, LW_FLOAT32);
    CheckFast(isa, LW_FLOAT64);
  }
}

// The product of 37 and 700003 is a tie of float32, where ways of computing
// differ. What a lane takes may not depend on its neighbour.

void CheckNeighbours(const lw_engine* engine) {
  const OpPtr op = MakeOp(engine, kSwiglu, {});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_FLOAT32, LW_SAME, &kernel), LW_OK);
  const std::vector<float> b(64, 700003);
  for (const float neighbour : {-1000.0f, -HUGE_VALF, NAN}) {
    std::vector<float> a(64, 37), usual(64), out(64);
    ASSERT_EQ(RunOn(kernel, a, b, &usual), LW_OK);
    for (size_t i = 1; i < a.size(); i += 3) a[i] = neighbour;
    ASSERT_EQ(RunOn(kernel, a, b, &out), LW_OK);
    for (size_t i = 0; i < a.size(); i += 3) {
      ASSERT_EQ(BitsOf(out[i]), BitsOf(usual[i])) << i << ", " << neighbour;
    }
  }
}
TEST_P(SwigluTest, NeighboursChangeNothing) { CheckNeighbours(isa().engine); }
TEST(SwigluErrors, FastNeighboursChangeNothing) {
  for (const Isa& isa : AllFastIsas()) CheckNeighbours(isa.engine);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
