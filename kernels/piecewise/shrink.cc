// SPDX-License-Identifier: Apache-2.0
//
// Shrink: y = x < -lambd ? x + bias : x > lambd ? x - bias : 0
//
// Version 9 (float16, float32, float64, all eight integers).
// The attributes bias (default 0) and lambd (default 0.5) are rounded to the
// element type first, if that is a float; sums are correctly rounded. NaN gives
// 0. For integers the comparisons are exact, and so is the sum, whose fraction
// is then cut off; a number that the type cannot hold becomes the nearest one
// that the type can hold, and NaN becomes 0, as in Cast.
//
// ONNX's reference computes integers as float64, which gives the same where the
// sum is a float64: with any integer of up to 32 bits, unless |bias| is below
// 2^-21 but not 0. Other integers of 64 bits lose their low bits there.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/piecewise/shrink.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/round16.h"

#ifndef LANEWISE_KERNELS_SHRINK_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_SHRINK_PARAMS_
namespace lanewise {
/// The attributes, rounded to each type.
struct ShrinkParams {
  struct Pair {
    float lambd;
    float bias;
  };
  Pair wide;
  Pair float16;
};

/// What the integers of a type are compared with and moved by.
template <typename T>
struct ShrinkSteps {
  T first_zero;  ///< x gives 0 from here
  T last_zero;   ///< to there; less than the first one: nothing does
  T pivot;       ///< from here on, x is above
  T distance;    ///< |bias| without its fraction, as unsigned bits
  T fraction;    ///< -1 if there is a fraction, else 0
  T exchanged;   ///< 0: what is above moves down; -1: up
};

/// The number nearest to `value`, which has no fraction, among those of T.
template <typename T>
static T Saturate(double value) {
  using Limits = std::numeric_limits<T>;
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  // The bound may be MAX + 1, as a double.
  if (value >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<T>(value);
}

template <typename T>
static ShrinkSteps<T> ShrinkStepsOf(double lambd, double bias) {
  using TU = std::make_unsigned_t<T>;
  using Limits = std::numeric_limits<T>;
  ShrinkSteps<T> steps = {Limits::min(), Limits::max(), 0, 0, 0, 0};
  if (lambd != lambd || bias != bias) return steps;  // all results are 0
  if (lambd >= 0) {
    steps.first_zero = Saturate<T>(std::ceil(-lambd));
    steps.last_zero = Saturate<T>(std::floor(lambd));
  } else {
    steps.first_zero = 1;
    steps.last_zero = 0;
    steps.pivot = Saturate<T>(std::ceil(-lambd));
    if (-lambd > static_cast<double>(Limits::max())) {
      // All numbers are below: the same as above, with the opposite bias.
      steps.pivot = Limits::min();
      bias = -bias;
    }
  }
  const double size = std::fabs(bias);
  const double whole = std::floor(size);
  steps.distance = static_cast<T>(Saturate<TU>(whole));
  steps.fraction = size != whole ? static_cast<T>(-1) : T{0};
  steps.exchanged = bias < 0 ? static_cast<T>(-1) : T{0};
  return steps;
}
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_SHRINK_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_shrink {
namespace {

template <typename TFloat>
struct ShrinkFloats {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  T lambd;
  T bias;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    KeepInRegister(x);
    const V limit = hn::Set(d, lambd);
    const V step = hn::Set(d, bias);
    const auto below = hn::Lt(x, hn::Neg(limit));
    const auto above = hn::Gt(x, limit);
    // One sum, and none that overflows in a lane that moves the other way.
    const V by =
        hn::IfThenElse(below, step, hn::IfThenElseZero(above, hn::Neg(step)));
    return hn::IfThenElseZero(hn::Or(below, above), hn::Add(x, by));
  }
};

template <typename TInt>
struct ShrinkIntegers {
  using T = TInt;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  ShrinkSteps<T> steps;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    using TU = hwy::MakeUnsigned<T>;
    using Limits = std::numeric_limits<T>;
    const auto distance = static_cast<TU>(steps.distance);
    const auto most = static_cast<T>(static_cast<TU>(Limits::max()) - distance);
    const auto least =
        static_cast<T>(static_cast<TU>(Limits::min()) + distance);
    const V by = hn::Set(d, steps.distance);
    const V fraction = hn::Set(d, steps.fraction);
    const V zero = hn::Zero(d);
    // Without a fraction, and then one nearer to 0.
    V up = hn::Add(hn::Min(x, hn::Set(d, most)), by);
    V down = hn::Sub(hn::Max(x, hn::Set(d, least)), by);
    if constexpr (std::is_signed_v<T>) {
      up = hn::Sub(up, MaskOf(d, hn::Lt(up, zero), fraction));
    }
    down = hn::Add(down, MaskOf(d, hn::Gt(down, zero), fraction));
    const V is_below = hn::VecFromMask(d, hn::Lt(x, hn::Set(d, steps.pivot)));
    const V moves_up = hn::Xor(is_below, hn::Set(d, steps.exchanged));
    const auto is_zero = hn::And(hn::Ge(x, hn::Set(d, steps.first_zero)),
                                 hn::Le(x, hn::Set(d, steps.last_zero)));
    return hn::IfThenZeroElse(is_zero, hn::IfVecThenElse(moves_up, up, down));
  }

 private:
  /// -1 where the mask is set and `fraction` is -1.
  template <class D, class M, class V>
  static HWY_INLINE V MaskOf(D d, M mask, V fraction) {
    return hn::And(hn::VecFromMask(d, mask), fraction);
  }
};

const ShrinkParams& ParamsOf(const Job& job) {
  return *static_cast<const ShrinkParams*>(job.setup->params);
}

template <class Fn, auto kPair, int kPattern>
HWY_INLINE lw_status Floats(const Job& job) {
  const ShrinkParams::Pair& pair = ParamsOf(job).*kPair;
  return UnaryBy<kPattern>(Fn{pair.lambd, pair.bias}, job);
}
template <typename T>
HWY_INLINE lw_status Integers(const Job& job) {
  const ShrinkParams::Pair& pair = ParamsOf(job).wide;
  return UnaryBy(ShrinkIntegers<T>{ShrinkStepsOf<T>(pair.lambd, pair.bias)},
                 job);
}

template <class Fn, auto kPair>
constexpr PatternKernel kFloats[] = {
    {LW_SAME, Kernel<Floats<Fn, kPair, LW_SAME>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<Floats<Fn, kPair, any>>; })};
template <typename T>
constexpr auto& kIntegers = kOnlySame<Kernel<Integers<T>>>;
using F16 = InFloat16<ShrinkFloats<float>>;

constexpr KernelEntry kKernels[] = {
    {9, LW_FLOAT16, kFloats<F16, &ShrinkParams::float16>},
    {9, LW_FLOAT32, kFloats<ShrinkFloats<float>, &ShrinkParams::wide>},
    {9, LW_FLOAT64, kFloats<ShrinkFloats<double>, &ShrinkParams::wide>},
    {9, LW_INT8, kIntegers<int8_t>},
    {9, LW_INT16, kIntegers<int16_t>},
    {9, LW_INT32, kIntegers<int32_t>},
    {9, LW_INT64, kIntegers<int64_t>},
    {9, LW_UINT8, kIntegers<uint8_t>},
    {9, LW_UINT16, kIntegers<uint16_t>},
    {9, LW_UINT32, kIntegers<uint32_t>},
    {9, LW_UINT64, kIntegers<uint64_t>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_shrink
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_shrink {
namespace {

constexpr int kVersions[] = {9};

constexpr AttributeInfo kAttributes[] = {
    {"bias", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 0.0},
    {"lambd", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 0.5}};
constexpr Form kForms[] = {{9, kInputLowercase, ShapeRule::kSame, kAttributes}};

}  // namespace

extern const Operator kOperator = {
    .name = "Shrink",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_shrink),
    .exact = true,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          const float bias = *attributes.Float("bias");
          float lambd = *attributes.Float("lambd");
          // No number is outside of NaN, or of infinity. A comparison with a
          // NaN could raise a flag in lanes that nobody uses.
          if (lambd != lambd) lambd = std::numeric_limits<float>::infinity();
          params->As<ShrinkParams>() = {
              {lambd, bias}, {RoundToFloat16(lambd), RoundToFloat16(bias)}};
        },
};

}  // namespace lanewise::op_shrink
#endif  // HWY_ONCE
