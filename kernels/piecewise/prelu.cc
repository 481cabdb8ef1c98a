// SPDX-License-Identifier: Apache-2.0
//
// PRelu: y = x < 0 ? slope * x : x
//
// Versions 1, 6, 7 (float16, float32, float64), 9 (+ int32, int64, uint32,
// uint64), 16 (+ bfloat16).
// Before version 7, slope is one element, or one for each channel (dim 1). From
// then on, slope stretches to the shape of x. The product is correctly rounded;
// integers wrap. NaN and -0.0 pass through unchanged.

#include <type_traits>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/piecewise/prelu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/piecewise/leak-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_prelu {
namespace {

template <typename TLane>
struct LeakBySlope {
  using T = TLane;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V slope) const {
    if constexpr (std::is_floating_point_v<T>) {
      return TimesBelowZero(d, x, slope);
    } else if constexpr (std::is_signed_v<T>) {
      return hn::IfThenElse(hn::IsNegative(x), hn::Mul(x, slope), x);
    } else {
      return x;  // never below 0
    }
  }
};

template <class Fn>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, Binary<Fn, LW_SAME>},
    {LW_SCALAR_B, Binary<Fn, LW_SCALAR_B>},
    Strided<kAllReadStrided>([](auto any) { return Binary<Fn, any>; })};
template <typename T>
constexpr auto& kOnLanes = kPatterns<LeakBySlope<T>>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kPatterns<InFloat16<LeakBySlope<float>>>},
    {1, LW_FLOAT32, kOnLanes<float>},
    {1, LW_FLOAT64, kOnLanes<double>},
    {9, LW_INT32, kOnLanes<int32_t>},
    {9, LW_INT64, kOnLanes<int64_t>},
    {9, LW_UINT32, kOnLanes<uint32_t>},
    {9, LW_UINT64, kOnLanes<uint64_t>},
    {16, LW_BFLOAT16, kPatterns<In16Bits<BFloat16, LeakBySlope<float>>>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_prelu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_prelu {
namespace {

constexpr int kVersions[] = {1, 6, 7, 9, 16};
constexpr OperandInfo kInputs[] = {{"X"}, {"slope"}};
constexpr Form kForms[] = {
    {1, kInputs, ShapeRule::kChannel, kOnlyConsumedInputs},
    {6, kInputs, ShapeRule::kChannel},
    {7, kInputs, ShapeRule::kOneWay}};

}  // namespace

extern const Operator kOperator = {
    .name = "PRelu",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_prelu),
    .exact = true,
};

}  // namespace lanewise::op_prelu
#endif  // HWY_ONCE
