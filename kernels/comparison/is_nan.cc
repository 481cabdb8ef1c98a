// SPDX-License-Identifier: Apache-2.0
//
// IsNaN: y = whether x is a NaN
//
// Versions 9 (float16, float32, float64), 13 (+ bfloat16), 20 (+ the four
// float8 types). By bits: exact, and no flag is raised.

#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/comparison/is_nan.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/comparison/compare-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_is_nan {
namespace {

/// kMost: the largest magnitude that is no NaN, as bits.
template <typename TBits, TBits kMost>
struct IsNan {
  using T = TBits;

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D d, V bits) const {
    const V magnitude = hn::And(bits, hn::Set(d, hwy::LimitsMax<T>()));
    return hn::Gt(magnitude, hn::Set(d, kMost));
  }
};

/// For formats with one NaN in place of -0.
struct IsNanOfUnsignedZero {
  using T = int8_t;

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D d, V bits) const {
    return hn::Eq(bits, hn::Set(d, hwy::LimitsMin<T>()));
  }
};

template <typename T, T kMost>
constexpr auto& kIsNan = kTestPatterns<IsNan<T, kMost>>;

constexpr KernelEntry kKernels[] = {
    {9, LW_FLOAT16, kIsNan<int16_t, 0x7C00>},
    {9, LW_FLOAT32, kIsNan<int32_t, 0x7F800000>},
    {9, LW_FLOAT64, kIsNan<int64_t, 0x7FF0000000000000>},
    {13, LW_BFLOAT16, kIsNan<int16_t, 0x7F80>},
    {20, LW_FLOAT8E4M3FN, kIsNan<int8_t, 0x7E>},
    {20, LW_FLOAT8E5M2, kIsNan<int8_t, 0x7C>},
    {20, LW_FLOAT8E4M3FNUZ, kTestPatterns<IsNanOfUnsignedZero>},
    {20, LW_FLOAT8E5M2FNUZ, kTestPatterns<IsNanOfUnsignedZero>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_is_nan
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_is_nan {
namespace {

constexpr int kVersions[] = {9, 13, 20};
constexpr Form kForms[] = {{9, kTestedX, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "IsNaN",
    .versions = kVersions,
    .forms = kForms,
    .output = kBoolOutputY,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_is_nan),
    .exact = true,
};

}  // namespace lanewise::op_is_nan
#endif  // HWY_ONCE
