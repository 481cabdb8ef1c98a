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
  const hn::ScalableTag<typename Fn::T> d;
  const StepD bytes;
  if constexpr (Pow2Of<Fn>() == 0) {
    return hn::BitCast(
        bytes, ComputeOne(d, fn, hn::BitCast(hn::ScalableTag<TIn>(), v)...));
  } else {
    static_assert(Pow2Of<Fn>() == -1);
    const LanesOf<Fn> half;
    const auto low = fn(half, hn::LowerHalf(half, hn::BitCast(d, v))...);
    const auto high = fn(half, hn::UpperHalf(half, hn::BitCast(d, v))...);
    return hn::BitCast(bytes, hn::Combine(d, high, low));
  }
}
/// Out of line, for functors whose code is long.
template <class Fn, class In, class... V>
static HWY_NOINLINE StepV ComputeStepApart(In inputs, Fn fn, V... v) {
  return ComputeStep(inputs, fn, v...);
}
template <class Fn, class In, class... V>
HWY_INLINE StepV ComputeStepOf(In inputs, const Fn& fn, V... v) {
  // Functors that are not unrolled, or by an odd number, are Exp's and those of
  // 16-bit floats without instructions that convert.
  if constexpr (Fn::kUnroll % 2 != 0) {
    return ComputeStepApart<Fn>(inputs, fn, v...);
  } else {
    return ComputeStep(inputs, fn, v...);
  }
}

template <class Fn>
HWY_INLINE Fn FunctorOf(const Step* step) {
  Fn fn;
  std::memcpy(static_cast<void*>(&fn), step->functor, sizeof(fn));
  return fn;
}

template <class Fn, class In, size_t... k>
static void StepOfOne(const Step* step, const StepFrame* frame, size_t i,
                      StepVectorAt<k>... v) {
  const Fn fn = FunctorOf<Fn>(step);
  if constexpr (requires { Fn::kHasShortcut; }) {
    const hn::ScalableTag<typename Fn::T> d;
    const StepD bytes;
    if (HWY_LIKELY(fn.TakesShortcut(d, hn::BitCast(d, v)...))) {
      return NextStep(step, frame, i,
                      hn::BitCast(bytes, fn.Shortcut(d, hn::BitCast(d, v)))...);
    }
  }
  NextStep(step, frame, i, ComputeStepOf(In(), fn, v)...);
}
template <class Fn, class In, size_t... k>
static void StepOfFirst(const Step* step, const StepFrame* frame, size_t i,
                        StepVectorAt<k>... v) {
  const char* other = StepPlace(step, frame, i);
  const Fn fn = FunctorOf<Fn>(step);
  NextStep(step, frame, i,
           ComputeStepOf(In(), fn, v, StepOperand<k>(other))...);
}
template <class Fn, class In, size_t... k>
static void StepOfSecond(const Step* step, const StepFrame* frame, size_t i,
                         StepVectorAt<k>... v) {
  const char* other = StepPlace(step, frame, i);
  const Fn fn = FunctorOf<Fn>(step);
  NextStep(step, frame, i,
           ComputeStepOf(In(), fn, StepOperand<k>(other), v)...);
}

/// Whether a functor can be a step.
template <class Fn, typename... TIn>
constexpr bool kHasStep =
    sizeof...(TIn) <= 2 && ((sizeof(TIn) == sizeof(typename Fn::T)) && ...) &&
    sizeof(Fn) <= kFunctorBytes&& std::is_trivially_copyable_v<Fn>;

template <class Fn, typename... TIn, size_t... k>
HWY_INLINE void FillRequest(Inputs<TIn...> /*inputs*/,
                            std::index_sequence<k...> /*vectors*/,
                            StepRequest* request) {
  using In = Inputs<TIn...>;
  const auto code = [](TypedStepCode typed)
                        HWY_ATTR { return reinterpret_cast<StepCode>(typed); };
  if constexpr (sizeof...(TIn) == 2) {
    request->first = code(StepOfFirst<Fn, In, k...>);
    request->second = code(StepOfSecond<Fn, In, k...>);
  } else {
    request->first = code(StepOfOne<Fn, In, k...>);
  }
}
/// What a kernel does that is called for no elements.
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
