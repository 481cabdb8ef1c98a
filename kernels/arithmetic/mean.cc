// SPDX-License-Identifier: Apache-2.0
//
// Mean: the sum of any number of inputs, divided by their number
//
// Versions 1, 6 (float16, float32, float64, one shape), 8 (broadcasting),
// 13 (+ bfloat16).
// float32 and float64: each step is rounded, and so is the quotient. 16-bit
// floats: computed in float32 and rounded once more at the end. One input is
// copied.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/mean.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/arithmetic/sums-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_mean {
namespace {

TargetKernels Kernels() { return {HWY_TARGET, kSumKernels</*kIsMean=*/true>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_mean
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_mean {
namespace {

constexpr int kVersions[] = {1, 6, 8, 13};

}  // namespace

// Exact: each step is correctly rounded, and the steps are the definition.
extern const Operator kOperator = {
    .name = "Mean",
    .versions = kVersions,
    .forms = kVariadicForms,
    .output = {"mean"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_mean),
    .exact = true,
};

}  // namespace lanewise::op_mean
#endif  // HWY_ONCE
