// SPDX-License-Identifier: Apache-2.0
//
// Floor, Ceil and Round: floats rounded to whole numbers. The result does not
// depend on the caller's rounding mode, and zeros keep the argument's sign.
//
// A direction provides `Of(x)`, which is one instruction on most targets, and
// for the others `GrowsMagnitude(d, x, magnitude, whole)`: the lanes in which
// the result's magnitude is whole + 1, where whole is the magnitude without the
// fraction.

#if defined(LANEWISE_KERNELS_ROUNDING_ROUNDING_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ROUNDING_ROUNDING_INL_H_
#undef LANEWISE_KERNELS_ROUNDING_ROUNDING_INL_H_
#else
#define LANEWISE_KERNELS_ROUNDING_ROUNDING_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/float16-inl.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether one instruction rounds to a whole number, in a direction of its own.
#if HWY_ARCH_X86
constexpr bool kRoundsByInstruction = HWY_TARGET <= HWY_SSE4;
#else
constexpr bool kRoundsByInstruction =
    HWY_TARGET_IS_NEON || HWY_TARGET_IS_SVE || HWY_ARCH_S390X;
#endif

/// The same by additions, in any rounding mode. Unlike the instructions, they
/// raise the inexact flag.
template <class Direction, class D, class V>
HWY_INLINE V RoundByAddition(D d, V x) {
  using T = hn::TFromD<D>;
  const hn::RebindToSigned<D> di;
  // From here on, floats have no fraction: 2^23 or 2^52.
  constexpr T kEnd = hwy::MantissaEnd<T>();
  const auto end = hn::Set(d, kEnd);
  const auto one = hn::Set(d, T{1});
  // A comparison of bits raises no flag for a NaN.
  const auto bits = hn::BitCast(di, hn::Abs(x));
  const auto has_fraction =
      hn::RebindMask(d, hn::IsNegative(hn::Sub(bits, hn::BitCast(di, end))));
  const auto magnitude = hn::IfThenElseZero(has_fraction, hn::Abs(x));
  // The sum is rounded to one of the two next whole numbers.
  const auto near = hn::Sub(hn::Add(magnitude, end), end);
  const auto whole =
      hn::Sub(near, hn::IfThenElseZero(hn::Gt(near, magnitude), one));
  const auto grows = Direction::GrowsMagnitude(d, x, magnitude, whole);
  const auto rounded = hn::Add(whole, hn::IfThenElseZero(grows, one));
  // As the instructions do, NaNs become quiet and keep their payload.
  constexpr int kQuietBit = sizeof(T) == 4 ? 22 : 51;
  const auto quiet =
      hn::BitCast(d, hn::Set(di, hn::TFromD<decltype(di)>{1} << kQuietBit));
  const auto kept = hn::Or(x, hn::IfThenElseZero(hn::IsNaN(x), quiet));
  return hn::IfThenElse(has_fraction, hn::CopySign(rounded, x), kept);
}

template <class Direction, typename TFloat>
struct RoundToWhole {
  using T = TFloat;
  static constexpr size_t kUnroll = kRoundsByInstruction ? 4 : 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (kRoundsByInstruction) {
      return Direction::Of(x);
    } else {
      return RoundByAddition<Direction>(d, x);
    }
  }
};

/// The kernels by type. kSince is the operator's first version, and kBFloat16
/// the first one with bfloat16. A 16-bit result is exact, and no subnormal.
template <class Direction, int kSince, int kBFloat16,
          class InFloat = RoundToWhole<Direction, float>>
constexpr KernelEntry kRoundingKernels[] = {
    {kSince, LW_FLOAT16, kUnaryPatterns<InFloat16<InFloat>>},
    {kSince, LW_FLOAT32, kUnaryPatterns<InFloat>},
    {kSince, LW_FLOAT64, kUnaryPatterns<RoundToWhole<Direction, double>>},
    {kBFloat16, LW_BFLOAT16, kUnaryPatterns<In16Bits<NormalBFloat16, InFloat>>},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_ROUNDING_ROUNDING_INL_H_
