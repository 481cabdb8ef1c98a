// SPDX-License-Identifier: Apache-2.0
//
// Integer division of many dividends by one divisor: p = MakeInvariant(b), then
// DivideBy(d, a, p). The results are those of TruncDiv. The quotient of the
// magnitudes is computed by a multiplication, see divisor.h.

#if defined(LANEWISE_KERNELS_DIVISION_INVARIANT_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_INVARIANT_INL_H_
#undef LANEWISE_KERNELS_DIVISION_INVARIANT_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_INVARIANT_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/division/divisor.h"
#include "kernels/division/intdiv-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace intdiv_detail {

template <class V>
HWY_INLINE V ShiftRightBy(V v, int bits) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  // Shifting by a vector of counts is one instruction; shifting all lanes by
  // one scalar count is two.
  if constexpr (sizeof(T) >= 4 || HWY_TARGET <= HWY_AVX3) {
    return hn::Shr(v, hn::Set(d, static_cast<T>(bits)));
  }
#endif
  return hn::ShiftRightSame(v, bits);
}

template <bool kIncrement, class D, class V>
HWY_INLINE V MulShift32(D d, V a, uint32_t m, int shift) {
  const hn::RepartitionToWide<D> dw;
  const V vm = hn::Set(d, m);
  auto even = hn::MulEven(a, vm);
  auto odd = hn::MulOdd(a, vm);
  if constexpr (kIncrement) {
    even = hn::Add(even, hn::Set(dw, uint64_t{m}));
    odd = hn::Add(odd, hn::Set(dw, uint64_t{m}));
  }
  return hn::OddEven(hn::BitCast(d, ShiftRightBy(odd, shift)),
                     hn::BitCast(d, ShiftRightBy(even, shift + 32)));
}

template <bool kIncrement, class D, class V>
HWY_INLINE V MulShift64(D d, V a, uint64_t m, int shift) {
  const V low = hn::Set(d, uint64_t{0xFFFFFFFF});
  const V m0 = hn::Set(d, m), m1 = hn::Set(d, m >> 32);
  const V a1 = hn::ShiftRight<32>(a);
  V p00 = MulLow32(d, a, m0);
  if constexpr (kIncrement) {
    p00 = hn::Add(p00, hn::Set(d, m & 0xFFFFFFFF));
  }
  const V p10 = hn::Add(MulLow32(d, a1, m0), hn::ShiftRight<32>(p00));
  V p01 = hn::Add(MulLow32(d, a, m1), hn::And(p10, low));
  if constexpr (kIncrement) p01 = hn::Add(p01, m1);
  const V high = hn::Add(MulLow32(d, a1, m1), hn::Add(hn::ShiftRight<32>(p10),
                                                      hn::ShiftRight<32>(p01)));
  return ShiftRightBy(high, shift);
}

// |a| / |divisor| for unsigned lanes.
template <bool kIncrement, class D, class V, typename T>
HWY_INLINE V MulShift(D d, V a, const Divisor<T>& p) {
  if constexpr (sizeof(T) == 1) {
    const hn::Repartition<uint16_t, D> d16;
    const auto m = hn::Set(d16, p.multiplier);
    return MulBytes(d, a, m, m);
  } else if constexpr (sizeof(T) == 2) {
    // 65535 + 1 becomes 65535, which has another quotient than 65534 only if d
    // divides 65535. Such a d needs no increment: 2^(16 + shift) and 2^shift
    // leave the same rest, so that `up` in MakeDivisor is at most 2^shift.
    const V up = kIncrement ? hn::SaturatedAdd(a, hn::Set(d, uint16_t{1})) : a;
    const V product = hn::MulHigh(up, hn::Set(d, p.multiplier));
    const V q = ShiftRightBy(product, p.shift);
    if constexpr (hwy::IsSigned<T>()) return q;
    const uint16_t keep = p.value == 1 ? 0xFFFF : 0;
    return hn::Or(q, hn::And(a, hn::Set(d, keep)));
  } else if constexpr (sizeof(T) == 4) {
    return MulShift32<kIncrement>(d, a, p.multiplier, p.shift);
  } else {
    return MulShift64<kIncrement>(d, a, p.multiplier, p.shift);
  }
}

}  // namespace intdiv_detail

// a / p.value, with the results of TruncDiv. kIncrement is p.increments, known
// before the loop. In a loop that stores lanes of T, pass a local copy of p:
// otherwise the stores might alias p, and its vectors could not be hoisted.
template <bool kIncrement, class D, class V, typename T = hn::TFromD<D>>
HWY_INLINE V DivideBy(D d, V a, const Divisor<T>& p) {
  namespace id = intdiv_detail;
  if constexpr (!id::HasHalves<D>()) {
    return TruncDiv(d, a, hn::Set(d, p.value));
  } else {
    const hn::RebindToUnsigned<D> du;
    const auto q = id::MulShift<kIncrement>(du, id::Magnitude(d, a), p);
    return id::ApplySign(d, hn::BitCast(d, q), hn::Xor(a, hn::Set(d, p.value)));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_INVARIANT_INL_H_
