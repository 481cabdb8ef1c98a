// SPDX-License-Identifier: Apache-2.0
//
// BitwiseOr: y = a | b
//
// Version 18 (all eight integers).

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/bitwise_or.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/logic/bitwise-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_bitwise_or {
namespace {

struct BitsOfAny {
  template <class D, class V>
  static HWY_INLINE V Of(D /*d*/, V a, V b) {
    return hn::Or(a, b);
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kBitwiseKernels<BitsOfAny>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_bitwise_or
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_bitwise_or {
namespace {

constexpr int kVersions[] = {18};
constexpr Form kForms[] = {{18, kInputsAB, ShapeRule::kBroadcast}};

}  // namespace

extern const Operator kOperator = {
    .name = "BitwiseOr",
    .versions = kVersions,
    .forms = kForms,
    .output = {"C"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_bitwise_or),
    .exact = true,
};

}  // namespace lanewise::op_bitwise_or
#endif  // HWY_ONCE
