// SPDX-License-Identifier: Apache-2.0
//
// ReduceL2: the root of the sum of the squares of the elements along some dims
//
// Versions 1, 11 (float16, float32, float64, int32, int64, uint32, uint64),
// 13 (+ bfloat16), 18 (axes as an input).
// The sum as ReduceSumSquare has it; the root is rounded. Integers: the root in
// float64, truncated, and 0 where the sum has wrapped to a negative number.
// 16-bit floats: in float32, rounded once more at the end.

#include <cstdint>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/reduce_l2.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/reduction/forms-inl.h"
#include "kernels/reduction/reduce-inl.h"
#include "kernels/reduction/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reduce_l2 {
namespace {

template <typename T>
struct L2 {
  using Elements = SumOfSquares<T>;  // x * x, by addition
  using Form = RealsOf<T>;           // results are floats, or truncated float64
  static constexpr typename Form::A kOfNothing = 0;
  static constexpr End kEnd = End::kLanes;
  static constexpr Rounding kRounding =
      std::is_integral_v<T> ? Rounding::kDefaultEnv : Rounding::kCallers;

  template <class D, class V>
  static HWY_INLINE V Result(D d, V sum, uint64_t /*count*/) {
    // A wrapped sum of integers may be negative.
    return hn::Sqrt(std::is_integral_v<T> ? hn::Max(sum, hn::Zero(d)) : sum);
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kReductionKernels<L2>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reduce_l2
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reduce_l2 {
namespace {

constexpr int kVersions[] = {1, 11, 13, 18};

}  // namespace

extern const Operator kOperator = {
    .name = "ReduceL2",
    .versions = kVersions,
    .forms = kReductionForms<18>,
    .output = kOutputReduced,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_reduce_l2),
    .exact = true,
};

}  // namespace lanewise::op_reduce_l2
#endif  // HWY_ONCE
