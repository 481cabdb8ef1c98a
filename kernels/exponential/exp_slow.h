// SPDX-License-Identifier: Apache-2.0
//
// e^x correctly rounded to double, in integers: for the arguments that the
// vectors of exp_exact-inl.h cannot decide. It takes 0.2 us.
//
// Numbers are counts of 2^-192 in four words of 64 bits. x = n ln2 + r, where
// r lies in [0, 0.6932), and y = e^(r/16) comes from a series. The result is
// 2^n y^16. Each step is exact or rounds down:
//   r          |n| <= 1075 times ln2, which is truncated: 1075 units
//   r/16       68 units in all, and as many in y, since e^(r/16) < 1.05
//   y          each of 26 products and 1/k! is off by less than a unit. A
//              product multiplies the errors so far by r/16 < 0.05: below 3
//              units at the end. The first term that is left out,
//              (r/16)^27 / 27!, is below 2^-215
//   y^16       y is off by less than 72 units, a relative error of 2^-185.8.
//              Four squarings make that 2^-181.8 and add 15 units: below
//              2^-181.5 of the result
//
// That is enough for every x. For |x| >= 2^-30, e^x comes no closer than 2^-114
// of its size to a double or to the middle of two doubles; for smaller |x| no
// closer than 2^-158: V. Lefevre, J.-M. Muller, "Worst Cases for Correct
// Rounding of the Elementary Functions in Double Precision" (ARITH-15, 2001),
// who searched all doubles. The middle of two subnormal numbers is a double,
// so that the bound covers subnormal results, too.

#ifndef LANEWISE_KERNELS_EXPONENTIAL_EXP_SLOW_H_
#define LANEWISE_KERNELS_EXPONENTIAL_EXP_SLOW_H_

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace lanewise {
namespace exp_slow {

__extension__ using Word2 = unsigned __int128;

/// A count of 2^-192, the lowest word first.
using Fixed = std::array<uint64_t, 4>;
inline constexpr Fixed kOne = {0, 0, 0, 1};
inline constexpr Fixed kLn2 = {0x40F343267298B62D, 0xC9E3B39803F2F6AF,
                               0xB17217F7D1CF79AB, 0};

constexpr Fixed Add(const Fixed& a, const Fixed& b) {
  Fixed sum = {};
  Word2 carry = 0;
  for (size_t i = 0; i < 4; ++i) {
    carry += Word2{a[i]} + b[i];
    sum[i] = static_cast<uint64_t>(carry);
    carry >>= 64;
  }
  return sum;
}
/// a - b for a >= b.
constexpr Fixed Subtract(const Fixed& a, const Fixed& b) {
  const Fixed complement = {~b[0], ~b[1], ~b[2], ~b[3]};
  return Add(Add(a, complement), {1, 0, 0, 0});
}
/// The product, rounded down.
constexpr Fixed Multiply(const Fixed& a, const Fixed& b) {
  uint64_t product[8] = {};
  for (size_t i = 0; i < 4; ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < 4; ++j) {
      const Word2 sum = Word2{a[i]} * b[j] + product[i + j] + carry;
      product[i + j] = static_cast<uint64_t>(sum);
      carry = static_cast<uint64_t>(sum >> 64);
    }
    product[i + 4] = carry;
  }
  return {product[3], product[4], product[5], product[6]};
}
/// The quotient, rounded down.
constexpr Fixed Divide(const Fixed& a, uint64_t divisor) {
  Fixed quotient = {};
  Word2 rest = 0;
  for (size_t i = 4; i-- > 0;) {
    const Word2 dividend = rest << 64 | a[i];
    quotient[i] = static_cast<uint64_t>(dividend / divisor);
    rest = dividend % divisor;
  }
  return quotient;
}

/// 1 / k!
inline constexpr size_t kTerms = 26;
inline constexpr auto kInverseFactorials = [] {
  std::array<Fixed, kTerms + 1> inverse = {kOne};
  for (size_t k = 1; k <= kTerms; ++k) inverse[k] = Divide(inverse[k - 1], k);
  return inverse;
}();

/// |x| for 2^-60 <= |x| < 2^10, which loses no bit.
inline Fixed Magnitude(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  const Word2 significand = (bits & 0xFFFFFFFFFFFFF) | uint64_t{1} << 52;
  const auto shift = static_cast<size_t>((bits >> 52 & 0x7FF) - 1075 + 192);
  const Word2 placed = significand << (shift % 64);
  Fixed result = {};
  result[shift / 64] = static_cast<uint64_t>(placed);
  if (shift < 192) {
    result[shift / 64 + 1] = static_cast<uint64_t>(placed >> 64);
  }
  return result;
}

/// y * 2^n, rounded to nearest, for 1 <= y < 4. No y is the middle of two
/// doubles, so there are no ties.
inline double Round(const Fixed& y, int n) {
  const int lead = y[3] > 1 ? 1 : 0;
  n += lead;
  if (n < -1075) return 0;
  if (n > 1023) return std::numeric_limits<double>::infinity();
  const bool subnormal = n < -1022;
  const int kept_bits = subnormal ? n + 1075 : 53;
  const int drop = 65 + lead - kept_bits;
  const Word2 high = Word2{y[3]} << 64 | y[2];
  const Word2 half = Word2{1} << (drop - 1);
  // Carries into the exponent as needed, also to infinity.
  const auto kept = static_cast<uint64_t>((high + half) >> drop);
  const auto exponent = static_cast<uint64_t>(subnormal ? 0 : n + 1022);
  return std::bit_cast<double>((exponent << 52) + kept);
}

/// For finite x with |x| < 1000, in any rounding mode. Static, as each
/// instruction set may have its own (kernels/units.cmake).
static inline double Exp(double x) noexcept {
  if (std::fabs(x) < 0x1p-60) return 1;
  // Slightly below x / ln2, so that r is not negative. The cast rounds toward
  // 0.
  const double quotient = x * 0x1.71547652b82fep+0;
  const int n = static_cast<int>(quotient - 0x1p-20) - (x < 0 ? 1 : 0);
  const uint64_t times = static_cast<uint64_t>(x < 0 ? -n : n);
  const Fixed n_ln2 = Multiply(kLn2, {0, 0, 0, times});
  const Fixed magnitude = Magnitude(x);
  const Fixed r = x < 0 ? Subtract(n_ln2, magnitude)  //
                        : Subtract(magnitude, n_ln2);
  const Fixed s = Divide(r, 16);
  Fixed y = kInverseFactorials[kTerms];
  for (size_t k = kTerms; k-- > 0;) {
    y = Add(Multiply(y, s), kInverseFactorials[k]);
  }
  for (int i = 0; i < 4; ++i) y = Multiply(y, y);
  return Round(y, n);
}

}  // namespace exp_slow
}  // namespace lanewise

#endif  // LANEWISE_KERNELS_EXPONENTIAL_EXP_SLOW_H_
