// SPDX-License-Identifier: Apache-2.0
//
// Mish: y = x tanh(log(1 + e^x))
//
// Versions 18 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16. NaN -> NaN, +inf -> +inf, -inf -> -0.0, +-0 stays; subnormal
// results are kept.
//
// Method: with e = e^x, y = x e (e + 2) / (e (e + 2) + 2). All parts are sums
// of two lanes, and y is rounded once. e = 2^n s: the numerator takes s, and
// the result is multiplied by 2^n at last, because e may be subnormal. The test
// computes all floats, and all 16-bit floats on every target.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/mish.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exact32-inl.h"
#include "kernels/exponential/exp-inl.h"
#include "kernels/exponential/two_words-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_mish {
namespace {

/// a b = product + rest, where `product` is rounded.
template <class D, class V>
HWY_INLINE V Product(D d, V a, V b, V& rest) {
  const V product = quiet::Mul(a, b);
  rest = ProductError(d, a, b, product);
  return product;
}

/// kNarrow: for results that are rounded to 16 bits.
template <typename TFloat, bool kNarrow = false>
struct Mish {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  // Below kLeast, y rounds to -0.0; above kMost, to x.
  static constexpr T kLeast = sizeof(T) == 8 ? -760 : -112;
  static constexpr T kMost = 20;

  // Out of line: the loops contain it several times.
  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x) const {
    const V two = hn::Set(d, T{2});
    V near = exp_detail::ClampKeepNaN(d, x, kLeast, kMost);
    V e_hi;
    V e_lo;
    V e_t;
    two_words::ExpInTwoWords(d, near, e_hi, e_lo, e_t);
    const V scale = two_words::Pow2AtLeast64(d, e_t);
    V sum_lo;
    const V sum = two_words::Sum(two, hn::Mul(e_hi, scale), sum_lo);
    sum_lo = quiet::Add(sum_lo, hn::Mul(e_lo, scale));
    V above_lo;
    const V above = Product(d, e_hi, sum, above_lo);
    above_lo = quiet::MulAdd(e_hi, sum_lo, quiet::MulAdd(e_lo, sum, above_lo));
    V under_lo;
    const V under = two_words::Sum(two, hn::Mul(above, scale), under_lo);
    under_lo = quiet::MulAdd(above_lo, scale, under_lo);

    // The quotient, and what the rounded one lacks.
    const V inverse = quiet::Div(hn::Set(d, T{1}), under);
    const V q = quiet::Mul(above, inverse);
    V back_lo;
    const V back = Product(d, q, under, back_lo);
    const V missing = quiet::Sub(quiet::Sub(above, back), back_lo);
    const V q_lo = quiet::Mul(
        quiet::NegMulAdd(q, under_lo, quiet::Add(missing, above_lo)), inverse);

    // No part of the product below may be subnormal, and 2^64 is taken back at
    // last. e^x is 1 here.
    const auto tiny = hn::Lt(hn::Abs(near), hn::Set(d, T{0x1p-60}));
    near = hn::MaskedMulOr(near, tiny, near, hn::Set(d, T{0x1p64}));
    const V t = hn::MaskedSubOr(e_t, tiny, e_t, hn::Set(d, T{64}));
    V y_lo;
    const V y_hi = Product(d, near, q, y_lo);
    const V y =
        two_words::Round<kNarrow>(d, y_hi, quiet::MulAdd(near, q_lo, y_lo));
    const V scaled = hn::CopySign(two_words::TimesPow2(d, y, t), x);
    const auto far = hn::Gt(x, hn::Set(d, kMost));
    return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x),
                          hn::IfThenElse(far, x, scaled));
  }
};

/// x n / (n + 2) with n = e^2 + 2 e and e = e^x, for ExactFloats.
struct MishOfHeldFloats {
  static constexpr double kError = 0x1p-48;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D /*d*/, V x) {
    return hn::Eq(x, x);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V two = hn::Set(d, 2);
    const V most = hn::Set(d, 40);
    // Below -120 the result rounds to -0.0, above 40 to x.
    const V near = hn::Max(hn::Min(x, most), hn::Set(d, -120));
    const V e = ExpToNormal(d, near);
    const V n = hn::Mul(e, hn::Add(e, two));
    const V y = hn::Div(hn::Mul(near, n), hn::Add(n, two));
    return hn::IfThenElse(hn::Gt(x, most), x, y);
  }
};
using ExactMish = ExactFloats<kHardMish, Mish<double>, MishOfHeldFloats>;
using F16 = InFloat16<Mish<float, true>>;
using BF16 = In16Bits<BFloat16, Mish<float, true>>;

/// x n / (n + 2) with n = e^2 + 2 e and e = e^x. Far below 0, that is x e.
template <typename TFloat>
struct FastMish : FastLanes<TFloat> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V most = hn::Set(d, Mish<TFloat>::kMost);
    const V u = hn::Max(hn::Min(x, most), hn::Set(d, Mish<TFloat>::kLeast));
    const V e = Exp(d, u);
    const V n = hn::MulAdd(e, e, hn::Add(e, e));
    const V plain = hn::Div(hn::Mul(u, n), hn::Add(n, hn::Set(d, TFloat{2})));
    const auto far = hn::Lt(u, hn::Set(d, TFloat{-40}));
    const V below = TimesExp(d, u, hn::IfThenElseZero(far, u), e);
    const V y = hn::CopySign(hn::IfThenElse(far, below, plain), x);
    return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x),
                          hn::IfThenElse(hn::Gt(x, most), x, y));
  }
};

template <typename T>
constexpr auto& kFast = kUnaryToNearest<FastOr<FastMish<T>, Mish<T>>>;

constexpr KernelEntry kKernels[] = {
    {18, LW_FLOAT16, kUnaryToNearest<F16, LANEWISE_QUIET>},
    {18, LW_FLOAT32, kUnaryToNearest<Mish<float>, LANEWISE_QUIET>},
    {18, LW_FLOAT32, kFast<float>, Way::kFast},
    {18, LW_FLOAT64, kFast<double>, Way::kFast},
    {18, LW_FLOAT64, kUnaryToNearest<Mish<double>, LANEWISE_QUIET>},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16, LANEWISE_QUIET>},
    {18, LW_FLOAT16, kOnlySame<Unary<F16>>, Way::kExact},
    {18, LW_FLOAT32, kOnlySame<Unary<ExactMish>>, Way::kExact},
    {22, LW_BFLOAT16, kOnlySame<Unary<BF16>>, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_mish
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_mish {
namespace {

constexpr int kVersions[] = {18, 22};
constexpr Form kForms[] = {{18, kInputX, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Mish",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_mish),
};

}  // namespace lanewise::op_mish
#endif  // HWY_ONCE
