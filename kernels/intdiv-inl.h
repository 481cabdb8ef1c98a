// Integer division by vectors and by one invariant divisor.
#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"

// Target-independent part, compiled once.
#ifndef LANEWISE_KERNELS_INTDIV_DIVISOR_
#define LANEWISE_KERNELS_INTDIV_DIVISOR_

namespace lanewise {

// A divisor made ready by MakeDivisor. With m = multiplier, the magnitude of
// the quotient is (|a| * m + increment) >> (N + shift), N the bits of m.
template <typename T>
struct Divisor {
  using Multiplier =
      hwy::If<sizeof(T) == 1, uint16_t, hwy::MakeUnsigned<T>>;
  T value;
  int shift;
  Multiplier multiplier;  // 0 if value is 0
  Multiplier increment;   // 0 or multiplier
};

namespace intdiv_detail {

// Returns floor((2^(N + shift) - 1) / d) for 2^shift <= d < 2^(shift + 1) and
// N = 64; the narrower widths have the division in hardware.
inline uint64_t DividePow2Minus1(uint64_t d, int shift) {
#if defined(__SIZEOF_INT128__)
  __extension__ using U128 = unsigned __int128;
  const U128 n = (U128{1} << 64 << shift) - 1;
  return static_cast<uint64_t>(n / d);
#else
  // Two digits of 32 bits, schoolbook; both estimates are at most 2 too large.
  const uint64_t v = d << (63 - shift);  // dividend becomes 2^127 - 2^(63-s)
  const uint64_t v1 = v >> 32, v0 = v & 0xFFFFFFFFu;
  const uint64_t hi = 0x7FFFFFFFFFFFFFFFull;
  const uint64_t lo = ~uint64_t{0} << (63 - shift);
  uint64_t q1 = hi / v1, r = hi - q1 * v1;
  while (q1 >> 32 || q1 * v0 > ((r << 32) | (lo >> 32))) {
    --q1, r += v1;
    if (r >> 32) break;
  }
  const uint64_t mid = (hi << 32 | lo >> 32) - q1 * v;
  uint64_t q0 = mid / v1;
  r = mid - q0 * v1;
  while (q0 >> 32 || q0 * v0 > ((r << 32) | (lo & 0xFFFFFFFFu))) {
    --q0, r += v1;
    if (r >> 32) break;
  }
  return (q1 << 32) + q0;
#endif
}

// Reciprocals floor(65535 / b) of the divisors below 128, as two byte tables.
struct ByteReciprocals {
  constexpr ByteReciprocals() : lo(), hi() {
    for (uint32_t b = 1; b < 128; ++b) {
      lo[b] = static_cast<uint8_t>((65535 / b) & 0xFF);
      hi[b] = static_cast<uint8_t>((65535 / b) >> 8);
    }
  }
  alignas(64) uint8_t lo[128];
  alignas(64) uint8_t hi[128];
};
inline constexpr ByteReciprocals kByteReciprocals;

}  // namespace intdiv_detail

template <typename T>
inline Divisor<T> MakeDivisor(T b) {
  using M = typename Divisor<T>::Multiplier;
  constexpr int kBits = static_cast<int>(sizeof(M) * 8);
  Divisor<T> p{b, 0, 0, 0};
  if (b == 0) return p;
  const auto bits = static_cast<hwy::MakeUnsigned<T>>(b);
  const uint64_t d = b < 0 ? hwy::MakeUnsigned<T>(0 - bits) : bits;
  if constexpr (sizeof(T) == 1) {
    p.multiplier = static_cast<M>(65535 / d);
    p.increment = p.multiplier;
    return p;
  }
  p.shift = 63 - static_cast<int>(hwy::Num0BitsAboveMS1Bit_Nonzero64(d));
  uint64_t m;
  if constexpr (kBits == 64) {
    m = intdiv_detail::DividePow2Minus1(d, p.shift);
  } else {
    m = ((uint64_t{1} << (kBits + p.shift)) - 1) / d;
  }
  const uint64_t pow2 = kBits == 64 ? 0 : uint64_t{1} << (kBits + p.shift);
  const uint64_t down = (kBits == 64 ? 0 : pow2) - m * d;  // 2^(N+s) mod d
  const uint64_t up = d - down;
  // m + 1 without the increment where it is exact, but never 2^N.
  const bool round_up =
      up <= (uint64_t{1} << p.shift) && down != d;
  p.multiplier = static_cast<M>(round_up ? m + 1 : m);
  p.increment = round_up ? M{0} : p.multiplier;
  return p;
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_INTDIV_DIVISOR_

#if defined(LANEWISE_KERNELS_INTDIV_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_INTDIV_INL_H_
#undef LANEWISE_KERNELS_INTDIV_INL_H_
#else
#define LANEWISE_KERNELS_INTDIV_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace intdiv_detail {

using lanewise::intdiv_detail::ByteReciprocals;
using lanewise::intdiv_detail::kByteReciprocals;

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

// Negates q where the sign bit of s is set.
template <class D, class V>
HWY_INLINE V ApplySign(D d, V q, V s) {
#if HWY_TARGET <= HWY_AVX3
  return hn::MaskedSubOr(q, hn::IsNegative(s), hn::Zero(d), q);
#else
  (void)d;
  const V sign = hn::BroadcastSignBit(s);
  return hn::Sub(hn::Xor(q, sign), sign);
#endif
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
  const auto even = hn::MulHigh(
      hn::Add(hn::And(a16, low_byte), hn::Set(d16, 1)), m_even);
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
// Reciprocals from byte tables of 128 entries; b >= 128 needs none.
template <class D, class V>
HWY_INLINE V DivU8ByTable(D d, V a, V b) {
  const hn::Repartition<uint16_t, D> d16;
  const ByteReciprocals& table = kByteReciprocals;
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
  const V q_big = hn::IfThenElseZero(hn::Ge(a, b), hn::Set(d, 1));
  const hn::RebindToSigned<D> di;
  const auto is_big = hn::RebindMask(d, hn::IsNegative(hn::BitCast(di, b)));
  return hn::IfThenElse(is_big, q_big, MulBytes(d, a, even, odd));
}
#endif  // HWY_TARGET <= HWY_AVX3_DL

template <class D, class V>
HWY_INLINE V DivU8(D d, V a, V b) {
#if HWY_TARGET <= HWY_AVX3_DL
  if constexpr (HWY_MAX_LANES_D(D) == 64) return DivU8ByTable(d, a, b);
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

// floor(x + 0.5) for -0.5 < x < 2^51 in the low 52 bits, unless x is within
// rounding of a half; 0 for any x below 0.
template <class DF, class VF>
HWY_INLINE VF MagicRound(DF df, VF x) {
  return hn::Add(hn::Max(x, hn::Zero(df)), hn::Set(df, 0x1p52));
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
  const VF r = hn::PromoteTo(
      df, hn::ApproximateReciprocal(hn::DemoteTo(df32, b)));
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
  const auto q =
      hn::Div(SmallToDouble(dw, a, 0.5), SmallToDouble(dw, b, 0.0));
  return hn::BitCast(dw, MagicRound(df, hn::Sub(q, hn::Set(df, 0.5))));
#endif
}

#if HWY_TARGET == HWY_AVX2
// Signed division by halves, of which the conversions are fast.
template <class D, class V, HWY_IF_I32_D(D)>
HWY_INLINE V Div32(D d, V a, V b) {
  if constexpr (HWY_MAX_LANES_D(D) < 4) {
    return hn::Div(a, b);
  } else {
    const hn::Half<D> dh;
    const hn::RepartitionToWide<hn::RebindToFloat<D>> df;
    const auto rough =
        hn::ApproximateReciprocal(hn::ConvertTo(hn::RebindToFloat<D>(), b));
    const auto r_lo = Refine(df, hn::PromoteLowerTo(df, b), hn::PromoteLowerTo(df, rough), 0x1p-33);
    const auto r_hi = Refine(df, hn::PromoteUpperTo(df, b), hn::PromoteUpperTo(df, rough), 0x1p-33);
    const auto lo = hn::Mul(hn::PromoteLowerTo(df, a), r_lo);
    const auto hi = hn::Mul(hn::PromoteUpperTo(df, a), r_hi);
    return hn::Combine(d, hn::DemoteInRangeTo(dh, hi), hn::DemoteInRangeTo(dh, lo));
  }
}
template <class D, class V, HWY_IF_U32_D(D)>
#else
template <class D, class V>
#endif
HWY_INLINE V Div32(D d, V a, V b) {
  using T = hn::TFromD<D>;
  const hn::Repartition<hwy::MakeWide<T>, D> dw;
  using VW = hn::Vec<decltype(dw)>;
  const VW a64 = hn::BitCast(dw, a), b64 = hn::BitCast(dw, b);
  VW even, odd;
  if constexpr (hwy::IsSigned<T>()) {
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
  const auto r = FineReciprocal(df, hn::ConvertTo(df, b), -0x1p-40);
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
  const V hi = hn::Or(hn::ShiftRight<32>(x), hn::BitCast(d, hn::Set(df, 0x1p84)));
  return hn::Add(hn::Sub(hn::BitCast(df, hi), hn::Set(df, 0x1p84 + 0x1p52)),
                 hn::BitCast(df, lo));
}

// floor(x * y), or one less where that is within rounding of an integer.
template <class D, class VF>
HWY_INLINE hn::Vec<D> FloorMul(D d, VF x, VF y) {
  const hn::RebindToFloat<D> df;
  const auto q = MagicRound(df, hn::MulSub(x, y, hn::Set(df, 0.5)));
  return hn::Xor(hn::BitCast(d, q), hn::BitCast(d, hn::Set(df, 0x1p52)));
}

template <class D, class V>
HWY_INLINE V DivU64(D d, V a, V b) {
  const hn::RebindToFloat<D> df;
  const auto r = hn::Div(hn::Set(df, 1.0 - 0x1p-50), U64ToDouble(d, b));
  const auto r_high = hn::Mul(r, hn::Set(df, 0x1p-32));
  const V q_high = FloorMul(d, U64ToDouble(d, a), r_high);
  const V a_low = hn::Sub(a, hn::ShiftLeft<32>(MulLow32(d, q_high, b)));
  const V q_low = FloorMul(d, U64ToDouble(d, a_low), r);
  const V rest = hn::Sub(a_low, hn::Mul(q_low, b));
  const V q = hn::Add(hn::ShiftLeft<32>(q_high), q_low);
  const V fix = hn::VecFromMask(d, hn::Ge(rest, b));
  return ZeroIfNoDivisor(d, b, hn::Sub(q, fix));
}

#endif  // HWY_TARGET <= HWY_AVX3

// ------------------------------ Invariant divisor

template <class V>
HWY_INLINE V ShiftRightBy(V v, int bits) {
#if LANEWISE_INTDIV_X86 && HWY_TARGET <= HWY_AVX2
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  // One instruction where a shift by one count for all is two.
  if constexpr (sizeof(T) >= 4 || HWY_TARGET <= HWY_AVX3) {
    return hn::Shr(v, hn::Set(d, static_cast<T>(bits)));
  }
#endif
  return hn::ShiftRightSame(v, bits);
}

template <class D, class V>
HWY_INLINE V MulShift32(D d, V a, uint32_t m, uint32_t inc, int shift) {
  const hn::RepartitionToWide<D> dw;
  const V vm = hn::Set(d, m);
  const auto vinc = hn::Set(dw, uint64_t{inc});
  const auto even = hn::Add(hn::MulEven(a, vm), vinc);
  const auto odd = hn::Add(hn::MulOdd(a, vm), vinc);
  return hn::OddEven(hn::BitCast(d, ShiftRightBy(odd, shift)),
                     hn::BitCast(d, ShiftRightBy(even, shift + 32)));
}

template <class D, class V>
HWY_INLINE V MulShift64(D d, V a, uint64_t m, uint64_t inc, int shift) {
  const V low = hn::Set(d, uint64_t{0xFFFFFFFF});
  const V m0 = hn::Set(d, m), m1 = hn::Set(d, m >> 32);
  const V a1 = hn::ShiftRight<32>(a);
  const V p00 = hn::Add(MulLow32(d, a, m0), hn::Set(d, inc & 0xFFFFFFFF));
  const V p10 = hn::Add(MulLow32(d, a1, m0), hn::ShiftRight<32>(p00));
  const V p01 = hn::Add(hn::Add(MulLow32(d, a, m1), hn::Set(d, inc >> 32)),
                        hn::And(p10, low));
  const V high = hn::Add(MulLow32(d, a1, m1),
                         hn::Add(hn::ShiftRight<32>(p10),
                                 hn::ShiftRight<32>(p01)));
  return ShiftRightBy(high, shift);
}

// |a| / |divisor| for unsigned lanes.
template <class D, class V, typename T>
HWY_INLINE V MulShift(D d, V a, const Divisor<T>& p) {
  if constexpr (sizeof(T) == 1) {
    const hn::Repartition<uint16_t, D> d16;
    const auto m = hn::Set(d16, p.multiplier);
    return MulBytes(d, a, m, m);
  } else if constexpr (sizeof(T) == 2) {
    const V inc = hn::Set(d, static_cast<uint16_t>(p.increment != 0));
    const V product =
        hn::MulHigh(hn::SaturatedAdd(a, inc), hn::Set(d, p.multiplier));
    const V q = ShiftRightBy(product, p.shift);
    if constexpr (hwy::IsSigned<T>()) return q;
    const uint16_t keep = p.value == 1 ? 0xFFFF : 0;
    return hn::Or(q, hn::And(a, hn::Set(d, keep)));
  } else if constexpr (sizeof(T) == 4) {
    return MulShift32(d, a, p.multiplier, p.increment, p.shift);
  } else {
    return MulShift64(d, a, p.multiplier, p.increment, p.shift);
  }
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

template <class D, class V>
HWY_INLINE V TruncDiv(D d, V a, V b) {
  using T = hn::TFromD<D>;
  namespace id = intdiv_detail;
  if constexpr (!id::IsOurs<D>()) {
    return id::DivByHighway(d, a, b);
  } else if constexpr (sizeof(T) == 2) {
    return id::Div16(d, a, b);
  } else if constexpr (sizeof(T) == 4 && hwy::IsSigned<T>() &&
                       HWY_TARGET > HWY_AVX2) {
    return id::ZeroIfNoDivisor(d, b, hn::Div(a, b));
  } else if constexpr (hwy::IsSigned<T>() && sizeof(T) != 4) {
    const hn::RebindToUnsigned<D> du;
    const auto q = TruncDiv(du, hn::BitCast(du, hn::Abs(a)),
                            hn::BitCast(du, hn::Abs(b)));
    return id::ApplySign(d, hn::BitCast(d, q), hn::Xor(a, b));
  } else if constexpr (sizeof(T) == 1) {
    return id::DivU8(d, a, b);
  } else if constexpr (sizeof(T) == 4) {
    return id::ZeroIfNoDivisor(d, b, id::Div32(d, a, b));
  } else {
    return id::DivU64(d, a, b);
  }
}

template <class D, class V>
HWY_INLINE V DivideBy(D d, V a, const Divisor<hn::TFromD<D>>& p) {
  using T = hn::TFromD<D>;
  namespace id = intdiv_detail;
  if constexpr (!id::HasHalves<D>()) {
    return TruncDiv(d, a, hn::Set(d, p.value));
  } else if constexpr (hwy::IsSigned<T>()) {
    const hn::RebindToUnsigned<D> du;
    const auto q =
        id::MulShift(du, hn::BitCast(du, hn::Abs(a)), p);
    return id::ApplySign(d, hn::BitCast(d, q),
                         hn::Xor(a, hn::Set(d, p.value)));
  } else {
    return id::MulShift(d, a, p);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_INTDIV_INL_H_
