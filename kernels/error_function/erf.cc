// SPDX-License-Identifier: Apache-2.0
//
// Erf: y = erf(x), the error function
//
// Versions 9 (float16, float32, float64 and all integers), 13 (no integers, +
// bfloat16). Below 1 ULP in float32 and float64, correctly rounded in float16
// and bfloat16. NaN -> NaN, +-inf -> +-1; a zero keeps its sign. Results for
// integers are those for float32, truncated: 0, 1 or -1. How: erf-inl.h.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/error_function/erf.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/error_function/erf-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_erf {
namespace {

template <typename TLane>
struct ErfOf {
  using T = TLane;
  static constexpr size_t kUnroll = 1;  // long
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (sizeof(T) == 8) return ErfOutOfLine(d, x);
    return Erf(d, x);
  }
};
struct ErfOfF16 : ErfOf<float> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ErfForF16(d, x);
  }
};

/// From 4 on, erf(x) rounded to float is 1.
template <typename TLane>
struct ErfOfIntegers {
  using T = TLane;
  static constexpr size_t kUnroll = 1;  // rare: small code
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V above = hn::IfThenElseZero(hn::Gt(x, hn::Set(d, 3)), hn::Set(d, 1));
    if constexpr (std::is_signed_v<T>) {
      const auto below = hn::Lt(x, hn::Set(d, -3));
      return hn::Or(above, hn::VecFromMask(d, below));  // -1 in its lanes
    } else {
      return above;
    }
  }
};

using F16 = InFloat16<ErfOfF16>;
using BF16 = In16Bits<BFloat16, ErfOf<float>>;

template <typename T>
constexpr KernelEntry Integers(lw_type type) {
  return {.since = 9,
          .type = type,
          .kernels = kOnlySame<Unary<ErfOfIntegers<T>>>,
          .until = 12};
}

// The polynomials need rounding to nearest, and unused lanes would raise flags.
constexpr KernelEntry kKernels[] = {
    {9, LW_FLOAT16, kUnaryInDefaultEnv<F16>},
    {9, LW_FLOAT32, kUnaryInDefaultEnv<ErfOf<float>>},
    {9, LW_FLOAT64, kUnaryInDefaultEnv<ErfOf<double>>},
    {13, LW_BFLOAT16, kUnaryInDefaultEnv<BF16>},
    {9, LW_FLOAT16, kUnaryInDefaultEnv<F16>, Way::kExact},
    {13, LW_BFLOAT16, kUnaryInDefaultEnv<BF16>, Way::kExact},
    Integers<int8_t>(LW_INT8),
    Integers<int16_t>(LW_INT16),
    Integers<int32_t>(LW_INT32),
    Integers<int64_t>(LW_INT64),
    Integers<uint8_t>(LW_UINT8),
    Integers<uint16_t>(LW_UINT16),
    Integers<uint32_t>(LW_UINT32),
    Integers<uint64_t>(LW_UINT64),
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_erf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_erf {
namespace {

constexpr int kVersions[] = {9, 13};
constexpr Form kForms[] = {{9, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Erf",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_erf),
};

}  // namespace lanewise::op_erf
#endif  // HWY_ONCE
