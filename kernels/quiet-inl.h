// SPDX-License-Identifier: Apache-2.0
//
// Float arithmetic that must round to nearest and raise no flag, whatever the
// thread's control word says. AVX-512 instructions can say both themselves
// (LANEWISE_QUIET = 1), which saves reading and restoring the control word. On
// other targets, these are the usual operations, and the kernel sets the
// control word around them.

#if defined(LANEWISE_KERNELS_QUIET_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_QUIET_INL_H_
#undef LANEWISE_KERNELS_QUIET_INL_H_
#else
#define LANEWISE_KERNELS_QUIET_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"

#define LANEWISE_QUIET (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace quiet {

#if LANEWISE_QUIET

// The intrinsics are macros where the compiler does not optimize, and macros
// want their last argument to be a constant.
enum { kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };

// All lanes. GCC warns of uninitialized lanes where an intrinsic has no mask.
constexpr __mmask16 kAll16 = 0xFFFF;
constexpr __mmask8 kAll8 = 0xFF;

template <class V>
constexpr bool kIsFloat32 = sizeof(hn::TFromV<V>) == 4;

template <class V>
HWY_INLINE V Add(V x, V y) {
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_maskz_add_round_ps(kAll16, x.raw, y.raw, kNearest)};
  } else {
    return V{_mm512_maskz_add_round_pd(kAll8, x.raw, y.raw, kNearest)};
  }
}

template <class V>
HWY_INLINE V Sub(V x, V y) {
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_maskz_sub_round_ps(kAll16, x.raw, y.raw, kNearest)};
  } else {
    return V{_mm512_maskz_sub_round_pd(kAll8, x.raw, y.raw, kNearest)};
  }
}

template <class V>
HWY_INLINE V Mul(V x, V y) {
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_maskz_mul_round_ps(kAll16, x.raw, y.raw, kNearest)};
  } else {
    return V{_mm512_maskz_mul_round_pd(kAll8, x.raw, y.raw, kNearest)};
  }
}

template <class V>
HWY_INLINE V Div(V x, V y) {
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_maskz_div_round_ps(kAll16, x.raw, y.raw, kNearest)};
  } else {
    return V{_mm512_maskz_div_round_pd(kAll8, x.raw, y.raw, kNearest)};
  }
}

/// y if x or y is a NaN, or if both are zeros.
template <class V>
HWY_INLINE V Max(V x, V y) {
  constexpr int kNoFlag = _MM_FROUND_NO_EXC;
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_maskz_max_round_ps(kAll16, x.raw, y.raw, kNoFlag)};
  } else {
    return V{_mm512_maskz_max_round_pd(kAll8, x.raw, y.raw, kNoFlag)};
  }
}

/// y if x or y is a NaN, or if both are zeros.
template <class V>
HWY_INLINE V Min(V x, V y) {
  constexpr int kNoFlag = _MM_FROUND_NO_EXC;
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_maskz_min_round_ps(kAll16, x.raw, y.raw, kNoFlag)};
  } else {
    return V{_mm512_maskz_min_round_pd(kAll8, x.raw, y.raw, kNoFlag)};
  }
}

/// Whether subnormal operands count as what they are. A comparison tells this
/// sooner than the control word.
HWY_INLINE bool SubnormalsCount() {
  const __m128 least = _mm_castsi128_ps(_mm_set_epi32(0, 0, 0, 1));
  return _mm_cmp_round_ss_mask(least, _mm_setzero_ps(), _CMP_NEQ_UQ,
                               _MM_FROUND_NO_EXC) != 0;
}

/// x * y + z
template <class V>
HWY_INLINE V MulAdd(V x, V y, V z) {
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_fmadd_round_ps(x.raw, y.raw, z.raw, kNearest)};
  } else {
    return V{_mm512_fmadd_round_pd(x.raw, y.raw, z.raw, kNearest)};
  }
}

/// z - x * y
template <class V>
HWY_INLINE V NegMulAdd(V x, V y, V z) {
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_fnmadd_round_ps(x.raw, y.raw, z.raw, kNearest)};
  } else {
    return V{_mm512_fnmadd_round_pd(x.raw, y.raw, z.raw, kNearest)};
  }
}

/// x * 2^n for a whole n, also where x is a NaN or infinity.
template <class V>
HWY_INLINE V Scale(V x, V n) {
  if constexpr (kIsFloat32<V>) {
    return V{_mm512_maskz_scalef_round_ps(kAll16, x.raw, n.raw, kNearest)};
  } else {
    return V{_mm512_maskz_scalef_round_pd(kAll8, x.raw, n.raw, kNearest)};
  }
}

/// uint64 lanes, rounded to double.
template <class DF, class V>
HWY_INLINE hn::VFromD<DF> ToDouble(DF /*df*/, V x) {
  return hn::VFromD<DF>{_mm512_maskz_cvt_roundepu64_pd(kAll8, x.raw, kNearest)};
}

/// Integer lanes, truncated from floats of the same size. What a lane cannot
/// hold becomes MIN, or the largest unsigned number.
template <class D, class V>
HWY_INLINE hn::VFromD<D> Truncate(D /*d*/, V x) {
  using T = hn::TFromD<D>;
  if constexpr (kIsFloat32<V>) {
    static_assert(std::is_same_v<T, int32_t>);
    return {_mm512_maskz_cvtt_roundps_epi32(kAll16, x.raw, _MM_FROUND_NO_EXC)};
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return {_mm512_maskz_cvtt_roundpd_epi64(kAll8, x.raw, _MM_FROUND_NO_EXC)};
  } else {
    static_assert(std::is_same_v<T, uint64_t>);
    return {_mm512_maskz_cvtt_roundpd_epu64(kAll8, x.raw, _MM_FROUND_NO_EXC)};
  }
}

#else

template <class V>
HWY_INLINE V Add(V x, V y) {
  return hn::Add(x, y);
}
template <class V>
HWY_INLINE V Sub(V x, V y) {
  return hn::Sub(x, y);
}
template <class V>
HWY_INLINE V Mul(V x, V y) {
  return hn::Mul(x, y);
}
template <class V>
HWY_INLINE V Div(V x, V y) {
  return hn::Div(x, y);
}
template <class V>
HWY_INLINE V MulAdd(V x, V y, V z) {
  return hn::MulAdd(x, y, z);
}
template <class V>
HWY_INLINE V NegMulAdd(V x, V y, V z) {
  return hn::NegMulAdd(x, y, z);
}
template <class V>
V Scale(V x, V n);  // declared only: for code that AVX-512 alone compiles
template <class D, class V>
HWY_INLINE hn::VFromD<D> Truncate(D d, V x) {
  return hn::ConvertInRangeTo(d, x);
}

#endif  // LANEWISE_QUIET

}  // namespace quiet

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_QUIET_INL_H_
