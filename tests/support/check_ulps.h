// SPDX-License-Identifier: Apache-2.0
//
// The errors of operators with one input whose float32 and float64 results may
// be an ULP off: float32 against a function of doubles, in all inputs or a
// sample, and float64 against one of long doubles. Also what the suite cannot
// check for them: values by hand, and the same bits at every length.

#ifndef LANEWISE_TESTS_SUPPORT_CHECK_ULPS_H_
#define LANEWISE_TESTS_SUPPORT_CHECK_ULPS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/bits.h"
#include "tests/support/check_errors.h"
#include "tests/support/check_lengths.h"
#include "tests/support/check_unary.h"
#include "tests/support/operator_spec.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {

/// The error of y in units of the last place of a T at `exact`; infinity if
/// sign, NaN, or an infinity that is no rounding differs.
template <typename T, typename Exact>
double UlpError(Exact exact, T y) {
  constexpr bool kIsFloat = sizeof(T) == 4;
  constexpr int kLeast = kIsFloat ? -126 : -1022;
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (exact != exact || y != y)
    return (exact != exact) == (y != y) ? 0 : kWrong;
  if (std::signbit(exact) != std::signbit(y)) return kWrong;
  if (static_cast<Exact>(y) == exact) return 0;
  if (std::isinf(static_cast<T>(exact)) || std::isinf(y)) {
    return static_cast<T>(exact) == y ? 0 : kWrong;
  }
  int exponent;
  if constexpr (sizeof(Exact) == 8) {  // quicker than ilogb
    exponent = static_cast<int>(BitsOf(exact) >> 52 & 0x7FF) - 1023;
  } else {
    exponent = exact == 0 ? kLeast : std::ilogb(exact);
  }
  exponent = std::max(exponent, kLeast) - (kIsFloat ? 23 : 52);
  const Exact off = std::fabs(static_cast<Exact>(y) - exact);
  if constexpr (sizeof(Exact) == 8) {
    return off * DoubleOf(static_cast<uint64_t>(1023 - exponent) << 52);
  } else {
    return static_cast<double>(std::ldexp(off, -exponent));
  }
}

/// A block of JudgeEveryIsa. draw(index, i, random) is input i of a block.
template <typename TFloat, typename Exact, class Draw>
class UlpBlock {
 public:
  using T = TFloat;
  static constexpr lw_type kType = sizeof(T) == 4 ? LW_FLOAT32 : LW_FLOAT64;
  static constexpr size_t kSize = 4096;

  UlpBlock(Exact (*exact)(Exact), Draw draw) : exact_of_(exact), draw_(draw) {}

  size_t Fill(uint64_t index, T* x) {
    std::mt19937_64 random(index);
    for (size_t i = 0; i < kSize; ++i) x[i] = draw_(index, i, random);
    return kSize;
  }
  void Prepare(const T* x, size_t n) {
    x_ = x;
    for (size_t i = 0; i < n; ++i) exact_[i] = exact_of_(x[i]);
  }
  Judgement Judge(const T* y, size_t n) const {
    Judgement judgement;
    for (size_t i = 0; i < n; ++i) {
      judgement.worst.Add({UlpError(exact_[i], y[i]), double{x_[i]}});
    }
    return judgement;
  }

 private:
  Exact (*exact_of_)(Exact);
  Draw draw_;
  const T* x_ = nullptr;
  std::vector<Exact> exact_ = std::vector<Exact>(kSize);
};

/// Errors of fast engines are below 4 ULP.
inline constexpr double kFastUlps = 3.99;

/// Every stride-th of the 2^32 floats, an odd number.
void CheckUlps32(const OpId& op, double (*exact)(double), uint32_t stride,
                 double bound = 1, const Isas& isas = AllIsas());

/// A number in [low, high).
inline double Uniform(double low, double high, std::mt19937_64& random) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}
/// Of either sign, with an exponent in [low, high).
double AnyMagnitude(int low, int high, std::mt19937_64& random);
/// For functions that change between -50 and 50, and whose results end or
/// become subnormal close to -720.
double AroundZero(uint64_t block, size_t, std::mt19937_64& random);

/// blocks * 4096 doubles.
using Draw64 = double (*)(uint64_t block, size_t i, std::mt19937_64& random);
void CheckUlps64(const OpId& op, long double (*exact)(long double),
                 uint64_t blocks, Draw64 draw = AroundZero, double bound = 1,
                 const Isas& isas = AllIsas());
/// The same on fast engines.
inline void CheckFastUlps64(const OpId& op, long double (*exact)(long double),
                            uint64_t blocks, Draw64 draw = AroundZero) {
  CheckUlps64(op, exact, blocks, draw, kFastUlps, AllFastIsas());
}

/// All floats if the run is long, else every 15th: the oracles of functions
/// take minutes for all.
inline uint32_t FloatStride() { return AllIsasWanted() ? 1 : 15; }

/// Blocks of 4096 doubles. A share of them is never small.
inline uint64_t ManyBlocks() {
  return 5000 / std::min<uint64_t>(TestShare(), 8);
}

/// The four tests of an operator's errors: of float32 and a smaller sample, and
/// of many doubles and a few. The last argument, if there is one, draws
/// doubles.
#define LANEWISE_ULP_TESTS(suite, op, in_double, in_long_double, ...)         \
  TEST(suite, ExhaustiveFloat32) {                                            \
    CheckUlps32(op, in_double, FloatStride());                                \
  }                                                                           \
  TEST(suite, Float32Sample) { CheckUlps32(op, in_double, 1021); }            \
  TEST(suite, ExhaustiveFloat64Strata) {                                      \
    CheckUlps64(op, in_long_double, ManyBlocks() __VA_OPT__(, ) __VA_ARGS__); \
  }                                                                           \
  TEST(suite, Float64Sample) {                                                \
    CheckUlps64(op, in_long_double, 100 __VA_OPT__(, ) __VA_ARGS__);          \
  }                                                                           \
  static_assert(true, "a semicolon follows")

/// The same of a float32 kernel for fast engines.
#define LANEWISE_FAST_TESTS(suite, op, in_double)                        \
  TEST(suite, ExhaustiveFastFloat32) {                                   \
    CheckUlps32(op, in_double, FloatStride(), kFastUlps, AllFastIsas()); \
  }                                                                      \
  TEST(suite, FastFloat32Sample) {                                       \
    CheckUlps32(op, in_double, 1021, kFastUlps, AllFastIsas());          \
  }                                                                      \
  TEST(suite, FastSpecials) { CheckFastSpecials(op, in_double); }        \
  TEST(suite, FastSameBitsAtEveryLength) {                               \
    for (const Isa& isa : AllFastIsas()) CheckSameBits(isa.engine, op);  \
  }                                                                      \
  static_assert(true, "a semicolon follows")

/// The same of a float64 kernel for fast engines.
#define LANEWISE_FAST_TESTS64(suite, op, in_long_double, ...)            \
  TEST(suite, ExhaustiveFastFloat64) {                                   \
    CheckFastUlps64(op, in_long_double,                                  \
                    ManyBlocks() __VA_OPT__(, ) __VA_ARGS__);            \
  }                                                                      \
  TEST(suite, FastFloat64Sample) {                                       \
    CheckFastUlps64(op, in_long_double, 100 __VA_OPT__(, ) __VA_ARGS__); \
  }                                                                      \
  TEST(suite, FastSpecials64) { CheckFastSpecials(op, in_long_double); } \
  static_assert(true, "a semicolon follows")

/// Fast engines: zeros, infinities, NaN, the ends of the subnormal and of all
/// finite numbers, and 1; of float32, and of float64.
void CheckFastSpecials(const OpId& op, double (*exact)(double));
void CheckFastSpecials(const OpId& op, long double (*exact)(long double));

/// 2^21 results of fast engines from `first` on, 2^-20 apart, lie between least
/// and most, in float32 and in float64.
void CheckFastLimits(const OpId& op, float first, float least, float most);

/// The results of some numbers in all types, or in one type.
using ByHand = std::vector<std::pair<double, double>>;
void CheckByHand(const lw_engine* engine, const OpId& op, lw_type type,
                 const ByHand& pairs);

/// An element's bits depend on nothing but the element.
void CheckSameBits(const lw_engine* engine, const OpId& op);

/// Below 1 ULP, or correctly rounded if the type has 16 bits.
bool IsBelow1Ulp(lw_type type, long double exact, const void* y);

/// A node with attributes: all values of the 16-bit types, correctly rounded,
/// and some of the others, below 1 ULP.
void CheckNode(const lw_engine* engine, const OpId& id,
               const std::vector<lw_attribute>& attributes,
               const std::function<long double(lw_type, long double)>& exact);

/// An attribute as an element of the type.
inline long double RoundedTo(lw_type type, float value) {
  if (ElementSize(type) > 2) return value;
  return Widen(Narrow(value, FormatOf(type)), FormatOf(type));
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHECK_ULPS_H_
