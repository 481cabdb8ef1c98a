// SPDX-License-Identifier: Apache-2.0
//
// Exp: values, runs of any length and layout, threads, versions, environment.
// exp_exhaustive_test.cc measures errors in ULP.

#include <cmath>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_exp = {
    .name = "Exp",
    .versions = {{1, kF3, {{"input"}}, {ConsumedInputsSpec()}},
                 {6, kF3, {{"input"}}},
                 {13, kF4, {{"input"}}}},
    .output = {"output"},
    .exact = [](lw_type, const long double* in) { return std::exp(in[0]); },
    .allowed_ulp = 1,
    .wide = [](lw_type type) -> Range {
      if (type == LW_FLOAT16) return {Range::kUniform, -17, 11};
      if (type == LW_FLOAT64) return {Range::kUniform, -745, 709};
      return {Range::kUniform, -92, 88};
    },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/kernels/exponential/exp_oracle.h"
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

namespace lanewise::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ExpValues, AllFloat16) {
  CheckValues(kExp, AllValues(LW_FLOAT16), Exp16<kHalf>, ExactOrNan);
}
TEST(ExpValues, AllBfloat16) {
  CheckValues(kExp, AllValues(LW_BFLOAT16), Exp16<kBfloat>, ExactOrNan);
}
TEST(ExpValues, SameBitsOnEveryIsa) {
  for (const lw_type type : k16BitTypes) {
    CheckSameOnEveryIsa(kExp, AllValues(type));
  }
}
TEST(ExpErrors, All16Bits) {
  for (const lw_type type : k16BitTypes) {
    CheckCorrectlyRounded(kExp, AllValues(type), RoundedExp);
  }
}

class ExpTest : public OnEveryIsa {
 protected:
  /// Results of the kernel API. `in` must be long enough for whole vectors.
  static Array Results(lw_type type, const Array& in) {
    return Compute(KernelApi(isa().engine, kExp, type), in);
  }
  /// One result, from the end of a run that has a tail.
  static Array Result(lw_type type, double x) {
    constexpr size_t kLength = 67;
    const Array out =
        Results(type, FromValues(type, std::vector<double>(kLength, x)));
    Array last(type, 1);
    std::memcpy(last.data(), out.at(kLength - 1), last.bytes());
    return last;
  }
  static double AsDouble(const Array& one) {
    return one.type() == LW_FLOAT64 ? *one.as<double>() : ValueAt(one, 0);
  }
};
INSTANTIATE_TEST_SUITE_P(Isa, ExpTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

// These results are closer to a tie than the last place of a float. The first
// two are wrong if e^x is correctly rounded to float32 and then to float16.
TEST_P(ExpTest, HardFloat16) {
  const auto check = [](double x, uint16_t expected) {
    EXPECT_EQ(*Result(LW_FLOAT16, x).as<uint16_t>(), expected) << x;
  };
  check(0.007297515869140625, 0x3C07);  // 1031.499989 units
  check(0.0226898193359375, 0x3C17);    // 1047.499972
  check(-0.0416259765625, 0x3BAC);      // 1964.499942
  check(-0.000244140625, 0x3C00);       // 2047.500061
}

TEST_P(ExpTest, Thresholds) {
  const auto check = [](lw_type type, auto at) {
    SCOPED_TRACE(lw_type_name(type));
    EXPECT_TRUE(std::isfinite(AsDouble(Result(type, double{at.last_finite}))));
    EXPECT_EQ(AsDouble(Result(type, double{at.first_infinite})), kInf);
    EXPECT_GT(AsDouble(Result(type, double{at.last_nonzero})), 0.0);
    EXPECT_TRUE(
        SameBits(Result(type, double{at.first_zero}), FromValues(type, {0.0})));
  };
  check(LW_FLOAT16, kExpFloat16);
  check(LW_BFLOAT16, kExpBfloat16);
  check(LW_FLOAT32, kExpFloat32);
  check(LW_FLOAT64, kExpFloat64);
  // The two arguments of each threshold are adjacent.
  EXPECT_EQ(std::nextafter(kExpFloat32.last_finite, 100.0f),
            kExpFloat32.first_infinite);
  EXPECT_EQ(std::nextafter(kExpFloat32.last_nonzero, -200.0f),
            kExpFloat32.first_zero);
  EXPECT_EQ(std::nextafter(kExpFloat64.last_finite, 1000.0),
            kExpFloat64.first_infinite);
  EXPECT_EQ(std::nextafter(kExpFloat64.last_nonzero, -1000.0),
            kExpFloat64.first_zero);
}

TEST_P(ExpTest, SpecialValues) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    const auto check = [type](double x, double expected) {
      EXPECT_TRUE(SameBits(Result(type, x), FromValues(type, {expected}))) << x;
    };
    check(kInf, kInf);
    check(-kInf, 0.0);
    check(0.0, 1.0);
    check(-0.0, 1.0);
    check(1000.0, kInf);
    check(-1000.0, 0.0);
    check(1e30, kInf);
    check(-1e30, 0.0);
    EXPECT_TRUE(std::isnan(AsDouble(Result(type, kNaN))));
    EXPECT_TRUE(std::isnan(AsDouble(Result(type, -kNaN))));
  }
}

// In every rounding mode, because exact results need no rounding.
TEST_P(ExpTest, SpecialValuesUnderDirectedRounding) {
  for (const lw_type type : kFloatTypes) {
    const Array in =
        FromValues(type, std::vector<double>{kInf, -kInf, 0.0, -0.0});
    const Array expected =
        FromValues(type, std::vector<double>{kInf, 0.0, 1.0, 1.0});
    for (const RoundingMode& rounding : kDirected) {
      const FloatEnvScope scope;
      std::fesetround(rounding.mode);
      EXPECT_TRUE(SameBits(Results(type, in), expected))
          << "rounding " << rounding.name;
    }
  }
}

TEST_P(ExpTest, SubnormalResultsAreKept) {
  EXPECT_EQ(AsDouble(Result(LW_FLOAT32, -103.0)), 0x1p-149);
  EXPECT_EQ(AsDouble(Result(LW_FLOAT64, -745.0)), 0x1p-1074);
  EXPECT_EQ(AsDouble(Result(LW_FLOAT16, -17.0)), 0x1p-24);
  EXPECT_EQ(AsDouble(Result(LW_BFLOAT16, -92.0)), 0x1p-133);
}

// Vectors of ordinary results may take another path than those with special
// ones, and long runs treat subnormal arguments differently. The expected
// results come from such a long run.
TEST_P(ExpTest, EveryLengthAndAlignment) {
  for (const lw_type type : kFloatTypes) {
    CheckEveryLengthAndAlignment(KernelApi(isa().engine, kExp, type),
                                 RandomBits(type, 3000));
  }
}

// Near (k + 1/2) ln 2 the reduction may choose either of two powers of 2. Both
// paths must choose the same one.
TEST_P(ExpTest, TiesOfTheReductionAmongSpecials) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    const bool f64 = type == LW_FLOAT64;
    const double ulp = f64 ? 0x1p-52 : type == LW_FLOAT32 ? 0x1p-23 : 0;
    std::vector<double> plain;
    std::vector<double> mixed;
    for (int k = f64 ? -1000 : -100; k <= (f64 ? 1000 : 100); ++k) {
      for (int i = -4; i <= 4; ++i) {
        plain.push_back((k + 0.5) * 0.6931471805599453 * (1 + i * ulp / 2));
        mixed.push_back(plain.back());
        mixed.push_back(i % 2 == 0 ? kNaN : -kInf);
      }
    }
    const Array one = Results(type, FromValues(type, plain));
    const Array other = Results(type, FromValues(type, mixed));
    for (size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(std::memcmp(one.at(i), other.at(2 * i), one.element_size()), 0)
          << plain[i];
    }
  }
}

TEST_P(ExpTest, OneSpecialAmongOrdinary) {
  constexpr size_t kLength = 300;
  std::vector<double> values(kLength);
  for (size_t i = 0; i < kLength; ++i) values[i] = 0.01 * double(i) - 1;
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    const Array in = FromValues(type, values);
    const Array out = Results(type, in);
    const bool f64 = type == LW_FLOAT64;
    for (const double x : {kInf, -kInf, kNaN, f64 ? -740.0 : -95.0,
                           f64 ? 709.5 : 88.5, f64 ? 0x1p-1060 : 0x1p-130}) {
      const Array special = FromValues(type, {x});
      const Array expected = Result(type, x);
      for (size_t at = 0; at < kLength; ++at) {
        Array one = in;
        Array expected_out = out;
        std::memcpy(one.at(at), special.data(), special.bytes());
        std::memcpy(expected_out.at(at), expected.data(), expected.bytes());
        ASSERT_TRUE(SameBits(Results(type, one), expected_out))
            << x << " at " << at;
      }
    }
  }
}

// Vectors of specials, three at a time, whatever the length of vectors.
void CheckTriples(const Subject& subject, lw_type type) {
  constexpr size_t kMostLanes = 64;
  const size_t size = ElementSize(type);
  const auto bits_of = [&](double x) {
    return ReadBits(FromValues(type, {x}).data(), size);
  };
  const Array kinds = FromPatterns(
      type, {bits_of(kInf) + 1, bits_of(-kInf) + 1,  // signaling NaNs
             bits_of(kNaN), bits_of(1.0), bits_of(-3e4), bits_of(3e4),
             bits_of(-3e9), bits_of(3e9), bits_of(-1e30), bits_of(1e30)});
  const auto results = [&](const std::vector<size_t>& chosen, size_t lanes) {
    Array in(type, 3 * kMostLanes);
    for (size_t i = 0; i < in.size(); ++i) {
      const size_t kind = chosen[i / lanes % chosen.size()];
      std::memcpy(in.at(i), kinds.at(kind), size);
    }
    return Compute(subject, in);
  };
  std::vector<Array> alone;
  for (size_t k = 0; k < kinds.size(); ++k) alone.push_back(results({k}, 1));
  for (size_t k = 0; k < 1000; ++k) {
    const std::vector<size_t> chosen = {k % 10, k / 10 % 10, k / 100};
    for (size_t lanes = 1; lanes <= kMostLanes; lanes *= 2) {
      const Array out = results(chosen, lanes);
      for (size_t i = 0; i < out.size(); ++i) {
        const Array& expected = alone[chosen[i / lanes % 3]];
        ASSERT_EQ(std::memcmp(out.at(i), expected.at(i), size), 0)
            << "kinds " << k << ", vectors of " << lanes;
      }
    }
  }
}

// Several vectors are looked at together. A NaN in one of them must not hide a
// large number in the next.
TEST_P(ExpTest, NoVectorHidesAnother) {
  lw_engine_options options = Options();
  options.accuracy = LW_ACCURACY_EXACT;
  const EnginePtr exact = MakeTunedEngine(options, isa().name, "");
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    CheckTriples(KernelApi(isa().engine, kExp, type), type);
    CheckTriples(KernelApi(exact.get(), kExp, type), type);
  }
}

TEST_P(ExpTest, EveryLengthAndAlignmentStreamed) {
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  const EnginePtr engine =
      MakeTunedEngine(options, isa().name, EagerStreaming());
  for (const lw_type type : kFloatTypes) {
    CheckEveryLengthAndAlignment(TensorApi(engine.get(), kExp, type),
                                 RandomBits(type, 1000));
  }
}

TEST_P(ExpTest, OneValueOneResult) {
  for (const lw_type type : kFloatTypes) {
    CheckOneValueOneResult(
        KernelApi(isa().engine, kExp, type),
        FromValues(type, {0.007297515869140625, -0.0416259765625, 1.0, -10.0,
                          11.0859375, -17.328125, -88.7, kInf, kNaN}));
  }
}

TEST_P(ExpTest, Strided) {
  for (const lw_type type : kFloatTypes) {
    CheckStrides(isa().engine, kExp, type);
  }
}

TEST_P(ExpTest, VersionsAgree) {
  for (const lw_type type : kFloatTypes) {
    CheckVersionsAgree(isa().engine, "Exp", type);
  }
}

TEST_P(ExpTest, NothingRaised) {
  for (const lw_type type : kFloatTypes) {
    CheckNothingRaised(isa().engine, kExp, FromValues(type, {0.0, -0.0}));
  }
}

TEST_P(ExpTest, DirectedRounding16) {
  CheckDirectedRounding16(isa().engine, kExp, 1);
}

// The caller asks for flushing, so the results of this call are flushed.
TEST_P(ExpTest, SubnormalsFlushedOnRequest) {
  LANEWISE_SKIP_IF_EXACT();
  const Array f32 = FromValues(LW_FLOAT32, {-95.0, 1.0, 0x1p-140});
  const Array f64 = FromValues(LW_FLOAT64, {-740.0, 1.0, 0x1p-1060});
  const Array e32 = Results(LW_FLOAT32, f32);
  const Array e64 = Results(LW_FLOAT64, f64);
  EXPECT_GT(e32.as<float>()[0], 0.0f);
  EXPECT_GT(e64.as<double>()[0], 0.0);
  const FloatEnvScope scope;
  FlushSubnormals();
  const Array y32 = Results(LW_FLOAT32, f32);
  const Array y64 = Results(LW_FLOAT64, f64);
#if defined(__x86_64__) || defined(__aarch64__)
  EXPECT_EQ(BitsOf(y32.as<float>()[0]), 0u);
  EXPECT_EQ(BitsOf(y64.as<double>()[0]), 0u);
#endif
  for (const size_t i : {1, 2}) {
    EXPECT_EQ(y32.as<float>()[i], e32.as<float>()[i]);
    EXPECT_EQ(y64.as<double>()[i], e64.as<double>()[i]);
  }
}

TEST(ExpThreads, SameBitsOnAnyThreadCount) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    CheckThreads(kExp, type);
  }
}

TEST(ExpThreads, FloatEnvironmentOfTheCaller) {
  for (const lw_type type : kFloatTypes) {
    SCOPED_TRACE(lw_type_name(type));
    CheckFloatEnvOnWorkers(kExp, type);
  }
}

TEST(ExpVersions, TypesAndAttributes) { CheckFloatVersions("Exp"); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
