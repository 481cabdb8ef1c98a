// SPDX-License-Identifier: Apache-2.0
//
// Kernels that round to nearest in any rounding mode of the caller.

#if defined(LANEWISE_KERNELS_EXPONENTIAL_TO_NEAREST_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_TO_NEAREST_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_TO_NEAREST_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_TO_NEAREST_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"
#include "kernels/quiet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {

/// In a directed rounding mode, the argument of e^x would be reduced wrongly,
/// e^-inf would be above 0, and e^inf below infinity. So results are always
/// rounded to nearest. With kSubnormals, a subnormal argument counts as 0 in
/// long jobs if such lanes are slow: for operators whose result is then the
/// same.
template <class Fn, int kPattern, bool kSubnormals>
HWY_INLINE lw_status ToNearest(const Job& job) {
  constexpr bool kSlow = kSubnormals && HWY_TARGET != HWY_AVX3_ZEN4;
  constexpr size_t kLong = 4096 / sizeof(typename Fn::T);
  const bool is_long = kSlow && job.n * job.setup->rows >= kLong;
  // To read the control word would take as long as some vectors.
  if (LANEWISE_QUIET && !is_long) return RunJob(Unary<Fn, kPattern>, job);
  const FpEnv::Word current = FpEnv::Current();
  FpEnv::Word word = FpEnv::ToNearest(current);
  if (is_long) word = FpEnv::WithoutSubnormals(word);
  if (current == word) return RunJob(Unary<Fn, kPattern>, job);
  const FpEnv env(word);
  return RunJob(Unary<Fn, kPattern>, job);
}

template <class Fn, bool kSubnormals = true>
constexpr PatternKernel kToNearest[] = {
    {LW_SAME, Kernel<ToNearest<Fn, LW_SAME, kSubnormals>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<ToNearest<Fn, any, kSubnormals>>; })};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_TO_NEAREST_INL_H_
