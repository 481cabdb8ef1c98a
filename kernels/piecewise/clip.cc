// SPDX-License-Identifier: Apache-2.0
//
// Clip: y = min(max(x, lower), upper)
//
// Versions 1, 6, 11 (float16, float32, float64), 12 (+ all eight integers),
// 13 (+ bfloat16).
// The bounds are the attributes min and max before version 11, and optional
// inputs of one element from then on. A missing bound does not bind, except in
// version 6, whose document gives them the ends of float32. Exact, by
// comparison and choice as in ONNX's function body: NaN and -0.0 pass through
// unchanged, a NaN bound does not bind, and upper wins where lower > upper.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/piecewise/clip.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/order16-inl.h"
#include "kernels/quiet-inl.h"
#include "kernels/round16.h"

#ifndef LANEWISE_KERNELS_CLIP_PARAMS_  // once for all targets
#define LANEWISE_KERNELS_CLIP_PARAMS_
namespace lanewise {
/// The bounds that are attributes. A bound that is missing or NaN is infinite.
struct ClipParams {
  float lower;
  float upper;
  uint16_t float16[2];  ///< lower and upper, rounded to the format
  uint16_t bfloat16[2];
};
}  // namespace lanewise
#endif  // LANEWISE_KERNELS_CLIP_PARAMS_

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_clip {
namespace {

template <typename TLane>
struct Clamp {
  using T = TLane;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  T lower;
  T upper;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V low = hn::Set(d, lower);
    const V high = hn::Set(d, upper);
    if constexpr (std::is_integral_v<T>) {
      return hn::Min(hn::Max(x, low), high);
    } else {
#if LANEWISE_QUIET
      // Both return their second operand if either is a NaN, or if both are
      // zeros.
      return quiet::Min(high, quiet::Max(low, x));
#else
      const V raised = hn::IfThenElse(hn::Lt(x, low), low, x);
      return hn::IfThenElse(hn::Lt(high, raised), high, raised);
#endif
    }
  }
};

const ClipParams& ParamsOf(const Job& job) {
  return *static_cast<const ClipParams*>(job.setup->params);
}

/// Whether bound `k` (1 or 2) is an input.
bool HasBound(const Job& job, int k) {
  return static_cast<size_t>(k) < job.setup->inputs && job.in[k] != nullptr;
}

/// Bound `k` (1 or 2): the input if there is one, else the attribute, else a
/// bound that never binds.
template <typename T>
T Bound(const Job& job, int k) {
  using Limits = std::numeric_limits<T>;
  constexpr bool kIsFloat = std::is_floating_point_v<T>;
  constexpr T kLeast = kIsFloat ? -Limits::infinity() : Limits::min();
  constexpr T kMost = kIsFloat ? Limits::infinity() : Limits::max();
  if (HasBound(job, k)) {
    const T bound = *static_cast<const T*>(job.in[k]);
    // On AVX-512, Clamp ignores a NaN bound. Elsewhere, a comparison with NaN
    // could raise a flag.
    if (LANEWISE_QUIET || bound == bound) return bound;
  } else if constexpr (kIsFloat) {  // integers never have the attribute
    return k == 1 ? ParamsOf(job).lower : ParamsOf(job).upper;
  }
  return k == 1 ? kLeast : kMost;
}

/// 16-bit floats are compared as integers, which keeps every bit of a NaN.
template <int16_t kInfinity>
struct Clamp16 {
  using T = int16_t;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;
  T lower;
  T upper;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V low = hn::Set(d, lower);
    const V high = hn::Set(d, upper);
    const V order = OrderOf16(d, x);
    const V low_order = OrderOf16(d, low);
    const V raised = hn::IfThenElse(hn::Lt(order, low_order), low, x);
    const auto above = hn::Lt(OrderOf16(d, high), hn::Max(order, low_order));
    const V clamped = hn::IfThenElse(above, high, raised);
    return hn::IfThenElse(AreNumbers16<kInfinity>(d, x, x), clamped, x);
  }
};

/// Bound `k` of a 16-bit float: the input if there is one, else the attribute.
template <int16_t kInfinity>
int16_t Bound16(const Job& job, int k, const uint16_t (&attributes)[2]) {
  const void* bound = HasBound(job, k) ? job.in[k] : &attributes[k - 1];
  const int16_t bits = *static_cast<const int16_t*>(bound);
  if ((bits & 0x7FFF) <= kInfinity) return bits;
  // A NaN does not bind.
  return k == 1 ? static_cast<int16_t>(kInfinity | INT16_MIN) : kInfinity;
}

template <int16_t kInfinity, uint16_t (ClipParams::*kBounds)[2], int kPattern>
HWY_INLINE lw_status Clip16(const Job& job) {
  const auto& attributes = ParamsOf(job).*kBounds;
  return UnaryBy<kPattern>(
      Clamp16<kInfinity>{Bound16<kInfinity>(job, 1, attributes),
                         Bound16<kInfinity>(job, 2, attributes)},
      job);
}

template <typename T, int kPattern>
HWY_INLINE lw_status Clip(const Job& job) {
  return UnaryBy<kPattern>(Clamp<T>{Bound<T>(job, 1), Bound<T>(job, 2)}, job);
}

template <int16_t kInfinity, uint16_t (ClipParams::*kBounds)[2]>
constexpr PatternKernel kPatterns16[] = {
    {LW_SAME, Kernel<Clip16<kInfinity, kBounds, LW_SAME>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<Clip16<kInfinity, kBounds, any>>; })};
template <typename T>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, Kernel<Clip<T, LW_SAME>>},
    Strided<kAllReadStrided>([](auto any) { return Kernel<Clip<T, any>>; })};

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kPatterns16<0x7C00, &ClipParams::float16>},
    {1, LW_FLOAT32, kPatterns<float>},
    {1, LW_FLOAT64, kPatterns<double>},
    {12, LW_INT8, kPatterns<int8_t>},
    {12, LW_INT16, kPatterns<int16_t>},
    {12, LW_INT32, kPatterns<int32_t>},
    {12, LW_INT64, kPatterns<int64_t>},
    {12, LW_UINT8, kPatterns<uint8_t>},
    {12, LW_UINT16, kPatterns<uint16_t>},
    {12, LW_UINT32, kPatterns<uint32_t>},
    {12, LW_UINT64, kPatterns<uint64_t>},
    {13, LW_BFLOAT16, kPatterns16<0x7F80, &ClipParams::bfloat16>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_clip
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_clip {
namespace {

constexpr int kVersions[] = {1, 6, 11, 12, 13};

constexpr double kLargest = std::numeric_limits<float>::max();
constexpr AttributeInfo kBounds1[] = {
    {"min", LW_ATTRIBUTE_FLOAT}, {"max", LW_ATTRIBUTE_FLOAT}, kConsumedInputs};
constexpr AttributeInfo kBounds6[] = {
    {"min", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, -kLargest},
    {"max", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, kLargest}};
constexpr OperandInfo kInputAndBounds[] = {
    {"input"}, {"min", Role::kScalar, true}, {"max", Role::kScalar, true}};
constexpr Form kForms[] = {{1, kInputLowercase, ShapeRule::kSame, kBounds1},
                           {6, kInputLowercase, ShapeRule::kSame, kBounds6},
                           {11, kInputAndBounds, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Clip",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_clip),
    .exact = true,
    .prepare =
        [](const AttributeValues& attributes, Params* params) {
          const auto bound = [&](const char* name, float none) {
            const float value = attributes.Float(name).value_or(none);
            return value == value ? value : none;
          };
          constexpr float kInf = std::numeric_limits<float>::infinity();
          const float lower = bound("min", -kInf);
          const float upper = bound("max", kInf);
          params->As<ClipParams>() = {
              lower,
              upper,
              {Float16Bits(lower), Float16Bits(upper)},
              {BFloat16Bits(lower), BFloat16Bits(upper)}};
        },
};

}  // namespace lanewise::op_clip
#endif  // HWY_ONCE
