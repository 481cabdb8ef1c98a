// SPDX-License-Identifier: Apache-2.0
//
// Pow: z = x^y
//
// Versions 1, 7 (float16, float32, float64, both inputs of one type), 12 (x:
// + int32, int64; y: of any of these types and the other six integers), 13
// (x: + bfloat16), 15 (y: + bfloat16). The result has the type of x.
// Floats: below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16; special values are those of C's pow; an integer y counts exactly.
// How: pow-inl.h.
// Integers: products that wrap. For y below 0 the truncated quotient; 0 gives 0
// then, and is reported to the runtime.
// An integer to the power of a float: computed in float64, truncated and
// saturated; NaN gives 0.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/pow.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/float_pow-inl.h"
#include "kernels/exponential/pow-inl.h"
#include "kernels/exponential/pow_mixed.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/quick16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_pow {
namespace {

// ------------------------------ Floats

struct PowOfDoubles {
  using T = double;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V y) const {
    return Power<true, D>(x, y, hn::Zero(d));
  }
};

/// Floats as doubles. kTo16: the results are then rounded to 16 bits.
template <bool kTo16>
struct PowOfFloats {
  using T = float;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = kTo16 ? 0 : 1;

  /// Out of line, as the loops contain it several times.
  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x, V y) const {
    const hn::RepartitionToWide<D> dd;
    return hn::Combine(
        d, OfHalf(d, hn::PromoteUpperTo(dd, x), hn::PromoteUpperTo(dd, y)),
        OfHalf(d, hn::PromoteLowerTo(dd, x), hn::PromoteLowerTo(dd, y)));
  }

 private:
  template <class D, class V>
  static HWY_INLINE hn::VFromD<hn::Half<D>> OfHalf(D /*d*/, V x, V y) {
    const hn::Half<D> half;
    const hn::DFromV<V> dd;
    const V power = Power<kTo16, decltype(dd)>(x, y, hn::Zero(dd));
    if constexpr (kTo16) {
      return ToOddFloat(half, power);
    } else {
      return hn::DemoteTo(half, power);
    }
  }
};

/// Float lanes where these have a quick way, and doubles else.
using PowOfFloat32 =
    PiecesOr<PowInFloats<PowOfFloats<false>>, PowOfFloats<false>>;

/// For results that are rounded to 16 bits.
struct PowQuickly : PowOfFloat32 {
  static constexpr int kUnits = 3;
};
using F16 = QuickFloat16<PowQuickly, PowOfFloats<true>>;
using BF16 = QuickBFloat16<PowQuickly, PowOfFloats<true>>;

/// The bits of x^2, and of x^3 for floats: the usual exponents of models.
template <typename TFloat>
struct Square {
  using T = TFloat;
  static constexpr size_t kUnroll = 4;
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D /*d*/, V x) const {
    return hn::Mul(x, x);
  }
};
struct Cube {
  using T = float;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ThroughDoubles(d, x, [](auto /*dd*/, auto v) HWY_ATTR {
      return hn::Mul(hn::Mul(v, v), v);
    });
  }
};

template <class Fn, class OfTwo, int kPattern>
HWY_INLINE lw_status PowFloats(const Job& job) {
  const FpEnv env(FpEnv::Default());
  using T = typename Fn::T;
  if constexpr (kPattern == LW_SCALAR_B) {
    const bool is_one = job.setup->rows == 1 || job.setup->in_step[1] == 0;
    const T y = *static_cast<const T*>(job.in[1]);
    // Both 16-bit formats have the same bits for 2.
    constexpr T kTwo = sizeof(T) == 2 ? 0x4000 : 2;
    if (is_one && y == kTwo) return RunJob(Unary<OfTwo>, job);
    if constexpr (sizeof(T) == 4) {
      if (is_one && y == 3) return RunJob(Unary<Cube>, job);
    }
  }
  return RunJob(Binary<Fn, kPattern>, job);
}
template <class Fn, class OfTwo>
constexpr PatternKernel kFloats[] = {
    {LW_SAME, Kernel<PowFloats<Fn, OfTwo, LW_SAME>>},
    {LW_SCALAR_B, Kernel<PowFloats<Fn, OfTwo, LW_SCALAR_B>>}};

// ------------------------------ Integers

/// By squares, as long as any lane has bits of the exponent left.
template <typename TInt>
struct IntegerPow {
  using T = TInt;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 1;

  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x, V y) const {
    const V zero = hn::Zero(d);
    const V one = hn::Set(d, T{1});
    const auto negative = hn::Lt(y, zero);
    V rest = hn::IfThenElse(negative, hn::And(y, one), y);
    V factor = x;
    V z = one;
    for (;;) {
      const auto odd = hn::Ne(hn::And(rest, one), zero);
      z = hn::IfThenElse(odd, hn::Mul(z, factor), z);
      rest = hn::ShiftRight<1>(rest);
      if (hn::AllTrue(d, hn::Eq(rest, zero))) break;
      factor = hn::Mul(factor, factor);
    }
    const auto is_unit = hn::Eq(hn::Abs(x), one);
    return hn::IfThenZeroElse(hn::AndNot(is_unit, negative), z);
  }
};

/// Notes the zeros whose exponent is negative among the elements of a row from
/// `begin` on.
template <class InX, class InY>
HWY_NOINLINE static void NoteZeroPowers(InX x, InY y, size_t n, size_t row,
                                        size_t begin, Zeros* zeros) {
  const hn::ScalableTag<decltype(x.padding)> d;
  const size_t N = hn::Lanes(d);
  for (size_t i = 0; i < n; i += N) {
    const size_t some = HWY_MIN(N, n - i);
    const auto zero = hn::Eq(x.LoadSome(d, i, some), hn::Zero(d));
    const auto negative = hn::Lt(y.LoadSome(d, i, some), hn::Zero(d));
    const auto found = hn::And(hn::FirstN(d, some), hn::And(zero, negative));
    const intptr_t first = hn::FindFirstTrue(d, found);
    if (first < 0) continue;
    if (zeros->count == 0) {
      zeros->first_row = row;
      zeros->first_column = begin + i + static_cast<size_t>(first);
    }
    zeros->count += hn::CountTrue(d, found);
  }
}

template <typename T, int kPattern>
HWY_INLINE void PowIntegers(const Job& job) {
  if (job.n == 0) return;
  for (size_t row = 0; row < job.setup->rows; ++row) {
    const auto x = InputOf<T, kPattern, 0>(job, row, T{1});
    const auto y = InputOf<T, kPattern, 1>(job, row, T{1});
    // Before results overwrite the inputs.
    NoteZeroPowers(x, y, job.n, row, 0, job.zeros);
    ComputeRow(OutRow<T>(job, row), job.n, false, IntegerPow<T>(), x, y);
  }
}
template <typename T>
constexpr PatternKernel kIntegers[] = {
    {LW_SAME, Kernel<PowIntegers<T, LW_SAME>>},
    {LW_SCALAR_B, Kernel<PowIntegers<T, LW_SCALAR_B>>}};

// ------------------------------ Inputs of two types

/// Blocks of both inputs are converted, and the results converted back.
constexpr size_t kBlock = 256;
using BlockLanes = hn::CappedTag<double, 64>;  // a part of RISC-V's vectors
struct Rows {
  const Job& job;
  lw_type x_type;
  lw_type y_type;

  /// Calls compute(x, y, out, n, row, begin) for each block.
  template <class Fn>
  HWY_INLINE void ForEachBlock(const Fn& compute) const {
    const size_t x_bytes = PowElementBytes(x_type);
    const size_t y_bytes = PowElementBytes(y_type);
    for (size_t row = 0; row < job.setup->rows; ++row) {
      const char* x = InRow<char>(job, 0, row);
      const char* y = InRow<char>(job, 1, row);
      char* out = OutRow<char>(job, row);
      for (size_t i = 0; i < job.n; i += kBlock) {
        compute(x + i * x_bytes, y + i * y_bytes, out + i * x_bytes,
                HWY_MIN(kBlock, job.n - i), row, i);
      }
    }
  }
};

/// Doubles rounded to 16 bits.
template <class Format>
HWY_INLINE void StoreNarrow(const double* from, size_t n, uint16_t* out) {
  const BlockLanes dd;
  const hn::Rebind<float, decltype(dd)> df;
  const hn::Rebind<uint16_t, decltype(dd)> d;
  const size_t N = hn::Lanes(dd);
  for (size_t i = 0; i < n; i += N) {
    const auto narrow =
        Format::Narrow(d, ToOddFloat(df, hn::Load(dd, from + i)));
    hn::StoreN(narrow, d, out + i, HWY_MIN(N, n - i));
  }
}

HWY_NOINLINE static void PowInDoubles(const Rows& rows) {
  const FpEnv env(FpEnv::Default());
  const BlockLanes d;
  using D = BlockLanes;
  const size_t N = hn::Lanes(d);
  HWY_ALIGN double x[kBlock];
  HWY_ALIGN double y[kBlock];
  HWY_ALIGN double y_lo[kBlock];
  const bool is_float32 = rows.x_type == LW_FLOAT32;
  rows.ForEachBlock([&](const char* in_x, const char* in_y, char* out, size_t n,
                        size_t /*row*/, size_t /*begin*/) HWY_ATTR {
    PowToDoubles(rows.x_type, in_x, n, x, y_lo);
    PowToDoubles(rows.y_type, in_y, n, y, y_lo);
    for (size_t i = n; i % N != 0; ++i) {
      x[i] = y[i] = 1;
      y_lo[i] = 0;
    }
    for (size_t i = 0; i < n; i += N) {
      const auto vx = hn::Load(d, x + i);
      const auto vy = hn::Load(d, y + i);
      const auto vy_lo = hn::Load(d, y_lo + i);
      hn::Store(is_float32 ? Power<false, D>(vx, vy, vy_lo)
                           : Power<true, D>(vx, vy, vy_lo),
                d, x + i);
    }
    auto* narrow = reinterpret_cast<uint16_t*>(out);
    if (rows.x_type == LW_FLOAT16) return StoreNarrow<Float16>(x, n, narrow);
    if (rows.x_type == LW_BFLOAT16) return StoreNarrow<BFloat16>(x, n, narrow);
    PowFromDoubles(rows.x_type, x, n, out);
  });
}

HWY_NOINLINE static void PowInIntegers(const Rows& rows) {
  HWY_ALIGN int64_t x[kBlock];
  HWY_ALIGN int64_t y[kBlock];
  rows.ForEachBlock([&](const char* in_x, const char* in_y, char* out, size_t n,
                        size_t row, size_t begin) HWY_ATTR {
    PowToIntegers(rows.x_type, in_x, n, x);
    PowToIntegers(rows.y_type, in_y, n, y);
    const Moving<int64_t> from_x{x, 1}, from_y{y, 1};
    NoteZeroPowers(from_x, from_y, n, row, begin, rows.job.zeros);
    ComputeRow(x, n, false, IntegerPow<int64_t>(), from_x, from_y);
    if (rows.x_type == LW_INT64) {
      std::memcpy(out, x, n * sizeof(*x));
    } else {
      for (size_t i = 0; i < n; ++i) {
        reinterpret_cast<int32_t*>(out)[i] = static_cast<int32_t>(x[i]);
      }
    }
  });
}

constexpr bool IsInteger(lw_type type) {
  return type != LW_FLOAT16 && type != LW_BFLOAT16 && type != LW_FLOAT32 &&
         type != LW_FLOAT64;
}
template <lw_type kX, lw_type kY>
HWY_INLINE void PowMixed(const Job& job) {
  constexpr bool kInIntegers = IsInteger(kX) && IsInteger(kY);
  const Rows rows = {job, kX, kY};
  return kInIntegers ? PowInIntegers(rows) : PowInDoubles(rows);
}

// ------------------------------ The table

constexpr lw_type kXTypes[] = {LW_FLOAT16, LW_FLOAT32, LW_FLOAT64,
                               LW_INT32,   LW_INT64,   LW_BFLOAT16};
constexpr lw_type kYTypes[] = {LW_FLOAT16, LW_FLOAT32, LW_FLOAT64, LW_INT8,
                               LW_INT16,   LW_INT32,   LW_INT64,   LW_UINT8,
                               LW_UINT16,  LW_UINT32,  LW_UINT64,  LW_BFLOAT16};
constexpr size_t kYCount = sizeof(kYTypes) / sizeof(kYTypes[0]);
constexpr size_t kPairs = sizeof(kXTypes) / sizeof(kXTypes[0]) * kYCount;

template <size_t kPair>
constexpr KernelEntry EntryOf() {
  constexpr lw_type kX = kXTypes[kPair / kYCount];
  constexpr lw_type kY = kYTypes[kPair % kYCount];
  constexpr int kSince = kY == LW_BFLOAT16 ? 15 : kX == LW_BFLOAT16 ? 13 : 12;
  KernelEntry entry = {kSince, kX, {}};
  if constexpr (kX != kY) {
    entry.kernels = kOnlySame<Kernel<PowMixed<kX, kY>>>;
    entry.second = kY;
  } else if constexpr (kX == LW_FLOAT16) {
    entry = {1, kX, kFloats<F16, InFloat16<Square<float>>>};
  } else if constexpr (kX == LW_FLOAT32) {
    entry = {1, kX, kFloats<PowOfFloat32, Square<float>>};
  } else if constexpr (kX == LW_FLOAT64) {
    entry = {1, kX, kFloats<PowOfDoubles, Square<double>>};
  } else if constexpr (kX == LW_BFLOAT16) {
    entry.kernels = kFloats<BF16, In16Bits<BFloat16, Square<float>>>;
  } else {
    using T = std::conditional_t<kX == LW_INT32, int32_t, int64_t>;
    entry.kernels = kIntegers<T>;
  }
  return entry;
}
template <size_t... kPair>
constexpr std::array<KernelEntry, sizeof...(kPair)> EntriesOf(
    std::index_sequence<kPair...> /*pairs*/) {
  return {EntryOf<kPair>()...};
}
constexpr auto kKernels = EntriesOf(std::make_index_sequence<kPairs>());
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_pow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_pow {
namespace {

constexpr int kVersions[] = {1, 7, 12, 13, 15};
constexpr OperandInfo kInputsXY[] = {{"X"}, {"Y"}};
constexpr OperandInfo kInputsOfTwoTypes[] = {
    {"X"}, {"Y", Role::kElements, false, "T1", LW_ABSENT, false, true}};
constexpr Form kForms[] = {
    {1, kInputsXY, ShapeRule::kLegacyBroadcast, kLegacyBroadcastAttributes},
    {7, kInputsXY, ShapeRule::kBroadcast},
    {12, kInputsOfTwoTypes, ShapeRule::kBroadcast}};

}  // namespace

extern const Operator kOperator = {
    .name = "Pow",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Z"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_pow),
    .reports_zero_divisors = true,
    .divides_by_zero = PowDividesByZero,
};

}  // namespace lanewise::op_pow
#endif  // HWY_ONCE
