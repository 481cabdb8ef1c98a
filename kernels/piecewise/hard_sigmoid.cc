// SPDX-License-Identifier: Apache-2.0
//
// HardSigmoid: y = max(0, min(1, alpha * x + beta))
//
// Versions 1, 6 (float16, float32, float64), 22 (+ bfloat16).
// The attributes alpha (default 0.2) and beta (default 0.5) are rounded to the
// element type first; alpha * x + beta is rounded once, also without FMA. NaN
// gives NaN, -inf and +inf give 0 and 1.

#include <cstddef>
#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/piecewise/hard_sigmoid.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exactly-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/round16.h"

#ifndef LANEWISE_KERNELS_HARD_SIGMOID_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_HARD_SIGMOID_PARAMS_
namespace lanewise {
/// The attributes, rounded to each type.
struct HardSigmoidParams {
  struct Line {
    float alpha;
    float beta;
  };
  Line wide;  ///< for float32 and float64
  Line float16;
  Line bfloat16;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_HARD_SIGMOID_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_hard_sigmoid {
namespace {

#if !HWY_NATIVE_FMA
/// alpha * x + beta, rounded once, in any rounding mode.
template <class D, class V>
HWY_INLINE V MulAddOnce(D d, V x, V alpha, V beta) {
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return ThroughDoubles(d, x, [&](auto dd, auto w) HWY_ATTR {
      const auto product = hn::Mul(w, hn::PromoteLowerTo(dd, alpha));  // exact
      return AddToOdd(dd, product, hn::PromoteLowerTo(dd, beta));
    });
  } else {
    // alpha is a float32: its products with the upper 29 bits of x and with the
    // lower 24 bits are exact. Then the sum of three numbers (Boldo and
    // Melquiond, 2008).
    const hn::RebindToUnsigned<D> du;
    const auto mask = hn::Set(du, ~uint64_t{0xFFFFFF});
    const V upper = hn::BitCast(d, hn::And(hn::BitCast(du, x), mask));
    const V of_upper = hn::Mul(upper, alpha);
    const V of_lower = hn::Mul(hn::Sub(x, upper), alpha);
    const V high = hn::Add(of_upper, of_lower);
    const V low = SumError(of_upper, of_lower, high);
    const V rest = hn::Add(beta, low);
    const V sum = hn::Add(high, rest);
    const V tail =
        AddToOdd(d, SumError(high, rest, sum), SumError(beta, low, rest));
    // If the product is tiny or beyond all floats, or beta is infinite, two
    // roundings give the same, and some of the above is not exact. Beside a
    // beta only the sign of a tiny product counts, which must not become 0.
    const V size = hn::Abs(hn::Mul(x, alpha));
    const auto is_tiny = hn::Lt(size, hn::Set(d, 0x1p-900));
    const V zero = hn::Zero(d);
    const auto has_beta = hn::Ne(beta, zero);
    const auto scales =
        hn::And(has_beta, hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-700)));
    const V scaled = hn::Mul(x, hn::Set(d, 0x1p200));
    const V product = hn::Mul(hn::IfThenElse(scales, scaled, x), alpha);
    // A product that is rounded to a zero keeps its sign.
    const auto is_sum =
        hn::Or(has_beta, hn::Or(hn::Eq(x, zero), hn::Eq(alpha, zero)));
    const V twice_rounded =
        hn::IfThenElse(is_sum, hn::Add(product, beta), product);
    const auto is_large =
        hn::Not(hn::Lt(hn::Add(size, hn::Abs(beta)), hn::Set(d, 0x1p200)));
    return hn::IfThenElse(hn::Or(is_tiny, is_large), twice_rounded,
                          hn::Add(sum, tail));
  }
}
#endif

template <typename TFloat>
struct HardSigmoidOf {
  using T = TFloat;
  static constexpr size_t kUnroll = HWY_NATIVE_FMA ? 4 : 1;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  T alpha;
  T beta;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
#if HWY_NATIVE_FMA
    const V y = hn::MulAdd(x, hn::Set(d, alpha), hn::Set(d, beta));
#else
    const V y = MulAddOnce(d, x, hn::Set(d, alpha), hn::Set(d, beta));
#endif
    // As constants: of numbers of another type, clang converts them each time.
    constexpr T kLeast = 0;
    constexpr T kMost = 1;
    return ClampNumbers(d, y, kLeast, kMost);
  }
};

/// For 16-bit floats: the product is exact, and the sum ready to be rounded.
struct HardSigmoidFor16 {
  using T = float;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  T alpha;
  T beta;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V product = hn::Mul(x, hn::Set(d, alpha));
    return ClampNumbers(d, AddToOdd(d, product, hn::Set(d, beta)), 0.0f, 1.0f);
  }
};

template <class Fn, auto kLine, int kPattern>
HWY_INLINE lw_status HardSigmoid(const Job& job) {
  const auto& params =
      *static_cast<const HardSigmoidParams*>(job.setup->params);
  return UnaryBy<kPattern>(Fn{(params.*kLine).alpha, (params.*kLine).beta},
                           job);
}
template <class Fn, auto kLine>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, Kernel<HardSigmoid<Fn, kLine, LW_SAME>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<HardSigmoid<Fn, kLine, any>>; })};

using F16 = InFloat16<HardSigmoidFor16>;
using BF16 = In16Bits<BFloat16, HardSigmoidFor16>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kPatterns<F16, &HardSigmoidParams::float16>},
    {1, LW_FLOAT32, kPatterns<HardSigmoidOf<float>, &HardSigmoidParams::wide>},
    {1, LW_FLOAT64, kPatterns<HardSigmoidOf<double>, &HardSigmoidParams::wide>},
    {22, LW_BFLOAT16, kPatterns<BF16, &HardSigmoidParams::bfloat16>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_hard_sigmoid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_hard_sigmoid {
namespace {

constexpr int kVersions[] = {1, 6, 22};

constexpr AttributeInfo kAlpha = {"alpha", LW_ATTRIBUTE_FLOAT,
                                  Meaning::kParameter, false, 0.2f};
constexpr AttributeInfo kBeta = {"beta", LW_ATTRIBUTE_FLOAT,
                                 Meaning::kParameter, false, 0.5f};
constexpr AttributeInfo kOldAttributes[] = {kAlpha, kBeta, kConsumedInputs};
constexpr AttributeInfo kAttributes[] = {kAlpha, kBeta};
constexpr Form kForms[] = {{1, kInputX, ShapeRule::kSame, kOldAttributes},
                           {6, kInputX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "HardSigmoid",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_hard_sigmoid),
    .exact = true,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          const float alpha = *attributes.Float("alpha");
          const float beta = *attributes.Float("beta");
          params->As<HardSigmoidParams>() = {
              {alpha, beta},
              {RoundToFloat16(alpha), RoundToFloat16(beta)},
              {RoundToBFloat16(alpha), RoundToBFloat16(beta)}};
        },
};

}  // namespace lanewise::op_hard_sigmoid
#endif  // HWY_ONCE
