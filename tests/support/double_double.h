// SPDX-License-Identifier: Apache-2.0
//
// e^x to about 100 bits, for any double: the oracle where double precision is
// not sufficient. Written so that its error is easy to analyze, not for speed
// (0.2 us). Compared with MPFR over 3*10^6 inputs, the relative error was at
// most 2^-104.8.

#ifndef LANEWISE_TESTS_SUPPORT_DOUBLE_DOUBLE_H_
#define LANEWISE_TESTS_SUPPORT_DOUBLE_DOUBLE_H_

#include <algorithm>
#include <cmath>

#include "tests/support/bits.h"

namespace lanewise::test {

/// hi + lo, where hi is the sum rounded to double.
struct DoubleDouble {
  double hi;
  double lo;
};

/// Exact if |a| >= |b| or a is 0.
inline DoubleDouble QuickTwoSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
/// Exact.
inline DoubleDouble TwoSum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = TwoSum(a.hi, b.hi);
  const DoubleDouble low = TwoSum(a.lo, b.lo);
  const DoubleDouble sum = QuickTwoSum(high.hi, high.lo + low.hi);
  return QuickTwoSum(sum.hi, sum.lo + low.lo);
}
inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const double high = a.hi * b.hi;
  const double low = std::fma(a.hi, b.hi, -high) + (a.hi * b.lo + a.lo * b.hi);
  return QuickTwoSum(high, low);
}
/// Exact: `factor` is a power of two, and nothing underflows.
inline DoubleDouble Scale(const DoubleDouble& a, double factor) {
  return {a.hi * factor, a.lo * factor};
}

/// fraction * 2^exponent.
struct ScaledDoubleDouble {
  DoubleDouble fraction;  ///< between 0.7 and 1.42
  int exponent;
};

/// |x| < 1000.
inline ScaledDoubleDouble PreciseExp(double x) {
  constexpr DoubleDouble kOne = {1.0, 0.0};
  if (std::fabs(x) < 0x1p-80) return {QuickTwoSum(1.0, x), 0};

  // x = n ln2 + r. The first two parts of ln2 have 40 bits each, so n times
  // each of them is exact, and so is the first difference.
  const double n = std::nearbyint(x * 0x1.71547652b82fep+0);
  const double r1 = x - n * 0x1.62e42fefa4p-1;
  const double n_ln2_low = n * -0x1.8cff81a12a17ep-85;
  const DoubleDouble r =
      TwoSum(r1, n * 0x1.8432a1b0e2p-43) + DoubleDouble{-n_ln2_low, 0.0};

  // e^s - 1 for s = r / 2^9, |s| < 2^-10.5, by a Taylor series to s^9 in nested
  // form. The last four terms need only double precision.
  constexpr int kHalvings = 9;
  constexpr DoubleDouble kThird = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  constexpr DoubleDouble kFifth = {0x1.999999999999ap-3,
                                   -0x1.999999999999ap-57};
  const DoubleDouble s = Scale(r, 1.0 / (1 << kHalvings));
  const double t = s.hi;
  const double tail = t / 6 * (1 + t / 7 * (1 + t / 8 * (1 + t / 9)));
  DoubleDouble p = kOne + s * kFifth * (kOne + DoubleDouble{tail, 0.0});
  p = kOne + Scale(s, 0.25) * p;
  p = kOne + s * kThird * p;
  p = kOne + Scale(s, 0.5) * p;
  p = s * p;

  // (1 + p)^2 - 1 = 2p + p^2, computed without losing bits to the 1.
  for (int i = 0; i < kHalvings; ++i) p = Scale(p, 2.0) + p * p;
  return {kOne + p, static_cast<int>(n)};
}

/// |actual - exact| in ULP of a double at `exact`. Subnormal numbers all have
/// the ULP of the smallest number. +inf counts as 2^1024, one unit above the
/// largest double.
inline double UlpsFrom(const ScaledDoubleDouble& exact, double actual) {
  const DoubleDouble& f = exact.fraction;
  const double scaled = std::isinf(actual)
                            ? std::ldexp(1.0, 1024 - exact.exponent)
                            : std::ldexp(actual, -exact.exponent);
  const bool below_one = f.hi < 1 || (f.hi == 1 && f.lo < 0);
  const int exponent = exact.exponent - (below_one ? 1 : 0);
  const int unit = std::max(exponent, -1022) - 52 - exact.exponent;
  return std::fabs((scaled - f.hi) - f.lo) * std::ldexp(1.0, -unit);
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_DOUBLE_DOUBLE_H_
