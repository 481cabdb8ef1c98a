// SPDX-License-Identifier: Apache-2.0
//
// The largest or the smallest element. 16-bit floats are compared as integers,
// bools as 0 and 1.

#if defined(LANEWISE_KERNELS_REDUCTION_EXTREMES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_REDUCTION_EXTREMES_INL_H_
#undef LANEWISE_KERNELS_REDUCTION_EXTREMES_INL_H_
#else
#define LANEWISE_KERNELS_REDUCTION_EXTREMES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/extremes-inl.h"
#include "kernels/reduction/forms-inl.h"
#include "kernels/reduction/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Elements of which Fn (kernels/extremes-inl.h) chooses one.
template <class Fn>
struct ChosenBy : AsIs<typename Fn::T> {
  static constexpr size_t kUnroll = kUsualUnroll;

  template <class D, class V>
  static HWY_INLINE V Element(D /*d*/, V x) {
    return x;
  }
  template <class D, class V>
  static HWY_INLINE V Combine(D d, V a, V b) {
    return Fn()(d, a, b);
  }
};

template <class Choice, typename T>
struct ExtremeElements : ChosenBy<Extreme<Choice, T>> {
  static constexpr T kIdentity = Choice::template kLast<T>;
};
template <class Choice, int16_t kInfinity>
struct ExtremeElements16 : ChosenBy<Extreme16<Choice, kInfinity>> {
  static constexpr size_t kUnroll = kFewUnroll;
  static constexpr bool kIsLarger = Choice::template kLast<int16_t> < 0;
  static constexpr int16_t kIdentity =
      kIsLarger ? kInfinity - 0x8000 : kInfinity;
};
template <class Choice>
struct ExtremeElements<Choice, Float16> : ExtremeElements16<Choice, 0x7C00> {};
template <class Choice>
struct ExtremeElements<Choice, BFloat16> : ExtremeElements16<Choice, 0x7F80> {};
template <class Choice>
struct ExtremeElements<Choice, bool> : ChosenBy<Extreme<Choice, uint8_t>> {
  static constexpr uint8_t kIdentity =
      Choice::template kLast<uint8_t> != 0 ? 1 : 0;

  template <class D, class V>
  static HWY_INLINE V Element(D d, V x) {
    return hn::Min(x, hn::Set(d, uint8_t{1}));
  }
};

/// The reducer.
template <class Choice, typename T>
using ExtremeOf = Plainly<ExtremeElements<Choice, T>>;

/// The table of ReduceMax and ReduceMin.
template <class Choice>
constexpr KernelEntry kExtremeReductions[] = {
    EntryOf<ExtremeOf<Choice, Float16>>(1, LW_FLOAT16),
    EntryOf<ExtremeOf<Choice, float>>(1, LW_FLOAT32),
    EntryOf<ExtremeOf<Choice, double>>(1, LW_FLOAT64),
    EntryOf<ExtremeOf<Choice, int32_t>>(1, LW_INT32),
    EntryOf<ExtremeOf<Choice, int64_t>>(1, LW_INT64),
    EntryOf<ExtremeOf<Choice, uint32_t>>(1, LW_UINT32),
    EntryOf<ExtremeOf<Choice, uint64_t>>(1, LW_UINT64),
    EntryOf<ExtremeOf<Choice, int8_t>>(12, LW_INT8),
    EntryOf<ExtremeOf<Choice, uint8_t>>(12, LW_UINT8),
    EntryOf<ExtremeOf<Choice, BFloat16>>(13, LW_BFLOAT16),
    EntryOf<ExtremeOf<Choice, bool>>(20, LW_BOOL),
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_REDUCTION_EXTREMES_INL_H_
