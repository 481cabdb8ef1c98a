// SPDX-License-Identifier: Apache-2.0
//
// Div: y = a / b
//
// Versions 1 (float16, float32, float64), 6 and 7 (+ int32, int64, uint32,
// uint64), 13 (+ bfloat16), 14 (+ int8, int16, uint8, uint16).
// Floats: the IEEE quotient, correctly rounded in every type.
// Integers: truncated toward zero. A zero divisor gives 0 and is told to the
// runtime; MIN / -1 wraps to MIN. On every width and every instruction set.

#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/div.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/division-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/fp_env.h"
#include "kernels/intdiv-inl.h"
#include "kernels/invariant-inl.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {

template <typename TFloat>
struct FloatDiv {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;  // the divider is the limit
  // NaN / anything and anything / NaN raise no exception.
  static constexpr T kPadding = std::numeric_limits<T>::quiet_NaN();

  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Div(a, b);
  }
};

#if LANEWISE_MULTIPLIES
/// Of two vectors the divider takes one, meanwhile the other is multiplied.
template <typename TFloat>
struct FastFloatDiv : FloatDiv<TFloat> {
  static constexpr size_t kBeside = 1;

  template <class D, class V>
  HWY_INLINE V Beside(D d, V a, V b) const {
    V q;
    return HWY_LIKELY(TryQuotient(d, a, b, q)) ? q : (*this)(d, a, b);
  }
};

template <typename TFloat>
struct FloatDivByOne {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  T divisor;
  T reciprocal;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    const V b = hn::Set(d, divisor);
    const V y = hn::Set(d, reciprocal);
    V q;
    return HWY_LIKELY(TryQuotient(d, a, b, y, y, q)) ? q : hn::Div(a, b);
  }
};

/// By one divisor for each row, without the divider.
template <typename T>
HWY_NOINLINE void DivideFloatsByOne(Job& job) {
  const hn::CappedTag<T, 1> d;
  for (size_t row = 0; row < job.rows; ++row) {
    const Moving<T> a{Row<T>(job.a, job.a_step, row), 0};
    const T b = *Row<T>(job.b, job.b_step, row);
    T* out = Row<T>(job.out, job.out_step, row);
    if (hn::AllFalse(d, FarFromOne(d, hn::Set(d, b)))) {
      ComputeRow(out, job.n, job.stream, FloatDivByOne<T>{b, 1 / b}, a);
    } else {
      ComputeRow(out, job.n, job.stream, FloatDiv<T>(), a, Fixed<T>{b});
    }
  }
}

/// Of a 16-bit vector's halves the divider takes one.
struct FastFloat16Div : FloatDiv<float> {
  static constexpr size_t kBeside = 1;

  template <class D, class V>
  HWY_INLINE V Beside(D d, V a, V b) const {
    return QuotientFor16(d, a, b);
  }
};
struct NormalBFloat16Div : FloatDiv<float> {
  static constexpr size_t kBeside = 1;

  template <class DI, class VI>
  static HWY_INLINE hn::Mask<DI> Refuses(DI di, VI a, VI b) {
    return hn::Or(RefuseDividendBF16(di, a), RefuseDivisorBF16(di, b));
  }
  template <class D, class V>
  HWY_INLINE V Beside(D d, V a, V b) const {
    return QuotientForBF16(d, a, NearReciprocal(d, b));
  }
};
using DivBF16 = InBFloat16<NormalBFloat16Div, FloatDiv<float>>;
#else
template <typename TFloat>
using FastFloatDiv = FloatDiv<TFloat>;
using FastFloat16Div = FloatDiv<float>;
using DivBF16 = In16Bits<BFloat16, FloatDiv<float>>;
template <typename T>
void DivideFloatsByOne(Job& job) {
  Binary<FloatDiv<T>, LW_SCALAR_B>(job);
}
#endif  // LANEWISE_MULTIPLIES

/// By one divisor for all lanes, which is none of them.
struct BFloat16DivByOne {
  static constexpr size_t kUnroll = 4;
  static constexpr float kPadding = 0;
  float divisor;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return hn::Div(a, hn::Set(d, divisor));
  }
};
struct NormalBFloat16DivByOne {
  static constexpr size_t kUnroll = 4;
  static constexpr float kPadding = 0;
  float reciprocal;

  template <class DI, class VI>
  static HWY_INLINE hn::Mask<DI> Refuses(DI di, VI a) {
    return RefuseDividendBF16(di, a);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return QuotientForBF16(d, a, hn::Set(d, reciprocal));
  }
};

/// By one divisor for each row.
HWY_NOINLINE void DivideBFloat16ByOne(Job& job) {
  const hn::CappedTag<int16_t, 1> d;
  for (size_t row = 0; row < job.rows; ++row) {
    const Moving<uint16_t> a{Row<uint16_t>(job.a, job.a_step, row), 0};
    const uint16_t b = *Row<uint16_t>(job.b, job.b_step, row);
    const float divisor = hwy::BitCastScalar<float>(uint32_t{b} << 16);
    uint16_t* out = Row<uint16_t>(job.out, job.out_step, row);
    const In16Bits<BFloat16, BFloat16DivByOne> divide{{divisor}};
    const auto bits = hn::Set(d, static_cast<int16_t>(b));
    if (hn::AllFalse(d, RefuseDivisorBF16(d, bits))) {
      const InBFloat16<NormalBFloat16DivByOne, BFloat16DivByOne> multiply{
          {{1 / divisor}}, divide};
      ComputeRow(out, job.n, job.stream, multiply, a);
    } else {
      ComputeRow(out, job.n, job.stream, divide, a);
    }
  }
}

template <typename T, lw_run kRun>
constexpr KernelFn kFloatKernel =
    ByEnvironment<kRun == LW_SCALAR_B ? DivideFloatsByOne<T>
                                      : Binary<FastFloatDiv<T>, kRun>,
                  Binary<FloatDiv<T>, kRun>>;
template <lw_run kRun>
constexpr KernelFn kFloat16Kernel =
    ByEnvironment<Binary<InFloat16<FastFloat16Div>, kRun>,
                  Binary<InFloat16<FloatDiv<float>>, kRun>>;
template <lw_run kRun>
constexpr KernelFn kBFloat16Kernel =
    ByEnvironment<kRun == LW_SCALAR_B ? DivideBFloat16ByOne
                                      : Binary<DivBF16, kRun>,
                  Binary<In16Bits<BFloat16, FloatDiv<float>>, kRun>>;

template <typename TInt>
struct IntDiv {
  using T = TInt;
  static constexpr size_t kUnroll = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return TruncDiv(d, a, b);
  }
};

/// The same, and finds out whether there is a zero among the divisors: in the
/// same pass, because one of its own would read them from memory twice.
template <typename TInt, class M>
struct IntDivFinding {
  using T = TInt;
  static constexpr size_t kUnroll = 1;
  M& found;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    found = hn::Or(found, hn::Eq(b, hn::Zero(d)));
    return TruncDiv(d, a, b);
  }
};

template <typename TInt>
struct IntDivByPrepared {
  using T = TInt;
  static constexpr size_t kUnroll = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, V p0, V p1) const {
    return DivideByPrepared(d, a, b, p0, p1);
  }
};

template <typename TInt, bool kIncrement>
struct IntDivByInvariant {
  using T = TInt;
  static constexpr size_t kUnroll = 2;
  Divisor<T> divisor;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return DivideBy<kIncrement>(d, a, divisor);
  }
};

void NoteZeros(size_t count, size_t row, size_t first_column, Job& job) {
  if (job.zero_divisors == 0) {
    job.first_zero_row = row;
    job.first_zero_column = first_column;
  }
  job.zero_divisors += count;
}

/// Counts the zeros of b[begin, end), a part of `row`.
template <typename T>
void CountZeros(const T* b, size_t begin, size_t end, size_t row, Job& job) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  for (size_t i = begin; i < end; i += N) {
    const size_t n = HWY_MIN(N, end - i);
    const auto v = hn::LoadNOr(hn::Set(d, T{1}), d, b + i, n);
    const auto zero = hn::Eq(v, hn::Zero(d));
    const intptr_t first = hn::FindFirstTrue(d, zero);
    if (first < 0) continue;
    NoteZeros(hn::CountTrue(d, zero), row, i + static_cast<size_t>(first), job);
  }
}

/// Whether there is a zero in b[0, n): what is asked of every divisor, where
/// counting them is for the rare call that has one.
template <typename T>
HWY_INLINE bool HasZero(const T* b, size_t n) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  if (n < N) {
    const auto v = hn::LoadNOr(hn::Set(d, T{1}), d, b, n);
    return !hn::AllFalse(d, hn::Eq(v, zero));
  }
  auto found = hn::Eq(hn::LoadU(d, b + n - N), zero);
  for (size_t i = 0; i + N <= n; i += N) {
    found = hn::Or(found, hn::Eq(hn::LoadU(d, b + i), zero));
  }
  return !hn::AllFalse(d, found);
}

/// One row in place over its divisors, which are gone afterwards: each vector
/// of them is looked at before.
template <typename T, class InA>
HWY_INLINE void DivideOverDivisors(T* b, size_t row, InA a, Job& job) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= job.n; i += N) {
    const auto divisors = hn::LoadU(d, b + i);
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Eq(divisors, hn::Zero(d))))) {
      CountZeros(b, i, i + N, row, job);
    }
    hn::StoreU(TruncDiv(d, a.Load(d, i), divisors), d, b + i);
  }
  CountZeros(b, i, job.n, row, job);
  if constexpr (std::is_same_v<InA, Moving<T>>) a.p += i;
  ComputeRow(b + i, job.n - i, false, IntDiv<T>(), a, Moving<T>{b + i, 1});
}

/// One row by a vector of divisors.
template <typename T, class InA>
HWY_INLINE void DivideRow(T* out, size_t row, InA a, const T* b, Job& job) {
  if (HWY_UNLIKELY(b == out)) return DivideOverDivisors(out, row, a, job);
  const hn::ScalableTag<T> d;
  auto found = hn::MaskFalse(d);
  const IntDivFinding<T, decltype(found)> divide{found};
  ComputeRow(out, job.n, job.stream, divide, a, Moving<T>{b, 1});
  if (HWY_UNLIKELY(!hn::AllFalse(d, found))) CountZeros(b, 0, job.n, row, job);
}

/// One row by a single divisor.
template <typename T>
HWY_INLINE void DivideRowByOne(T* out, size_t row, const T* a, T b, Job& job) {
  if (HWY_UNLIKELY(b == 0)) NoteZeros(job.n, row, 0, job);
  const Divisor<T> divisor = MakeDivisor(b);
  const Moving<T> dividends{a, 0};
  if (divisor.increments) {
    const IntDivByInvariant<T, true> divide{divisor};
    ComputeRow(out, job.n, job.stream, divide, dividends);
  } else {
    const IntDivByInvariant<T, false> divide{divisor};
    ComputeRow(out, job.n, job.stream, divide, dividends);
  }
}

/// Many rows by one row of divisors, whose reciprocals are made once: in blocks
/// of columns, so that they wait in L1 for the next row.
template <typename T>
void DivideRowsByRow(Job& job) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  constexpr size_t kColumns = 2048 / sizeof(T);
  HWY_ALIGN T p0[kColumns];
  HWY_ALIGN T p1[kColumns];
  const T* b = static_cast<const T*>(job.b);
  for (size_t begin = 0; begin < job.n; begin += kColumns) {
    const size_t n = HWY_MIN(kColumns, job.n - begin);
    // Prepared divisors belong to the lanes of one vector: whole ones only.
    const size_t whole = n - n % N;
    for (size_t i = 0; i < whole; i += N) {
      hn::VFromD<decltype(d)> v0, v1;
      PrepareDivisors(d, hn::LoadU(d, b + begin + i), v0, v1);
      hn::Store(v0, d, p0 + i);
      hn::Store(v1, d, p1 + i);
    }
    const bool has_zero = HasZero(b + begin, n);
    for (size_t row = 0; row < job.rows; ++row) {
      if (HWY_UNLIKELY(has_zero)) CountZeros(b, begin, begin + n, row, job);
      const T* a = Row<T>(job.a, job.a_step, row) + begin;
      T* out = Row<T>(job.out, job.out_step, row) + begin;
      ComputeRow(out, whole, false, IntDivByPrepared<T>(), Moving<T>{a, 0},
                 Moving<T>{b + begin, 1}, Moving<T>{p0, 0}, Moving<T>{p1, 0});
      ComputeRow(out + whole, n - whole, false, IntDiv<T>(),
                 Moving<T>{a + whole, 0}, Moving<T>{b + begin + whole, 1});
    }
  }
}

template <typename T, lw_run kRun>
HWY_NOINLINE void DivideRows(Job& job) {
  if (kRun == LW_SAME && job.rows > 1 && job.b_step == 0) {
    return DivideRowsByRow<T>(job);
  }
  for (size_t row = 0; row < job.rows; ++row) {
    const T* a = Row<T>(job.a, job.a_step, row);
    const T* b = Row<T>(job.b, job.b_step, row);
    T* out = Row<T>(job.out, job.out_step, row);
    if constexpr (kRun == LW_SAME) {
      DivideRow(out, row, Moving<T>{a, 0}, b, job);
    } else if constexpr (kRun == LW_SCALAR_B) {
      DivideRowByOne(out, row, a, *b, job);
    } else {
      DivideRow(out, row, Fixed<T>{*a}, b, job);
    }
  }
}

/// Quotients go through float lanes, which must round to nearest and not trap.
/// DivideRows stays out of line so that no lane moves across the change.
template <typename T, lw_run kRun>
void IntKernel(Job& job) {
  const FpEnv quiet(FpEnv::Default());
  DivideRows<T, kRun>(job);
}

constexpr KernelRow kRows[] = {
    {1, LW_FLOAT16, LW_SAME, kFloat16Kernel<LW_SAME>},
    {1, LW_FLOAT16, LW_SCALAR_B, kFloat16Kernel<LW_SCALAR_B>},
    {1, LW_FLOAT16, LW_SCALAR_A, kFloat16Kernel<LW_SCALAR_A>},
    {1, LW_FLOAT32, LW_SAME, kFloatKernel<float, LW_SAME>},
    {1, LW_FLOAT32, LW_SCALAR_B, kFloatKernel<float, LW_SCALAR_B>},
    {1, LW_FLOAT32, LW_SCALAR_A, kFloatKernel<float, LW_SCALAR_A>},
    {1, LW_FLOAT64, LW_SAME, kFloatKernel<double, LW_SAME>},
    {1, LW_FLOAT64, LW_SCALAR_B, kFloatKernel<double, LW_SCALAR_B>},
    {1, LW_FLOAT64, LW_SCALAR_A, kFloatKernel<double, LW_SCALAR_A>},
    {6, LW_INT32, LW_SAME, IntKernel<int32_t, LW_SAME>},
    {6, LW_INT32, LW_SCALAR_B, IntKernel<int32_t, LW_SCALAR_B>},
    {6, LW_INT32, LW_SCALAR_A, IntKernel<int32_t, LW_SCALAR_A>},
    {6, LW_INT64, LW_SAME, IntKernel<int64_t, LW_SAME>},
    {6, LW_INT64, LW_SCALAR_B, IntKernel<int64_t, LW_SCALAR_B>},
    {6, LW_INT64, LW_SCALAR_A, IntKernel<int64_t, LW_SCALAR_A>},
    {6, LW_UINT32, LW_SAME, IntKernel<uint32_t, LW_SAME>},
    {6, LW_UINT32, LW_SCALAR_B, IntKernel<uint32_t, LW_SCALAR_B>},
    {6, LW_UINT32, LW_SCALAR_A, IntKernel<uint32_t, LW_SCALAR_A>},
    {6, LW_UINT64, LW_SAME, IntKernel<uint64_t, LW_SAME>},
    {6, LW_UINT64, LW_SCALAR_B, IntKernel<uint64_t, LW_SCALAR_B>},
    {6, LW_UINT64, LW_SCALAR_A, IntKernel<uint64_t, LW_SCALAR_A>},
    {13, LW_BFLOAT16, LW_SAME, kBFloat16Kernel<LW_SAME>},
    {13, LW_BFLOAT16, LW_SCALAR_B, kBFloat16Kernel<LW_SCALAR_B>},
    {13, LW_BFLOAT16, LW_SCALAR_A, kBFloat16Kernel<LW_SCALAR_A>},
    {14, LW_INT8, LW_SAME, IntKernel<int8_t, LW_SAME>},
    {14, LW_INT8, LW_SCALAR_B, IntKernel<int8_t, LW_SCALAR_B>},
    {14, LW_INT8, LW_SCALAR_A, IntKernel<int8_t, LW_SCALAR_A>},
    {14, LW_INT16, LW_SAME, IntKernel<int16_t, LW_SAME>},
    {14, LW_INT16, LW_SCALAR_B, IntKernel<int16_t, LW_SCALAR_B>},
    {14, LW_INT16, LW_SCALAR_A, IntKernel<int16_t, LW_SCALAR_A>},
    {14, LW_UINT8, LW_SAME, IntKernel<uint8_t, LW_SAME>},
    {14, LW_UINT8, LW_SCALAR_B, IntKernel<uint8_t, LW_SCALAR_B>},
    {14, LW_UINT8, LW_SCALAR_A, IntKernel<uint8_t, LW_SCALAR_A>},
    {14, LW_UINT16, LW_SAME, IntKernel<uint16_t, LW_SAME>},
    {14, LW_UINT16, LW_SCALAR_B, IntKernel<uint16_t, LW_SCALAR_B>},
    {14, LW_UINT16, LW_SCALAR_A, IntKernel<uint16_t, LW_SCALAR_A>},
};
KernelRows Rows() { return kRows; }

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Rows);
constexpr int kVersions[] = {1, 6, 7, 13, 14};

}  // namespace

extern const Operator kOperator_div = {
    "Div", kVersions, Form::kBinary, Work::kDivision,
    [](int64_t target) { return OnTarget(HWY_DISPATCH_TABLE(Rows), target); }};

}  // namespace lanewise
#endif  // HWY_ONCE
