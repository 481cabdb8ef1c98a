// SPDX-License-Identifier: Apache-2.0
//
// ReduceLogSum: the logarithm of the sum of the elements along some dims
//
// Versions 1, 11 (float16, float32, float64, int32, int64, uint32, uint64),
// 13 (+ bfloat16), 18 (axes as an input).
// 28 (floats alone). The sum as ReduceSum has it; then Log. Integers: the
// logarithm in float64, truncated; where the sum is 0 or less, the lowest
// integer. 16-bit floats: in float32, rounded once more at the end.

#include <cstdint>
#include <limits>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/reduce_log_sum.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/log-inl.h"
#include "kernels/operator.h"
#include "kernels/reduction/forms-inl.h"
#include "kernels/reduction/reduce-inl.h"
#include "kernels/reduction/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reduce_log_sum {
namespace {

template <typename T>
struct LogSum {
  using Elements = SumOf<T>;
  using Form = RealsOf<T>;
  static constexpr typename Form::A kOfNothing =
      -std::numeric_limits<typename Form::A>::infinity();
  static constexpr End kEnd = End::kLanes;
  static constexpr Rounding kRounding =
      std::is_integral_v<T> ? Rounding::kDefaultEnv : Rounding::kToNearest;

  template <class D, class V>
  static HWY_INLINE V Result(D d, V sum, uint64_t /*count*/) {
    return Log(d, sum);
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kReductionKernels<LogSum, 27>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reduce_log_sum
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reduce_log_sum {
namespace {

constexpr int kVersions[] = {1, 11, 13, 18, 28};

}  // namespace

extern const Operator kOperator = {
    .name = "ReduceLogSum",
    .versions = kVersions,
    .forms = kReductionForms<18>,
    .output = kOutputReduced,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_reduce_log_sum),
};

}  // namespace lanewise::op_reduce_log_sum
#endif  // HWY_ONCE
