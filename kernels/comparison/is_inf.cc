// SPDX-License-Identifier: Apache-2.0
//
// IsInf: y = whether x is an infinity
//
// Versions 10 (float32, float64), 20 (+ float16, bfloat16 and the four float8
// types). The attributes detect_negative and detect_positive tell which
// infinities count. By bits: exact, and no flag is raised.

#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/comparison/is_inf.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/comparison/compare-inl.h"
#include "kernels/operator.h"

#ifndef LANEWISE_KERNELS_IS_INF_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_IS_INF_PARAMS_
namespace lanewise {
struct IsInfParams {
  bool negative, positive;
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_IS_INF_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_is_inf {
namespace {

/// kInfinity: the bits of +inf; 0 for formats without infinities.
template <typename TBits, TBits kInfinity>
struct IsInfinite {
  using T = TBits;
  T examined;  // bits
  T wanted;    // their value; a bit that is not examined makes all lanes false

  explicit IsInfinite(const void* params) {
    const auto [negative, positive] = *static_cast<const IsInfParams*>(params);
    const bool any = kInfinity != 0 && (negative || positive);
    const T sign = negative && !positive ? hwy::LimitsMin<T>() : T{0};
    examined = !any                   ? T{0}
               : negative && positive ? hwy::LimitsMax<T>()
                                      : static_cast<T>(-1);
    wanted = any ? static_cast<T>(kInfinity | sign) : T{1};
  }

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D d, V bits) const {
    return hn::Eq(hn::And(bits, hn::Set(d, examined)), hn::Set(d, wanted));
  }
};

template <typename T, T kInfinity>
constexpr auto& kIsInf = kTestPatterns<IsInfinite<T, kInfinity>>;

constexpr KernelEntry kKernels[] = {
    {10, LW_FLOAT32, kIsInf<int32_t, 0x7F800000>},
    {10, LW_FLOAT64, kIsInf<int64_t, 0x7FF0000000000000>},
    {20, LW_FLOAT16, kIsInf<int16_t, 0x7C00>},
    {20, LW_BFLOAT16, kIsInf<int16_t, 0x7F80>},
    {20, LW_FLOAT8E5M2, kIsInf<int8_t, 0x7C>},
    {20, LW_FLOAT8E4M3FN, kIsInf<int8_t, 0>},
    {20, LW_FLOAT8E4M3FNUZ, kIsInf<int8_t, 0>},
    {20, LW_FLOAT8E5M2FNUZ, kIsInf<int8_t, 0>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_is_inf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_is_inf {
namespace {

constexpr int kVersions[] = {10, 20};

constexpr AttributeInfo kAttributes[] = {
    {"detect_negative", LW_ATTRIBUTE_INT, Meaning::kParameter, false, 1},
    {"detect_positive", LW_ATTRIBUTE_INT, Meaning::kParameter, false, 1}};
constexpr Form kForms[] = {{10, kTestedX, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "IsInf",
    .versions = kVersions,
    .forms = kForms,
    .output = kBoolOutputY,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_is_inf),
    .exact = true,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          params->As<IsInfParams>() = {*attributes.Int("detect_negative") != 0,
                                       *attributes.Int("detect_positive") != 0};
        },
};

}  // namespace lanewise::op_is_inf
#endif  // HWY_ONCE
