// SPDX-License-Identifier: Apache-2.0
//
// e^x correctly rounded to float and to double, for engines with the option
// `exact`: the bits are the same on every target.
//
// Method: e^x = 2^n (s + lo), where s + lo is exact to many more bits than the
// result has. Two sums, s + lo and s + (lo + range), enclose the result. If
// both round to the same number, so does e^x. Otherwise the vector is computed
// again in a slower way:
//
//            quick way                    slow way               needed for
//   float    pairs of floats, on x86      double lanes           3 % of vectors
//            with FMA only                                       (AVX2: 5 %)
//   double   pairs of doubles             integers, exp_slow.h   2^-13 of lanes
//
// All results of float were compared with the correctly rounded ones, on every
// target. For double, the analysis at ComputePair bounds the error, and
// exp_slow.h says why the slow way suffices.
//
// These functions need the default floating-point environment. The calls of an
// exact engine set that environment (runtime/c_api.cc).

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernels/exponential/exp-inl.h"
#include "kernels/exponential/exp_constants.h"
#include "kernels/exponential/exp_slow.h"
#include "kernels/exponential/two_words-inl.h"
#include "kernels/quiet-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXPONENTIAL_EXP_EXACT_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_EXP_EXACT_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_EXP_EXACT_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_EXP_EXACT_INL_H_
#endif

// Whether tables fit into registers of doubles, and of floats, as in exp-inl.h.
#ifdef LANEWISE_EXP_PAIRS_OF_FLOATS
#undef LANEWISE_EXP_PAIRS_OF_FLOATS
#endif
#if HWY_ARCH_X86 && HWY_NATIVE_FMA
#define LANEWISE_EXP_PAIRS_OF_FLOATS 1
#else
#define LANEWISE_EXP_PAIRS_OF_FLOATS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace exp_exact {

using exp_detail::Horner;

// ---- Lookup -----------------------------------------------------------------

template <class D>
constexpr bool HasTablesInRegisters() {
  return HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 && HWY_MAX_LANES_D(D) == 8;
}

/// head = kPow2[i] and eps = kEps[i], where i is the low four bits of t.
template <class D, class V>
HWY_INLINE void LookUp(D d, V t, V& head, V& eps) {
  using C = ExpExactConstants<double>;
  const hn::RebindToUnsigned<D> du;
  if constexpr (HasTablesInRegisters<D>()) {
    head = exp_detail::Lookup<4>(d, C::C::kPow2, t);
    eps = exp_detail::Lookup<4>(d, C::kEps.data(), t);
  } else {
    const double* pairs = C::kPairs.data();
#if HWY_HAVE_SCALABLE
    const hn::RebindToSigned<D> di;
    const auto i = hn::And(hn::BitCast(du, t), hn::Set(du, 15));
    const auto at = hn::BitCast(di, hn::Add(i, i));
    head = hn::GatherIndex(d, pairs, at);
    eps = hn::GatherIndex(d, pairs + 1, at);
#else
    // Gather instructions take twice as long. Volatile, because compilers would
    // extract the integers from the vector, which takes longer, too.
    const hn::Full128<double> d2;
    alignas(16) uint64_t stored[HWY_MAX_LANES_D(D)];
    hn::StoreU(hn::BitCast(du, t), du, stored);
    const volatile uint64_t* i = stored;
    auto even = hn::Load(d2, pairs + 2 * (i[0] & 15));
    auto odd = hn::Load(d2, pairs + 2 * (i[1] & 15));
    if constexpr (HWY_MAX_LANES_D(D) == 4) {
      const auto even2 = hn::Load(d2, pairs + 2 * (i[2] & 15));
      const auto odd2 = hn::Load(d2, pairs + 2 * (i[3] & 15));
      const V evens = hn::Combine(d, even2, even);
      const V odds = hn::Combine(d, odd2, odd);
      head = hn::InterleaveLower(d, evens, odds);
      eps = hn::InterleaveUpper(d, evens, odds);
    } else {
      static_assert(HWY_MAX_LANES_D(D) == 2);
      head = hn::InterleaveLower(d, even, odd);
      eps = hn::InterleaveUpper(d, even, odd);
    }
#endif
  }
}

/// y * 2^n for the integer n that stands in `t` above the low kBits bits. The
/// product must be a normal number.
template <int kBits, class D, class V>
HWY_INLINE V MulPow2(D d, V y, V t) {
  const hn::RebindToUnsigned<D> du;
  using TU = hn::TFromD<decltype(du)>;
  constexpr int kShift = hwy::MantissaBits<hn::TFromD<D>>() - kBits;
  const auto n =
      hn::AndNot(hn::Set(du, TU{(1 << kBits) - 1}), hn::BitCast(du, t));
  return hn::BitCast(d, hn::Add(hn::BitCast(du, y), hn::ShiftLeft<kShift>(n)));
}

// ---- float ------------------------------------------------------------------

/// e^x for |x| < 110, with an error of a little more than half a ULP of double.
template <class D, class V>
HWY_INLINE V ExpOfFloats(D d, V x) {
  using C = ExpConstants<double>;
  const V magic = hn::Set(d, C::kMagic / 16);
  const V t = hn::MulAdd(x, hn::Set(d, C::kLog2E), magic);
  const V n = hn::Sub(t, magic);
  V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Hi), x);
  r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Lo), r);
  const V r2 = hn::Mul(r, r);
  const V p2 = Horner(d, r, 0.5, 0x1.55555554dcc9bp-3);
  const V p4 = Horner(d, r, 0x1.55555555190f9p-5, 0x1.11120b77051e7p-7);
  const V p6 = hn::Set(d, 0x1.6c17bbd1f560ap-10);
  const V p = hn::MulAdd(hn::MulAdd(p6, r2, p4), r2, p2);
  const V q = hn::MulAdd(r2, p, r);
  V head;
  V eps;
  LookUp(d, t, head, eps);
  const V scale = MulPow2<4>(d, head, t);
  return hn::MulAdd(scale, q, scale);
}

/// e^x for |x| < 110, by way of double lanes.
template <class D, class V>
HWY_INLINE V NearByDoubles(D d, V x) {
  const hn::RepartitionToWide<D> dd;
  const hn::Half<D> half;
  const auto lower = ExpOfFloats(dd, hn::PromoteLowerTo(dd, x));
  const auto upper = ExpOfFloats(dd, hn::PromoteUpperTo(dd, x));
  return hn::Combine(d, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
}

/// The same for any x.
template <class D, class V>
HWY_INLINE V ByDoubles(D d, V x) {
  using C = ExpConstants<float>;
  const V y =
      NearByDoubles(d, exp_detail::ClampKeepNaN(d, x, C::kMin, C::kMax));
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}

#if LANEWISE_EXP_PAIRS_OF_FLOATS

/// e^x for |x| <= kNormal. False if a lane is undecided.
template <class D, class V>
HWY_INLINE bool TryPairs(D d, V x, V& y) {
  using C = ExpConstants<float>;
  using E = ExpExactConstants<float>;
  constexpr int kBits = exp_detail::TableBits<D>();
  const V magic = hn::Set(d, C::kMagic / (1 << kBits));
  const V t = hn::MulAdd(x, hn::Set(d, C::kLog2E), magic);
  const V n = hn::Sub(t, magic);
  // x - n ln2 = r + r_lo, and 2^(i/2^kBits) = head * (1 + eps).
  const V head =
      exp_detail::Lookup<kBits>(d, kBits == 4 ? C::kPow2 : E::kHead8.data(), t);
  const V eps = exp_detail::Lookup<kBits>(
      d, kBits == 4 ? E::kEps.data() : E::kEps8.data(), t);
  const V r = hn::NegMulAdd(n, hn::Set(d, 0x1.62e43p-1f), x);
  const V tail = hn::NegMulAdd(n, hn::Set(d, -0x1.05c61p-29f), eps);
  // e^r_lo (1 + eps) = 1 + tail, and e^(r + r_lo) (1 + eps) =
  // 1 + r + tail + r tail + r^2 (q + tail / 2), where q = (e^r - 1 - r) / r^2.
  V q1;
  if constexpr (kBits == 4) {
    q1 = Horner(d, r, 0.16667f, 0.041675f);
  } else {
    q1 = Horner(d, r, 0.16666672f, 0.041667f, 0.00833f);
  }
  const V one_half = hn::Set(d, 0.5f);
  const V q = hn::MulAdd(q1, r, hn::MulAdd(tail, one_half, one_half));
  const V rest = hn::MulAdd(r, hn::MulAdd(r, q, tail), tail);
  const V s = hn::MulAdd(head, r, head);
  const V s_lo = hn::MulAdd(head, r, hn::Sub(head, s));
  const V lo = hn::MulAdd(head, rest, s_lo);
  const V range = hn::Set(d, kBits == 4 ? E::kRange : E::kRange8);
  const V least = hn::Add(s, lo);
  const V most = hn::Add(s, hn::Add(lo, range));
  if constexpr (kBits == 4) {
    y = quiet::Scale(most, n);
  } else {
    y = MulPow2<kBits>(d, most, t);
  }
  return hn::AllTrue(d, hn::Eq(least, most));
}

// Out of line, so that its constants do not take registers from the loop.
template <class D, class V>
HWY_NOINLINE V UndecidedFloats(D d, V x) {
  return NearByDoubles(d, x);
}

#endif  // LANEWISE_EXP_PAIRS_OF_FLOATS

// ---- double -----------------------------------------------------------------

/// Pairs with e^x / 2^floor(n) in [s + lo, s + lo + kRange), for |x| <=
/// kNormal. t holds floor(n) as MulPow2 takes it. (References, because vectors
/// of SVE and RVV cannot be members.)
///
/// x = n ln2 + r + r_lo, and 2^(i/16) = head (1 + eps). So e^x / 2^floor(n) is
/// head e^r (1 + tail), where tail = eps + r_lo + r_lo^2 / 2.
///
/// Errors, in units of 2^-75; those of targets without FMA where both differ:
///   r         x - n * kHi, exact. With FMA, because a multiple of 2^-58 below
///             2^-5.52 has 53 bits; without, because kHi has 36 bits, n 14
///   tail      below 2^-28.9. With FMA, below 2^-45, and the square is left
///             out. Off by less than 2^-81                                 0
///   sq, sq_lo r^2 / 2, exact; sq < 2^-12.04, |sq_lo| <= 2^-66
///   u, u_lo   r + sq, exact; |u_lo| <= 2^-59
///   p         (e^r - 1 - r - r^2/2) / (r^3/2): as polynomial, 2^-72.6 of e^r
///             off (6); rounded twice by 2^-55, times r^3/2 < 2^-17.58    17
///   cube      rounded by 2^-71, times p < 0.336 (6), and without
///             sq_lo * r * p < 2^-73 (4)                                  10
///   a         < 2^-19; a product and two sums rounded by 2^-73 each      12
///             -- e^r - 1 = u + a, off by                                 45
///   s, s_lo   head * (1 + u), off by 2^-105                               0
///   y         head * e^r, off by 2^-51, times tail                        0
///   lo        head * (u + a): head times the error so far           head*45
///             a product and two sums rounded by 2^-72 each               24
///
/// So s + lo is off by less than head * 45 + 24. kLow, which eps contains,
/// moves the sum down by y * 128, which is at least head * 0.978 * 128 and thus
/// more: s + lo is below e^x / 2^floor(n). It is at most 1.96 * 128 + 111 = 362
/// below; kRange is 512, and lo + kRange is rounded by 8.
template <class D, class V>
HWY_INLINE void ComputePair(D d, V x, V& s, V& lo, V& t, V& n) {
  using C = ExpConstants<double>;
  const V magic = hn::Set(d, C::kMagic / 16);
  t = hn::MulAdd(x, hn::Set(d, C::kLog2E), magic);
  n = hn::Sub(t, magic);
  V head;
  V eps;
  LookUp(d, t, head, eps);
  constexpr double kHi = HWY_NATIVE_FMA ? 0x1.62e42fefa39efp-1 : C::kLn2Hi;
  constexpr double kLo = HWY_NATIVE_FMA ? 0x1.abc9e3b39803fp-56 : C::kLn2Lo;
  const V r = hn::NegMulAdd(n, hn::Set(d, kHi), x);
  V tail = hn::NegMulAdd(n, hn::Set(d, kLo), eps);
  const V one_half = hn::Set(d, 0.5);
  if constexpr (!HWY_NATIVE_FMA) {
    tail = hn::Add(tail, hn::Mul(hn::Mul(tail, one_half), tail));
  }

  const V half = hn::Mul(r, one_half);
  const V sq = hn::Mul(r, half);
  const V sq_lo = ProductError(d, r, half, sq);
  const V u = hn::Add(r, sq);
  const V u_lo = hn::Add(hn::Sub(r, u), sq);
  // Powers of sq, which are quicker than powers of r one after the other.
  const V p0 = Horner(d, r, 0x1.5555555555556p-2, 0x1.5555555555555p-4);
  const V p2 = Horner(d, r, 0x1.11111110e0d94p-5, 0x1.6c16c16bf02e6p-8);
  const V p4 = Horner(d, r, 0x1.a01b0cb76698bp-10, 0x1.a01ad74c4c0e9p-13);
  const V p = hn::MulAdd(hn::MulAdd(p4, sq, p2), sq, p0);
  const V cube = hn::Mul(sq, r);
  const V a = hn::Add(hn::MulAdd(cube, p, sq_lo), u_lo);

#if HWY_NATIVE_FMA
  s = hn::MulAdd(head, u, head);
  const V s_lo = hn::MulAdd(head, u, hn::Sub(head, s));
#else
  const V product = hn::Mul(head, u);
  s = hn::Add(head, product);
  const V s_lo = hn::Add(hn::Add(hn::Sub(head, s), product),
                         ProductError(d, head, u, product));
#endif
  const V y = hn::MulAdd(head, a, s);
  lo = hn::MulAdd(y, tail, hn::MulAdd(head, a, s_lo));
}

/// e^x for |x| <= kNormal, and the lanes where that is decided.
template <class D, class V>
HWY_INLINE V NormalExp(D d, V x, hn::Mask<D>& decided) {
  V s;
  V lo;
  V t;
  V n;
  ComputePair(d, x, s, lo, t, n);
  const V range = hn::Set(d, ExpExactConstants<double>::kRange);
  const V least = hn::Add(s, lo);
  const V most = hn::Add(s, hn::Add(lo, range));
  decided = hn::Eq(least, most);
  if constexpr (HasTablesInRegisters<D>()) {
    return quiet::Scale(most, n);
  } else {
    return MulPow2<4>(d, most, t);
  }
}

/// y, with e^x in the lanes where x is not NaN.
template <class D, class V>
HWY_NOINLINE V UndecidedDoubles(D d, V x, V y) {
  HWY_ALIGN double in[HWY_MAX_LANES_D(D)];
  HWY_ALIGN double out[HWY_MAX_LANES_D(D)];
  hn::Store(x, d, in);
  hn::Store(y, d, out);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    if (in[i] == in[i]) out[i] = exp_slow::Exp(in[i]);
  }
  return hn::Load(d, out);
}

}  // namespace exp_exact

// float lanes -> float, any input, correctly rounded.
template <class D, class V,
          hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE V ExactExp(D d, V x) {
  return exp_exact::ByDoubles(d, x);
}
// The same for lanes that IsExpNormal accepts.
template <class D, class V,
          hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE V ExactExpToNormal(D d, V x) {
#if LANEWISE_EXP_PAIRS_OF_FLOATS
  V y;
  if (HWY_LIKELY(exp_exact::TryPairs(d, x, y))) return y;
  return exp_exact::UndecidedFloats(d, x);
#else
  return exp_exact::ByDoubles(d, x);
#endif
}

// double lanes -> double, any input, correctly rounded.
template <class D, class V,
          hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE V ExactExp(D d, V x) {
  using C = ExpConstants<double>;
  const auto normal = exp_detail::AreNormal(d, x);
  hn::Mask<D> decided;
  V y = exp_exact::NormalExp(d, hn::IfThenElseZero(normal, x), decided);
  // Far off, e^x is 0 or infinite. What remains is NaN, or close to the
  // thresholds.
  const auto below = hn::Lt(x, hn::Set(d, C::kMin));
  const auto above = hn::Gt(x, hn::Set(d, C::kMax));
  y = hn::IfThenElse(normal, y, hn::IfThenZeroElse(below, x));
  y = hn::IfThenElse(above, hn::Inf(d), y);
  decided = hn::Or(hn::And(normal, decided), hn::Or(below, above));
  if (HWY_LIKELY(hn::AllTrue(d, decided))) return y;
  return exp_exact::UndecidedDoubles(d, hn::IfThenElse(decided, hn::NaN(d), x),
                                     y);
}
// The same for lanes that IsExpNormal accepts.
template <class D, class V,
          hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE V ExactExpToNormal(D d, V x) {
  hn::Mask<D> decided;
  const V y = exp_exact::NormalExp(d, x, decided);
  if (HWY_LIKELY(hn::AllTrue(d, decided))) return y;
  return exp_exact::UndecidedDoubles(d, hn::IfThenElse(decided, hn::NaN(d), x),
                                     y);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_EXP_EXACT_INL_H_
