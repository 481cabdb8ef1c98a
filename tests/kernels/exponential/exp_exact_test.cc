// SPDX-License-Identifier: Apache-2.0
//
// Exp on exact engines: every result is the correctly rounded one. float32 is
// compared with 100 bits over all inputs. float64 is compared with MPFR over
// several strata and over the hardest arguments. Without MPFR (builds for
// another machine), 100 bits decide, and where these cannot, the library's own
// integers, which other builds hold against MPFR.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#if LANEWISE_HAVE_MPFR
#include <mpfr.h>
#endif

#include "kernels/exponential/exp_slow.h"
#include "tests/kernels/exponential/exp_hard_arguments.h"
#include "tests/kernels/exponential/exp_oracle.h"
#include "tests/support/bits.h"
#include "tests/support/check_errors.h"
#include "tests/support/check_lengths.h"
#include "tests/support/check_values.h"
#include "tests/support/double_double.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"

namespace lanewise::test {
namespace {

// ---- float32 ----------------------------------------------------------------

/// e^x rounded once to float. The middle of two floats is exact in double, and
/// no e^x but e^0 is such a middle.
float RoundToFloat(float x) {
  const double wide = double{x};
  if (std::isnan(x)) return x;
  if (wide > 89) return std::numeric_limits<float>::infinity();
  if (wide < -104) return 0;
  // The double is off by less than 2^-51 of itself.
  const double near = std::exp(wide);
  const auto low = static_cast<float>(near * (1 - 0x1p-50));
  const auto high = static_cast<float>(near * (1 + 0x1p-50));
  if (low == high) return low;
  const ScaledDoubleDouble e = PreciseExp(wide);
  const double middle =
      std::ldexp(double{low} / 2 + double{high} / 2, -e.exponent);
  return (e.fraction.hi - middle) + e.fraction.lo < 0 ? low : high;
}

void ExactFloats(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = RoundToFloat(x[i]);
}

TEST(ExpExact, ExhaustiveFloat32) {
  CheckAll32Bits(kExp, LW_FLOAT32, ExactFloats, ExactOrNan, AllExactIsas());
}

TEST(ExpExact, Float32Sample) {
  CheckValues(kExp, RandomBits(LW_FLOAT32, 1'000'000), ExactFloats, ExactOrNan,
              AllExactIsas());
  CheckValues(kExp, FloatLattice(LW_FLOAT32), ExactFloats, ExactOrNan,
              AllExactIsas());
}

// Some of these arguments take the slow way, here with nothing else beside them
// in a vector.
TEST(ExpExact, Float32SameArgumentInAllLanes) {
  const Array random = RandomBits(LW_FLOAT32, 60'000);
  constexpr size_t kTimes = 16;
  Array in(LW_FLOAT32, random.size() * kTimes);
  for (size_t i = 0; i < in.size(); ++i) {
    in.as<float>()[i] = random.as<float>()[i / kTimes];
  }
  CheckValues(kExp, in, ExactFloats, ExactOrNan, AllExactIsas());
}

TEST(ExpExact, All16Bits) {
  CheckValues(kExp, AllValues(LW_FLOAT16), Exp16<kHalf>, ExactOrNan,
              AllExactIsas());
  CheckValues(kExp, AllValues(LW_BFLOAT16), Exp16<kBfloat>, ExactOrNan,
              AllExactIsas());
}

// ---- float64 ----------------------------------------------------------------

bool SameDouble(double a, double b) {
  return BitsOf(a) == BitsOf(b) || (std::isnan(a) && std::isnan(b));
}

#if LANEWISE_HAVE_MPFR

/// e^x by MPFR, which rounds correctly. One for each thread.
class Mpfr {
 public:
  Mpfr() {
    mpfr_set_emin(-1073);
    mpfr_set_emax(1024);
    mpfr_init2(value_, 53);
  }
  ~Mpfr() {
    mpfr_clear(value_);
    mpfr_free_cache();  // of this thread; the leak checker would report them
  }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;

  double Exp(double x) {
    mpfr_set_d(value_, x, MPFR_RNDN);
    const int above = mpfr_exp(value_, value_, MPFR_RNDN);
    mpfr_subnormalize(value_, above, MPFR_RNDN);
    return mpfr_get_d(value_, MPFR_RNDN);
  }

 private:
  mpfr_t value_;
};

using Oracle64 = Mpfr;

#else

/// The same without MPFR.
class DoubleDoubleOracle {
 public:
  double Exp(double x) {
    if (std::isnan(x)) return x;
    if (x > 710) return std::numeric_limits<double>::infinity();
    if (x < -746) return 0;
    const ScaledDoubleDouble e = PreciseExp(x);
    const double near = std::ldexp(e.fraction.hi, e.exponent);
    const double inf = std::numeric_limits<double>::infinity();
    for (const double y :
         {near, std::nextafter(near, inf), std::nextafter(near, -inf)}) {
      if (UlpsFrom(e, y) < 0.5 - 0x1p-40) return y;
    }
    return exp_slow::Exp(x);
  }
};

using Oracle64 = DoubleDoubleOracle;

#endif  // LANEWISE_HAVE_MPFR

/// Compares the kernels, and the integer code that decides where vectors
/// cannot, with the oracle.
void CheckDoubles(uint64_t blocks) {
  constexpr size_t kSize = ExpFloat64Block::kSize;
  std::vector<Subject> subjects;
  for (const Isa& isa : AllExactIsas()) {
    subjects.push_back(KernelApi(isa.engine, kExp, LW_FLOAT64));
  }
  std::atomic<int> failures{0};
  OnEveryCore(blocks, [&](const auto& next) {
    Oracle64 oracle;
    ExpFloat64Block block(kToNearest);
    std::vector<double> x(kSize);
    std::vector<double> y(kSize);
    std::vector<double> expected(kSize);
    const auto check = [&](size_t i, double actual, const char* by) {
      if (SameDouble(actual, expected[i]) || ++failures > 10) return;
      ADD_FAILURE() << by << ": e^" << std::hexfloat << x[i] << " is "
                    << expected[i] << ", not " << actual;
    };
    for (uint64_t index = 0; next(&index) && failures == 0;) {
      const size_t n = block.Fill(index, x.data());
      for (size_t i = 0; i < n; ++i) expected[i] = oracle.Exp(x[i]);
      for (size_t k = 0; k < subjects.size(); ++k) {
        if (subjects[k].compute(x.data(), nullptr, y.data(), n) != LW_OK) {
          ++failures;
        }
        for (size_t i = 0; i < n; ++i) check(i, y[i], AllExactIsas()[k].name);
      }
      for (size_t i = 0; i < n; ++i) {
        if (std::fabs(x[i]) < 1000) check(i, exp_slow::Exp(x[i]), "integers");
      }
    }
  });
  EXPECT_EQ(failures, 0);
}

// LANEWISE_TEST_BLOCKS=25000 makes these 10^8 arguments, in a quarter of an
// hour.
TEST(ExpExact, Float64Strata) {
  const char* blocks = std::getenv("LANEWISE_TEST_BLOCKS");
  CheckDoubles(blocks != nullptr ? std::strtoull(blocks, nullptr, 10) : 250);
}

TEST(ExpExact, Float64HardArguments) {
  Oracle64 oracle;
  std::vector<double> hard(std::begin(kExpHardArguments),
                           std::end(kExpHardArguments));
  for (const ExpThresholds<double>& at : {kExpFloat64}) {
    hard.insert(hard.end(), {at.last_finite, at.first_infinite, at.first_zero,
                             at.last_nonzero});
  }
  // Around 2^-53 and -2^-54, from where on e^x rounds to 1.
  for (const double one : {0x1p-53, -0x1p-54, 0x1p-52, -0x1p-53, 0x1p-60}) {
    hard.insert(hard.end(), {std::nextafter(one, 1), one,  //
                             std::nextafter(one, -1)});
  }
  // A full vector of each, and one in a vector of ordinary numbers.
  constexpr size_t kLength = 70;
  for (const double x : hard) {
    const double expected = oracle.Exp(x);
    EXPECT_TRUE(SameDouble(exp_slow::Exp(x), expected)) << x;
    std::vector<double> in(kLength, x);
    in[1] = in[9] = 1.5;
    std::vector<double> out(kLength);
    for (const Isa& isa : AllExactIsas()) {
      const Subject subject = KernelApi(isa.engine, kExp, LW_FLOAT64);
      ASSERT_EQ(subject.compute(in.data(), nullptr, out.data(), kLength),
                LW_OK);
      for (size_t i = 0; i < kLength; ++i) {
        ASSERT_TRUE(SameDouble(out[i], in[i] == x ? expected : oracle.Exp(1.5)))
            << isa.name << ": e^" << std::hexfloat << x << " is " << expected
            << ", not " << out[i];
      }
    }
  }
}

// ---- Runs of any length -----------------------------------------------------

TEST(ExpExact, EveryLengthAndAlignment) {
  for (const Isa& isa : AllExactIsas()) {
    SCOPED_TRACE(isa.name);
    for (const lw_type type : {LW_FLOAT32, LW_FLOAT64}) {
      CheckEveryLengthAndAlignment(KernelApi(isa.engine, kExp, type),
                                   RandomBits(type, 3000));
    }
  }
}

}  // namespace
}  // namespace lanewise::test
