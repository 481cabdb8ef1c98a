// SPDX-License-Identifier: Apache-2.0
//
// Integer division for i8 u8 i16 u16 i32 u32 i64 u64, lane by lane.
// Truncates toward zero, on every target with the same result; x / 0 is 0 and
// MIN / -1 is MIN. Nobody is told of zeros: the caller counts Eq(b, 0).
// Expects round-to-nearest, no FTZ/DAZ and masked floating-point exceptions.
//
// TruncDiv works with rough reciprocals whose error is bent to one side, so
// that truncating (or the low digit being corrected once) is exact. With the
// relative error e of the reciprocal:
//  8 bits: (a + 1) * m >> 16 is floor(a / b) if 1 <= 65536 - m * b <= 255, as
//    a < 256; m from a byte table, or rounded from a float with 96 subtracted,
//    whose error of 24 + b / 2 keeps b < 128 within. At b >= 128 it gives 0 or
//    1, and 1 wherever a >= b; a < b is masked. Odd bytes stay in place:
//    their a + 255/256 does as well as a + 1.
// 16 bits: e in (0, 2^-16) cannot reach the next integer, as a * e < 1; one
//    Newton step gives 2^-18 +- 2^-22.
// 32 bits: the same in doubles with 2^-33 +- 2^-34.2 (AVX3: 2^-35 +- 2^-41).
// 64 bits: e = -2^-50 +- 2^-51. The first estimate leaves a remainder whose
//    own quotient is below 2^33; the second is exact or one too small.
// SSE4 and older divide: slower reciprocals, no FMA, and a fast divider.
// Other targets use hn::Div, with 0 and -1 kept from it.

#if defined(LANEWISE_KERNELS_INTDIV_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_INTDIV_INL_H_
#undef LANEWISE_KERNELS_INTDIV_INL_H_
#else
#define LANEWISE_KERNELS_INTDIV_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/divisor.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace intdiv_detail {

using lanewise::intdiv_detail::ByteReciprocals;
using lanewise::intdiv_detail::kReciprocals0To127;
using lanewise::intdiv_detail::kReciprocals1To128;

// Targets whose float arithmetic and lane layout the code below is made for.
// The others (RVV, SVE's 32 and 64 bits: native division) use hn::Div.
#if HWY_TARGET <= HWY_SSE2 && HWY_ARCH_X86
#define LANEWISE_INTDIV_X86 1
#else
#define LANEWISE_INTDIV_X86 0
#endif

// Lanes are handled as halves of wider lanes.
template <class D>
constexpr bool HasHalves() {
  return HWY_IS_LITTLE_ENDIAN &&
         HWY_MAX_LANES_D(D) * sizeof(hn::TFromD<D>) >= 8;
}

template <class D>
constexpr bool IsOurs() {
  return HasHalves<D>() &&
         (LANEWISE_INTDIV_X86 || (sizeof(hn::TFromD<D>) <= 2 &&
                                  (HWY_TARGET_IS_NEON || HWY_TARGET_IS_SVE)));
}

template <class D, class V>
HWY_INLINE V ZeroIfNoDivisor(D d, V b, V q) {
  return hn::IfThenElseZero(hn::Ne(b, hn::Zero(d)), q);
}

template <class D, class V>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> Magnitude(D /*d*/, V v) {
  if constexpr (hwy::IsSigned<hn::TFromD<D>>()) v = hn::Abs(v);
  return hn::BitCast(hn::RebindToUnsigned<D>(), v);
}

// Negates q where s is negative; never for unsigned lanes.
template <class D, class V>
HWY_INLINE V ApplySign([[maybe_unused]] D d, V q, [[maybe_unused]] V s) {
  if constexpr (!hwy::IsSigned<hn::TFromD<D>>()) {
    return q;
  } else {
#if HWY_TARGET <= HWY_AVX3
    return hn::MaskedSubOr(q, hn::IsNegative(s), hn::Zero(d), q);
#else
    const V sign = hn::BroadcastSignBit(s);
    return hn::Sub(hn::Xor(q, sign), sign);
#endif
  }
}

// 1/b with a relative error below 2^-11.4 on x86, 2^-15 elsewhere.
template <class DF, class VF>
HWY_INLINE VF RoughReciprocal(DF df, VF b) {
  VF r = hn::ApproximateReciprocal(b);
  if constexpr (!LANEWISE_INTDIV_X86) {
    r = hn::Mul(r, hn::NegMulAdd(b, r, hn::Set(df, 2.0f)));
  }
  (void)df;
  return r;
}

#if HWY_TARGET != HWY_SCALAR

// ------------------------------ 8 bits

// 16-bit reciprocals of the 4 * k-th bytes, in the low half of each result.
template <class D32, class V>
HWY_INLINE V ReciprocalBits(D32 d32, V b) {
  const hn::RebindToFloat<D32> df;
  const hn::RebindToSigned<D32> di;
  const auto bf = hn::ConvertTo(df, hn::BitCast(di, b));
  const auto m =
      hn::MulAdd(RoughReciprocal(df, bf), hn::Set(df, 65536.0f - 96.0f),
                 hn::Set(df, 8388608.0f));
  return hn::BitCast(d32, m);
}

// floor(a / b) for multipliers of even and odd bytes.
template <class D, class V, class V16>
HWY_INLINE V MulBytes(D d, V a, V16 m_even, V16 m_odd) {
  const hn::Repartition<uint16_t, D> d16;
  const auto low_byte = hn::Set(d16, 0x00FF);
  const auto a16 = hn::BitCast(d16, a);
  const auto even =
      hn::MulHigh(hn::Add(hn::And(a16, low_byte), hn::Set(d16, 1)), m_even);
  const auto odd = hn::MulHigh(hn::Or(a16, low_byte), m_odd);
  return hn::BitCast(d, hn::Or(hn::AndNot(low_byte, odd), even));
}

// Reciprocals from float arithmetic.
template <class D, class V>
HWY_INLINE V DivU8ByFloat(D d, V a, V b) {
  const hn::Repartition<uint16_t, D> d16;
  const hn::Repartition<uint32_t, D> d32;
  const auto byte = hn::Set(d32, 0xFF);
  const auto b32 = hn::BitCast(d32, b);
  const auto m0 = ReciprocalBits(d32, hn::And(b32, byte));
  const auto m1 = ReciprocalBits(d32, hn::And(hn::ShiftRight<8>(b32), byte));
  const auto m2 = ReciprocalBits(d32, hn::And(hn::ShiftRight<16>(b32), byte));
  const auto m3 = ReciprocalBits(d32, hn::ShiftRight<24>(b32));
  const auto even = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(m2)),
                                hn::BitCast(d16, m0));
  const auto odd = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(m3)),
                               hn::BitCast(d16, m1));
  return hn::IfThenElseZero(hn::Ge(a, b), MulBytes(d, a, even, odd));
}

#if HWY_TARGET <= HWY_AVX3_DL
// The same with reciprocals from a table, for b in 0..127 or 1..128.
template <class D, class V>
HWY_INLINE V DivU8ByTable(D d, V a, V b, const ByteReciprocals& table) {
  const hn::Repartition<uint16_t, D> d16;
  const auto idx = hn::IndicesFromVec(d, hn::And(b, hn::Set(d, 0x7F)));
  const auto lo = hn::BitCast(
      d16, hn::TwoTablesLookupLanes(d, hn::Load(d, table.lo),
                                    hn::Load(d, table.lo + 64), idx));
  const auto hi = hn::BitCast(
      d16, hn::TwoTablesLookupLanes(d, hn::Load(d, table.hi),
                                    hn::Load(d, table.hi + 64), idx));
  const auto low_byte = hn::Set(d16, 0x00FF);
  const auto even = hn::OrAnd(hn::ShiftLeft<8>(hi), lo, low_byte);
  const auto odd = hn::Or(hn::ShiftRight<8>(lo), hn::AndNot(low_byte, hi));
  return MulBytes(d, a, even, odd);
}
#endif  // HWY_TARGET <= HWY_AVX3_DL

// a / b, or the quotient of magnitudes (at most 128) where kMagnitudes.
template <bool kMagnitudes, class D, class V>
HWY_INLINE V DivU8(D d, V a, V b) {
#if HWY_TARGET <= HWY_AVX3_DL
  if constexpr (HWY_MAX_LANES_D(D) == 64) {
    if constexpr (kMagnitudes) {
      return ZeroIfNoDivisor(d, b, DivU8ByTable(d, a, b, kReciprocals1To128));
    } else {
      const V q = DivU8ByTable(d, a, b, kReciprocals0To127);
      const V q_big = hn::IfThenElseZero(hn::Ge(a, b), hn::Set(d, 1));
      const hn::RebindToSigned<D> di;
      const auto is_big = hn::IsNegative(hn::BitCast(di, b));
      return hn::IfThenElse(hn::RebindMask(d, is_big), q_big, q);
    }
  }
#endif
  return DivU8ByFloat(d, a, b);
}

// ------------------------------ 16 bits

template <class DI, class V>
HWY_INLINE V Quotient16(DI di, V a, V b) {
  const hn::RebindToFloat<DI> df;
  const auto af = hn::ConvertTo(df, a), bf = hn::ConvertTo(df, b);
#if LANEWISE_INTDIV_X86 && HWY_TARGET > HWY_AVX2
  return hn::ConvertInRangeTo(di, hn::Div(af, bf));
#else
  const auto r0 = RoughReciprocal(df, bf);
  const auto r =
      hn::Mul(r0, hn::NegMulAdd(bf, r0, hn::Set(df, 2.0f + 0x1p-18f)));
  return hn::ConvertInRangeTo(di, hn::Mul(af, r));
#endif
}

template <class D, class V>
HWY_INLINE V Div16(D d, V a, V b) {
  const hn::Repartition<int32_t, D> di;
  using VI = hn::Vec<decltype(di)>;
  const VI a32 = hn::BitCast(di, a), b32 = hn::BitCast(di, b);
  VI a_even, b_even, a_odd, b_odd;
  if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
    // Both times 65536.
    const VI high = hn::Set(di, static_cast<int32_t>(0xFFFF0000u));
    a_even = hn::ShiftLeft<16>(a32);
    b_even = hn::ShiftLeft<16>(b32);
    a_odd = hn::And(a32, high);
    b_odd = hn::And(b32, high);
  } else {
    const hn::RebindToUnsigned<decltype(di)> du;
    const VI low = hn::Set(di, 0xFFFF);
    a_even = hn::And(a32, low);
    b_even = hn::And(b32, low);
    a_odd = hn::BitCast(di, hn::ShiftRight<16>(hn::BitCast(du, a32)));
    b_odd = hn::BitCast(di, hn::ShiftRight<16>(hn::BitCast(du, b32)));
  }
  const VI even = Quotient16(di, a_even, b_even);
  const VI odd = hn::ShiftLeft<16>(Quotient16(di, a_odd, b_odd));
  const V q = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, even));
  // x86 converts NaN and infinity to 0x80000000, whose lower half is 0.
  return LANEWISE_INTDIV_X86 ? q : ZeroIfNoDivisor(d, b, q);
}

// ------------------------------ 32 and 64 bits

// The lanes of x below 2^32 as doubles, plus `offset`.
template <class DW, class V>
HWY_INLINE hn::Vec<hn::RebindToFloat<DW>> SmallToDouble(DW dw, V x,
                                                        double offset) {
  const hn::RebindToFloat<DW> df;
  const V bits = hn::Or(x, hn::Set(dw, uint64_t{0x4330000000000000}));
  return hn::Sub(hn::BitCast(df, bits), hn::Set(df, 0x1p52 - offset));
}

// x in [-0.5, 2^51) rounded to nearest, in the low 51 bits.
template <class DF, class VF>
HWY_INLINE VF MagicRound(DF df, VF x) {
  return hn::Add(x, hn::Set(df, 0x1.8p52));
}

// (1 + bias) / b from a rough reciprocal; the relative error becomes its cube.
template <class DF, class VF>
HWY_INLINE VF Refine(DF df, VF b, VF r, double bias) {
  const VF e = hn::NegMulAdd(b, r, hn::Set(df, 1.0 + bias));
  return hn::MulAdd(r, hn::MulAdd(e, e, e), r);
}

// (1 + bias) / b, give or take a relative error of 2^-34.2, 2^-41 on AVX3.
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

// Quotients in the low half of each lane. AVX3 accepts signed lanes.
template <class DW, class V>
HWY_INLINE V Quotient32(DW dw, V a, V b) {
  const hn::RebindToFloat<DW> df;
#if HWY_TARGET <= HWY_AVX3
  const auto r = FineReciprocal(df, hn::ConvertTo(df, b), 0x1p-35);
  return hn::ConvertInRangeTo(dw, hn::Mul(hn::ConvertTo(df, a), r));
#elif HWY_TARGET <= HWY_AVX2
  const auto r = FineReciprocal(df, SmallToDouble(dw, b, 0.0), 0x1p-33);
  const auto q = hn::MulSub(SmallToDouble(dw, a, 0.0), r, hn::Set(df, 0.5));
  return hn::BitCast(dw, MagicRound(df, q));
#else
  const auto q = hn::Div(SmallToDouble(dw, a, 0.5), SmallToDouble(dw, b, 0.0));
  return hn::BitCast(dw, MagicRound(df, hn::Sub(q, hn::Set(df, 0.5))));
#endif
}

template <class D, class V>
HWY_INLINE V Div32ByLanes(D d, V a, V b) {
  using T = hn::TFromD<D>;
  const hn::Repartition<hwy::MakeWide<T>, D> dw;
  using VW = hn::Vec<decltype(dw)>;
  const VW a64 = hn::BitCast(dw, a), b64 = hn::BitCast(dw, b);
  VW even, odd;
  if constexpr (hwy::IsSigned<T>()) {
    // Both times 2^32.
    const VW high = hn::Set(dw, static_cast<int64_t>(0xFFFFFFFF00000000ull));
    even = Quotient32(dw, hn::ShiftLeft<32>(a64), hn::ShiftLeft<32>(b64));
    odd = Quotient32(dw, hn::And(a64, high), hn::And(b64, high));
  } else {
    const VW low = hn::Set(dw, uint64_t{0xFFFFFFFF});
    even = Quotient32(dw, hn::And(a64, low), hn::And(b64, low));
    odd = Quotient32(dw, hn::ShiftRight<32>(a64), hn::ShiftRight<32>(b64));
  }
  return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)),
                     hn::BitCast(d, even));
}

// AVX2 converts i32 to and from double in one instruction, not u32.
template <class D, class V>
HWY_INLINE V DivI32ByHalves(D d, V a, V b) {
  const hn::Half<D> dh;
  const hn::RebindToFloat<D> df32;
  const hn::RepartitionToWide<decltype(df32)> df;
  const auto rough = hn::ApproximateReciprocal(hn::ConvertTo(df32, b));
  const auto r_lo = Refine(df, hn::PromoteLowerTo(df, b),
                           hn::PromoteLowerTo(df, rough), 0x1p-33);
  const auto r_hi = Refine(df, hn::PromoteUpperTo(df, b),
                           hn::PromoteUpperTo(df, rough), 0x1p-33);
  const auto lo = hn::Mul(hn::PromoteLowerTo(df, a), r_lo);
  const auto hi = hn::Mul(hn::PromoteUpperTo(df, a), r_hi);
  return hn::Combine(d, hn::DemoteInRangeTo(dh, hi),
                     hn::DemoteInRangeTo(dh, lo));
}

template <class D, class V>
HWY_INLINE V Div32(D d, V a, V b) {
  if constexpr (HWY_TARGET <= HWY_AVX3 || !hwy::IsSigned<hn::TFromD<D>>()) {
    return Div32ByLanes(d, a, b);
  } else if constexpr (HWY_TARGET <= HWY_AVX2 && HWY_MAX_LANES_D(D) >= 4) {
    return DivI32ByHalves(d, a, b);
  } else {
    return hn::Div(a, b);  // On x86 it wraps MIN / -1.
  }
}

// x[i] * y[i] of the low 32 bits of each lane.
template <class D, class V>
HWY_INLINE V MulLow32(D d, V x, V y) {
  const hn::RepartitionToNarrow<D> d32;
  return hn::BitCast(d, hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, y)));
}

#if HWY_TARGET <= HWY_AVX3

template <class D, class V>
HWY_INLINE V DivU64(D d, V a, V b) {
  const hn::RebindToFloat<D> df;
  const auto nonzero = hn::Ne(b, hn::Zero(d));
  const auto r = hn::Div(hn::Set(df, 1.0 - 0x1p-50), hn::ConvertTo(df, b));
  const V q0 = hn::ConvertInRangeTo(d, hn::Mul(hn::ConvertTo(df, a), r));
  const V r0 = hn::Sub(a, hn::Mul(q0, b));
  const V q1 = hn::ConvertInRangeTo(d, hn::Mul(hn::ConvertTo(df, r0), r));
  const V r1 = hn::Sub(r0, hn::Mul(q1, b));
  const V q = hn::IfThenElseZero(nonzero, hn::Add(q0, q1));
  return hn::MaskedAddOr(q, hn::And(nonzero, hn::Ge(r1, b)), q, hn::Set(d, 1));
}

#else

// Rounds once.
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

// floor(x * y), or one less where that is within rounding of an integer.
template <class D, class VF>
HWY_INLINE hn::Vec<D> FloorMul(D d, VF x, VF y) {
  const hn::RebindToFloat<D> df;
  const auto q = MagicRound(df, hn::MulSub(x, y, hn::Set(df, 0.5)));
  return hn::Xor(hn::BitCast(d, q), hn::BitCast(d, hn::Set(df, 0x1.8p52)));
}

template <class D, class V>
HWY_INLINE V DivU64(D d, V a, V b) {
  const hn::RebindToFloat<D> df;
  const auto r = hn::Div(hn::Set(df, 1.0 - 0x1p-50), U64ToDouble(d, b));
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

#endif  // HWY_TARGET != HWY_SCALAR

// ------------------------------ Other targets

template <class D, class V>
HWY_INLINE V DivByHighway(D d, V a, V b) {
  using T = hn::TFromD<D>;
  const auto nonzero = hn::Ne(b, hn::Zero(d));
  const V one = hn::Set(d, T{1});
  if constexpr (hwy::IsSigned<T>()) {
    const auto minus1 = hn::Eq(b, hn::Set(d, T{-1}));
    const V safe = hn::IfThenElse(hn::Or(hn::Not(nonzero), minus1), one, b);
    const V q = hn::IfThenElse(minus1, hn::Neg(a), hn::Div(a, safe));
    return hn::IfThenElseZero(nonzero, q);
  } else {
    const V q = hn::Div(a, hn::IfThenElse(nonzero, b, one));
    return hn::IfThenElseZero(nonzero, q);
  }
}

}  // namespace intdiv_detail

// Lane-wise a / b truncated toward zero; 0 where b is 0, MIN for MIN / -1.
template <class D, class V>
HWY_INLINE V TruncDiv(D d, V a, V b) {
  namespace id = intdiv_detail;
#if HWY_TARGET == HWY_SCALAR
  return id::DivByHighway(d, a, b);
#else
  using T = hn::TFromD<D>;
  if constexpr (!id::IsOurs<D>()) {
    return id::DivByHighway(d, a, b);
  } else if constexpr (sizeof(T) == 2) {
    return id::Div16(d, a, b);
  } else if constexpr (sizeof(T) == 4) {
    return id::ZeroIfNoDivisor(d, b, id::Div32(d, a, b));
  } else {
    const hn::RebindToUnsigned<D> du;
    const auto ua = id::Magnitude(d, a), ub = id::Magnitude(d, b);
    hn::Vec<decltype(du)> q;
    if constexpr (sizeof(T) == 1) {
      q = id::DivU8<hwy::IsSigned<T>()>(du, ua, ub);
    } else {
      q = id::DivU64(du, ua, ub);
    }
    return id::ApplySign(d, hn::BitCast(d, q), hn::Xor(a, b));
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_INTDIV_INL_H_
