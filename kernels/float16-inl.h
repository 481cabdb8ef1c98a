// SPDX-License-Identifier: Apache-2.0
//
// 16-bit floats are stored as their bits and computed as float32: what an
// operator does to float lanes is done to both halves of a 16-bit vector, and
// each result is rounded once, to nearest even. That is the correctly rounded
// answer for any single operation, since float32 has more than twice the bits.

#if defined(LANEWISE_KERNELS_FLOAT16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_FLOAT16_INL_H_
#undef LANEWISE_KERNELS_FLOAT16_INL_H_
#else
#define LANEWISE_KERNELS_FLOAT16_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// float16: Highway's conversions, which round to nearest even, keep
/// subnormals and quiet NaNs on every target.
struct Float16 {
  static constexpr uint16_t kPositiveOne = 0x3C00;
  static constexpr uint16_t kQuietNaN = 0x7E00;

  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Lower(DF df, V16 v) {
    const hn::Repartition<hwy::float16_t, DF> d16;
    return hn::PromoteLowerTo(df, hn::BitCast(d16, v));
  }
  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Upper(DF df, V16 v) {
    const hn::Repartition<hwy::float16_t, DF> d16;
    return hn::PromoteUpperTo(df, hn::BitCast(d16, v));
  }
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> Join(D16 d16, VF lower, VF upper) {
    const hn::DFromV<VF> df;
    const hn::Rebind<hwy::float16_t, decltype(df)> half;
    const hn::Repartition<hwy::float16_t, decltype(df)> full;
    return hn::BitCast(d16, hn::Combine(full, hn::DemoteTo(half, upper),
                                        hn::DemoteTo(half, lower)));
  }
};

/// bfloat16: the upper half of a float32. Rounded on integer lanes, because
/// AVX512-BF16's own conversion flushes subnormals.
struct BFloat16 {
  static constexpr uint16_t kPositiveOne = 0x3F80;
  static constexpr uint16_t kQuietNaN = 0x7FC0;

  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Lower(DF df, V16 v) {
    const hn::RebindToUnsigned<DF> du;
    return hn::BitCast(df, hn::ShiftLeft<16>(hn::PromoteLowerTo(du, v)));
  }
  template <class DF, class V16>
  static HWY_INLINE hn::VFromD<DF> Upper(DF df, V16 v) {
    const hn::RebindToUnsigned<DF> du;
    return hn::BitCast(df, hn::ShiftLeft<16>(hn::PromoteUpperTo(du, v)));
  }
  template <class D16, class VF>
  static HWY_INLINE hn::VFromD<D16> Join(D16 d16, VF lower, VF upper) {
    return hn::OrderedDemote2To(d16, Round(lower), Round(upper));
  }

 private:
  // The rounded upper half, in 32-bit lanes.
  template <class VF, class DF = hn::DFromV<VF>,
            class DU = hn::RebindToUnsigned<DF>>
  static HWY_INLINE hn::VFromD<DU> Round(VF v) {
    const DF df;
    const DU du;
    const auto bits = hn::BitCast(du, v);
    const auto upper = hn::ShiftRight<16>(bits);
    const auto odd = hn::And(upper, hn::Set(du, 1u));
    const auto rounded =
        hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFFu))));
    // A NaN's payload must not be rounded up into an infinity.
    const auto quieted = hn::Or(upper, hn::Set(du, 0x40u));
    return hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(hn::BitCast(df, bits))),
                          quieted, rounded);
  }
};

/// Makes a functor over 16-bit storage lanes from one over float lanes. A
/// functor may have an `Apply<Format>` where the format matters to it.
template <class Format, class Fn>
struct In16Bits {
  using T = uint16_t;
  static constexpr size_t kUnroll = Fn::kUnroll < 2 ? 1 : Fn::kUnroll / 2;
  static constexpr T kPadding =
      Fn::kPadding != Fn::kPadding ? Format::kQuietNaN : T{0};
  static_assert(Fn::kPadding != Fn::kPadding || Fn::kPadding == 0);

  template <class D, class... V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V... v) const {
    const hn::Repartition<float, D> df;
    return Format::Join(d, Fn()(df, Format::Lower(df, v)...),
                        Fn()(df, Format::Upper(df, v)...));
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_FLOAT16_INL_H_
