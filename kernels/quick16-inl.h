// SPDX-License-Identifier: Apache-2.0
//
// 16-bit results by a quick way: plain float32, which errs by some units in the
// last place. Floats of 16 bits have 13 or 16 bits less, so that such an error
// changes a rounded result only near a tie. A test finds the vectors with a
// result near a tie, and a careful functor computes these again. The kernels
// need the default floating-point environment: under FTZ, a subnormal result
// would be 0, which is far from ties.

#if defined(LANEWISE_KERNELS_QUICK16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_QUICK16_INL_H_
#undef LANEWISE_KERNELS_QUICK16_INL_H_
#else
#define LANEWISE_KERNELS_QUICK16_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/float16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether all numbers within kUnits - 1 times 2^-24 of y (of 2^-126, if y is a
/// subnormal float) round to the same number of the format, in each lane. False
/// for NaN.
template <int kUnits, class D, class V>
HWY_INLINE bool AreFarFromTies(Float16 /*format*/, D d, V y) {
  const hn::Rebind<uint16_t, D> d16;
  constexpr float kLess = 1 - 0x1p-24f * kUnits;
  constexpr float kMore = 1 + 0x1p-24f * kUnits;
  const auto below = Float16::Narrow(d16, hn::Mul(y, hn::Set(d, kLess)));
  const auto above = Float16::Narrow(d16, hn::Mul(y, hn::Set(d, kMore)));
  return hn::AllTrue(d16, hn::Eq(below, above)) && hn::AllTrue(d, hn::Eq(y, y));
}
template <int kUnits, class D, class V>
HWY_INLINE bool AreFarFromTies(BFloat16 /*format*/, D d, V y) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, y);
  const auto below = hn::Add(bits, hn::Set(du, 0x8000u - kUnits));
  const auto above = hn::Add(bits, hn::Set(du, 0x8000u + kUnits));
  const auto differs = hn::ShiftRight<16>(hn::Xor(below, above));
  return hn::AllTrue(du, hn::Eq(differs, hn::Zero(du))) &&
         hn::AllTrue(d, hn::Eq(y, y));
}

/// Out of line, because the code is long and seldom needed.
template <class Fn, class D, class... V>
static HWY_NOINLINE hn::VFromD<D> OutOfLine(D d, Fn fn, V... v) {
  return fn(d, v...);
}

/// A functor over float lanes for In16Bits. Quick returns NaN, or errs by less
/// than Quick::kUnits - 1, as AreFarFromTies counts. What Careful returns is
/// rounded correctly.
template <class Format, class Quick, class Careful>
struct QuickOrCareful {
  using T = float;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  Quick quick;
  Careful careful;

  /// Both functors take the same parameters.
  template <class... P>
  constexpr QuickOrCareful(P... params)
      : quick{params...}, careful{params...} {}

  template <class D, class... V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V... v) const {
    const auto y = quick(d, v...);
    if (HWY_LIKELY(AreFarFromTies<Quick::kUnits>(Format(), d, y))) return y;
    return OutOfLine(d, careful, v...);
  }
};
template <class Quick, class Careful>
using QuickFloat16 = InFloat16<QuickOrCareful<Float16, Quick, Careful>>;
template <class Quick, class Careful>
using QuickBFloat16 =
    In16Bits<BFloat16, QuickOrCareful<BFloat16, Quick, Careful>>;

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_QUICK16_INL_H_
