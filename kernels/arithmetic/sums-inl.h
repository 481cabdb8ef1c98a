// SPDX-License-Identifier: Apache-2.0
//
// Sum and Mean of any number of inputs: added from the left to the right.
// float32 and float64 are rounded after each step, in the caller's rounding
// mode. 16-bit floats are added as float32 and rounded once more at the end, to
// nearest. Mean divides the sum by the number of inputs.

#if defined(LANEWISE_KERNELS_ARITHMETIC_SUMS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ARITHMETIC_SUMS_INL_H_
#undef LANEWISE_KERNELS_ARITHMETIC_SUMS_INL_H_
#else
#define LANEWISE_KERNELS_ARITHMETIC_SUMS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "kernels/arithmetic/arithmetic-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/fold-inl.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Two inputs. Half of a float has the bits of the quotient by 2.
template <bool kIsMean>
struct OfTwo {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    const V sum = hn::Add(a, b);
    if constexpr (!kIsMean) return sum;
    return hn::Mul(sum, hn::Set(d, hn::TFromD<D>{0.5}));
  }
};

template <bool kIsMean, class D, class V>
HWY_INLINE V SumOrMean(D d, V sum, size_t inputs) {
  if constexpr (!kIsMean) return sum;
  return hn::Div(sum, hn::Set(d, static_cast<hn::TFromD<D>>(inputs)));
}

/// As in OnLanes, the padding is a quiet NaN.
template <bool kIsMean, typename TFloat>
struct SumFold {
  using T = TFloat;
  static constexpr T kPadding = std::numeric_limits<T>::quiet_NaN();

  template <class D, class V>
  HWY_INLINE V Start(D /*d*/, V first) const {
    return first;
  }
  template <class D, class V>
  HWY_INLINE V operator()(D /*d*/, V sum, V x) const {
    return hn::Add(sum, x);
  }
  template <class D, class V>
  HWY_INLINE V Result(D d, V sum, size_t inputs) const {
    return SumOrMean<kIsMean>(d, sum, inputs);
  }
};

/// Half a vector at a time, whose sums fill a vector of float32.
template <bool kIsMean, class Format>
struct SumFold16 {
  using T = uint16_t;
  static constexpr int kPow2 = -1;
  static constexpr T kPadding = Format::kQuietNaN;

  template <class D, class V>
  HWY_INLINE auto Start(D /*d*/, V first) const {
    return Format::Widen(hn::Rebind<float, D>(), first);
  }
  template <class D, class VF, class V>
  HWY_INLINE VF operator()(D d, VF sum, V x) const {
    return hn::Add(sum, Start(d, x));
  }
  template <class D, class VF>
  HWY_INLINE hn::VFromD<D> Result(D d, VF sum, size_t inputs) const {
    const hn::Rebind<float, D> df;
    return Format::Narrow(d, SumOrMean<kIsMean>(df, sum, inputs));
  }
};

template <class Fn, class Folding>
constexpr PatternKernel kSumPatterns[] = {
    {LW_SAME, Binary<Fn, LW_SAME>},
    {LW_SCALAR_B, Binary<Fn, LW_SCALAR_B>},
    {LW_SCALAR_A, Kernel<WithInputsExchanged<Binary<Fn, LW_SCALAR_B>>>},
    {kAnyStride, Fold<Folding>}};

/// The kernels by type, with the versions that list the types first.
template <bool kIsMean, class InFloat = OnLanes<OfTwo<kIsMean>, float>>
constexpr KernelEntry kSumKernels[] = {
    {1, LW_FLOAT16,
     kSumPatterns<InFloat16<InFloat>, SumFold16<kIsMean, Float16>>},
    {1, LW_FLOAT32, kSumPatterns<InFloat, SumFold<kIsMean, float>>},
    {1, LW_FLOAT64,
     kSumPatterns<OnLanes<OfTwo<kIsMean>, double>, SumFold<kIsMean, double>>},
    {13, LW_BFLOAT16,
     kSumPatterns<In16Bits<BFloat16, InFloat>, SumFold16<kIsMean, BFloat16>>},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_ARITHMETIC_SUMS_INL_H_
