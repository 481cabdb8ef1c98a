// SPDX-License-Identifier: Apache-2.0
//
// A Reduction (kernels/reduction.h) from a reducer, which says what is reduced,
// and what becomes of the accumulators at the end:
//
//   struct Reducer {
//     using Elements = ...;                    // accumulate-inl.h
//     using Form = FormOf<T>;                  // of the results (forms-inl.h)
//     static constexpr A kOfNothing = ...;     // the result of no elements
//     static constexpr End kEnd = ...;
//     static constexpr Rounding kRounding = ...;
//     static V Result(D d, V accumulators, uint64_t count);  // End::kLanes
//     static T ResultOf(T accumulator, uint64_t count);      // End::kIntegers
//   };

#if defined(LANEWISE_KERNELS_REDUCTION_REDUCE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_REDUCTION_REDUCE_INL_H_
#undef LANEWISE_KERNELS_REDUCTION_REDUCE_INL_H_
#else
#define LANEWISE_KERNELS_REDUCTION_REDUCE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/fp_env.h"
#include "kernels/kernel.h"
#include "kernels/reduction.h"
#include "kernels/reduction/accumulate-inl.h"
#include "kernels/reduction/forms-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What is done at the end. kNothing: accumulators are results, or are rounded
/// to 16 bits.
enum class End { kNothing, kLanes, kIntegers };

/// The floating-point environment that a reducer wants: functions round to
/// nearest, and integers that become float64 on their way do not depend on it.
enum class Rounding { kCallers, kToNearest, kDefaultEnv };

/// Nothing at the end.
template <class TElements, class TForm = TElements>
struct Plainly {
  using Elements = TElements;
  using Form = TForm;
  // The sum of nothing is +0, not -0.
  static constexpr typename TElements::A kOfNothing = TElements::kIdentity + 0;
  static constexpr End kEnd = End::kNothing;
  static constexpr Rounding kRounding = Rounding::kCallers;
};

/// kFunction in the environment that a reducer wants. The function is out of
/// line, so that no lane moves across a change of the environment.
template <auto kFunction, Rounding kRounding, class... Args>
static void CallRounded(Args... args) noexcept {
  const FpEnv env(kRounding == Rounding::kDefaultEnv
                      ? FpEnv::Default()
                      : FpEnv::ToNearest(FpEnv::Current()));
  kFunction(args...);
}
template <Rounding kRounding, auto kFunction, class... Args>
constexpr auto RoundedOf(void (* /*function*/)(Args...) noexcept) {
  return &CallRounded<kFunction, kRounding, Args...>;
}
template <Rounding kRounding, auto kFunction>
constexpr auto RoundedAs() {
  if constexpr (kRounding == Rounding::kCallers) {
    return kFunction;
  } else {
    return RoundedOf<kRounding, kFunction>(kFunction);
  }
}

/// Some sequences on their way to results, in whole vectors.
template <class R>
struct Batch {
  static constexpr size_t kMost = 64;
  HWY_ALIGN typename R::Elements::A accumulators[kMost];
  HWY_ALIGN Center<typename R::Elements> centers[kMost];
  HWY_ALIGN typename R::Form::T out[kMost];
};

template <class R>
constexpr bool kResultsAreAccumulators = R::kEnd == End::kNothing &&
                                         sizeof(typename R::Elements::A) ==
                                             sizeof(typename R::Form::T);

/// Results of some accumulators, in lanes.
template <class R, class D>
HWY_INLINE hn::VFromD<D> ResultLanes(D d, const Batch<R>& batch, size_t i,
                                     uint64_t count) {
  using E = typename R::Elements;
  using Form = typename R::Form;
  if (count == 0) return hn::Set(d, R::kOfNothing);
  const auto load = [&]() HWY_ATTR {
    const auto* a = batch.accumulators + i;
    if constexpr (std::is_same_v<typename E::A, hn::TFromD<D>>) {
      return hn::Load(d, a);
    } else {
      return Form::Load(d, reinterpret_cast<const typename Form::T*>(a));
    }
  };
  if constexpr (R::kEnd == End::kNothing) {
    return load();
  } else if constexpr (kHasBefore<E>) {
    const auto* centers = batch.centers + i;
    return R::Result(
        d, load(), count,
        E::Load(d, reinterpret_cast<const typename E::T*>(centers)));
  } else {
    return R::Result(d, load(), count);
  }
}

/// Fills in Batch::out. Out of line for CallRounded.
template <class R>
static HWY_NOINLINE void ComputeResults(size_t n, uint64_t count,
                                        Batch<R>* batch) noexcept {
  const AccumulatorTag<typename R::Form::A> d;
  const size_t N = hn::Lanes(d);
  for (size_t i = n; i % N != 0; ++i) {  // what raises no flag
    batch->accumulators[i] = 0;
    batch->centers[i] = 0;
  }
  for (size_t i = 0; i < n; i += N) {
    R::Form::Store(d, ResultLanes<R>(d, *batch, i, count), batch->out + i);
  }
}
template <class R>
HWY_INLINE void FinishBatch(size_t n, uint64_t count, Batch<R>* batch) {
  if constexpr (R::kEnd == End::kIntegers) {
    for (size_t i = 0; i < n; ++i) {
      batch->out[i] = count == 0 ? R::kOfNothing
                                 : R::ResultOf(batch->accumulators[i], count);
    }
  } else {
    RoundedAs<R::kRounding, ComputeResults<R>>()(n, count, batch);
  }
}

// ---- The functions of a Reduction ------------------------------------------
//
// Those of Elements are not static, so that operators of several units share
// them.

template <class E>
void Start(void* accumulators, size_t n) noexcept {
  StartMany<E>(static_cast<typename E::A*>(accumulators), n);
}

template <class E>
HWY_NOINLINE void Along(const Feed& feed) noexcept {
  AddAlong<E>(static_cast<const typename E::T*>(feed.x), feed.n,
              static_cast<const Center<E>*>(feed.center),
              static_cast<typename E::A*>(feed.accumulators));
}

template <class E>
HWY_NOINLINE void FoldPartials(const void* /*params*/,
                               void* partials) noexcept {
  FoldMemory<E, kPartials>(static_cast<typename E::A*>(partials));
}

template <class E>
HWY_NOINLINE void Across(const Feed& feed) noexcept {
  AddAcross<E>(feed);
}

template <class E>
HWY_NOINLINE void CombineMany(const void* /*params*/, void* accumulators,
                              const void* later, size_t n) noexcept {
  const TagOf<E> d;
  constexpr size_t N = kLanesOf<E>;
  auto* a = static_cast<typename E::A*>(accumulators);
  const auto* b = static_cast<const typename E::A*>(later);
  size_t i = 0;
  for (; i + N <= n; i += N) {
    hn::StoreU(E::Combine(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d,
               a + i);
  }
  if (i == n) return;
  const auto last =
      E::Combine(d, hn::LoadN(d, a + i, n - i), hn::LoadN(d, b + i, n - i));
  hn::StoreN(last, d, a + i, n - i);
}

template <class R>
static HWY_NOINLINE void FinishMany(const Finish& finish) noexcept {
  using E = typename R::Elements;
  const auto* a = static_cast<const typename E::A*>(finish.accumulators);
  const auto* centers = static_cast<const Center<E>*>(finish.center);
  auto* out = static_cast<typename R::Form::T*>(finish.out);
  if (kResultsAreAccumulators<R> && finish.count != 0) {
    std::memcpy(out, a, finish.n * sizeof(*out));
    return;
  }
  Batch<R> batch;
  for (size_t i = 0; i < finish.n; i += batch.kMost) {
    const size_t part = HWY_MIN(finish.n - i, batch.kMost);
    std::memcpy(batch.accumulators, a + i, part * sizeof(*a));
    if constexpr (kHasBefore<E>) {
      std::memcpy(batch.centers, centers + i, part * sizeof(*centers));
    }
    FinishBatch(part, finish.count, &batch);
    std::memcpy(out + i, batch.out, part * sizeof(*out));
  }
}

/// Accumulators of whole sequences.
template <class E>
HWY_NOINLINE void AccumulateRows(const WholeRows& from, size_t rows,
                                 const Center<E>* centers,
                                 typename E::A* accumulators) noexcept {
  const auto* x = static_cast<const char*>(from.x);
  for (size_t r = 0; r < rows; ++r, x += from.step) {
    accumulators[r] =
        AccumulatorOf<E>(reinterpret_cast<const typename E::T*>(x), from.n,
                         kHasBefore<E> ? centers + r : centers);
  }
}

template <class R, Rounding kRounding>
static HWY_NOINLINE void ReduceRows(const WholeRows& rows) noexcept {
  using E = typename R::Elements;
  using Out = typename R::Form::T;
  WholeRows some = rows;
  auto* out = static_cast<char*>(rows.out);
  Batch<R> batch;
  for (size_t done = 0; done < rows.rows; done += batch.kMost) {
    const size_t part = HWY_MIN(rows.rows - done, batch.kMost);
    some.x = static_cast<const char*>(rows.x) +
             static_cast<ptrdiff_t>(done) * rows.step;
    if constexpr (kHasBefore<E>) {
      AccumulateRows<typename E::Before::Elements>(some, part, nullptr,
                                                   batch.centers);
    }
    RoundedAs<kRounding, AccumulateRows<E>>()(some, part, batch.centers,
                                              batch.accumulators);
    const void* results = batch.accumulators;
    if constexpr (!kResultsAreAccumulators<R>) {
      FinishBatch(part, rows.n, &batch);
      results = batch.out;
    }
    for (size_t i = 0; i < part; ++i, out += rows.out_step) {
      std::memcpy(out, static_cast<const Out*>(results) + i, sizeof(Out));
    }
  }
}

// ---- Tables ----------------------------------------------------------------

template <class R>
struct ReductionOf {
  using E = typename R::Elements;
  static constexpr const Reduction* Before() {
    if constexpr (kHasBefore<E>) {
      return &ReductionOf<typename E::Before>::kValue;
    } else {
      return nullptr;
    }
  }
  /// For elements that have a function inside.
  static constexpr Rounding kOfElements =
      kHasBefore<E> ? R::kRounding : Rounding::kCallers;

  static constexpr Reduction kValue = {
      .accumulator_bytes = sizeof(typename E::A),
      .before = Before(),
      .needs_elements = false,
      .start = Start<E>,
      .along = RoundedAs<kOfElements, Along<E>>(),
      .fold = RoundedAs<kOfElements, FoldPartials<E>>(),
      .across = RoundedAs<kOfElements, Across<E>>(),
      .combine = RoundedAs<kOfElements, CombineMany<E>>(),
      .finish = FinishMany<R>,
      .rows = ReduceRows<R, kOfElements>,
  };
};

/// A line of an operator's table.
template <class R>
constexpr KernelEntry EntryOf(int since, lw_type type,
                              int until = std::numeric_limits<int>::max()) {
  return {.since = since,
          .type = type,
          .kernels = {},
          .until = until,
          .reduction = &ReductionOf<R>::kValue};
}

/// The kernels by type, with the versions that list the types first, of an
/// operator that lists integers of 32 and 64 bits up to version `kUntil`.
template <template <typename> class Reducer,
          int kUntil = std::numeric_limits<int>::max()>
constexpr KernelEntry kReductionKernels[] = {
    EntryOf<Reducer<Float16>>(1, LW_FLOAT16),
    EntryOf<Reducer<float>>(1, LW_FLOAT32),
    EntryOf<Reducer<double>>(1, LW_FLOAT64),
    EntryOf<Reducer<int32_t>>(1, LW_INT32, kUntil),
    EntryOf<Reducer<int64_t>>(1, LW_INT64, kUntil),
    EntryOf<Reducer<uint32_t>>(1, LW_UINT32, kUntil),
    EntryOf<Reducer<uint64_t>>(1, LW_UINT64, kUntil),
    EntryOf<Reducer<BFloat16>>(13, LW_BFLOAT16),
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_REDUCTION_REDUCE_INL_H_
