// SPDX-License-Identifier: Apache-2.0
//
// ReduceProd: the product of the elements along some dims
//
// Versions 1, 11 (float16, float32, float64, int32, int64, uint32, uint64),
// 13 (+ bfloat16), 18 (axes as an input).
// Each multiplication is rounded, in the order of kernels/reduction.h; integers
// wrap. 16-bit floats: multiplied as float32 and rounded once more at the end.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduction/reduce_prod.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/reduction/forms-inl.h"
#include "kernels/reduction/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reduce_prod {
namespace {

template <typename T>
struct Factors : FormOf<T> {
  static constexpr typename FormOf<T>::A kIdentity = 1;
  static constexpr size_t kUnroll = kUsualUnroll;

  template <class D, class V>
  static HWY_INLINE V Element(D /*d*/, V x) {
    return x;
  }
  template <class D, class V>
  static HWY_INLINE V Combine(D /*d*/, V a, V b) {
    return hn::Mul(a, b);
  }
};
template <typename T>
using Product = Plainly<Factors<Signless<T>>>;

TargetKernels Kernels() { return {HWY_TARGET, kReductionKernels<Product>}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reduce_prod
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reduce_prod {
namespace {

constexpr int kVersions[] = {1, 11, 13, 18};

}  // namespace

extern const Operator kOperator = {
    .name = "ReduceProd",
    .versions = kVersions,
    .forms = kReductionForms<18>,
    .output = kOutputReduced,
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_reduce_prod),
    .exact = true,
};

}  // namespace lanewise::op_reduce_prod
#endif  // HWY_ONCE
