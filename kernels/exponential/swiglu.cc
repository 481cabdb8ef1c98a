// SPDX-License-Identifier: Apache-2.0
//
// SwiGLU: y = a / (1 + e^(-alpha a)) * b
//
// Version 28 (float16, float32, float64, bfloat16). a and b have one shape. The
// attribute alpha (default 1) is rounded to the element type first.
// Below 1 ULP in float32 and float64. float32 is computed in double lanes,
// where no product overflows. float16 and bfloat16 are correctly rounded: what
// quick16-inl.h leaves is computed in double lanes, too. The first factor is
// that of Swish, also its limits; it counts as 0 for alpha * a below -780.

#include <cstddef>
#include <limits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/swiglu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exactly-inl.h"
#include "kernels/exponential/sigmoid-inl.h"
#include "kernels/exponential/swish_params.h"
#include "kernels/fast-inl.h"
#include "kernels/operator.h"
#include "kernels/quick16-inl.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_swiglu {
namespace {

/// For 16-bit results, what a double loses is kept in its last bit: half of a
/// small a, times b, may be a tie.
template <bool kFor16>
struct DoubleSwiglu {
  using T = double;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  // Below, Swish counts as 0, as its float64 does from -745 on.
  static constexpr T kLeast = -780;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    V s_lo;
    V unit;
    V s = Swish(d, s_lo, unit, a, alpha);
    const V u = hn::Mul(a, hn::Set(d, alpha));
    const auto is_zero = hn::Lt(u, hn::Set(d, kLeast));
    s = hn::IfThenZeroElse(is_zero, s);
    s_lo = hn::IfThenZeroElse(is_zero, s_lo);
    // A small b is raised, so that no part of the product is subnormal.
    const auto small = hn::Lt(hn::Abs(b), hn::Set(d, 0x1p-200));
    const V raised = hn::IfThenElse(small, hn::Mul(b, hn::Set(d, 0x1p200)), b);
    unit = hn::IfThenElse(small, hn::Mul(unit, hn::Set(d, 0x1p-200)), unit);
    const V plain = hn::Mul(raised, s);
    V y;
    if constexpr (kFor16) {
      const V lost =
          hn::MulAdd(raised, s_lo, LostInProduct(d, raised, s, plain));
      // There, the sigmoid is less than 1 by less than s can say.
      const auto far =
          hn::And(hn::Gt(u, hn::Set(d, 40)), hn::Lt(u, hn::Inf(d)));
      y = AddToOdd(
          d, plain,
          hn::IfThenElse(far, hn::Mul(plain, hn::Set(d, -0x1p-60)), lost));
    } else {
      y = Times(d, raised, s, s_lo, hn::Zero(d));
    }
    y = hn::IfThenElse(hn::Lt(hn::Abs(plain), hn::Inf(d)), y, plain);
    y = hn::Mul(y, unit);
    // There, the sigmoid is 1/2, and s may be subnormal.
    const auto tiny = hn::Lt(hn::Abs(a), hn::Set(d, 0x1p-500));
    y = hn::IfThenElse(tiny, hn::Mul(a, hn::Mul(b, hn::Set(d, 0.5))), y);
    // The sum of a -0.0 and what it has lost is +0.
    y = hn::CopySign(y, hn::Xor(a, b));
    return KeepNaN(d, hn::IfThenElse(hn::IsNaN(a), a, b), y);
  }
};

template <class Fn, float SwishParams::*kAlpha>
HWY_INLINE lw_status ComputeSwiglu(const Job& job) {
  using T = typename Fn::T;
  const auto* params = static_cast<const SwishParams*>(job.setup->params);
  const Fn fn{params->*kAlpha};
  ForEachRow<2>(job, [&](char* out, size_t n, const char* const* in) HWY_ATTR {
    ComputeRow(reinterpret_cast<T*>(out), n, job.setup->stream, fn,
               Moving<T>{reinterpret_cast<const T*>(in[0]), Fn::kPadding},
               Moving<T>{reinterpret_cast<const T*>(in[1]), Fn::kPadding});
  });
  return LW_OK;
}
template <class Fn, float SwishParams::*kAlpha>
constexpr auto& kPatterns =
    kOnlySame<ToNearest<Kernel<ComputeSwiglu<Fn, kAlpha>>>>;
template <class Fn, float SwishParams::*kAlpha>
constexpr auto& kPatternsOf16 =
    kOnlySame<InDefaultEnv<Kernel<ComputeSwiglu<Fn, kAlpha>>>>;

/// For lanes with at least twice the bits of the operands: the product of alpha
/// and a is then exact, or so large or small that the sigmoid is 1, 1/2 or NaN.
/// NaN also where the next product may be subnormal and lose bits, which none
/// is in double lanes.
template <typename T>
struct SwigluQuickly {
  static constexpr int kUnits = 8;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const V s = hn::Mul(a, QuickSigmoid(d, hn::Mul(a, hn::Set(d, alpha))));
    const V y = hn::Mul(s, b);
    if constexpr (sizeof(T) == 8) return y;
    const auto has_bits =
        hn::Or(hn::Ge(hn::Abs(s), hn::Set(d, std::numeric_limits<T>::min())),
               hn::Eq(a, hn::Zero(d)));
    return hn::IfThenElse(has_bits, y, hn::NaN(d));
  }
};
/// For results that are rounded to float32. Both ways err there, differently:
/// each lane chooses for itself, as no lane may depend on another one.
struct SwigluOfFloats {
  double alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const V y = SwigluQuickly<double>{alpha}(d, a, b);
    const auto is_usual = hn::Eq(y, y);
    if (HWY_LIKELY(hn::AllTrue(d, is_usual))) return y;
    const V careful = OutOfLine(d, DoubleSwiglu<false>{alpha}, a, b);
    return hn::IfThenElse(is_usual, y, careful);
  }
};
using InFloats = ByDoubles<SwigluOfFloats, false>;
using InDoubles = ByDoubles<DoubleSwiglu<true>>;

/// a e / (1 + e) * b, or a / (1 + e) * b for u = alpha * a above 0, where
/// e = e^-|u|. What would lose bits, because it is subnormal, is left to Usual.
template <typename TFloat, class Usual>
struct FastSwiglu {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    constexpr T kLeast = sizeof(T) == 4 ? -80 : -700;
    constexpr T kNormal = std::numeric_limits<T>::min();
    const V wide = hn::Set(d, alpha);
    const V one = hn::Set(d, 1);
    const V u = hn::Mul(a, wide);
    const auto below = hn::Lt(u, hn::Zero(d));
    const V z = hn::Max(hn::Neg(hn::Abs(u)), hn::Set(d, kLeast));
    const V z_lo = hn::IfThenElseZero(below, LostInProduct(d, a, wide, u));
    V power;
    const V q = ExpInParts<0>(d, power, z, z_lo);
    const V top = hn::Mul(hn::MulAdd(a, q, a), power);
    const V under = hn::MulAdd(power, q, hn::Add(power, one));
    const V s = hn::Div(hn::IfThenElse(below, top, a), under);
    const V y = hn::Mul(s, b);
    const auto has_bits =
        hn::Or(hn::Ge(hn::Abs(s), hn::Set(d, kNormal)), hn::Eq(a, hn::Zero(d)));
    const auto is_usual = hn::And(hn::Ge(u, hn::Set(d, kLeast)), has_bits);
    if (HWY_LIKELY(hn::AllTrue(d, is_usual))) return y;
    const V careful = OutOfLine(d, Usual{alpha}, a, b);
    return hn::IfThenElse(is_usual, y, careful);
  }
};

template <typename T, class Usual>
constexpr auto& kFast =
    kPatterns<FastOr<FastSwiglu<T, Usual>, Usual>, &SwishParams::alpha>;

constexpr KernelEntry kKernels[] = {
    {28, LW_FLOAT16,
     kPatternsOf16<QuickFloat16<SwigluQuickly<float>, InDoubles>,
                   &SwishParams::alpha_f16>},
    {28, LW_FLOAT32, kPatterns<InFloats, &SwishParams::alpha>},
    {28, LW_FLOAT32, kFast<float, InFloats>, Way::kFast},
    {28, LW_FLOAT64, kPatterns<DoubleSwiglu<false>, &SwishParams::alpha>},
    {28, LW_FLOAT64, kFast<double, DoubleSwiglu<false>>, Way::kFast},
    {28, LW_BFLOAT16,
     kPatternsOf16<QuickBFloat16<SwigluQuickly<float>, InDoubles>,
                   &SwishParams::alpha_bf16>},
};

TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_swiglu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_swiglu {
namespace {

constexpr int kVersions[] = {28};
constexpr Form kForms[] = {
    {28, kInputsAB, ShapeRule::kEqual, kSwishAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "SwiGLU",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_swiglu),
    .prepare = KeepSwish,
};

}  // namespace lanewise::op_swiglu
#endif  // HWY_ONCE
