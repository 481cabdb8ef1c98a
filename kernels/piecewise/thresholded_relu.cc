// SPDX-License-Identifier: Apache-2.0
//
// ThresholdedRelu: y = x > alpha ? x : 0
//
// Versions 10 (float16, float32, float64), 22 (+ bfloat16).
// The attribute alpha (default 1) is rounded to the element type first. Exact,
// by comparison and choice. NaN gives 0.

#include <cstddef>
#include <cstdint>
#include <limits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/piecewise/thresholded_relu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/order16-inl.h"
#include "kernels/round16.h"

#ifndef LANEWISE_KERNELS_THRESHOLDED_RELU_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_THRESHOLDED_RELU_PARAMS_
namespace lanewise {
/// alpha, rounded to each type.
struct ThresholdedReluParams {
  float alpha;  ///< for float32 and float64
  int16_t float16;
  int16_t bfloat16;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_THRESHOLDED_RELU_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_thresholded_relu {
namespace {

template <typename TFloat>
struct KeepAbove {
  using T = TFloat;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    KeepInRegister(x);
    return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, alpha)), x);
  }
};

/// 16-bit floats are compared as integers.
template <int16_t kInfinity>
struct KeepAbove16 {
  using T = int16_t;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V order = OrderOf16(d, x);
    const auto above = hn::Gt(order, OrderOf16(d, hn::Set(d, alpha)));
    // NaNs with a sign come before -inf.
    const auto is_nan = hn::Gt(order, hn::Set(d, kInfinity));
    return hn::IfThenElseZero(hn::AndNot(is_nan, above), x);
  }
};

template <class Fn, auto kAlpha, int kPattern>
HWY_INLINE lw_status ThresholdedRelu(const Job& job) {
  const auto& params =
      *static_cast<const ThresholdedReluParams*>(job.setup->params);
  return UnaryBy<kPattern>(Fn{params.*kAlpha}, job);
}
template <class Fn, auto kAlpha>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, Kernel<ThresholdedRelu<Fn, kAlpha, LW_SAME>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<ThresholdedRelu<Fn, kAlpha, any>>; })};

constexpr KernelEntry kKernels[] = {
    {10, LW_FLOAT16,
     kPatterns<KeepAbove16<0x7C00>, &ThresholdedReluParams::float16>},
    {10, LW_FLOAT32,
     kPatterns<KeepAbove<float>, &ThresholdedReluParams::alpha>},
    {10, LW_FLOAT64,
     kPatterns<KeepAbove<double>, &ThresholdedReluParams::alpha>},
    {22, LW_BFLOAT16,
     kPatterns<KeepAbove16<0x7F80>, &ThresholdedReluParams::bfloat16>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_thresholded_relu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_thresholded_relu {
namespace {

constexpr int kVersions[] = {10, 22};

constexpr AttributeInfo kAttributes[] = {
    {"alpha", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 1.0}};
constexpr Form kForms[] = {{10, kInputX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "ThresholdedRelu",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_thresholded_relu),
    .exact = true,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          float alpha = *attributes.Float("alpha");
          // Nothing is above a NaN, or above infinity. A comparison with a NaN
          // could raise a flag in lanes that nobody uses.
          if (alpha != alpha) alpha = std::numeric_limits<float>::infinity();
          params->As<ThresholdedReluParams>() = {
              alpha, static_cast<int16_t>(Float16Bits(alpha)),
              static_cast<int16_t>(BFloat16Bits(alpha))};
        },
};

}  // namespace lanewise::op_thresholded_relu
#endif  // HWY_ONCE
