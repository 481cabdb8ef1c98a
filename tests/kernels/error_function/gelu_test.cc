// SPDX-License-Identifier: Apache-2.0
//
// Gelu: the suite in both forms, values by hand, the attribute, and the error
// in ULP of all float32 and of many doubles.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

// Constants as sums, because the exponent of e^-745 needs more than 64 bits.
struct Sum {
  long double high, low;
};
constexpr Sum kHalfRoot = {0.7071067811865475244L, 1.8950325588932570797e-20L};
constexpr Sum kTwoRoots = {1.595769121605730711759L, 5.351177755720478292e-20L};
constexpr Sum kCube = {0.044715L, 5.1174342541315809285e-22L};

// (x + x_low) * c
Sum Times(const Sum& x, const Sum& c) {
  const long double y = x.high * c.high;
  return {y, std::fma(x.high, c.high, -y) + x.high * c.low + x.low * c.high};
}

long double ExactNone(long double x) {
  if (x < -40) return -0.0L;
  if (x > 40) return x;
  const Sum y = Times({-x, 0}, kHalfRoot);
  const long double slope = 2 / std::sqrt(std::acos(-1.0L));
  return x / 2 *
         (std::erfc(y.high) - slope * std::exp(-y.high * y.high) * y.low);
}
long double ExactTanh(long double x) {
  if (x < -40) return -0.0L;
  if (x > 40) return x;
  const Sum cube = Times(Times({x, 0}, {x, 0}), kCube);
  const long double sum = 1 + cube.high;
  const long double added = sum - 1;
  const long double low = (1 - (sum - added)) + (cube.high - added) + cube.low;
  const Sum exponent = Times(Times({sum, low}, {-x, 0}), kTwoRoots);
  return x / (1 + std::exp(exponent.high) * (1 + exponent.low));
}

// Half of a 16-bit number may be a tie, of which the result is above.
template <long double (*kExact)(long double)>
long double Exact(lw_type type, const long double* in) {
  const long double x = in[0];
  const bool is_narrow = type == LW_FLOAT16 || type == LW_BFLOAT16;
  if (is_narrow && x != 0 && std::fabs(x) < 0x1p-30L) {
    return x / 2 + std::fabs(x) * 0x1p-40L;
  }
  return kExact(x);
}

const lw_string kNoneText = {"none", 4};
const lw_string kTanhText = {"tanh", 4};
const lw_attribute kNone = {"approximate", LW_ATTRIBUTE_STRING, 1, &kNoneText};
const lw_attribute kTanh = {"approximate", LW_ATTRIBUTE_STRING, 1, &kTanhText};

OperatorSpec GeluSpec(bool tanh) {
  return {
      .name = "Gelu",
      .versions = {{20, kF4, {{"X"}}, {{"approximate", LW_ATTRIBUTE_STRING}}}},
      .output = {"Y"},
      .exact = tanh ? Exact<ExactTanh> : Exact<ExactNone>,
      .allowed_ulp = 1,
      .typical = {Range::kUniform, -6, 6},
      .attributes = {tanh ? kTanh : kNone},
  };
}

}  // namespace

extern const OperatorSpec kSpec_gelu = GeluSpec(false);

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/support/check_exact32.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_gelu);

double FloatNone(double x) {
  if (x < -40) return -0.0;
  return x > 40 ? x : x / 2 * std::erfc(-x * 0x1.6a09e667f3bcdp-1);
}
double FloatTanh(double x) {
  if (x < -40) return -0.0;
  return x > 40 ? x
                : x / (1 + std::exp(-x * 1.5957691216057308 *
                                    (1 + 0.044715 * (x * x))));
}

TEST_P(OperatorSuite, OfTanh) {
  const OperatorSpec tanh = GeluSpec(true);
  CheckSuiteValues(tanh, isa());
  CheckSuiteLengths(tanh, isa());
  CheckSuiteTensors(tanh, isa());
  CheckSuiteFloatEnv(tanh, isa());
  CheckSuiteTraps(tanh, isa());
}

const OpId kGelu = {"Gelu", 20};  // "none" is the default
const OpId kGeluTanh = {"Gelu", 20, 1, &kTanh};

TEST_P(OperatorSuite, ByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const OpId& op : {kGelu, kGeluTanh}) {
    for (const lw_type type : kFloatTypes) {
      CheckByHand(isa().engine, op, type,
                  {{-kInf, -0.0},
                   {kInf, kInf},
                   {0.0, 0.0},
                   {-0.0, -0.0},
                   {1000, 1000},
                   {-1000, -0.0}});
    }
    // Half of the smallest number is a tie, of which the result is above.
    CheckByHand(isa().engine, op, LW_FLOAT16,
                {{0x1p-24, 0x1p-24}, {-0x1p-24, -0.0}});
    CheckByHand(isa().engine, op, LW_BFLOAT16,
                {{0x1p-133, 0x1p-133}, {-0x1p-133, -0.0}});
  }
  CheckByHand(isa().engine, kGelu, LW_FLOAT32, {{1, 0x1.aec4bep-1f}});
  CheckByHand(isa().engine, kGeluTanh, LW_FLOAT32, {{1, 0x1.aeb0b8p-1f}});
}
TEST_P(OperatorSuite, SameBitsAtEveryLength) {
  for (const OpId& op : {kGelu, kGeluTanh}) CheckSameBits(isa().engine, op);
}
TEST(GeluValues, SameBitsOnEveryIsa) {
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(kGelu, AllValues(type));
    CheckSameOnEveryIsa(kGeluTanh, AllValues(type));
  }
}

LANEWISE_ULP_TESTS(GeluErrors, kGelu, FloatNone, ExactNone);
LANEWISE_ULP_TESTS(GeluTanhErrors, kGeluTanh, FloatTanh, ExactTanh);
LANEWISE_FAST_TESTS(GeluErrors, kGelu, FloatNone);
LANEWISE_FAST_TESTS(GeluTanhErrors, kGeluTanh, FloatTanh);
LANEWISE_FAST_TESTS64(GeluErrors, kGelu, ExactNone);
LANEWISE_FAST_TESTS64(GeluTanhErrors, kGeluTanh, ExactTanh);

Precise NoneInPrecise(const Precise& x) {
  return x / 2 * erfc(-x * sqrt(Precise(0.5)));
}
Precise TanhInPrecise(const Precise& x) {
  const Precise sum = x + Precise::Parse("0.044715") * x * x * x;
  return x / (1 + exp(-2 * sqrt(2 / acos(Precise(-1.0))) * sum));
}
LANEWISE_EXACT_TESTS(GeluErrors, kGelu, FloatNone, NoneInPrecise, kHardGelu);
LANEWISE_EXACT_TESTS(GeluTanhErrors, kGeluTanh, FloatTanh, TanhInPrecise,
                     kHardGelu);

TEST(GeluErrors, FastByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Isa& isa : AllFastIsas()) {
    for (const OpId& op : {kGelu, kGeluTanh}) {
      for (const lw_type type : {LW_FLOAT32, LW_FLOAT64}) {
        CheckByHand(isa.engine, op, type,
                    {{-kInf, -0.0}, {kInf, kInf}, {0.0, 0.0}, {-0.0, -0.0}});
      }
    }
  }
}

TEST(GeluByHand, Attribute) {
  lw_op* op = nullptr;
  const lw_string text = {"erf", 3};
  const lw_attribute unknown = {"approximate", LW_ATTRIBUTE_STRING, 1, &text};
  EXPECT_EQ(lw_op_create(nullptr, "Gelu", 20, &unknown, 1, &op),
            LW_INVALID_ATTRIBUTE);
  EXPECT_NE(std::string(lw_last_error()).find("none, tanh"), std::string::npos)
      << lw_last_error();
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
