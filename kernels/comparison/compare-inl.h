// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose results are bools: bytes of 0 or 1. An operator provides, for
// full vectors of storage lanes,
//
//   struct Fn {
//     using T = float;  // storage lanes, of each input
//     template <class D, class... V>
//     HWY_INLINE hn::Mask<D> operator()(D d, V... inputs) const;
//   };
//
// A functor with values is made of what the operator prepared: Fn(const void*).
// Where masks are bits, the loop stores the bytes of each vector. Elsewhere, it
// computes as many vectors as make one vector of bytes.

#if defined(LANEWISE_KERNELS_COMPARISON_COMPARE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_COMPARISON_COMPARE_INL_H_
#undef LANEWISE_KERNELS_COMPARISON_COMPARE_INL_H_
#else
#define LANEWISE_KERNELS_COMPARISON_COMPARE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"
#include "kernels/order16-inl.h"
#include "kernels/quiet-inl.h"
#include "kernels/steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether a mask is one bit for each lane, and not a vector. One masked move
/// then makes bytes of a mask, for lanes of any size, and the loop stores the
/// bytes of each vector.
constexpr bool kMasksAreBits = LANEWISE_QUIET;

/// Lanes of all ones or zeros of type D, from the masks of as many vectors as
/// have these lanes together. at(part) returns the mask of vector `part`, whose
/// lanes are kSize bytes wide.
template <size_t kSize, class D, class At>
HWY_INLINE hn::VFromD<D> JoinOnes(D d, size_t part, const At& at) {
  using T = hn::TFromD<D>;
  if constexpr (sizeof(T) == kSize) {
    return hn::VecFromMask(d, at(d, part));
  } else {
    const hn::RepartitionToWide<D> wide;
    const size_t half = kSize / sizeof(T) / 2;
    const auto low = JoinOnes<kSize>(wide, part, at);
    const auto high = JoinOnes<kSize>(wide, part + half, at);
    // Quicker than a demotion of 64-bit lanes, which saturates.
    if constexpr (sizeof(T) == 4) {
      return hn::ConcatEven(d, hn::BitCast(d, high), hn::BitCast(d, low));
    } else {
      return hn::OrderedDemote2To(d, low, high);
    }
  }
}

/// As many bytes, 0 or 1, as the mask has lanes.
template <class D8, class D>
HWY_INLINE hn::VFromD<D8> NarrowBytes(D8 d8, D d, hn::Mask<D> mask) {
  const auto one = hn::Set(d8, uint8_t{1});
  if constexpr (sizeof(hn::TFromD<D>) == 1) {
    return hn::IfThenElseZero(hn::RebindMask(d8, mask), one);
#if LANEWISE_QUIET
  } else if constexpr (HWY_MAX_LANES_D(D) == 8) {
    // GCC would clear the upper half of the wider mask, by way of a general
    // register. No upper byte is stored.
    hn::Mask<D8> wide;
    __asm__("" : "=Yk"(wide.raw) : "0"(mask.raw));
    return hn::IfThenElseZero(wide, one);
#endif
  } else if constexpr (kMasksAreBits) {
    return hn::IfThenElseZero(hn::DemoteMaskTo(d8, d, mask), one);
  } else {
    const hn::RebindToUnsigned<D> du;
    const auto ones = hn::BitCast(du, hn::VecFromMask(d, mask));
    return hn::And(hn::TruncateTo(d8, ones), one);
  }
}

/// The results of one vector of inputs, from element i on.
template <class D, class Fn, class... In>
HWY_INLINE hn::Vec<hn::Rebind<uint8_t, D>> CompareAt(D d, size_t i,
                                                     const Fn& fn,
                                                     const In&... in) {
  return NarrowBytes(hn::Rebind<uint8_t, D>(), d, fn(d, in.Load(d, i)...));
}

/// A row that is shorter than a vector of inputs.
template <class D, class Fn, class... In>
HWY_INLINE void CompareShortRow(D d, uint8_t* out, size_t n, const Fn& fn,
                                const In&... in) {
  if constexpr (kHalvesAreQuick) {
    const hn::Half<D> half;
    const hn::Rebind<uint8_t, decltype(half)> narrow;
    const size_t N = hn::Lanes(half);
    if (n >= N) {  // two that overlap
      const auto last = CompareAt(half, n - N, fn, in...);
      hn::StoreU(CompareAt(half, 0, fn, in...), narrow, out);
      hn::StoreU(last, narrow, out + n - N);
      return;
    }
  }
  const hn::Rebind<uint8_t, D> narrow;
  const auto mask = fn(d, in.LoadFirst(d, n)...);
  if (n != 0) StoreFirst(NarrowBytes(narrow, d, mask), narrow, out, n);
}

/// The results of as many vectors of inputs as make one vector of bytes, from
/// element i on.
template <class D8, class D, class Fn, class... In>
HWY_INLINE hn::VFromD<D8> CompareJoined(D8 d8, D d, size_t i, const Fn& fn,
                                        const In&... in) {
  using T = hn::TFromD<D>;
  const hn::RebindToSigned<D8> di8;
  const auto ones = JoinOnes<sizeof(T)>(
      di8,
      0, [&](auto di, size_t part) HWY_ATTR __attribute__((always_inline)) {
        const size_t from = i + part * hn::Lanes(d);
        return hn::RebindMask(di, fn(d, in.Load(d, from)...));
      });
  return hn::And(hn::BitCast(d8, ones), hn::Set(d8, uint8_t{1}));
}

/// One row: out[i] = fn(in[i]...) for i < n.
template <class Fn, class... In>
HWY_INLINE void CompareRow(uint8_t* out, size_t n, const Fn& fn,
                           const In&... in) {
  using T = typename Fn::T;
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<T> d;
  const size_t N8 = hn::Lanes(d8);
  const size_t N = hn::Lanes(d);
  if (HWY_UNLIKELY(n < N)) return CompareShortRow(d, out, n, fn, in...);

  const hn::Rebind<uint8_t, decltype(d)> narrow;
  if (kPartsAreQuick && n <= 2 * N) {  // without the jumps of the loops
    const auto end = CompareAt(d, n - N, fn, in...);
    if (n != N) hn::StoreU(CompareAt(d, 0, fn, in...), narrow, out);
    return hn::StoreU(end, narrow, out + n - N);
  }

  // Computed up front: in place, the loops overwrite part of what this reads.
  const bool partial = n % N != 0;
  auto last = hn::Zero(narrow);
  if (partial) last = CompareAt(d, n - N, fn, in...);

  size_t i = 0;
  // One vector is too little work for an iteration.
  constexpr size_t kUnroll = 4;
  if constexpr (sizeof(T) == 1 || kMasksAreBits) {
    for (; i + kUnroll * N <= n; i += kUnroll * N) {
      HWY_UNROLL(4)
      for (size_t k = 0; k < kUnroll; ++k) {
        hn::StoreU(CompareAt(d, i + k * N, fn, in...), narrow, out + i + k * N);
      }
    }
  } else {
    for (; i + N8 <= n; i += N8) {
      hn::StoreU(CompareJoined(d8, d, i, fn, in...), d8, out + i);
    }
  }
  for (; i + N <= n; i += N) {
    hn::StoreU(CompareAt(d, i, fn, in...), narrow, out + i);
  }
  if (partial) hn::StoreU(last, narrow, out + n - N);
}

/// One row whose inputs have strides.
template <class Fn, HasStride... In>
HWY_INLINE void CompareRow(uint8_t* out, size_t n, const Fn& fn,
                           const In&... in) {
  const hn::ScalableTag<typename Fn::T> d;
  const hn::Rebind<uint8_t, decltype(d)> narrow;
  const size_t N = hn::Lanes(d);
  // As above, the last vector overlaps the one before and is computed up front.
  const size_t rest = HWY_MIN(n, N);
  const auto last =
      NarrowBytes(narrow, d, fn(d, in.LoadSome(d, n - rest, rest)...));
  if (HWY_UNLIKELY(n <= N)) return hn::StoreN(last, narrow, out, n);
  for (size_t i = 0; i + N < n; i += N) {
    hn::StoreU(CompareAt(d, i, fn, in...), narrow, out + i);
  }
  hn::StoreU(last, narrow, out + n - N);
}

/// A row of at least one vector of bytes, past the caches. The output is none
/// of the inputs, so some bytes may be stored twice.
template <class Fn, class... In>
HWY_INLINE void StreamCompareRow(uint8_t* out, size_t n, const Fn& fn,
                                 const In&... in) {
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<typename Fn::T> d;
  const size_t N8 = hn::Lanes(d8);
  hn::StoreU(CompareJoined(d8, d, 0, fn, in...), d8, out);
  size_t i = N8 - reinterpret_cast<uintptr_t>(out) % N8;
  for (; i + N8 <= n; i += N8) {
    hn::Stream(CompareJoined(d8, d, i, fn, in...), d8, out + i);
  }
  if (i < n) {
    hn::StoreU(CompareJoined(d8, d, n - N8, fn, in...), d8, out + n - N8);
  }
}

template <class Fn>
HWY_INLINE Fn ComparisonOf(const Job& job) {
  if constexpr (std::is_constructible_v<Fn, const void*>) {
    return Fn(job.setup->params);
  } else {
    return Fn();
  }
}

/// Rows of a few whole vectors each.
template <class Fn, int kPattern, size_t... k>
HWY_INLINE void CompareVectorRows(const Job& job) {
  using T = typename Fn::T;
  const hn::ScalableTag<T> d;
  const hn::Rebind<uint8_t, decltype(d)> narrow;
  const Fn fn = ComparisonOf<Fn>(job);
  ForEachVectorRow<sizeof...(k)>(
      job, [&, n = job.n](char* out, const char* const* in) HWY_ATTR {
        const auto store = [&](const auto&... input) HWY_ATTR {
          ForEachVector(d, n, [&](size_t i) HWY_ATTR {
            hn::StoreU(CompareAt(d, i, fn, input...), narrow,
                       reinterpret_cast<uint8_t*>(out) + i);
          });
        };
        store(InputAt<T, kPattern, k>(job, in[k], 0)...);
      });
}

/// The step of a comparison in a chain (step.h), whose first input is in
/// registers. The results are lanes full of bytes of 0 or 1.
template <class Fn, size_t... k>
static LANEWISE_STEP void CompareStep(const Step* step, const StepFrame* frame,
                                      size_t i, StepVectorAt<k>... v) {
  const hn::ScalableTag<typename Fn::T> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const char* b = StepPlace(step, frame, i);
  const auto one = hn::BitCast(du, hn::Set(StepD(), uint8_t{1}));
  const auto compare = [&](StepV x, StepV y) HWY_ATTR {
    const auto mask = Fn()(d, hn::BitCast(d, x), hn::BitCast(d, y));
    return hn::BitCast(StepD(),
                       hn::IfThenElseZero(hn::RebindMask(du, mask), one));
  };
  if constexpr (sizeof(typename Fn::T) == 2) {
    // Long code: the vectors go through memory, one after the other.
    const StepD d8;
    const size_t N = hn::Lanes(d8);
    HWY_ALIGN uint8_t block[kStepVectors * hn::MaxLanes(d8)];
    (hn::Store(v, d8, block + k * N), ...);
    for (size_t at = 0; at < kStepVectors * N; at += N) {
      hn::Store(compare(hn::Load(d8, block + at), StepOperand<0>(b + at)), d8,
                block + at);
    }
    NextStep(step, frame, i, hn::Load(d8, block + k * N)...);
  } else {
    NextStep(step, frame, i, compare(v, StepOperand<k>(b))...);
  }
}
/// The step of a comparison and a choice by its result, in one.
template <class Fn, size_t... k>
static LANEWISE_STEP void ChooseStep(const Step* step, const StepFrame* frame,
                                     size_t i, StepVectorAt<k>... v) {
  const hn::ScalableTag<typename Fn::T> d;
  const char* a = StepPlace(step, frame, i);
  const char* b = StepPlace(step + 1, frame, i);
  const char* other = StepPlace(step + 2, frame, i);
  // All ones: the value in registers is the choice if the result is true.
  const hn::RebindToSigned<decltype(d)> di;
  using TI = hn::TFromD<decltype(di)>;
  const auto flip = hn::RebindMask(
      d, hn::MaskFromVec(hn::Set(di, static_cast<TI>(-TI{step->functor[0]}))));
  const auto choose = [&](StepV own, StepV x, StepV y, StepV z) HWY_ATTR {
    const auto mask =
        hn::Xor(flip, Fn()(d, hn::BitCast(d, x), hn::BitCast(d, y)));
    return hn::BitCast(
        StepD(), hn::IfThenElse(mask, hn::BitCast(d, z), hn::BitCast(d, own)));
  };
  if (step[1].is_spread) {
    // One load in place of eight: loads are the limit.
    const StepV y = StepOperand<0>(b);
    NextStep(step + 2, frame, i,
             choose(v, StepOperand<k>(a), y, StepOperand<k>(other))...);
  } else {
    NextStep(step + 2, frame, i,
             choose(v, StepOperand<k>(a), StepOperand<k>(b),
                    StepOperand<k>(other))...);
  }
}
template <class Fn, size_t... k>
static HWY_NOINLINE lw_status
GiveCompareStep(StepRequest* request, std::index_sequence<k...> /*vectors*/) {
  if (request == nullptr) return LW_OK;
  request->own[0] = CodeOf(CompareStep<Fn, k...>);
  request->choose = CodeOf(ChooseStep<Fn, k...>);
  request->inputs = 2;
  request->lane_bytes = sizeof(typename Fn::T);
  request->vector_bytes = hn::Lanes(StepD());
  return LW_OK;
}
/// Other types are rare in chains.
template <typename T>
constexpr bool kComparesInSteps = hwy::IsFloat<T>() ||
                                  sizeof(T) == 4 || std::is_same_v<T, int16_t>;

/// The inputs are those numbered k.
template <class Fn, int kPattern, bool kStream, size_t... k>
HWY_INLINE lw_status Compare(const Job& job) {
  using T = typename Fn::T;
  if constexpr (sizeof...(k) == 2 && kPattern == LW_SAME && !kStream &&
                kComparesInSteps<T>) {
    if (HWY_UNLIKELY(job.n == 0)) {
      return GiveCompareStep<Fn>(job.setup->request, StepIndexes());
    }
  }
  // The runtime streams the results of no wider inputs.
  if constexpr (!kStream && kPattern != kAnyStride && sizeof(T) <= 2) {
    // A kernel of its own, so that others do not save its registers.
    const size_t N8 = hn::Lanes(hn::ScalableTag<uint8_t>());
    if (HWY_UNLIKELY(job.setup->stream && job.n >= N8)) {
      return RunJob(Kernel<Compare<Fn, kPattern, true, k...>>, job);
    }
  }
  if constexpr (!kStream && kPattern != kAnyStride && kPartsAreQuick) {
    if (AreVectorRows(hn::ScalableTag<T>(), job)) {
      return RunJob(Kernel<CompareVectorRows<Fn, kPattern, k...>>, job);
    }
  }
  const Fn fn = ComparisonOf<Fn>(job);
  ForEachRow<sizeof...(k)>(job, [&](char* row, size_t n,
                                    const char* const* in) HWY_ATTR {
    auto* out = reinterpret_cast<uint8_t*>(row);
    if constexpr (kStream) {
      StreamCompareRow(out, n, fn, InputAt<T, kPattern, k>(job, in[k], 0)...);
    } else {
      CompareRow(out, n, fn, InputAt<T, kPattern, k>(job, in[k], 0)...);
    }
  });
  return LW_OK;
}

/// The kernels of a functor with one input, and of one with two.
template <class Fn>
constexpr PatternKernel kTestPatterns[] = {
    {LW_SAME, Kernel<Compare<Fn, LW_SAME, false, 0>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<Compare<Fn, any, false, 0>>; })};
template <class Fn>
constexpr PatternKernel kComparePatterns[] = {
    {LW_SAME, Kernel<Compare<Fn, LW_SAME, false, 0, 1>>},
    {LW_SCALAR_B, Kernel<Compare<Fn, LW_SCALAR_B, false, 0, 1>>},
    {LW_SCALAR_A, Kernel<Compare<Fn, LW_SCALAR_A, false, 0, 1>>},
    Strided<kAllReadStrided>(
        [](auto any) { return Kernel<Compare<Fn, any, false, 0, 1>>; })};

// ------------------------------ Greater, Less and their siblings

/// A comparison of lanes: Order::Of(a, b) is a mask.
template <class Order, typename TLane>
struct InOrder {
  using T = TLane;

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D /*d*/, V a, V b) const {
    return Order::Of(a, b);
  }
};

template <class Order, int16_t kInfinity>
struct InOrder16 {
  using T = int16_t;

  template <class D, class V>
  HWY_INLINE hn::Mask<D> operator()(D d, V a, V b) const {
    return hn::And(Order::Of(OrderOf16(d, a), OrderOf16(d, b)),
                   AreNumbers16<kInfinity>(d, a, b));
  }
};

/// The kernels by type, with the versions that list the types first.
template <class Order, int kFloats, int kIntegers, int kBFloat16>
constexpr KernelEntry kOrderKernels[] = {
    {kFloats, LW_FLOAT16, kComparePatterns<InOrder16<Order, 0x7C00>>},
    {kFloats, LW_FLOAT32, kComparePatterns<InOrder<Order, float>>},
    {kFloats, LW_FLOAT64, kComparePatterns<InOrder<Order, double>>},
    {kIntegers, LW_INT8, kComparePatterns<InOrder<Order, int8_t>>},
    {kIntegers, LW_INT16, kComparePatterns<InOrder<Order, int16_t>>},
    {kIntegers, LW_INT32, kComparePatterns<InOrder<Order, int32_t>>},
    {kIntegers, LW_INT64, kComparePatterns<InOrder<Order, int64_t>>},
    {kIntegers, LW_UINT8, kComparePatterns<InOrder<Order, uint8_t>>},
    {kIntegers, LW_UINT16, kComparePatterns<InOrder<Order, uint16_t>>},
    {kIntegers, LW_UINT32, kComparePatterns<InOrder<Order, uint32_t>>},
    {kIntegers, LW_UINT64, kComparePatterns<InOrder<Order, uint64_t>>},
    {kBFloat16, LW_BFLOAT16, kComparePatterns<InOrder16<Order, 0x7F80>>},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_COMPARISON_COMPARE_INL_H_
