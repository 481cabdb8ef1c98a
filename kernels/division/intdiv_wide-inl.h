// SPDX-License-Identifier: Apache-2.0
//
// The 32- and 64-bit lanes of integer division: see intdiv-inl.h.

#if defined(LANEWISE_KERNELS_DIVISION_INTDIV_WIDE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_INTDIV_WIDE_INL_H_
#undef LANEWISE_KERNELS_DIVISION_INTDIV_WIDE_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_INTDIV_WIDE_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/division/intdiv_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace intdiv_detail {

// Lanes of x, all below 2^32, as doubles, plus `offset`.
template <class DW, class V>
HWY_INLINE hn::Vec<hn::RebindToFloat<DW>> SmallToDouble(DW dw, V x,
                                                        double offset) {
  const hn::RebindToFloat<DW> df;
  const V bits = hn::Or(x, hn::Set(dw, uint64_t{0x4330000000000000}));
  return hn::Sub(hn::BitCast(df, bits), hn::Set(df, 0x1p52 - offset));
}

// Rounds x in [-0.5, 2^51) to nearest. The integer is in the low 51 bits.
template <class DF, class VF>
HWY_INLINE VF MagicRound(DF df, VF x) {
  return hn::Add(x, hn::Set(df, 0x1.8p52));
}

// (1 + bias) / b from a rough reciprocal r. Cubes the relative error.
template <class DF, class VF>
HWY_INLINE VF Refine(DF df, VF b, VF r, double bias) {
  const VF e = quiet::NegMulAdd(b, r, hn::Set(df, 1.0 + bias));
  return quiet::MulAdd(r, quiet::MulAdd(e, e, e), r);
}

// (1 + bias) / b with a relative error of at most 2^-34.2, or 2^-41 on AVX3.
template <class DF, class VF>
HWY_INLINE VF FineReciprocal(DF df, VF b, double bias) {
#if HWY_TARGET <= HWY_AVX3
  const VF r = hn::ApproximateReciprocal(b);
#else
  const hn::Rebind<float, DF> df32;
  const VF r =
      hn::PromoteTo(df, hn::ApproximateReciprocal(hn::DemoteTo(df32, b)));
#endif
  return Refine(df, b, r, bias);
}

// What Quotient32 needs of a divisor: the reciprocal, or the divisor itself as
// a double.
template <bool kDivides, class DW, class V>
HWY_INLINE V Prepare32(DW dw, V b) {
  const hn::RebindToFloat<DW> df;
#if HWY_TARGET <= HWY_AVX3
  constexpr double kBias = 0x1p-35;
  const hn::RebindToSigned<DW> di;
  auto prepared = hn::ConvertTo(df, hn::BitCast(di, b));
#else
  constexpr double kBias = 0x1p-33;
  auto prepared = SmallToDouble(dw, b, 0.0);
#endif
  if constexpr (!kDivides) prepared = FineReciprocal(df, prepared, kBias);
  return hn::BitCast(dw, prepared);
}

// Quotients, in the low half of each lane. AVX3 accepts signed lanes, too, and
// converts infinity and NaN to a number whose low half is 0.
template <bool kDivides, class DW, class V>
HWY_INLINE V Quotient32(DW dw, V a, V prepared) {
  const hn::RebindToFloat<DW> df;
  const auto p = hn::BitCast(df, prepared);
#if HWY_TARGET <= HWY_AVX3
  const hn::RebindToSigned<DW> di;
  const auto x = hn::ConvertTo(df, hn::BitCast(di, a));
  const auto q = kDivides ? quiet::Div(x, p) : quiet::Mul(x, p);
  return hn::BitCast(dw, quiet::Truncate(di, q));
#else
  if constexpr (kDivides) {
    const auto q = hn::Div(SmallToDouble(dw, a, 0.5), p);
    return hn::BitCast(dw, MagicRound(df, hn::Sub(q, hn::Set(df, 0.5))));
  } else {
    const auto q = hn::MulSub(SmallToDouble(dw, a, 0.0), p, hn::Set(df, 0.5));
    return hn::BitCast(dw, MagicRound(df, q));
  }
#endif
}

template <By kBy, class D, class V, class VW>
HWY_INLINE V Div32ByLanes(D d, V a, VW p_even, VW p_odd) {
  const hn::DFromV<VW> dw;
  VW even, odd;
  WidenLanes(dw, hn::BitCast(dw, a), even, odd);
  even = Quotient32<kBy != By::kMultiplication>(dw, even, p_even);
  odd = Quotient32<kBy == By::kDivider>(dw, odd, p_odd);
  return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)),
                     hn::BitCast(d, even));
}

// AVX2 converts i32 to and from double in one instruction, but not u32. The
// halves are those of the reciprocals, or of the divisors themselves.
template <By kBy, class D, class V, class VF>
HWY_INLINE void PrepareI32Halves(D /*d*/, V b, VF& lo, VF& hi) {
  const hn::RebindToFloat<D> df32;
  const hn::DFromV<VF> df;
  lo = hn::PromoteLowerTo(df, b);
  hi = hn::PromoteUpperTo(df, b);
  if constexpr (kBy == By::kMultiplication) {
    const auto rough = hn::ApproximateReciprocal(hn::ConvertTo(df32, b));
    lo = Refine(df, lo, hn::PromoteLowerTo(df, rough), 0x1p-33);
    hi = Refine(df, hi, hn::PromoteUpperTo(df, rough), 0x1p-33);
  }
}

template <By kBy, class D, class V, class VF>
HWY_INLINE V DivI32ByHalves(D d, V a, VF b_lo, VF b_hi) {
  const hn::Half<D> dh;
  const hn::DFromV<VF> df;
  const auto quotient = [](VF x, VF prepared) HWY_ATTR {
    return kBy == By::kDivider ? hn::Div(x, prepared) : hn::Mul(x, prepared);
  };
  const VF lo = quotient(hn::PromoteLowerTo(df, a), b_lo);
  const VF hi = quotient(hn::PromoteUpperTo(df, a), b_hi);
  return hn::Combine(d, hn::DemoteInRangeTo(dh, hi),
                     hn::DemoteInRangeTo(dh, lo));
}

enum class Way32 { kLanes, kHalves, kHighway };

template <class D>
constexpr Way32 WayOf32() {
  return HWY_TARGET <= HWY_AVX3 || !hwy::IsSigned<hn::TFromD<D>>()
             ? Way32::kLanes
         : HWY_TARGET <= HWY_AVX2 && HWY_MAX_LANES_D(D) >= 4 ? Way32::kHalves
                                                             : Way32::kHighway;
}

template <By kBy, class D, class V>
HWY_INLINE void PrepareDiv32(D d, V b, V& p0, V& p1) {
  if constexpr (WayOf32<D>() == Way32::kLanes) {
    const hn::Repartition<hwy::MakeWide<hn::TFromD<D>>, D> dw;
    hn::Vec<decltype(dw)> even, odd;
    WidenLanes(dw, hn::BitCast(dw, b), even, odd);
    p0 = hn::BitCast(d, Prepare32<kBy != By::kMultiplication>(dw, even));
    p1 = hn::BitCast(d, Prepare32<kBy == By::kDivider>(dw, odd));
  } else if constexpr (WayOf32<D>() == Way32::kHalves) {
    const hn::Repartition<double, D> df;
    hn::Vec<decltype(df)> lo, hi;
    PrepareI32Halves<kBy>(d, b, lo, hi);
    p0 = hn::BitCast(d, lo);
    p1 = hn::BitCast(d, hi);
  } else {
    p0 = p1 = b;
  }
}

template <By kBy, class D, class V>
HWY_INLINE V Div32(D d, V a, V b, V p0, V p1) {
  if constexpr (WayOf32<D>() == Way32::kLanes) {
    const hn::Repartition<hwy::MakeWide<hn::TFromD<D>>, D> dw;
    const V q =
        Div32ByLanes<kBy>(d, a, hn::BitCast(dw, p0), hn::BitCast(dw, p1));
    return HWY_TARGET <= HWY_AVX3 ? q : ZeroIfNoDivisor(d, b, q);
  } else if constexpr (WayOf32<D>() == Way32::kHalves) {
    const hn::Repartition<double, D> df;
    return ZeroIfNoDivisor(
        d, b,
        DivI32ByHalves<kBy>(d, a, hn::BitCast(df, p0), hn::BitCast(df, p1)));
  } else {
    // On x86, hn::Div wraps MIN / -1.
    return ZeroIfNoDivisor(d, b, hn::Div(a, b));
  }
}

// x * y of the low 32 bits of each lane, as 64 bits.
template <class D, class V>
HWY_INLINE V MulLow32(D d, V x, V y) {
  const hn::RepartitionToNarrow<D> d32;
  return hn::BitCast(d, hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, y)));
}

#if HWY_TARGET <= HWY_AVX3

template <class D, class V>
HWY_INLINE V PrepareU64(D d, V b) {
  const hn::RebindToFloat<D> df;
  return hn::BitCast(
      d, quiet::Div(hn::Set(df, 1.0 - 0x1p-50), quiet::ToDouble(df, b)));
}

template <class D, class V>
HWY_INLINE V DivU64(D d, V a, V b, V prepared) {
  const hn::RebindToFloat<D> df;
  const auto nonzero = hn::Ne(b, hn::Zero(d));
  const auto r = hn::BitCast(df, prepared);
  const V q0 = quiet::Truncate(d, quiet::Mul(quiet::ToDouble(df, a), r));
  const V r0 = hn::Sub(a, hn::Mul(q0, b));
  const V q1 = quiet::Truncate(d, quiet::Mul(quiet::ToDouble(df, r0), r));
  const V r1 = hn::Sub(r0, hn::Mul(q1, b));
  const V q = hn::IfThenElseZero(nonzero, hn::Add(q0, q1));
  return hn::MaskedAddOr(q, hn::And(nonzero, hn::Ge(r1, b)), q, hn::Set(d, 1));
}

#else

// Rounds once: only the last addition is inexact.
template <class D, class V>
HWY_INLINE hn::Vec<hn::RebindToFloat<D>> U64ToDouble(D d, V x) {
  const hn::RebindToFloat<D> df;
  const hn::RepartitionToNarrow<D> d32;
  const auto two52 = hn::BitCast(d32, hn::Set(df, 0x1p52));
  const auto lo = hn::OddEven(two52, hn::BitCast(d32, x));
  const V hi =
      hn::Or(hn::ShiftRight<32>(x), hn::BitCast(d, hn::Set(df, 0x1p84)));
  return hn::Add(hn::Sub(hn::BitCast(df, hi), hn::Set(df, 0x1p84 + 0x1p52)),
                 hn::BitCast(df, lo));
}

// floor(x * y), or a neighbor where x * y is an integer to within rounding. The
// reciprocal y is so much too small that the result is never above the floor of
// the exact quotient, and at most one below.
template <class D, class VF>
HWY_INLINE hn::Vec<D> FloorMul(D d, VF x, VF y) {
  const hn::RebindToFloat<D> df;
  const auto q = MagicRound(df, hn::MulSub(x, y, hn::Set(df, 0.5)));
  return hn::Xor(hn::BitCast(d, q), hn::BitCast(d, hn::Set(df, 0x1.8p52)));
}

template <class D, class V>
HWY_INLINE V PrepareU64(D d, V b) {
  const hn::RebindToFloat<D> df;
  return hn::BitCast(d, hn::Div(hn::Set(df, 1.0 - 0x1p-50), U64ToDouble(d, b)));
}

template <class D, class V>
HWY_INLINE V DivU64(D d, V a, V b, V prepared) {
  const hn::RebindToFloat<D> df;
  const auto r = hn::BitCast(df, prepared);
  const auto a_high = hn::Mul(U64ToDouble(d, a), hn::Set(df, 0x1p-32));
  const V q_high = FloorMul(d, a_high, r);
  const V a_low = hn::Sub(a, hn::ShiftLeft<32>(MulLow32(d, q_high, b)));
  const V q_low = FloorMul(d, U64ToDouble(d, a_low), r);
  const V rest = hn::Sub(a_low, hn::Mul(q_low, b));
  const V q = hn::Add(hn::ShiftLeft<32>(q_high), q_low);
  const V fix = hn::VecFromMask(d, hn::Ge(rest, b));
  return ZeroIfNoDivisor(d, b, hn::Sub(q, fix));
}

#endif  // HWY_TARGET <= HWY_AVX3

}  // namespace intdiv_detail

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_INTDIV_WIDE_INL_H_
