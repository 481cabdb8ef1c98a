// SPDX-License-Identifier: Apache-2.0
//
// Relu: y = x < 0 ? +0 : x
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16),
// 14 (+ int8, int16, int32, int64).
// Exact. NaN and -0.0 pass through unchanged, payload and sign included;
// -inf gives +0. Subnormal numbers count as what they are, whatever FTZ and
// DAZ say, and no floating-point exception is ever raised: floats are compared
// as integers, or where that comes to the same.

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/piecewise/relu.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/quiet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_relu {
namespace {

// Integers, and on x86 also floats: its maximum is the second operand if either
// is a NaN or both are zeros.
template <typename TLane>
struct MaxRelu {
  using T = TLane;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Max(hn::Zero(d), x);
  }
};

#if HWY_TARGET_IS_NEON || HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3
// These targets have no int64 maximum instruction.
struct ReluI64 : MaxRelu<int64_t> {
  template <class D, class V>
  HWY_INLINE V operator()(D /*d*/, V x) const {
    return hn::AndNot(hn::BroadcastSignBit(x), x);
  }
};
#else
using ReluI64 = MaxRelu<int64_t>;
#endif

// On the bits of a float as a signed integer. The numbers below zero run from
// -denorm_min = MIN + 1 up to -inf, with -0 = MIN before and the NaNs behind;
// less 1, -0 wraps round to MAX and one comparison tells them from the rest.
template <typename TBits, TBits kMinusInfinity>
struct FloatRelu {
  using T = TBits;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    KeepInRegister(x);
    const auto below_zero =
        hn::Lt(hn::Sub(x, hn::Set(d, T{1})), hn::Set(d, kMinusInfinity));
    return hn::IfThenZeroElse(below_zero, x);
  }
};
using ReluF16 = FloatRelu<int16_t, INT16_C(-0x0400)>;
using ReluBF16 = FloatRelu<int16_t, INT16_C(-0x0080)>;
using ReluF32 = FloatRelu<int32_t, INT32_C(-0x00800000)>;
using ReluF64 = FloatRelu<int64_t, INT64_C(-0x0010000000000000)>;

// Where subnormals count, the maximum is one operation in place of three.
#if LANEWISE_QUIET
template <typename TFloat>
struct QuietRelu : MaxRelu<TFloat> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return quiet::Max(hn::Zero(d), x);
  }
};
template <typename TFloat, class ByBits>
HWY_INLINE lw_status ComputeFloats(const Job& job) {
  if (HWY_LIKELY(quiet::SubnormalsCount())) {
    return RunJob(Unary<QuietRelu<TFloat>>, job);
  }
  return RunJob(Unary<ByBits>, job);
}
template <typename TFloat, class ByBits>
constexpr KernelFn FloatKernel = Kernel<ComputeFloats<TFloat, ByBits>>;
#else
template <typename TFloat, class ByBits>
constexpr KernelFn FloatKernel = Unary<ByBits>;
#endif

/// kSame takes contiguous rows, and Fn rows of every second element.
template <class Fn, KernelFn kSame = Unary<Fn>>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, kSame},
    Strided<sizeof(typename Fn::T) >= 4 || kAllReadStrided>(
        [](auto any) { return Unary<Fn, any>; })};

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kPatterns<ReluF16>},
    {1, LW_FLOAT32, kPatterns<ReluF32, FloatKernel<float, ReluF32>>},
    {1, LW_FLOAT64, kPatterns<ReluF64, FloatKernel<double, ReluF64>>},
    {13, LW_BFLOAT16, kPatterns<ReluBF16>},
    {14, LW_INT8, kPatterns<MaxRelu<int8_t>>},
    {14, LW_INT16, kPatterns<MaxRelu<int16_t>>},
    {14, LW_INT32, kPatterns<MaxRelu<int32_t>>},
    {14, LW_INT64, kPatterns<ReluI64>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_relu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_relu {
namespace {

constexpr int kVersions[] = {1, 6, 13, 14};

}  // namespace

extern const Operator kOperator = {
    .name = "Relu",
    .versions = kVersions,
    .forms = kUnaryFormsX,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_relu),
    .exact = true,
};

}  // namespace lanewise::op_relu
#endif  // HWY_ONCE
