// SPDX-License-Identifier: Apache-2.0
//
// Shared by the integer division of narrow and of wide lanes: the choice of
// targets, signs, and treating lanes as halves of wider lanes.

#if defined(LANEWISE_KERNELS_DIVISION_INTDIV_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_INTDIV_LANES_INL_H_
#undef LANEWISE_KERNELS_DIVISION_INTDIV_LANES_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_INTDIV_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/quiet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace intdiv_detail {

// How floats divide integers of 16 and 32 bits.
enum class By {
  kMultiplication,  // by a reciprocal
  kDivider,
  kBoth,  // even lanes by the divider, odd lanes by multiplication
};

// AVX2 has two ways, and the engine chooses (div.cc): the divider is quicker on
// Zen 3 and later, and 2.7 to 4 times as slow on Haswell. On AVX3_ZEN4, both
// together are quicker than either alone. On Intel's AVX-512, multiplication is
// quicker. SSE4 and older: see intdiv-inl.h.
template <typename T, Way kWay>
constexpr By UsualBy() {
  if (kWay == Way::kDivider) return By::kDivider;
  if (HWY_TARGET == HWY_AVX3_ZEN4) return By::kBoth;
  const bool is_old = HWY_TARGET > HWY_AVX2;
  return is_old && (HWY_ARCH_X86 || sizeof(T) == 4) ? By::kDivider
                                                    : By::kMultiplication;
}
// The same for divisors that divide many rows: their reciprocals cost little.
template <typename T>
constexpr By ReusedBy() {
  constexpr By kBy = UsualBy<T, Way::kUsual>();
  return kBy == By::kBoth ? By::kMultiplication : kBy;
}

// Whether lanes can be treated as halves of wider lanes.
template <class D>
constexpr bool HasHalves() {
  return HWY_IS_LITTLE_ENDIAN &&
         HWY_MAX_LANES_D(D) * sizeof(hn::TFromD<D>) >= 8;
}

// Whether the code here divides such lanes. Other targets use hn::Div: RVV, and
// SVE for 32 and 64 bits, have an instruction for it.
template <class D>
constexpr bool IsOurs() {
  return HasHalves<D>() &&
         (HWY_ARCH_X86 || (sizeof(hn::TFromD<D>) <= 2 &&
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

// Negates q where s is negative, but never in unsigned lanes.
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
  if constexpr (!HWY_ARCH_X86) {
    r = hn::Mul(r, hn::NegMulAdd(b, r, hn::Set(df, 2.0f)));
  }
  (void)df;
  return r;
}

// Even and odd lanes as lanes of twice the width. Signed lanes are scaled by
// 2^N, where N is their width.
template <class DW, class VW>
HWY_INLINE void WidenLanes(DW dw, VW v, VW& even, VW& odd) {
  using TW = hn::TFromD<DW>;
  constexpr int kHalf = sizeof(TW) * 4;
  if constexpr (hwy::IsSigned<TW>()) {
    even = hn::ShiftLeft<kHalf>(v);
    odd = hn::And(v, hn::Set(dw, static_cast<TW>(~TW{0} * (TW{1} << kHalf))));
  } else {
    even = hn::And(v, hn::Set(dw, static_cast<TW>((TW{1} << kHalf) - 1)));
    odd = hn::ShiftRight<kHalf>(v);
  }
}

}  // namespace intdiv_detail

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_INTDIV_LANES_INL_H_
