// SPDX-License-Identifier: Apache-2.0
//
// Max and Min: one of the inputs, chosen by comparison. A NaN in any input
// wins, and keeps its bits; of two NaNs, which one comes is not specified.
// Zeros count as equal: of -0.0 and +0.0, either may come.
//
// A choice provides `Is(d, a, b)`, the mask of lanes in which a number a comes
// before b, and `Of(d, a, b)` for integer lanes.

#if defined(LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_
#undef LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_
#else
#define LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/binary-inl.h"
#include "kernels/fold-inl.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"
#include "kernels/order16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
      return hn::IfThenElse(hn::Or(Choice::Is(d, a, b), hn::IsNaN(a)), a, b);
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

/// kCommutes: of equal numbers, none differs from the other.
template <class Fn, bool kCommutes = false>
constexpr PatternKernel kExtremePatterns[] = {
    {LW_SAME, Binary<Fn, LW_SAME>},
    {LW_SCALAR_B, Binary<Fn, LW_SCALAR_B>},
    {LW_SCALAR_A, kCommutes
                      ? Kernel<WithInputsExchanged<Binary<Fn, LW_SCALAR_B>>>
                      : Binary<Fn, LW_SCALAR_A>},
    {kAnyStride, Fold<StepByStep<Fn>>}};

template <class Choice, typename T>
constexpr auto& kExtreme =
    kExtremePatterns<Extreme<Choice, T>, std::is_integral_v<T>>;

/// The kernels by type, with the versions that list the types first.
template <class Choice>
constexpr KernelEntry kExtremeKernels[] = {
    {1, LW_FLOAT16, kExtremePatterns<Extreme16<Choice, 0x7C00>>},
    {1, LW_FLOAT32, kExtreme<Choice, float>},
    {1, LW_FLOAT64, kExtreme<Choice, double>},
    {12, LW_INT8, kExtreme<Choice, int8_t>},
    {12, LW_INT16, kExtreme<Choice, int16_t>},
    {12, LW_INT32, kExtreme<Choice, int32_t>},
    {12, LW_INT64, kExtreme<Choice, int64_t>},
    {12, LW_UINT8, kExtreme<Choice, uint8_t>},
    {12, LW_UINT16, kExtreme<Choice, uint16_t>},
    {12, LW_UINT32, kExtreme<Choice, uint32_t>},
    {12, LW_UINT64, kExtreme<Choice, uint64_t>},
    {13, LW_BFLOAT16, kExtremePatterns<Extreme16<Choice, 0x7F80>>},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_
