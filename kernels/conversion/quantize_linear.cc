// SPDX-License-Identifier: Apache-2.0
//
// QuantizeLinear: y = saturate(round(x / y_scale) + y_zero_point)
//
// Versions 10, 13 (x: float32, int32; y: int8, uint8), 19 (x: + float16,
// bfloat16; y: + four float8), 21 (y: + int16, uint16, int4, uint4), 23
// (y: + float4e2m1), 24 (y_scale: + float8e8m0), 25, 28 (y: + int2, uint2).
// From 13 on, a scale for each index of a dim; from 21 on, for each block.
//
// The quotient is a division in the type of y_scale, or that of the attribute
// `precision`, to which x and the scale are rounded first. If the scale is an
// integer, the division is one of doubles; if it is a float8e8m0, one of
// float32, or of doubles for integers. Integers: the quotient is rounded to
// even, and NaN gives 0, whatever the zero point is. Floats: the zero point, if
// there is one, is added, and the sum rounded as Cast rounds. Always to
// nearest, whatever the caller's rounding mode, FTZ and DAZ.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conversion/quantize_linear.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/conversion/aligned-inl.h"
#include "kernels/conversion/aligned_forms.h"
#include "kernels/conversion/narrow_params.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_quantize_linear {
namespace {

/// A quotient, rounded to a whole number, plus the zero point; or a part of
/// that.
template <typename TLane, bool kDivides, bool kRounds, bool kShifts>
struct Quantize {
  using T = TLane;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V scale, V zero) const {
    if constexpr (kDivides) x = hn::Div(x, scale);
    if constexpr (kRounds) x = hn::Round(x);
    if constexpr (kShifts) x = hn::Add(x, zero);
    // The sign of 0 / 0 depends on the CPU.
    return hn::IfThenElse(hn::Eq(x, x), x, hn::NaN(d));
  }
};

/// From float32 to integers of up to 16 bits.
template <typename TOut>
struct QuantizeSmall : Conversion<float, TOut> {
  static constexpr int kPadding = 1;

  template <class D, class V>
  HWY_INLINE hn::VFromD<D> operator()(D d, V x, V scale, V zero) const {
    const V shifted = hn::Add(hn::Round(hn::Div(x, scale)), zero);
    return FloatToInteger<float, TOut>()(d, shifted);
  }
};
template <lw_type kTo>
struct ToSmall {
  static constexpr OnePass kOnePass =
      OnePassOf<QuantizeSmall<Lane<kTo>>, float, float, float>(
          Convert<kTo, LW_FLOAT32>());
};

/// nullptr where the elements need tiles.
const OnePass* OnePassFor(const Alignment& map, int32_t precision) {
  if (precision != LW_FLOAT32 || map.types[0] != LW_FLOAT32) return nullptr;
  return OfSmallIntegers<ToSmall>(map.to);
}

/// From float32 to the output's type.
KernelFn ToOutput(int32_t type) {
  switch (type) {
    case LW_INT8:
      return Convert<LW_FLOAT32, LW_INT8>();
    case LW_INT16:
      return Convert<LW_FLOAT32, LW_INT16>();
    case LW_UINT16:
      return Convert<LW_FLOAT32, LW_UINT16>();
    case LW_FLOAT8E4M3FN:
      return Convert<LW_FLOAT32, LW_FLOAT8E4M3FN>();
    case LW_FLOAT8E4M3FNUZ:
      return Convert<LW_FLOAT32, LW_FLOAT8E4M3FNUZ>();
    case LW_FLOAT8E5M2:
      return Convert<LW_FLOAT32, LW_FLOAT8E5M2>();
    case LW_FLOAT8E5M2FNUZ:
      return Convert<LW_FLOAT32, LW_FLOAT8E5M2FNUZ>();
    case LW_UINT4:
      return Convert<LW_FLOAT32, LW_UINT4>();
    case LW_INT4:
      return Convert<LW_FLOAT32, LW_INT4>();
    case LW_FLOAT4E2M1:
      return Convert<LW_FLOAT32, LW_FLOAT4E2M1>();
    case LW_UINT2:
      return Convert<LW_FLOAT32, LW_UINT2>();
    case LW_INT2:
      return Convert<LW_FLOAT32, LW_INT2>();
    default:
      return Convert<LW_FLOAT32, LW_UINT8>();
  }
}

/// The type of the division.
int32_t PrecisionOf(const Alignment& map, int32_t attribute) {
  if (attribute != LW_ABSENT) return attribute;
  const int32_t x = map.types[0], scale = map.types[1];
  if (scale == LW_INT32) return LW_FLOAT64;
  if (scale != LW_FLOAT8E8M0) return scale;
  return x == LW_INT32 ? LW_FLOAT64 : LW_FLOAT32;
}

/// Zero points as lanes; without one, what changes nothing.
template <typename T>
void LoadZeros(const TileRun& run, const char* raw, size_t n, T* to) {
  const int32_t type = run.map().to;
  if (run.has_zero()) {
    run.ToLanes<T>(FloatFromQuantized<true>(type), type, raw, to, n);
  } else {
    std::fill_n(to, n, T{-0.0});
  }
}

/// In the lanes of float32: by way of 16-bit floats where these are the
/// precision.
template <lw_type kPrecision>
void ToPrecision(const TileRun& run, int32_t type, const void* in, char* out,
                 size_t n) {
  if constexpr (Is16BitFloat(kPrecision)) {
    Tile rounded;
    run.Apply(FromWide<kPrecision>(type), in, rounded.bytes, n);
    run.Apply(Convert<kPrecision, LW_FLOAT32>(), rounded.bytes, out, n);
  } else {
    using T = Lane<kPrecision>;
    run.ToLanes<T>(FromWide<LW_FLOAT32>(type), type, in, out, n);
  }
}

template <lw_type kPrecision>
lw_status QuantizeIn(const Job& job) {
  constexpr bool kIs16 = Is16BitFloat(kPrecision);
  using T = hwy::If<kPrecision == LW_FLOAT64, double, float>;
  TileRun run(job, sizeof(T));
  const Alignment& map = run.map();
  const bool is_float = IsNarrowFloat(static_cast<lw_type>(map.to));
  const KernelFn to_output = ToOutput(map.to);
  Tile scale, zero, x, result;
  const auto load = [&](int k, const char* raw, size_t n) {
    if (k == 0) {
      ToPrecision<kPrecision>(run, map.types[1], raw, scale.bytes, n);
    } else {
      LoadZeros(run, raw, n, reinterpret_cast<T*>(zero.bytes));
    }
  };
  run.ForEachTile(load, [&](const char* in, char* out, size_t n, bool one) {
    const char* from = in;
    if (kPrecision != LW_FLOAT32 || map.types[0] != LW_FLOAT32) {
      ToPrecision<kPrecision>(run, map.types[0], in, x.bytes, n);
      from = x.bytes;
    }
    const auto apply = [&](KernelFn fn) {
      run.Apply3(fn, from, scale.bytes, zero.bytes, result.bytes, n);
      from = result.bytes;
    };
    if constexpr (kIs16) {
      apply(OfThree<Quantize<T, true, false, false>>(one));
      ToPrecision<kPrecision>(run, LW_FLOAT32, from, x.bytes, n);
      from = x.bytes;
    }
    apply(is_float ? OfThree<Quantize<T, !kIs16, false, true>>(one)
                   : OfThree<Quantize<T, !kIs16, true, true>>(one));
    if constexpr (kPrecision == LW_FLOAT64) {
      run.Apply(Direct<DoubleToOddFloat>(), from, x.bytes, n);
      from = x.bytes;
    }
    run.Apply(to_output, from, out, n);
  });
  return LW_OK;
}

HWY_INLINE lw_status QuantizeRows(const Job& job) {
  const FpEnv env(FpEnv::Default());
  const auto& params = *static_cast<const QuantizeParams*>(job.setup->params);
  const Alignment& map = *job.setup->alignment;
  const int32_t precision = PrecisionOf(map, params.precision);
  if (const OnePass* kernels = OnePassFor(map, precision)) {
    return RunOnePass(job, *kernels, -0.0F);
  }
  switch (precision) {
    case LW_FLOAT16:
      return RunJob(Kernel<QuantizeIn<LW_FLOAT16>>, job);
    case LW_BFLOAT16:
      return RunJob(Kernel<QuantizeIn<LW_BFLOAT16>>, job);
    case LW_FLOAT64:
      return RunJob(Kernel<QuantizeIn<LW_FLOAT64>>, job);
    default:
      return RunJob(Kernel<QuantizeIn<LW_FLOAT32>>, job);
  }
}

constexpr auto& kAll = kOnlySame<Kernel<QuantizeRows>>;
constexpr KernelEntry Pair(int since, lw_type x, lw_type scale) {
  return {.since = since, .type = x, .kernels = kAll, .second = scale};
}
constexpr KernelEntry kKernels[] = {
    Pair(10, LW_FLOAT32, LW_FLOAT32),
    {.since = 10,
     .type = LW_INT32,
     .kernels = kAll,
     .until = 18,
     .second = LW_FLOAT32},
    Pair(19, LW_FLOAT16, LW_FLOAT16),
    Pair(19, LW_BFLOAT16, LW_BFLOAT16),
    Pair(19, LW_INT32, LW_INT32),
    Pair(23, LW_FLOAT32, LW_FLOAT16),
    Pair(23, LW_FLOAT32, LW_BFLOAT16),
    Pair(23, LW_FLOAT32, LW_INT32),
    Pair(23, LW_FLOAT16, LW_FLOAT32),
    Pair(23, LW_FLOAT16, LW_BFLOAT16),
    Pair(23, LW_FLOAT16, LW_INT32),
    Pair(23, LW_BFLOAT16, LW_FLOAT32),
    Pair(23, LW_BFLOAT16, LW_FLOAT16),
    Pair(23, LW_BFLOAT16, LW_INT32),
    Pair(23, LW_INT32, LW_FLOAT32),
    Pair(23, LW_INT32, LW_FLOAT16),
    Pair(23, LW_INT32, LW_BFLOAT16),
    Pair(24, LW_FLOAT32, LW_FLOAT8E8M0),
    Pair(24, LW_FLOAT16, LW_FLOAT8E8M0),
    Pair(24, LW_BFLOAT16, LW_FLOAT8E8M0),
    Pair(24, LW_INT32, LW_FLOAT8E8M0),
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_quantize_linear
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_quantize_linear {
namespace {

constexpr int kVersions[] = {10, 13, 19, 21, 23, 24, 25, 28};
constexpr ListedType kOutputs[] = {
    {LW_INT8, 10},           {LW_UINT8, 10},      {LW_FLOAT8E4M3FN, 19},
    {LW_FLOAT8E4M3FNUZ, 19}, {LW_FLOAT8E5M2, 19}, {LW_FLOAT8E5M2FNUZ, 19},
    {LW_INT16, 21},          {LW_UINT16, 21},     {LW_INT4, 21},
    {LW_UINT4, 21},          {LW_FLOAT4E2M1, 23}, {LW_INT2, 25},
    {LW_UINT2, 25}};

template <bool kOwnScale>
constexpr OperandInfo kInputs[] = {
    {"x", Role::kElements, false, "T1"},
    {"y_scale", Role::kAligned, false, kOwnScale ? "T2" : "T1", LW_ABSENT,
     false, true},
    {"y_zero_point", Role::kAligned, true, kOwnScale ? "T3" : "T2", LW_ABSENT,
     true}};
constexpr OperandInfo kInputs10[] = {
    kInputs<false>[0],
    {
      "y_scale", Role::kAligned, false, "tensor(float)", LW_ABSENT, false, true
    },
    kInputs<false>[2]};
constexpr AttributeInfo kAttributes[] = {
    kAxis, kSaturate, kBlockSize, kOutputType, {"precision", LW_ATTRIBUTE_INT}};
constexpr std::span<const AttributeInfo> FirstAttributes(size_t count) {
  return {kAttributes, count};
}
constexpr Form kForms[] = {
    {10, kInputs10, ShapeRule::kAligned},
    {13, kInputs10, ShapeRule::kAligned, FirstAttributes(1)},
    {19, kInputs<false>, ShapeRule::kAligned, FirstAttributes(2)},
    {21, kInputs<false>, ShapeRule::kAligned, FirstAttributes(4)},
    {23, kInputs<true>, ShapeRule::kAligned, FirstAttributes(5)}};

const char* Refuses(const AttributeValues& attributes) {
  if (const char* reason = RefusesBlock(attributes)) return reason;
  switch (attributes.Int("precision").value_or(0)) {
    case LW_ABSENT:
    case LW_FLOAT32:
    case LW_FLOAT16:
    case LW_BFLOAT16:
    case LW_FLOAT64:
      return nullptr;
    default:
      return "attribute \"precision\" is none of float32, float16, bfloat16 "
             "and float64";
  }
}
void Prepare(const AttributeValues& attributes, Params* params) {
  PrepareNarrow(attributes, params);
  params->As<QuantizeParams>().precision =
      static_cast<int32_t>(attributes.Int("precision").value_or(0));
}

}  // namespace

extern const Operator kOperator = {
    .name = "QuantizeLinear",
    .versions = kVersions,
    .forms = kForms,
    .output = {"y", Role::kElements, false, "T3", LW_ABSENT, true},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_quantize_linear),
    .exact = true,
    .prepare = Prepare,
    .outputs = kOutputs,
    .refuses = Refuses,
};

}  // namespace lanewise::op_quantize_linear
#endif  // HWY_ONCE
