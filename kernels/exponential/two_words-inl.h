// SPDX-License-Identifier: Apache-2.0
//
// Numbers that are the sum of two lanes, for results that are rounded once: the
// errors of sums and products, and e^x.

#if defined(LANEWISE_KERNELS_EXPONENTIAL_TWO_WORDS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_TWO_WORDS_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_TWO_WORDS_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_TWO_WORDS_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/exactly-inl.h"
#include "kernels/exponential/exp-inl.h"
#include "kernels/exponential/exp_constants.h"
#include "kernels/quiet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace two_words {

/// a + b = sum + rest, where `sum` is rounded.
template <class V>
HWY_INLINE V Sum(V a, V b, V& rest) {
  const V sum = quiet::Add(a, b);
  const V of_b = quiet::Sub(sum, a);
  const V of_a = quiet::Sub(sum, of_b);
  rest = quiet::Add(quiet::Sub(a, of_a), quiet::Sub(b, of_b));
  return sum;
}

/// hi + lo rounded to nearest. With kToOdd, float lanes that are not the sum
/// get an odd last bit, so that a second rounding, to a 16-bit type, does no
/// harm.
template <bool kToOdd, class D, class V>
HWY_INLINE V Round(D d, V hi, V lo) {
  const V y = quiet::Add(hi, lo);
  if constexpr (!kToOdd) {
    return y;
  } else {
    const hn::RebindToSigned<D> di;
    const auto one = hn::Set(di, 1);
    const V rest = hn::Sub(lo, hn::Sub(y, hi));  // exact
    const auto bits = hn::BitCast(di, y);
    // To the neighbor on the other side of the sum: 1 up or down in magnitude.
    const auto step =
        hn::Or(hn::BroadcastSignBit(hn::BitCast(di, hn::Xor(rest, y))), one);
    const auto even = hn::Eq(hn::And(bits, one), hn::Zero(di));
    const auto inexact = hn::RebindMask(di, hn::Ne(rest, hn::Zero(d)));
    return hn::BitCast(
        d, hn::Add(bits, hn::IfThenElseZero(hn::And(even, inexact), step)));
  }
}

/// n, a whole number, is added to it.
template <class D>
HWY_INLINE hn::Vec<D> Magic(D d) {
  using exp_detail::Range;
  return hn::Set(d, exp_detail::kMagic<0, Range::kAny, hn::TFromD<D>>);
}

/// e^x as far as two lanes tell: 2^n (hi + lo), where `hi` lies between 0.7 and
/// 1.42, and lo is below an ULP of hi. The error is below a fifth of an ULP in
/// hi. n is in t, for InnerPow2.
template <class D, class V>
HWY_INLINE void ExpInTwoWords(D d, V x, V& hi, V& lo, V& t) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  const V magic = Magic(d);
  const V one = hn::Set(d, T{1});
  t = quiet::MulAdd(x, hn::Set(d, C::kLog2E), magic);
  const V n = hn::Sub(t, magic);
  // x = n ln2 + r - r_lo, where r is exact.
  const V r = quiet::NegMulAdd(n, hn::Set(d, C::kLn2Hi), x);
  const V r_lo = quiet::Mul(n, hn::Set(d, C::kLn2Lo));
  const V whole = quiet::Sub(r, r_lo);
  const V r2 = quiet::Mul(whole, whole);
  const V curve =
      quiet::Sub(quiet::Mul(exp_detail::LongPoly(d, whole, r2), r2), r_lo);
  const V q = quiet::Add(r, curve);
  const V q_lo = quiet::Sub(curve, quiet::Sub(q, r));
  hi = quiet::Add(one, q);
  // The sums before the last are exact.
  lo = quiet::Add(hn::Add(hn::Sub(one, hi), q), q_lo);
}

/// 2^n, or 2^-64 if n is less.
template <class D, class V>
HWY_INLINE V Pow2AtLeast64(D d, V t) {
  t = hn::Max(t, hn::Sub(Magic(d), hn::Set(d, 64)));
  return exp_detail::InnerPow2<0, exp_detail::Range::kNormal>(d, t, t);
}

/// 2^n y, which may be subnormal.
template <class D, class V>
HWY_INLINE V TimesPow2(D d, V y, V t) {
  const V outer = exp_detail::OuterPow2(d, hn::Sub(t, Magic(d)));
  const V inner =
      exp_detail::InnerPow2<0, exp_detail::Range::kAny>(d, t, outer);
  return quiet::Mul(quiet::Mul(y, inner), outer);
}

}  // namespace two_words
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_TWO_WORDS_INL_H_
