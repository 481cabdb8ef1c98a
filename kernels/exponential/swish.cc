// SPDX-License-Identifier: Apache-2.0
//
// Swish: y = x / (1 + e^(-alpha x))
//
// Version 24 (float16, float32, float64, bfloat16). The attribute alpha
// (default 1) is rounded to the element type first.
// Below 1 ULP in float32 and float64. float16 and bfloat16 are correctly
// rounded: what quick16-inl.h leaves is computed in double lanes. NaN -> NaN,
// +inf -> +inf, -inf -> -0.0 (for a positive alpha); -0.0 stays.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/swish.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exact32-inl.h"
#include "kernels/exactly-inl.h"
#include "kernels/exponential/sigmoid-inl.h"
#include "kernels/exponential/swish_params.h"
#include "kernels/fast-inl.h"
#include "kernels/operator.h"
#include "kernels/quick16-inl.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_swish {
namespace {

template <typename TFloat>
struct SwishOf {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    V s_lo;
    V unit;
    const V s = Swish(d, s_lo, unit, x, alpha);
    // The sum of a -0.0 and what it has lost is +0.
    return hn::CopySign(hn::Mul(hn::Add(s, s_lo), unit), x);
  }
};

template <class Fn, float SwishParams::*kAlpha>
HWY_INLINE lw_status ComputeSwish(const Job& job) {
  const auto* params = static_cast<const SwishParams*>(job.setup->params);
  return UnaryBy(Fn{params->*kAlpha}, job);
}
template <class Fn, float SwishParams::*kAlpha>
constexpr auto& kPatterns =
    kOnlySame<ToNearest<Kernel<ComputeSwish<Fn, kAlpha>>>>;
template <class Fn, float SwishParams::*kAlpha>
constexpr auto& kPatternsOf16 =
    kOnlySame<InDefaultEnv<Kernel<ComputeSwish<Fn, kAlpha>>>>;

/// The product of alpha and x, which have the bits of 16-bit floats, is exact,
/// or so large or small that the sigmoid is 1, 1/2 or NaN.
struct SwishQuickly {
  static constexpr int kUnits = 8;
  float alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Mul(x, QuickSigmoid(d, hn::Mul(x, hn::Set(d, alpha))));
  }
};
/// Half of a small x may be a tie: what the sum loses, rounds it.
struct SwishFor16 {
  using T = double;
  double alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    V s_lo;
    V unit;
    const V s = Swish(d, s_lo, unit, x, alpha);
    return hn::CopySign(hn::Mul(AddToOdd(d, s, s_lo), unit), x);
  }
};
using InDoubles = ByDoubles<SwishFor16>;

/// For an alpha of 1. Close to 0 the result is x/2 + x^2/4 - x^4/48. The last
/// terms, which a double cannot hold, decide ties.
struct CarefulSwish {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V half = hn::Mul(x, hn::Set(d, 0.5));
    const V square = hn::Mul(half, half);
    const V fourth = hn::Mul(hn::Mul(square, square), hn::Set(d, -1.0 / 3));
    const V near = SumOfThreeToOdd(d, half, square, fourth);
    const auto is_near = hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-10));
    return hn::IfThenElse(is_near, hn::CopySign(near, x),
                          SwishOf<double>{1}(d, x));
  }
};
struct SwishOfHeldFloats : SigmoidOfHeldFloats {
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D d, V x) {
    return hn::And(SigmoidOfHeldFloats::Knows(d, x),
                   exact32::IsZeroOrNotTiny(d, x));
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Mul(x, QuickSigmoid(d, x));
  }
};
using ExactSwish = ExactFloats<kHardSwish, CarefulSwish, SwishOfHeldFloats>;

template <typename TFloat>
struct FastSwish {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    V near;
    const V u = SwishArgument(d, near, x, alpha);
    const V u_lo = LostInProduct(d, near, hn::Set(d, alpha), u);
    return TimesSigmoid(d, x, near, u, u_lo);
  }
};

template <typename T>
constexpr auto& kFast =
    kPatterns<FastOr<FastSwish<T>, SwishOf<T>>, &SwishParams::alpha>;

constexpr KernelEntry kKernels[] = {
    {24, LW_FLOAT16,
     kPatternsOf16<QuickFloat16<SwishQuickly, InDoubles>,
                   &SwishParams::alpha_f16>},
    {24, LW_FLOAT32, kPatterns<SwishOf<float>, &SwishParams::alpha>},
    {24, LW_FLOAT32, kFast<float>, Way::kFast},
    {24, LW_FLOAT64, kFast<double>, Way::kFast},
    {24, LW_FLOAT64, kPatterns<SwishOf<double>, &SwishParams::alpha>},
    {24, LW_BFLOAT16,
     kPatternsOf16<QuickBFloat16<SwishQuickly, InDoubles>,
                   &SwishParams::alpha_bf16>},
    {24, LW_FLOAT16,
     kPatternsOf16<QuickFloat16<SwishQuickly, InDoubles>,
                   &SwishParams::alpha_f16>,
     Way::kExact},
    {24, LW_FLOAT32, kOnlySame<Unary<ExactSwish>>, Way::kExact},
    {24, LW_BFLOAT16,
     kPatternsOf16<QuickBFloat16<SwishQuickly, InDoubles>,
                   &SwishParams::alpha_bf16>,
     Way::kExact},
};

TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_swish
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_swish {
namespace {

constexpr int kVersions[] = {24};
constexpr Form kForms[] = {{24, kInputX, ShapeRule::kSame, kSwishAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "Swish",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_swish),
    .prepare = KeepSwish,
    .proven =
        [](const AttributeValues& attributes) {
          return *attributes.Float("alpha") == 1;
        },
};

}  // namespace lanewise::op_swish
#endif  // HWY_ONCE
