// SPDX-License-Identifier: Apache-2.0
//
// Accumulators from elements. What is reduced is told by functions on lanes,
// which operators share that differ only at the end (reduce-inl.h):
//
//   struct Elements : FormOf<T> {               // forms-inl.h
//     static constexpr A kIdentity = ...;       // combined with a, gives a
//     static constexpr size_t kUnroll = ...;    // vectors at once: 1, 2, 4, 8
//     static V Element(D d, V x);               // what x contributes
//     static V Combine(D d, V a, V b);
//   };
//
// Elements::Before, which is optional, is a reducer that must be known first,
// as LogSumExp's maximum: Element then takes its accumulators as a third
// argument, in lanes of these Elements.
//
// The 64 partial results of a sequence are 1 to 32 vectors. They stay in
// registers in groups of kUnroll: where there are several groups, each in turn
// takes its part of a segment that stays in L1.

#if defined(LANEWISE_KERNELS_REDUCTION_ACCUMULATE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_REDUCTION_ACCUMULATE_INL_H_
#undef LANEWISE_KERNELS_REDUCTION_ACCUMULATE_INL_H_
#else
#define LANEWISE_KERNELS_REDUCTION_ACCUMULATE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/reduction.h"
#include "kernels/reduction/forms-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of at most kPartials lanes. Those whose length no compiler knows are
/// cut to one that they have on every CPU.
#if HWY_HAVE_SCALABLE
template <typename A>
using AccumulatorTag = hn::CappedTag<A, 16 / sizeof(A)>;
#else
template <typename A>
using AccumulatorTag = hn::CappedTag<A, kPartials>;
#endif
template <class E>
using TagOf = AccumulatorTag<typename E::A>;
template <class E>
constexpr size_t kLanesOf = HWY_MAX_LANES_D(TagOf<E>);
template <class E>
constexpr size_t kVectorsOf = kPartials / kLanesOf<E>;
template <class E>
constexpr size_t kGroupOf = HWY_MIN(kVectorsOf<E>, E::kUnroll);

template <class E>
constexpr bool kHasBefore = requires {
  typename E::Before;
};
/// The accumulators of the reducer that comes before, if there is one.
template <class E, bool kHas = kHasBefore<E>>
struct CenterOf {
  using Type = char;
};
template <class E>
struct CenterOf<E, true> {
  using Type = typename E::Before::Elements::A;
};
template <class E>
using Center = typename CenterOf<E>::Type;

/// Vectors at once, of elements that take an instruction or two: half of the
/// registers. SSE, whose vectors are many, has shorter code.
constexpr size_t kUsualUnroll = HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2 ? 4 : 8;
/// Of others, where AVX-512 has twice the registers.
constexpr size_t kFewUnroll = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 ? 8 : 4;

/// fn(v, ...) with kCount copies of a vector: vectors of some targets cannot
/// stand in an array.
template <size_t kCount, class V, class Fn, class... More>
HWY_INLINE auto WithCopies(V v, const Fn& fn, More... more) {
  if constexpr (sizeof...(More) == kCount) {
    return fn(more...);
  } else {
    return WithCopies<kCount>(v, fn, v, more...);
  }
}

/// fn(center...): none, or one vector that has copies of the accumulator.
template <class E, class Fn>
HWY_INLINE auto WithCenter(const Center<E>* center, const Fn& fn) {
  if constexpr (kHasBefore<E>) {
    const TagOf<E> d;
    const auto* p = reinterpret_cast<const typename E::T*>(center);
    return fn(hn::Set(d, hn::GetLane(E::LoadN(d, p, 1))));
  } else {
    return fn();
  }
}
/// fn(center...): none, or one vector that has the accumulators of the columns
/// from `first` on, of which `n` are left.
template <class E, class Fn>
HWY_INLINE auto WithCenters(const void* centers, size_t first, size_t n,
                            const Fn& fn) {
  if constexpr (kHasBefore<E>) {
    const TagOf<E> d;
    const auto* p = static_cast<const typename E::T*>(centers) + first;
    if (n >= kLanesOf<E>) return fn(E::Load(d, p));
    return fn(E::LoadN(d, p, n));
  } else {
    return fn();
  }
}

// ---- One sequence ----------------------------------------------------------

/// Fewer elements than a vector has lanes. The other lanes combine with what
/// neither changes them nor raises a flag.
template <class E, class V, class Of>
HWY_INLINE V CombineFirst(V a, const typename E::T* p, size_t n, const Of& of) {
  const TagOf<E> d;
  const V more = of(E::LoadN(d, p, n));
  const V none = hn::Set(d, E::kIdentity);
  return E::Combine(d, a, hn::IfThenElse(hn::FirstN(d, n), more, none));
}

/// Elements [0, n) of blocks of kPartials elements, of which the vectors `a`
/// take those that begin at `offset`. `of` is what a vector contributes.
template <class E, class Of, class... V>
HWY_INLINE void AddBlocks(const typename E::T* x, size_t n, size_t offset,
                          const Of& of, V&... a) {
  const TagOf<E> d;
  constexpr size_t N = kLanesOf<E>;
  const auto* p = x + offset;
  for (const auto* end = p + n / kPartials * kPartials; p != end;
       p += kPartials) {
    const auto* at = p;
    ((a = E::Combine(d, a, of(E::Load(d, at))), at += N), ...);
  }
  size_t left = n % kPartials;
  left -= HWY_MIN(left, offset);
  const auto add_rest = [&](auto& v) HWY_ATTR {
    if (left >= N) {
      v = E::Combine(d, v, of(E::Load(d, p)));
      left -= N;
      p += N;
    } else if (left != 0) {
      v = CombineFirst<E>(v, p, left, of);
      left = 0;
    }
  };
  if (left != 0) (add_rest(a), ...);
}

/// Lanes j and j + N / 2 are combined until one is left.
template <class E, class D, class V>
HWY_INLINE typename E::A FoldLanes(D /*d*/, V a) {
  if constexpr (HWY_MAX_LANES_D(D) == 1) {
    return hn::GetLane(a);
  } else {
    const hn::Half<D> half;
    return FoldLanes<E>(
        half, E::Combine(half, hn::LowerHalf(half, a), hn::UpperHalf(half, a)));
  }
}
/// The same of kWidth partial results in memory, for all targets.
template <class E, size_t kWidth>
HWY_INLINE void FoldMemory(typename E::A* partials) {
  if constexpr (kWidth > 1) {
    constexpr size_t kHalf = kWidth / 2;
    const hn::CappedTag<typename E::A, HWY_MIN(kHalf, kLanesOf<E>)> d;
    for (size_t j = 0; j < kHalf; j += HWY_MAX_LANES_D(decltype(d))) {
      const auto a = hn::LoadU(d, partials + j);
      const auto b = hn::LoadU(d, partials + j + kHalf);
      hn::StoreU(E::Combine(d, a, b), d, partials + j);
    }
    FoldMemory<E, kHalf>(partials);
  }
}

template <class E, class V>
HWY_INLINE typename E::A FoldVectors(V a) {
#if HWY_HAVE_SCALABLE
  typename E::A lanes[kLanesOf<E>];
  hn::StoreU(a, TagOf<E>(), lanes);
  FoldMemory<E, kLanesOf<E>>(lanes);
  return lanes[0];
#else
  return FoldLanes<E>(TagOf<E>(), a);
#endif
}
template <class E, class V>
HWY_INLINE typename E::A FoldVectors(V a, V b) {
  return FoldVectors<E>(E::Combine(TagOf<E>(), a, b));
}
template <class E, class V>
HWY_INLINE typename E::A FoldVectors(V a, V b, V c, V e) {
  const TagOf<E> d;
  return FoldVectors<E>(E::Combine(d, a, c), E::Combine(d, b, e));
}
template <class E, class V>
HWY_INLINE typename E::A FoldVectors(V a, V b, V c, V e, V f, V g, V h, V i) {
  const TagOf<E> d;
  return FoldVectors<E>(E::Combine(d, a, f), E::Combine(d, b, g),
                        E::Combine(d, c, h), E::Combine(d, e, i));
}

template <class E>
HWY_INLINE void StartMany(typename E::A* accumulators, size_t n) {
  for (size_t i = 0; i < n; ++i) accumulators[i] = E::kIdentity;
}

/// Adds a part of a sequence to partial results in memory.
template <class E>
HWY_INLINE void AddAlong(const typename E::T* x, size_t n,
                         const Center<E>* center, typename E::A* partials) {
  const TagOf<E> d;
  constexpr size_t N = kLanesOf<E>;
  constexpr size_t kGroup = kGroupOf<E>;
  constexpr size_t kSegment =
      kGroup == kVectorsOf<E> ? ~size_t{0} : 16384 / sizeof(typename E::T);
  WithCenter<E>(center, [&](auto... c) HWY_ATTR {
    const auto of = [&](auto v) HWY_ATTR { return E::Element(d, v, c...); };
    while (n != 0) {
      const size_t part = HWY_MIN(n, kSegment);
      for (size_t j = 0; j < kPartials; j += kGroup * N) {
        WithCopies<kGroup>(hn::Zero(d), [&](auto... a) HWY_ATTR {
          auto* at = partials + j;
          ((a = hn::LoadU(d, at), at += N), ...);
          AddBlocks<E>(x, part, j, of, a...);
          at = partials + j;
          ((hn::StoreU(a, d, at), at += N), ...);
        });
      }
      x += part;
      n -= part;
    }
  });
}

/// A whole sequence. Partial results without elements, which short sequences
/// have, change nothing when they are folded: they are left out.
template <class E>
HWY_INLINE typename E::A AccumulatorOf(const typename E::T* x, size_t n,
                                       const Center<E>* center) {
  const TagOf<E> d;
  constexpr size_t N = kLanesOf<E>;
  constexpr size_t kGroup = kGroupOf<E>;
  if (kGroup == kVectorsOf<E> || n <= kGroup * N) {
    return WithCenter<E>(center, [&](auto... c) HWY_ATTR {
      const auto of = [&](auto v) HWY_ATTR { return E::Element(d, v, c...); };
      const auto none = hn::Set(d, E::kIdentity);
      if (n <= N) return FoldVectors<E>(CombineFirst<E>(none, x, n, of));
      return WithCopies<kGroup>(none, [&](auto... a) HWY_ATTR {
        AddBlocks<E>(x, n, 0, of, a...);
        return FoldVectors<E>(a...);
      });
    });
  }
  HWY_ALIGN typename E::A partials[kPartials];
  StartMany<E>(partials, kPartials);
  AddAlong<E>(x, n, center, partials);
  FoldMemory<E, kPartials>(partials);
  return partials[0];
}

// ---- Many sequences, an element of each in a row ---------------------------

/// Some rows of kVectors * N columns from `first` on.
template <class E, size_t kVectors>
HWY_INLINE void AddColumns(const Feed& feed, const char* x, size_t rows,
                           size_t first) {
  const TagOf<E> d;
  constexpr size_t N = kLanesOf<E>;
  auto* accumulators = static_cast<typename E::A*>(feed.accumulators) + first;
  WithCopies<kVectors>(hn::Zero(d), [&](auto... a) HWY_ATTR {
    auto* at = accumulators;
    ((a = hn::LoadU(d, at), at += N), ...);
    for (size_t r = 0; r < rows; ++r, x += feed.step) {
      size_t j = first;
      const auto add = [&](auto& v) HWY_ATTR {
        const auto* p = reinterpret_cast<const typename E::T*>(x) + j;
        v = WithCenters<E>(feed.center, j, N, [&](auto... c) HWY_ATTR {
          return E::Combine(d, v, E::Element(d, E::Load(d, p), c...));
        });
        j += N;
      };
      (add(a), ...);
    }
    at = accumulators;
    ((hn::StoreU(a, d, at), at += N), ...);
  });
}
/// All rows of the last columns, fewer than a vector has lanes.
template <class E>
HWY_INLINE void AddLastColumns(const Feed& feed, size_t first) {
  const TagOf<E> d;
  const size_t left = feed.n - first;
  auto* at = static_cast<typename E::A*>(feed.accumulators) + first;
  const auto* x = static_cast<const char*>(feed.x);
  WithCenters<E>(feed.center, first, left, [&](auto... c) HWY_ATTR {
    auto a = hn::LoadN(d, at, left);
    for (size_t r = 0; r < feed.rows; ++r, x += feed.step) {
      const auto* p = reinterpret_cast<const typename E::T*>(x) + first;
      a = E::Combine(d, a, E::Element(d, E::LoadN(d, p, left), c...));
    }
    hn::StoreN(a, d, at, left);
  });
}
/// Some whole rows at a time, because caches fetch ahead where memory is read
/// in order. The columns that are left keep their accumulators in registers.
template <class E>
HWY_INLINE void AddAcross(const Feed& feed) {
  constexpr size_t kRows = 8;
  constexpr size_t kVectors = HWY_MIN(E::kUnroll, 4);
  constexpr size_t N = kLanesOf<E>;
  constexpr size_t kWide = kVectors * N;
  const auto* x = static_cast<const char*>(feed.x);
  const size_t whole = feed.n / kWide * kWide;
  for (size_t row = 0; whole != 0 && row < feed.rows; row += kRows) {
    const size_t rows = HWY_MIN(kRows, feed.rows - row);
    for (size_t j = 0; j < whole; j += kWide) {
      AddColumns<E, kVectors>(feed, x, rows, j);
    }
    x += static_cast<ptrdiff_t>(kRows) * feed.step;
  }
  x = static_cast<const char*>(feed.x);
  size_t j = whole;
  for (; j + N <= feed.n; j += N) AddColumns<E, 1>(feed, x, feed.rows, j);
  if (j != feed.n) AddLastColumns<E>(feed, j);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_REDUCTION_ACCUMULATE_INL_H_
