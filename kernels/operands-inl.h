// SPDX-License-Identifier: Apache-2.0
//
// How the loops (rows-inl.h, loops-inl.h) find the rows of a job, read
// operands, and store parts of vectors.

#if defined(LANEWISE_KERNELS_OPERANDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_OPERANDS_INL_H_
#undef LANEWISE_KERNELS_OPERANDS_INL_H_
#else
#define LANEWISE_KERNELS_OPERANDS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "hwy/cache_control.h"  // Prefetch
#include "hwy/highway.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether instructions load and store parts of a vector as quickly as a whole
/// one.
#if HWY_ARCH_X86
constexpr bool kPartsAreQuick = HWY_TARGET <= HWY_AVX3;
#else
constexpr bool kPartsAreQuick = HWY_TARGET_IS_SVE || HWY_TARGET == HWY_RVV;
#endif

/// Whether a half vector is a whole register, which has no unused lanes, and
/// two of them are quicker than a part of a vector.
constexpr bool kHalvesAreQuick = HWY_TARGET == HWY_AVX2 || HWY_TARGET_IS_NEON;

/// For a vector that is used twice: GCC would load the vector from memory
/// twice.
template <class V>
HWY_INLINE void KeepInRegister([[maybe_unused]] V& v) {
#if HWY_ARCH_X86
  __asm__("" : "+v"(v.raw));
#endif
}

/// The first n lanes, where n is less than a vector's.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void StoreFirst(hn::VFromD<D> v, D d, T* out, size_t n) {
  if (!kPartsAreQuick && n == 1) {
    *out = hn::GetLane(v);
  } else {
    hn::StoreN(v, d, out, n);
  }
}

/// An operand with an element for each output.
template <typename T>
struct Moving {
  static constexpr bool kMoves = true;  ///< each vector is read from memory
  const T* p;
  T padding;

  HWY_INLINE T At(size_t i) const { return p[i]; }
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> Load(D /*d*/, size_t i) const {
    return hn::LoadU(hn::Rebind<T, D>(), p + i);
  }
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> LoadFirst(D /*d*/, size_t n) const {
    const hn::Rebind<T, D> own;
    // Scalars are frequent, and a part of a vector takes longer to load.
    if (!kPartsAreQuick && n == 1) return hn::Set(own, *p);
    return hn::LoadNOr(hn::Set(own, padding), own, p, n);
  }
  /// The elements [i, i + n), where n is at most a vector's; the rest is
  /// padding.
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> LoadSome(D d, size_t i,
                                                   size_t n) const {
    return Moving{p + i, padding}.LoadFirst(d, n);
  }
  HWY_INLINE void Prefetch(size_t i) const { hwy::Prefetch(p + i); }
};

/// An operand that is one element for all outputs.
template <typename T>
struct Fixed {
  static constexpr bool kMoves = false;
  T value;

  HWY_INLINE T At(size_t) const { return value; }
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> Load(D /*d*/, size_t) const {
    return hn::Set(hn::Rebind<T, D>(), value);
  }
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> LoadFirst(D d, size_t) const {
    return Load(d, 0);
  }
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> LoadSome(D d, size_t, size_t) const {
    return Load(d, 0);
  }
  HWY_INLINE void Prefetch(size_t) const {}
};

/// The elements [i, i + n) of a row whose elements are `stride` apart, where n
/// is at most a vector's; the rest is padding. Out of line and on bits, because
/// each kernel for any stride would have the function twice.
template <class D, typename TBits = hn::TFromD<D>>
static HWY_NOINLINE hn::VFromD<D> LoadStridedBits(const TBits* p, size_t stride,
                                                  size_t i, size_t n,
                                                  TBits padding) {
  const D d;
  const size_t N = hn::Lanes(d);
  if (kPartsAreQuick && stride == 1) {
    return hn::LoadNOr(hn::Set(d, padding), d, p + i, n);
  }
  if (kPartsAreQuick && stride == 2) {
    const TBits* at = p + 2 * i;
    const size_t reach = n == 0 ? 0 : 2 * n - 1;
    const auto low = hn::LoadN(d, at, HWY_MIN(reach, N));
    const auto high = hn::LoadN(d, at + N, reach - HWY_MIN(reach, N));
    return hn::IfThenElse(hn::FirstN(d, n), hn::ConcatEven(d, high, low),
                          hn::Set(d, padding));
  }
  if (i != 0 && n == N && stride == 2) {
    // Reads one element more, which lies behind element i - 1.
    const TBits* at = p + 2 * i - 1;
    return hn::ConcatOdd(d, hn::LoadU(d, at + N), hn::LoadU(d, at));
  }
  HWY_ALIGN TBits lanes[hn::MaxLanes(d)];
  hn::Store(hn::Set(d, padding), d, lanes);
  for (size_t k = 0; k < n; ++k) lanes[k] = p[(i + k) * stride];
  return hn::Load(d, lanes);
}
template <class D, typename T>
HWY_INLINE hn::VFromD<D> LoadStrided(D d, const T* p, size_t stride, size_t i,
                                     size_t n, T padding) {
  using DBits = hn::RebindToUnsigned<D>;
  using TBits = hn::TFromD<DBits>;
  return hn::BitCast(
      d, LoadStridedBits<DBits>(reinterpret_cast<const TBits*>(p), stride, i, n,
                                hwy::BitCastScalar<TBits>(padding)));
}

/// An operand whose elements are every second one in memory.
template <typename T>
struct EverySecond {
  static constexpr size_t stride = 2;
  const T* p;
  T padding;

  /// The elements [i, i + N). Reads one element more, which lies before element
  /// i + N.
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> Load(D /*d*/, size_t i) const {
    const hn::Rebind<T, D> own;
    const T* at = p + 2 * i;
    return hn::ConcatEven(own, hn::LoadU(own, at + hn::Lanes(own)),
                          hn::LoadU(own, at));
  }
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> LoadSome(D /*d*/, size_t i,
                                                   size_t n) const {
    return LoadStrided(hn::Rebind<T, D>(), p, stride, i, n, padding);
  }
};

/// An operand whose elements are `stride` apart: 0, 1 or 2.
template <typename T>
struct Striding {
  static_assert(kMaxStride == EverySecond<T>::stride);
  const T* p;
  size_t stride;
  T padding;

  HWY_INLINE T At(size_t i) const { return p[i * stride]; }
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> Load(D d, size_t i) const {
    const hn::Rebind<T, D> own;
    // Without this line, the compiler makes a loop for each combination of
    // strides, which take 1.3 times the bytes and no less time.
    size_t step = stride;
    __asm__("" : "+r"(step));
    if (step == 0) return hn::Set(own, *p);
    if (step == 1) return hn::LoadU(own, p + i);
    return EverySecond<T>{p, padding}.Load(d, i);
  }
  template <class D>
  HWY_INLINE hn::VFromD<hn::Rebind<T, D>> LoadSome(D /*d*/, size_t i,
                                                   size_t n) const {
    return LoadStrided(hn::Rebind<T, D>(), p, stride, i, n, padding);
  }
};
template <class In>
concept HasStride = requires(In in) {
  in.stride;
};

/// Whether all elementwise operators, and Reshape, read every second element of
/// up to 8 bytes in place (not exact Exp, not complex64). Small calls on such
/// elements then take the plain way. On other targets, some operators do for
/// elements of 4 and 8 bytes.
constexpr bool kAllReadStrided =
    HWY_TARGET == HWY_AVX3_ZEN4 || HWY_TARGET == HWY_AVX2;

/// A table's line for rows of every second element: ForPattern makes the kernel
/// from the pattern. Without a kernel, such rows go through tiles.
template <bool kHasKernel, class ForPattern>
constexpr PatternKernel Strided(ForPattern make) {
  if constexpr (kHasKernel) {
    return {kAnyStride, make(std::integral_constant<int, kAnyStride>())};
  }
  return {kAnyStride, nullptr};
}

template <typename T>
HWY_INLINE const T* InRow(const Job& job, int k, size_t row) {
  const auto* in = static_cast<const char*>(job.in[k]);
  return reinterpret_cast<const T*>(in + job.setup->in_step[k] *
                                             static_cast<ptrdiff_t>(row));
}
template <typename T>
HWY_INLINE T* OutRow(const Job& job, size_t row) {
  auto* out = static_cast<char*>(job.out);
  return reinterpret_cast<T*>(out + job.setup->out_step *
                                        static_cast<ptrdiff_t>(row));
}

/// Input `k` of a row, which starts at `in`, as ComputeRow takes it: one
/// element for all outputs if the pattern calls the input a scalar.
template <typename T, int kPattern, int k>
HWY_INLINE auto InputAt(const Job& job, const char* in, T padding) {
  const T* p = reinterpret_cast<const T*>(in);
  if constexpr (kPattern == kAnyStride) {
    return Striding<T>{p, job.setup->in_stride[k], padding};
  } else if constexpr ((kPattern >> k & 1) != 0) {
    return Fixed<T>{*p};
  } else {
    return Moving<T>{p, padding};
  }
}
template <typename T, int kPattern, int k>
HWY_INLINE auto InputOf(const Job& job, size_t row, T padding) {
  return InputAt<T, kPattern, k>(job, InRow<char>(job, k, row), padding);
}

/// ForEachRow for the inputs k. Constants as indexes keep the array `in` in
/// registers.
template <size_t... k, class Compute>
HWY_INLINE void ForEachRowOf(std::index_sequence<k...> /*inputs*/,
                             const Job& job, const Compute& compute) {
  const char* in[] = {static_cast<const char*>(job.in[k])...};
  auto* out = static_cast<char*>(job.out);
  size_t n = job.n;
  for (size_t left = job.setup->rows; left != 0;) {
    // Without this line, the compiler computes all that follows from n before
    // the loop, and saves registers for that, although most jobs have one row.
    __asm__ volatile("" : "+r"(n));
    compute(out, n, in);
    if (--left == 0) break;
    ((in[k] += job.setup->in_step[k]), ...);
    out += job.setup->out_step;
  }
}

/// ForEachVectorRow for the inputs k.
template <size_t... k, class Compute>
HWY_INLINE void ForEachVectorRowOf(std::index_sequence<k...> /*inputs*/,
                                   const Job& job, const Compute& compute) {
  const ptrdiff_t step[] = {job.setup->in_step[k]...};
  const ptrdiff_t out_step = job.setup->out_step;
  const char* in[] = {static_cast<const char*>(job.in[k])...};
  auto* out = static_cast<char*>(job.out);
  for (size_t left = job.setup->rows; left != 0;) {
    compute(out, in);
    if (--left == 0) break;
    ((in[k] += step[k]), ...);
    out += out_step;
  }
}

/// Calls compute(out, in) for each row of a job with kInputs inputs, for which
/// AreVectorRows is true. The loop reads all steps once.
template <size_t kInputs, class Compute>
HWY_INLINE void ForEachVectorRow(const Job& job, const Compute& compute) {
  ForEachVectorRowOf(std::make_index_sequence<kInputs>(), job, compute);
}

/// Jobs of several rows have a kernel of their own if each row is a whole
/// number of vectors, at most kMostVectors: a loop without the checks of
/// ComputeRow. A row of bytes is one vector, which needs no loop.
template <typename T>
constexpr size_t kMostVectors = sizeof(T) == 1 ? 1 : 8;

/// Whether a job is several rows of 1 to kMostVectors whole vectors.
template <class D>
HWY_INLINE bool AreVectorRows(D d, const Job& job) {
  const size_t N = hn::Lanes(d);
  return job.setup->rows != 1 && job.n % N == 0 &&
         job.n - 1 < kMostVectors<hn::TFromD<D>> * N;  // not for n = 0
}

/// Calls store(i) for each vector of such a row of n elements, where i is the
/// vector's first element.
template <class D, class Store>
HWY_INLINE void ForEachVector(D d, size_t n, const Store& store) {
  const size_t N = hn::Lanes(d);
  if constexpr (kMostVectors<hn::TFromD<D>> == 1) return store(0);
  size_t i = 0;
  for (; i + 2 * N <= n; i += 2 * N) {
    store(i);
    store(i + N);
  }
  if (i < n) store(i);
}

/// Calls compute(out, n, in) for each row of a job with kInputs inputs.
template <size_t kInputs, class Compute>
HWY_INLINE void ForEachRow(const Job& job, const Compute& compute) {
  ForEachRowOf(std::make_index_sequence<kInputs>(), job, compute);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_OPERANDS_INL_H_
