// SPDX-License-Identifier: Apache-2.0
//
// Pow: the suite for inputs of one type, all pairs of types, all pairs of
// special values, all pairs of 16-bit operands, the errors in ULP, and the
// zeros that are reported.

#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

using Wide = __int128;

Wide ReadWide(lw_type type, const void* element) {
  const int64_t number = ReadInteger(type, element);
  return IsSignedInteger(type) ? Wide{number}
                               : Wide{static_cast<uint64_t>(number)};
}

bool DividesByZero(const int32_t* types, const void* const* in) {
  const auto x = static_cast<lw_type>(types[0]);
  const auto y = static_cast<lw_type>(types[1]);
  return kI8.count(x) != 0 && kI8.count(y) != 0 && ReadInteger(x, in[0]) == 0 &&
         ReadWide(y, in[1]) < 0;
}

int64_t PowOfIntegers(int64_t x, Wide y) {
  const bool odd = (y & 1) != 0;
  if (y < 0) return x == 1 || (x == -1 && !odd) ? 1 : x == -1 ? -1 : 0;
  uint64_t power = 1;
  auto factor = static_cast<uint64_t>(x);
  for (; y != 0; y >>= 1, factor *= factor) {
    if ((y & 1) != 0) power *= factor;
  }
  return static_cast<int64_t>(power);
}

// In float64, truncated and saturated.
int64_t Truncated(lw_type type, double power) {
  const double end = type == LW_INT32 ? 0x1p31 : 0x1p63;
  if (std::isnan(power)) return 0;
  const int64_t most = type == LW_INT32 ? std::numeric_limits<int32_t>::max()
                                        : std::numeric_limits<int64_t>::max();
  if (power >= end) return most;
  if (power < -end) return -most - 1;
  return static_cast<int64_t>(power);
}

void PowToInteger(const int32_t* types, const void* const* in, void* out) {
  const auto x_type = static_cast<lw_type>(types[0]);
  const auto y_type = static_cast<lw_type>(types[1]);
  const int64_t x = ReadInteger(x_type, in[0]);
  if (kI8.count(y_type) != 0) {
    return WriteInteger(x_type, PowOfIntegers(x, ReadWide(y_type, in[1])), out);
  }
  const long double power =
      std::pow(static_cast<long double>(static_cast<double>(x)),
               ReadFloat(y_type, in[1]));
  WriteInteger(x_type, Truncated(x_type, static_cast<double>(power)), out);
}

constexpr Types kX12 = kF3 + Types{LW_INT32, LW_INT64};
constexpr Types kX13 = kX12 + Types{LW_BFLOAT16};

std::vector<OperandSpec> InputsOf(const Types& types) {
  return {{"X"}, {"Y", "T1", types}};
}

}  // namespace

extern const OperatorSpec kSpec_pow = {
    .name = "Pow",
    .versions = {{1, kF3, {{"X"}, {"Y"}}, LegacyAttributes(false)},
                 {7, kF3, {{"X"}, {"Y"}}},
                 {12, kX12, InputsOf(kF3 + kI8)},
                 {13, kX13, InputsOf(kF3 + kI8)},
                 {15, kX13, InputsOf(kN12)}},
    .output = {"Z"},
    .exact = [](lw_type,
                const long double* in) { return std::pow(in[0], in[1]); },
    .allowed_ulp = 1,
    .to_nearest = true,
    .typical = {Range::kUniform, 0.1, 10},
    .wide = AnyExponent,
    .divides = true,  // 0 to a negative power is reported
    .divides_by_zero = DividesByZero,
    .of_types = PowToInteger,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/support/all_pairs16.h"
#include "tests/support/check_ulps.h"
#include "tests/support/operator_suite.h"
#include "tests/support/suite_calls.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_pow, kMayTrap);

constexpr OpId kPow = {"Pow", 15, 2};
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// ---- Special values

/// All pairs of them.
const std::vector<double> kSpecial = {
    0,     -0.0, 1,     -1,       2,         -2,        3,
    -3,    0.5,  -0.5,  1.5,      -1.5,      0.25,      7,
    -8,    100,  -101,  0x1.02p0, -0x1.02p0, 0x1p-24,   kInf,
    -kInf, kNaN, -kNaN, 65504,    -65504,    0x1.fep-1, -0x1.fep-1};

void CheckSpecialValues(const OperatorSpec& spec, const lw_engine* engine) {
  const size_t count = kSpecial.size();
  std::vector<double> x, y;
  for (size_t i = 0; i < count * count; ++i) {
    x.push_back(kSpecial[i / count]);
    y.push_back(kSpecial[i % count]);
  }
  for (const lw_type type : kFloatTypes) {
    const Arrays in = {FromValues(type, x), FromValues(type, y)};
    const Array actual = Compute(KernelApi(engine, kPow, type), in[0], in[1]);
    const Array expected = ExpectedOf(spec, type, in, x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_TRUE(IsAnswer(spec, type, expected.at(i), actual.at(i)))
          << lw_type_name(type) << ' '
          << Complaint(spec, in, i, actual, expected);
    }
  }
}
TEST_P(OperatorSuite, SpecialValues) {
  CheckSpecialValues(kSpec_pow, isa().engine);
}

/// By hand: C's standard, annex F.
TEST_P(OperatorSuite, ByHand) {
  const struct {
    double x, y, z;
  } cases[] = {{kNaN, 0, 1},       {1, kNaN, 1},       {-1, kInf, 1},
               {-1, -kInf, 1},     {-2, 0.5, kNaN},    {-0.0, -3, -kInf},
               {-0.0, 3, -0.0},    {-0.0, 0.5, 0},     {-0.0, -2, kInf},
               {-kInf, 3, -kInf},  {-kInf, 0.5, kInf}, {-kInf, -3, -0.0},
               {0.5, -kInf, kInf}, {2, -kInf, 0},      {-2, 3, -8},
               {4, 0.5, 2},        {9, -0.5, 1 / 3.0}};
  for (const lw_type type : kFloatTypes) {
    for (const auto& it : cases) {
      const Array z =
          Compute(KernelApi(isa().engine, kPow, type), FromValues(type, {it.x}),
                  FromValues(type, {it.y}));
      const Array wanted = FromValues(type, {it.z});
      EXPECT_TRUE(ExactOrNan(ReadBits(wanted.at(0), wanted.element_size()),
                             ReadBits(z.at(0), z.element_size()), type))
          << lw_type_name(type) << ' ' << it.x << " to the power of " << it.y;
    }
  }
}

// ---- All pairs of 16 bits

// The oracle takes minutes for all pairs. Otherwise, every 61st first input is
// tried: all exponents.
template <int kExponentBits, int kMantissaBits>
void CheckAllPairs(lw_type type, uint16_t infinity) {
  // The C library may give NaN for signalling NaNs here.
  const auto fn = [](double x, double y) {
    return x == 1 || y == 0 ? 1 : std::pow(x, y);
  };
  CheckAllPairs16<uint16_t>(
      kPow, type, infinity,
      ByDouble<kExponentBits, kMantissaBits, decltype(fn)>{fn}, LW_SAME, {},
      AllIsasWanted() ? 1 : 61);
}
TEST(PowPairs, ExhaustiveFloat16) { CheckAllPairs<5, 10>(LW_FLOAT16, 0x7C00); }
TEST(PowPairs, ExhaustiveBfloat16) { CheckAllPairs<8, 7>(LW_BFLOAT16, 0x7F80); }

// ---- Errors

/// Bases of all sizes, or close to 1, and exponents whose powers are numbers,
/// or close to the ends of the range; or any bits.
template <typename T>
std::pair<T, T> AnyPair(std::mt19937_64& random) {
  constexpr int kExponents = std::numeric_limits<T>::max_exponent;
  constexpr int kDigits = std::numeric_limits<T>::digits;
  const uint64_t kind = random() % 8;
  if (kind == 0) {
    return {static_cast<T>(DoubleOf(random())),
            static_cast<T>(DoubleOf(random()))};
  }
  double x = std::fabs(AnyMagnitude(-kExponents - kDigits, kExponents, random));
  if (kind <= 2) x = 1 + AnyMagnitude(-kDigits, -3, random);
  if (kind == 3) x = static_cast<double>(1 + random() % 1000);
  const T base = static_cast<T>(x);
  const double most =
      kExponents / std::fabs(std::log2(static_cast<double>(base)));
  double y = Uniform(-1.1, 1.1, random) * most;
  if (kind == 4) y = std::copysign(most, y) + Uniform(-0.1, 0.1, random) * most;
  if (kind == 5) y = std::round(y);
  if (kind == 6) y = std::round(2 * y) / 2;
  return {kind == 5 && random() % 2 == 0 ? -base : base, static_cast<T>(y)};
}

template <typename T, typename Exact>
void CheckPowErrors(lw_type type, size_t blocks) {
  constexpr size_t kBlock = 4096;
  for (const Isa& isa : AllIsas()) {
    const Subject pow = KernelApi(isa.engine, kPow, type);
    std::mt19937_64 random(7);
    WorstError worst;
    std::vector<T> x(kBlock), y(kBlock), z(kBlock);
    for (size_t block = 0; block < blocks; ++block) {
      for (size_t i = 0; i < kBlock; ++i) {
        std::tie(x[i], y[i]) = AnyPair<T>(random);
      }
      ASSERT_EQ(pow.compute(x.data(), y.data(), z.data(), kBlock), LW_OK);
      for (size_t i = 0; i < kBlock; ++i) {
        const Exact exact =
            std::pow(static_cast<Exact>(x[i]), static_cast<Exact>(y[i]));
        const double error = UlpError(exact, z[i]);
        worst.Add({error, static_cast<double>(x[i])});
        ASSERT_LT(error, 1) << std::hexfloat << x[i] << " to the power of "
                            << y[i] << " gives " << z[i] << " on " << isa.name;
      }
    }
    worst_errors.Note("Pow", type, isa.name, worst);
  }
}
TEST(PowErrors, Float32Sample) {
  CheckPowErrors<float, double>(LW_FLOAT32, 50);
}
TEST(PowErrors, Float64Sample) {
  CheckPowErrors<double, long double>(LW_FLOAT64, 25);
}
TEST(PowErrors, ExhaustiveFloat32Strata) {
  CheckPowErrors<float, double>(LW_FLOAT32, AllIsasWanted() ? 20'000 : 2000);
}
TEST(PowErrors, ExhaustiveFloat64Strata) {
  CheckPowErrors<double, long double>(LW_FLOAT64, AllIsasWanted() ? 5000 : 500);
}

/// A vector in which one lane takes the slow way.
TEST(PowErrors, NeighboursChangeNothing) {
  for (const Isa& isa : AllIsas()) {
    const Subject pow = KernelApi(isa.engine, kPow, LW_FLOAT32);
    const std::vector<float> y(64, 2.3f);
    for (const float neighbour : {-1.0f, 0.0f, 0x1p-140f, 0x1p100f, NAN}) {
      std::vector<float> x(64, 1.7f), usual(64), out(64);
      ASSERT_EQ(pow.compute(x.data(), y.data(), usual.data(), 64), LW_OK);
      for (size_t i = 1; i < x.size(); i += 3) x[i] = neighbour;
      ASSERT_EQ(pow.compute(x.data(), y.data(), out.data(), 64), LW_OK);
      for (size_t i = 0; i < x.size(); i += 3) {
        ASSERT_EQ(BitsOf(out[i]), BitsOf(usual[i])) << i << ' ' << neighbour;
      }
    }
  }
}

/// Squares and cubes are products, for one exponent and for one of each
/// element.
TEST(PowErrors, ProductsForOneExponentAndMany) {
  for (const Isa& isa : AllIsas()) {
    const OpPtr op = MakeOp(isa.engine, kPow);
    for (const lw_type type : kFloatTypes) {
      std::mt19937_64 random(11);
      std::vector<double> numbers(2000);
      for (double& number : numbers) number = Uniform(-3, 10, random);
      const Array x = FromValues(type, numbers);
      for (const double y : {2.0, 3.0}) {
        Array one(type, x.size()), many(type, x.size());
        ASSERT_EQ(RunArrays(op.get(), {x, FromValues(type, {y})}, one), LW_OK);
        const Array all = FromValues(type, std::vector<double>(x.size(), y));
        ASSERT_EQ(RunArrays(op.get(), {x, all}, many), LW_OK);
        for (size_t i = 0; i < x.size(); ++i) {
          ASSERT_TRUE(ExactOrNan(ReadBits(one.at(i), one.element_size()),
                                 ReadBits(many.at(i), many.element_size()),
                                 type))
              << lw_type_name(type) << " to the power of " << y << ", element "
              << i << " on " << isa.name;
        }
      }
    }
  }
}

// ---- Integers

TEST_P(OperatorSuite, IntegersByHand) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  const struct {
    int64_t x, y, z;
  } cases[] = {{0, 0, 1},
               {0, 5, 0},
               {7, 0, 1},
               {3, 4, 81},
               {-3, 3, -27},
               {2, 62, int64_t{1} << 62},
               {2, 63, kMin},
               {2, 64, 0},
               {3, -1, 0},
               {1, -5, 1},
               {-1, -5, -1},
               {-1, -4, 1},
               {-1, kMin, 1},
               {10, 18, 1'000'000'000'000'000'000},
               {3, 41, -420491770248316829}};
  const Subject pow = KernelApi(isa().engine, kPow, LW_INT64);
  for (const auto& it : cases) {
    int64_t z = 0;
    EXPECT_EQ(pow.compute(&it.x, &it.y, &z, 1), LW_OK);
    EXPECT_EQ(z, it.z) << it.x << " to the power of " << it.y;
  }
}

// ---- Two types

/// Half of the elements are small, so that powers of them are numbers.
Array AnyElements(lw_type type, size_t n, bool is_base, uint64_t seed) {
  std::mt19937_64 random(seed);
  Array array = MixedElements(type, n, random);
  for (size_t i = 0; i < n; ++i) {
    if (random() % 2 == 0) continue;
    const auto whole = static_cast<int64_t>(random() % 24) - 6;
    if (!IsFloat(type)) {
      WriteInteger(type, whole, array.at(i));
      continue;
    }
    const double near_one = 1 + AnyMagnitude(-52, -2, random);
    const double value = is_base && random() % 2 == 0 ? near_one
                         : random() % 2 == 0 ? static_cast<double>(whole) / 2
                                             : Uniform(-20, 20, random);
    const Array one = FromValues(type, {value});
    std::copy_n(one.data(), one.element_size(), array.at(i));
  }
  return array;
}

bool IsAnswerOfTypes(const int32_t* types, const void* const* in,
                     const void* actual) {
  const auto type = static_cast<lw_type>(types[0]);
  uint64_t expected[1] = {};
  AskOracleOfTypes(kSpec_pow, types, in, expected);
  if (IsAnswer(kSpec_pow, type, expected, actual)) return true;
  // Powers in float64 are not always the nearest ones.
  if (IsFloat(type) || kI8.count(types[1]) != 0) return false;
  const auto off = ReadNumber(type, expected) - ReadNumber(type, actual);
  return std::fabs(off) <= 0x1p-52L * std::fabs(ReadNumber(type, expected));
}

void CheckPair(const Isa& isa, lw_type x_type, lw_type y_type, size_t n,
               bool one_exponent, uint64_t seed) {
  const OpPtr op = MakeOp(isa.engine, kPow);
  const Arrays in = {
      AnyElements(x_type, n, true, seed),
      AnyElements(y_type, one_exponent ? 1 : n, false, seed + 1)};
  Array out(x_type, n);
  const lw_status status = RunArrays(op.get(), in, out);
  const int32_t types[] = {x_type, y_type};
  lw_zero_divisors zeros = {0, 0};
  for (size_t i = 0; i < n; ++i) {
    const void* const elements[] = {in[0].at(i),
                                    in[1].at(one_exponent ? 0 : i)};
    if (DividesByZero(types, elements) && zeros.count++ == 0) zeros.first = i;
    ASSERT_TRUE(IsAnswerOfTypes(types, elements, out.at(i)))
        << lw_type_name(x_type) << " to the power of " << lw_type_name(y_type)
        << ": " << BitsText(elements[0], in[0].element_size()) << ' '
        << BitsText(elements[1], in[1].element_size()) << " gives "
        << BitsText(out.at(i), out.element_size());
  }
  ASSERT_EQ(status, zeros.count == 0 ? LW_OK : LW_DIVIDE_BY_ZERO)
      << lw_last_error();
  if (zeros.count == 0) return;
  EXPECT_EQ(lw_last_zero_divisors().count, zeros.count);
  EXPECT_EQ(lw_last_zero_divisors().first, zeros.first);
}

TEST_P(OperatorSuite, AllPairsOfTypes) {
  for (const int32_t x : kX13) {
    for (const int32_t y : kN12) {
      for (const size_t n : {1, 7, 255, 3000}) {
        for (const bool one : {false, true}) {
          ASSERT_NO_FATAL_FAILURE(CheckPair(isa(), static_cast<lw_type>(x),
                                            static_cast<lw_type>(y), n, one,
                                            n));
        }
      }
    }
  }
}

/// Exponents that no double holds count exactly.
TEST_P(OperatorSuite, LargeExponents) {
  const OpPtr op = MakeOp(isa().engine, kPow);
  const double x = 1 - 0x1p-53;
  const int64_t odd = (int64_t{1} << 53) + 1;
  const Arrays in = {FromValues(LW_FLOAT64, {x, -x, -1}),
                     FromPatterns(LW_INT64, {static_cast<uint64_t>(odd),
                                             static_cast<uint64_t>(odd),
                                             static_cast<uint64_t>(odd)})};
  Array out(LW_FLOAT64, 3);
  ASSERT_EQ(RunArrays(op.get(), in, out), LW_OK);
  const auto power = static_cast<double>(
      std::pow(static_cast<long double>(x), static_cast<long double>(odd)));
  EXPECT_EQ(out.as<double>()[0], power);
  EXPECT_EQ(out.as<double>()[1], -power);
  EXPECT_EQ(out.as<double>()[2], -1);
}

/// What the versions allow for Y, and the messages otherwise.
TEST(PowTypes, PairsOfEachVersion) {
  for (const VersionSpec& version : kSpec_pow.versions) {
    const OpPtr op = MakeOp(nullptr, {"Pow", version.version, 2});
    for (int32_t x = 1; x <= LW_BFLOAT16; ++x) {
      for (int32_t y = 1; y <= LW_BFLOAT16; ++y) {
        const int64_t one = 1;
        const lw_tensor in[] = {{nullptr, x, 1, &one, nullptr, 0},
                                {nullptr, y, 1, &one, nullptr, 0}};
        lw_shape shape;
        const Types& own = version.inputs[1].types;
        const bool takes = version.types.count(x) != 0 &&
                           (own.empty() ? x == y : own.count(y) != 0);
        ASSERT_EQ(lw_op_infer(op.get(), in, 2, &shape),
                  takes ? LW_OK : LW_UNSUPPORTED_TYPE)
            << version.version << ' ' << lw_type_name(x) << ' '
            << lw_type_name(y);
        EXPECT_TRUE(!takes || shape.type == x);
      }
    }
  }
  const OpPtr op = MakeOp(nullptr, {"Pow", 13, 2});
  const int64_t one = 1;
  const lw_tensor in[] = {{nullptr, LW_BFLOAT16, 1, &one, nullptr, 0},
                          {nullptr, LW_BFLOAT16, 1, &one, nullptr, 0}};
  lw_shape shape;
  EXPECT_EQ(lw_op_infer(op.get(), in, 2, &shape), LW_UNSUPPORTED_TYPE);
  EXPECT_NE(std::string(lw_last_error()).find("input 1 (Y) cannot be bfloat16"),
            std::string::npos)
      << lw_last_error();
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
