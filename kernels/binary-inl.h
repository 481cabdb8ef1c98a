// SPDX-License-Identifier: Apache-2.0
//
// Operators with two inputs of one type that are an instruction or two on
// lanes. An operation provides `static V Of(D d, V a, V b)`.

#if defined(LANEWISE_KERNELS_BINARY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_BINARY_INL_H_
#undef LANEWISE_KERNELS_BINARY_INL_H_
#else
#define LANEWISE_KERNELS_BINARY_INL_H_
#endif

#include <cstddef>
#include <limits>

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Operation, typename TLane>
struct OnLanes {
  using T = TLane;
  static constexpr size_t kUnroll = 4;
  // With a quiet NaN, no scalar raises a floating-point flag: 0 * infinity
  // would.
  static constexpr T kPadding = std::numeric_limits<T>::quiet_NaN();
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return Operation::Of(d, a, b);
  }
};

/// Out of line, because calls of one row need no copy.
HWY_NOINLINE static void ExchangeSteps(const Setup& from, Setup* setup) {
  static_cast<SharedSetup&>(*setup) = from;
  setup->in_step[0] = from.in_step[1];
  setup->in_step[1] = from.in_step[0];
}

/// The kernel for LW_SCALAR_A, by the kernel for LW_SCALAR_B.
template <KernelFn kScalarB>
HWY_INLINE lw_status WithInputsExchanged(const Job& job) {
  // The pointers move one by one: a load of both as one vector would wait for
  // the two stores that wrote them, and the kernel's loads of one pointer for a
  // store of both.
  const void* in[2];
  in[0] = job.in[1];
  __asm__("" : "+m"(in[0]));
  in[1] = job.in[0];
  Job exchanged = job;
  exchanged.in = in;
  Setup setup;
  if (HWY_UNLIKELY(job.setup->rows != 1)) {
    ExchangeSteps(*job.setup, &setup);
    exchanged.setup = &setup;
  }
  return RunJob(kScalarB, exchanged);
}

template <class Fn, bool kCommutes>
constexpr PatternKernel kPatternsOf[] = {
    {LW_SAME, Binary<Fn, LW_SAME>},
    {LW_SCALAR_B, Binary<Fn, LW_SCALAR_B>},
    {LW_SCALAR_A, kCommutes
                      ? Kernel<WithInputsExchanged<Binary<Fn, LW_SCALAR_B>>>
                      : Binary<Fn, LW_SCALAR_A>},
    Strided<sizeof(typename Fn::T) >= 4 || kAllReadStrided>(
        [](auto any) { return Binary<Fn, any>; })};

template <class Operation, typename T, bool kCommutes>
constexpr auto& kOnLanes = kPatternsOf<OnLanes<Operation, T>, kCommutes>;

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_BINARY_INL_H_
