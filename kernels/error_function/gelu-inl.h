// SPDX-License-Identifier: Apache-2.0
//
// Gelu, by the error function and by tanh, for float and double lanes.
//
// Method: both forms are x * S(x) with S(-a) = 1 - S(a). With a = |x|, Gelu is
// max(x, 0) - a S(-a), which keeps the relative accuracy for negative x too:
//   none  S(-a) = e^(-a^2 / 2) N(t), where t = (a - k) / (a + k)
//   tanh  S(-a) = e / (1 + e), where e = e^(-2u), 2u = c a (1 + 0.044715 a^2),
//         c = 2 sqrt(2 / pi)
// Results for floats are computed in double lanes. The exponents lose no bits
// there, and the error of the result is hardly more than the last rounding.
// Results for doubles are computed as sums of two doubles.
//
// Coefficients: N = erfc(a / sqrt 2) / 2 * e^(a^2 / 2) on [0, 15] with k = 4,
// and on [0, 39] with k = 5.5, relative to N, fitted as those of erf-inl.h:
// within 2^-31 and 2^-58. Those for floats were fitted to (1 - 2^-31) N, so
// that S(0) is below 1/2: for the smallest x, half of which is a tie, Gelu is
// above x / 2. The sum 1 + 2^-40 + e does the same for tanh.
//
// Proof: GeluErrors.*ExhaustiveFloat32 compute all floats,
// GeluErrors.*ExhaustiveFloat64Strata many doubles, and the operator suite
// all values of the 16-bit types.
//
// Limits rather than products: -inf gives -0, +inf stays. NaN stays, and a zero
// keeps its sign. These functions need the default floating-point environment.

#if defined(LANEWISE_KERNELS_ERROR_FUNCTION_GELU_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ERROR_FUNCTION_GELU_INL_H_
#undef LANEWISE_KERNELS_ERROR_FUNCTION_GELU_INL_H_
#else
#define LANEWISE_KERNELS_ERROR_FUNCTION_GELU_INL_H_
#endif

#include <cstddef>
#include <iterator>

#include "hwy/highway.h"
#include "kernels/error_function/erf-inl.h"
#include "kernels/exponential/exp-inl.h"
#include "kernels/exponential/exp_exact-inl.h"
#include "kernels/float16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace gelu_detail {

/// c, and what a double c lacks.
constexpr double kC = 0x1.9884533d43651p+0, kCLow = -0x1.cbc0d30ebfd15p-54;
constexpr double kCube = 0x1.6e4e26d4801f7p-5, kCubeLow = 0x1.441355475a31ap-59;

/// From here on, Gelu(x) rounds to x.
constexpr double kSame = 10;

/// The result from the magnitude: what holds for both forms.
template <class D, class V>
HWY_INLINE V Finish(D d, V x, V y) {
  // Neither x = NaN nor infinity.
  const auto is_less = hn::Lt(x, hn::Set(d, kSame));
  // The sign comes last, as in exponential/hyperbolic-inl.h.
  return hn::CopySign(hn::IfThenElse(is_less, y, x), x);
}

// ---- Floats as double lanes, and 16 bits as floats --------------------------

constexpr double kN[] = {
    0x1.82b4bb8a1deddp-4,   -0x1.5cf97b1915b66p-3, 0x1.fd751a0524d1bp-4,
    -0x1.25b6a48c1e273p-4,  0x1.f9b060af28aaap-6,  -0x1.1647422c14f0dp-7,
    0x1.0a13eaee12c29p-11,  0x1.4fb96acc15f3fp-11, -0x1.86ee58fb8d1a8p-13,
    -0x1.9cf3187131591p-15, 0x1.ab77d55ad926dp-16, 0x1.008f0c3d10f5ep-17};

// For ExactFloats: within 2^-42.8.
constexpr double kLongerN[] = {
    0x1.82b4bb8c9508ap-4,   -0x1.5cf97b0ae9fbap-3,  0x1.fd751a1f962bfp-4,
    -0x1.25b6aa9554116p-4,  0x1.f9b05f234df7ap-6,   -0x1.1644dcef7910dp-7,
    0x1.0a1bae7a959ecp-11,  0x1.4eec9ba66102dp-11,  -0x1.8889228d0b885p-13,
    -0x1.7e481c0211900p-15, 0x1.dff7ef89ff3e8p-16,  0x1.3963a1c7be38ep-18,
    -0x1.19a0c187a8978p-18, -0x1.cc70a5fcb2773p-21, 0x1.10e64a83967f8p-21,
    0x1.7376e607a27f4p-23};

struct None {
  // QuickGelu: the largest |x| whose power is surely a normal number; the least
  // x; the bound of the error.
  static constexpr float kQuickMost = 13, kQuickLeast = -13;
  static constexpr int kUnits = 24;

  template <bool kIsLonger = false, class D, class V>
  static HWY_INLINE V OfFloats(D d, V x, hn::TFromD<D> most = 15) {
    const V a = hn::Min(hn::Abs(x), hn::Set(d, most));
    const V k = hn::Set(d, 4);
    const V t = hn::Div(hn::Sub(a, k), hn::Add(a, k));
    V n;
    if constexpr (kIsLonger) {
      n = Polynomial(d, t, kLongerN);
    } else {
      n = Polynomial(d, t, kN);
    }
    const V e = ExpToNormal(d, hn::Mul(hn::Mul(a, hn::Set(d, -0.5)), a));
    return hn::NegMulAdd(hn::Mul(a, n), e, hn::Max(x, hn::Zero(d)));
  }
  template <class D, class V>
  static HWY_INLINE V OfDoubles(D d, V x);
};

struct Tanh {
  // From x = -4 on, 2u, whose error counts most, is up to 11.
  static constexpr float kQuickMost = 9.5, kQuickLeast = -4;
  static constexpr int kUnits = 56;

  template <bool kIsLonger = false, class D, class V>
  static HWY_INLINE V OfFloats(D d, V x, hn::TFromD<D> most = 12) {
    using T = hn::TFromD<D>;
    const V a = hn::Min(hn::Abs(x), hn::Set(d, most));
    const V cube = hn::Set(d, static_cast<T>(-kC * kCube));
    const V c = hn::Set(d, static_cast<T>(-kC));
    const V minus_2u = hn::Mul(a, hn::MulAdd(hn::Mul(a, a), cube, c));
    const V e = ExpToNormal(d, minus_2u);
    constexpr double kOne = kIsLonger ? 1 : 1 + 0x1p-40;
    const V s = hn::Div(e, hn::Add(e, hn::Set(d, static_cast<T>(kOne))));
    return hn::NegMulAdd(a, s, hn::Max(x, hn::Zero(d)));
  }
  template <class D, class V>
  static HWY_INLINE V OfDoubles(D d, V x);
};

/// Out of line, because kernels of several types share the function.
template <class Form, bool kToOdd, class D, class V>
static HWY_NOINLINE V OfFloats(D d, V x) {
  const hn::RepartitionToWide<D> dd;
  const hn::Half<D> half;
  const auto in_low = hn::PromoteLowerTo(dd, x);
  const auto in_high = hn::PromoteUpperTo(dd, x);
  const auto low = Finish(dd, in_low, Form::OfFloats(dd, in_low));
  const auto high = Finish(dd, in_high, Form::OfFloats(dd, in_high));
  if constexpr (kToOdd) {
    return hn::Combine(d, ToOddFloat(half, high), ToOddFloat(half, low));
  } else {
    return hn::Combine(d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
  }
}

// ---- Doubles as sums of two doubles -----------------------------------------

/// a + b - sum, where `sum` is a + b rounded.
template <class V>
HWY_INLINE V SumError(V a, V b, V sum) {
  const V of_b = hn::Sub(sum, a);
  return hn::Add(hn::Sub(a, hn::Sub(sum, of_b)), hn::Sub(b, of_b));
}

/// (a + a_low) * (b + b_low) = product + low
template <class D, class V>
HWY_INLINE V MulPairs(D d, V a, V a_low, V b, V b_low, V& low) {
  const V product = hn::Mul(a, b);
  low = hn::Add(ProductError(d, a, b, product),
                hn::MulAdd(a, b_low, hn::Mul(a_low, b)));
  return product;
}

/// The result from x, a S(-a) = (y + low) / 2^200 where `is_far`, else y + low.
template <class D, class V>
HWY_INLINE V FinishPair(D d, V x, V y, V low, hn::Mask<D> is_far) {
  const V one = hn::Set(d, 1);
  const V relu = hn::Max(x, hn::Zero(d));
  const V sum = hn::Sub(relu, y);
  const V rest = hn::Sub(hn::Sub(hn::Sub(relu, sum), y), low);
  const V scale = hn::IfThenElse(is_far, hn::Set(d, 0x1p-200), one);
  y = hn::Mul(hn::Add(sum, rest), scale);
  // So close to 0, products may be subnormal and lose bits.
  const auto is_tiny = hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-60));
  y = hn::IfThenElse(is_tiny, hn::Mul(x, hn::Set(d, 0.5)), y);
  return Finish(d, x, y);
}

/// e^(x + x_low) as a sum, times 2^200 where `is_far`: x is below -600.
template <class D, class V>
HWY_INLINE V ExpOfPair(D d, V x, V x_low, V& low, hn::Mask<D>& is_far) {
  V s;
  V s_low;
  V t;
  V n;
  exp_exact::ComputePair(d, x, s, s_low, t, n);
  s_low = hn::MulAdd(s, x_low, s_low);
  const V sum = hn::Add(s, s_low);  // s_low has up to 33 bits of the result
  low = hn::Add(hn::Sub(s, sum), s_low);
  is_far = hn::Lt(x, hn::Set(d, -600));
  t = hn::Add(t, hn::IfThenElseZero(is_far, hn::Set(d, 200)));
  const V scale = exp_exact::MulPow2<4>(d, hn::Set(d, 1), t);
  low = hn::Mul(low, scale);
  return hn::Mul(sum, scale);
}

// The first terms are sums, because later ones have less weight.
constexpr double kHead[] = {0x1.201fa9259b7acp-4, -0x1.0fa16a922b6dp-3,
                            0x1.c692f4b3a4699p-4, -0x1.501cc4ffc42bp-4,
                            0x1.b39b63d533a1fp-5, -0x1.e7e8aa7ce642dp-6,
                            0x1.cd231aa74ded8p-7};
constexpr double kHeadLow[] = {0x1.4b11089c90572p-58, 0x1.e8bd4496ac493p-57,
                               -0x1.09997654c059p-58, 0x1.5c5b8ba9b46b6p-58,
                               0x1.9b5f05c149cp-59,   0x1.8f68f52a8ebe4p-61,
                               -0x1.6666f1617ce56p-62};
constexpr double kTail[] = {
    -0x1.5fa30deee28fbp-8,  0x1.8608cc0d7579ap-10,  -0x1.9e5ae3940c8bfp-13,
    -0x1.c514d1f1d4049p-15, 0x1.2df1304a20f7fp-15,  -0x1.50205084ca0fep-18,
    -0x1.5aff0b7500527p-19, 0x1.32ab31bbf418ap-20,  0x1.94e7d6ba2a49p-24,
    -0x1.56833a3a9c4a3p-23, 0x1.1a66bd219b744p-27,  0x1.69176a4db4954p-26,
    -0x1.4f951511d1b92p-29, -0x1.8202e9fdb6f42p-29, 0x1.d456d3cbdbcf6p-33,
    0x1.46de6d99d1269p-32,  0x1.0271d8327ef91p-35};

template <class D, class V>
HWY_INLINE V None::OfDoubles(D d, V x) {
  const V a = hn::Min(hn::Abs(x), hn::Set(d, 39));
  const V k = hn::Set(d, 5.5);
  const V above = hn::Sub(a, k);
  const V below = hn::Add(a, k);
  const V above_low = SumError(a, hn::Neg(k), above);
  const V below_low = SumError(a, k, below);
  const V inverse = hn::Div(hn::Set(d, 1), below);
  const V t = hn::Mul(above, inverse);
  const V product = hn::Mul(t, below);
  const V rest = hn::Add(
      hn::Sub(hn::Sub(above, product), ProductError(d, t, below, product)),
      hn::NegMulAdd(t, below_low, above_low));
  const V t_low = hn::Mul(rest, inverse);

  V n = Polynomial(d, t, kTail);
  V n_low = hn::Zero(d);
  for (size_t i = std::size(kHead); i-- > 0;) {
    const V c = hn::Set(d, kHead[i]);
    const V p = MulPairs(d, n, n_low, t, t_low, n_low);
    n = hn::Add(c, p);
    const V lost = hn::Add(hn::Sub(c, n), p);
    n_low = hn::Add(n_low, hn::Add(lost, hn::Set(d, kHeadLow[i])));
  }

  const V half_a = hn::Mul(a, hn::Set(d, -0.5));
  const V power = hn::Mul(half_a, a);
  V e_low;
  hn::Mask<D> is_far;
  const V e =
      ExpOfPair(d, power, ProductError(d, half_a, a, power), e_low, is_far);
  V low;
  const V s = MulPairs(d, n, n_low, e, e_low, low);
  const V y = MulPairs(d, s, low, a, hn::Zero(d), low);
  return FinishPair(d, x, y, low, is_far);
}

template <class D, class V>
HWY_INLINE V Tanh::OfDoubles(D d, V x) {
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1);
  const V a = hn::Min(hn::Abs(x), hn::Set(d, 21.75));
  const V square = hn::Mul(a, a);
  const V square_low = ProductError(d, a, a, square);
  V low;
  const V cube = MulPairs(d, square, square_low, hn::Set(d, kCube),
                          hn::Set(d, kCubeLow), low);
  const V sum = hn::Add(one, cube);
  low = hn::Add(low, SumError(one, cube, sum));
  const V product = MulPairs(d, sum, low, a, zero, low);
  const V minus_2u =
      MulPairs(d, product, low, hn::Set(d, -kC), hn::Set(d, -kCLow), low);
  V e_low;
  hn::Mask<D> is_far;
  const V e = ExpOfPair(d, minus_2u, low, e_low, is_far);

  const V scale = hn::IfThenElse(is_far, hn::Set(d, 0x1p-200), one);
  const V part = hn::Mul(e, scale);
  const V below = hn::Add(one, part);
  const V below_low =
      hn::MulAdd(e_low, scale, hn::Add(hn::Sub(one, below), part));
  const V above = MulPairs(d, e, e_low, a, zero, low);
  const V inverse = hn::Div(one, below);
  const V y = hn::Mul(above, inverse);
  const V back = hn::Mul(y, below);
  const V rest =
      hn::Add(hn::Sub(hn::Sub(above, back), ProductError(d, y, below, back)),
              hn::NegMulAdd(y, below_low, low));
  return FinishPair(d, x, y, hn::Mul(rest, inverse), is_far);
}

template <class Form, class D, class V>
static HWY_NOINLINE V OfDoubles(D d, V x) {
  return Form::OfDoubles(d, x);
}

}  // namespace gelu_detail

using GeluNone = gelu_detail::None;
using GeluTanh = gelu_detail::Tanh;

// float or double lanes -> the same, any input. Below 1 ULP; float: below 0.51.
template <class Form, class D, class V>
HWY_INLINE V Gelu(D d, V x) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return gelu_detail::OfDoubles<Form>(d, x);
  } else {
    return gelu_detail::OfFloats<Form, false>(d, x);
  }
}
/// For float lanes that hold values of a 16-bit type, and QuickOrCareful. The
/// suite computes all values, with and without FMA.
template <class Form>
struct QuickGelu {
  static constexpr int kUnits = Form::kUnits;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V y =
        gelu_detail::Finish(d, x, Form::OfFloats(d, x, Form::kQuickMost));
    const auto is_far = hn::Lt(x, hn::Set(d, Form::kQuickLeast));
    return hn::IfThenElse(is_far, hn::NaN(d), y);
  }
};
// float lanes -> float lanes which, rounded to a 16-bit type, are the correctly
// rounded result for lanes that hold values of that type.
template <class Form, class D, class V>
HWY_INLINE V GeluFor16Bits(D d, V x) {
  return gelu_detail::OfFloats<Form, true>(d, x);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_ERROR_FUNCTION_GELU_INL_H_
