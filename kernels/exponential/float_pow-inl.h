// SPDX-License-Identifier: Apache-2.0
//
// x^y in float lanes, on x86 with FMA and permutations of whole vectors.
//
// Method: x = 2^k m, and m times a reciprocal of a table is 1 + r + r_lo, with
// |r| <= 1/16. t = y (k + log2(m)), and 2^t = 2^n 2^f, where n has the fraction
// that a table of exp-inl.h takes. An error of the logarithm counts y times, so
// the logarithm is a sum of two words:
//   log2(1 + r) = w (1 - r/2 + r^2 R(r)) with w = r log2(e)
// The steps of k - log2(reciprocal) + w - w r/2 keep their rounding errors, and
// the other terms are small. Where x is near 1, the logarithm is near 0, and
// the reciprocal is 1. The two neighbours of that reciprocal make r small on
// their sides near 1.
//
// Coefficients: fitted as those of erf-inl.h, R within 2^-35 of the logarithm,
// 2^f within 2^-32. The largest error found is 0.84 ULP, for x near 1.06 and
// results at the ends of the range; for other x, 0.58 ULP.

#include "hwy/highway.h"
#include "kernels/exponential/log-inl.h"
#include "kernels/exponential/pow-inl.h"
#include "kernels/pieces-inl.h"
#include "kernels/polynomial-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXPONENTIAL_FLOAT_POW_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_FLOAT_POW_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_FLOAT_POW_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_FLOAT_POW_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace float_pow {

/// The reciprocals, and the negative logarithms of these in two words. The sum
/// of k and a first word is exact.
constexpr Pieces<3> kTable{
    {{0x1.555556p0f, 0x1.3b13b2p0f, 0x1.24924ap0f, 0x1.0d7944p0f, 0x1p0f,
      0x1.c9c184p-1f, 0x1.99999ap-1f, 0x1.745d18p-1f},
     {-0x1.a9p-2f, -0x1.32cp-2f, -0x1.8a88p-3f, -0x1.2f2p-4f, 0x0p0f,
      0x1.4aep-3f, 0x1.49a8p-2f, 0x1.d674p-2f},
     {0x1.98151ap-20f, 0x1.c5b3bep-23f, -0x1.8953f6p-19f, 0x1.2d94dep-18f,
      0x0p0f, 0x1.5d63d6p-18f, -0x1.f2d20ap-20f, 0x1.3b2086p-18f}}};
constexpr float kLog2E = 0x1.715476p0f, kLog2ELo = 0x1.4ae0cp-26f;
/// -2 R
constexpr float kR[] = {-0x1.555556p-1f, 0x1.ffff74p-2f, -0x1.9995e2p-2f,
                        0x1.56e20ap-2f, -0x1.27d60cp-2f};
/// (2^f - 1) / f
constexpr float kExp2[] = {0x1.62e43p-1f, 0x1.ebfbep-3f, 0x1.c6b8fap-5f,
                           0x1.3b2ecep-7f};

/// log2(x) = hi + lo for a positive normal number x.
template <class D, class V>
HWY_INLINE V Log2InTwoWords(D d, V x, V& lo) {
  const hn::RebindToSigned<D> di;
  using pow_detail::QuickSum;
  const auto bits = hn::BitCast(di, x);
  const auto least = hn::Set(di, 0x3F380000);  // the bits of 0.71875
  const auto above = hn::Sub(bits, least);
  const auto exponent = hn::And(above, hn::Set(di, ~0x7FFFFF));  // 2^23 k
  const V m = hn::BitCast(d, hn::Sub(bits, exponent));
  const V piece = hn::BitCast(d, hn::ShiftRight<20>(above));

  const V inverse = kTable.Pick(d, 0, piece);
  const V product = hn::Mul(m, inverse);
  const V r_lo = hn::MulSub(m, inverse, product);
  const V r = hn::Sub(product, hn::Set(d, 1));  // exact
  const V log2e = hn::Set(d, kLog2E);
  const V half = hn::Mul(r, hn::Set(d, -0.5f));
  const V w = hn::Mul(r, log2e);
  const V curve = hn::Mul(w, half);
  // The smallest first, so that lo is rounded seldom when it is large.
  lo = hn::MulAdd(r, hn::Set(d, kLog2ELo), hn::MulSub(r, log2e, w));
  lo = hn::MulAdd(lo, half, lo);
  const V part = hn::NegMulAdd(r, hn::NegMulAdd(r, r_lo, r_lo), r_lo);
  lo = hn::MulAdd(part, log2e, lo);
  lo = hn::Add(lo, hn::MulSub(w, half, curve));
  const V first = hn::MulAdd(hn::ConvertTo(d, exponent), hn::Set(d, 0x1p-23f),
                             kTable.Pick(d, 1, piece));
  V lost;
  const V line = QuickSum(first, w, lost);
  lo = hn::Add(lo, lost);
  const V hi = QuickSum(line, curve, lost);
  lo = hn::Add(lo, lost);
  lo = hn::Add(lo, kTable.Pick(d, 2, piece));
  lo = hn::MulAdd(Polynomial(d, r, kR), hn::Mul(curve, r), lo);
  return hi;
}

/// x^y for a positive normal number x: in the lanes of `is_near`, where the
/// result is surely a normal number. Not x^2 and x^3, which are products.
template <class D, class V>
HWY_INLINE V Power(D d, V x, V y, hn::Mask<D>& is_near) {
  V lo;
  const V hi = Log2InTwoWords(d, x, lo);
  const V t = hn::Mul(y, hi);
  const V t_lo = hn::MulAdd(y, lo, hn::MulSub(y, hi, t));
  const V sum = hn::Add(t, t_lo);
  is_near = hn::Lt(hn::Abs(sum), hn::Set(d, 126));  // no NaN
  is_near = hn::And(is_near, hn::Ne(y, hn::Set(d, 2)));
  is_near = hn::And(is_near, hn::Ne(y, hn::Set(d, 3)));
  using C = ExpConstants<float>;
  constexpr int kBits = exp_detail::TableBits<D>();
  constexpr auto kNormal = exp_detail::Range::kNormal;
  const V magic = hn::Set(d, exp_detail::kMagic<kBits, kNormal, float>);
  const V shifted = hn::Add(sum, magic);
  const V n = hn::Sub(shifted, magic);
  const V f = hn::Add(hn::Sub(t, n), t_lo);
  const V eps =
      exp_detail::Lookup<kBits>(d, kBits == 4 ? C::kEps : C::kEps8, shifted);
  const V q = hn::MulAdd(Polynomial(d, f, kExp2), f, eps);
  return exp_detail::MulTablePow2<kBits, kNormal>(d, q, shifted, n, x);
}

/// The same results for any lanes, where those of `is_usual` have them in z.
/// Subnormal numbers, and results that may be none, are computed by `careful`.
template <class D, class V, class Careful>
HWY_NOINLINE static V AnyPower(D d, V x, V y, V z, hn::Mask<D> is_usual,
                               Careful careful) {
  if (hn::AllTrue(d, hn::Gt(x, hn::Zero(d)))) {
    return hn::IfThenElse(is_usual, z, careful(d, x, y));
  }
  const V size = hn::Abs(x);
  const auto is_number = ArePositiveNormal(d, size);
  hn::Mask<D> is_near;
  const V base = hn::IfThenElse(is_number, size, hn::Set(d, 1));
  const V power = Power(d, base, y, is_near);
  z = pow_detail::WithSpecialValues(d, x, y, hn::Zero(d), power);
  const auto is_edge =
      hn::Or(hn::Eq(size, hn::Zero(d)), hn::Eq(size, hn::Inf(d)));
  const auto is_right = hn::And(is_near, hn::Or(is_number, is_edge));
  if (hn::AllTrue(d, is_right)) return z;
  return hn::IfThenElse(is_right, z, careful(d, x, y));
}

}  // namespace float_pow

/// x^y in float lanes. `Careful` is the functor for all other lanes.
template <class Careful>
struct PowInFloats {
  using T = float;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V y) const {
    hn::Mask<D> is_near;
    const V z = float_pow::Power(d, x, y, is_near);
    const auto is_usual = hn::And(ArePositiveNormal(d, x), is_near);
    if (HWY_LIKELY(hn::AllTrue(d, is_usual))) return z;
    return float_pow::AnyPower(d, x, y, z, is_usual, Careful());
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_FLOAT_POW_INL_H_
