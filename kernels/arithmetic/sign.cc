// SPDX-License-Identifier: Apache-2.0
//
// Sign: y = x < 0 ? -1 : x > 0 ? 1 : 0
//
// Versions 9 (float16, float32, float64, all eight integers), 13 (+ bfloat16).
// Exact. Zeros give +0, and a NaN passes through unchanged. Floats are compared
// as integers: subnormal numbers count as what they are, whatever FTZ and DAZ
// say, and no floating-point exception is raised.

#include <cstddef>
#include <cstdint>
#include <limits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/sign.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_sign {
namespace {

// Unsigned integers are signed lanes, too, whose sign is 1 where the highest
// bit is set.
template <typename TLane>
struct SignOfInteger {
  using T = TLane;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  T negative;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V sign =
        hn::IfNegativeThenElse(x, hn::Set(d, negative), hn::Set(d, T{1}));
    return hn::IfThenZeroElse(hn::Eq(x, hn::Zero(d)), sign);
  }
};

// The lanes are the bits of floats.
template <typename TLane>
struct SignOfFloat {
  using T = TLane;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  T one;
  T infinity;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V minus_zero = hn::Set(d, std::numeric_limits<T>::min());
    const V magnitude = hn::AndNot(minus_zero, x);
    const V sign = hn::Or(hn::And(minus_zero, x), hn::Set(d, one));
    const V number = hn::IfThenZeroElse(hn::Eq(magnitude, hn::Zero(d)), sign);
    return hn::IfThenElse(hn::Gt(magnitude, hn::Set(d, infinity)), x, number);
  }
};

/// Out of line, because several types share the code.
template <int kPattern, class Fn>
static HWY_NOINLINE lw_status Compute(const Setup* setup, const void* const* in,
                                      void* out, size_t n, Fn fn) noexcept {
  return UnaryBy<kPattern>(fn, {setup, in, out, n, nullptr});
}
template <int kPattern, class Fn, typename Fn::T... kValues>
HWY_INLINE lw_status Sign(const Job& job) {
  return Compute<kPattern>(job.setup, job.in, job.out, job.n, Fn{kValues...});
}
template <class Fn, typename Fn::T... kValues>
constexpr PatternKernel kSigns[] = {
    {LW_SAME, Kernel<Sign<LW_SAME, Fn, kValues...>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<Sign<any, Fn, kValues...>>; })};

constexpr KernelEntry kKernels[] = {
    {9, LW_FLOAT16, kSigns<SignOfFloat<int16_t>, 0x3C00, 0x7C00>},
    {9, LW_FLOAT32, kSigns<SignOfFloat<int32_t>, 0x3F800000, 0x7F800000>},
    {9, LW_FLOAT64,
     kSigns<SignOfFloat<int64_t>, int64_t{0x3FF} << 52, int64_t{0x7FF} << 52>},
    {9, LW_INT8, kSigns<SignOfInteger<int8_t>, -1>},
    {9, LW_INT16, kSigns<SignOfInteger<int16_t>, -1>},
    {9, LW_INT32, kSigns<SignOfInteger<int32_t>, -1>},
    {9, LW_INT64, kSigns<SignOfInteger<int64_t>, -1>},
    {9, LW_UINT8, kSigns<SignOfInteger<int8_t>, 1>},
    {9, LW_UINT16, kSigns<SignOfInteger<int16_t>, 1>},
    {9, LW_UINT32, kSigns<SignOfInteger<int32_t>, 1>},
    {9, LW_UINT64, kSigns<SignOfInteger<int64_t>, 1>},
    {13, LW_BFLOAT16, kSigns<SignOfFloat<int16_t>, 0x3F80, 0x7F80>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_sign
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_sign {
namespace {

constexpr int kVersions[] = {9, 13};
constexpr Form kForms[] = {{9, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Sign",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_sign),
    .exact = true,
};

}  // namespace lanewise::op_sign
#endif  // HWY_ONCE
