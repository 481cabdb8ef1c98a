// SPDX-License-Identifier: Apache-2.0

#if defined(LANEWISE_KERNELS_POLYNOMIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_POLYNOMIAL_INL_H_
#undef LANEWISE_KERNELS_POLYNOMIAL_INL_H_
#else
#define LANEWISE_KERNELS_POLYNOMIAL_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// c[0] + c[1] x + c[2] x^2 + ...
template <class D, class V, typename TCoefficient, size_t kCount>
HWY_INLINE V Polynomial(D d, V x, const TCoefficient (&c)[kCount]) {
  using T = hn::TFromD<D>;
  V y = hn::Set(d, static_cast<T>(c[kCount - 1]));
  HWY_UNROLL(32)
  for (size_t i = 2; i <= kCount; ++i) {
    y = hn::MulAdd(y, x, hn::Set(d, static_cast<T>(c[kCount - i])));
  }
  return y;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_POLYNOMIAL_INL_H_
