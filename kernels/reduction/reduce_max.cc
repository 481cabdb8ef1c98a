// SPDX-License-Identifier: Apache-2.0
//
// ReduceMax: the largest of the elements along some dims
//
// Versions 1, 11 (float16, float32, float64, int32, int64, uint32, uint64),
// 12 (+ int8, uint8), 13 (+ bfloat16), 18 (axes as an input), 20 (+ bool).
// Exact. A NaN wins, and keeps its bits. Of no elements: what comes before
// all numbers; bools: false.

#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/reduce_max.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/reduction/extremes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reduce_max {
namespace {

TargetKernels Kernels() { return {HWY_TARGET, kExtremeReductions<Larger>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reduce_max
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reduce_max {
namespace {

constexpr int kVersions[] = {1, 11, 12, 13, 18, 20};

}  // namespace

extern const Operator kOperator = {
    .name = "ReduceMax",
    .versions = kVersions,
    .forms = kReductionForms<18>,
    .output = kOutputReduced,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_reduce_max),
    .exact = true,
};

}  // namespace lanewise::op_reduce_max
#endif  // HWY_ONCE
