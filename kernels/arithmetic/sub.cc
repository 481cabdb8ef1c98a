// SPDX-License-Identifier: Apache-2.0
//
// Sub: y = a - b
//
// Versions 1 (float16, float32, float64), 6 and 7 (+ int32, int64, uint32,
// uint64), 13 (+ bfloat16), 14 (+ int8, int16, uint8, uint16).
// Floats: correctly rounded. Integers wrap.

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/sub.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/arithmetic/arithmetic-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_sub {
namespace {

struct Difference {
  template <class D, class V>
  static HWY_INLINE V Of(D /*d*/, V a, V b) {
    return hn::Sub(a, b);
  }
};

TargetKernels Kernels() {
  return {HWY_TARGET, kArithmeticKernels<Difference, /*kCommutes=*/false>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_sub
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_sub {
namespace {

constexpr int kVersions[] = {1, 6, 7, 13, 14};

}  // namespace

extern const Operator kOperator = {
    .name = "Sub",
    .versions = kVersions,
    .forms = kArithmeticForms,
    .output = {"C"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_sub),
    .exact = true,
};

}  // namespace lanewise::op_sub
#endif  // HWY_ONCE
