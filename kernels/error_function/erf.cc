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
#include "kernels/exact32-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/pieces-inl.h"
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

/// By pieces, which begin where 1.375 |x| + 1.75 is 1.75, 2, 2.5, 3, 3.5, 4, 5,
/// and 6. They were fitted as the coefficients of erf-inl.h, within 2.3 ULP,
/// the last one such that it ends at 1.
struct FastErf : FastFloats {
  static constexpr float kMost = 3.8125f;  // 1 is right from there on
  static constexpr Pieces<7> kPieces{
      {{0x1.745d18p-2f, 0x1.745d18p-1f, 0x1.1745d2p0f, 0x1.745d18p0f, 0x1p1f,
        0x1.5d1746p1f, 0x1.ba2e8cp1f, 0x0p0f},
       {0x1.925c14p-2f, 0x1.6480acp-1f, 0x1.c11548p-1f, 0x1.ebaebap-1f,
        0x1.fd9ae2p-1f, 0x1.fff0fp-1f, 0x1.ffffdep-1f, 0x0p0f},
       {0x1.fa2bf8p-1f, 0x1.546b9cp-1f, 0x1.5f7c8cp-2f, 0x1.1693fep-3f,
        0x1.5296a2p-6f, 0x1.5c43a4p-11f, 0x1.f71b0ap-18f, 0x1.20dd74p0f},
       {-0x1.7018c6p-2f, -0x1.ef228ep-2f, -0x1.7f730ap-2f, -0x1.9539e4p-3f,
        -0x1.52a832p-5f, -0x1.d653fcp-10f, -0x1.a2de6cp-16f, 0x1.6bc738p-18f},
       {-0x1.f09b0ep-3f, 0x1.a432f8p-7f, 0x1.43647ap-3f, 0x1.2c1388p-3f,
        0x1.8b90fp-5f, 0x1.90d68ap-9f, 0x1.cfc382p-15f, -0x1.814b0cp-2f},
       {0x1.4adbe2p-3f, 0x1.3d59e4p-3f, 0x1.4272e8p-5f, -0x1.44b704p-5f,
        -0x1.192282p-5f, -0x1.01a544p-8f, -0x1.baa6e4p-14f, 0x1.63d3d6p-10f},
       {0x1.a379aep-5f, -0x1.9069c4p-5f, -0x1.04dfc8p-4f, -0x1.512018p-6f,
        0x1.90a152p-7f, 0x1.9df7fep-9f, 0x1.0794f2p-13f, 0x1.b96e2cp-4f}}};

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    // x86 takes the second operand if any is NaN.
    const V a = hn::Min(hn::Set(d, kMost), hn::Abs(x));
    const V place = hn::MulAdd(a, hn::Set(d, 1.375f), hn::Set(d, 1.75f));
    return hn::CopySign(ByPiece<21>(d, a, place, kPieces), x);
  }
};

struct ErfOfHeldFloats {
  static constexpr double kError = 0x1p-51;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ErfOutOfLine(d, x);
  }
};
using ExactErf = ExactFloats<kHardErf, ErfOf<double>, ErfOfHeldFloats>;
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
    {9, LW_FLOAT32, kUnaryInDefaultEnv<PiecesOr<FastErf, ErfOf<float>>>,
     Way::kFast},
    {9, LW_FLOAT64, kUnaryInDefaultEnv<ErfOf<double>>},
    {13, LW_BFLOAT16, kUnaryInDefaultEnv<BF16>},
    {9, LW_FLOAT16, kUnaryInDefaultEnv<F16>, Way::kExact},
    {9, LW_FLOAT32, kOnlySame<Unary<ExactErf>>, Way::kExact},
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
