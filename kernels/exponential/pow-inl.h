// SPDX-License-Identifier: Apache-2.0
//
// x^y in double lanes.
//
// Method: x = 2^k m, and m times the reciprocal of a table (pow_table.h) is
// 1 + r with |r| <= 2^-8. t = y (k + log2(m)), and 2^t = 2^n e^(ln2 (t - n)).
//   kFine: the logarithm, t and the power are sums of two words. The result is
//     off by less than 0.51 ULP: whatever is a double, or lies between two
//     16-bit floats, comes out exactly.
//   otherwise: one word, for results that are rounded to float32, and x that
//     are float32. The relative error is below 2^-44.
//
// Coefficients: by interpolation in Chebyshev's nodes in 200 bits, each rounded
// to double. The errors relative to the logarithm are 2^-70.9 (kFine) and
// 2^-54.3, that of 2^f is 2^-51.5.
//
// The caller sets the default floating-point environment.

#include <limits>

#include "hwy/highway.h"
#include "kernels/exactly-inl.h"
#include "kernels/exponential/expm1-inl.h"
#include "kernels/exponential/pow_table.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXPONENTIAL_POW_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_POW_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_POW_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_POW_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace pow_detail {

using exp_detail::Horner;

/// 1 / ln2 and ln2 in two words.
constexpr double kLog2E = 0x1.71547652b82fep0;
constexpr double kLog2ELow = 0x1.777d0ffda0d24p-56;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLn2Low = 0x1.abc9e3b39803fp-56;

/// A number whose last place is 1, and to which small whole numbers are added.
constexpr double kMagic = 0x1.8p52;

/// a + b = sum + rest, where |a| >= |b| or a = 0.
template <class V>
HWY_INLINE V QuickSum(V a, V b, V& rest) {
  const V sum = hn::Add(a, b);
  rest = hn::Add(hn::Sub(a, sum), b);
  return sum;
}

/// x = 2^k m for a positive normal number, with 0.705 <= m < 1.411. Returns the
/// table's index of m.
template <class D, class V>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> Split(D d, V x, V& k, V& m) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto least = hn::Set(du, kPowLeastBits);
  const auto one = hn::BitCast(du, hn::Set(d, 1.0));
  const auto bits = hn::Add(hn::BitCast(du, x), hn::Sub(one, least));
  const auto fraction = hn::And(bits, hn::Set(du, (uint64_t{1} << 52) - 1));
  // The exponent as the low bits of a number whose last place is 1.
  const auto end = hn::BitCast(du, hn::Set(d, 0x1p52));
  const V exponent = hn::BitCast(d, hn::Or(hn::ShiftRight<52>(bits), end));
  k = hn::Sub(exponent, hn::Set(d, 0x1p52 + 1023));
  m = hn::BitCast(d, hn::Add(fraction, least));
  return hn::BitCast(di, hn::ShiftRight<52 - kPowIndexBits>(fraction));
}

/// hi + lo = log2(2^more x), for a positive normal number x.
template <class D, class V>
HWY_INLINE V LogInTwoWords(D d, V x, V more, V& lo) {
  V k;
  V m;
  const auto index = Split(d, x, k, m);
  const V inverse = hn::GatherIndex(d, kPowInverse, index);
  const V one = hn::Set(d, 1.0);
  // r + r_lo = m * inverse - 1. The first difference is exact.
  const V product = hn::Mul(m, inverse);
  const V lost = ProductError(d, m, inverse, product);
  V r_lo;
  const V r = QuickSum(hn::Sub(product, one), lost, r_lo);
  // log(1 + r) = r - r^2/2 + ... = s + s_lo.
  const V half = hn::Mul(r, hn::Set(d, 0.5));
  const V square = hn::Mul(r, half);
  const V square_lo = ProductError(d, r, half, square);
  V s_lo;
  const V s = QuickSum(r, hn::Neg(square), s_lo);
  const V cube = hn::Mul(hn::Add(square, square), r);
  const V p = Horner(d, r, 0x1.5555555555556p-2, -0x1p-2, 0x1.999999991999p-3,
                     -0x1.55555554e2219p-3, 0x1.24939e7b21ce1p-3,
                     -0x1.0001333453343p-3);
  s_lo = hn::Add(hn::Sub(s_lo, square_lo), hn::NegMulAdd(r, r_lo, r_lo));
  s_lo = hn::MulAdd(cube, p, s_lo);
  // The same to the base of 2, added to what the table tells.
  const V log2e = hn::Set(d, kLog2E);
  const V w = hn::Mul(s, log2e);
  V w_lo = ProductError(d, s, log2e, w);
  w_lo =
      hn::Add(w_lo, hn::MulAdd(s, hn::Set(d, kLog2ELow), hn::Mul(s_lo, log2e)));
  V whole_lo;
  V sum_lo;
  const V whole =
      QuickSum(hn::Add(k, more), hn::GatherIndex(d, kPowLog, index), whole_lo);
  const V sum = QuickSum(whole, w, sum_lo);
  whole_lo = hn::Add(whole_lo, hn::GatherIndex(d, kPowLogLow, index));
  const V rest = hn::Add(sum_lo, hn::Add(w_lo, whole_lo));
  return QuickSum(sum, rest, lo);
}

/// 2^n for a whole n of a normal number, from n + kMagic.
template <class D, class V>
HWY_INLINE V PowerOf2(D d, V n_and_magic) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, n_and_magic);
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(bits, hn::Set(du, 1023u))));
}

/// x^(y + y_lo) for numbers x = 2^more * (a positive normal number), and y of
/// up to 2^65.
template <class D, class V>
HWY_INLINE V FinePower(D d, V x, V more, V y, V y_lo) {
  V log_lo;
  const V log = LogInTwoWords(d, x, more, log_lo);
  V t = hn::Mul(log, y);
  V t_lo = hn::Add(ProductError(d, log, y, t),
                   hn::MulAdd(log, y_lo, hn::Mul(log_lo, y)));
  // Beyond are infinity and 0.
  const V most = hn::Set(d, 1100);
  t_lo = hn::IfThenElseZero(hn::Lt(hn::Abs(t), most), t_lo);
  t = hn::Max(hn::Neg(most), hn::Min(t, most));
  const V magic = hn::Set(d, kMagic);
  const V n = hn::Sub(hn::Add(t, magic), magic);
  V f_lo;
  const V f = QuickSum(hn::Sub(t, n), t_lo, f_lo);
  // e^(z + z_lo) = 1 + z + curve
  const V ln2 = hn::Set(d, kLn2);
  const V z = hn::Mul(f, ln2);
  V z_lo = hn::MulAdd(f_lo, ln2, hn::Mul(f, hn::Set(d, kLn2Low)));
  z_lo = hn::Add(ProductError(d, f, ln2, z), z_lo);
  const V z2 = hn::Mul(z, z);
  const V curve = hn::MulAdd(expm1_detail::Poly(d, z, z2), z2, z_lo);
  V beyond_lo;
  const V beyond = QuickSum(z, curve, beyond_lo);
  V rest;
  const V sum = QuickSum(hn::Set(d, 1.0), beyond, rest);
  const V power = hn::Add(sum, hn::Add(rest, beyond_lo));
  // 2^n in two factors: the second product may be subnormal, or overflow.
  const V first = hn::Add(hn::Mul(n, hn::Set(d, 0.5)), magic);
  const V second = hn::Add(hn::Sub(n, hn::Sub(first, magic)), magic);
  return hn::Mul(hn::Mul(power, PowerOf2(d, first)), PowerOf2(d, second));
}

/// x^y for a positive float x, as a double.
template <class D, class V>
HWY_INLINE V CoarsePower(D d, V x, V y) {
  V k;
  V m;
  const auto index = Split(d, x, k, m);
  const V inverse = hn::GatherIndex(d, kPowInverse, index);
  const V r = hn::MulSub(m, inverse, hn::Set(d, 1.0));  // exact
  const V q =
      Horner(d, r, kLog2E, -0x1.71547652b82fep-1, 0x1.ec709dc32988cp-2,
             -0x1.71547652504fbp-2, 0x1.277801a198bdfp-2, -0x1.ec72c7c44456p-3);
  const V log =
      hn::MulAdd(q, r, hn::Add(k, hn::GatherIndex(d, kPowLog, index)));
  // Beyond are infinity and 0.
  const V most = hn::Set(d, 300);
  const V t = hn::Max(hn::Neg(most), hn::Min(hn::Mul(log, y), most));
  const V magic = hn::Set(d, kMagic);
  const V shifted = hn::Add(t, magic);
  const V f = hn::Sub(t, hn::Sub(shifted, magic));
  const V p0 = Horner(d, f, 1.0, 0x1.62e42fefa3a19p-1);
  const V p2 = Horner(d, f, 0x1.ebfbdff82c598p-3, 0x1.c6b08d703ce49p-5);
  const V p4 = Horner(d, f, 0x1.3b2ab6fba1ddap-7, 0x1.5d87fe9d7a584p-10);
  const V p6 = Horner(d, f, 0x1.430913096fd9fp-13, 0x1.ffcb54062e698p-17);
  const V p8 = Horner(d, f, 0x1.62bfd47773353p-20, 0x1.b675bca4eeebbp-24,
                      0x1.e6063f7217bc6p-28);
  const V f2 = hn::Mul(f, f);
  const V p4to10 = hn::MulAdd(hn::MulAdd(p8, f2, p6), f2, p4);
  const V p = hn::MulAdd(hn::MulAdd(p4to10, f2, p2), f2, p0);
  return hn::Mul(p, PowerOf2(d, shifted));
}

/// Whether numbers are whole and odd. Numbers from 2^53 on are even, and so is
/// infinity.
template <class D, class V>
HWY_INLINE hn::Mask<D> AreOdd(D d, V y) {
  const V half = hn::Mul(y, hn::Set(d, 0.5));
  return hn::And(hn::Eq(hn::Trunc(y), y), hn::Ne(hn::Trunc(half), half));
}

/// The results of C's pow for any lanes, where `power` is that of numbers
/// without a sign.
template <class D, class V>
HWY_INLINE V WithSpecialValues(D d, V x, V y, V y_lo, V power) {
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  const V size = hn::Abs(x);
  const auto infinite = hn::Eq(size, hn::Inf(d));
  const V edge = hn::IfThenElse(hn::Lt(y, zero), hn::Div(one, size), size);
  V z = hn::IfThenElse(hn::Or(infinite, hn::Eq(size, zero)), edge, power);
  const auto odd = hn::Xor(AreOdd(d, y), AreOdd(d, y_lo));
  z = hn::Xor(z, hn::IfThenElseZero(odd, hn::And(x, hn::SignBit(d))));
  const auto real = hn::Or(infinite, hn::Eq(hn::Trunc(y), y));
  const V no_number =
      hn::Set(d, std::numeric_limits<hn::TFromD<D>>::quiet_NaN());
  z = hn::IfThenElse(hn::AndNot(real, hn::Lt(x, zero)), no_number, z);
  // Which NaN comes depends on nothing but the two numbers.
  const V nan = hn::IfThenElse(hn::IsNaN(x), x, y);
  z = hn::IfThenElse(hn::IsEitherNaN(x, y), hn::Add(nan, nan), z);
  return hn::IfThenElse(hn::Or(hn::Eq(x, one), hn::Eq(y, zero)), one, z);
}

}  // namespace pow_detail

/// x^(y + y_lo), where y_lo is not 0 only for a whole number y + y_lo below
/// 2^65. Without kFine, x is a float, and the result is to be rounded to one.
/// Out of line: the code is long, and stands in each loop several times.
template <bool kFine, class D, class V = hn::VFromD<D>>
HWY_NOINLINE static V Power(V x, V y, V y_lo) {
  const D d;
  const V least = hn::Set(d, std::numeric_limits<double>::min());
  const V most = hn::Set(d, std::numeric_limits<double>::max());
  const V most_y = hn::Set(d, 0x1p65);
  const auto ordinary = hn::And(hn::And(hn::Ge(x, least), hn::Le(x, most)),
                                hn::Le(hn::Abs(y), most_y));
  const bool all_ordinary = hn::AllTrue(d, ordinary);
  V base = x;
  V exponent = y;
  V more = hn::Zero(d);
  if (HWY_UNLIKELY(!all_ordinary)) {
    base = hn::Abs(x);
    if constexpr (kFine) {
      const auto small = hn::Lt(base, least);
      base = hn::MaskedMulOr(base, small, base, hn::Set(d, 0x1p54));
      more = hn::IfThenElseZero(small, hn::Set(d, -54));
    }
    const auto number = hn::And(hn::Ge(base, least), hn::Le(base, most));
    base = hn::IfThenElse(number, base, hn::Set(d, 1.0));
    exponent = hn::IfThenZeroElse(hn::IsNaN(y), exponent);
    exponent = hn::Max(hn::Neg(most_y), hn::Min(exponent, most_y));
  }
  V power;
  if constexpr (kFine) {
    power = pow_detail::FinePower(d, base, more, exponent, y_lo);
  } else {
    power = pow_detail::CoarsePower(d, base, exponent);
  }
  const V square = hn::Mul(x, x);
  power = hn::IfThenElse(hn::Eq(y, hn::Set(d, 2)), square, power);
  if constexpr (!kFine) {
    const V cube = hn::Mul(square, hn::Abs(x));
    power = hn::IfThenElse(hn::Eq(y, hn::Set(d, 3)), cube, power);
  }
  if (HWY_LIKELY(all_ordinary)) return power;
  return pow_detail::WithSpecialValues(d, x, y, y_lo, power);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_POW_INL_H_
