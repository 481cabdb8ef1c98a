// SPDX-License-Identifier: Apache-2.0
//
// How kernels are made of functors, which rows-inl.h describes: the loop over a
// job's rows, and the floating-point environment.

#if defined(LANEWISE_KERNELS_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_LOOPS_INL_H_
#undef LANEWISE_KERNELS_LOOPS_INL_H_
#else
#define LANEWISE_KERNELS_LOOPS_INL_H_
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

#include "hwy/highway.h"
#include "kernels/fp_env.h"
#include "kernels/kernel.h"
#include "kernels/operands-inl.h"
#include "kernels/rows-inl.h"
#include "kernels/steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One row. kStream is known before the loop over rows, so that kernels need
/// not save the registers that StreamRow takes: stores are most of a call of a
/// few elements.
template <bool kStream, class Fn, class... In>
HWY_INLINE void ComputeOrStreamRow(const Job& job, char* out, size_t n,
                                   const Fn& fn, const In&... in) {
  auto* elements = reinterpret_cast<typename Fn::T*>(out);
  if constexpr ((HasStride<In> || ...)) {
    ComputeRow(elements, n, job.setup->stream, fn, in...);
  } else if constexpr (kStream) {
    StreamRow(LanesOf<Fn>(), elements, n, fn, in...);
  } else {
    ComputeRow(elements, n, false, fn, in...);
  }
}

/// Whether a vector of results is long enough for stores past the caches.
template <class Fn>
constexpr bool kStreams = HWY_MAX_LANES_D(LanesOf<Fn>) *
                              sizeof(typename Fn::T) >=
                          16;

/// Rows of less than a vector are stored as usual.
template <class Fn>
HWY_INLINE bool MayStream(const Job& job) {
  return kStreams<Fn> && job.setup->stream && job.n >= hn::Lanes(LanesOf<Fn>());
}
/// Whether a job is one row of less than a vector, which leaves before the
/// loops.
template <class Fn>
HWY_INLINE bool IsShort(const Job& job) {
  return kPartsAreQuick && job.n < hn::Lanes(LanesOf<Fn>()) &&
         job.setup->rows == 1;
}

template <int kPattern, bool kStream, class Fn>
HWY_INLINE void UnaryRows(const Fn& fn, const Job& job) {
  using T = typename Fn::T;
  ForEachRow<1>(job, [&](char* out, size_t n, const char* const* in) HWY_ATTR {
    const T* p = reinterpret_cast<const T*>(in[0]);
    if constexpr (kPattern == kAnyStride) {
      ComputeOrStreamRow<kStream>(job, out, n, fn,
                                  EverySecond<T>{p, Fn::kPadding});
    } else {
      ComputeOrStreamRow<kStream>(job, out, n, fn, Moving<T>{p, Fn::kPadding});
    }
  });
}
template <class Fn, int kPattern, bool kStream, typename... TIn, size_t... k>
HWY_INLINE void RowsOf(std::index_sequence<k...> /*inputs*/, const Job& job) {
  ForEachRow<sizeof...(k)>(
      job, [&](char* out, size_t n, const char* const* in) HWY_ATTR {
        ComputeOrStreamRow<kStream>(
            job, out, n, Fn(),
            InputAt<TIn, kPattern, k>(job, in[k], TIn{Fn::kPadding})...);
      });
}
template <class Fn, class... In>
HWY_INLINE void ComputeVectorRow(char* out, size_t n, const In&... in) {
  const LanesOf<Fn> d;
  ForEachVector(d, n, [&](size_t i) HWY_ATTR {
    hn::StoreU(Fn()(d, in.Load(d, i)...), d,
               reinterpret_cast<typename Fn::T*>(out) + i);
  });
}
template <class Fn, int kPattern, typename... TIn, size_t... k>
HWY_INLINE void VectorRowsOf(std::index_sequence<k...> /*inputs*/,
                             const Job& job) {
  ForEachVectorRow<sizeof...(k)>(
      job, [&, n = job.n](char* out, const char* const* in) HWY_ATTR {
        ComputeVectorRow<Fn>(
            out, n,
            InputAt<TIn, kPattern, k>(job, in[k], TIn{Fn::kPadding})...);
      });
}
/// Rows of a few whole vectors each.
template <class Fn, int kPattern, typename... TIn>
HWY_INLINE void VectorRows(const Job& job) {
  VectorRowsOf<Fn, kPattern, TIn...>(std::index_sequence_for<TIn...>(), job);
}
template <class Fn, int kPattern, bool kStream, typename... TIn>
HWY_INLINE void Rows(const Job& job) {
  RowsOf<Fn, kPattern, kStream, TIn...>(std::index_sequence_for<TIn...>(), job);
}
/// Takes the words of a job, which are in registers.
template <class Fn>
static HWY_NOINLINE lw_status StreamUnary(const Setup* setup,
                                          const void* const* in, void* out,
                                          size_t n, Fn fn) noexcept {
  UnaryRows<LW_SAME, true>(fn, {setup, in, out, n, nullptr});
  return LW_OK;
}

/// The kernel that calls kCompute, which must be inlined: the job then stays in
/// registers. kCompute returns nothing, or what another kernel returned. Out of
/// line, so that no lane moves across a change of the rounding mode around a
/// kernel. Static, as are the functions above and below: long names of shared
/// functions were a twentieth of the library.
template <auto kCompute>
static HWY_NOINLINE lw_status Kernel(const Setup* setup, const void* const* in,
                                     void* out, size_t n,
                                     Zeros* zeros) noexcept {
  const Job job = {setup, in, out, n, zeros};
  if constexpr (std::is_void_v<decltype(kCompute(job))>) {
    kCompute(job);
    return LW_OK;
  } else {
    return kCompute(job);
  }
}

/// The kernel of an operator with one input, and a functor that holds values.
template <int kPattern = LW_SAME, class Fn>
HWY_INLINE lw_status UnaryBy(const Fn& fn, const Job& job) {
  if constexpr (kPattern != kAnyStride) {
    using T = typename Fn::T;
    if constexpr (kHasStep<Fn, T>) {
      if (HWY_UNLIKELY(job.n == 0)) {
        return GiveStep<T>(job.setup->request, fn);
      }
    }
    if (HWY_UNLIKELY(MayStream<Fn>(job))) {
      return StreamUnary(job.setup, job.in, job.out, job.n, fn);
    }
    if (IsShort<Fn>(job)) {
      ComputeShortRow(LanesOf<Fn>(), static_cast<T*>(job.out), job.n, fn,
                      Moving<T>{InRow<T>(job, 0, 0), Fn::kPadding});
      return LW_OK;
    }
  }
  UnaryRows<kPattern, false>(fn, job);
  return LW_OK;
}

template <class Fn, int kPattern>
HWY_INLINE lw_status ComputeUnary(const Job& job) {
  return UnaryBy<kPattern>(Fn(), job);
}
/// The kernel of an operator with one input.
template <class Fn, int kPattern = LW_SAME>
constexpr KernelFn Unary = Kernel<ComputeUnary<Fn, kPattern>>;
/// The same for contiguous rows, and for rows of every second element.
template <class Fn>
constexpr PatternKernel kUnaryPatterns[] = {
    {LW_SAME, Unary<Fn>},
    Strided<kAllReadStrided>([](auto any) { return Unary<Fn, any>; })};

template <class Fn, int kPattern, typename... TIn, size_t... k>
HWY_INLINE void ShortRowOf(std::index_sequence<k...> /*inputs*/,
                           const Job& job) {
  ComputeShortRow(LanesOf<Fn>(), static_cast<typename Fn::T*>(job.out), job.n,
                  Fn(),
                  InputOf<TIn, kPattern, k>(job, 0, TIn{Fn::kPadding})...);
}
template <class Fn, int kPattern, typename... TIn>
HWY_INLINE lw_status ComputeInputs(const Job& job) {
  if constexpr (kPattern == LW_SAME && kHasStep<Fn, TIn...>) {
    if (HWY_UNLIKELY(job.n == 0)) {
      return GiveStep<TIn...>(job.setup->request, Fn());
    }
  }
  if constexpr (kPattern != kAnyStride) {
    if constexpr (kStreams<Fn>) {
      if (HWY_UNLIKELY(MayStream<Fn>(job))) {
        return RunJob(Kernel<Rows<Fn, kPattern, true, TIn...>>, job);
      }
    }
    if (IsShort<Fn>(job)) {
      ShortRowOf<Fn, kPattern, TIn...>(std::index_sequence_for<TIn...>(), job);
      return LW_OK;
    }
    // Functors with two ways stay with ComputeRow, which alternates the ways.
    if constexpr (
        kPartsAreQuick && requires { Fn::kTakesHalves; } &&
        !requires { Fn::kAlternates; }) {
      if (AreVectorRows(LanesOf<Fn>(), job)) {
        return RunJob(Kernel<VectorRows<Fn, kPattern, TIn...>>, job);
      }
    }
  }
  Rows<Fn, kPattern, false, TIn...>(job);
  return LW_OK;
}
/// The kernel of an operator with inputs of the types TIn, for one pattern.
template <class Fn, int kPattern, typename... TIn>
constexpr KernelFn OfInputs = Kernel<ComputeInputs<Fn, kPattern, TIn...>>;
template <class Fn, int kPattern, typename T = typename Fn::T>
constexpr KernelFn Binary = OfInputs<Fn, kPattern, T, T>;

template <KernelFn kFast, KernelFn kSlow, size_t kShort>
HWY_INLINE lw_status ComputeByEnvironment(const Job& job) {
  // Types are compared, as with sanitizers GCC does not compare the addresses
  // of functions in constants.
  using Fast = std::integral_constant<KernelFn, kFast>;
  using Slow = std::integral_constant<KernelFn, kSlow>;
  if constexpr (!std::is_same_v<Fast, Slow>) {
    const size_t elements = job.n * job.setup->rows;
    if (elements <= kShort && elements != 0) return RunJob(kSlow, job);
    const FpEnv::Word current = FpEnv::Current();
    if (HWY_LIKELY(current == FpEnv::Default())) {
      const FpEnv env(current);
      return RunJob(kFast, job);
    }
  }
  return RunJob(kSlow, job);
}
/// A kernel that is kFast in the default floating-point environment, and kSlow
/// in any other, which kSlow obeys. kFast leaves no flag behind. kSlow also
/// takes jobs of up to kShort elements: reading and restoring the environment
/// would take longer than kFast saves.
template <KernelFn kFast, KernelFn kSlow, size_t kShort>
constexpr KernelFn ByEnvironment =
    Kernel<ComputeByEnvironment<kFast, kSlow, kShort>>;

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_LOOPS_INL_H_
