// SPDX-License-Identifier: Apache-2.0
//
// log(x) and log(1 + x) for float and double lanes.
//
// Method: x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), and log(x) =
// k*ln2 + f - f^2/2 + ... The sum of k*ln2 and f is kept in two lanes, hi and
// lo, and all that is small is added to lo. So hi + lo is rounded once, and
// close to x = 1, where k is 0, hi is f, which is exact.
//   float: f - f^2/2 + f^3 P(f), P of degree 7.
//   double: s = f / (2 + f), f - f^2/2 + s (f^2/2 + R(s^2)), R of degree 7.
// log(1 + x) takes 1 + x, rounded, and puts into f what the rounding lost.
//
// Coefficients: by Remez's exchange in 200 bits, for the least error relative
// to log(1 + f), over the range of f and a little more. The lowest coefficient
// was rounded first and the others fitted anew, one by one. The errors are
// 2^-27.3 (float) and 2^-59.4 (double).
//
// Largest errors found: log 0.93 ULP (float), 0.86 ULP (double). log_test and
// softplus_test compute all floats and many doubles, on every instruction set.
// The bounds hold for round to nearest, which to_nearest-inl.h sets.

#include <limits>

#include "hwy/highway.h"
#include "kernels/exponential/exp_constants.h"
#include "kernels/quiet-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXPONENTIAL_LOG_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_LOG_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_LOG_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_LOG_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace log_detail {

/// The bits of sqrt(1/2), or a little less.
template <typename T>
constexpr hwy::MakeUnsigned<T> LeastBits() {
  if constexpr (sizeof(T) == 4) return 0x3F3504F3;
  if constexpr (sizeof(T) == 8) return 0x3FE6A09E667F3BCC;
}

/// x = 2^k (1 + f) for a positive normal number x. Exact.
template <class D, class V>
HWY_INLINE void Split(D d, V x, V& k, V& f) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  using TU = hn::TFromD<decltype(du)>;
  constexpr int kMantissaBits = hwy::MantissaBits<T>();
  constexpr T kBias = ExpConstants<T>::kBias;
  const auto one = hn::BitCast(du, hn::Set(d, T{1}));
  const auto least = hn::Set(du, LeastBits<T>());
  const auto bits = hn::Add(hn::BitCast(du, x), hn::Sub(one, least));
  // The exponent as the low bits of a number whose last place is 1.
  const T end = hwy::MantissaEnd<T>();
  const auto exponent = hn::Or(hn::ShiftRight<kMantissaBits>(bits),
                               hn::BitCast(du, hn::Set(d, end)));
  k = hn::Sub(hn::BitCast(d, exponent), hn::Set(d, end + kBias));
  const auto mantissa = hn::Set(du, (TU{1} << kMantissaBits) - 1);
  const auto m = hn::Add(hn::And(bits, mantissa), least);
  f = hn::Sub(hn::BitCast(d, m), hn::Set(d, T{1}));
}

/// 2^-k. The bits are those of 0 where k is 127 (double: 1023).
template <class D, class V>
HWY_INLINE V InversePow2(D d, V k) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  constexpr T kFirst = hwy::MantissaEnd<T>() + ExpConstants<T>::kBias;
  const V exponent = hn::Sub(hn::Set(d, kFirst), k);
  return hn::BitCast(
      d, hn::ShiftLeft<hwy::MantissaBits<T>()>(hn::BitCast(du, exponent)));
}

// c0 + c1 r + c2 r^2 + ...
template <class D, class V>
HWY_INLINE V Poly(D d, V /*r*/, hn::TFromD<D> c0) {
  return hn::Set(d, c0);
}
template <class D, class V, class... T>
HWY_INLINE V Poly(D d, V r, hn::TFromD<D> c0, T... rest) {
  return quiet::MulAdd(Poly(d, r, rest...), r, hn::Set(d, c0));
}

/// log(1 + f) - f + more, for 1 + f in [sqrt(1/2), sqrt(2)).
template <class D, class V>
HWY_INLINE V BeyondF(D d, V f, V more) {
  const V f2 = quiet::Mul(f, f);
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const V s = quiet::Div(f, quiet::Add(f, hn::Set(d, 2)));
    const V z = quiet::Mul(s, s);
    const V z2 = quiet::Mul(z, z);
    const V odd = Poly(d, z2, 0x1.5555555555592p-1, 0x1.24924941e155ep-2,
                       0x1.74663ced8a4bcp-3, 0x1.2f03ba833c2d3p-3);
    const V even = Poly(d, z2, 0x1.999999997ff19p-2, 0x1.c71c521450b42p-3,
                        0x1.39a1e8c3b4657p-3);
    const V r = quiet::Mul(quiet::MulAdd(even, z, odd), z);
    const V half = quiet::Mul(f2, hn::Set(d, 0.5));
    const V sum = quiet::MulAdd(s, quiet::Add(half, r), more);
    return quiet::Sub(sum, half);
  } else {
    const V p0 = Poly(d, f, 0x1.555554p-2f, -0x1.000228p-2f);
    const V p2 = Poly(d, f, 0x1.99a034p-3f, -0x1.547234p-3f);
    const V p4 = Poly(d, f, 0x1.22d684p-3f, -0x1.0d81fp-3f);
    const V p6 = Poly(d, f, 0x1.05712ep-3f, -0x1.38fb8cp-4f);
    const V p4to7 = quiet::MulAdd(p6, f2, p4);
    const V p0to7 = quiet::MulAdd(quiet::MulAdd(p4to7, f2, p2), f2, p0);
    const V p = quiet::MulAdd(p0to7, f, hn::Set(d, -0.5f));
    return quiet::MulAdd(f2, p, more);
  }
}

/// hi + lo = k ln2 + log(1 + f + f_lo), where f_lo is far smaller than f. |hi|
/// is not smaller than |lo|.
template <class D, class V>
HWY_INLINE void Sum(D d, V k, V f, V f_lo, V& hi, V& lo) {
  using C = ExpConstants<hn::TFromD<D>>;
  const V k_ln2 = hn::Mul(k, hn::Set(d, C::kLn2Hi));  // exact
  hi = quiet::Add(k_ln2, f);
  const V lost =
      hn::Add(hn::Sub(k_ln2, hi), f);  // exact: k_ln2 is 0, or larger
  const V more =
      quiet::MulAdd(k, hn::Set(d, C::kLn2Lo), quiet::Add(lost, f_lo));
  lo = BeyondF(d, f, more);
}

template <class D>
HWY_INLINE hn::Vec<D> QuietNaN(D d) {
  return hn::Set(d, std::numeric_limits<hn::TFromD<D>>::quiet_NaN());
}

}  // namespace log_detail

/// hi + lo = log(1 + x + x_lo) for finite x above -1, where x_lo is at most
/// half an ULP of x: for a caller who adds to the result, and rounds once.
template <class D, class V>
HWY_INLINE void Log1pPair(D d, V x, V x_lo, V& hi, V& lo) {
  const V one = hn::Set(d, hn::TFromD<D>{1});
  const V sum = quiet::Add(x, one);
  // Off by little where x is so large that 1 hardly counts.
  const V lost = quiet::Sub(x, quiet::Sub(sum, one));
  V k;
  V high;
  log_detail::Split(d, sum, k, high);
  // lost / 2^k, where `lost` is 0 if 2^-k is no normal number.
  const V scale = log_detail::InversePow2(d, k);
  const V low = quiet::Mul(lost, scale);
  const V f = quiet::Add(high, low);
  // The first two sums are exact. The factor is about 1 / (1 + f).
  const V lower = quiet::MulAdd(x_lo, scale, hn::Add(hn::Sub(high, f), low));
  const V f_lo = quiet::NegMulAdd(lower, f, lower);
  log_detail::Sum(d, k, f, f_lo, hi, lo);
}

/// log(1 + x) for finite x above -1. -0.0 stays.
template <class D, class V>
HWY_INLINE V Log1p(D d, V x) {
  V hi;
  V lo;
  Log1pPair(d, x, hn::Zero(d), hi, lo);
  return hn::CopySign(quiet::Add(hi, lo), x);
}

/// Whether LogOfNormal may be used for these vectors: all lanes are positive
/// normal numbers.
template <class D, class V>
HWY_INLINE hn::Mask<D> ArePositiveNormal(D d, V x) {
  using T = hn::TFromD<D>;
  return hn::And(hn::Ge(x, hn::Set(d, std::numeric_limits<T>::min())),
                 hn::Le(x, hn::Set(d, std::numeric_limits<T>::max())));
}
template <class D, class V, class... More>
HWY_INLINE hn::Mask<D> ArePositiveNormal(D d, V x, More... more) {
  return hn::And(ArePositiveNormal(d, x), ArePositiveNormal(d, more...));
}

/// The same bits as Log.
template <class D, class V>
HWY_INLINE V LogOfNormal(D d, V x) {
  V k;
  V f;
  V hi;
  V lo;
  log_detail::Split(d, x, k, f);
  log_detail::Sum(d, k, f, hn::Zero(d), hi, lo);
  return quiet::Add(hi, lo);
}

/// Any lanes: NaN -> NaN, +-0 -> -inf, below 0 -> NaN, +inf -> +inf. 0 and 1
/// raise no flag. Subnormal numbers count as what they are, also under DAZ.
template <class D, class V>
HWY_INLINE V Log(D d, V x) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  const auto small = hn::Lt(x, hn::Set(d, std::numeric_limits<T>::min()));
  // x * 2^kRaise for subnormal numbers, whose bits are that number.
  constexpr T kRaise = hwy::MantissaBits<T>() + ExpConstants<T>::kBias - 1;
  const V end = hn::Set(d, hwy::MantissaEnd<T>());
  const V raised = hn::Sub(hn::Or(hn::IfThenElseZero(small, x), end), end);
  const V number = hn::IfThenElse(small, raised, x);
  const auto ordinary = ArePositiveNormal(d, number);
  V k;
  V f;
  V hi;
  V lo;
  log_detail::Split(d, hn::IfThenElse(ordinary, number, hn::Set(d, T{1})), k,
                    f);
  k = hn::Sub(k,
              hn::IfThenElseZero(hn::And(small, ordinary), hn::Set(d, kRaise)));
  log_detail::Sum(d, k, f, hn::Zero(d), hi, lo);
  const auto bits = hn::BitCast(du, x);
  const auto zero =
      hn::RebindMask(d, hn::Eq(hn::Add(bits, bits), hn::Zero(du)));
  const V other =
      hn::IfNegativeThenElse(x, log_detail::QuietNaN(d), hn::Add(x, x));
  return hn::IfThenElse(ordinary, quiet::Add(hi, lo),
                        hn::IfThenElse(zero, hn::Neg(hn::Inf(d)), other));
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_LOG_INL_H_
