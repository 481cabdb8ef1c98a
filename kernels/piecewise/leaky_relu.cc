// SPDX-License-Identifier: Apache-2.0
//
// LeakyRelu: y = x < 0 ? alpha * x : x
//
// Versions 1, 6 (float16, float32, float64), 16 (+ bfloat16).
// The attribute alpha (default 0.01) is rounded to the element type first; the
// product is correctly rounded. NaN and -0.0 pass through unchanged.

#include <cstddef>
#include <type_traits>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/piecewise/leaky_relu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/piecewise/leak-inl.h"
#include "kernels/round16.h"

#ifndef LANEWISE_KERNELS_LEAKY_RELU_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_LEAKY_RELU_PARAMS_
namespace lanewise {
/// What LeakyRelu keeps from its attributes: alpha, rounded to each type.
struct LeakyReluParams {
  float alpha;  ///< for float32 and float64
  float alpha_f16;
  float alpha_bf16;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_LEAKY_RELU_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_leaky_relu {
namespace {

template <typename TFloat>
struct Leak {
  using T = TFloat;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return TimesBelowZero(d, x, hn::Set(d, alpha));
  }
};

const LeakyReluParams& ParamsOf(const Job& job) {
  return *static_cast<const LeakyReluParams*>(job.setup->params);
}

template <class Fn, float LeakyReluParams::*kAlpha, int kPattern>
HWY_INLINE lw_status LeakyRelu(const Job& job) {
  return UnaryBy<kPattern>(Fn{ParamsOf(job).*kAlpha}, job);
}
template <class Fn, float LeakyReluParams::*kAlpha>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, Kernel<LeakyRelu<Fn, kAlpha, LW_SAME>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<LeakyRelu<Fn, kAlpha, any>>; })};
using LeakF16 = InFloat16<Leak<float>>;
using LeakBF16 = In16Bits<BFloat16, Leak<float>>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kPatterns<LeakF16, &LeakyReluParams::alpha_f16>},
    {1, LW_FLOAT32, kPatterns<Leak<float>, &LeakyReluParams::alpha>},
    {1, LW_FLOAT64, kPatterns<Leak<double>, &LeakyReluParams::alpha>},
    {16, LW_BFLOAT16, kPatterns<LeakBF16, &LeakyReluParams::alpha_bf16>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_leaky_relu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_leaky_relu {
namespace {

constexpr int kVersions[] = {1, 6, 16};

constexpr AttributeInfo kAlpha = {"alpha", LW_ATTRIBUTE_FLOAT,
                                  Meaning::kParameter, false, 0.01f};
constexpr AttributeInfo kOldAttributes[] = {kAlpha, kConsumedInputs};
constexpr AttributeInfo kAttributes[] = {kAlpha};
constexpr Form kForms[] = {{1, kInputX, ShapeRule::kSame, kOldAttributes},
                           {6, kInputX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "LeakyRelu",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_leaky_relu),
    .exact = true,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          const float alpha = *attributes.Float("alpha");
          params->As<LeakyReluParams>() = {alpha, RoundToFloat16(alpha),
                                           RoundToBFloat16(alpha)};
        },
};

}  // namespace lanewise::op_leaky_relu
#endif  // HWY_ONCE
