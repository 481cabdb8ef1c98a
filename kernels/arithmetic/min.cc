// SPDX-License-Identifier: Apache-2.0
//
// Min: the smallest of any number of inputs
//
// Versions 1, 6 (float16, float32, float64, one shape), 8 (broadcasting),
// 12 (+ all eight integers), 13 (+ bfloat16).
// Exact. A NaN in any input wins; of -0.0 and +0.0, either may come. One input
// is copied.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/min.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/arithmetic/extreme-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_min {
namespace {

TargetKernels Kernels() { return {HWY_TARGET, kExtremeKernels<Smaller>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_min
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_min {
namespace {

constexpr int kVersions[] = {1, 6, 8, 12, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Min",
    .versions = kVersions,
    .forms = kVariadicForms,
    .output = {"min"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_min),
    .exact = true,
};

}  // namespace lanewise::op_min
#endif  // HWY_ONCE
