// SPDX-License-Identifier: Apache-2.0
//
// DequantizeLinear: y = (x - x_zero_point) * x_scale
//
// Versions 10, 13 (x: int8, uint8, int32; x_scale and y: float32), 19 (x: +
// four float8; x_scale, y: + float16, bfloat16), 21 (x: + int16, uint16, int4,
// uint4), 23 (x: + float4e2m1; the attribute output_dtype), 24 (x_scale: +
// float8e8m0, with output_dtype only), 25, 28 (x: + int2, uint2). From 13 on, a
// scale for each index of a dim; from 21 on, for each block.
//
// The difference and the product are exact, and the result is rounded once, to
// nearest even, whatever the caller's rounding mode, FTZ and DAZ.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conversion/dequantize_linear.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/conversion/aligned-inl.h"
#include "kernels/conversion/aligned_forms.h"
#include "kernels/exactly-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_dequantize_linear {
namespace {

/// The difference is exact. Products of floats are rounded, or exact if they
/// have few bits; products of doubles are rounded to odd.
template <typename TLane>
struct Dequantize {
  using T = TLane;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V scale, V zero) const {
    const V difference = hn::Sub(x, zero);
    const V product = hn::Mul(difference, scale);
    if constexpr (sizeof(T) == 4) {
      (void)d;
      return product;
    } else {
      return ToOdd(d, product, ProductError(d, difference, scale, product));
    }
  }
};

/// From integers of up to 16 bits to float32.
template <typename TIn>
struct DequantizeSmall : Conversion<TIn, float> {
  template <class D, class V, class VT>
  HWY_INLINE VT operator()(D d, V x, VT scale, VT zero) const {
    return Dequantize<float>()(d, IntegerToFloat<TIn, float>()(d, x), scale,
                               zero);
  }
};
/// From int32 to float32, by way of doubles.
struct DequantizeInt32 : Conversion<int32_t, float> {
  static constexpr size_t kUnroll = 1;

  template <class D, class V, class VT>
  HWY_INLINE VT operator()(D d, V x, VT scale, V zero) const {
    const hn::RepartitionToWide<D> dd;
    const hn::Half<D> half;
    const Dequantize<double> fn;
    const auto lower =
        fn(dd, hn::PromoteLowerTo(dd, x), hn::PromoteLowerTo(dd, scale),
           hn::PromoteLowerTo(dd, zero));
    const auto upper =
        fn(dd, hn::PromoteUpperTo(dd, x), hn::PromoteUpperTo(dd, scale),
           hn::PromoteUpperTo(dd, zero));
    return hn::Combine(d, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
  }
};
template <lw_type kX>
struct FromSmall {
  static constexpr OnePass kOnePass =
      OnePassOf<DequantizeSmall<Lane<kX>>, Lane<kX>, float, float>(
          Convert<kX, LW_FLOAT32>());
};
constexpr OnePass kFromInt32 =
    OnePassOf<DequantizeInt32, int32_t, float, int32_t>(
        Convert<LW_INT32, LW_INT32>());

/// nullptr where the elements need tiles.
const OnePass* OnePassFor(const Alignment& map) {
  if (map.to != LW_FLOAT32) return nullptr;
  if (map.types[0] == LW_INT32) return &kFromInt32;
  return OfSmallIntegers<FromSmall>(map.types[0]);
}

/// From lanes of float32 or float64 to the output's type.
template <lw_type kLanes>
KernelFn ToOutput(int32_t type) {
  switch (type) {
    case LW_FLOAT16:
      return Convert<kLanes, LW_FLOAT16>();
    case LW_BFLOAT16:
      return Convert<kLanes, LW_BFLOAT16>();
    default:
      return Convert<kLanes, LW_FLOAT32>();
  }
}

/// Whether float32 lanes round once. Differences of integers have up to 9 bits,
/// or 17; those of floats may have 33, unless there is no zero point.
bool FitsFloats(const Alignment& map, bool has_zero) {
  const auto type = static_cast<lw_type>(map.types[0]);
  if (type == LW_INT32) return false;
  if (map.to == LW_FLOAT32) return !IsNarrowFloat(type) || !has_zero;
  // Then the product is exact: 9 bits times 11.
  const bool is_small =
      type == LW_INT8 || type == LW_UINT8 || IsNarrowInteger(type);
  return is_small && map.types[1] != LW_FLOAT32;
}

template <lw_type kLanes>
lw_status DequantizeIn(const Job& job) {
  using T = Lane<kLanes>;
  TileRun run(job, sizeof(T));
  const Alignment& map = run.map();
  const int32_t type = map.types[0];
  const KernelFn from_x = FloatFromQuantized<false>(type);
  const KernelFn to_output = ToOutput<kLanes>(map.to);
  const bool is_direct = kLanes == LW_FLOAT32 && map.to == LW_FLOAT32;
  Tile scale, zero, x, result;
  const auto load = [&](int k, const char* raw, size_t n) {
    if (k == 0) {
      const int32_t own = map.types[1];
      run.ToLanes<T>(FromWide<LW_FLOAT32>(own), own, raw, scale.bytes, n);
    } else if (run.has_zero()) {
      run.ToLanes<T>(FloatFromQuantized<true>(type), type, raw, zero.bytes, n);
    } else {
      std::fill_n(reinterpret_cast<T*>(zero.bytes), n, T{0});
    }
  };
  run.ForEachTile(load, [&](const char* in, char* out, size_t n, bool one) {
    run.ToLanes<T>(from_x, type, in, x.bytes, n);
    char* const to = is_direct ? out : result.bytes;
    run.Apply3(OfThree<Dequantize<T>>(one), x.bytes, scale.bytes, zero.bytes,
               to, n);
    if (!is_direct) run.Apply(to_output, to, out, n);
  });
  return LW_OK;
}

HWY_INLINE lw_status DequantizeRows(const Job& job) {
  const FpEnv env(FpEnv::Default());
  const Alignment& map = *job.setup->alignment;
  if (const OnePass* kernels = OnePassFor(map)) {
    return RunOnePass(job, *kernels, 0);
  }
  return RunJob(FitsFloats(map, job.in[2] != nullptr)
                    ? Kernel<DequantizeIn<LW_FLOAT32>>
                    : Kernel<DequantizeIn<LW_FLOAT64>>,
                job);
}

constexpr ListedType kX[] = {
    {LW_INT8, 10},           {LW_UINT8, 10},          {LW_INT32, 10},
    {LW_FLOAT8E4M3FN, 19},   {LW_FLOAT8E4M3FNUZ, 19}, {LW_FLOAT8E5M2, 19},
    {LW_FLOAT8E5M2FNUZ, 19}, {LW_INT16, 21},          {LW_UINT16, 21},
    {LW_INT4, 21},           {LW_UINT4, 21},          {LW_FLOAT4E2M1, 23},
    {LW_INT2, 25},           {LW_UINT2, 25}};
constexpr ListedType kScales[] = {
    {LW_FLOAT32, 10}, {LW_FLOAT16, 19}, {LW_BFLOAT16, 19}, {LW_FLOAT8E8M0, 24}};
constexpr size_t kScaleCount = std::size(kScales);
constexpr size_t kPairCount = std::size(kX) * kScaleCount;
constexpr std::array<KernelEntry, kPairCount> MakeEntries() {
  std::array<KernelEntry, kPairCount> entries = {};
  for (size_t i = 0; i < kPairCount; ++i) {
    const ListedType& x = kX[i / kScaleCount];
    const ListedType& scale = kScales[i % kScaleCount];
    entries[i] = {.since = HWY_MAX(x.since, scale.since),
                  .type = x.type,
                  .kernels = kOnlySame<Kernel<DequantizeRows>>,
                  .second = scale.type};
  }
  return entries;
}
constexpr auto kKernels = MakeEntries();
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_dequantize_linear
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_dequantize_linear {
namespace {

constexpr int kVersions[] = {10, 13, 19, 21, 23, 24, 25, 28};
constexpr ListedType kOutputs[] = {
    {LW_FLOAT32, 10}, {LW_FLOAT16, 19}, {LW_BFLOAT16, 19}};

constexpr OperandInfo kInputs[] = {
    {"x", Role::kElements, false, "T1"},
    {"x_scale", Role::kAligned, false, "T2", LW_ABSENT, false, true},
    {"x_zero_point", Role::kAligned, true, "T1"}};
constexpr OperandInfo kInputs10[] = {
    {"x", Role::kElements, false, "T"},
    {"x_scale", Role::kAligned, false, "tensor(float)", LW_ABSENT, false, true},
    {"x_zero_point", Role::kAligned, true, "T"}};
constexpr AttributeInfo kAttributes[] = {kAxis, kBlockSize, kOutputType};
constexpr std::span<const AttributeInfo> FirstAttributes(size_t count) {
  return {kAttributes, count};
}
constexpr Form kForms[] = {
    {10, kInputs10, ShapeRule::kAligned},
    {13, kInputs10, ShapeRule::kAligned, FirstAttributes(1)},
    {19, kInputs, ShapeRule::kAligned, FirstAttributes(1)},
    {21, kInputs, ShapeRule::kAligned, FirstAttributes(2)},
    {23, kInputs, ShapeRule::kAligned, FirstAttributes(3)}};

}  // namespace

extern const Operator kOperator = {
    .name = "DequantizeLinear",
    .versions = kVersions,
    .forms = kForms,
    .output = {"y", Role::kElements, false, "T3", LW_ABSENT, true},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_dequantize_linear),
    .exact = true,
    .outputs = kOutputs,
    .refuses = RefusesBlock,
};

}  // namespace lanewise::op_dequantize_linear
#endif  // HWY_ONCE
