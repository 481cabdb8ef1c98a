// SPDX-License-Identifier: Apache-2.0
//
// Correctly rounded float32 functions of one input, from double lanes: for
// kernels of Way::kExact.
//
// Method: a double with a small error rounds to the right float, unless the
// double lies beside the middle of two floats, which its bits tell. Vectors
// with such doubles or with subnormal results are computed again, with an error
// below one last place of a double. That leaves at most 14 of the 2^32 inputs
// undecided, which hard_floats.h lists.
//
// The functions need the default floating-point environment, which calls of
// exact engines set.

#if defined(LANEWISE_KERNELS_EXACT32_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXACT32_INL_H_
#undef LANEWISE_KERNELS_EXACT32_INL_H_
#else
#define LANEWISE_KERNELS_EXACT32_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "kernels/exactly-inl.h"
#include "kernels/hard_floats.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// a + b + c, rounded to odd, where c is far smaller than b, and a + b holds
/// all but few bits of c.
template <class D, class V>
HWY_INLINE V SumOfThreeToOdd(D d, V a, V b, V c) {
  const V high = hn::Add(a, b);
  const V low = hn::Add(SumError(a, b, high), c);
  return AddToOdd(d, high, low);
}

namespace exact32 {

/// Rounds both halves to floats, in y. Returns the lanes that are undecided: a
/// result within kWidth last places of a double of the middle of two floats, or
/// a subnormal result.
template <uint32_t kWidth, class D, class V, class VD>
HWY_INLINE hn::Mask<D> Round(D d, V& y, VD lower, VD upper) {
  const hn::RebindToUnsigned<D> du;
  const hn::RepartitionToWide<decltype(du)> duw;
  const hn::Half<D> half;
  y = hn::Combine(d, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
  // The last 29 bits of a double, which a normal float lacks, are 2^28 in the
  // middle of two floats.
  constexpr uint32_t kMiddle = uint32_t{1} << 28;
  const auto low = hn::OrderedTruncate2To(du, hn::BitCast(duw, lower),
                                          hn::BitCast(duw, upper));
  const auto bits = hn::And(hn::Add(low, hn::Set(du, kWidth - kMiddle)),
                            hn::Set(du, 2 * (kMiddle - kWidth)));
  const auto is_near = hn::RebindMask(d, hn::Eq(bits, hn::Zero(du)));
  // A subnormal float lacks more than 29 of a double's bits.
  const V least = hn::Set(d, std::numeric_limits<float>::min());
  const auto is_small =
      hn::And(hn::Le(hn::Abs(y), least), hn::Ne(y, hn::Zero(d)));
  return hn::Or(is_near, is_small);
}

/// y, with the results of the hard inputs among x.
template <const auto& kHard, class D, class V>
HWY_INLINE V WithHard(D d, V x, V y) {
  const hn::RebindToUnsigned<D> du;
  const auto sign = hn::BitCast(du, hn::SignBit(d));
  auto bits = hn::BitCast(du, x);
  auto result = hn::BitCast(du, y);
  const auto flip =
      kHard.symmetry == Symmetry::kOdd ? hn::And(bits, sign) : hn::Zero(du);
  if constexpr (kHard.symmetry != Symmetry::kNone) {
    bits = hn::AndNot(sign, bits);
  }
  result = hn::Xor(result, flip);
  for (const HardFloat& hard : kHard.floats) {
    const auto is_hard = hn::Eq(bits, hn::Set(du, hard.x));
    result = hn::IfThenElse(is_hard, hn::Set(du, hard.y), result);
  }
  return hn::BitCast(d, hn::Xor(result, flip));
}

/// For Knows below, of functions that are about x / 2 near 0. Half of the least
/// float lies in the middle of 0 and that float. This half rounds to 0, and
/// Round takes a 0 as decided.
template <class D, class V>
HWY_INLINE hn::Mask<D> IsZeroOrNotTiny(D d, V x) {
  return hn::Or(hn::Ge(hn::Abs(x), hn::Set(d, 0x1p-120f)),
                hn::Eq(x, hn::Zero(d)));
}

template <const auto& kHard, class Careful, class D, class V>
static HWY_NOINLINE V Carefully(D d, V x) {
  return WithHard<kHard>(d, x, ThroughDoubles(d, x, Careful()));
}

}  // namespace exact32

/// Careful and Quick are functors over double lanes that hold floats. The error
/// of Careful is below one last place of a double. The error of Quick is below
/// Quick::kError, a power of 2, times the result, in the lanes where
/// Quick::Knows(d, x) is true; its x has float lanes.
template <const auto& kHard, class Careful, class Quick>
struct ExactFloats {
  using T = float;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const hn::RepartitionToWide<D> dd;
    const auto lower = Quick()(dd, hn::PromoteLowerTo(dd, x));
    const auto upper = Quick()(dd, hn::PromoteUpperTo(dd, x));
    constexpr auto kWidth = static_cast<uint32_t>(Quick::kError * 0x1p53);
    V y;
    auto unknown = exact32::Round<kWidth>(d, y, lower, upper);
    if constexpr (requires { Quick::Knows(d, x); }) {
      unknown = hn::Or(unknown, hn::Not(Quick::Knows(d, x)));
    }
    if (HWY_LIKELY(hn::AllFalse(d, unknown))) return y;
    return exact32::Carefully<kHard, Careful>(d, x);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXACT32_INL_H_
