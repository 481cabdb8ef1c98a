// SPDX-License-Identifier: Apache-2.0
//
// Sum: the sum of any number of inputs, from the left to the right
//
// Versions 1, 6 (float16, float32, float64, one shape), 8 (broadcasting),
// 13 (+ bfloat16).
// float32 and float64: each step is rounded. 16-bit floats: added as float32
// and rounded once more at the end. Two inputs have the bits of Add, and one
// input is copied.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/sum.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/arithmetic/sums-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_sum {
namespace {

TargetKernels Kernels() { return {HWY_TARGET, kSumKernels</*kIsMean=*/false>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_sum
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_sum {
namespace {

constexpr int kVersions[] = {1, 6, 8, 13};

}  // namespace

// Exact: each step is correctly rounded, and the steps are the definition.
extern const Operator kOperator = {
    .name = "Sum",
    .versions = kVersions,
    .forms = kVariadicForms,
    .output = {"sum"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_sum),
    .exact = true,
};

}  // namespace lanewise::op_sum
#endif  // HWY_ONCE
