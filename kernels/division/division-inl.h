// SPDX-License-Identifier: Apache-2.0
//
// Correctly rounded float division by multiplication, for targets where the
// divider limits throughput. AVX-512 has a reciprocal approximation of 14 bits
// and FMA, so multiplication can assist the divider or replace it. Quotients
// and reciprocals for 16-bit results need fewer steps.
//
// Let y be near 1 / b, e = 1 - b * y, q near a / b and r = a - b * q; p is the
// number of significand bits, and all sums are fused. With rounding to nearest:
//  - y + y * e is 1 / b with a relative error of e^2 before rounding. Let B be
//    a p-bit integer that is not a power of 2. The distance of 1 / B from every
//    midpoint between two floats is at least 2^-2p, as a part of 1 / B, and
//    below 2 * 2^-2p only if B divides 2^2p + 1 or 2^2p - 1. Before the last
//    step y is within 0.63 ulp, so e^2 is below 1.6 * 2^-2p, and only such a B
//    can round wrongly. float64 has two of them, float32 has 31;
//    tests/kernels/*_hard_test.cc check them all. The only one that does round
//    wrongly is 2^p - 1, and then y is a power of 2.
//  - If y is 1 / b rounded, and q is within one ulp, then r is exact, and
//    q + r * y rounds to the correctly rounded a / b (Markstein; Handbook of
//    Floating-Point Arithmetic, 4.7). Before its last step q is within 0.51
//    ulp.
//  - Let h be 1 / b rounded, l be 1 / b - h rounded, and s be a * l rounded.
//    Then a * h + s rounds to the correctly rounded a / b for most b
//    (Brisebarre, Muller and Raina, 2004). For b = 1, l is 0. Take 1 < b < 2
//    and 1 <= a < 2. Then |l| <= 2^-(p+1), so that l has an error of at most
//    2^-(2p+2), s one of at most 2^-(2p+1), and the sum one below 2^-2p. For
//    a >= b, the distance of a / b from a midpoint m is |A * 2^p - M * B| / b
//    in units of 2^-(2p-1), with odd M: at least 2^-(2p-1) / b, which is above
//    2^-2p. For a < b the distance is k * 2^-2p / b, where the integer k is
//    even if B is even. If k > 1, the distance is above 2^-2p. If k may be 1,
//    the errors are known more closely: with u = 1 - b * h, which is exact, and
//    v = u - b * l, the error of l is |v| / b, which is multiplied by a < b;
//    and |a * l| < |u|, so that s has an error of at most 2^-(2p+2) if
//    |u| <= 2^-(p+1). If |v| and the error of s do not add up to less than
//    2^-2p / b, the sum is only the q of the step by Markstein, which takes two
//    more fused steps: for one b of ten.
// No step may leave the range of normal numbers, so operands far from 1 are
// refused. Only s may be subnormal, in float32: the error of s is then at most
// 2^-150, which is little, as a * h is above 2^-94. All this holds in the
// default floating-point environment only, and the exception flags are not the
// ones IEEE division raises.

#if defined(LANEWISE_KERNELS_DIVISION_DIVISION_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_DIVISION_INL_H_
#undef LANEWISE_KERNELS_DIVISION_DIVISION_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_DIVISION_INL_H_
#endif

#include <bit>

#include "hwy/highway.h"
#include "kernels/float16-inl.h"
#include "kernels/quiet-inl.h"

// Whether division by multiplication pays beside the divider: on Intel's
// AVX-512. The dividers of Zen 4 and 5 are quicker than the multiplications.
#define LANEWISE_MULTIPLIES (LANEWISE_QUIET && HWY_TARGET != HWY_AVX3_ZEN4)
// The same for reciprocals of float16, which need fewer steps.
#define LANEWISE_MULTIPLIES_FOR_F16 (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Jobs of up to this many elements are computed by plain divisions.
constexpr size_t kShortDivisions = 64;

/// The largest n for which the quotient of any two operands between 2^-n and
/// 2^n is a normal number: 63 in float32 and bfloat16, 511 in float64.
template <typename T>
constexpr int kMaxDivisionExponent =
    static_cast<int>(hwy::MaxExponentField<T>() / 4);

template <typename T>
constexpr T Pow2(int exponent) {
  using TU = hwy::MakeUnsigned<T>;
  constexpr int kBias = static_cast<int>(hwy::MaxExponentField<T>() / 2);
  const auto field = static_cast<TU>(kBias + exponent);
  return std::bit_cast<T>(static_cast<TU>(field << hwy::MantissaBits<T>()));
}

/// True in lanes whose magnitude is too far from 1 to divide by multiplication.
template <class D, class V>
HWY_INLINE hn::Mask<D> HasExtremeExponent(D d, V v) {
  using T = hn::TFromD<D>;
  const hn::RebindToSigned<D> di;
  using TI = hn::TFromD<decltype(di)>;
  constexpr TI kOne = static_cast<TI>(hwy::MaxExponentField<T>() / 2)
                      << hwy::MantissaBits<T>();
  constexpr TI kSpan = TI{kMaxDivisionExponent<T>} << hwy::MantissaBits<T>();
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

/// Lanes to refuse, because the quotient might not be a normal number. The
/// operands are the bits of bfloat16 lanes. Zero is accepted as a dividend.
template <class DI, class VI>
HWY_INLINE hn::Mask<DI> RefuseDivisorBF16(DI di, VI b) {
  constexpr int kMost = kMaxDivisionExponent<float>;
  return Outside(di, b, PowerOfTwoAsBF16(-kMost), PowerOfTwoAsBF16(kMost));
}
template <class DI, class VI>
HWY_INLINE hn::Mask<DI> RefuseDividendBF16(DI di, VI a) {
  const auto not_zero = hn::Ne(hn::Add(a, a), hn::Zero(di));
  return hn::And(not_zero, RefuseDivisorBF16(di, a));
}

/// a / b in float32, before it is rounded to bfloat16, with y = 1 / b within
/// 2^-23. The error is below 2^-22, and the exact quotient is never closer than
/// 2^-17 to the midpoint between two bfloat16 numbers.
template <class DF, class VF>
HWY_INLINE VF QuotientForBF16(DF /*df*/, VF a, VF y) {
  return hn::Mul(a, y);
}

#if LANEWISE_QUIET

/// 1 / |divisor| as a sum of two numbers.
template <typename T>
struct ReciprocalPair {
  T divisor;
  T sign;  // zero with the sign of the divisor
  T high;
  T low;
  bool rounds;  // whether the rounded sum of the products is the quotient
};

/// ReciprocalPair::rounds for a divisor of these bits: as above, with u and v.
template <typename T, typename TU = hwy::MakeUnsigned<T>>
HWY_INLINE bool PairRounds(TU bits, T high, T u, T v) {
  if (bits % 2 == 0) return true;
  constexpr int kDigits = hwy::MantissaBits<T>() + 1;
  const T power = hwy::BitCastScalar<T>(bits & hwy::ExponentMask<T>());
  const T error_of_s =
      hwy::ScalarAbs(u) <= Pow2<T>(-kDigits - 1) ? T{0.25} : T{0.5};
  // The last number allows for the rounding of `high`.
  return hwy::ScalarAbs(v) * Pow2<T>(2 * kDigits) <
         high * power - error_of_s - Pow2<T>(3 - kDigits);
}

/// Makes the pair of b. Returns false if b is so far from 1 that s could lose
/// bits that matter.
template <typename T>
HWY_INLINE bool MakeReciprocalPair(T b, ReciprocalPair<T>& pair) {
  using TU = hwy::MakeUnsigned<T>;
  constexpr int kMost = kMaxDivisionExponent<T> / 2;
  const TU bits = hwy::BitCastScalar<TU>(b) & ~hwy::SignMask<T>();
  const TU sign = hwy::BitCastScalar<TU>(b) ^ bits;
  const T size = hwy::BitCastScalar<T>(bits);
  // False for NaN.
  const bool is_near_1 = size >= Pow2<T>(-kMost) && size <= Pow2<T>(kMost);
  if (HWY_UNLIKELY(!is_near_1)) return false;
  const T high = 1 / size;
  // `product` minus the product of `size` and a factor, rounded once.
  const auto rest = [&](T factor, T product) HWY_ATTR {
    const hn::CappedTag<T, 1> d;
    return hn::GetLane(hn::NegMulAdd(hn::Set(d, size), hn::Set(d, factor),
                                     hn::Set(d, product)));
  };
  const T u = rest(high, T{1});
  const T low = u / size;
  const T v = rest(low, u);
  pair = {b, hwy::BitCastScalar<T>(sign), high, low,
          PairRounds(bits, high, u, v)};
  return true;
}

/// Whether all dividends are zeros or near enough to 1 for a pair. Bits are
/// compared: doubling drops the sign, and 0 - 1 is larger than any number.
template <class D, class V, class... More>
HWY_INLINE bool SuitPairs(D d, V a, More... more) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  const auto doubled = [&](V v) HWY_ATTR {
    const auto bits = hn::BitCast(du, v);
    return hn::Add(bits, bits);
  };
  const auto one = hn::Set(du, 1);
  auto most = doubled(a);
  auto least = hn::Sub(most, one);
  ((most = hn::Max(most, doubled(more))), ...);
  ((least = hn::Min(least, hn::Sub(doubled(more), one))), ...);
  constexpr int kMost = kMaxDivisionExponent<T>;
  return hn::AllTrue(
      du, hn::And(hn::Le(most, doubled(hn::Set(d, Pow2<T>(kMost)))),
                  hn::Ge(least,
                         hn::Sub(doubled(hn::Set(d, Pow2<T>(-kMost))), one))));
}

/// a / pair.divisor, for dividends that suit. `kRounds` is pair.rounds.
template <bool kRounds, class D, class V, typename T = hn::TFromD<D>>
HWY_INLINE V QuotientByPair(D d, V a, const ReciprocalPair<T>& pair) {
  const V x = hn::Xor(a, hn::Set(d, pair.sign));
  const V high = hn::Set(d, pair.high);
  V q = hn::MulAdd(x, high, hn::Mul(x, hn::Set(d, pair.low)));
  if constexpr (!kRounds) {
    const V size = hn::Abs(hn::Set(d, pair.divisor));
    q = QuotientStep(d, x, size, high, q);
  }
  return hn::OrAnd(q, x, hn::SignBit(d));  // zeros of both signs add up to +0
}

#endif  // LANEWISE_QUIET

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

/// Zero dividends are accepted, because 0 * y has the right sign.
template <class D, class V>
HWY_INLINE hn::Mask<D> IsExtremeDividend(D d, V a) {
  return hn::And(hn::Ne(a, hn::Zero(d)), HasExtremeExponent(d, a));
}

/// y = 1 / b. Returns false if any lane may be wrong.
template <class D, class V>
HWY_INLINE bool TryReciprocal(D d, V b, V& y) {
  y = NewtonStep(d, b, NearReciprocal(d, b));
  return hn::AllFalse(d, hn::Or(HasExtremeExponent(d, b), IsPowerOf2(d, y)));
}

/// a / b, where y is 1 / b rounded and `near` is within 0.63 ulp of 1 / b.
template <class D, class V>
HWY_INLINE V QuotientBy(D d, V a, V b, V near, V y) {
  const auto not_zero = hn::Ne(a, hn::Zero(d));
  V q = hn::Mul(a, near);
  q = hn::IfThenElse(not_zero, QuotientStep(d, a, b, near, q), q);
  return hn::IfThenElse(not_zero, QuotientStep(d, a, b, y, q), q);
}

/// q = a / b. Returns false if any lane may be wrong. Extreme operands are
/// looked for before anything is multiplied: with subnormals, Intel's CPUs take
/// as long for the multiplications as for the division that follows. (For
/// TryReciprocal that gains nothing.)
template <class D, class V>
HWY_INLINE bool TryQuotient(D d, V a, V b, V& q) {
  const auto extreme =
      hn::Or(IsExtremeDividend(d, a), HasExtremeExponent(d, b));
  if (HWY_UNLIKELY(!hn::AllFalse(d, extreme))) return false;
  const V near = NearReciprocal(d, b);
  const V y = NewtonStep(d, b, near);
  q = QuotientBy(d, a, b, near, y);
  return hn::AllFalse(d, IsPowerOf2(d, y));
}

/// a / b of float16 lanes, a normal float32, before it is rounded to float16.
/// The error is 2^-28. The exact quotient is either the midpoint between two
/// float16 numbers, and then this result is exact, or at least 2^-23 away from
/// every midpoint.
template <class DF, class VF>
HWY_INLINE VF QuotientFor16(DF df, VF a, VF b) {
  const VF y = hn::ApproximateReciprocal(b);
  const VF q = hn::Mul(a, y);
  const VF r = hn::NegMulAdd(b, q, a);
  // If r is 0 (as for a = -0) or NaN, q is already right.
  const auto number = hn::Gt(hn::Abs(r), hn::Zero(df));
  const VF refined = hn::IfThenElse(number, hn::MulAdd(r, y, q), q);
  // Of two NaNs, a division returns the first; a product might return either.
  return hn::IfThenElse(hn::IsNaN(a), a, refined);
}

#endif  // LANEWISE_MULTIPLIES

#if LANEWISE_MULTIPLIES_FOR_F16

/// 1 / b in float32 before it is rounded to 16 bits. The error is 0.82 * 2^-22
/// if the approximation's is 1.5 * 2^-12. The exact reciprocal is at least
/// 2^-22 away from every midpoint between two 16-bit numbers.
template <class DF, class VF>
HWY_INLINE VF ReciprocalFor16(DF df, VF b) {
  const VF y = hn::ApproximateReciprocal(b);
  const VF e = hn::NegMulAdd(b, y, hn::Set(df, 1.0f));
  // e is NaN from 0 * infinity; then y is already right.
  return hn::IfThenElse(hn::IsNaN(e), y, hn::MulAdd(y, e, y));
}
#endif  // LANEWISE_MULTIPLIES_FOR_F16

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_DIVISION_INL_H_
