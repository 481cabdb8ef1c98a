// SPDX-License-Identifier: Apache-2.0
//
// Cast: y = x in another type
//
// Versions 1, 6, 9 (float16, float32, float64, all eight integers, bool),
// 13 and later (+ bfloat16). The attribute `to` names the output's type.
// Float to integer: truncated and saturated, NaN gives 0. Integer to integer:
// the low bits. To a float: rounded once, to nearest even, whatever the
// caller's rounding mode, FTZ and DAZ; overflow gives infinity. To bool:
// anything but a zero is true; from bool: any byte but 0 counts as 1.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conversion/cast.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/conversion/convert-inl.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {

/// The lanes of a type: floats of 16 bits and bools are stored as bits.
template <lw_type kType>
constexpr auto LaneOf() {
  if constexpr (kType == LW_FLOAT32) return float{};
  if constexpr (kType == LW_FLOAT64) return double{};
  if constexpr (kType == LW_INT8) return int8_t{};
  if constexpr (kType == LW_INT16) return int16_t{};
  if constexpr (kType == LW_INT32) return int32_t{};
  if constexpr (kType == LW_INT64) return int64_t{};
  if constexpr (kType == LW_UINT8 || kType == LW_BOOL) return uint8_t{};
  if constexpr (kType == LW_UINT32) return uint32_t{};
  if constexpr (kType == LW_UINT64) return uint64_t{};
  if constexpr (kType == LW_UINT16 || kType == LW_FLOAT16 ||
                kType == LW_BFLOAT16) {
    return uint16_t{};
  }
}
template <lw_type kType>
using Lane = decltype(LaneOf<kType>());
template <lw_type kType>
using Bits = hwy::UnsignedFromSize<sizeof(Lane<kType>)>;

constexpr bool Is16BitFloat(lw_type type) {
  return type == LW_FLOAT16 || type == LW_BFLOAT16;
}
constexpr bool IsFloat(lw_type type) {
  return type == LW_FLOAT32 || type == LW_FLOAT64 || Is16BitFloat(type);
}

template <class Fn>
HWY_INLINE lw_status InDefaultEnv(const Job& job) {
  const FpEnv env(FpEnv::Default());
  return RunJob(OfInputs<Fn, LW_SAME, typename Fn::TIn>, job);
}
template <class Fn>
constexpr KernelFn Direct() {
  if constexpr (Fn::kRounds) return Kernel<InDefaultEnv<Fn>>;
  return OfInputs<Fn, LW_SAME, typename Fn::TIn>;
}

/// Rare pairs of types take two steps, by way of a tile of TMiddle in L1.
template <KernelFn kFirst, KernelFn kSecond, typename TIn, typename TMiddle,
          typename TOut>
HWY_INLINE void ByTile(const Job& job) {
  constexpr size_t kElements = 4096 / sizeof(TMiddle);
  alignas(64) TMiddle tile[kElements];
  Setup setup;
  static_cast<SharedSetup&>(setup) = *job.setup;
  setup.rows = 1;
  setup.stream = false;
  setup.in_step[0] = 0;
  for (size_t row = 0; row < job.setup->rows; ++row) {
    const TIn* in = InRow<TIn>(job, 0, row);
    TOut* out = OutRow<TOut>(job, row);
    for (size_t i = 0; i < job.n; i += kElements) {
      const size_t n = HWY_MIN(kElements, job.n - i);
      const void* from[] = {in + i};
      kFirst(&setup, from, tile, n, nullptr);
      const void* const middle[] = {tile};
      kSecond(&setup, middle, out + i, n, nullptr);
    }
  }
}

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn Convert();

template <lw_type kFrom, lw_type kMiddle, lw_type kTo>
constexpr KernelFn By() {
  return Kernel<ByTile<Convert<kFrom, kMiddle>(), Convert<kMiddle, kTo>(),
                       Lane<kFrom>, Lane<kMiddle>, Lane<kTo>>>;
}

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn IntegerToFloatKernel() {
  using TIn = Lane<kFrom>;
  constexpr size_t kBytes = sizeof(TIn);
  if constexpr (kTo == LW_FLOAT16) {
    // What float32 rounds is beyond float16.
    return By<kFrom, LW_FLOAT32, kTo>();
  } else if constexpr (kBytes == 8 && kTo != LW_FLOAT64) {
    return Kernel<ByTile<Direct<JamToDouble<TIn>>(), Convert<LW_FLOAT64, kTo>(),
                         TIn, double, Lane<kTo>>>;
  } else if constexpr (kTo == LW_BFLOAT16) {
    return By < kFrom, kBytes == 4 ? LW_FLOAT64 : LW_FLOAT32, kTo > ();
  } else if constexpr (kTo == LW_FLOAT64 && kBytes < 4) {
    return By<kFrom, LW_INT32, kTo>();
  } else {
    return Direct<IntegerToFloat<TIn, Lane<kTo>>>();
  }
}

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn FloatToFloatKernel() {
  if constexpr (kFrom == LW_FLOAT16 && kTo == LW_FLOAT32) {
    return Direct<HalfToFloat>();
  } else if constexpr (kFrom == LW_BFLOAT16 && kTo == LW_FLOAT32) {
    return Direct<BrainToFloat>();
  } else if constexpr (Is16BitFloat(kFrom)) {
    return By<kFrom, LW_FLOAT32, kTo>();
  } else if constexpr (kFrom == LW_FLOAT32) {
    if constexpr (kTo == LW_FLOAT64) return Direct<FloatToDouble>();
    if constexpr (kTo == LW_FLOAT16) return Direct<FloatToHalf>();
    if constexpr (kTo == LW_BFLOAT16) return Direct<FloatToBrain>();
  } else {
    if constexpr (kTo == LW_FLOAT32) return Direct<DoubleToFloat>();
    if constexpr (kTo == LW_FLOAT16) return Direct<DoubleTo16<Float16>>();
    if constexpr (kTo == LW_BFLOAT16) return Direct<DoubleTo16<BFloat16>>();
  }
}

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn IntegerToIntegerKernel() {
  constexpr size_t kIn = sizeof(Lane<kFrom>), kOut = sizeof(Lane<kTo>);
  if constexpr (kIn == kOut) return Direct<CopyLanes<Bits<kTo>>>();
  if constexpr (kIn > kOut) return Direct<Resize<Bits<kFrom>, Bits<kTo>>>();
  if constexpr (kIn < kOut) {
    // The sign of the input tells what the new bits are.
    using T = hwy::If<std::is_signed_v<Lane<kFrom>>, hwy::MakeSigned<Bits<kTo>>,
                      Bits<kTo>>;
    return Direct<Resize<Lane<kFrom>, T>>();
  }
}

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn Convert() {
  if constexpr (kFrom == LW_BOOL) {
    if constexpr (sizeof(Lane<kTo>) == 1) {
      return Direct<NormalizeBool>();
    } else {
      return By<LW_BOOL, LW_UINT8, kTo>();
    }
  } else if constexpr (kTo == LW_BOOL) {
    return Direct<IsNonzero<Bits<kFrom>, IsFloat(kFrom)>>();
  } else if constexpr (kFrom == kTo) {
    return Direct<CopyLanes<Bits<kTo>>>();
  } else if constexpr (IsFloat(kFrom) && IsFloat(kTo)) {
    return FloatToFloatKernel<kFrom, kTo>();
  } else if constexpr (IsFloat(kTo)) {
    return IntegerToFloatKernel<kFrom, kTo>();
  } else if constexpr (Is16BitFloat(kFrom)) {
    return By<kFrom, LW_FLOAT32, kTo>();
  } else if constexpr (IsFloat(kFrom)) {
    return Direct<FloatToInteger<Lane<kFrom>, Lane<kTo>>>();
  } else {
    return IntegerToIntegerKernel<kFrom, kTo>();
  }
}

constexpr lw_type kTypes[] = {LW_FLOAT32, LW_UINT8,   LW_INT8,   LW_UINT16,
                              LW_INT16,   LW_INT32,   LW_INT64,  LW_BOOL,
                              LW_FLOAT16, LW_FLOAT64, LW_UINT32, LW_UINT64,
                              LW_BFLOAT16};
constexpr size_t kCount = sizeof(kTypes) / sizeof(kTypes[0]);

template <size_t kPair>
constexpr KernelEntry EntryOf() {
  constexpr lw_type kFrom = kTypes[kPair / kCount],
                    kTo = kTypes[kPair % kCount];
  constexpr bool kIsNew = kFrom == LW_BFLOAT16 || kTo == LW_BFLOAT16;
  return {.since = kIsNew ? 13 : 1,
          .type = kFrom,
          .kernels = kOnlySame<Convert<kFrom, kTo>()>,
          .to = kTo};
}
template <size_t... kPair>
constexpr std::array<KernelEntry, sizeof...(kPair)> EntriesOf(
    std::index_sequence<kPair...> /*pairs*/) {
  return {EntryOf<kPair>()...};
}
constexpr auto kKernels =
    EntriesOf(std::make_index_sequence<kCount * kCount>());
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Kernels);
constexpr int kVersions[] = {1, 6, 9, 13, 19, 21, 23, 24, 25, 28};

constexpr OperandInfo kInputs[] = {{"input", Role::kElements, false, "T1"}};
// By type code; types that are not offered have no name.
constexpr const char* kTypeNames[] = {
    "",      "FLOAT", "UINT8", "INT8",    "UINT16", "INT16",  "INT32",
    "INT64", "",      "BOOL",  "FLOAT16", "DOUBLE", "UINT32", "UINT64"};
constexpr const char* kRoundModes[] = {"up", "down", "nearest"};
constexpr AttributeInfo kToByName = {
    "to", LW_ATTRIBUTE_STRING, Meaning::kOutputType, true, {}, kTypeNames};
constexpr AttributeInfo kTo = {"to", LW_ATTRIBUTE_INT, Meaning::kOutputType,
                               true};
// For float8, which is not offered.
constexpr AttributeInfo kSaturate = {"saturate", LW_ATTRIBUTE_INT,
                                     Meaning::kNothing};
constexpr AttributeInfo kRoundMode = {
    "round_mode", LW_ATTRIBUTE_STRING, Meaning::kNothing, false,
    {},           kRoundModes};
constexpr AttributeInfo kAttributes1[] = {kToByName};
constexpr AttributeInfo kAttributes6[] = {kTo};
constexpr AttributeInfo kAttributes19[] = {kTo, kSaturate};
constexpr AttributeInfo kAttributes24[] = {kTo, kSaturate, kRoundMode};
constexpr Form kForms[] = {{1, kInputs, ShapeRule::kSame, kAttributes1},
                           {6, kInputs, ShapeRule::kSame, kAttributes6},
                           {19, kInputs, ShapeRule::kSame, kAttributes19},
                           {24, kInputs, ShapeRule::kSame, kAttributes24}};

}  // namespace

extern const Operator kOperator_cast = {
    .name = "Cast",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output", Role::kElements, false, "T2", LW_ABSENT, true},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS,
    .exact = true,
};

}  // namespace lanewise
#endif  // HWY_ONCE
