// SPDX-License-Identifier: Apache-2.0
//
// BitwiseXor: y = a ^ b
//
// Version 18 (all eight integers).

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/bitwise_xor.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/logic/bitwise-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_bitwise_xor {
namespace {

struct BitsThatDiffer {
  template <class D, class V>
  static HWY_INLINE V Of(D /*d*/, V a, V b) {
    return hn::Xor(a, b);
  }
};

TargetKernels Kernels() {
  return {HWY_TARGET, kBitwiseKernels<BitsThatDiffer>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_bitwise_xor
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_bitwise_xor {
namespace {

constexpr int kVersions[] = {18};
constexpr Form kForms[] = {{18, kInputsAB, ShapeRule::kBroadcast}};

}  // namespace

extern const Operator kOperator = {
    .name = "BitwiseXor",
    .versions = kVersions,
    .forms = kForms,
    .output = {"C"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_bitwise_xor),
    .exact = true,
};

}  // namespace lanewise::op_bitwise_xor
#endif  // HWY_ONCE
