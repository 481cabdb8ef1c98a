// SPDX-License-Identifier: Apache-2.0
//
// ReduceL1: the sum of the magnitudes of the elements along some dims
//
// Versions 1, 11 (float16, float32, float64, int32, int64, uint32, uint64),
// 13 (+ bfloat16), 18 (axes as an input).
// Each addition is rounded, in the order of kernels/reduction.h; integers wrap.
// 16-bit floats: added as float32 and rounded once more at the end.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/reduce_l1.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/reduction/reduce-inl.h"
#include "kernels/reduction/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reduce_l1 {
namespace {

template <typename T>
using L1 = Plainly<SumOfMagnitudes<T>>;

TargetKernels Kernels() { return {HWY_TARGET, kReductionKernels<L1>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reduce_l1
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reduce_l1 {
namespace {

constexpr int kVersions[] = {1, 11, 13, 18};

}  // namespace

extern const Operator kOperator = {
    .name = "ReduceL1",
    .versions = kVersions,
    .forms = kReductionForms<18>,
    .output = kOutputReduced,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_reduce_l1),
    .exact = true,
};

}  // namespace lanewise::op_reduce_l1
#endif  // HWY_ONCE
