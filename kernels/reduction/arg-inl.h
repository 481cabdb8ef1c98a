// SPDX-License-Identifier: Apache-2.0
//
// ArgMax and ArgMin: where the largest or the smallest element is. That element
// is known first, by the reducer of ReduceMax or ReduceMin; then elements that
// are equal to it, or NaNs where it is a NaN, are looked for. Vectors are
// compared, and lanes are looked at only where one hits.
//
// An accumulator is an index. kNowhere is the last of all as an unsigned
// number, and the first as a signed one: of two indexes, the first one is the
// smaller unsigned number, the last one the larger signed number.

#if defined(LANEWISE_KERNELS_REDUCTION_ARG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_REDUCTION_ARG_INL_H_
#undef LANEWISE_KERNELS_REDUCTION_ARG_INL_H_
#else
#define LANEWISE_KERNELS_REDUCTION_ARG_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/order16-inl.h"
#include "kernels/reduction.h"
#include "kernels/reduction/accumulate-inl.h"
#include "kernels/reduction/arg_params.h"
#include "kernels/reduction/extremes-inl.h"
#include "kernels/reduction/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kNowhere = -1;

HWY_INLINE bool TakesLast(const void* params) {
  return static_cast<const ArgParams*>(params)->last;
}
/// Whether index a is taken rather than index b.
HWY_INLINE bool IsTaken(bool last, int64_t a, int64_t b) {
  return last ? a > b : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
}

/// Lanes that are equal to `center`, or NaNs as `center`. With(d, center, fn)
/// calls fn with a function that does the same for one center, quicker.
template <typename T>
struct Equality {
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Of(D /*d*/, V x, V center) {
    if constexpr (std::is_integral_v<T>) {
      return hn::Eq(x, center);
    } else {
      return hn::Or(hn::Eq(x, center),
                    hn::And(hn::IsNaN(x), hn::IsNaN(center)));
    }
  }
  template <class D, class Fn>
  static HWY_INLINE int64_t With(D d, T center, const Fn& fn) {
    const auto c = hn::Set(d, center);
    if (HWY_UNLIKELY(center != center)) {
      return fn([&](auto x) HWY_ATTR { return Of(d, x, c); });
    }
    return fn([&](auto x) HWY_ATTR { return hn::Eq(x, c); });
  }
};
template <int16_t kInfinity>
struct Equality16 {
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Of(D d, V x, V center) {
    const auto is_nan = [&](V v) HWY_ATTR {
      return hn::Gt(Magnitude16(d, v), hn::Set(d, kInfinity));
    };
    return hn::Or(hn::Eq(OrderOf16(d, x), OrderOf16(d, center)),
                  hn::And(is_nan(x), is_nan(center)));
  }
  template <class D, class Fn>
  static HWY_INLINE int64_t With(D d, int16_t center, const Fn& fn) {
    const auto c = hn::Set(d, center);
    const auto magnitude = static_cast<int16_t>(center & 0x7FFF);
    if (HWY_UNLIKELY(magnitude > kInfinity || magnitude == 0)) {
      return fn([&](auto x) HWY_ATTR { return Of(d, x, c); });
    }
    return fn([&](auto x) HWY_ATTR { return hn::Eq(x, c); });
  }
};
template <>
struct Equality<Float16> : Equality16<0x7C00> {};
template <>
struct Equality<BFloat16> : Equality16<0x7F80> {};

/// Bit k tells of lane k.
template <class D>
HWY_INLINE uint64_t BitsOfMask(D d, hn::Mask<D> mask) {
#if HWY_MAX_BYTES <= 64
  return hn::BitsFromMask(d, mask);
#else
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  uint64_t bits = 0;
  for (size_t i = 0; i < 8; ++i) bits |= uint64_t{bytes[i]} << 8 * i;
  return bits;
#endif
}
/// Bit k tells of element k. At most 64 elements.
template <class E, class Hits>
HWY_INLINE uint64_t HitsOf(const typename E::T* x, size_t n, const Hits& hits) {
  const TagOf<E> d;
  constexpr size_t N = kLanesOf<E>;
  uint64_t bits = 0;
  size_t i = 0;
  for (; i + N <= n; i += N) {
    bits |= BitsOfMask(d, hits(E::Load(d, x + i))) << i;
  }
  if (i == n) return bits;
  const auto some =
      hn::And(hits(E::LoadN(d, x + i, n - i)), hn::FirstN(d, n - i));
  return bits | BitsOfMask(d, some) << i;
}
/// The place of the first or the last bit, behind `at`; kNowhere without bits.
HWY_INLINE int64_t PlaceOf(uint64_t bits, bool last, size_t at) {
  if (bits == 0) return kNowhere;
  const size_t place = last ? 63 - hwy::Num0BitsAboveMS1Bit_Nonzero64(bits)
                            : hwy::Num0BitsBelowLS1Bit_Nonzero64(bits);
  return static_cast<int64_t>(at + place);
}

/// Vectors whose hits are looked at together.
template <class E>
constexpr size_t kBlockOf = HWY_MIN(kVectorsOf<E>, 8) * kLanesOf<E>;
template <class E, class Hits>
HWY_INLINE bool AnyHits(const typename E::T* x, const Hits& hits) {
  const TagOf<E> d;
  auto any = hits(E::Load(d, x));
  HWY_UNROLL(7)
  for (size_t i = kLanesOf<E>; i < kBlockOf<E>; i += kLanesOf<E>) {
    any = hn::Or(any, hits(E::Load(d, x + i)));
  }
  return !hn::AllFalse(d, any);
}
/// The first or the last element that hits, or kNowhere.
template <class E, class Hits>
HWY_INLINE int64_t Search(const typename E::T* x, size_t n, bool last,
                          const Hits& hits) {
  constexpr size_t kBlock = kBlockOf<E>;
  if (n <= kBlock) return PlaceOf(HitsOf<E>(x, n, hits), last, 0);
  const size_t whole = n / kBlock * kBlock;
  const size_t rest = n - whole;
  if (last && rest != 0) {
    const int64_t place =
        PlaceOf(HitsOf<E>(x + whole, rest, hits), last, whole);
    if (place != kNowhere) return place;
  }
  for (size_t i = 0; i < whole; i += kBlock) {
    const size_t at = last ? whole - kBlock - i : i;
    if (AnyHits<E>(x + at, hits)) {
      return PlaceOf(HitsOf<E>(x + at, kBlock, hits), last, at);
    }
  }
  if (last || rest == 0) return kNowhere;
  return PlaceOf(HitsOf<E>(x + whole, rest, hits), last, whole);
}
template <class E, class Equal>
HWY_INLINE int64_t IndexOf(const typename E::T* x, size_t n, bool last,
                           typename E::A center) {
  return Equal::With(TagOf<E>(), center, [&](const auto& hits) HWY_ATTR {
    return Search<E>(x, n, last, hits);
  });
}

static void StartArg(void* accumulators, size_t n) noexcept {
  auto* a = static_cast<int64_t*>(accumulators);
  for (size_t i = 0; i < n; ++i) a[i] = kNowhere;
}

template <class E, class Equal>
static HWY_NOINLINE void ArgAlong(const Feed& feed) noexcept {
  const bool last = TakesLast(feed.params);
  auto& taken = *static_cast<int64_t*>(feed.accumulators);
  const auto first = static_cast<int64_t>(feed.first);
  if (!last && !IsTaken(last, first, taken)) return;
  const int64_t index =
      IndexOf<E, Equal>(static_cast<const typename E::T*>(feed.x), feed.n, last,
                        *static_cast<const typename E::A*>(feed.center));
  if (index != kNowhere && IsTaken(last, first + index, taken)) {
    taken = first + index;
  }
}

static void CombineArg(const void* params, void* accumulators,
                       const void* later, size_t n) noexcept {
  const bool last = TakesLast(params);
  auto* a = static_cast<int64_t*>(accumulators);
  const auto* b = static_cast<const int64_t*>(later);
  for (size_t i = 0; i < n; ++i) {
    if (IsTaken(last, b[i], a[i])) a[i] = b[i];
  }
}

/// ArgAlong uses the first partial result alone.
static void FoldArg(const void* /*params*/, void* /*partials*/) noexcept {}

static void FinishArg(const Finish& finish) noexcept {
  std::memcpy(finish.out, finish.accumulators, finish.n * sizeof(int64_t));
}

/// Up to 64 sequences from `first` on. The search ends when each of them has
/// an index.
template <class E, class Equal>
HWY_INLINE void ArgColumns(const Feed& feed, size_t first, size_t n,
                           bool last) {
  const TagOf<E> d;
  constexpr size_t N = kLanesOf<E>;
  const auto* centers = static_cast<const typename E::A*>(feed.center) + first;
  auto* taken = static_cast<int64_t*>(feed.accumulators) + first;
  size_t missing = n;
  for (size_t r = 0; r < feed.rows && missing != 0; ++r) {
    const size_t row = last ? feed.rows - 1 - r : r;
    const auto* x = reinterpret_cast<const typename E::T*>(
                        static_cast<const char*>(feed.x) +
                        static_cast<ptrdiff_t>(row) * feed.step) +
                    first;
    const auto index = static_cast<int64_t>(feed.first + row);
    for (size_t j = 0; j < n; j += N) {
      const size_t part = HWY_MIN(n - j, N);
      const auto hit =
          part == N ? Equal::Of(d, E::Load(d, x + j), E::Load(d, centers + j))
                    : hn::And(Equal::Of(d, E::LoadN(d, x + j, part),
                                        E::LoadN(d, centers + j, part)),
                              hn::FirstN(d, part));
      if (HWY_LIKELY(hn::AllFalse(d, hit))) continue;
      for (uint64_t bits = BitsOfMask(d, hit); bits != 0; bits &= bits - 1) {
        int64_t& place = taken[j + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits)];
        if (!IsTaken(last, index, place)) continue;
        place = index;
        --missing;
      }
    }
  }
}
template <class E, class Equal>
static HWY_NOINLINE void ArgAcross(const Feed& feed) noexcept {
  constexpr size_t kMost = 64;
  const bool last = TakesLast(feed.params);
  for (size_t j = 0; j < feed.n; j += kMost) {
    ArgColumns<E, Equal>(feed, j, HWY_MIN(feed.n - j, kMost), last);
  }
}

template <class E, class Equal>
static HWY_NOINLINE void ArgRows(const WholeRows& rows) noexcept {
  const bool last = TakesLast(rows.params);
  const auto* x = static_cast<const char*>(rows.x);
  auto* out = static_cast<char*>(rows.out);
  for (size_t r = 0; r < rows.rows; ++r) {
    const auto* row = reinterpret_cast<const typename E::T*>(x);
    const auto center = AccumulatorOf<E>(row, rows.n, nullptr);
    const int64_t index = IndexOf<E, Equal>(row, rows.n, last, center);
    std::memcpy(out, &index, sizeof(index));
    x += rows.step;
    out += rows.out_step;
  }
}

template <class Choice, typename T>
constexpr Reduction ArgReduction() {
  using R = ExtremeOf<Choice, T>;
  using E = typename R::Elements;
  return {
      .accumulator_bytes = sizeof(int64_t),
      .before = &ReductionOf<R>::kValue,
      .needs_elements = true,
      .start = StartArg,
      .along = ArgAlong<E, Equality<T>>,
      .fold = FoldArg,
      .across = ArgAcross<E, Equality<T>>,
      .combine = CombineArg,
      .finish = FinishArg,
      .rows = ArgRows<E, Equality<T>>,
  };
}
template <class Choice, typename T>
constexpr Reduction kArgReduction = ArgReduction<Choice, T>();

template <class Choice, typename T>
constexpr KernelEntry ArgEntry(int since, lw_type type) {
  return {.since = since,
          .type = type,
          .kernels = {},
          .reduction = &kArgReduction<Choice, T>};
}
/// The kernels by type, with the versions that list the types first.
template <class Choice>
constexpr KernelEntry kIndexKernels[] = {
    ArgEntry<Choice, Float16>(1, LW_FLOAT16),
    ArgEntry<Choice, float>(1, LW_FLOAT32),
    ArgEntry<Choice, double>(1, LW_FLOAT64),
    ArgEntry<Choice, int8_t>(1, LW_INT8),
    ArgEntry<Choice, int16_t>(1, LW_INT16),
    ArgEntry<Choice, int32_t>(1, LW_INT32),
    ArgEntry<Choice, int64_t>(1, LW_INT64),
    ArgEntry<Choice, uint8_t>(1, LW_UINT8),
    ArgEntry<Choice, uint16_t>(1, LW_UINT16),
    ArgEntry<Choice, uint32_t>(1, LW_UINT32),
    ArgEntry<Choice, uint64_t>(1, LW_UINT64),
    ArgEntry<Choice, BFloat16>(13, LW_BFLOAT16),
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_REDUCTION_ARG_INL_H_
