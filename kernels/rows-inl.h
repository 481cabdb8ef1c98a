// SPDX-License-Identifier: Apache-2.0
//
// The loops that all operators share, for one row: at any lane count, length
// and alignment, in place or not. An operator brings a functor over one full
// vector of storage lanes:
//
//   struct Fn {
//     using T = float;                          // lanes of the output
//     static constexpr size_t kUnroll = 4;      // vectors per iteration
//     static constexpr T kPadding = 0;          // computed in unused lanes
//     template <class D, class... V>
//     HWY_INLINE hn::VFromD<D> operator()(D d, V... inputs) const;
//   };
//
// An input may have lanes of another type (Where's condition). It then has as
// many lanes, of its own type. Optional members change how vectors are
// computed, not what they hold:
//   kAlternates, Alternative(d, v...)
//       A second way to the same bits. The loop computes kAlternates vectors by
//       Alternative after each vector by operator(), so that two parts of the
//       CPU (the divider and the multipliers) work at once.
//   kHasShortcut, TakesShortcut(d, v...), Shortcut(d, v)
//       A quicker way for vectors of ordinary values, with one input and
//       kUnroll = 3. Div by one number has one, and Exp, because results that
//       are normal numbers need no care for overflow and underflow.
//   kTakesHalves
//       The functor can take half vectors, too, which short rows are made of.
//       On AVX-512, several rows of whole vectors have a kernel of their own.
//   kConverts
//       The lanes are 16-bit floats, computed in float32.
//   kPow2 = -1
//       The functor takes half vectors only. float16 does on some CPUs, because
//       its conversions then go from memory and to memory.
//
// A lane's result may depend on nothing but that lane: the bits of an element
// are then the same at every length, position and alignment.

#if defined(LANEWISE_KERNELS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ROWS_INL_H_
#undef LANEWISE_KERNELS_ROWS_INL_H_
#else
#define LANEWISE_KERNELS_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/operands-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One vector, by the shortcut of Fn if all lanes allow the shortcut.
template <class D, class Fn, class... V>
HWY_INLINE hn::VFromD<D> ComputeOne(D d, const Fn& fn, V... v) {
  if constexpr (requires { Fn::kHasShortcut; }) {
    if (HWY_LIKELY(fn.TakesShortcut(d, v...))) return fn.Shortcut(d, v...);
  }
  return fn(d, v...);
}

/// Three vectors by the shortcut. False, without a store, if a lane does not
/// allow the shortcut.
template <class D, class Fn, class In>
HWY_INLINE bool StoreByShortcut(D d, typename Fn::T* out, size_t i,
                                const Fn& fn, const In& in) {
  static_assert(Fn::kUnroll == 3);
  const size_t N = hn::Lanes(d);
  const auto x0 = in.Load(d, i);
  const auto x1 = in.Load(d, i + N);
  const auto x2 = in.Load(d, i + 2 * N);
  if (HWY_UNLIKELY(!fn.TakesShortcut(d, x0, x1, x2))) return false;
  hn::StoreU(fn.Shortcut(d, x0), d, out + i);
  hn::StoreU(fn.Shortcut(d, x1), d, out + i + N);
  hn::StoreU(fn.Shortcut(d, x2), d, out + i + 2 * N);
  return true;
}

/// A row past the caches. The output is no input. What lies before the first
/// aligned vector and behind the last one is stored as usual, by vectors that
/// overlap those. The inputs are asked for ahead, because the hardware's own
/// prefetcher stops at the end of each page.
template <class D, class Fn, class... In>
HWY_INLINE void StreamRow(D d, typename Fn::T* out, size_t n, const Fn& fn,
                          const In&... in) {
  const size_t N = hn::Lanes(d);
  const size_t bytes = N * sizeof(*out);
  constexpr size_t kAhead = 1024 / sizeof(*out);
  size_t i = 0;
  if (const size_t ahead = reinterpret_cast<uintptr_t>(out) % bytes) {
    hn::StoreU(fn(d, in.Load(d, 0)...), d, out);
    i = (bytes - ahead) / sizeof(*out);
  }
  for (; i + N <= n; i += N) {
    (in.Prefetch(i + kAhead), ...);
    hn::Stream(ComputeOne(d, fn, in.Load(d, i)...), d, out + i);
  }
  if (i < n) hn::StoreU(fn(d, in.Load(d, n - N)...), d, out + n - N);
}

/// Out of line, so that other rows do not save the registers that StreamRow
/// takes.
template <class D, class Fn, class... In>
static HWY_NOINLINE void StreamRowApart(D d, typename Fn::T* out, size_t n,
                                        Fn fn, In... in) {
  StreamRow(d, out, n, fn, in...);
}

/// How much of a vector Fn takes at a time: 2^kPow2.
template <class Fn>
constexpr int Pow2Of() {
  if constexpr (requires { Fn::kPow2; }) return Fn::kPow2;
  return 0;
}
template <class Fn>
using LanesOf = hn::ScalableTag<typename Fn::T, Pow2Of<Fn>()>;

/// A row that is shorter than a vector.
template <class D, class Fn, class... In>
HWY_INLINE void ComputeShortRow(D d, typename Fn::T* out, size_t n,
                                const Fn& fn, const In&... in) {
  if constexpr (kHalvesAreQuick && requires { Fn::kTakesHalves; }) {
    const hn::Half<D> half;
    const size_t N = hn::Lanes(half);
    if (n >= N) {  // two that overlap
      const auto last = fn(half, in.Load(half, n - N)...);
      hn::StoreU(fn(half, in.Load(half, 0)...), half, out);
      hn::StoreU(last, half, out + n - N);
      return;
    }
  }
  if (n != 0) StoreFirst(fn(d, in.LoadFirst(d, n)...), d, out, n);
}

/// A row of one vector or two, without the jumps of the loops: rows of 64 to
/// 128 bytes are frequent.
template <class D, class Fn, class... In>
HWY_INLINE void ComputeOneOrTwo(D d, typename Fn::T* out, size_t n,
                                const Fn& fn, const In&... in) {
  const size_t N = hn::Lanes(d);
  const auto first = fn(d, in.Load(d, 0)...);
  if (HWY_LIKELY(n == N)) return hn::StoreU(first, d, out);
  // Two that overlap: the second is computed first, as in place the first store
  // overwrites part of what the second vector reads.
  const auto last = fn(d, in.Load(d, n - N)...);
  hn::StoreU(first, d, out);
  hn::StoreU(last, d, out + n - N);
}

/// One row: out[i] = fn(in[i]...) for i < n.
template <class Fn, class... In>
HWY_INLINE void ComputeRow(typename Fn::T* out, size_t n, bool stream,
                           const Fn& fn, const In&... in) {
  const LanesOf<Fn> d;
  const size_t N = hn::Lanes(d);
  if (HWY_UNLIKELY(n < N)) return ComputeShortRow(d, out, n, fn, in...);

  if (HWY_UNLIKELY(stream)) {
    return StreamRowApart(d, out, n, fn, in...);
  }

  if constexpr (kPartsAreQuick && requires { Fn::kTakesHalves; }) {
    if (n <= 2 * N) return ComputeOneOrTwo(d, out, n, fn, in...);
  }

  // A row that ends within a vector ends with a full vector that overlaps the
  // one before: cheaper than a partial store. It is computed up front because
  // in place the loop overwrites part of what it reads.
  const bool partial = n % N != 0;
  hn::VFromD<decltype(d)> last = hn::Zero(d);  // Undefined makes GCC warn
  if (partial) last = fn(d, in.Load(d, n - N)...);

  size_t i = 0;
  if constexpr (requires { Fn::kAlternates; }) {
    // Beyond the caches memory is the limit, and the shorter loop below keeps
    // more loads in flight.
    constexpr size_t kMost = (size_t{2} << 20) / sizeof(*out);
    constexpr size_t kGroup = 1 + Fn::kAlternates;
    for (; i + kGroup * N <= n && n <= kMost; i += kGroup * N) {
      hn::StoreU(fn(d, in.Load(d, i)...), d, out + i);
      HWY_UNROLL(4)
      for (size_t k = 1; k < kGroup; ++k) {
        hn::StoreU(fn.Alternative(d, in.Load(d, i + k * N)...), d,
                   out + i + k * N);
      }
    }
  }
  for (; i + Fn::kUnroll * N <= n; i += Fn::kUnroll * N) {
    if constexpr (requires { Fn::kHasShortcut; }) {
      if (HWY_LIKELY(StoreByShortcut(d, out, i, fn, in...))) continue;
    }
    HWY_UNROLL(8)
    for (size_t k = 0; k < Fn::kUnroll; ++k) {
      hn::StoreU(fn(d, in.Load(d, i + k * N)...), d, out + i + k * N);
    }
  }
  for (; Fn::kUnroll > 1 && i + N <= n; i += N) {
    hn::StoreU(fn(d, in.Load(d, i)...), d, out + i);
  }
  if (partial) hn::StoreU(last, d, out + n - N);
}

/// One row whose inputs have strides: one loop for all strides, streamed or
/// not, because such rows are not worth the bytes of the loops above.
template <class Fn, HasStride... In>
HWY_INLINE void ComputeRow(typename Fn::T* out, size_t n, bool stream,
                           const Fn& fn, const In&... in) {
  const LanesOf<Fn> d;
  const size_t N = hn::Lanes(d);
  // As above, the last vector overlaps the one before and is computed up front.
  const size_t rest = HWY_MIN(n, N);
  const auto last = fn(d, in.LoadSome(d, n - rest, rest)...);
  if (HWY_UNLIKELY(n <= N)) return hn::StoreN(last, d, out, n);

  size_t i = 0;
  if constexpr (requires { Fn::kHasShortcut; }) {
    for (; i + 3 * N < n && !stream; i += 3 * N) {
      if (HWY_LIKELY(StoreByShortcut(d, out, i, fn, in...))) continue;
      HWY_UNROLL(3)
      for (size_t at = i; at < i + 3 * N; at += N) {
        hn::StoreU(fn(d, in.Load(d, at)...), d, out + at);
      }
    }
  }
  // The second vector starts where the output is aligned.
  const size_t ahead = reinterpret_cast<uintptr_t>(out) / sizeof(*out) % N;
  size_t step = stream ? N - ahead : N;
  for (; i + N < n; i += step, step = N) {
    const auto v = ComputeOne(d, fn, in.Load(d, i)...);
    if (stream && i != 0) {
      hn::Stream(v, d, out + i);
    } else {
      hn::StoreU(v, d, out + i);
    }
  }
  hn::StoreU(last, d, out + n - N);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_ROWS_INL_H_
