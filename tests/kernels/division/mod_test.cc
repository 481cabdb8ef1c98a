// SPDX-License-Identifier: Apache-2.0
//
// Mod: the suite for both values of fmod, all pairs of 16-bit operands,
// dividends near multiples of their divisors, ONNX's table of special values,
// and the zero divisors that are reported.

#include <cmath>
#include <limits>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

/// r + y, where the signs differ and r is below y, so that a second rounding to
/// any narrower type does no harm: an inexact sum is one of the two numbers
/// around the true sum whose last bit is set.
long double SumToOdd(long double r, long double y) {
  const long double sum = r + y;
  const long double part = sum - y;  // exact
  if (part == r || std::isinf(y)) return sum;
  int exponent;
  const long double integer = std::ldexp(
      std::frexp(sum, &exponent), std::numeric_limits<long double>::digits);
  if (std::fmod(integer, 2.0L) != 0) return sum;
  return std::nextafter(sum, r > part ? HUGE_VALL : -HUGE_VALL);
}

template <bool kFloors>
long double ExactMod(lw_type /*type*/, const long double* in) {
  const long double x = in[0], y = in[1], rest = std::fmod(x, y);
  if (!kFloors || std::isnan(rest)) return rest;
  if (rest == 0) return std::copysign(0.0L, y);
  return std::signbit(x) == std::signbit(y) ? rest : SumToOdd(rest, y);
}

template <bool kFloors>
void IntegerMod(lw_type type, const void* const* in, void* out) {
  const int64_t a = ReadInteger(type, in[0]);
  const int64_t b = ReadInteger(type, in[1]);
  int64_t rest = 0;
  if (b == 0) {
    rest = 0;
  } else if (!IsSignedInteger(type)) {
    rest = static_cast<int64_t>(static_cast<uint64_t>(a) %
                                static_cast<uint64_t>(b));
  } else if (b != -1) {
    rest = a % b;
    if (kFloors && rest != 0 && (rest < 0) != (b < 0)) rest += b;
  }
  WriteInteger(type, rest, out);
}

const std::vector<AttributeSpec> kFmod = {{"fmod", LW_ATTRIBUTE_INT}};

}  // namespace

extern const OperatorSpec kSpec_mod = {
    .name = "Mod",
    .versions = {{10, kI8 + kF3, InputsAB(), kFmod},
                 {13, kN12, InputsAB(), kFmod},
                 {28, kN12, InputsAB(), kFmod}},
    .output = {"C"},
    .exact = ExactMod<true>,
    .bits = IntegerMod<true>,
    .typical = {Range::kExponents, -5, 5},
    .wide = AnyExponent,
    .divides = true,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <random>

#include "tests/support/all_pairs16.h"
#include "tests/support/element_bits.h"
#include "tests/support/operator_suite.h"
#include "tests/support/subject.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_mod);

constexpr OpId kMod = {"Mod", 28, 2};
constexpr int64_t kYes = 1;

OperatorSpec Truncating() {
  OperatorSpec spec = kSpec_mod;
  spec.exact = ExactMod<false>;
  spec.bits = IntegerMod<false>;
  spec.attributes = {IntAttribute("fmod", &kYes)};
  return spec;
}

TEST_P(OperatorSuite, Fmod) {
  const OperatorSpec spec = Truncating();
  CheckSuiteValues(spec, isa());
  CheckSuitePatterns(spec, isa());
  CheckSuiteTensors(spec, isa());
  CheckSuiteVersions(spec, isa());
  CheckSuiteFloatEnv(spec, isa());
}

// ---- All pairs ----

template <bool kFloors>
double ModOfDoubles(double x, double y) {
  const double rest = std::fmod(x, y);
  if (!kFloors || std::isnan(rest)) return rest;
  if (rest == 0) return std::copysign(0.0, y);
  return std::signbit(x) == std::signbit(y) ? rest : rest + y;
}
// The oracle takes minutes for all pairs of floats. Otherwise, every 61st first
// input is tried: all exponents.
template <int kExponentBits, int kMantissaBits>
void CheckAllPairs(lw_type type, uint16_t infinity) {
  const auto check = [&](auto fn, const std::vector<lw_attribute>& attributes) {
    CheckAllPairs16<uint16_t>(
        kMod, type, infinity,
        ByDouble<kExponentBits, kMantissaBits, decltype(fn)>{fn}, LW_SAME,
        attributes, AllIsasWanted() ? 1 : 61);
  };
  check([](double x, double y) { return ModOfDoubles<true>(x, y); }, {});
  check([](double x, double y) { return ModOfDoubles<false>(x, y); },
        {IntAttribute("fmod", &kYes)});
}
TEST(ModPairs, ExhaustiveFloat16) { CheckAllPairs<5, 10>(LW_FLOAT16, 0x7C00); }
TEST(ModPairs, ExhaustiveBfloat16) { CheckAllPairs<8, 7>(LW_BFLOAT16, 0x7F80); }
template <typename T>
void CheckAllIntegers(lw_type type) {
  const auto oracle = [](uint16_t a, uint16_t b) -> uint16_t {
    const int x = static_cast<T>(a), y = static_cast<T>(b);
    if (y == 0) return 0;
    const int rest = x % y;
    return static_cast<uint16_t>(rest != 0 && (rest < 0) != (y < 0) ? rest + y
                                                                    : rest);
  };
  CheckAllPairs16<uint16_t>(kMod, type, 0x7FFF, oracle, LW_SAME);
}
TEST(ModPairs, ExhaustiveInt16) { CheckAllIntegers<int16_t>(LW_INT16); }
TEST(ModPairs, ExhaustiveUint16) { CheckAllIntegers<uint16_t>(LW_UINT16); }

// ---- Floats ----

void CheckKernel(const OperatorSpec& spec, const Isa& isa, lw_type type,
                 const Arrays& in) {
  const size_t n = in[0].size();
  const Subject mod =
      KernelApi(isa.engine, kMod, type, LW_SAME, spec.attributes);
  const Array expected = ExpectedOf(spec, type, in, n);
  Array actual(type, n);
  ASSERT_EQ(mod.compute(in[0].data(), in[1].data(), actual.data(), n), LW_OK);
  const size_t i = FirstOther(spec, actual, expected);
  ASSERT_EQ(i, n) << Complaint(spec, in, i, actual, expected);
}

/// Dividends on both sides of multiples of their divisors, with quotients of
/// at most `bits` bits: most vectors need no long division.
template <typename T>
Arrays NearMultiples(lw_type type, int bits, size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  Arrays in = {Array(type, n), Array(type, n)};
  constexpr int kLeast = std::numeric_limits<T>::min_exponent;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t spread = static_cast<uint64_t>(-2 * kLeast - bits - 4);
    const int exponent = kLeast + static_cast<int>(random() % spread);
    const T sign = random() % 2 == 0 ? T{1} : T{-1};
    // Few or many significant bits.
    const uint64_t integer = random() >> random() % 64;
    const T y = sign * std::ldexp(static_cast<T>(integer), exponent - 64);
    const auto count = static_cast<T>(
        random() >> (64 - bits + static_cast<int>(random() % uint64_t(bits))));
    T x = count * y * (random() % 2 == 0 ? T{1} : T{-1});
    const uint64_t side = random() % 3;
    if (side != 0) x = std::nextafter(x, side == 1 ? T{0} : 2 * x);
    in[0].as<T>()[i] = x;
    in[1].as<T>()[i] = y;
  }
  return in;
}

class ModFloats : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, ModFloats, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(ModFloats, NearMultiples) {
  constexpr size_t kCount = 200'000;
  for (const OperatorSpec& spec : {kSpec_mod, Truncating()}) {
    // The quotients of the last ones have more bits than the significand.
    for (const int bits : {3, 20, 25}) {
      CheckKernel(spec, isa(), LW_FLOAT32,
                  NearMultiples<float>(LW_FLOAT32, bits, kCount, 1));
    }
    for (const int bits : {3, 20, 54}) {
      CheckKernel(spec, isa(), LW_FLOAT64,
                  NearMultiples<double>(LW_FLOAT64, bits, kCount, 2));
    }
  }
}

TEST_P(ModFloats, AnyBits) {
  constexpr size_t kCount = 200'000;
  for (const OperatorSpec& spec : {kSpec_mod, Truncating()}) {
    for (const lw_type type : {LW_FLOAT32, LW_FLOAT64}) {
      CheckKernel(spec, isa(), type,
                  {RandomBits(type, kCount, 5), RandomBits(type, kCount, 6)});
    }
  }
}

struct SpecialCase {
  float x, y, floored, truncated;
};
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr SpecialCase kSpecial[] = {{0, 3, 0, 0},
                                    {-0.0f, 3, 0, -0.0f},
                                    {0, -3, -0.0f, 0},
                                    {-0.0f, -3, -0.0f, -0.0f},
                                    {-0.0f, kInf, 0, -0.0f},
                                    {0, -kInf, -0.0f, 0},
                                    {kInf, 3, kNan, kNan},
                                    {-kInf, kInf, kNan, kNan},
                                    {3, 0, kNan, kNan},
                                    {3, -0.0f, kNan, kNan},
                                    {0, 0, kNan, kNan},
                                    {3, kInf, 3, 3},
                                    {-3, kInf, kInf, -3},
                                    {3, -kInf, -kInf, 3},
                                    {-3, -kInf, -3, -3},
                                    {kNan, 3, kNan, kNan},
                                    {3, kNan, kNan, kNan},
                                    {kInf, kNan, kNan, kNan},
                                    {5, 3, 2, 2},
                                    {-5, 3, 1, -2},
                                    {5, -3, -1, 2},
                                    {-5, -3, -2, -2},
                                    {6, -3, -0.0f, 0},
                                    {-6, 3, 0, -0.0f},
                                    {-1e-30f, 3, 3, -1e-30f},
                                    {3e38f, 1e-45f, 0, 0},
                                    {1e-45f, 3e38f, 1e-45f, 1e-45f}};

TEST_P(ModFloats, SpecialValues) {
  for (const SpecialCase& it : kSpecial) {
    for (const bool floors : {true, false}) {
      std::vector<lw_attribute> attributes;
      if (!floors) attributes.push_back(IntAttribute("fmod", &kYes));
      const float wanted = floors ? it.floored : it.truncated;
      float y = 0;
      ASSERT_EQ(KernelApi(isa().engine, kMod, LW_FLOAT32, LW_SAME, attributes)
                    .compute(&it.x, &it.y, &y, 1),
                LW_OK);
      EXPECT_TRUE(std::isnan(wanted) ? std::isnan(y)
                                     : BitsOf(y) == BitsOf(wanted))
          << it.x << " mod " << it.y << " gives " << y << ", not " << wanted;
    }
  }
}

// Which NaN comes does not depend on the lanes beside: beside a long quotient,
// other code computes a vector.
template <typename T>
void CheckNan(const Isa& isa, lw_type type, T long_quotient, T first,
              T second) {
  const T pairs[][3] = {{first, second, first},
                        {first, 3, first},
                        {-3, second, second},
                        {-first, second, -first}};
  for (const bool floors : {true, false}) {
    std::vector<lw_attribute> attributes;
    if (!floors) attributes.push_back(IntAttribute("fmod", &kYes));
    const Subject mod = KernelApi(isa.engine, kMod, type, LW_SAME, attributes);
    for (const auto& [x, y, wanted] : pairs) {
      for (const T beside : {T{7}, long_quotient}) {
        std::vector<T> a(67, beside), b(67, 3), out(67);
        for (size_t i = 0; i < a.size(); i += 2) a[i] = x, b[i] = y;
        ASSERT_EQ(mod.compute(a.data(), b.data(), out.data(), 67), LW_OK);
        for (size_t i = 0; i < a.size(); i += 2) {
          ASSERT_EQ(BitsOf(out[i]), BitsOf(wanted)) << i << ' ' << floors;
        }
      }
    }
  }
}
TEST_P(ModFloats, TheFirstNanComes) {
  CheckNan(isa(), LW_FLOAT32, 1e30f, FloatOf(0x7FC00001), FloatOf(0xFFC00002));
  CheckNan(isa(), LW_FLOAT64, 1e300, DoubleOf(0x7FF8000000000001),
           DoubleOf(0xFFF8000000000002));
}

// ---- Zero divisors ----

TEST_P(OperatorSuite, ZeroDivisorsAreReported) {
  const OpPtr op = MakeOp(isa().engine, kMod);
  for (const int32_t code : kI8) {
    const auto type = static_cast<lw_type>(code);
    for (const int64_t n : {1, 5, 40, 1000}) {
      const Array a = RandomBits(type, static_cast<size_t>(n), 3);
      Array out(type, a.size());
      for (const int64_t b_count : {n, int64_t{1}}) {
        Array b(type, static_cast<size_t>(b_count));
        for (size_t i = 0; i < b.size(); ++i) WriteInteger(type, 7, b.at(i));
        const size_t at = b.size() - 1 - b.size() / 3;
        WriteInteger(type, 0, b.at(at));
        const lw_tensor in[] = {
            {const_cast<uint8_t*>(a.data()), type, 1, &n, nullptr, a.bytes()},
            {b.data(), type, 1, &b_count, nullptr, b.bytes()}};
        const lw_tensor to = {out.data(), type, 1, &n, nullptr, out.bytes()};
        ASSERT_EQ(lw_op_run(op.get(), in, 2, &to, 1), LW_DIVIDE_BY_ZERO);
        const lw_zero_divisors zeros = lw_last_zero_divisors();
        EXPECT_EQ(zeros.first, b_count == 1 ? 0 : at);
        EXPECT_EQ(zeros.count, b_count == 1 ? static_cast<uint64_t>(n) : 1);
        const Array expected = ExpectedOf(kSpec_mod, type, {a, b}, a.size());
        EXPECT_EQ(out, expected);
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
