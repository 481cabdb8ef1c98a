// SPDX-License-Identifier: Apache-2.0
//
// Gelu: y = x / 2 * (1 + erf(x / sqrt 2)), or with approximate "tanh"
// y = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))
//
// Version 20 (float16, float32, float64, bfloat16). Below 1 ULP in float32 and
// float64, subnormal results included; correctly rounded in float16 and
// bfloat16. NaN -> NaN, +inf -> +inf, -inf -> -0; a zero keeps its sign. How:
// gelu-inl.h.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/error_function/gelu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/error_function/erf-inl.h"
#include "kernels/error_function/gelu-inl.h"
#include "kernels/exactly-inl.h"
#include "kernels/exponential/expm1-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/quick16-inl.h"

#ifndef LANEWISE_KERNELS_GELU_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_GELU_PARAMS_
namespace lanewise {
struct GeluParams {
  bool tanh;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_GELU_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_gelu {
namespace {

template <typename TLane, class Form>
struct GeluOf {
  using T = TLane;
  static constexpr size_t kUnroll = 1;  // long
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return Gelu<Form>(d, x);
  }
};
template <class Form>
struct GeluOf16Bits : GeluOf<float, Form> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return GeluFor16Bits<Form>(d, x);
  }
};

/// x sigmoid(v) with v = 2 sqrt(2 / pi) (x + 0.044715 x^3), in two words.
struct FastGeluTanh : FastFloats {
  static constexpr float kMost = 11;  // the sigmoid is 1 or 0 from there on
  static constexpr double kOne = 1.5957691216057308;
  static constexpr double kThree = kOne * 0.044715;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    constexpr float kOneHi = kOne, kThreeHi = kThree;
    const V near = hn::Min(hn::Max(x, hn::Set(d, -kMost)), hn::Set(d, kMost));
    const V t = hn::Mul(near, near);
    const V three = hn::Set(d, kThreeHi);
    const V cubic = hn::Mul(t, three);
    const V sum = hn::Add(cubic, hn::Set(d, kOneHi));
    V low = SumError(cubic, hn::Set(d, kOneHi), sum);
    low = hn::Add(low, hn::Set(d, static_cast<float>(kOne - kOneHi)));
    low = hn::Add(low, LostInProduct(d, t, three, cubic));
    low = hn::MulAdd(t, hn::Set(d, static_cast<float>(kThree - kThreeHi)), low);
    low = hn::MulAdd(LostInProduct(d, near, near, t), three, low);
    const V v = hn::Mul(near, sum);
    return TimesSigmoid(d, x, near, v,
                        hn::MulAdd(near, low, LostInProduct(d, near, sum, v)));
  }
};

template <class None, class Tanh>
HWY_INLINE lw_status ByForm(const Job& job) {
  const FpEnv env(FpEnv::Default());
  const auto* params = static_cast<const GeluParams*>(job.setup->params);
  return RunJob(params->tanh ? Unary<Tanh> : Unary<None>, job);
}
template <class None, class Tanh>
constexpr auto& kPatterns = kOnlySame<Kernel<ByForm<None, Tanh>>>;
template <typename T>
constexpr auto& kWide = kPatterns<GeluOf<T, GeluNone>, GeluOf<T, GeluTanh>>;
template <class Form>
using F16 = QuickFloat16<QuickGelu<Form>, GeluOf16Bits<Form>>;
template <class Form>
using BF16 = QuickBFloat16<QuickGelu<Form>, GeluOf16Bits<Form>>;
constexpr auto& kF16 = kPatterns<F16<GeluNone>, F16<GeluTanh>>;
constexpr auto& kBF16 = kPatterns<BF16<GeluNone>, BF16<GeluTanh>>;

constexpr KernelEntry kKernels[] = {
    {20, LW_FLOAT16, kF16},
    {20, LW_FLOAT32, kWide<float>},
    {20, LW_FLOAT32,
     kPatterns<GeluOf<float, GeluNone>,
               FastOr<FastGeluTanh, GeluOf<float, GeluTanh>>>,
     Way::kFast},
    {20, LW_FLOAT64, kWide<double>},
    {20, LW_BFLOAT16, kBF16},
    {20, LW_FLOAT16, kF16, Way::kExact},
    {20, LW_BFLOAT16, kBF16, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_gelu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_gelu {
namespace {

constexpr int kVersions[] = {20};
constexpr const char* kApproximations[] = {"none", "tanh"};
constexpr AttributeInfo kAttributes[] = {{"approximate",
                                          LW_ATTRIBUTE_STRING,
                                          Meaning::kParameter,
                                          false,
                                          {},
                                          kApproximations}};
constexpr Form kForms[] = {{20, kInputX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "Gelu",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_gelu),
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          params->As<GeluParams>() = {attributes.Choice("approximate") == 1};
        },
};

}  // namespace lanewise::op_gelu
#endif  // HWY_ONCE
