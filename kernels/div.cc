// SPDX-License-Identifier: Apache-2.0
//
// Div: y = a / b
//
// Versions 1 (float16, float32, float64), 6 and 7 (+ int32, int64, uint32,
// uint64), 13 (+ bfloat16), 14 (+ int8, int16, uint8, uint16).
// Floats: the IEEE quotient, correctly rounded in every type.
// Integers: truncated toward zero. A zero divisor gives 0 and is reported
// to the runtime; MIN / -1 wraps to MIN. This holds for every width and every
// instruction set.

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/div.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/division_scalar-inl.h"
#include "kernels/division_ways-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/fp_env.h"
#include "kernels/intdiv-inl.h"
#include "kernels/invariant-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {

/// Shorter rows go to the divider alone, without a look at the environment.
template <typename T, int kPattern>
constexpr size_t kLongRow =
    kPattern != LW_SCALAR_B || LANEWISE_MULTIPLIES ? 0 : kLongForPair<T>;

template <typename T, int kPattern>
constexpr KernelFn kFloatKernel =
    ByEnvironment<kPattern == LW_SCALAR_B ? DivideFloatsByScalar<T>
                                          : Binary<FastFloatDiv<T>, kPattern>,
                  Binary<FloatDiv<T>, kPattern>, kShortDivisions<T>,
                  kLongRow<T, kPattern>>;
template <int kPattern>
constexpr KernelFn kFloat16Kernel =
    ByEnvironment<kPattern == LW_SCALAR_B
                      ? DivideFloat16ByScalar
                      : Binary<InFloat16<FastFloat16Div>, kPattern>,
                  Binary<InFloat16<FloatDiv<float>>, kPattern>,
                  kShortDivisions<uint16_t>, kLongRow<uint16_t, kPattern>>;
template <int kPattern>
constexpr KernelFn kBFloat16Kernel =
    ByEnvironment<kPattern == LW_SCALAR_B ? DivideBFloat16ByScalar
                                          : Binary<DivBF16, kPattern>,
                  Binary<SlowDivBF16, kPattern>, kShortDivisions<uint16_t>>;

template <typename TInt, Way kWay = Way::kUsual>
struct IntDiv {
  using T = TInt;
  static constexpr size_t kUnroll = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return TruncDiv<kWay>(d, a, b);
  }
};

/// Like IntDiv; also keeps the least divisor of each lane, taken as unsigned
/// numbers: 0 if there was a 0. A second pass would read the divisors from
/// memory twice. `least` is a vector because GCC moves masks through general
/// registers, which took longer than the division.
template <typename TInt, Way kWay, class VInt>
struct IntDivFinding {
  using T = TInt;
  static constexpr size_t kUnroll = 1;
  static constexpr bool kWritesBack = true;
  VInt& least;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const hn::RebindToUnsigned<D> du;
    least = hn::Min(least, hn::BitCast(du, b));
    return TruncDiv<kWay>(d, a, b);
  }
};

template <typename TInt>
struct IntDivByPrepared {
  using T = TInt;
  static constexpr size_t kUnroll = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, V p0, V p1) const {
    return DivideByPrepared<intdiv_detail::ReusedBy<T>()>(d, a, b, p0, p1);
  }
};

template <class P, bool kIncrement>
struct IntDivByInvariant {
  using T = decltype(P::value);
  static constexpr size_t kUnroll = 2;
  P divisor;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return DivideBy<kIncrement>(d, a, divisor);
  }
};

#if HWY_TARGET == HWY_AVX3_ZEN4
/// Divides int8 by one number in rows of kLong or more: four vectors hold the
/// quotients of all 256 dividends. On a Zen 4, such a row takes 0.9 of the time
/// at n = 2,048, and 0.7 from 8,192 on. For uint8 a table is slower, because
/// that division handles no signs. Not measured elsewhere.
struct QuotientsOfI8 {
  using T = int8_t;
  using D = hn::ScalableTag<T>;
  static_assert(HWY_MAX_LANES_D(D) == 64);
  static constexpr size_t kUnroll = 2;
  static constexpr size_t kLong = 2048;
  hn::Vec<D> quotients[4];

  HWY_INLINE explicit QuotientsOfI8(const Divisor<T>& p) {
    const D d;
    for (size_t k = 0; k < 4; ++k) {
      const auto dividends = hn::Iota(d, static_cast<T>(64 * k));
      quotients[k] = DivideBy<true>(d, dividends, p);
    }
  }
  template <class V>
  HWY_INLINE V operator()(D d, V a) const {
    // The lookups ignore the upper bit of an index. In debug builds, Highway
    // asserts that this bit is 0.
    const auto low = hn::And(a, hn::Set(d, 0x7F));
    const auto i = hn::IndicesFromVec(d, HWY_IS_DEBUG_BUILD ? low : a);
    const V not_negative =
        hn::TwoTablesLookupLanes(d, quotients[0], quotients[1], i);
    const V negative =
        hn::TwoTablesLookupLanes(d, quotients[2], quotients[3], i);
    return hn::IfNegativeThenElse(a, negative, not_negative);
  }
};

/// Out of line, so that short rows do not save the registers that only long
/// rows need.
HWY_NOINLINE void DivideLongRow(int8_t* out, Moving<int8_t> dividends, int8_t b,
                                const Job& job) {
  const QuotientsOfI8 divide(MakeDivisor(b));
  ComputeRow(out, job.n, job.setup->stream, divide, dividends);
}
#endif

void NoteZeros(size_t count, size_t row, size_t first_column, Zeros& zeros) {
  if (zeros.count == 0) {
    zeros.first_row = row;
    zeros.first_column = first_column;
  }
  zeros.count += count;
}

/// Counts the zeros of b's elements [begin, end), a part of `row`.
template <class InB>
void CountZeros(InB b, size_t begin, size_t end, size_t row, Zeros& zeros) {
  const hn::ScalableTag<decltype(b.padding)> d;
  const size_t N = hn::Lanes(d);
  for (size_t i = begin; i < end; i += N) {
    const size_t n = HWY_MIN(N, end - i);
    const auto zero =
        hn::And(hn::FirstN(d, n), hn::Eq(b.LoadSome(d, i, n), hn::Zero(d)));
    const intptr_t first = hn::FindFirstTrue(d, zero);
    if (first < 0) continue;
    NoteZeros(hn::CountTrue(d, zero), row, i + static_cast<size_t>(first),
              zeros);
  }
}

/// One row in place over its divisors. The quotients overwrite the divisors, so
/// each vector of divisors is tested first.
template <Way kWay, typename T, class InA>
HWY_INLINE void DivideOverDivisors(T* b, size_t row, InA a, const Job& job) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  const Moving<T> in{b, 1};
  size_t i = 0;
  for (; i + N <= job.n; i += N) {
    const auto divisors = hn::LoadU(d, b + i);
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Eq(divisors, hn::Zero(d))))) {
      CountZeros(in, i, i + N, row, *job.zeros);
    }
    hn::StoreU(TruncDiv<kWay>(d, a.Load(d, i), divisors), d, b + i);
  }
  CountZeros(in, i, job.n, row, *job.zeros);
  if constexpr (std::is_same_v<InA, Moving<T>>) a.p += i;
  ComputeRow(b + i, job.n - i, false, IntDiv<T>(), a, Moving<T>{b + i, 1});
}

/// One row by a row of divisors.
template <Way kWay, typename T, class InA, class InB>
HWY_INLINE void DivideRow(T* out, size_t row, InA a, InB b, const Job& job) {
  const bool over_divisors = b.p == out;
  if (HWY_UNLIKELY(over_divisors)) {
    if constexpr (!HasStride<InB>) {
      return DivideOverDivisors<kWay>(out, row, a, job);
    }
    // Before quotients overwrite them.
    CountZeros(b, 0, job.n, row, *job.zeros);
  }
  const hn::ScalableTag<T> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  auto least = hn::Set(du, 1);
  const IntDivFinding<T, kWay, decltype(least)> divide{least};
  ComputeRow(out, job.n, job.setup->stream, divide, a, b);
  const bool found = !hn::AllFalse(du, hn::Eq(least, hn::Zero(du)));
  if (HWY_UNLIKELY(found && !over_divisors)) {
    CountZeros(b, 0, job.n, row, *job.zeros);
  }
}

/// One row by a single divisor.
template <typename T>
HWY_INLINE void DivideRowByScalar(T* out, size_t row, Moving<T> dividends, T b,
                                  const Job& job) {
  if (HWY_UNLIKELY(b == 0)) NoteZeros(job.n, row, 0, *job.zeros);
  // MakeDivisor takes longer than the division of one vector, but not of bytes:
  // on a Zen 4, rows of 64 bytes take 0.7 of the time with MakeDivisor.
  if (LANEWISE_QUIET && sizeof(T) > 1 &&
      job.n <= hn::Lanes(hn::ScalableTag<T>())) {
    return ComputeRow(out, job.n, false, IntDiv<T>(), dividends, Fixed<T>{b});
  }
#if HWY_TARGET == HWY_AVX3_ZEN4
  if constexpr (std::is_same_v<T, QuotientsOfI8::T>) {
    if (job.n >= QuotientsOfI8::kLong) {
      return DivideLongRow(out, dividends, b, job);
    }
  }
#endif
  const auto divisor = MakeInvariant(b);
  using P = std::remove_const_t<decltype(divisor)>;
  if (divisor.increments) {
    const IntDivByInvariant<P, true> divide{divisor};
    ComputeRow(out, job.n, job.setup->stream, divide, dividends);
  } else {
    const IntDivByInvariant<P, false> divide{divisor};
    ComputeRow(out, job.n, job.setup->stream, divide, dividends);
  }
}

/// Many rows by one row of divisors, whose reciprocals are made once: in blocks
/// of columns, so that the reciprocals stay in L1 for the next row.
template <typename T>
HWY_INLINE void DivideRowsByRow(const Job& job) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  constexpr size_t kColumns = 2048 / sizeof(T);
  HWY_ALIGN T p0[kColumns];
  HWY_ALIGN T p1[kColumns];
  const T* b = static_cast<const T*>(job.in[1]);
  for (size_t begin = 0; begin < job.n; begin += kColumns) {
    const size_t n = HWY_MIN(kColumns, job.n - begin);
    // Prepared divisors belong to the lanes of one vector: whole ones only.
    const size_t whole = n - n % N;
    for (size_t i = 0; i < whole; i += N) {
      hn::VFromD<decltype(d)> v0, v1;
      PrepareDivisors<intdiv_detail::ReusedBy<T>()>(
          d, hn::LoadU(d, b + begin + i), v0, v1);
      hn::Store(v0, d, p0 + i);
      hn::Store(v1, d, p1 + i);
    }
    const bool has_zero = HasZero(b + begin, n);
    for (size_t row = 0; row < job.setup->rows; ++row) {
      if (HWY_UNLIKELY(has_zero)) {
        CountZeros(Moving<T>{b, 1}, begin, begin + n, row, *job.zeros);
      }
      const T* a = InRow<T>(job, 0, row) + begin;
      T* out = OutRow<T>(job, row) + begin;
      ComputeRow(out, whole, false, IntDivByPrepared<T>(), Moving<T>{a, 0},
                 Moving<T>{b + begin, 1}, Moving<T>{p0, 0}, Moving<T>{p1, 0});
      ComputeRow(out + whole, n - whole, false, IntDiv<T>(),
                 Moving<T>{a + whole, 0}, Moving<T>{b + begin + whole, 1});
    }
  }
}

template <typename T, int kPattern, Way kWay>
HWY_INLINE lw_status DivideRows(const Job& job) {
  if (kPattern == LW_SAME && job.setup->rows > 1 &&
      job.setup->in_step[1] == 0) {
    return RunJob(Kernel<DivideRowsByRow<T>>, job);
  }
  for (size_t row = 0; row < job.setup->rows; ++row) {
    T* out = OutRow<T>(job, row);
    const auto a = InputOf<T, kPattern, 0>(job, row, T{0});
    const auto b = InputOf<T, kPattern, 1>(job, row, T{1});
    if constexpr (kPattern == LW_SCALAR_B) {
      DivideRowByScalar(out, row, a, b.value, job);
    } else {
      DivideRow<kWay>(out, row, a, b, job);
    }
  }
  return LW_OK;
}

/// A job of a few vectors, as most calls on shapes and indices are.
template <typename T, int kPattern>
HWY_INLINE void DivideFew(const Job& job) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  // LoadSome puts a single divisor into one lane only, so that the lanes of
  // zero divisors can be counted.
  static_assert(kPartsAreQuick || !LANEWISE_QUIET);
  const auto dividends = InputOf<T, kPattern, 0>(job, 0, T{0});
  const auto divisors = InputOf<T, kPattern, 1>(job, 0, T{1});
  for (size_t i = 0; i < job.n; i += N) {
    const size_t n = HWY_MIN(N, job.n - i);
    const auto b = divisors.LoadSome(d, i, n);
    const auto q = TruncDiv(d, dividends.LoadSome(d, i, n), b);
    hn::StoreN(q, d, static_cast<T*>(job.out) + i, n);
    const auto zero = hn::Eq(b, hn::Zero(d));
    if (HWY_LIKELY(hn::AllFalse(d, zero))) continue;
    const size_t count = kPattern == LW_SCALAR_B ? n : hn::CountTrue(d, zero);
    NoteZeros(count, 0, i + hn::FindKnownFirstTrue(d, zero), *job.zeros);
  }
}

/// By the CPU's divider for integers, which takes one quotient at a time and
/// needs no control word: one row. On an Intel Xeon with AVX3_SPR, a
/// call with one element takes 0.55 to 0.8 of the time that it takes with
/// vectors. From Zen 3 on, AMD's divider takes as long for 64 bits as vectors
/// do on AVX2.
template <typename T, int kPattern>
HWY_INLINE void DivideOneByOne(const Job& job) {
  const auto dividends = InputOf<T, kPattern, 0>(job, 0, T{0});
  const auto divisors = InputOf<T, kPattern, 1>(job, 0, T{1});
  T* out = static_cast<T*>(job.out);
  for (size_t i = 0; i < job.n; ++i) {
    const T b = divisors.At(i);
    out[i] = Quotient(dividends.At(i), b);
    if (HWY_UNLIKELY(b == 0)) NoteZeros(1, 0, i, *job.zeros);
  }
}

/// Most quotients go through float lanes, which must round to nearest and not
/// trap. A division by a scalar is a multiplication of integers and needs no
/// floats. DivideRows stays out of line so that no lane moves across the
/// change.
template <typename T, int kPattern, Way kWay>
HWY_INLINE lw_status ComputeIntegers(const Job& job) {
  constexpr bool kOnlyIntegers =
      kPattern == LW_SCALAR_B && intdiv_detail::HasHalves<hn::ScalableTag<T>>();
  if constexpr (LANEWISE_QUIET) {
    // Before Ice Lake, Intel's divider takes 42 cycles or more for 64 bits
    // (from Agner Fog's tables, not measured).
    constexpr bool kQuick = sizeof(T) < 8 || HWY_TARGET <= HWY_AVX3_DL;
    if (kQuick && job.n == 1 && job.setup->rows == 1) {
      Job one = job;
      one.n = 1;  // known to the compiler, which makes no loop
      DivideOneByOne<T, LW_SAME>(one);  // all patterns are the same
      return LW_OK;
    }
    constexpr size_t kFew = 2;
    const bool is_short = job.n <= kFew * hn::Lanes(hn::ScalableTag<T>());
    if (is_short && job.setup->rows == 1) {
      return RunJob(Kernel<DivideFew<T, kPattern>>, job);
    }
  } else {
    constexpr bool kOneByOne = kWay == Way::kDivider && sizeof(T) == 8;
    constexpr size_t kFew = 4;
    const bool suits = job.n <= kFew || (kOneByOne && !job.setup->stream);
    if (suits && job.setup->rows == 1) {
      return RunJob(Kernel<DivideOneByOne<T, kPattern>>, job);
    }
  }
  // Vectors of 64 bits have one way.
  constexpr Way kOfRows = sizeof(T) == 8 ? Way::kUsual : kWay;
  constexpr KernelFn kDivideRows = Kernel<DivideRows<T, kPattern, kOfRows>>;
  if constexpr (LANEWISE_QUIET || kOnlyIntegers) {
    return RunJob(kDivideRows, job);
  } else {
    const FpEnv nearest(FpEnv::Default());
    return RunJob(kDivideRows, job);
  }
}
template <typename T, int kPattern, Way kWay = Way::kUsual>
constexpr KernelFn IntKernel = Kernel<ComputeIntegers<T, kPattern, kWay>>;

template <typename T>
constexpr PatternKernel kIntKernels[] = {
    {LW_SAME, IntKernel<T, LW_SAME>},
    {LW_SCALAR_B, IntKernel<T, LW_SCALAR_B>},
    {LW_SCALAR_A, IntKernel<T, LW_SCALAR_A>},
    // On an Intel Xeon, 32 bits take as long through tiles.
    Strided<sizeof(T) == 8 || kAllReadStrided>(
        [](auto any) { return IntKernel<T, any>; })};
#if HWY_TARGET == HWY_AVX2
/// One divisor for all elements is the same in both ways. Strided elements of
/// 64 bits are divided by vectors, too: on a Zen 4 limited to AVX2, the divider
/// took 0.93 (signed) and 1.05 of the time.
template <typename T>
constexpr PatternKernel kIntKernelsByDivider[] = {
    {LW_SAME, IntKernel<T, LW_SAME, Way::kDivider>},
    {LW_SCALAR_A, IntKernel<T, LW_SCALAR_A, Way::kDivider>},
    {kAnyStride,
     IntKernel<T, kAnyStride, sizeof(T) == 8 ? Way::kUsual : Way::kDivider>}};
#endif
template <typename T>
constexpr PatternKernel kFloatKernels[] = {
    {LW_SAME, kFloatKernel<T, LW_SAME>},
    {LW_SCALAR_B, kFloatKernel<T, LW_SCALAR_B>},
    {LW_SCALAR_A, kFloatKernel<T, LW_SCALAR_A>},
    {kAnyStride, kFloatKernel<T, kAnyStride>}};
constexpr PatternKernel kFloat16Kernels[] = {
    {LW_SAME, kFloat16Kernel<LW_SAME>},
    {LW_SCALAR_B, kFloat16Kernel<LW_SCALAR_B>},
    {LW_SCALAR_A, kFloat16Kernel<LW_SCALAR_A>},
    Strided<kAllReadStrided>([](auto any) { return kFloat16Kernel<any>; })};
constexpr PatternKernel kBFloat16Kernels[] = {
    {LW_SAME, kBFloat16Kernel<LW_SAME>},
    {LW_SCALAR_B, kBFloat16Kernel<LW_SCALAR_B>},
    {LW_SCALAR_A, kBFloat16Kernel<LW_SCALAR_A>},
    Strided<kAllReadStrided>([](auto any) { return kBFloat16Kernel<any>; })};

/// Measured on a Zen 5, a byte of 32-bit integers takes 2.1 times as long as a
/// byte of float32, of 64-bit integers 2.9 times; limited to AVX2, 3.4 and 10
/// times.
constexpr uint8_t kWeight32 = 2;
constexpr uint8_t kWeight64 = 4;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kFloat16Kernels},
    {1, LW_FLOAT32, kFloatKernels<float>},
    {1, LW_FLOAT64, kFloatKernels<double>},
    {6, LW_INT32, kIntKernels<int32_t>, Way::kUsual, kWeight32},
    {6, LW_INT64, kIntKernels<int64_t>, Way::kUsual, kWeight64},
    {6, LW_UINT32, kIntKernels<uint32_t>, Way::kUsual, kWeight32},
    {6, LW_UINT64, kIntKernels<uint64_t>, Way::kUsual, kWeight64},
    {13, LW_BFLOAT16, kBFloat16Kernels},
    {14, LW_INT8, kIntKernels<int8_t>},
    {14, LW_INT16, kIntKernels<int16_t>},
    {14, LW_UINT8, kIntKernels<uint8_t>},
    {14, LW_UINT16, kIntKernels<uint16_t>},
#if HWY_TARGET == HWY_AVX2
    {6, LW_INT32, kIntKernelsByDivider<int32_t>, Way::kDivider, kWeight32},
    {6, LW_INT64, kIntKernelsByDivider<int64_t>, Way::kDivider, kWeight64},
    {6, LW_UINT32, kIntKernelsByDivider<uint32_t>, Way::kDivider, kWeight32},
    {6, LW_UINT64, kIntKernelsByDivider<uint64_t>, Way::kDivider, kWeight64},
    {14, LW_INT16, kIntKernelsByDivider<int16_t>, Way::kDivider},
    {14, LW_UINT16, kIntKernelsByDivider<uint16_t>, Way::kDivider},
#endif
};
KernelEntries Kernels() { return kKernels; }

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Kernels);
constexpr int kVersions[] = {1, 6, 7, 13, 14};

}  // namespace

extern const Operator kOperator_div = {
    .name = "Div",
    .versions = kVersions,
    .forms = kArithmeticForms,
    .output = {"C"},
    .verified_opset = 28,
    .cost = CostClass::kDivision,
    .kernels =
        [](int64_t target) {
          return OnTarget(HWY_DISPATCH_TABLE(Kernels), target);
        },
    .reports_zero_divisors = true,
    .exact = true,
};

}  // namespace lanewise
#endif  // HWY_ONCE
