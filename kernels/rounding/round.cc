// SPDX-License-Identifier: Apache-2.0
//
// Round: the nearest whole number; of two, the even one
//
// Versions 11 (float16, float32, float64), 22 (+ bfloat16).
// Exact. Zeros keep their sign, and Round(-0.2) is -0.0; NaN and infinities
// pass, a NaN as a quiet one. The caller's rounding mode does not count.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rounding/round.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/rounding/rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_round {
namespace {

struct ToNearest {
  template <class V>
  static HWY_INLINE V Of(V x) {
    return hn::Round(x);
  }
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> GrowsMagnitude(D d, V /*x*/, V magnitude,
                                               V whole) {
    using T = hn::TFromD<D>;
    const hn::RebindToSigned<D> di;
    const auto half = hn::Set(d, T{0.5});
    const auto fraction = hn::Sub(magnitude, whole);
    // In 2^23 or 2^52 plus a whole number, the lowest bit tells an odd one.
    const auto bits =
        hn::BitCast(di, hn::Add(whole, hn::Set(d, hwy::MantissaEnd<T>())));
    const auto odd = hn::RebindMask(
        d, hn::IsNegative(hn::ShiftLeft<8 * sizeof(T) - 1>(bits)));
    return hn::Or(hn::Gt(fraction, half), hn::And(hn::Eq(fraction, half), odd));
  }
};

TargetKernels Kernels() {
  return {HWY_TARGET, kRoundingKernels<ToNearest, 11, 22>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_round
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_round {
namespace {

constexpr int kVersions[] = {11, 22};
constexpr Form kForms[] = {{11, kInputX, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Round",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_round),
    .exact = true,
};

}  // namespace lanewise::op_round
#endif  // HWY_ONCE
