// SPDX-License-Identifier: Apache-2.0
//
// Div and Mod of integers: the rows of a job, and the zero divisors that are
// reported.
// How lanes are divided: intdiv-inl.h, invariant-inl.h.

#if defined(LANEWISE_KERNELS_DIVISION_INTDIV_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_DIVISION_INTDIV_ROWS_INL_H_
#undef LANEWISE_KERNELS_DIVISION_INTDIV_ROWS_INL_H_
#else
#define LANEWISE_KERNELS_DIVISION_INTDIV_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/division/intdiv-inl.h"
#include "kernels/division/invariant-inl.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What Div makes of a quotient: the result. Mod has a functor of its own.
struct KeepQuotient {
  static constexpr bool kStreams = true;

  template <class D, class V>
  HWY_INLINE V operator()(D /*d*/, V /*a*/, V /*b*/, V q) const {
    return q;
  }
};

template <typename TInt, Way kWay = Way::kUsual, class Finish = KeepQuotient>
struct IntDiv {
  using T = TInt;
  static constexpr size_t kUnroll = 1;
  Finish finish;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return finish(d, a, b, TruncDiv<kWay>(d, a, b));
  }
};

/// Like IntDiv; also keeps the least divisor of each lane, taken as unsigned
/// numbers: 0 if there was a 0. A second pass would read the divisors from
/// memory twice. `least` is a vector because GCC moves masks through general
/// registers, which took longer than the division.
template <typename TInt, Way kWay, class VInt, class Finish>
struct IntDivFinding {
  using T = TInt;
  static constexpr size_t kUnroll = 1;
  VInt& least;
  Finish finish;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const hn::RebindToUnsigned<D> du;
    least = hn::Min(least, hn::BitCast(du, b));
    return finish(d, a, b, TruncDiv<kWay>(d, a, b));
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

static void NoteZeros(size_t count, size_t row, size_t first_column,
                      Zeros& zeros) {
  if (zeros.count == 0) {
    zeros.first_row = row;
    zeros.first_column = first_column;
  }
  zeros.count += count;
}

/// Counts the zeros of b's elements [begin, end), a part of `row`.
template <class InB>
static void CountZeros(InB b, size_t begin, size_t end, size_t row,
                       Zeros& zeros) {
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

/// One row by a row of divisors.
template <Way kWay, typename T, class InA, class InB,
          class Finish = KeepQuotient>
HWY_INLINE void DivideRow(T* out, size_t row, InA a, InB b, const Job& job,
                          const Finish& finish = {}) {
  const bool over_divisors = b.p == out;
  // Zeros are counted before quotients overwrite the divisors.
  if (HWY_UNLIKELY(over_divisors)) CountZeros(b, 0, job.n, row, *job.zeros);
  const hn::ScalableTag<T> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  auto least = hn::Set(du, 1);
  const IntDivFinding<T, kWay, decltype(least), Finish> divide{least, finish};
  ComputeRow(out, job.n, Finish::kStreams && job.setup->stream, divide, a, b);
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
  // MakeDivisor takes longer than the division of one vector, but not of bytes.
  if (LANEWISE_QUIET && sizeof(T) > 1 &&
      job.n <= hn::Lanes(hn::ScalableTag<T>())) {
    return ComputeRow(out, job.n, false, IntDiv<T>(), dividends, Fixed<T>{b});
  }
  const Divisor<T> divisor = MakeDivisor(b);
  if (divisor.increments) {
    const IntDivByInvariant<T, true> divide{divisor};
    ComputeRow(out, job.n, job.setup->stream, divide, dividends);
  } else {
    const IntDivByInvariant<T, false> divide{divisor};
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

/// Notes the zeros among the divisors of a short row, if there are any.
/// `suspects` has a lane that is 0 exactly if a divisor is 0.
template <int kPattern, class V, class InB>
HWY_INLINE void NoteZerosOfFew(V suspects, InB b, const Job& job) {
  const hn::DFromV<V> d;
  if (HWY_LIKELY(hn::AllFalse(d, hn::Eq(suspects, hn::Zero(d))))) return;
  if constexpr (kPattern == LW_SCALAR_B) {
    NoteZeros(job.n, 0, 0, *job.zeros);
  } else {
    CountZeros(b, 0, job.n, 0, *job.zeros);
  }
}

/// A job of up to two vectors, as most calls on shapes and indices are.
template <typename T, int kPattern>
HWY_INLINE void DivideFew(const Job& job) {
  const hn::ScalableTag<T> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const size_t N = hn::Lanes(d);
  const auto dividends = InputOf<T, kPattern, 0>(job, 0, T{0});
  const auto divisors = InputOf<T, kPattern, 1>(job, 0, T{1});
  T* out = static_cast<T*>(job.out);
  if (job.n <= N) {
    const auto b = divisors.LoadSome(d, 0, job.n);
    const auto q = TruncDiv(d, dividends.LoadSome(d, 0, job.n), b);
    NoteZerosOfFew<kPattern>(b, divisors, job);
    return hn::StoreN(q, d, out, job.n);
  }
  // Two vectors that overlap. Zeros are counted before quotients overwrite the
  // divisors.
  const size_t second = job.n - N;
  const auto b0 = divisors.LoadSome(d, 0, N);
  const auto b1 = divisors.LoadSome(d, second, N);
  const auto q0 = TruncDiv(d, dividends.LoadSome(d, 0, N), b0);
  const auto q1 = TruncDiv(d, dividends.LoadSome(d, second, N), b1);
  NoteZerosOfFew<kPattern>(hn::Min(hn::BitCast(du, b0), hn::BitCast(du, b1)),
                           divisors, job);
  hn::StoreU(q0, d, out);
  hn::StoreU(q1, d, out + second);
}

/// By the CPU's divider for integers, which takes one quotient at a time and
/// needs no control word: one row of a few elements. From Zen 3 on, AMD's
/// divider takes as long for 64 bits as vectors do on AVX2.
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

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_DIVISION_INTDIV_ROWS_INL_H_
