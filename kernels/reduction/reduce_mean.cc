// SPDX-License-Identifier: Apache-2.0
//
// ReduceMean: the mean of the elements along some dims
//
// Versions 1, 11 (float16, float32, float64, int32, int64, uint32, uint64),
// 13 (+ bfloat16), 18 (axes as an input).
// The sum as ReduceSum has it, divided by the count: the quotient is rounded,
// that of integers truncated. 16-bit floats: in float32, rounded once more at
// the end. The mean of no floats is NaN, that of no integers 0.

#include <cstdint>
#include <limits>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/reduce_mean.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/reduction/forms-inl.h"
#include "kernels/reduction/reduce-inl.h"
#include "kernels/reduction/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reduce_mean {
namespace {

template <typename T>
struct MeanOfReals {
  using Elements = SumOf<T>;
  using Form = FormOf<T>;
  static constexpr End kEnd = End::kLanes;
  static constexpr Rounding kRounding = Rounding::kCallers;
  static constexpr typename Form::A kOfNothing =
      std::numeric_limits<typename Form::A>::quiet_NaN();

  template <class D, class V>
  static HWY_INLINE V Result(D d, V sum, uint64_t count) {
    return hn::Div(sum, hn::Set(d, static_cast<hn::TFromD<D>>(count)));
  }
};

template <typename T>
struct MeanOfIntegers {
  using Elements = SumOf<T>;
  using Form = FormOf<T>;
  static constexpr End kEnd = End::kIntegers;
  static constexpr Rounding kRounding = Rounding::kCallers;
  static constexpr T kOfNothing = 0;

  static HWY_INLINE T ResultOf(Signless<T> sum, uint64_t count) {
    using Wide = hwy::If<std::is_signed_v<T>, int64_t, uint64_t>;
    return static_cast<T>(static_cast<T>(sum) / static_cast<Wide>(count));
  }
};

template <typename T>
using Mean = hwy::If<std::is_integral_v<T>, MeanOfIntegers<T>, MeanOfReals<T>>;

TargetKernels Kernels() { return {HWY_TARGET, kReductionKernels<Mean>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reduce_mean
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reduce_mean {
namespace {

constexpr int kVersions[] = {1, 11, 13, 18};

}  // namespace

extern const Operator kOperator = {
    .name = "ReduceMean",
    .versions = kVersions,
    .forms = kReductionForms<18>,
    .output = kOutputReduced,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_reduce_mean),
    .exact = true,
};

}  // namespace lanewise::op_reduce_mean
#endif  // HWY_ONCE
