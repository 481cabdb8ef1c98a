// SPDX-License-Identifier: Apache-2.0
//
// What results that are rounded once are made of: float lanes computed as
// doubles, errors of sums and products, sums that are rounded to odd.

#if defined(LANEWISE_KERNELS_EXACTLY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXACTLY_INL_H_
#undef LANEWISE_KERNELS_EXACTLY_INL_H_
#else
#define LANEWISE_KERNELS_EXACTLY_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// x, at least `low` and at most `high`. A NaN stays, and so does -0 where
/// `low` is 0.
template <class D, class V>
HWY_INLINE V ClampNumbers(D d, V x, hn::TFromD<D> low, hn::TFromD<D> high) {
  const V least = hn::Set(d, low);
  const V most = hn::Set(d, high);
#if HWY_ARCH_X86
  // Both return their second operand if either is a NaN, or if both are zeros.
  return hn::Max(least, hn::Min(most, x));
#else
  x = hn::IfThenElse(hn::Gt(x, most), most, x);
  return hn::IfThenElse(hn::Lt(x, least), least, x);
#endif
}

/// y with the sign of x, which y has unless y is a zero.
template <class D, class V>
HWY_INLINE V WithSignOf(D d, V y, V x) {
  return hn::Or(y, hn::And(hn::SignBit(d), x));
}

/// fn(dd, v) of both halves of a float vector as doubles, rounded to floats.
template <class D, class V, class Fn>
HWY_INLINE V ThroughDoubles(D d, V x, const Fn& fn) {
  const hn::RepartitionToWide<D> dd;
  const hn::Half<D> half;
  const auto lower = fn(dd, hn::PromoteLowerTo(dd, x));
  const auto upper = fn(dd, hn::PromoteUpperTo(dd, x));
  return hn::Combine(d, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
}

/// a + b - sum, where `sum` is a + b rounded. To nearest, the error is exact;
/// in every other rounding mode it has the right sign, and is 0 only if the sum
/// is exact. NaN where the sum is not finite.
template <class V>
HWY_INLINE V SumError(V a, V b, V sum) {
  const V of_b = hn::Sub(sum, a);
  const V of_a = hn::Sub(sum, of_b);
  return hn::Add(hn::Sub(a, of_a), hn::Sub(b, of_b));
}

/// A result with a given error, rounded to odd instead: of the two neighbours
/// of an exact result, the one whose last bit is 1. Such a number, rounded to a
/// format that is at least two bits shorter, gives what the exact result gives,
/// in any rounding mode. Of the error only the sign counts.
template <class D, class V>
HWY_INLINE V ToOdd(D d, V rounded, V error) {
  const hn::RebindToSigned<D> di;
  using TI = hn::TFromD<decltype(di)>;
  // False for NaN.
  const auto is_inexact = hn::Gt(hn::Abs(error), hn::Zero(d));
  const auto inexact = hn::VecFromMask(di, hn::RebindMask(di, is_inexact));
  const auto bits = hn::BitCast(di, rounded);
  // -1 where the exact result is nearer to 0 than the rounded one.
  const auto nearer = hn::And(
      inexact, hn::BroadcastSignBit(hn::Xor(bits, hn::BitCast(di, error))));
  const auto odd = hn::And(inexact, hn::Set(di, TI{1}));
  return hn::BitCast(d, hn::Or(hn::Add(bits, nearer), odd));
}

/// a + b, rounded to odd.
template <class D, class V>
HWY_INLINE V AddToOdd(D d, V a, V b) {
  const V sum = hn::Add(a, b);
  return ToOdd(d, sum, SumError(a, b, sum));
}

/// What the exact product of a and b has more than `product`, the rounded one.
/// Without FMA, no part of the product may be subnormal, and no operand so
/// large that 2^27 times it overflows.
template <class D, class V>
HWY_INLINE V ProductError(D d, V a, V b, V product) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulSub(a, b, product);
#else
  // T. J. Dekker: halves of 12 or 26 bits, whose products are exact.
  constexpr bool kDouble = sizeof(hn::TFromD<D>) == 8;
  const V split = hn::Set(d, kDouble ? 0x8000001 : 0x1001);
  const V a_split = hn::Mul(a, split);
  const V b_split = hn::Mul(b, split);
  const V a_hi = hn::Sub(a_split, hn::Sub(a_split, a));
  const V b_hi = hn::Sub(b_split, hn::Sub(b_split, b));
  const V a_lo = hn::Sub(a, a_hi);
  const V b_lo = hn::Sub(b, b_hi);
  const V high = hn::Sub(hn::Mul(a_hi, b_hi), product);
  const V middle = hn::Add(hn::Mul(a_hi, b_lo), hn::Mul(a_lo, b_hi));
  return hn::Add(hn::Add(high, middle), hn::Mul(a_lo, b_lo));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXACTLY_INL_H_
