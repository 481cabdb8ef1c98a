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
  using Type = void(LANEWISE_STEP*)(const Step*, const StepFrame*, size_t,
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
/// An element of a step's operand in memory, in all lanes of a vector.
template <typename T>
HWY_INLINE StepV StepElement(const char* p) {
  T element;
  std::memcpy(&element, p, sizeof(element));
  return hn::BitCast(StepD(), hn::Set(hn::ScalableTag<T>(), element));
}
HWY_INLINE char* StepPlace(const Step* step, const StepFrame* frame, size_t i) {
  return frame->at[step->place] + (i & step->mask);
}
/// An operand of a step that has several: the same code for a vector of copies.
struct OperandAt {
  HWY_INLINE OperandAt(const Step* step, const StepFrame* frame, size_t i)
      : p(StepPlace(step, frame, i)),
        advance(step->is_spread ? 0 : hn::Lanes(StepD())) {}
  HWY_INLINE StepV operator()(size_t k) const {
    return StepOperand<0>(p + k * advance);
  }

  const char* p;
  size_t advance;
};

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
static LANEWISE_STEP void StepOfOne(const Step* step, const StepFrame* frame,
                                    size_t i, StepVectorAt<k>... v) {
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
static LANEWISE_STEP void StepOfTwo(const Step* step, const StepFrame* frame,
                                    size_t i, StepVectorAt<k>... v) {
  const char* other = StepPlace(step, frame, i);
  const Fn fn = FunctorOf<Fn>(step);
  const auto compute = [&](StepV own, StepV y) HWY_ATTR {
    if constexpr (kIsFirst) return ComputeStep(In(), fn, own, y);
    return ComputeStep(In(), fn, y, own);
  };
  if (step->is_spread) {
    // One load in place of eight: loads would be the limit.
    const StepV y = StepElement<typename Fn::T>(other);
    NextStep(step, frame, i, compute(v, y)...);
  } else {
    NextStep(step, frame, i, compute(v, StepOperand<k>(other))...);
  }
}

template <class Fn, int kOwn, size_t... k>
static LANEWISE_STEP void StepOfThree(const Step* step, const StepFrame* frame,
                                      size_t i, StepVectorAt<k>... v) {
  using T = typename Fn::T;
  const OperandAt a(step, frame, i);
  const OperandAt b(step + 1, frame, i);
  const auto compute = [](StepV own, StepV x, StepV y) HWY_ATTR {
    using In = Inputs<T, T, T>;
    if constexpr (kOwn == 0) return ComputeStep(In(), Fn(), own, x, y);
    if constexpr (kOwn == 1) return ComputeStep(In(), Fn(), x, own, y);
    return ComputeStep(In(), Fn(), x, y, own);
  };
  NextStep(step + 1, frame, i, compute(v, a(k), b(k))...);
}

template <class Fn>
constexpr bool kIsConverting = requires {
  Fn::kConverts;
};
/// Whether a functor can be a step. Functors of two inputs are short. Functors
/// that convert 16-bit floats have no step: conversions are the limit, so that
/// a step takes as long as the kernel on a block in L1.
template <class Fn, typename... TIn>
constexpr bool kHasStep =
    sizeof...(TIn) <= 2 && ((sizeof(TIn) == sizeof(typename Fn::T)) && ...) &&
    sizeof(Fn) <= kFunctorBytes&& std::is_trivially_copyable_v<Fn> &&
    !kIsConverting<Fn> && (sizeof...(TIn) < 2 || !kIsLong<Fn>);
/// A functor of three inputs names another one that does the same on each byte
/// of the elements, the first input being as wide as the others.
template <class Fn, typename TFirst, typename T>
constexpr bool kHasStep<Fn, TFirst, T, T> = requires {
  typename Fn::OnBytes;
};

HWY_INLINE StepCode CodeOf(TypedStepCode typed) {
  return reinterpret_cast<StepCode>(typed);
}
template <class Fn, typename... TIn, size_t... k>
HWY_INLINE void FillRequest(Inputs<TIn...> /*inputs*/,
                            std::index_sequence<k...> /*vectors*/,
                            StepRequest* request) {
  using In = Inputs<TIn...>;
  if constexpr (sizeof...(TIn) == 3) {
    using OnBytes = typename Fn::OnBytes;
    request->own[0] = CodeOf(StepOfThree<OnBytes, 0, k...>);
    request->own[1] = CodeOf(StepOfThree<OnBytes, 1, k...>);
    request->own[2] = CodeOf(StepOfThree<OnBytes, 2, k...>);
  } else if constexpr (sizeof...(TIn) == 2) {
    request->own[0] = CodeOf(StepOfTwo<Fn, In, true, k...>);
    request->own[1] = CodeOf(StepOfTwo<Fn, In, false, k...>);
  } else {
    request->own[0] = CodeOf(StepOfOne<Fn, In, k...>);
  }
}
/// A kernel that is called for no elements fills in the request, if there is
/// one.
template <typename... TIn, class Fn>
static HWY_NOINLINE lw_status GiveStep(StepRequest* request, Fn fn) {
  if (request == nullptr) return LW_OK;
  FillRequest<Fn>(Inputs<TIn...>(), StepIndexes(), request);
  request->inputs = sizeof...(TIn);
  request->lane_bytes = sizeof(typename Fn::T);
  request->vector_bytes = hn::Lanes(StepD());
  std::memcpy(request->functor, static_cast<const void*>(&fn), sizeof(fn));
  return LW_OK;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_STEPS_INL_H_
