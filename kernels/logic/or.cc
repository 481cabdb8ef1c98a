// SPDX-License-Identifier: Apache-2.0
//
// Or: y = a || b
//
// Versions 1 (bool), 7 (numpy's broadcasting). Any byte but 0 is true; the
// result is 0 or 1.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/or.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/logic/bools-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_or {
namespace {

struct IsAnyTrue {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    return hn::Min(hn::Or(a, b), hn::Set(d, 1));
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kBoolKernels<IsAnyTrue>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_or
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_or {
namespace {

constexpr int kVersions[] = {1, 7};

}  // namespace

extern const Operator kOperator = {
    .name = "Or",
    .versions = kVersions,
    .forms = kComparisonForms,
    .output = kBoolOutputC,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_or),
    .exact = true,
};

}  // namespace lanewise::op_or
#endif  // HWY_ONCE
