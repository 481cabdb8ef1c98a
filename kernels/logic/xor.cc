// SPDX-License-Identifier: Apache-2.0
//
// Xor: y = !a != !b
//
// Versions 1 (bool), 7 (numpy's broadcasting). Any byte but 0 is true; the
// result is 0 or 1.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic/xor.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/logic/bools-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_xor {
namespace {

struct IsOneTrue {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    const V one = hn::Set(d, 1);
    return hn::Xor(hn::Min(a, one), hn::Min(b, one));
  }
};

TargetKernels Kernels() { return {HWY_TARGET, kBoolKernels<IsOneTrue>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_xor
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_xor {
namespace {

constexpr int kVersions[] = {1, 7};

}  // namespace

extern const Operator kOperator = {
    .name = "Xor",
    .versions = kVersions,
    .forms = kComparisonForms,
    .output = kBoolOutputC,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_xor),
    .exact = true,
};

}  // namespace lanewise::op_xor
#endif  // HWY_ONCE
