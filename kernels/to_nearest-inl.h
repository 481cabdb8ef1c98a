// SPDX-License-Identifier: Apache-2.0
//
// Kernels that round to nearest whatever the caller's rounding mode is. In a
// directed mode, for example, the argument of e^x would be reduced wrongly,
// e^-inf would be above 0, and e^inf below infinity. Kernels whose steps raise
// flags also where the result is exact take the whole default environment.

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/fp_env.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_TO_NEAREST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_TO_NEAREST_INL_H_
#undef LANEWISE_KERNELS_TO_NEAREST_INL_H_
#else
#define LANEWISE_KERNELS_TO_NEAREST_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {

template <KernelFn kFn, bool kIsQuiet, size_t kLong>
HWY_INLINE lw_status ComputeToNearest(const Job& job) {
  const bool is_long = kLong != 0 && job.n * job.setup->rows >= kLong;
  // To read the control word would take as long as some vectors.
  if (kIsQuiet && !is_long) return RunJob(kFn, job);
  const FpEnv::Word current = FpEnv::Current();
  FpEnv::Word word = FpEnv::ToNearest(current);
  if (is_long) word = FpEnv::WithoutSubnormals(word);
  if (current == word) return RunJob(kFn, job);
  const FpEnv env(word);
  return RunJob(kFn, job);
}
/// The kernel kFn, rounding to nearest. kIsQuiet: it does so itself. In jobs of
/// kLong elements and more (0: none) a subnormal argument counts as 0.
template <KernelFn kFn, bool kIsQuiet = false, size_t kLong = 0>
constexpr KernelFn ToNearest = Kernel<ComputeToNearest<kFn, kIsQuiet, kLong>>;

/// The kernels of a type for an operator with one input.
template <class Fn, bool kIsQuiet = false>
constexpr auto& kUnaryToNearest = kOnlySame<ToNearest<Unary<Fn>, kIsQuiet>>;

template <KernelFn kFn>
HWY_INLINE lw_status ComputeInDefaultEnv(const Job& job) {
  const FpEnv env(FpEnv::Default());
  return RunJob(kFn, job);
}
/// The kernel kFn in the default floating-point environment, which also leaves
/// no flag and traps nothing.
template <KernelFn kFn>
constexpr KernelFn InDefaultEnv = Kernel<ComputeInDefaultEnv<kFn>>;
template <class Fn>
constexpr auto& kUnaryInDefaultEnv = kOnlySame<InDefaultEnv<Unary<Fn>>>;

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_TO_NEAREST_INL_H_
