// SPDX-License-Identifier: Apache-2.0

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_reciprocal = {
    .name = "Reciprocal",
    .versions = {{1, kF3, {{"X"}}, {ConsumedInputsSpec()}},
                 {6, kF3, {{"X"}}},
                 {13, kF4, {{"X"}}}},
    .output = {"Y"},
    .exact =
        [](lw_type type, const long double* in) {
          const long double both[] = {1, in[0]};
          return InTypeOf(type, both, [](auto a, auto b) { return a / b; });
        },
    .typical = {Range::kExponents, -5, 5},
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/check_lengths.h"
#include "tests/support/check_strides.h"
#include "tests/support/check_threads.h"
#include "tests/support/check_unary.h"
#include "tests/support/check_values.h"
#include "tests/support/engines.h"
#include "tests/support/float_env.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"
#include "tests/support/worst_errors.h"

namespace lanewise::test {
namespace {

constexpr OpId kReciprocal = {"Reciprocal", 13};
constexpr double kInf = std::numeric_limits<double>::infinity();

// The oracle: a division in plain scalar code, in the caller's rounding mode.
template <typename T>
void Reciprocal(const void* in, void* out, size_t n) {
  const T* x = static_cast<const T*>(in);
  T* y = static_cast<T*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = T{1} / x[i];
}

// Correctly rounded, although it rounds twice: a double has more than twice the
// bits.
template <const Format& kFormat>
void Reciprocal16(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const uint16_t*>(in);
  auto* y = static_cast<uint16_t*>(out);
  for (size_t i = 0; i < n; ++i) {
    y[i] = static_cast<uint16_t>(Narrow(1.0 / Widen(x[i], kFormat), kFormat));
  }
}

TEST(ReciprocalValues, AllFloat16) {
  CheckValues(kReciprocal, AllValues(LW_FLOAT16), Reciprocal16<kHalf>,
              ExactOrNan);
}
TEST(ReciprocalValues, AllBfloat16) {
  CheckValues(kReciprocal, AllValues(LW_BFLOAT16), Reciprocal16<kBfloat>,
              ExactOrNan);
}
TEST(ReciprocalValues, ExhaustiveFloat32) {
  CheckAll32Bits(kReciprocal, LW_FLOAT32, Reciprocal<float>, ExactOrNan);
}
TEST(ReciprocalValues, Float64) {
  CheckValues(kReciprocal, Lattice(LW_FLOAT64), Reciprocal<double>, ExactOrNan);
  CheckValues(kReciprocal, RandomBits(LW_FLOAT64, 1 << 20), Reciprocal<double>,
              ExactOrNan);
}
TEST(ReciprocalValues, ExhaustiveFloat64Random) {
  OnEveryCore(640, [](const auto& next) {
    for (uint64_t block = 0; next(&block) && !testing::Test::HasFailure();) {
      CheckValues(kReciprocal, RandomBits(LW_FLOAT64, 1 << 16, 100 + block),
                  Reciprocal<double>, ExactOrNan);
    }
  });
}
TEST(ReciprocalValues, SameBitsOnEveryIsa) {
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(kReciprocal, AllValues(type));
  }
  for (const lw_type type : {LW_FLOAT32, LW_FLOAT64}) {
    CheckSameOnEveryIsa(kReciprocal, Lattice(type));
    CheckSameOnEveryIsa(kReciprocal, RandomBits(type, 1 << 16));
  }
}

// Measures the error against the exact quotient. For float32 in three octaves,
// of which the last two have subnormal results.
TEST(ReciprocalErrors, UpTo32Bits) {
  const auto exact = [](double x) { return 1 / x; };
  for (const lw_type type : k16BitTypes) {
    CheckCorrectlyRounded(kReciprocal, AllValues(type), exact);
  }
  for (const uint32_t first : {0x3F800000u, 0x7E800000u, 0x7F000000u}) {
    std::vector<uint32_t> octave;
    for (uint32_t i = 0; i < 1 << 23; i += 13) octave.push_back(first + i);
    CheckCorrectlyRounded(kReciprocal, {LW_FLOAT32, octave}, exact);
  }
}

// 1/x - y = (1 - xy) / x, where 1 - xy is one fused operation.
TEST(ReciprocalErrors, Float64) {
  const Array in = RandomBits(LW_FLOAT64, 1 << 20, 7);
  const double* x = in.as<double>();
  for (const Isa& isa : AllIsas()) {
    const Array out =
        Compute(KernelApi(isa.engine, kReciprocal, LW_FLOAT64), in);
    const double* y = out.as<double>();
    WorstError worst;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!std::isnormal(x[i]) || !std::isnormal(y[i])) continue;
      const double unit = std::ldexp(1.0, std::ilogb(y[i]) - 52);
      worst.Add({std::fabs(std::fma(-x[i], y[i], 1.0) / (x[i] * unit)), x[i]});
    }
    worst_errors.Note("Reciprocal", LW_FLOAT64, isa.name, worst);
    EXPECT_LE(worst.ulps, 0.5) << isa.name;
  }
}

class ReciprocalTest : public OnEveryIsa {
 protected:
  static Array Results(const Array& in) {
    return Compute(KernelApi(isa().engine, kReciprocal, in.type()), in);
  }
};
INSTANTIATE_TEST_SUITE_P(Isa, ReciprocalTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(ReciprocalTest, SpecialValues) {
  for (const lw_type type : kFloatTypes) {
    const auto check = [type](double x, double y) {
      constexpr size_t kLength = 67;
      const std::vector<double> in(kLength, x);
      const std::vector<double> out(kLength, y);
      EXPECT_EQ(FirstRejected(FromValues(type, out),
                              Results(FromValues(type, in)), ExactOrNan),
                kLength)
          << lw_type_name(type) << ' ' << x;
    };
    check(0.0, kInf);
    check(-0.0, -kInf);
    check(kInf, 0.0);
    check(-kInf, -0.0);
    check(1.0, 1.0);
    check(-4.0, -0.25);
    check(3.0, 1.0 / 3.0);
    check(49.0, 1.0 / 49.0);  // 49 times the rounded quotient is not 1
    check(std::numeric_limits<double>::quiet_NaN(),
          std::numeric_limits<double>::quiet_NaN());
  }
  // Subnormal arguments and results.
  EXPECT_TRUE(SameBits(
      Results({LW_FLOAT32, std::vector<uint32_t>{0x7F000000, 0x00400000, 1}}),
      {LW_FLOAT32, std::vector<uint32_t>{0x00400000, 0x7F000000, 0x7F800000}}));
  EXPECT_TRUE(
      SameBits(Results({LW_FLOAT16, std::vector<uint16_t>{0x7800, 0x0200, 1}}),
               {LW_FLOAT16, std::vector<uint16_t>{0x0200, 0x7800, 0x7C00}}));
  EXPECT_TRUE(
      SameBits(Results({LW_BFLOAT16, std::vector<uint16_t>{0x7F00, 0x0040, 1}}),
               {LW_BFLOAT16, std::vector<uint16_t>{0x0040, 0x7F00, 0x7F80}}));
}

TEST_P(ReciprocalTest, EveryLengthAndAlignment) {
  for (const lw_type type : kFloatTypes) {
    CheckEveryLengthAndAlignment(KernelApi(isa().engine, kReciprocal, type),
                                 RandomBits(type, 1000));
  }
}

TEST_P(ReciprocalTest, EveryLengthAndAlignmentStreamed) {
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  const EnginePtr engine =
      MakeTunedEngine(options, isa().name, EagerStreaming());
  for (const lw_type type : kFloatTypes) {
    CheckEveryLengthAndAlignment(TensorApi(engine.get(), kReciprocal, type),
                                 RandomBits(type, 1000));
  }
}

TEST_P(ReciprocalTest, OneValueOneResult) {
  for (const lw_type type : kFloatTypes) {
    CheckOneValueOneResult(
        KernelApi(isa().engine, kReciprocal, type),
        FromValues(type, {3.0, -49.0, 0.1, 60000.0, 1e-7, 0.0, kInf}));
  }
}

TEST_P(ReciprocalTest, Strided) {
  for (const lw_type type : kFloatTypes) {
    CheckStrides(isa().engine, kReciprocal, type);
  }
}

TEST_P(ReciprocalTest, VersionsAgree) {
  for (const lw_type type : kFloatTypes) {
    CheckVersionsAgree(isa().engine, "Reciprocal", type);
  }
}

// Powers of two whose reciprocals are normal numbers. Both a padding lane of
// zero and an approximate result would raise a flag.
TEST_P(ReciprocalTest, NothingRaised) {
  for (const lw_type type : kFloatTypes) {
    std::vector<double> powers;
    const int range = type == LW_FLOAT16 ? 14 : 126;
    for (int k = -range; k <= range; ++k) {
      powers.push_back(std::ldexp(k % 2 == 0 ? 1.0 : -1.0, k));
    }
    CheckNothingRaised(isa().engine, kReciprocal, FromValues(type, powers));
  }
}

// The quotient is rounded in the caller's mode and flushed on request, exactly
// like a scalar division in the same mode.
TEST_P(ReciprocalTest, FollowsTheFloatEnvironment) {
  LANEWISE_SKIP_IF_EXACT();
  const auto check = [](const Array& in, Oracle oracle) {
    InEveryFloatEnv([&] {
      Array expected(in.type(), in.size());
      oracle(in.data(), expected.data(), in.size());
      const Array actual = Results(in);
      const size_t i = FirstRejected(expected, actual, ExactOrNan);
      EXPECT_EQ(i, in.size())
          << BitsText(in.at(i % in.size()), in.element_size()) << " gives "
          << BitsText(actual.at(i % in.size()), in.element_size());
    });
  };
  check(FloatLattice(LW_FLOAT32), Reciprocal<float>);
  check(RandomBits(LW_FLOAT32, 1 << 18), Reciprocal<float>);
  check(FloatLattice(LW_FLOAT64), Reciprocal<double>);
  check(RandomBits(LW_FLOAT64, 1 << 16), Reciprocal<double>);
}

TEST_P(ReciprocalTest, DirectedRounding16) {
  CheckDirectedRounding16(isa().engine, kReciprocal, 1);
}

TEST(ReciprocalThreads, SameBitsOnAnyThreadCount) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    CheckThreads(kReciprocal, type);
  }
}

TEST(ReciprocalThreads, FloatEnvironmentOfTheCaller) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    CheckFloatEnvOnWorkers(kReciprocal, type);
  }
}

TEST(ReciprocalVersions, TypesAndAttributes) {
  CheckFloatVersions("Reciprocal");
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
