// SPDX-License-Identifier: Apache-2.0
//
// ArgMax: where the largest element along a dim is
//
// Versions 1, 11 (float16, float32, float64, eight integers), 12 (+ the
// attribute select_last_index), 13 (+ bfloat16). The first index of the largest
// element, or the last one. A NaN wins.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/arg_max.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/reduction/arg-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_arg_max {
namespace {

TargetKernels Kernels() { return {HWY_TARGET, kIndexKernels<Larger>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_arg_max
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_arg_max {
namespace {

constexpr int kVersions[] = {1, 11, 12, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "ArgMax",
    .versions = kVersions,
    .forms = kIndexForms,
    .output = kOutputIndexes,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_arg_max),
    .exact = true,
    .prepare = PrepareArg,
};

}  // namespace lanewise::op_arg_max
#endif  // HWY_ONCE
