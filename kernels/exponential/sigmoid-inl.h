// SPDX-License-Identifier: Apache-2.0
//
// 1 / (1 + e^-u), for Sigmoid, Swish and SwiGLU: as e^u / (1 + e^u) below 0, so
// that small results keep their accuracy and nothing overflows.

#include "hwy/highway.h"
#include "kernels/exact32-inl.h"
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
/// computed as multiples of 2^-kRaise, so that nothing is subnormal.
template <typename T>
struct Constants;
template <>
struct Constants<float> {
  static constexpr float kMin = -132.5f, kFar = -65, kTiny = 0x1p-64f;
  static constexpr int kRaise = 64;
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
  using T = hn::TFromD<D>;
  using C = sigmoid_detail::Constants<T>;
  constexpr T kOne = 1;
  constexpr T kLeast = -40;
  const V one = hn::Set(d, kOne);
  const auto below = hn::Lt(u, hn::Zero(d));
  // From 38 on, 1 + e^-u is 1, and e^-u too small to round a result.
  const V z = hn::Max(hn::Set(d, C::kMin),
                      hn::Min(u, hn::Max(hn::Neg(u), hn::Set(d, kLeast))));
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

/// sigmoid(u) within four times 2^-24 of itself (double lanes: 2^-53). NaN for
/// NaN, and where results may be subnormal: the sigmoid in float lanes, and its
/// product with two float32 numbers in double lanes.
template <class D, class V>
HWY_INLINE V QuickSigmoid(D d, V u) {
  using T = hn::TFromD<D>;
  // As constants of T: clang would convert other numbers for each vector.
  constexpr T kOne = 1;
  constexpr T kLeast = sizeof(T) == 4 ? -86 : -500;
  const V one = hn::Set(d, kOne);
  const V least = hn::Set(d, kLeast);
  const V e = ExpToNormal(d, hn::Max(hn::Neg(hn::Abs(u)), least));
  const auto below = hn::Lt(u, hn::Zero(d));
  const V q = hn::Div(hn::IfThenElse(below, e, one), hn::Add(one, e));
  return hn::IfThenElse(hn::Ge(u, least), q, hn::NaN(d));
}

/// QuickSigmoid of double lanes that hold floats, for ExactFloats.
struct SigmoidOfHeldFloats {
  static constexpr double kError = 0x1p-48;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D d, V x) {
    return hn::Ge(x, hn::Set(d, -500));
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return QuickSigmoid(d, x);
  }
};

/// alpha * x, for Swish. Products of x and numbers up to 1 are computed for
/// `near`, the largest number in place of infinity.
template <class D, class V>
HWY_INLINE V SwishArgument(D d, V& near, V x, hn::TFromD<D> alpha) {
  const V most = hn::Set(d, hwy::HighestValue<hn::TFromD<D>>());
  near = hn::Min(hn::Max(x, hn::Neg(most)), most);
  const V wide = hn::Set(d, alpha);
  // The sigmoid of infinity counts as 1 also for an alpha of 0.
  const V inf = hn::Inf(d);
  return hn::IfThenElse(hn::Eq(hn::Abs(x), inf),
                        alpha == 0 ? inf : hn::Mul(x, wide),
                        hn::Mul(near, wide));
}

/// x * sigmoid(alpha * x) = (s + s_lo) * unit.
template <class D, class V>
HWY_INLINE V Swish(D d, V& s_lo, V& unit, V x, hn::TFromD<D> alpha) {
  constexpr hn::TFromD<D> kOne = 1;
  constexpr hn::TFromD<D> kMost = 40;
  constexpr hn::TFromD<D> kFar = 1000;
  V near;
  const V u = SwishArgument(d, near, x, alpha);
  const V u_lo =
      hn::IfThenElseZero(hn::Lt(hn::Abs(u), hn::Set(d, kFar)),
                         LostInProduct(d, near, hn::Set(d, alpha), u));
  V rest;
  const V q = Sigmoid(d, rest, unit, u, u_lo);
  V s = hn::Mul(near, q);
  s_lo = hn::MulAdd(near, rest, LostInProduct(d, near, q, s));
#if !HWY_NATIVE_FMA
  // q has half of the bits only.
  const V sum = hn::Add(s, s_lo);
  s_lo = hn::Sub(s_lo, hn::Sub(sum, s));
  s = sum;
#endif
  // There, the sigmoid is 1. A NaN stays one.
  const auto is_x = hn::Or(hn::Gt(u, hn::Set(d, kMost)), hn::IsNaN(x));
  s_lo = hn::IfThenZeroElse(is_x, s_lo);
  unit = hn::IfThenElse(is_x, hn::Set(d, kOne), unit);
  return hn::IfThenElse(is_x, x, s);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_SIGMOID_INL_H_
