// SPDX-License-Identifier: Apache-2.0
//
// Steps from functors (step.h). All steps have one type: their vectors are
// bytes, and a step sees them as lanes of its own.

#if defined(LANEWISE_KERNELS_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_STEPS_INL_H_
#undef LANEWISE_KERNELS_STEPS_INL_H_
#else
#define LANEWISE_KERNELS_STEPS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/rows-inl.h"
#include "kernels/step.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using StepD = hn::ScalableTag<uint8_t>;
using StepV = hn::Vec<StepD>;
template <size_t k>
using StepVectorAt = StepV;

template <class Indexes>
struct StepCodeOf;
template <size_t... k>
struct StepCodeOf<std::index_sequence<k...>> {
  using Type = void (*)(const Step*, const StepFrame*, size_t,
                        StepVectorAt<k>...);
};
using StepIndexes = std::make_index_sequence<kStepVectors>;
using TypedStepCode = typename StepCodeOf<StepIndexes>::Type;

/// Goes on with the step after `step`.
template <class... V>
HWY_INLINE void NextStep(const Step* step, const StepFrame* frame, size_t i,
                         V... v) {
  reinterpret_cast<TypedStepCode>(step[1].code)(step + 1, frame, i, v...);
}

/// Vector k of a step's operand in memory.
template <size_t k>
HWY_INLINE StepV StepOperand(const char* p) {
  const StepD d;
  return hn::LoadU(d, reinterpret_cast<const uint8_t*>(p) + k * hn::Lanes(d));
}
HWY_INLINE char* StepPlace(const Step* step, const StepFrame* frame, size_t i) {
  return frame->at[step->place] + (i & step->mask);
}

/// The types of a functor's inputs, which are as wide as its output.
template <typename... TIn>
struct Inputs {};

/// One vector of bytes, computed as the functor's lanes.
template <class Fn, typename... TIn, class... V>
HWY_INLINE StepV ComputeStep(Inputs<TIn...> /*inputs*/, const Fn& fn, V... v) {
  static_assert(Pow2Of<Fn>() == 0);
  const hn::ScalableTag<typename Fn::T> d;
  return hn::BitCast(
      StepD(), ComputeOne(d, fn, hn::BitCast(hn::ScalableTag<TIn>(), v)...));
}

template <class Fn>
HWY_INLINE Fn FunctorOf(const Step* step) {
  Fn fn;
  std::memcpy(static_cast<void*>(&fn), step->functor, sizeof(fn));
  return fn;
}

/// Whether a functor's code is too long to stand in a step eight times, as
/// Exp's is: the vectors then go through memory, one after the other.
template <class Fn>
constexpr bool kIsLong = Fn::kUnroll % 2 != 0;

template <class Fn, class In, size_t... k>
static void StepOfOne(const Step* step, const StepFrame* frame, size_t i,
                      StepVectorAt<k>... v) {
  const Fn fn = FunctorOf<Fn>(step);
  if constexpr (kIsLong<Fn>) {
    const StepD d;
    const size_t N = hn::Lanes(d);
    HWY_ALIGN uint8_t block[kStepVectors * hn::MaxLanes(d)];
    (hn::Store(v, d, block + k * N), ...);
    for (size_t at = 0; at < kStepVectors * N; at += N) {
      hn::Store(ComputeStep(In(), fn, hn::Load(d, block + at)), d, block + at);
    }
    NextStep(step, frame, i, hn::Load(d, block + k * N)...);
  } else {
    NextStep(step, frame, i, ComputeStep(In(), fn, v)...);
  }
}
template <class Fn, class In, bool kIsFirst, size_t... k>
static void StepOfTwo(const Step* step, const StepFrame* frame, size_t i,
                      StepVectorAt<k>... v) {
  const char* other = StepPlace(step, frame, i);
  const Fn fn = FunctorOf<Fn>(step);
  const auto compute = [&](StepV own, StepV y) HWY_ATTR {
    if constexpr (kIsFirst) return ComputeStep(In(), fn, own, y);
    return ComputeStep(In(), fn, y, own);
  };
  if (step->is_spread) {
    // One load in place of eight: loads would be the limit.
    const StepV y = StepOperand<0>(other);
    NextStep(step, frame, i, compute(v, y)...);
  } else {
    NextStep(step, frame, i, compute(v, StepOperand<k>(other))...);
  }
}

template <class Fn>
constexpr bool kIsConverting = requires {
  Fn::kConverts;
};
/// Whether a functor can be a step. A step of 16-bit floats would convert its
/// other operand in each block, where a kernel converts one element once.
/// Functors of two inputs are short.
template <class Fn, typename... TIn>
constexpr bool kHasStep =
    sizeof...(TIn) <= 2 && ((sizeof(TIn) == sizeof(typename Fn::T)) && ...) &&
    sizeof(Fn) <= kFunctorBytes&& std::is_trivially_copyable_v<Fn> &&
    !kIsConverting<Fn> && (sizeof...(TIn) < 2 || !kIsLong<Fn>);

template <class Fn, typename... TIn, size_t... k>
HWY_INLINE void FillRequest(Inputs<TIn...> /*inputs*/,
                            std::index_sequence<k...> /*vectors*/,
                            StepRequest* request) {
  using In = Inputs<TIn...>;
  const auto code = [](TypedStepCode typed)
                        HWY_ATTR { return reinterpret_cast<StepCode>(typed); };
  if constexpr (sizeof...(TIn) == 2) {
    request->first = code(StepOfTwo<Fn, In, true, k...>);
    request->second = code(StepOfTwo<Fn, In, false, k...>);
  } else {
    request->first = code(StepOfOne<Fn, In, k...>);
  }
}
/// A kernel that is called for no elements fills in the request, if there is
/// one.
template <typename... TIn, class Fn>
static HWY_NOINLINE lw_status GiveStep(StepRequest* request, Fn fn) {
  if (request == nullptr) return LW_OK;
  FillRequest<Fn>(Inputs<TIn...>(), StepIndexes(), request);
  request->vector_bytes = hn::Lanes(StepD());
  std::memcpy(request->functor, static_cast<const void*>(&fn), sizeof(fn));
  return LW_OK;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_STEPS_INL_H_
