// SPDX-License-Identifier: Apache-2.0
//
// Abs: y = |x|
//
// Versions 1 (float16, float32, float64), 6 (+ all eight integers),
// 13 (+ bfloat16). Exact: the sign bit is cleared, also that of a NaN. The
// lowest integer stays what it is.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/abs.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_abs {
namespace {

/// Unsigned lanes are the bits of floats, signed lanes are integers.
template <typename TLane>
struct Magnitude {
  using T = TLane;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (std::is_signed_v<T>) {
      return hn::Abs(x);
    } else {
      return hn::And(x, hn::Set(d, static_cast<T>(T(-1) >> 1)));
    }
  }
};

struct Keep {
  using T = uint8_t;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D /*d*/, V x) const {
    return x;
  }
};
/// Unsigned integers of any width, which are copied as bytes.
template <typename T>
HWY_INLINE lw_status KeepAll(const Job& job) {
  Job bytes = job;
  bytes.n *= sizeof(T);
  return RunJob(Unary<Keep>, bytes);
}

template <typename T>
constexpr auto& kMagnitude = kUnaryPatterns<Magnitude<T>>;
template <typename T>
constexpr auto& kKeep = kOnlySame<Kernel<KeepAll<T>>>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kMagnitude<uint16_t>},
    {1, LW_FLOAT32, kMagnitude<uint32_t>},
    {1, LW_FLOAT64, kMagnitude<uint64_t>},
    {6, LW_INT8, kMagnitude<int8_t>},
    {6, LW_INT16, kMagnitude<int16_t>},
    {6, LW_INT32, kMagnitude<int32_t>},
    {6, LW_INT64, kMagnitude<int64_t>},
    {6, LW_UINT8, kKeep<uint8_t>},
    {6, LW_UINT16, kKeep<uint16_t>},
    {6, LW_UINT32, kKeep<uint32_t>},
    {6, LW_UINT64, kKeep<uint64_t>},
    {13, LW_BFLOAT16, kMagnitude<uint16_t>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_abs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_abs {
namespace {

constexpr int kVersions[] = {1, 6, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Abs",
    .versions = kVersions,
    .forms = kUnaryFormsX,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_abs),
    .exact = true,
};

}  // namespace lanewise::op_abs
#endif  // HWY_ONCE
