// SPDX-License-Identifier: Apache-2.0
//
// The functors of Div and Reciprocal on floats: by the divider alone, and with
// multiplication beside the divider where that pays (division-inl.h).

#if defined(LANEWISE_KERNELS_DIVISION_DIVISION_WAYS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_DIVISION_WAYS_INL_H_
#undef LANEWISE_KERNELS_DIVISION_DIVISION_WAYS_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_DIVISION_WAYS_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"
#include "kernels/division/division-inl.h"
#include "kernels/float16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ------------------------------ Div

template <typename TFloat>
struct FloatDiv {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;  // the divider is the limit
  // NaN / anything and anything / NaN raise no exception.
  static constexpr T kPadding = std::numeric_limits<T>::quiet_NaN();
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Div(a, b);
  }
};

/// By the divider alone.
using SlowDivBF16 = In16Bits<BFloat16, FloatDiv<float>>;

#if LANEWISE_MULTIPLIES
/// The divider computes every second vector, multiplication the others.
template <typename TFloat>
struct FastFloatDiv : FloatDiv<TFloat> {
  static constexpr size_t kAlternates = 1;

  template <class D, class V>
  HWY_INLINE V Alternative(D d, V a, V b) const {
    V q;
    return HWY_LIKELY(TryQuotient(d, a, b, q)) ? q : (*this)(d, a, b);
  }
};

/// The divider computes one half of a 16-bit vector, multiplication the other.
struct FastFloat16Div : FloatDiv<float> {
  static constexpr size_t kAlternates = 1;

  template <class D, class V>
  HWY_INLINE V Alternative(D d, V a, V b) const {
    return QuotientFor16(d, a, b);
  }
};
struct NormalBFloat16Div : FloatDiv<float> {
  static constexpr size_t kAlternates = 1;

  template <class DI, class VI>
  static HWY_INLINE hn::Mask<DI> Refuses(DI di, VI a, VI b) {
    return hn::Or(RefuseDividendBF16(di, a), RefuseDivisorBF16(di, b));
  }
  template <class D, class V>
  HWY_INLINE V Alternative(D d, V a, V b) const {
    return QuotientForBF16(d, a, NearReciprocal(d, b));
  }
};
using DivBF16 = InBFloat16<NormalBFloat16Div, FloatDiv<float>>;
#else
template <typename TFloat>
using FastFloatDiv = FloatDiv<TFloat>;
using FastFloat16Div = FloatDiv<float>;
using DivBF16 = SlowDivBF16;
#endif  // LANEWISE_MULTIPLIES

// ------------------------------ Reciprocal

template <typename TFloat>
struct Reciprocal {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;  // the divider is the limit
  static constexpr T kPadding = std::numeric_limits<T>::quiet_NaN();
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Div(hn::Set(d, T{1}), x);
  }
};

#if LANEWISE_MULTIPLIES
/// The divider computes every third vector, multiplication the others.
template <typename TFloat>
struct FastReciprocal : Reciprocal<TFloat> {
  static constexpr size_t kAlternates = 2;

  template <class D, class V>
  HWY_INLINE V Alternative(D d, V x) const {
    V y;
    return HWY_LIKELY(TryReciprocal(d, x, y)) ? y : (*this)(d, x);
  }
};
#else
template <typename TFloat>
using FastReciprocal = Reciprocal<TFloat>;
#endif  // LANEWISE_MULTIPLIES

/// By the divider alone.
using SlowReciprocalBF16 = In16Bits<BFloat16, Reciprocal<float>>;

#if LANEWISE_MULTIPLIES_FOR_F16
/// The divider computes one half of a 16-bit vector, multiplication the other.
struct FastReciprocal16 : Reciprocal<float> {
  static constexpr size_t kAlternates = 1;

  // Refuses magnitudes outside 2^-125 to 2^125.
  template <class DI, class VI>
  static HWY_INLINE hn::Mask<DI> Refuses(DI di, VI bits) {
    return Outside(di, bits, PowerOfTwoAsBF16(-125), PowerOfTwoAsBF16(125));
  }
  template <class D, class V>
  HWY_INLINE V Alternative(D d, V x) const {
    return ReciprocalFor16(d, x);
  }
};
using ReciprocalF16 = InFloat16<FastReciprocal16>;
#else
using ReciprocalF16 = InFloat16<Reciprocal<float>>;
#endif
#if LANEWISE_QUIET
using ReciprocalBF16 = InBFloat16<FastReciprocal16, Reciprocal<float>>;
#else
using ReciprocalBF16 = SlowReciprocalBF16;
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_DIVISION_WAYS_INL_H_
