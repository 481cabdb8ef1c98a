// SPDX-License-Identifier: Apache-2.0
//
// Integer division for i8 u8 i16 u16 i32 u32 i64 u64, lane by lane. It
// truncates toward zero, with the same result on every target; x / 0 is 0 and
// MIN / -1 is MIN. Zero divisors are not reported: the caller counts Eq(b, 0).
// Expects round-to-nearest, no FTZ/DAZ and masked floating-point exceptions,
// except where LANEWISE_QUIET is 1.
//
// TruncDiv multiplies by rough reciprocals whose error is biased to one side,
// so that truncating the product (or correcting its low digit once) is exact.
// Let e be the relative error of the reciprocal.
//  8 bits: (a + 1) * m >> 16 is floor(a / b) if 1 <= 65536 - m * b <= 255,
//    because a < 256. m comes from a byte table, or is rounded from a float
//    minus 96. That float has an error of 24 + b / 2, which meets the condition
//    for b < 128. For b >= 128 the result is 0 or 1, and 1 wherever a >= b;
//    lanes with a < b are then set to 0. A byte may be in the upper half of its
//    16 bits: a + 255/256 works as well as a + 1.
// 16 bits: with e in (0, 2^-16) the product cannot reach the next integer, as
//    a * e < 1. One Newton step gives e = 2^-18 +- 2^-21.
// 32 bits: the same in doubles, with 2^-33 +- 2^-34.2 (AVX3: 2^-35 +- 2^-41).
// 64 bits: e = -2^-50 +- 2^-51. The first estimate leaves a remainder whose
//    own quotient is below 2^33. The second estimate is exact or one too small.
// SSE4 and older use the divider for 16 and 32 bits: their reciprocals are
// slow, they have no FMA, and their divider is fast. Zen 4 and 5 use the
// divider for the even lanes of 16 and 32 bits, and AVX2 uses the divider if
// the engine prefers that. Targets other than x86 use hn::Div, with the
// divisors 0 and -1 replaced first.

#if defined(LANEWISE_KERNELS_DIVISION_INTDIV_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_INTDIV_INL_H_
#undef LANEWISE_KERNELS_DIVISION_INTDIV_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_INTDIV_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/division/divisor.h"
#include "kernels/division/intdiv_lanes-inl.h"
#include "kernels/division/intdiv_wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace intdiv_detail {

using lanewise::intdiv_detail::ByteReciprocals;
using lanewise::intdiv_detail::kReciprocals0To127;
using lanewise::intdiv_detail::kReciprocals1To128;

// ------------------------------ 8 bits

// For lanes below 256: their 16-bit reciprocals, in the low half of each
// result.
template <class D32, class V>
HWY_INLINE V ReciprocalBits(D32 d32, V b) {
  const hn::RebindToFloat<D32> df;
  const hn::RebindToSigned<D32> di;
  const auto bf = hn::ConvertTo(df, hn::BitCast(di, b));
  const auto m =
      quiet::MulAdd(RoughReciprocal(df, bf), hn::Set(df, 65536.0f - 96.0f),
                    hn::Set(df, 8388608.0f));
  return hn::BitCast(d32, m);
}

template <class D>
constexpr bool HasByteTable() {
  return HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL && HWY_MAX_LANES_D(D) == 64;
}

// floor(a / b) of bytes, divided as two vectors of 16-bit lanes: the even and
// the odd bytes, with separate multipliers.
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

// Computes the multipliers in float arithmetic.
template <class D, class V, class V16>
HWY_INLINE void MultipliersByFloat(D d, V b, V16& m_even, V16& m_odd) {
  const hn::Repartition<uint16_t, D> d16;
  const hn::Repartition<uint32_t, D> d32;
  const auto byte = hn::Set(d32, 0xFF);
  const auto b32 = hn::BitCast(d32, b);
  const auto m0 = ReciprocalBits(d32, hn::And(b32, byte));
  const auto m1 = ReciprocalBits(d32, hn::And(hn::ShiftRight<8>(b32), byte));
  const auto m2 = ReciprocalBits(d32, hn::And(hn::ShiftRight<16>(b32), byte));
  const auto m3 = ReciprocalBits(d32, hn::ShiftRight<24>(b32));
  m_even = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(m2)),
                       hn::BitCast(d16, m0));
  m_odd = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(m3)),
                      hn::BitCast(d16, m1));
  (void)d;
}

#if HWY_TARGET <= HWY_AVX3_DL
// Looks the multipliers up in a table, for b in 0..127, or in 0..128 if
// kMagnitudes. A divisor of 0 gets the multiplier 0.
template <bool kMagnitudes, class D, class V, class V16>
HWY_INLINE void MultipliersByTable(D d, V b, V16& m0, V16& m1) {
  const hn::Repartition<uint16_t, D> d16;
  const auto idx = hn::IndicesFromVec(d, hn::And(b, hn::Set(d, 0x7F)));
  const auto lookup = [&](const uint8_t* table) HWY_ATTR {
    V m = hn::TwoTablesLookupLanes(d, hn::Load(d, table),
                                   hn::Load(d, table + 64), idx);
    // 0 and 128 have the same index.
    if constexpr (kMagnitudes) m = ZeroIfNoDivisor(d, b, m);
    return m;
  };
  constexpr const ByteReciprocals& kTable =
      kMagnitudes ? kReciprocals1To128 : kReciprocals0To127;
  const V lo = lookup(kTable.lo);
  const V hi = lookup(kTable.hi);
  const auto low_byte = hn::Set(d16, 0x00FF);
  const auto lo16 = hn::BitCast(d16, lo), hi16 = hn::BitCast(d16, hi);
  m0 = hn::OrAnd(hn::ShiftLeft<8>(hi16), lo16, low_byte);
  m1 = hn::Or(hn::ShiftRight<8>(lo16), hn::AndNot(low_byte, hi16));
}
#endif  // HWY_TARGET <= HWY_AVX3_DL

// kMagnitudes: b holds magnitudes of signed divisors, at most 128.
template <bool kMagnitudes, class D, class V, class V16>
HWY_INLINE void Multipliers(D d, V b, V16& m0, V16& m1) {
#if HWY_TARGET <= HWY_AVX3_DL
  if constexpr (HasByteTable<D>()) {
    MultipliersByTable<kMagnitudes>(d, b, m0, m1);
    return;
  }
#endif
  MultipliersByFloat(d, b, m0, m1);
}

// a / b of unsigned lanes, or of magnitudes if kMagnitudes.
template <bool kMagnitudes, class D, class V, class V16>
HWY_INLINE V DivU8(D d, V a, V b, V16 m0, V16 m1) {
  const V q = MulBytes(d, a, m0, m1);
  if constexpr (!HasByteTable<D>()) {
    return hn::IfThenElseZero(hn::Ge(a, b), q);
  } else if constexpr (kMagnitudes) {
    return q;
  } else {
    const V q_big = hn::IfThenElseZero(hn::Ge(a, b), hn::Set(d, 1));
    const hn::RebindToSigned<D> di;
    const auto is_big = hn::IsNegative(hn::BitCast(di, b));
    return hn::IfThenElse(hn::RebindMask(d, is_big), q_big, q);
  }
}

// ------------------------------ 16 bits

// What Quotient16 needs of a divisor: the reciprocal, or the divisor itself as
// a float.
template <bool kDivides, class DI, class V>
HWY_INLINE V Prepare16(DI di, V b) {
  const hn::RebindToFloat<DI> df;
  const auto bf = hn::ConvertTo(df, b);
  if constexpr (kDivides) {
    return hn::BitCast(di, bf);
  } else {
    const auto r0 = RoughReciprocal(df, bf);
    return hn::BitCast(
        di,
        quiet::Mul(r0, quiet::NegMulAdd(bf, r0, hn::Set(df, 2.0f + 0x1p-18f))));
  }
}

template <bool kDivides, class DI, class V>
HWY_INLINE V Quotient16(DI di, V a, V prepared) {
  const hn::RebindToFloat<DI> df;
  const auto af = hn::ConvertTo(df, a), p = hn::BitCast(df, prepared);
  if constexpr (kDivides) {
    return quiet::Truncate(di, quiet::Div(af, p));
  } else {
    return quiet::Truncate(di, quiet::Mul(af, p));
  }
}

// 16-bit lanes as signed 32-bit lanes, whether the 16-bit lanes are signed or
// not.
template <class D, class V, class VI>
HWY_INLINE void Widen16(D d, V v, VI& even, VI& odd) {
  using T32 = hwy::MakeWide<hn::TFromD<D>>;
  const hn::Repartition<T32, D> dw;
  const hn::Repartition<int32_t, D> di;
  hn::Vec<decltype(dw)> wide_even, wide_odd;
  WidenLanes(dw, hn::BitCast(dw, v), wide_even, wide_odd);
  even = hn::BitCast(di, wide_even);
  odd = hn::BitCast(di, wide_odd);
  (void)d;
}

template <By kBy, class D, class V, class VI>
HWY_INLINE V Div16(D d, V a, V b, VI p_even, VI p_odd) {
  const hn::Repartition<int32_t, D> di;
  VI a_even, a_odd;
  Widen16(d, a, a_even, a_odd);
  const VI even = Quotient16<kBy != By::kMultiplication>(di, a_even, p_even);
  const VI odd = Quotient16<kBy == By::kDivider>(di, a_odd, p_odd);
  const V q =
      hn::OddEven(hn::BitCast(d, hn::ShiftLeft<16>(odd)), hn::BitCast(d, even));
  // x86 converts NaN and infinity to 0x80000000, whose lower half is 0.
  return HWY_ARCH_X86 ? q : ZeroIfNoDivisor(d, b, q);
}

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

// Most of the cost of a vector of divisors is its reciprocals. PrepareDivisors
// computes them, as two vectors of bits that only DivideByPrepared understands.
template <intdiv_detail::By kBy, class D, class V>
HWY_INLINE void PrepareDivisors([[maybe_unused]] D d, V b, V& p0, V& p1) {
  namespace id = intdiv_detail;
  p0 = p1 = b;
  using T = hn::TFromD<D>;
  if constexpr (!id::IsOurs<D>()) {
    return;
  } else if constexpr (sizeof(T) == 1) {
    const hn::RebindToUnsigned<D> du;
    const hn::Repartition<uint16_t, D> d16;
    hn::Vec<decltype(d16)> even, odd;
    id::Multipliers<hwy::IsSigned<T>()>(du, id::Magnitude(d, b), even, odd);
    p0 = hn::BitCast(d, even);
    p1 = hn::BitCast(d, odd);
  } else if constexpr (sizeof(T) == 2) {
    const hn::Repartition<int32_t, D> di;
    hn::Vec<decltype(di)> even, odd;
    id::Widen16(d, b, even, odd);
    constexpr bool kEvenDivides = kBy != id::By::kMultiplication;
    constexpr bool kOddDivides = kBy == id::By::kDivider;
    p0 = hn::BitCast(d, id::Prepare16<kEvenDivides>(di, even));
    p1 = hn::BitCast(d, id::Prepare16<kOddDivides>(di, odd));
  } else if constexpr (sizeof(T) == 4) {
    id::PrepareDiv32<kBy>(d, b, p0, p1);
  } else {
    const hn::RebindToUnsigned<D> du;
    p0 = hn::BitCast(d, id::PrepareU64(du, id::Magnitude(d, b)));
  }
}

// Lane-wise a / b, where p0 and p1 come from PrepareDivisors<kBy>(b).
template <intdiv_detail::By kBy, class D, class V>
HWY_INLINE V DivideByPrepared(D d, V a, V b, [[maybe_unused]] V p0,
                              [[maybe_unused]] V p1) {
  namespace id = intdiv_detail;
  using T = hn::TFromD<D>;
  if constexpr (!id::IsOurs<D>()) {
    return id::DivByHighway(d, a, b);
  } else if constexpr (sizeof(T) == 2) {
    const hn::Repartition<int32_t, D> di;
    return id::Div16<kBy>(d, a, b, hn::BitCast(di, p0), hn::BitCast(di, p1));
  } else if constexpr (sizeof(T) == 4) {
    return id::Div32<kBy>(d, a, b, p0, p1);
  } else {
    const hn::RebindToUnsigned<D> du;
    const auto ua = id::Magnitude(d, a), ub = id::Magnitude(d, b);
    hn::Vec<decltype(du)> q;
    if constexpr (sizeof(T) == 1) {
      const hn::Repartition<uint16_t, D> d16;
      q = id::DivU8<hwy::IsSigned<T>()>(du, ua, ub, hn::BitCast(d16, p0),
                                        hn::BitCast(d16, p1));
    } else {
      q = id::DivU64(du, ua, ub, hn::BitCast(du, p0));
    }
    return id::ApplySign(d, hn::BitCast(d, q), hn::Xor(a, b));
  }
}

// Lane-wise a / b truncated toward zero; 0 where b is 0, MIN for MIN / -1.
template <Way kWay = Way::kUsual, class D, class V>
HWY_INLINE V TruncDiv(D d, V a, V b) {
  constexpr auto kBy = intdiv_detail::UsualBy<hn::TFromD<D>, kWay>();
  V p0, p1;
  PrepareDivisors<kBy>(d, b, p0, p1);
  return DivideByPrepared<kBy>(d, a, b, p0, p1);
}

// The same for one pair, by the CPU's own divider.
template <typename T>
HWY_INLINE T Quotient(T a, T b) {
  using TU = hwy::MakeUnsigned<T>;
  // The CPU traps at x / 0 and MIN / -1.
  if (HWY_UNLIKELY(b == 0)) return 0;
  if (hwy::IsSigned<T>() && b == static_cast<T>(-1)) {
    return static_cast<T>(TU{0} - static_cast<TU>(a));
  }
  return static_cast<T>(a / b);
}

// Whether there is a zero in b[0, n).
template <typename T>
HWY_INLINE bool HasZero(const T* b, size_t n) {
  using TU = hwy::MakeUnsigned<T>;
  const hn::ScalableTag<TU> d;
  const size_t N = hn::Lanes(d);
  const TU* p = reinterpret_cast<const TU*>(b);
  auto least = hn::LoadNOr(hn::Set(d, 1), d, p + (n - n % N), n % N);
  for (size_t i = 0; i + N <= n; i += N) {
    least = hn::Min(least, hn::LoadU(d, p + i));
  }
  return !hn::AllFalse(d, hn::Eq(least, hn::Zero(d)));
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_INTDIV_INL_H_
