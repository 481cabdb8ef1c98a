// SPDX-License-Identifier: Apache-2.0
//
// Correctly rounded float32 functions of one input, from double lanes: for
// kernels of Way::kExact.
//
// Method: a double that errs by little rounds to the right float, unless it
// lies beside the middle of two floats, which its bits tell. Such vectors, and
// those with a subnormal result, are computed again with an error below an ULP
// of double, which leaves at most 16 of the 2^32 inputs undecided.
// hard_floats.h lists these.
//
// The tests compute all floats, on every instruction set. The functions need
// the default floating-point environment, which calls of exact engines set.

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

/// Both halves rounded to floats, in y. Returns the lanes where a result may
/// lie on the other side of the middle of two floats: within kWidth last places
/// of a double.
template <uint32_t kWidth, class D, class V, class VD>
HWY_INLINE hn::Mask<D> Round(D d, V& y, VD lower, VD upper) {
  const hn::RebindToUnsigned<D> du;
  const hn::RepartitionToWide<decltype(du)> duw;
  const hn::Half<D> half;
  y = hn::Combine(d, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
  // In the middle, the 29 bits that a normal float has not are 2^28.
  constexpr uint32_t kMiddle = uint32_t{1} << 28;
  const auto low = hn::OrderedTruncate2To(du, hn::BitCast(duw, lower),
                                          hn::BitCast(duw, upper));
  const auto bits = hn::And(hn::Add(low, hn::Set(du, kWidth - kMiddle)),
                            hn::Set(du, 2 * (kMiddle - kWidth)));
  const auto is_near = hn::RebindMask(d, hn::Eq(bits, hn::Zero(du)));
  // A subnormal float has not even more.
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

template <const auto& kHard, class Careful, class D, class V>
static HWY_NOINLINE V Carefully(D d, V x) {
  return WithHard<kHard>(d, x, ThroughDoubles(d, x, Careful()));
}

}  // namespace exact32

/// Careful and Quick are functors over double lanes that hold floats. Careful
/// errs by less than an ULP of double, Quick by less than Quick::kError, a
/// power of 2, times its result, where Quick::Knows(d, x) is true for x of
/// float lanes.
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
