// SPDX-License-Identifier: Apache-2.0
//
// ReduceMin: the smallest of the elements along some dims
//
// Versions 1, 11 (float16, float32, float64, int32, int64, uint32, uint64),
// 12 (+ int8, uint8), 13 (+ bfloat16), 18 (axes as an input), 20 (+ bool).
// Exact. A NaN wins, and keeps its bits. Of no elements: what comes before
// all numbers; bools: true.

#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/reduce_min.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/reduction/extremes-inl.h"
#include "kernels/reduction/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reduce_min {
namespace {

template <typename T>
using Smallest = ExtremeOf<Smaller, T>;

constexpr KernelEntry kKernels[] = {
    EntryOf<Smallest<Float16>>(1, LW_FLOAT16),
    EntryOf<Smallest<float>>(1, LW_FLOAT32),
    EntryOf<Smallest<double>>(1, LW_FLOAT64),
    EntryOf<Smallest<int32_t>>(1, LW_INT32),
    EntryOf<Smallest<int64_t>>(1, LW_INT64),
    EntryOf<Smallest<uint32_t>>(1, LW_UINT32),
    EntryOf<Smallest<uint64_t>>(1, LW_UINT64),
    EntryOf<Smallest<int8_t>>(12, LW_INT8),
    EntryOf<Smallest<uint8_t>>(12, LW_UINT8),
    EntryOf<Smallest<BFloat16>>(13, LW_BFLOAT16),
    EntryOf<Smallest<bool>>(20, LW_BOOL),
};

TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reduce_min
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reduce_min {
namespace {

constexpr int kVersions[] = {1, 11, 12, 13, 18, 20};

}  // namespace

extern const Operator kOperator = {
    .name = "ReduceMin",
    .versions = kVersions,
    .forms = kReductionForms<18>,
    .output = kOutputReduced,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_reduce_min),
    .exact = true,
};

}  // namespace lanewise::op_reduce_min
#endif  // HWY_ONCE
