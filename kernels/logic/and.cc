// SPDX-License-Identifier: Apache-2.0
//
// And: y = a && b
//
// Versions 1 (bool), 7 (numpy's broadcasting). Any byte but 0 is true; the
// result is 0 or 1.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/and.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/logic/bools-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_and {
namespace {

struct AreBothTrue {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    return hn::Min(hn::Min(a, b), hn::Set(d, 1));
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kBoolKernels<AreBothTrue>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_and
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_and {
namespace {

constexpr int kVersions[] = {1, 7};

}  // namespace

extern const Operator kOperator = {
    .name = "And",
    .versions = kVersions,
    .forms = kComparisonForms,
    .output = kBoolOutputC,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_and),
    .exact = true,
};

}  // namespace lanewise::op_and
#endif  // HWY_ONCE
