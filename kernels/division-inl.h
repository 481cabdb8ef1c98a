// SPDX-License-Identifier: Apache-2.0
//
// Correctly rounded float division by multiplication, for where the divider is
// the limit (AVX-512: 14 bits of reciprocal and FMA): beside it or instead. And
// for 16-bit results, which need less.
//
// Let y be near 1 / b, e = 1 - b * y, q near a / b and r = a - b * q; p is the
// number of bits, all sums are fused. Rounded to nearest:
//  - y + y * e is 1 / b with a relative error of e^2 before it is rounded. The
//    reciprocal of a p-bit integer B that is no power of 2 is at least 2^-2p
//    away from where rounding turns over, and nearer than 2 * 2^-2p only if
//    B divides 2^2p + 1 or 2^2p - 1. After the last but one step y is within
//    0.63 ulp, so that e^2 < 1.6 * 2^-2p: only such B can go wrong. In float64
//    there are two, in float32 31; tests/kernels/*_hard_test.cc have them all.
//    Wrong is 2^p - 1 alone, whose y comes out as a power of 2.
//  - If y is 1 / b rounded, and q within an ulp, then r is exact and q + r * y
//    rounds to a / b rounded (Markstein; Handbook of Floating-Point
//    Arithmetic, 4.7). Before its last step q is within 0.51 ulp.
// No step may leave the normal numbers: operands far from 1 are not taken. And
// all of this is for the default environment only; flags are not IEEE's.

#if defined(LANEWISE_KERNELS_DIVISION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_INL_H_
#undef LANEWISE_KERNELS_DIVISION_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/float16-inl.h"

// Whether division by multiplication is there, and pays; and reciprocals alone,
// for 16-bit results.
#ifdef LANEWISE_MULTIPLIES
#undef LANEWISE_MULTIPLIES
#undef LANEWISE_MULTIPLIES_FOR_16
#endif
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
#define LANEWISE_MULTIPLIES 1
#else
#define LANEWISE_MULTIPLIES 0
#endif
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
#define LANEWISE_MULTIPLIES_FOR_16 1
#else
#define LANEWISE_MULTIPLIES_FOR_16 0
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whose magnitude is no good for a division: not between 2^-61 and 2^61 in
/// float32, 2^-500 and 2^500 in float64.
template <class D, class V>
HWY_INLINE hn::Mask<D> FarFromOne(D d, V v) {
  using T = hn::TFromD<D>;
  const hn::RebindToSigned<D> di;
  using TI = hn::TFromD<decltype(di)>;
  constexpr TI kOne = static_cast<TI>(hwy::MaxExponentField<T>() / 2)
                      << hwy::MantissaBits<T>();
  constexpr TI kSpan = TI{sizeof(T) == 4 ? 61 : 500} << hwy::MantissaBits<T>();
  return hn::RebindMask(
      d, Outside(di, hn::BitCast(di, v), kOne - kSpan, kOne + kSpan));
}

template <class D, class V>
HWY_INLINE V NewtonStep(D d, V b, V y) {
  const V e = hn::NegMulAdd(b, y, hn::Set(d, hn::TFromD<D>{1}));
  return hn::MulAdd(y, e, y);
}

template <class D, class V>
HWY_INLINE V QuotientStep(D /*d*/, V a, V b, V y, V q) {
  return hn::MulAdd(hn::NegMulAdd(b, q, a), y, q);
}

constexpr int16_t PowerOfTwoAsBF16(int exponent) {
  return static_cast<int16_t>((127 + exponent) << 7);
}

/// The dividends and divisors, as the bits of bfloat16, of quotients that are
/// normal. Dividends may be zero.
template <class DI, class VI>
HWY_INLINE hn::Mask<DI> RefuseDivisorBF16(DI di, VI b) {
  return Outside(di, b, PowerOfTwoAsBF16(-61), PowerOfTwoAsBF16(61));
}
template <class DI, class VI>
HWY_INLINE hn::Mask<DI> RefuseDividendBF16(DI di, VI a) {
  const auto not_zero = hn::Ne(hn::Add(a, a), hn::Zero(di));
  return hn::And(not_zero, RefuseDivisorBF16(di, a));
}

/// Their quotient in float32 before it is rounded to bfloat16, with y = 1 / b
/// within 2^-23: wrong by less than 2^-22, and never nearer than 2^-17 to
/// halfway between two bfloat16.
template <class DF, class VF>
HWY_INLINE VF QuotientForBF16(DF /*df*/, VF a, VF y) {
  return hn::Mul(a, y);
}

#if LANEWISE_MULTIPLIES

/// 1 / b within 0.63 ulp.
template <class D, class V>
HWY_INLINE V NearReciprocal(D d, V b) {
  const V y = NewtonStep(d, b, hn::ApproximateReciprocal(b));
  return sizeof(hn::TFromD<D>) == 8 ? NewtonStep(d, b, y) : y;
}

template <class D, class V>
HWY_INLINE hn::Mask<D> IsPowerOf2(D d, V y) {
  using TU = hwy::MakeUnsigned<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  constexpr TU kMantissa = (TU{1} << hwy::MantissaBits<hn::TFromD<D>>()) - 1;
  return hn::RebindMask(
      d, hn::Eq(hn::And(hn::BitCast(du, y), hn::Set(du, kMantissa)),
                hn::Zero(du)));
}

/// y = 1 / b; false if that is not sure in all lanes.
template <class D, class V>
HWY_INLINE bool TryReciprocal(D d, V b, V& y) {
  y = NewtonStep(d, b, NearReciprocal(d, b));
  return hn::AllFalse(d, hn::Or(FarFromOne(d, b), IsPowerOf2(d, y)));
}

/// q = a / b, with y = 1 / b rounded and `near` within 0.63 ulp of that; false
/// if it is not sure in all lanes. Zeros are taken, as 0 * y has the right
/// sign.
template <class D, class V>
HWY_INLINE bool TryQuotient(D d, V a, V b, V near, V y, V& q) {
  const auto not_zero = hn::Ne(a, hn::Zero(d));
  q = hn::Mul(a, near);
  q = hn::IfThenElse(not_zero, QuotientStep(d, a, b, near, q), q);
  q = hn::IfThenElse(not_zero, QuotientStep(d, a, b, y, q), q);
  return hn::AllFalse(d, hn::And(not_zero, FarFromOne(d, a)));
}

template <class D, class V>
HWY_INLINE bool TryQuotient(D d, V a, V b, V& q) {
  const V near = NearReciprocal(d, b);
  const V y = NewtonStep(d, b, near);
  const bool good = TryQuotient(d, a, b, near, y, q);
  return hn::AllFalse(d, hn::Or(FarFromOne(d, b), IsPowerOf2(d, y))) && good;
}

/// The quotient of float16 lanes, which is a normal float32, before it is
/// rounded: wrong by 2^-28. It is halfway between two float16, and then exact
/// here, or at least 2^-23 away from that.
template <class DF, class VF>
HWY_INLINE VF QuotientFor16(DF df, VF a, VF b) {
  const VF y = hn::ApproximateReciprocal(b);
  const VF q = hn::Mul(a, y);
  const VF r = hn::NegMulAdd(b, q, a);
  // Nothing left, as of -0, or not a number: then q is right as it is.
  const auto number = hn::Gt(hn::Abs(r), hn::Zero(df));
  const VF refined = hn::IfThenElse(number, hn::MulAdd(r, y, q), q);
  // Of two NaNs the first, as a division has it; a product has no order.
  return hn::IfThenElse(hn::IsNaN(a), a, refined);
}

#endif  // LANEWISE_MULTIPLIES

#if LANEWISE_MULTIPLIES_FOR_16

/// A reciprocal in float32 before it is rounded to 16 bits: wrong by 0.82 *
/// 2^-22, if the approximation is by 1.5 * 2^-12. It is never halfway between
/// two 16-bit numbers, but at least 2^-22 away from that.
template <class DF, class VF>
HWY_INLINE VF ReciprocalFor16(DF df, VF b) {
  const VF y = hn::ApproximateReciprocal(b);
  const VF e = hn::NegMulAdd(b, y, hn::Set(df, 1.0f));
  // 0 * infinity: then y is right as it is.
  return hn::IfThenElse(hn::IsNaN(e), y, hn::MulAdd(y, e, y));
}
#endif  // LANEWISE_MULTIPLIES_FOR_16

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_INL_H_
