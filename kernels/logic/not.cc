// SPDX-License-Identifier: Apache-2.0
//
// Not: y = !x
//
// Version 1 (bool). Any byte but 0 is true; the result is 0 or 1.

#include <cstddef>
#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/not.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_not {
namespace {

struct IsFalse {
  using T = uint8_t;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenElseZero(hn::Eq(x, hn::Zero(d)), hn::Set(d, T{1}));
  }
};

constexpr KernelEntry kKernels[] = {{1, LW_BOOL, kUnaryPatterns<IsFalse>}};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_not
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_not {
namespace {

constexpr int kVersions[] = {1};
constexpr Form kForms[] = {{1, kInputX, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Not",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_not),
    .exact = true,
};

}  // namespace lanewise::op_not
#endif  // HWY_ONCE
