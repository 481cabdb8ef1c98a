// SPDX-License-Identifier: Apache-2.0
//
// BitwiseAnd: y = a & b
//
// Version 18 (all eight integers).

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/bitwise_and.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/logic/bitwise-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_bitwise_and {
namespace {

struct BitsOfBoth {
  template <class D, class V>
  static HWY_INLINE V Of(D /*d*/, V a, V b) {
    return hn::And(a, b);
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kBitwiseKernels<BitsOfBoth>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_bitwise_and
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_bitwise_and {
namespace {

constexpr int kVersions[] = {18};
constexpr Form kForms[] = {{18, kInputsAB, ShapeRule::kBroadcast}};

}  // namespace

extern const Operator kOperator = {
    .name = "BitwiseAnd",
    .versions = kVersions,
    .forms = kForms,
    .output = {"C"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_bitwise_and),
    .exact = true,
};

}  // namespace lanewise::op_bitwise_and
#endif  // HWY_ONCE
