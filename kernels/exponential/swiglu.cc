// SPDX-License-Identifier: Apache-2.0
//
// SwiGLU: y = a / (1 + e^(-alpha a)) * b
//
// Version 28 (float16, float32, float64, bfloat16). a and b have one shape. The
// attribute alpha (default 1) is rounded to the element type first.
// Below 1 ULP in float32 and float64. float16 and bfloat16 are computed in
// double lanes and correctly rounded. The first factor is that of Swish.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/swiglu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/sigmoid-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/operator.h"
#include "kernels/round16.h"
#include "kernels/to_nearest-inl.h"

#ifndef LANEWISE_KERNELS_SWIGLU_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_SWIGLU_PARAMS_
namespace lanewise {
/// alpha, rounded to each type.
struct SwiGLUParams {
  float alpha;  ///< for float32 and float64
  float alpha_f16;
  float alpha_bf16;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_SWIGLU_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {

template <typename TFloat>
struct SwigluOf {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  T alpha;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    V s_lo;
    V unit;
    const V s = Swish(d, s_lo, unit, a, alpha);
    const V plain = hn::Mul(b, s);
    const auto is_finite = hn::Lt(hn::Abs(plain), hn::Inf(d));
    V y = hn::IfThenElse(is_finite, Times(d, b, s, s_lo, hn::Zero(d)), plain);
    y = hn::Mul(y, unit);
    // Half of a subnormal number could be rounded before a large b multiplies
    // the half.
    const V tiny = hn::Set(d, sizeof(T) == 4 ? 0x1p-60 : 0x1p-500);
    y = hn::IfThenElse(hn::Lt(hn::Abs(a), tiny),
                       hn::Mul(a, hn::Mul(b, hn::Set(d, T{0.5}))), y);
    // Infinity times a number that is too small for a lane is infinity.
    const auto is_lost =
        hn::And(hn::Eq(s, hn::Zero(d)), hn::Lt(hn::Abs(a), hn::Inf(d)));
    y = hn::IfThenElse(hn::Eq(hn::Abs(b), hn::Inf(d)),
                       hn::Mul(b, hn::IfThenElse(is_lost, a, s)), y);
    // The sum of a -0.0 and what it has lost is +0.
    return hn::CopySign(y, hn::Xor(a, b));
  }
};

template <class Fn, float SwiGLUParams::*kAlpha>
HWY_INLINE lw_status ComputeSwiglu(const Job& job) {
  using T = typename Fn::T;
  const auto* params = static_cast<const SwiGLUParams*>(job.setup->params);
  const Fn fn{params->*kAlpha};
  ForEachRow<2>(job, [&](char* out, size_t n, const char* const* in) HWY_ATTR {
    ComputeRow(reinterpret_cast<T*>(out), n, job.setup->stream, fn,
               Moving<T>{reinterpret_cast<const T*>(in[0]), Fn::kPadding},
               Moving<T>{reinterpret_cast<const T*>(in[1]), Fn::kPadding});
  });
  return LW_OK;
}
template <class Fn, float SwiGLUParams::*kAlpha>
constexpr auto& kPatterns =
    kOnlySame<ToNearest<Kernel<ComputeSwiglu<Fn, kAlpha>>>>;
using InDoubles = ByDoubles<SwigluOf<double>>;

constexpr KernelEntry kKernels[] = {
    {28, LW_FLOAT16, kPatterns<InFloat16<InDoubles>, &SwiGLUParams::alpha_f16>},
    {28, LW_FLOAT32, kPatterns<SwigluOf<float>, &SwiGLUParams::alpha>},
    {28, LW_FLOAT64, kPatterns<SwigluOf<double>, &SwiGLUParams::alpha>},
    {28, LW_BFLOAT16,
     kPatterns<In16Bits<BFloat16, InDoubles>, &SwiGLUParams::alpha_bf16>},
};

TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Kernels);
constexpr int kVersions[] = {28};
constexpr AttributeInfo kAttributes[] = {
    {"alpha", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 1.0}};
constexpr Form kForms[] = {{28, kInputsAB, ShapeRule::kEqual, kAttributes}};

}  // namespace

extern const Operator kOperator_swiglu = {
    .name = "SwiGLU",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          const float alpha = *attributes.Float("alpha");
          params->As<SwiGLUParams>() = {alpha, RoundToFloat16(alpha),
                                        RoundToBFloat16(alpha)};
        },
};

}  // namespace lanewise
#endif  // HWY_ONCE
