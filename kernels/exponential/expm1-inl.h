// SPDX-License-Identifier: Apache-2.0
//
// e^z and e^z - 1 for z <= 0 as sums of two lanes, and what is made of them:
// quotients and products that are rounded once, at their end.
//
// Method: z = n*ln2 + r + r_lo with |r| <= ln2/2, where r is exact, and e^z =
// 2^n (1 + r + c) with c = r_lo + r^2 (1/2 + ...). The sums 2^n (1 + r + c) and
// (2^n - 1) + 2^n (r + c) keep what their rounding loses in a second lane, so
// that the errors are those of c: with FMA below 2^-27 of the result of float
// lanes, and 2^-56 of double lanes.
//
// Coefficients: of (e^r - 1 - r) / r^2, by Lawson's iteration in 160 bits for
// the least error relative to e^r - 1 on |r| <= 0.347. The lowest coefficient
// was rounded first and the others fitted anew, one by one. The errors are
// 2^-31.1 (float) and 2^-61.6 (double).
//
// The tests sigmoid_test, tanh_test and elu_test compute all 2^32 floats, all
// 16-bit floats, and millions of doubles, on every instruction set.
//
// The error bounds hold for round to nearest, which to_nearest-inl.h sets.

#include "hwy/highway.h"
#include "kernels/exponential/exp-inl.h"
#include "kernels/exponential/exp_constants.h"
#include "kernels/float16-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXPONENTIAL_EXPM1_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_EXPM1_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_EXPM1_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_EXPM1_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace expm1_detail {

/// The upper half of the bits of a lane: the product of two such is exact.
template <class D, class V>
HWY_INLINE V Upper(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  using TU = hn::TFromD<decltype(du)>;
  constexpr TU kMask = ~TU{0} << (sizeof(TU) == 8 ? 27 : 12);
  return hn::And(x, hn::BitCast(d, hn::Set(du, kMask)));
}

}  // namespace expm1_detail

/// What the exact product a * b has more than `product`, the rounded one.
template <class D, class V>
HWY_INLINE V LostInProduct(D d, V a, V b, V product) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulSub(a, b, product);
#else
  const V a_upper = expm1_detail::Upper(d, a);
  const V b_upper = expm1_detail::Upper(d, b);
  const V a_rest = hn::Sub(a, a_upper);
  const V b_rest = hn::Sub(b, b_upper);
  const V most = hn::Sub(hn::Mul(a_upper, b_upper), product);
  return hn::Add(hn::Add(hn::Add(most, hn::Mul(a_upper, b_rest)),
                         hn::Mul(a_rest, b_upper)),
                 hn::Mul(a_rest, b_rest));
#endif
}

namespace expm1_detail {

using exp_detail::Horner, exp_detail::InnerPow2;
constexpr exp_detail::Range kNormal = exp_detail::Range::kNormal;

/// (e^r - 1 - r) / r^2 for |r| <= 0.347.
template <class D, class V>
HWY_INLINE V Poly(D d, V r, V r2) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const V r4 = hn::Mul(r2, r2);
    const V p0 = Horner(d, r, 0.5, 0x1.5555555555559p-3);
    const V p2 = Horner(d, r, 0x1.5555555555557p-5, 0x1.111111110f647p-7);
    const V p4 = Horner(d, r, 0x1.6c16c16c156fp-10, 0x1.a01a01b00b695p-13);
    const V p6 = Horner(d, r, 0x1.a01a01ab60132p-16, 0x1.71ddf7f88e7fdp-19);
    const V p8 = Horner(d, r, 0x1.27e4d06fdee7p-22, 0x1.af5f566f7ea83p-26,
                        0x1.1f85604ca2601p-29);
    const V p4to10 = hn::MulAdd(hn::MulAdd(p8, r2, p6), r2, p4);
    return hn::MulAdd(p4to10, r4, hn::MulAdd(p2, r2, p0));
  } else {
    const V p0 = Horner(d, r, 0.5f, 0x1.555556p-3f);
    const V p2 = Horner(d, r, 0x1.5554f6p-5f, 0x1.111004p-7f);
    const V p4 = Horner(d, r, 0x1.6d3cbp-10f, 0x1.a242e4p-13f);
    return hn::MulAdd(hn::MulAdd(p4, r2, p2), r2, p0);
  }
}

/// z + z_lo = n*ln2 + r + r_lo, and e^(z + z_lo) = 2^n (1 + r + c). Returns t,
/// from which InnerPow2 makes 2^n. z_lo is nothing, or one vector. kCareful: c
/// has what the rounding of r - r_lo and of its square loses.
template <bool kCareful = false, class D, class V, class... Lo>
HWY_INLINE V Reduce(D d, V& r, V& c, V z, Lo... z_lo) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  const V magic = hn::Set(d, exp_detail::kMagic<0, kNormal, T>);
  const V t = hn::MulAdd(z, hn::Set(d, C::kLog2E), magic);
  const V n = hn::Sub(t, magic);
  r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Hi), z);
  V r_lo = hn::Mul(n, hn::Set(d, C::kLn2Lo));
  ((r_lo = hn::Sub(r_lo, z_lo)), ...);
  const V x = hn::Sub(r, r_lo);
  const V x2 = hn::Mul(x, x);
  if constexpr (kCareful) {
    const V lost = hn::Mul(LostInProduct(d, x, x, x2), hn::Set(d, T{0.5}));
    const V of_x = hn::Sub(hn::Sub(r, x), r_lo);
    r_lo = hn::Sub(r_lo, hn::MulAdd(x, of_x, lost));
  }
  c = hn::MulSub(Poly(d, x, x2), x2, r_lo);
  return t;
}

}  // namespace expm1_detail

/// e^(z + z_lo) - 1 = hi + lo for -80 < z <= 0 (double: -700). kOfAnySign: also
/// for positive z, where the parts of a small result cancel, and 1 may be less
/// than a last place of e^z.
template <bool kOfAnySign = false, class D, class V, class... Lo>
HWY_INLINE void Expm1(D d, V& hi, V& lo, V z, Lo... z_lo) {
  V r;
  V c;
  const V t = expm1_detail::Reduce<kOfAnySign>(d, r, c, z, z_lo...);
  const V scale = expm1_detail::InnerPow2<0, expm1_detail::kNormal>(d, t, t);
  const V p = hn::Add(r, c);
  const V p_lo = hn::Sub(c, hn::Sub(p, r));
  const V one = hn::Set(d, 1);
  const V whole = hn::Sub(scale, one);
  const V whole_lo = kOfAnySign ? SumError(scale, hn::Neg(one), whole)
                                : hn::Sub(scale, hn::Add(whole, one));
  hi = hn::MulAdd(scale, p, whole);
  lo = hn::MulAdd(scale, p, hn::Sub(whole, hi));
  lo = hn::Add(lo, hn::MulAdd(scale, p_lo, whole_lo));
}

/// e^z - 1 for -700 < z <= 0 in double lanes: as Expm1, but for what the sums
/// lose, which is some units in the last place.
template <class D, class V>
HWY_INLINE V QuickExpm1(D d, V z) {
  V r;
  V c;
  const V t = expm1_detail::Reduce(d, r, c, z);
  const V scale = expm1_detail::InnerPow2<0, expm1_detail::kNormal>(d, t, t);
  return hn::MulAdd(scale, hn::Add(r, c), hn::Sub(scale, hn::Set(d, 1)));
}

/// e^(z + z_lo) = (hi + lo) * 2^-kRaise in the lanes of `far`, and hi + lo in
/// others, where nothing is subnormal. 0 where 2^n * 2^kRaise is 2^-127
/// (double: 2^-1023), the least that it may be.
template <int kRaise, class D, class V, class... Lo>
HWY_INLINE void ExpPair(D d, hn::Mask<D> far, V& hi, V& lo, V z, Lo... z_lo) {
  V r;
  V c;
  V t = expm1_detail::Reduce(d, r, c, z, z_lo...);
  t = hn::MaskedAddOr(t, far, t, hn::Set(d, kRaise));
  const V scale = expm1_detail::InnerPow2<0, expm1_detail::kNormal>(d, t, t);
  const V p = hn::Add(r, c);
  const V p_lo = hn::Sub(c, hn::Sub(p, r));
  hi = hn::MulAdd(scale, p, scale);
  lo = hn::MulAdd(scale, p, hn::Sub(scale, hi));
  lo = hn::MulAdd(scale, p_lo, lo);
}

/// a * (hi + lo) + extra, rounded once. `extra` is small as a * lo is.
template <class D, class V>
HWY_INLINE V Times(D d, V a, V hi, V lo, V extra) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulAdd(a, hi, hn::MulAdd(a, lo, extra));
#else
  using T = hn::TFromD<D>;
  const V a_upper = expm1_detail::Upper(d, a);
  const V upper = expm1_detail::Upper(d, hi);
  const V rest = hn::Add(hn::Sub(hi, upper), lo);
  const V small = hn::MulAdd(a_upper, rest, extra);
  const V y = hn::Add(hn::Mul(a_upper, upper),
                      hn::MulAdd(hn::Sub(a, a_upper), hi, small));
  // The parts of subnormal results would be rounded one by one, and those of
  // infinity are no numbers.
  const V plain = hn::Mul(a, hi);
  const V size = hn::Abs(plain);
  const auto is_plain =
      hn::Or(hn::Lt(size, hn::Set(d, sizeof(T) == 4 ? 0x1p-100f : 0x1p-960)),
             hn::Eq(size, hn::Inf(d)));
  return hn::IfThenElse(is_plain, plain, y);
#endif
}

/// A functor over float lanes from one over double lanes. With kToOdd, results
/// are then rounded to 16 bits: what a double loses leaves an odd float, so
/// that the two roundings give what one would.
template <class Fn, bool kToOdd = true>
struct ByDoubles {
  using T = float;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  Fn fn;

  /// Out of line: the code is long, and stands in each loop several times.
  template <class D, class... V>
  HWY_NOINLINE hn::VFromD<D> operator()(D d, V... v) const {
    const hn::RepartitionToWide<D> dd;
    const hn::Half<D> half;
    const auto lower = fn(dd, hn::PromoteLowerTo(dd, v)...);
    const auto upper = fn(dd, hn::PromoteUpperTo(dd, v)...);
    return hn::Combine(d, Narrow(half, upper), Narrow(half, lower));
  }

 private:
  template <class D, class V>
  static HWY_INLINE hn::VFromD<D> Narrow(D d, V v) {
    if constexpr (kToOdd) return ToOddFloat(d, v);
    return hn::DemoteTo(d, v);
  }
};

/// x, quiet, in the lanes that are NaN, so that NaN results are reproducible.
template <class D, class V>
HWY_INLINE V KeepNaN(D /*d*/, V x, V y) {
  return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), y);
}

/// hi + lo, rounded to the odd one of two neighbours: rounding that to 16 bits
/// gives what one rounding would.
template <class D, class V>
HWY_INLINE V SumToOdd(D d, V hi, V lo) {
  const hn::RebindToSigned<D> di;
  const V sum = hn::Add(hi, lo);
  const V lost = hn::Sub(lo, hn::Sub(sum, hi));
  // Less than that is an error of lo.
  const auto inexact =
      hn::Gt(hn::Abs(lost), hn::Mul(hn::Abs(sum), hn::Set(d, 0x1p-34f)));
  // -1 where the sum is too large.
  const auto above = hn::BroadcastSignBit(hn::BitCast(di, hn::Xor(lost, sum)));
  const auto odd = hn::Or(hn::Add(hn::BitCast(di, sum), above), hn::Set(di, 1));
  return hn::IfThenElse(inexact, hn::BitCast(d, odd), sum);
}

/// (num + num_lo) / (den + den_lo) as the sum of the result and `rest`.
template <class D, class V>
HWY_INLINE V Quotient(D d, V num, V num_lo, V den, V den_lo, V& rest) {
  const V inverse = hn::Div(hn::Set(d, 1), den);
  V q = hn::Mul(num, inverse);
#if !HWY_NATIVE_FMA
  using expm1_detail::Upper;
  q = Upper(d, q);
  const V upper = Upper(d, den);
  den_lo = hn::Add(hn::Sub(den, upper), den_lo);
  den = upper;
#endif
  const V missing =
      hn::Add(hn::NegMulAdd(q, den, num), hn::NegMulAdd(q, den_lo, num_lo));
  rest = hn::Mul(missing, inverse);
  return q;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_EXPM1_INL_H_
