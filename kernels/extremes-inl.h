// SPDX-License-Identifier: Apache-2.0
//
// The larger or the smaller of two numbers, chosen by comparison. A NaN wins,
// and keeps its bits; of two NaNs, and of equal numbers (-0.0 and +0.0), the
// same one comes on every CPU: the first NaN, the second number.
//
// A choice provides `Is(d, a, b)`, the mask of lanes in which a number a comes
// before b, `Of(d, a, b)` for integer lanes, and the number that never comes
// before another.

#if defined(LANEWISE_KERNELS_EXTREMES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXTREMES_INL_H_
#undef LANEWISE_KERNELS_EXTREMES_INL_H_
#else
#define LANEWISE_KERNELS_EXTREMES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/order16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Larger {
  template <typename T>
  static constexpr T kLast = std::numeric_limits<T>::has_infinity
                                 ? -std::numeric_limits<T>::infinity()
                                 : std::numeric_limits<T>::lowest();

  template <class D, class V>
  static HWY_INLINE V Of(D /*d*/, V a, V b) {
    return hn::Max(a, b);
  }
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Is(D /*d*/, V a, V b) {
    return hn::Gt(a, b);
  }
};

struct Smaller {
  template <typename T>
  static constexpr T kLast = std::numeric_limits<T>::has_infinity
                                 ? std::numeric_limits<T>::infinity()
                                 : std::numeric_limits<T>::max();

  template <class D, class V>
  static HWY_INLINE V Of(D /*d*/, V a, V b) {
    return hn::Min(a, b);
  }
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Is(D /*d*/, V a, V b) {
    return hn::Lt(a, b);
  }
};

template <class Choice, typename TLane>
struct Extreme {
  using T = TLane;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    if constexpr (std::is_integral_v<T>) {
      return Choice::Of(d, a, b);
    } else {
#if HWY_ARCH_X86
      // x86 returns the second operand if any is a NaN, or if both are zeros.
      return hn::IfThenElse(hn::IsNaN(a), a, Choice::Of(d, a, b));
#else
      return hn::IfThenElse(hn::Or(Choice::Is(d, a, b), hn::IsNaN(a)), a, b);
#endif
    }
  }
};

/// 16-bit floats are compared as integers, which keeps every bit.
template <class Choice, int16_t kInfinity>
struct Extreme16 {
  using T = int16_t;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const auto is_nan = [&](V x) HWY_ATTR {
      return hn::Gt(Magnitude16(d, x), hn::Set(d, kInfinity));
    };
    const auto is = Choice::Is(d, OrderOf16(d, a), OrderOf16(d, b));
    return hn::IfThenElse(hn::Or(hn::AndNot(is_nan(b), is), is_nan(a)), a, b);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXTREMES_INL_H_
