// SPDX-License-Identifier: Apache-2.0
//
// The loops that every operator shares: rows of elements in, rows out, at any
// lane count, length and alignment, in place or not. An operator brings a
// functor over one full vector of storage lanes:
//
//   struct Fn {
//     using T = float;                          // storage lanes
//     static constexpr size_t kUnroll = 4;      // vectors per iteration
//     static constexpr T kPadding = 0;          // computed in unused lanes
//     template <class D, class V>
//     HWY_INLINE V operator()(D d, V a[, V b]) const;
//   };
//
// kPow2 = -1 gives it half vectors. It may have other ways to the same bits,
// too. kBeside and Beside(d, ...): for so many vectors after each one of the
// first way, so that two parts of the CPU work at once. kPlain, IsPlain(d,
// v...) and Plain(d, v), with one input and kUnroll = 3: a quicker way for
// vectors that are all plain.
//
// A lane's result may depend on nothing but that lane: the bits of an element
// are then the same at every length, position and alignment.

#if defined(LANEWISE_KERNELS_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_LOOPS_INL_H_
#undef LANEWISE_KERNELS_LOOPS_INL_H_
#else
#define LANEWISE_KERNELS_LOOPS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/cache_control.h"  // Prefetch
#include "hwy/highway.h"
#include "kernels/fp_env.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// An operand with an element for each output.
template <typename T>
struct Moving {
  const T* p;
  T padding;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, size_t i) const {
    return hn::LoadU(d, p + i);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadFirst(D d, size_t n) const {
    return hn::LoadNOr(hn::Set(d, padding), d, p, n);
  }
  HWY_INLINE void Prefetch(size_t i) const { hwy::Prefetch(p + i); }
};

/// An operand that is one element for all outputs.
template <typename T>
struct Fixed {
  T value;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, size_t) const {
    return hn::Set(d, value);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadFirst(D d, size_t) const {
    return hn::Set(d, value);
  }
  HWY_INLINE void Prefetch(size_t) const {}
};

/// One vector in the quicker way that Fn may have for plain lanes, if they are.
template <class D, class Fn, class... V>
HWY_INLINE hn::VFromD<D> ComputeOne(D d, const Fn& fn, V... v) {
  if constexpr (requires { Fn::kPlain; }) {
    if (HWY_LIKELY(fn.IsPlain(d, v...))) return fn.Plain(d, v...);
  }
  return fn(d, v...);
}

/// Three vectors in that way. If some are not plain, nothing is done.
template <class D, class Fn, class In>
HWY_INLINE bool StorePlain(D d, typename Fn::T* out, size_t i, const Fn& fn,
                           const In& in) {
  static_assert(Fn::kUnroll == 3);
  const size_t N = hn::Lanes(d);
  const auto x0 = in.Load(d, i);
  const auto x1 = in.Load(d, i + N);
  const auto x2 = in.Load(d, i + 2 * N);
  if (HWY_UNLIKELY(!fn.IsPlain(d, x0, x1, x2))) return false;
  hn::StoreU(fn.Plain(d, x0), d, out + i);
  hn::StoreU(fn.Plain(d, x1), d, out + i + N);
  hn::StoreU(fn.Plain(d, x2), d, out + i + 2 * N);
  return true;
}

/// A row past the caches. The output is no input; what lies before its first
/// aligned vector and behind the last one is stored as usual, by vectors that
/// overlap those.
///
/// Several pages at a time, a cache line of each in turn, and the next ones
/// asked for ahead: the hardware's own prefetcher stops at the end of a page,
/// and more open pages keep more of the memory busy. Against one page after the
/// other that is worth 1.1x for copies and 1.5x for 32-bit integer division.
/// Half a line at a time would take 1.6 times as long.
template <class D, class Fn, class... In>
HWY_INLINE void StreamRow(D d, typename Fn::T* out, size_t n, const Fn& fn,
                          const In&... in) {
  const size_t N = hn::Lanes(d);
  const size_t bytes = N * sizeof(*out);
  size_t i = 0;
  if (const size_t ahead = reinterpret_cast<uintptr_t>(out) % bytes) {
    hn::StoreU(fn(d, in.Load(d, 0)...), d, out);
    i = (bytes - ahead) / sizeof(*out);
  }
  constexpr size_t kPage = 4096 / sizeof(*out);
  constexpr size_t kBlock = 4 * kPage;
  const size_t line = HWY_MAX(N, 64 / sizeof(*out));
  for (; reinterpret_cast<uintptr_t>(out + i) % 64 != 0 && i + N <= n; i += N) {
    hn::Stream(fn(d, in.Load(d, i)...), d, out + i);
  }
  for (; i + kBlock <= n && N <= kPage; i += kBlock) {
    for (size_t first = i; first < i + kPage; first += line) {
      for (size_t page = first; page < first + kBlock; page += kPage) {
        (in.Prefetch(page + kBlock), ...);
        for (size_t at = page; at < page + line; at += N) {
          if constexpr (requires { Fn::kBeside; }) {
            if ((at - page) / N % 2 != 0) {
              hn::Stream(fn.Beside(d, in.Load(d, at)...), d, out + at);
              continue;
            }
          }
          hn::Stream(ComputeOne(d, fn, in.Load(d, at)...), d, out + at);
        }
      }
    }
  }
  for (; i + N <= n; i += N) hn::Stream(fn(d, in.Load(d, i)...), d, out + i);
  if (i < n) hn::StoreU(fn(d, in.Load(d, n - N)...), d, out + n - N);
}

/// How much of a vector Fn takes at a time: 2^kPow2.
template <class Fn>
constexpr int Pow2Of() {
  if constexpr (requires { Fn::kPow2; }) return Fn::kPow2;
  return 0;
}

/// One row: out[i] = fn(in[i]...) for i < n.
template <class Fn, class... In>
HWY_INLINE void ComputeRow(typename Fn::T* out, size_t n, bool stream,
                           const Fn& fn, const In&... in) {
  const hn::ScalableTag<typename Fn::T, Pow2Of<Fn>()> d;
  const size_t N = hn::Lanes(d);
  if (HWY_UNLIKELY(n < N)) {
    if (n != 0) hn::StoreN(fn(d, in.LoadFirst(d, n)...), d, out, n);
    return;
  }

  if (HWY_UNLIKELY(stream)) return StreamRow(d, out, n, fn, in...);

  // A row that ends within a vector ends with a full vector that overlaps the
  // one before: cheaper than a partial store. It is computed up front because
  // in place the loop overwrites part of what it reads.
  const bool partial = n % N != 0;
  hn::VFromD<decltype(d)> last = hn::Zero(d);  // Undefined makes GCC warn
  if (partial) last = fn(d, in.Load(d, n - N)...);

  size_t i = 0;
  if constexpr (requires { Fn::kBeside; }) {
    // Out of the caches the memory is the limit, and a short loop has more
    // loads under way.
    constexpr size_t kMost = (size_t{2} << 20) / sizeof(*out);
    constexpr size_t kGroup = 1 + Fn::kBeside;
    for (; i + kGroup * N <= n && n <= kMost; i += kGroup * N) {
      hn::StoreU(fn(d, in.Load(d, i)...), d, out + i);
      HWY_UNROLL(4)
      for (size_t k = 1; k < kGroup; ++k) {
        hn::StoreU(fn.Beside(d, in.Load(d, i + k * N)...), d, out + i + k * N);
      }
    }
  }
  for (; i + Fn::kUnroll * N <= n; i += Fn::kUnroll * N) {
    if constexpr (requires { Fn::kPlain; }) {
      if (HWY_LIKELY(StorePlain(d, out, i, fn, in...))) continue;
    }
    HWY_UNROLL(8)
    for (size_t k = 0; k < Fn::kUnroll; ++k) {
      hn::StoreU(fn(d, in.Load(d, i + k * N)...), d, out + i + k * N);
    }
  }
  for (; i + N <= n; i += N) hn::StoreU(fn(d, in.Load(d, i)...), d, out + i);
  if (partial) hn::StoreU(last, d, out + n - N);
}

template <typename T>
HWY_INLINE const T* Row(const void* base, ptrdiff_t step, size_t row) {
  return reinterpret_cast<const T*>(static_cast<const char*>(base) +
                                    step * static_cast<ptrdiff_t>(row));
}
template <typename T>
HWY_INLINE T* Row(void* base, ptrdiff_t step, size_t row) {
  return reinterpret_cast<T*>(static_cast<char*>(base) +
                              step * static_cast<ptrdiff_t>(row));
}

/// The kernel of an operator with one input. Out of line, so that no lane moves
/// across a change of the rounding mode around it.
template <class Fn>
HWY_NOINLINE void Unary(Job& job) {
  using T = typename Fn::T;
  for (size_t row = 0; row < job.rows; ++row) {
    ComputeRow(Row<T>(job.out, job.out_step, row), job.n, job.stream, Fn(),
               Moving<T>{Row<T>(job.a, job.a_step, row), Fn::kPadding});
  }
}

/// The kernel of an operator with two inputs, for one of the three runs.
template <class Fn, lw_run kRun>
HWY_NOINLINE void Binary(Job& job) {
  using T = typename Fn::T;
  for (size_t row = 0; row < job.rows; ++row) {
    const T* a = Row<T>(job.a, job.a_step, row);
    const T* b = Row<T>(job.b, job.b_step, row);
    T* out = Row<T>(job.out, job.out_step, row);
    const Moving<T> moving_a{a, Fn::kPadding};
    const Moving<T> moving_b{b, Fn::kPadding};
    if constexpr (kRun == LW_SAME) {
      ComputeRow(out, job.n, job.stream, Fn(), moving_a, moving_b);
    } else if constexpr (kRun == LW_SCALAR_B) {
      ComputeRow(out, job.n, job.stream, Fn(), moving_a, Fixed<T>{*b});
    } else {
      ComputeRow(out, job.n, job.stream, Fn(), Fixed<T>{*a}, moving_b);
    }
  }
}

/// A kernel that is kFast in the default floating-point environment, and leaves
/// no flag behind; in any other, which is to be obeyed, it is kSlow. Both are
/// out of line, for the sake of what stands around them.
template <KernelFn kFast, KernelFn kSlow>
void ByEnvironment(Job& job) {
  if constexpr (kFast != kSlow) {
    const FpEnv::Word current = FpEnv::Current();
    if (HWY_LIKELY(current == FpEnv::Default())) {
      const FpEnv env(current);
      return kFast(job);
    }
  }
  kSlow(job);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_LOOPS_INL_H_
