// SPDX-License-Identifier: Apache-2.0
//
// Mul: y = a * b
//
// Versions 1 (float16, float32, float64), 6 and 7 (+ int32, int64, uint32,
// uint64), 13 (+ bfloat16), 14 (+ int8, int16, uint8, uint16).
// Floats: correctly rounded. Integers wrap.

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/mul.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/arithmetic/arithmetic-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_mul {
namespace {

struct Product {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    if constexpr (sizeof(hn::TFromD<D>) == 1 && HWY_ARCH_X86) {
      return OfBytes(d, a, b);
    } else {
      return hn::Mul(a, b);
    }
  }

 private:
  // x86 multiplies no bytes. Highway widens and narrows them. Here each product
  // is in the half of a 16-bit lane where its byte belongs.
  template <class D, class V>
  static HWY_INLINE V OfBytes(D d, V a, V b) {
    const hn::Repartition<uint16_t, D> d16;
    const auto low = hn::Set(d16, 0x00FF);
    KeepInRegister(a);
    KeepInRegister(b);
    const auto a16 = hn::BitCast(d16, a), b16 = hn::BitCast(d16, b);
    const auto even = hn::Mul(a16, b16);
    const auto odd = hn::Mul(hn::ShiftRight<8>(a16), hn::AndNot(low, b16));
    return hn::BitCast(d, hn::Or(hn::And(even, low), odd));
  }
};

TargetKernels Kernels() {
  return {HWY_TARGET, kArithmeticKernels<Product, /*kCommutes=*/true>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_mul
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_mul {
namespace {

constexpr int kVersions[] = {1, 6, 7, 13, 14};

}  // namespace

extern const Operator kOperator = {
    .name = "Mul",
    .versions = kVersions,
    .forms = kArithmeticForms,
    .output = {"C"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_mul),
    .exact = true,
};

}  // namespace lanewise::op_mul
#endif  // HWY_ONCE
