// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of two inputs of one type, whose results are bools: bytes of 0 or
// 1. A comparison provides, for full vectors of storage lanes,
//
//   struct Fn {
//     using T = float;  // storage lanes
//     template <class D, class V>
//     HWY_INLINE hn::Mask<D> operator()(D d, V a, V b) const;
//   };
//
// The loop computes as many vectors as make one vector of bytes.

#if defined(LANEWISE_KERNELS_COMPARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_COMPARE_INL_H_
#undef LANEWISE_KERNELS_COMPARE_INL_H_
#else
#define LANEWISE_KERNELS_COMPARE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 16-bit floats as integers in the same order, for numbers. -0 and +0 are both
/// 0. The floating-point environment has no part in comparisons of integers.
template <class DI, class VI>
HWY_INLINE VI OrderOf16(DI di, VI bits) {
  const VI magnitude = hn::And(bits, hn::Set(di, int16_t{0x7FFF}));
  const VI sign = hn::BroadcastSignBit(bits);
  return hn::Sub(hn::Xor(magnitude, sign), sign);
}

/// True in lanes where neither operand is a NaN. kInfinity is the format's.
template <int16_t kInfinity, class DI, class VI>
HWY_INLINE hn::Mask<DI> AreNumbers16(DI di, VI a, VI b) {
  const VI mask = hn::Set(di, int16_t{0x7FFF});
  const VI infinity = hn::Set(di, kInfinity);
  return hn::And(hn::Le(hn::And(a, mask), infinity),
                 hn::Le(hn::And(b, mask), infinity));
}

/// All ones in the lanes of a mask, as signed integers.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> OnesIn(D d, hn::Mask<D> mask) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(di, hn::VecFromMask(d, mask));
}

/// A vector of bytes, 0 or 1. load(part) returns the result of vector `part` as
/// lanes of all ones or zeros.
template <size_t kSize, class D8, class Load>
HWY_INLINE hn::VFromD<D8> JoinBytes(D8 d8, const Load& load) {
  const hn::RebindToSigned<D8> di8;
  const auto one = hn::Set(d8, uint8_t{1});
  const auto from16 = [&](auto v0, auto v1) HWY_ATTR {
    return hn::And(hn::BitCast(d8, hn::OrderedDemote2To(di8, v0, v1)), one);
  };
  if constexpr (kSize == 1) {
    return hn::And(hn::BitCast(d8, load(0)), one);
  } else if constexpr (kSize == 2) {
    return from16(load(0), load(1));
  } else {
    const hn::Repartition<int16_t, D8> di16;
    const hn::Repartition<int32_t, D8> di32;
    // The lower half of a 64-bit lane is enough.
    const auto part32 = [&](size_t k) HWY_ATTR {
      if constexpr (kSize == 4) {
        return load(k);
      } else {
        const auto low = hn::BitCast(di32, load(2 * k));
        const auto high = hn::BitCast(di32, load(2 * k + 1));
        return hn::ConcatEven(di32, high, low);
      }
    };
    return from16(hn::OrderedDemote2To(di16, part32(0), part32(1)),
                  hn::OrderedDemote2To(di16, part32(2), part32(3)));
  }
}

/// As many bytes, 0 or 1, as a vector has lanes of all ones or zeros.
template <class D8, class V>
HWY_INLINE hn::VFromD<D8> NarrowBytes(D8 d8, V ones) {
  const auto one = hn::Set(d8, uint8_t{1});
  if constexpr (sizeof(hn::TFromV<V>) == 1) {
    return hn::And(hn::BitCast(d8, ones), one);
  } else {
    const hn::RebindToUnsigned<hn::DFromV<V>> du;
    return hn::And(hn::TruncateTo(d8, hn::BitCast(du, ones)), one);
  }
}

/// The results of one vector of inputs, from element i on.
template <class D, class Fn, class A, class B>
HWY_INLINE hn::Vec<hn::Rebind<uint8_t, D>> CompareAt(D d, size_t i,
                                                     const Fn& fn, const A& a,
                                                     const B& b) {
  return NarrowBytes(hn::Rebind<uint8_t, D>(),
                     OnesIn(d, fn(d, a.Load(d, i), b.Load(d, i))));
}

/// A row that is shorter than a vector of inputs.
template <class D, class Fn, class A, class B>
HWY_INLINE void CompareShortRow(D d, uint8_t* out, size_t n, const Fn& fn,
                                const A& a, const B& b) {
  if constexpr (kHalvesAreQuick) {
    const hn::Half<D> half;
    const hn::Rebind<uint8_t, decltype(half)> narrow;
    const size_t N = hn::Lanes(half);
    if (n >= N) {  // two that overlap
      const auto last = CompareAt(half, n - N, fn, a, b);
      hn::StoreU(CompareAt(half, 0, fn, a, b), narrow, out);
      hn::StoreU(last, narrow, out + n - N);
      return;
    }
  }
  const hn::Rebind<uint8_t, D> narrow;
  const auto ones = OnesIn(d, fn(d, a.LoadFirst(d, n), b.LoadFirst(d, n)));
  if (n != 0) StoreFirst(NarrowBytes(narrow, ones), narrow, out, n);
}

/// One row: out[i] = fn(a[i], b[i]) for i < n.
template <class Fn, class A, class B>
HWY_INLINE void CompareRow(uint8_t* out, size_t n, bool stream, const Fn& fn,
                           const A& a, const B& b) {
  using T = typename Fn::T;
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<T> d;
  const size_t N8 = hn::Lanes(d8);
  const size_t N = hn::Lanes(d);
  if (HWY_UNLIKELY(n < N)) return CompareShortRow(d, out, n, fn, a, b);

  // Computed up front: in place, the loops overwrite part of what this reads.
  const auto last = CompareAt(d, n - N, fn, a, b);

  const auto at = [&](size_t i) HWY_ATTR {
    return JoinBytes<sizeof(T)>(d8, [&](size_t part) HWY_ATTR {
      const size_t from = i + part * N;
      return OnesIn(d, fn(d, a.Load(d, from), b.Load(d, from)));
    });
  };
  size_t i = 0;
  // A streamed output is none of the inputs, so the first vectors may be stored
  // twice. Wide inputs are nearly all of the memory's work: on a Zen 5,
  // streaming the bytes beside float32 and float64 took 1.3 and 1.6 times as
  // long as storing them.
  if (stream && sizeof(T) <= 2 && n >= 2 * N8) {
    hn::StoreU(at(0), d8, out);
    i = N8 - reinterpret_cast<uintptr_t>(out) % N8;
    for (; i + N8 <= n; i += N8) hn::Stream(at(i), d8, out + i);
  }
  // Of bytes, one vector is too little work for an iteration.
  constexpr size_t kUnroll = sizeof(T) == 1 ? 4 : 1;
  for (; kUnroll > 1 && i + kUnroll * N8 <= n; i += kUnroll * N8) {
    HWY_UNROLL(4)
    for (size_t k = 0; k < kUnroll; ++k) {
      hn::StoreU(at(i + k * N8), d8, out + i + k * N8);
    }
  }
  for (; i + N8 <= n; i += N8) hn::StoreU(at(i), d8, out + i);

  const hn::Rebind<uint8_t, decltype(d)> narrow;
  for (; i + N <= n; i += N) {
    hn::StoreU(CompareAt(d, i, fn, a, b), narrow, out + i);
  }
  if (i < n) hn::StoreU(last, narrow, out + n - N);
}

template <class Fn, int kPattern>
HWY_NOINLINE void Compare(Job& job) {
  using T = typename Fn::T;
  for (size_t row = 0; row < job.rows; ++row) {
    CompareRow(RowAt<uint8_t>(job.out, job.out_step, row), job.n, job.stream,
               Fn(), InputOf<T, kPattern, 0>(job, row, 0),
               InputOf<T, kPattern, 1>(job, row, 0));
  }
}

template <class Fn>
constexpr PatternKernel kComparePatterns[] = {
    {LW_SAME, Compare<Fn, LW_SAME>},
    {LW_SCALAR_B, Compare<Fn, LW_SCALAR_B>},
    {LW_SCALAR_A, Compare<Fn, LW_SCALAR_A>}};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_COMPARE_INL_H_
