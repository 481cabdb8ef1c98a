// SPDX-License-Identifier: Apache-2.0
//
// x < 0 ? factor * x : x on float lanes, for LeakyRelu and PRelu. NaN and -0.0
// pass through unchanged.

#if defined(LANEWISE_KERNELS_PIECEWISE_LEAK_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_PIECEWISE_LEAK_INL_H_
#undef LANEWISE_KERNELS_PIECEWISE_LEAK_INL_H_
#else
#define LANEWISE_KERNELS_PIECEWISE_LEAK_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/operands-inl.h"
#include "kernels/quiet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lanes that are not below 0 raise no flag, unless the factor is infinite.
template <class D, class V>
HWY_INLINE V TimesBelowZero(D d, V x, V factor) {
  KeepInRegister(x);
  const V zero = hn::Zero(d);
  const auto below = hn::Lt(x, zero);
#if LANEWISE_QUIET
  // Not by an intrinsic: clang multiplies all lanes.
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    __asm__("vmulps %1, %0, %0 %{%2%}"
            : "+v"(x.raw)
            : "v"(factor.raw), "Yk"(below.raw));
  } else {
    __asm__("vmulpd %1, %0, %0 %{%2%}"
            : "+v"(x.raw)
            : "v"(factor.raw), "Yk"(below.raw));
  }
  return x;
#else
  // They multiply 0. Min and not a selection: clang would remove a selection
  // before a selection of the result.
  return hn::IfThenElse(below, hn::Mul(hn::Min(x, zero), factor), x);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_PIECEWISE_LEAK_INL_H_
