// SPDX-License-Identifier: Apache-2.0
//
// Erf: the suite, version 9 with its integers, values by hand, and the error in
// ULP of all float32 and of many doubles.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

template <typename T>
T ExactErf(T x) {
  return std::erf(x);
}

}  // namespace

extern const OperatorSpec kSpec_erf = {
    .name = "Erf",
    .versions = {{9, kN11, {{"input"}}}, {13, kF4, {{"input"}}}},
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return ExactErf(in[0]); },
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          // Unsigned numbers above all signed ones are read as negative ones.
          const int64_t x = ReadInteger(type, in[0]);
          const bool is_large = !IsSignedInteger(type) && x < 0;
          const float y = is_large ? 1 : std::erf(static_cast<float>(x));
          WriteInteger(type, static_cast<int64_t>(y), out);
        },
    .allowed_ulp = 1,
    .typical = {Range::kUniform, -4, 4},
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/check_exact32.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_erf);

// The integers that version 13 dropped.
TEST_P(OperatorSuite, Version9) {
  LANEWISE_SKIP_IF_EXACT();
  OperatorSpec spec = kSpec_erf;
  spec.versions.pop_back();
  spec.newest_opset = 12;
  CheckSuiteValues(spec, isa());
  CheckSuitePatterns(spec, isa());
  CheckSuiteLengths(spec, isa());
  CheckSuiteTensors(spec, isa());
}

constexpr OpId kErf = {"Erf", 13};

TEST_P(OperatorSuite, ByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const lw_type type : kFloatTypes) {
    CheckByHand(isa().engine, kErf, type,
                {{-kInf, -1.0},
                 {kInf, 1.0},
                 {0.0, 0.0},
                 {-0.0, -0.0},
                 {6.0, 1.0},
                 {-30000.0, -1.0}});
  }
  CheckByHand(isa().engine, kErf, LW_FLOAT16,
              {{0x1.848p-10, 0x1.b64p-10}, {-0x1.848p-10, -0x1.b64p-10}});
  CheckByHand(isa().engine, kErf, LW_FLOAT32,
              {{0x1p-149, 0x1p-149}, {3.0, 0x1.fffd1ap-1}});
}
TEST_P(OperatorSuite, SameBitsAtEveryLength) {
  CheckSameBits(isa().engine, kErf);
}
TEST(ErfValues, SameBitsOnEveryIsa) {
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(kErf, AllValues(type));
  }
}

LANEWISE_ULP_TESTS(ErfErrors, kErf, ExactErf<double>, ExactErf<long double>);
LANEWISE_FAST_TESTS(ErfErrors, kErf, ExactErf<double>);

Precise ErfInPrecise(const Precise& x) { return erf(x); }
LANEWISE_EXACT_TESTS(ErfErrors, kErf, ExactErf<double>, ErfInPrecise, kHardErf);

TEST(ErfErrors, FastByHand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Isa& isa : AllFastIsas()) {
    CheckByHand(isa.engine, kErf, LW_FLOAT32,
                {{-kInf, -1.0}, {kInf, 1.0}, {0.0, 0.0}, {-0.0, -0.0}});
  }
}
TEST(ErfErrors, FastIsNeverBeyond1) {
  for (const Isa& isa : AllFastIsas()) {
    Array in(LW_FLOAT32, 1 << 20);
    for (size_t i = 0; i < in.size(); ++i) {
      in.as<float>()[i] = 2 + static_cast<float>(i) * 0x1p-18f;
    }
    const Array out = Compute(KernelApi(isa.engine, kErf, LW_FLOAT32), in);
    for (size_t i = 0; i < out.size(); ++i) {
      ASSERT_LE(out.as<float>()[i], 1) << isa << ' ' << in.as<float>()[i];
    }
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
