// SPDX-License-Identifier: Apache-2.0
//
// Sigmoid: y = 1 / (1 + e^-x)
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16, on exact engines float32, too. NaN -> NaN, +inf -> 1, -inf -> +0;
// subnormal results are kept. How: sigmoid-inl.h.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/sigmoid.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exact32-inl.h"
#include "kernels/exponential/sigmoid-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/operator.h"
#include "kernels/quick16-inl.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_sigmoid {
namespace {

template <typename TFloat>
struct SigmoidOf {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;  // gives 1/2, exactly

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    V rest;
    V unit;
    const V q = Sigmoid(d, rest, unit, x);
    return KeepNaN(d, x, hn::Mul(hn::Add(q, rest), unit));
  }
};
/// For float16. Near 0 some results are close to a tie of float16, and their
/// floats are ties.
struct SigmoidOfF16 : SigmoidOf<float> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    V rest;
    V unit;
    const V q = Sigmoid(d, rest, unit, x);
    return KeepNaN(d, x, hn::Mul(SumToOdd(d, q, rest), unit));
  }
};

struct SigmoidQuickly {
  static constexpr int kUnits = 8;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return QuickSigmoid(d, x);
  }
};
using F16 = QuickFloat16<SigmoidQuickly, SigmoidOfF16>;
using BF16 = QuickBFloat16<SigmoidQuickly, SigmoidOf<float>>;

/// Close to 0 the result is 1/2 + x/4 - x^3/48. The last term, which a double
/// cannot hold, decides ties.
struct CarefulSigmoid {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V quarter = hn::Mul(x, hn::Set(d, 0.25));
    const V cube = hn::Mul(hn::Mul(x, x), hn::Mul(x, hn::Set(d, -1.0 / 48)));
    const V near = SumOfThreeToOdd(d, hn::Set(d, 0.5), quarter, cube);
    const auto is_near = hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-10));
    return hn::IfThenElse(is_near, near, SigmoidOf<double>()(d, x));
  }
};
using ExactSigmoid =
    ExactFloats<kHardSigmoid, CarefulSigmoid, SigmoidOfHeldFloats>;

template <typename TFloat>
struct FastSigmoid : FastLanes<TFloat> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, TFloat{1});
    const V e = Exp(d, hn::Neg(hn::Abs(x)));
    const auto below = hn::Lt(x, hn::Zero(d));
    return hn::Div(hn::IfThenElse(below, e, one), hn::Add(one, e));
  }
};

template <typename T>
constexpr auto& kFast = kUnaryToNearest<FastOr<FastSigmoid<T>, SigmoidOf<T>>>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kUnaryInDefaultEnv<F16>},
    {1, LW_FLOAT32, kUnaryToNearest<SigmoidOf<float>>},
    {1, LW_FLOAT64, kUnaryToNearest<SigmoidOf<double>>},
    {13, LW_BFLOAT16, kUnaryInDefaultEnv<BF16>},
    {1, LW_FLOAT32, kFast<float>, Way::kFast},
    {1, LW_FLOAT64, kFast<double>, Way::kFast},
    {1, LW_FLOAT16, kUnaryInDefaultEnv<F16>, Way::kExact},
    {1, LW_FLOAT32, kOnlySame<Unary<ExactSigmoid>>, Way::kExact},
    {13, LW_BFLOAT16, kUnaryInDefaultEnv<BF16>, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_sigmoid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_sigmoid {
namespace {

constexpr int kVersions[] = {1, 6, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Sigmoid",
    .versions = kVersions,
    .forms = kUnaryFormsX,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_sigmoid),
};

}  // namespace lanewise::op_sigmoid
#endif  // HWY_ONCE
