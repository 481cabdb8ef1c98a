// SPDX-License-Identifier: Apache-2.0
//
// 1 / (1 + e^-u), for Sigmoid, Swish and SwiGLU: as e^u / (1 + e^u) below 0, so
// that small results keep their accuracy and nothing overflows.

#include "hwy/highway.h"
#include "kernels/exponential/expm1-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXPONENTIAL_SIGMOID_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_SIGMOID_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_SIGMOID_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_SIGMOID_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace sigmoid_detail {

/// e^u is 0 as 2^n in ExpPair for the argument kMin. Below kFar results are
/// computed as multiples of 2^-kRaise, which keeps all products normal.
template <typename T>
struct Constants;
template <>
struct Constants<float> {
  static constexpr float kMin = -110.25f, kFar = -43, kTiny = 0x1p-32f;
  static constexpr int kRaise = 32;
};
template <>
struct Constants<double> {
  static constexpr double kMin = -797.75, kFar = -300, kTiny = 0x1p-128;
  static constexpr int kRaise = 128;
};

}  // namespace sigmoid_detail

/// sigmoid(u + u_lo) = (result + rest) * unit, rounded by nothing but the
/// caller's sum. u_lo is nothing, or one vector.
template <class D, class V, class... Lo>
HWY_INLINE V Sigmoid(D d, V& rest, V& unit, V u, Lo... u_lo) {
  using C = sigmoid_detail::Constants<hn::TFromD<D>>;
  const V one = hn::Set(d, 1);
  const auto below = hn::Lt(u, hn::Zero(d));
  // From 38 on, 1 + e^-u is 1, and e^-u too small to round a result.
  const V z = hn::Max(hn::Set(d, C::kMin),
                      hn::Min(u, hn::Max(hn::Neg(u), hn::Set(d, -40))));
  const auto far = hn::Lt(z, hn::Set(d, C::kFar));
  V e;
  V e_lo;
  ExpPair<C::kRaise>(d, far, e, e_lo, z,
                     hn::IfThenElse(below, u_lo, hn::Neg(u_lo))...);
  const V den = hn::Add(one, e);
  const V den_lo =
      hn::IfThenZeroElse(far, hn::Add(hn::Add(hn::Sub(one, den), e), e_lo));
  unit = hn::IfThenElse(far, hn::Set(d, C::kTiny), one);
  return Quotient(d, hn::IfThenElse(below, e, one),
                  hn::IfThenElseZero(below, e_lo), den, den_lo, rest);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_SIGMOID_INL_H_
