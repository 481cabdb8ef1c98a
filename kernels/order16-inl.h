// SPDX-License-Identifier: Apache-2.0
//
// 16-bit floats compared as integers, which needs no conversion and keeps every
// bit of a NaN.

#if defined(LANEWISE_KERNELS_ORDER16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ORDER16_INL_H_
#undef LANEWISE_KERNELS_ORDER16_INL_H_
#else
#define LANEWISE_KERNELS_ORDER16_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The magnitudes of 16-bit floats, as integers.
template <class DI, class VI>
HWY_INLINE VI Magnitude16(DI di, VI bits) {
  return hn::And(bits, hn::Set(di, int16_t{0x7FFF}));
}

/// 16-bit floats as integers in the same order, for numbers. -0 and +0 are both
/// 0. The floating-point environment has no part in comparisons of integers.
template <class DI, class VI>
HWY_INLINE VI OrderOf16(DI di, VI bits) {
  // A lane of 0 has the magnitude 0, so either result of that lane is 0.
  return hn::IfNegativeThenNegOrUndefIfZero(bits, Magnitude16(di, bits));
}

/// True in lanes where neither operand is a NaN. kInfinity is the format's.
template <int16_t kInfinity, class DI, class VI>
HWY_INLINE hn::Mask<DI> AreNumbers16(DI di, VI a, VI b) {
  return hn::Le(hn::Max(Magnitude16(di, a), Magnitude16(di, b)),
                hn::Set(di, kInfinity));
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_ORDER16_INL_H_
