// SPDX-License-Identifier: Apache-2.0
//
// The kernel for each pair of types: which functors, by way of which type.

#if defined(LANEWISE_KERNELS_CONVERSION_PAIRS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_CONVERSION_PAIRS_INL_H_
#undef LANEWISE_KERNELS_CONVERSION_PAIRS_INL_H_
#else
#define LANEWISE_KERNELS_CONVERSION_PAIRS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "kernels/conversion/convert-inl.h"
#include "kernels/conversion/narrow-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Floats of 8 and 4 bits, and integers of 4 and 2 bits.
constexpr bool IsNarrow(lw_type type) { return type >= LW_FLOAT8E4M3FN; }
constexpr bool IsNarrowInteger(lw_type type) {
  return type == LW_INT4 || type == LW_UINT4 || type == LW_INT2 ||
         type == LW_UINT2;
}
constexpr bool IsNarrowFloat(lw_type type) {
  return IsNarrow(type) && !IsNarrowInteger(type);
}

/// The lanes of a type: floats of 16 bits, bools and narrow types are stored as
/// bits.
template <lw_type kType>
constexpr auto LaneOf() {
  if constexpr (kType == LW_FLOAT32) return float{};
  if constexpr (kType == LW_FLOAT64) return double{};
  if constexpr (kType == LW_INT8) return int8_t{};
  if constexpr (kType == LW_INT16) return int16_t{};
  if constexpr (kType == LW_INT32) return int32_t{};
  if constexpr (kType == LW_INT64) return int64_t{};
  if constexpr (kType == LW_UINT8 || kType == LW_BOOL || IsNarrow(kType)) {
    return uint8_t{};
  }
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
constexpr KernelFn Direct() {
  constexpr KernelFn kFn = OfInputs<Fn, LW_SAME, typename Fn::TIn>;
  if constexpr (Fn::kRounds) return InDefaultEnv<kFn>;
  return kFn;
}

/// The bits of an element in memory.
constexpr size_t BitsOf(int32_t type) {
  switch (type) {
    case LW_INT2:
    case LW_UINT2:
      return 2;
    case LW_INT4:
    case LW_UINT4:
    case LW_FLOAT4E2M1:
      return 4;
    case LW_FLOAT16:
    case LW_BFLOAT16:
    case LW_INT16:
    case LW_UINT16:
      return 16;
    case LW_FLOAT32:
    case LW_INT32:
    case LW_UINT32:
      return 32;
    case LW_FLOAT64:
    case LW_INT64:
    case LW_UINT64:
      return 64;
    default:
      return 8;
  }
}

/// The bits of an element before, between and after two steps.
struct StepBits {
  uint8_t in, middle, out;
};
/// Rare pairs of types take two steps, by way of a tile in L1. Out of line, as
/// there are hundreds of pairs.
static HWY_NOINLINE lw_status RunSteps(const Setup* shared,
                                       const void* const* inputs, void* output,
                                       size_t elements, StepBits bits,
                                       KernelFn first, KernelFn second) {
  constexpr size_t kTileBytes = 4096;
  alignas(64) char tile[kTileBytes];
  // Packed elements share no byte with the tile before.
  const size_t most = kTileBytes * 8 / bits.middle;
  const Job job = {shared, inputs, output, elements, nullptr};
  Setup setup;
  static_cast<SharedSetup&>(setup) = *shared;
  setup.rows = 1;
  setup.stream = false;
  setup.in_step[0] = 0;
  for (size_t row = 0; row < shared->rows; ++row) {
    const char* in = InRow<char>(job, 0, row);
    char* out = OutRow<char>(job, row);
    for (size_t i = 0; i < elements; i += most) {
      const size_t n = HWY_MIN(most, elements - i);
      const void* from[] = {in + i * bits.in / 8};
      first(&setup, from, tile, n, nullptr);
      const void* const middle[] = {tile};
      second(&setup, middle, out + i * bits.out / 8, n, nullptr);
    }
  }
  return LW_OK;
}
template <KernelFn kFirst, KernelFn kSecond, size_t kIn, size_t kMiddle,
          size_t kOut>
HWY_INLINE lw_status ByTile(const Job& job) {
  return RunSteps(job.setup, job.in, job.out, job.n, {kIn, kMiddle, kOut},
                  kFirst, kSecond);
}
/// From kFrom to kTo by two kernels, with kMiddle between them.
template <lw_type kFrom, lw_type kMiddle, lw_type kTo, KernelFn kFirst,
          KernelFn kSecond>
constexpr KernelFn Steps = Kernel<
    ByTile<kFirst, kSecond, BitsOf(kFrom), BitsOf(kMiddle), BitsOf(kTo)>>;

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn Convert();

template <lw_type kFrom, lw_type kMiddle, lw_type kTo>
constexpr KernelFn By() {
  return Steps<kFrom, kMiddle, kTo, Convert<kFrom, kMiddle>(),
               Convert<kMiddle, kTo>()>;
}

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn IntegerToFloatKernel() {
  using TIn = Lane<kFrom>;
  constexpr size_t kBytes = sizeof(TIn);
  if constexpr (kTo == LW_FLOAT16) {
    // What float32 rounds is beyond float16.
    return By<kFrom, LW_FLOAT32, kTo>();
  } else if constexpr (kBytes == 8 && kTo != LW_FLOAT64) {
    return Steps<kFrom, LW_FLOAT64, kTo, Direct<JamToDouble<TIn>>(),
                 Convert<LW_FLOAT64, kTo>()>;
  } else if constexpr (kTo == LW_BFLOAT16 || IsNarrow(kTo)) {
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

/// The byte that holds a narrow integer.
constexpr lw_type ByteOf(lw_type narrow) {
  return narrow == LW_INT4 || narrow == LW_INT2 ? LW_INT8 : LW_UINT8;
}
template <lw_type kNarrow>
constexpr KernelFn Unpack =
    Kernel<UnpackRows<BitsOf(kNarrow), ByteOf(kNarrow) == LW_INT8>>;
template <lw_type kNarrow, bool kSaturates>
constexpr KernelFn Pack =
    Kernel<PackRows<BitsOf(kNarrow), Lane<ByteOf(kNarrow)>, kSaturates>>;

template <lw_type kFrom>
constexpr KernelFn NarrowToFloatKernel() {
  if constexpr (kFrom == LW_FLOAT8E4M3FN) {
    return Direct<NarrowToFloat<E4M3FN>>();
  } else if constexpr (kFrom == LW_FLOAT8E4M3FNUZ) {
    return Direct<NarrowToFloat<E4M3FNUZ>>();
  } else if constexpr (kFrom == LW_FLOAT8E5M2) {
    return Direct<NarrowToFloat<E5M2>>();
  } else if constexpr (kFrom == LW_FLOAT8E5M2FNUZ) {
    return Direct<NarrowToFloat<E5M2FNUZ>>();
  } else if constexpr (kFrom == LW_FLOAT8E8M0) {
    return Direct<ScaleToFloat>();
  } else {
    return Steps<kFrom, LW_UINT8, LW_FLOAT32, Unpack<kFrom>,
                 Direct<NarrowToFloat<E2M1>>()>;
  }
}
template <lw_type kTo>
constexpr KernelFn FloatToNarrowKernel() {
  if constexpr (kTo == LW_FLOAT8E4M3FN) {
    return Kernel<ByParams<FloatToNarrow<E4M3FN>>>;
  } else if constexpr (kTo == LW_FLOAT8E4M3FNUZ) {
    return Kernel<ByParams<FloatToNarrow<E4M3FNUZ>>>;
  } else if constexpr (kTo == LW_FLOAT8E5M2) {
    return Kernel<ByParams<FloatToNarrow<E5M2>>>;
  } else if constexpr (kTo == LW_FLOAT8E5M2FNUZ) {
    return Kernel<ByParams<FloatToNarrow<E5M2FNUZ>>>;
  } else if constexpr (kTo == LW_FLOAT8E8M0) {
    return Kernel<ByParams<FloatToScale>>;
  } else {
    return Steps<LW_FLOAT32, LW_UINT8, kTo,
                 Kernel<ByParams<FloatToNarrow<E2M1>>>, Pack<kTo, false>>;
  }
}

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn FromNarrowKernel() {
  if constexpr (IsNarrowInteger(kFrom)) {
    if constexpr (kTo == ByteOf(kFrom))
      return Unpack<kFrom>;
    else
      return By<kFrom, ByteOf(kFrom), kTo>();
  } else if constexpr (kTo == LW_FLOAT32) {
    return NarrowToFloatKernel<kFrom>();
  } else {
    return By<kFrom, LW_FLOAT32, kTo>();
  }
}
template <lw_type kFrom, lw_type kTo>
constexpr KernelFn ToNarrowKernel() {
  constexpr size_t kBytes = sizeof(Lane<kFrom>);
  if constexpr (IsNarrowInteger(kTo)) {
    constexpr lw_type kByte = ByteOf(kTo);
    if constexpr (IsFloat(kFrom)) {
      return Steps<kFrom, kByte, kTo, Convert<kFrom, kByte>(), Pack<kTo, true>>;
    } else if constexpr (kBytes == 1) {
      return Pack<kTo, false>;
    } else {
      return By<kFrom, kByte, kTo>();
    }
  } else if constexpr (kFrom == LW_FLOAT32) {
    return FloatToNarrowKernel<kTo>();
  } else if constexpr (kFrom == LW_FLOAT64) {
    return Steps<kFrom, LW_FLOAT32, kTo, Direct<DoubleToOddFloat>(),
                 Convert<LW_FLOAT32, kTo>()>;
  } else if constexpr (Is16BitFloat(kFrom) || kBytes < 4) {
    return By<kFrom, LW_FLOAT32, kTo>();
  } else {
    return IntegerToFloatKernel<kFrom, kTo>();
  }
}

template <lw_type kFrom, lw_type kTo>
constexpr KernelFn Convert() {
  if constexpr (kFrom == LW_BOOL) {
    if constexpr (sizeof(Lane<kTo>) == 1 && !IsNarrow(kTo)) {
      return Direct<NormalizeBool>();
    } else {
      return By<LW_BOOL, LW_UINT8, kTo>();
    }
  } else if constexpr (kFrom == kTo && BitsOf(kTo) >= 8) {
    return Direct<CopyLanes<Bits<kTo>>>();
  } else if constexpr (IsNarrow(kFrom)) {
    return FromNarrowKernel<kFrom, kTo>();
  } else if constexpr (IsNarrow(kTo)) {
    return ToNarrowKernel<kFrom, kTo>();
  } else if constexpr (kTo == LW_BOOL) {
    return Direct<IsNonzero<Bits<kFrom>, IsFloat(kFrom)>>();
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

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_CONVERSION_PAIRS_INL_H_
