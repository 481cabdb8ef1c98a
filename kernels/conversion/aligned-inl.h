// SPDX-License-Identifier: Apache-2.0
//
// What QuantizeLinear and DequantizeLinear share. Elements go through tiles in
// L1: Cast's kernels convert x, scale and zero point to the lanes in which the
// operator computes, and the results to the output's type. A kernel therefore
// exists once, not once for each of hundreds of combinations of types. Between
// float32 and integers of 8 and 16 bits, and from int32 to float32, kernels of
// their own take one pass.

#if defined(LANEWISE_KERNELS_CONVERSION_ALIGNED_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_CONVERSION_ALIGNED_INL_H_
#undef LANEWISE_KERNELS_CONVERSION_ALIGNED_INL_H_
#else
#define LANEWISE_KERNELS_CONVERSION_ALIGNED_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/conversion/pairs-inl.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Seven of these are on the stack. The host's may be small.
struct Tile {
  alignas(64) char bytes[2048];
};
/// Elements in a tile, which are lanes of up to `lane_bytes`. Packed elements
/// of whole tiles share no byte.
constexpr size_t TileElements(size_t lane_bytes) {
  return sizeof(Tile) / lane_bytes;
}

/// The kernel to kTo from the types of scales, and of what is quantized.
template <lw_type kTo>
static KernelFn FromWide(int32_t type) {
  switch (type) {
    case LW_FLOAT16:
      return Convert<LW_FLOAT16, kTo>();
    case LW_BFLOAT16:
      return Convert<LW_BFLOAT16, kTo>();
    case LW_INT32:
      return Convert<LW_INT32, kTo>();
    case LW_FLOAT8E8M0:
      return Convert<LW_FLOAT8E8M0, kTo>();
    default:
      return Convert<LW_FLOAT32, kTo>();
  }
}

/// The kernel to float32 from quantized types. Elements of packed types may
/// have bytes of their own.
template <bool kInBytes>
static KernelFn FloatFromQuantized(int32_t type) {
  constexpr lw_type kTo = LW_FLOAT32;
  switch (type) {
    case LW_INT32:
      return Convert<LW_INT32, kTo>();
    case LW_INT16:
      return Convert<LW_INT16, kTo>();
    case LW_UINT16:
      return Convert<LW_UINT16, kTo>();
    case LW_FLOAT8E4M3FN:
      return Convert<LW_FLOAT8E4M3FN, kTo>();
    case LW_FLOAT8E4M3FNUZ:
      return Convert<LW_FLOAT8E4M3FNUZ, kTo>();
    case LW_FLOAT8E5M2:
      return Convert<LW_FLOAT8E5M2, kTo>();
    case LW_FLOAT8E5M2FNUZ:
      return Convert<LW_FLOAT8E5M2FNUZ, kTo>();
    case LW_FLOAT4E2M1:
      if constexpr (kInBytes) return Direct<NarrowToFloat<E2M1>>();
      return Convert<LW_FLOAT4E2M1, kTo>();
    case LW_INT4:
      return Convert < kInBytes ? LW_INT8 : LW_INT4, kTo > ();
    case LW_INT2:
      return Convert < kInBytes ? LW_INT8 : LW_INT2, kTo > ();
    case LW_UINT4:
      return Convert < kInBytes ? LW_UINT8 : LW_UINT4, kTo > ();
    case LW_UINT2:
      return Convert < kInBytes ? LW_UINT8 : LW_UINT2, kTo > ();
    case LW_INT8:
      return Convert<LW_INT8, kTo>();
    default:
      return Convert<LW_UINT8, kTo>();
  }
}

/// n elements that lie `step` apart, or one element n times.
template <typename T>
HWY_INLINE void GatherElements(const void* from, size_t first, ptrdiff_t step,
                               size_t n, void* to) {
  const T* in = static_cast<const T*>(from) + static_cast<ptrdiff_t>(first);
  T* out = static_cast<T*>(to);
  if (step == 0) {
    std::fill_n(out, n, *in);
  } else if (step == 1) {
    std::memcpy(out, in, n * sizeof(T));
  } else {
    for (size_t i = 0; i < n; ++i, in += step) out[i] = *in;
  }
}
/// Element `at` of a packed type as a byte, with its sign.
HWY_INLINE uint8_t PackedAt(const void* from, int32_t type, size_t at) {
  const size_t bits = BitsOf(type), bit = at * bits;
  const int byte = static_cast<const uint8_t*>(from)[bit / 8];
  const int upper = byte << (8 - bits - bit % 8) & 0xFF;
  const bool is_signed = type == LW_INT4 || type == LW_INT2;
  const int sign = is_signed ? upper & 0x80 : 0;
  return static_cast<uint8_t>((upper - 2 * sign) >> (8 - bits));
}
/// Elements of a parameter as one row: from element `first` on, `step` apart.
/// Those of packed types get bytes of their own.
static HWY_NOINLINE void GatherParameter(const void* from, int32_t type,
                                         size_t first, ptrdiff_t step, size_t n,
                                         void* to) {
  switch (BitsOf(type)) {
    case 8:
      return GatherElements<uint8_t>(from, first, step, n, to);
    case 16:
      return GatherElements<uint16_t>(from, first, step, n, to);
    case 32:
      return GatherElements<uint32_t>(from, first, step, n, to);
    default:
      break;
  }
  auto* bytes = static_cast<uint8_t*>(to);
  if (step == 0) {
    std::fill_n(bytes, n, PackedAt(from, type, first));
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    bytes[i] = PackedAt(from, type, first);
    first += static_cast<size_t>(step);
  }
}

/// A stretch of elements along which each parameter steps evenly.
struct Stretch {
  size_t n;
  size_t at[2];       ///< the parameters of its first element
  ptrdiff_t step[2];  ///< from one element to the next
  size_t rest;        ///< elements of further blocks, which follow at once

  bool IsConstant() const { return step[0] == 0 && step[1] == 0; }
};

/// The stretch from element `index` of the call on.
static HWY_NOINLINE Stretch StretchAt(const Alignment& map, size_t index) {
  Stretch found = {SIZE_MAX, {0, 0}, {0, 0}, 0};
  ptrdiff_t at[2] = {0, 0};
  for (int i = map.rank - 1; i >= 0; --i) {
    const size_t dim = map.dims[i], block = map.block[i];
    const size_t here = index % dim;
    index /= dim;
    for (int k = 0; k < 2; ++k) {
      at[k] += static_cast<ptrdiff_t>(here / block) * map.steps[k][i];
    }
    if (i != map.rank - 1) continue;
    found.n = dim - here;
    if (block > 1) {
      found.n = HWY_MIN(found.n, block - here % block);
      found.rest = dim - here - found.n;
      continue;
    }
    for (int k = 0; k < 2; ++k) found.step[k] = map.steps[k][i];
  }
  for (int k = 0; k < 2; ++k) found.at[k] = static_cast<size_t>(at[k]);
  // One scale for all.
  if (map.rank == 1 && map.block[0] == 1 && found.IsConstant()) {
    found.n = SIZE_MAX;
  }
  return found;
}

/// The next block behind a stretch that has a rest: without divisions, which
/// would take longer than a block of 32 elements.
HWY_INLINE Stretch BlockAfter(const Alignment& map, Stretch stretch) {
  const int inner = map.rank - 1;
  for (int k = 0; k < 2; ++k) {
    stretch.at[k] += static_cast<size_t>(map.steps[k][inner]);
  }
  stretch.n = HWY_MIN(map.block[inner], stretch.rest);
  stretch.rest -= stretch.n;
  return stretch;
}

/// One job: tiles of elements, and the parameters under them.
class TileRun {
 public:
  TileRun(const Job& job, size_t lane_bytes)
      : map_(*job.setup->alignment),
        job_(job),
        setup_(*job.setup),
        most_(TileElements(lane_bytes)) {
    setup_.rows = 1;
    setup_.stream = false;
    std::fill_n(setup_.in_step, kPatternInputs, 0);
  }

  const Alignment& map() const { return map_; }
  bool has_zero() const { return job_.in[2] != nullptr; }

  void Apply(KernelFn fn, const void* in, void* out, size_t n) const {
    fn(&setup_, &in, out, n, nullptr);
  }
  /// To lanes of T, by a kernel to float32, which holds all numbers but those
  /// of int32.
  template <typename T>
  void ToLanes(KernelFn to_float, int32_t type, const void* in, void* out,
               size_t n) const {
    if constexpr (sizeof(T) == 4) {
      Apply(to_float, in, out, n);
    } else if (type == LW_INT32) {
      Apply(Convert<LW_INT32, LW_FLOAT64>(), in, out, n);
    } else {
      Tile floats;
      Apply(to_float, in, floats.bytes, n);
      Apply(Direct<FloatToDouble>(), floats.bytes, out, n);
    }
  }
  /// A kernel of x or something like it, scales and zero points.
  void Apply3(KernelFn fn, const void* x, const void* scale, const void* zero,
              void* out, size_t n) const {
    const void* const in[] = {x, scale, zero};
    fn(&setup_, in, out, n, nullptr);
  }

  /// Calls compute(x, out, n, is_constant) for all elements, up to a tile at a
  /// time, after load(k, raw, n) has converted the raw elements of parameter k,
  /// or one element of each if they are constant.
  template <class Load, class Compute>
  HWY_INLINE void ForEachTile(const Load& load, const Compute& compute) {
    const size_t x_bits = BitsOf(map_.types[0]), out_bits = BitsOf(map_.to);
    const auto* in = static_cast<const char*>(job_.in[0]);
    auto* out = static_cast<char*>(job_.out);
    size_t first = job_.setup->first;
    Stretch stretch = {0, {0, 0}, {0, 0}, 0};
    for (size_t left = job_.setup->rows; left != 0; first += job_.n) {
      for (size_t i = 0; i < job_.n;) {
        const size_t n = HWY_MIN(most_, job_.n - i);
        const bool is_constant = Prepare(first + i, n, &stretch, load);
        compute(in + i * x_bits / 8, out + i * out_bits / 8, n, is_constant);
        i += n;
      }
      if (--left == 0) break;  // a job of one row has no steps
      in += job_.setup->in_step[0];
      out += job_.setup->out_step;
    }
  }

 private:
  /// Whether one scale and one zero point are for all n elements.
  template <class Load>
  HWY_INLINE bool Prepare(size_t index, size_t n, Stretch* stretch,
                          const Load& load) {
    if (stretch->n == SIZE_MAX) return true;  // loaded before
    size_t done = 0;
    while (done < n) {
      *stretch = done != 0 && stretch->rest != 0
                     ? BlockAfter(map_, *stretch)
                     : StretchAt(map_, index + done);
      const size_t some = HWY_MIN(stretch->n, n - done);
      if (some == n && stretch->IsConstant()) {
        Gather(*stretch, 0, 1);
        LoadBoth(load, 1);
        return true;
      }
      Gather(*stretch, done, some);
      done += some;
    }
    LoadBoth(load, n);
    return false;
  }
  HWY_INLINE void Gather(const Stretch& stretch, size_t done, size_t n) {
    for (int k = 0; k < 2; ++k) {
      if (job_.in[k + 1] == nullptr) continue;
      const int32_t type = map_.types[k + 1];
      const size_t bits = BitsOf(type);
      char* to = raw_[k].bytes + done * HWY_MAX(bits, size_t{8}) / 8;
      GatherParameter(job_.in[k + 1], type, stretch.at[k], stretch.step[k], n,
                      to);
    }
  }
  template <class Load>
  HWY_INLINE void LoadBoth(const Load& load, size_t n) {
    for (int k = 0; k < 2; ++k) load(k, raw_[k].bytes, n);
  }

  const Alignment& map_;
  const Job& job_;
  Setup setup_;
  const size_t most_;
  Tile raw_[2];
};

/// The kernels of a functor of three inputs: with parameters for each element,
/// and with one for all.
template <class Fn>
static KernelFn OfThree(bool is_constant) {
  using T = typename Fn::T;
  return is_constant ? OfInputs<Fn, LW_SCALAR_B | LW_SCALAR_C, T, T, T>
                     : OfInputs<Fn, LW_SAME, T, T, T>;
}

/// Kernels that read x and write the output without a tile.
struct OnePass {
  KernelFn zero;  ///< converts zero points
  KernelFn one;   ///< one scale and one zero point for all elements
  KernelFn each;  ///< for each element, a float32 scale and a converted zero
};
template <class Fn, typename... TIn>
constexpr OnePass OnePassOf(KernelFn zero) {
  return {zero, OfInputs<Fn, LW_SCALAR_B | LW_SCALAR_C, TIn...>,
          OfInputs<Fn, LW_SAME, TIn...>};
}

/// The kernels Of<type>::kOnePass for integers of 8 and 16 bits, else nullptr.
template <template <lw_type> class Of>
HWY_INLINE const OnePass* OfSmallIntegers(int32_t type) {
  switch (type) {
    case LW_INT8:
      return &Of<LW_INT8>::kOnePass;
    case LW_UINT8:
      return &Of<LW_UINT8>::kOnePass;
    case LW_INT16:
      return &Of<LW_INT16>::kOnePass;
    case LW_UINT16:
      return &Of<LW_UINT16>::kOnePass;
    default:
      return nullptr;
  }
}

/// RunOnePass for one scale and one zero point: a call of a few elements must
/// not wait for tiles.
HWY_INLINE lw_status RunOneForAll(const Job& job, const OnePass& kernels,
                                  float no_zero) {
  Setup setup;
  static_cast<SharedSetup&>(setup) = *job.setup;
  setup.rows = 1;
  setup.stream = false;
  std::fill_n(setup.in_step, 3, 0);
  float scale, zero = no_zero;
  const int32_t scale_type = job.setup->alignment->types[1];
  if (HWY_LIKELY(scale_type == LW_FLOAT32)) {
    std::memcpy(&scale, job.in[1], sizeof(scale));
  } else {
    FromWide<LW_FLOAT32>(scale_type)(&setup, &job.in[1], &scale, 1, nullptr);
  }
  // The kernel writes four bytes: a float or an int32.
  if (job.in[2] != nullptr) {
    kernels.zero(&setup, &job.in[2], &zero, 1, nullptr);
  }
  setup.rows = job.setup->rows;
  setup.stream = job.setup->stream;
  setup.in_step[0] = job.setup->in_step[0];
  const void* const in[] = {job.in[0], &scale, &zero};
  return kernels.one(&setup, in, job.out, job.n, nullptr);
}

/// `no_zero` stands for the zero point where there is none.
static HWY_NOINLINE lw_status RunOnePass(const Job& job, const OnePass& kernels,
                                         float no_zero) {
  const Alignment& map = *job.setup->alignment;
  if (map.rank == 0 || (map.rank == 1 && map.block[0] == 1 &&
                        map.steps[0][0] == 0 && map.steps[1][0] == 0)) {
    return RunOneForAll(job, kernels, no_zero);
  }
  TileRun run(job, sizeof(float));
  const int32_t scale_type = run.map().types[1];
  Tile scale, zero;
  const auto load = [&](int k, const char* raw, size_t n) {
    if (k == 0) {
      run.Apply(FromWide<LW_FLOAT32>(scale_type), raw, scale.bytes, n);
    } else if (run.has_zero()) {
      run.Apply(kernels.zero, raw, zero.bytes, n);
    } else {
      std::fill_n(reinterpret_cast<float*>(zero.bytes), n, no_zero);
    }
  };
  run.ForEachTile(load, [&](const char* in, char* out, size_t n, bool one) {
    run.Apply3(one ? kernels.one : kernels.each, in, scale.bytes, zero.bytes,
               out, n);
  });
  return LW_OK;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_CONVERSION_ALIGNED_INL_H_
