// SPDX-License-Identifier: Apache-2.0
//
// ReduceLogSumExp: log(sum(e^x)) of the elements along some dims
//
// Versions 1, 11 (float16, float32, float64, int32, int64, uint32, uint64),
// 13 (+ bfloat16), 18 (axes as an input).
// 28 (floats alone). With the maximum m: log(sum(e^(x - m))) + m, added in the
// order of kernels/reduction.h. Nothing but -inf gives -inf, +inf gives NaN.
// Integers: in float64, truncated. 16-bit floats: in float32, rounded once more
// at the end.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/reduce_log_sum_exp.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/exp-inl.h"
#include "kernels/exponential/log-inl.h"
#include "kernels/operator.h"
#include "kernels/reduction/extremes-inl.h"
#include "kernels/reduction/forms-inl.h"
#include "kernels/reduction/reduce-inl.h"
#include "kernels/reduction/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reduce_log_sum_exp {
namespace {

/// The maximum that is subtracted: 0 where nothing but -inf is there.
template <class D, class V>
HWY_INLINE V Subtracted(D d, V maximum) {
  const auto lowest = hn::Eq(maximum, hn::Neg(hn::Inf(d)));
  return hn::IfThenZeroElse(lowest, maximum);
}

template <typename T>
struct SumOfPowers : Added<RealsOf<T>> {
  using Before = ExtremeOf<Larger, T>;
  static constexpr size_t kUnroll = 4;

  template <class D, class V>
  static HWY_INLINE V Element(D d, V x, V maximum) {
    const V z = hn::Sub(x, Subtracted(d, maximum));
    // A power that is no normal number vanishes beside that of the maximum.
    const V least = hn::Set(d, -ExpConstants<hn::TFromD<D>>::kNormal);
    const auto vanishes = hn::Lt(z, least);
    const V y = ExpToNormal(d, hn::IfThenElse(vanishes, least, z));
    return hn::IfThenZeroElse(vanishes, y);
  }
};

template <typename T>
struct LogSumExp {
  using Elements = SumOfPowers<T>;
  using Form = RealsOf<T>;
  static constexpr typename Form::A kOfNothing =
      -std::numeric_limits<typename Form::A>::infinity();
  static constexpr End kEnd = End::kLanes;
  static constexpr Rounding kRounding =
      std::is_integral_v<T> ? Rounding::kDefaultEnv : Rounding::kToNearest;

  template <class D, class V>
  static HWY_INLINE V Result(D d, V sum, uint64_t /*count*/, V maximum) {
    return hn::Add(Log(d, sum), Subtracted(d, maximum));
  }
};

TargetKernels Kernels() {
  return {HWY_TARGET, kReductionKernels<LogSumExp, 27>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reduce_log_sum_exp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reduce_log_sum_exp {
namespace {

constexpr int kVersions[] = {1, 11, 13, 18, 28};

}  // namespace

extern const Operator kOperator = {
    .name = "ReduceLogSumExp",
    .versions = kVersions,
    .forms = kReductionForms<18>,
    .output = kOutputReduced,
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_reduce_log_sum_exp),
};

}  // namespace lanewise::op_reduce_log_sum_exp
#endif  // HWY_ONCE
