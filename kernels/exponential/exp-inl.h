// SPDX-License-Identifier: Apache-2.0
//
// e^x for float and double lanes, and for float lanes that the caller then
// rounds to float16 or bfloat16.
//
// Method: x = n*ln2 + r with n a multiple of 2^-kBits; e^x = 2^n (1 + r + ...).
// If the target has FMA and a permutation that reaches the whole vector, the
// fraction of n selects 2^frac from a table in registers (AVX-512: 16 entries;
// AVX2, float only: 8). Then |r| is small and a short polynomial suffices.
// Other targets use kBits = 0 and a longer polynomial. TableBits() decides.
//
// Special values: NaN -> NaN, +inf -> +inf, -inf -> +0. +-0 gives exactly 1 and
// raises no exception flag, so tail lanes may be padded with zeros. Subnormal
// results are rounded, not flushed (unless FTZ is set). Results overflow and
// underflow exactly where the correctly rounded e^x does. The bits of a result
// depend on the vector size, so use full vectors for tails, too.
//
// On x86 except Zen 4 and 5, a vector with any subnormal argument or result
// takes 150 cycles. exp.cc sets DAZ against subnormal arguments. SubnormalExp
// makes subnormal results from integers, so that the -inf of a mask or the far
// tail of a softmax costs only a few instructions.
//
// The error bounds hold for round to nearest, which exp.cc sets where the
// operations of quiet-inl.h do not say so themselves. In a directed
// rounding mode n would be wrong, e^-inf would be the smallest subnormal
// (upward), and e^inf would be the largest finite number (downward, to 0).
//
// Coefficients: Sollya, fpminimax(exp(x), [|2,...,6|], [|SG...|],
// [-ln2/2; ln2/2], absolute, 1 + x) for kBits = 0, with ln2/16 and ln2/32 for
// kBits = 3 and 4, and with D for double. Those of float with kBits = 3 were
// then adjusted by hand to be monotone. For the 16-bit types see Narrow.

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernels/exponential/exp_constants.h"
#include "kernels/fp_env.h"
#include "kernels/quiet-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXPONENTIAL_EXP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_EXP_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_EXP_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_EXP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace exp_detail {

template <typename T>
using Constants = ExpConstants<T>;

// log2 of the table size; 0 means no table.
template <class D>
constexpr int TableBits() {
  constexpr size_t kLaneBytes = sizeof(hn::TFromD<D>);
  constexpr size_t kBytes = HWY_MAX_LANES_D(D) * kLaneBytes;
  if (!HWY_ARCH_X86 || !HWY_NATIVE_FMA) return 0;
  if (HWY_TARGET <= HWY_AVX3 && kBytes == 64) return 4;
  return HWY_TARGET <= HWY_AVX2 && kBytes == 32 && kLaneBytes == 4 ? 3 : 0;
}

/// What the caller knows about the results.
enum class Range {
  kAny,
  kNormal,
  kSubnormal,  ///< or 0; returned as a count of smallest subnormals
};

template <class D, class V>
HWY_INLINE V ClampKeepNaN(D d, V x, hn::TFromD<D> min, hn::TFromD<D> max) {
  const V vmin = hn::Set(d, min);
  const V vmax = hn::Set(d, max);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE2
  return hn::Min(vmax, hn::Max(vmin, x));  // NaN: x86 returns the 2nd operand
#else
  x = hn::IfThenElse(hn::Lt(x, vmin), vmin, x);
  return hn::IfThenElse(hn::Gt(x, vmax), vmax, x);
#endif
}

// c0 + c1 r + c2 r^2 + ...
template <class D, class V>
HWY_INLINE V Horner(D d, V /*r*/, hn::TFromD<D> c0) {
  return hn::Set(d, c0);
}
template <class D, class V, class... T>
HWY_INLINE V Horner(D d, V r, hn::TFromD<D> c0, T... rest) {
  return quiet::MulAdd(Horner(d, r, rest...), r, hn::Set(d, c0));
}

// For kSubnormal, results are scaled up by 2^Raise, so that the smallest
// subnormal becomes 1.
template <Range kRange, typename T>
constexpr T Raise() {
  if (kRange != Range::kSubnormal) return 0;
  return Constants<T>::kBias - 1 + hwy::MantissaBits<T>();
}

// Adding it to x*log2(e) rounds to n, a multiple of 2^-kBits, and leaves n as
// an integer in the low mantissa bits, with the bias that InnerPow2 needs. kAny
// and kNormal share one constant, whose low bit decides how ties round.
// A constant, because clang would call a function for each vector.
template <int kBits, Range kRange, typename T>
constexpr T kMagic = Constants<T>::kMagic / (1 << kBits) + Raise<kRange, T>() +
                     (kBits == 0 ? Constants<T>::kBias : 0);

// table[low kBits of t]. x86 permutations ignore the upper bits of an index;
// only Highway's debug assertions require them to be 0.
template <int kBits, class D, class V>
HWY_INLINE hn::Vec<D> Lookup(D d, const hn::TFromD<D>* table, V t) {
  const hn::RebindToUnsigned<D> du;
  auto bits = hn::BitCast(du, t);
  if constexpr (HWY_IS_DEBUG_BUILD) {
    bits = hn::And(bits, hn::Set(du, (1u << kBits) - 1));
  }
  const auto idx = hn::IndicesFromVec(d, bits);
  const auto lo = hn::Load(d, table);
  if constexpr (HWY_MAX_LANES_D(D) == 1 << kBits) {
    return hn::TableLookupLanes(lo, idx);
  } else {
    return hn::TwoTablesLookupLanes(d, lo, hn::Load(d, table + hn::Lanes(d)),
                                    idx);
  }
}

// 2^n for n = t - magic. For kAny, 2^n may exceed the exponent field, so it is
// inner * outer, where the sign of x, which n shares, selects outer. Only the
// multiplication by outer, which comes last, may round, overflow or underflow.
template <class D, class V>
HWY_INLINE V OuterPow2(D d, V x) {
  using C = Constants<hn::TFromD<D>>;
  return hn::IfNegativeThenElse(x, hn::Set(d, C::kTiny), hn::Set(d, C::kHuge));
}
template <int kBits, Range kRange, class D, class V>
HWY_INLINE V InnerPow2(D d, V t, V outer) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  auto bits = hn::ShiftLeft<hwy::MantissaBits<T>() - kBits>(hn::BitCast(du, t));
  if constexpr (kBits != 0) {
    const auto* table = Constants<T>::template Pow2Bits<kBits>();
    bits = hn::Add(bits, Lookup<kBits>(du, table, t));
  }
  if constexpr (kRange == Range::kAny) {
    const auto one = hn::BitCast(du, hn::Set(d, 1));
    bits = hn::Sub(hn::Add(bits, one), hn::BitCast(du, outer));
  }
  return hn::BitCast(d, bits);
}

// 2^n * y without a table.
template <Range kRange, class D, class V>
HWY_INLINE V MulPow2(D d, V y, V t, V x) {
  const V outer = OuterPow2(d, x);
  y = hn::Mul(y, InnerPow2<0, kRange>(d, t, outer));
  return kRange == Range::kAny ? hn::Mul(y, outer) : y;
}

// 2^n * (1 + q) with a table.
template <int kBits, Range kRange, class D, class V>
HWY_INLINE V MulTablePow2(D d, V q, V t, V n, V x) {
  using T = hn::TFromD<D>;
  if constexpr (kBits == 4) {
    constexpr T kRaise = Raise<kRange, T>();
    if constexpr (kRaise != 0) n = hn::Add(n, hn::Set(d, kRaise));
    const V frac = Lookup<kBits>(d, Constants<T>::kPow2, t);
    return quiet::Scale(quiet::MulAdd(frac, q, frac), n);
  } else {
    const V outer = OuterPow2(d, x);
    const V inner = InnerPow2<kBits, kRange>(d, t, outer);
    const V y = quiet::MulAdd(inner, q, inner);
    return kRange == Range::kAny ? hn::Mul(y, outer) : y;
  }
}

// (e^r - 1) / r for the table paths.
template <int kBits, class D, class V>
HWY_INLINE V ShortPoly(D d, V r) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return Horner(d, r, 1, 0x1.0000000000005p-1, 0x1.555555548f86cp-3,
                  0x1.555555545ea75p-5, 0x1.11123aafc90b0p-7,
                  0x1.6c185df06261dp-10);
  } else if constexpr (kBits == 4) {
    return Horner(d, r, 1, 0x1.00022p-1f, 0x1.555764p-3f);
  } else {
    return Horner(d, r, 1, 0.5f, 0x1.5557p-3f, 0x1.5556p-5f);
  }
}

// (e^r - 1 - r) / r^2 for |r| <= ln2/2, by Estrin's scheme.
template <class D, class V>
HWY_INLINE V LongPoly(D d, V r, V r2) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const V r4 = quiet::Mul(r2, r2);
    const V p2 = Horner(d, r, 0x1.000000000000cp-1, 0x1.5555555555561p-3);
    const V p4 = Horner(d, r, 0x1.555555554fdd7p-5, 0x1.111111110d635p-7);
    const V p6 = Horner(d, r, 0x1.6c16c1861732dp-10, 0x1.a01a01bae6b9p-13);
    const V p8 = Horner(d, r, 0x1.a019958433c68p-16, 0x1.71dddfbd1d2a3p-19);
    const V p10 = Horner(d, r, 0x1.28b13092bccaap-22, 0x1.af85a505cdbbp-26);
    const V p6to11 = quiet::MulAdd(p10, r4, quiet::MulAdd(p8, r2, p6));
    return quiet::MulAdd(p6to11, r4, quiet::MulAdd(p4, r2, p2));
  } else {
    const V p2 = Horner(d, r, 0x1.fffffep-2f, 0x1.55548ep-3f);
    const V p4 = Horner(d, r, 0x1.555658p-5f, 0x1.123bfep-7f);
    const V p4to6 = quiet::MulAdd(hn::Set(d, 0x1.6c5394p-10f), r2, p4);
    return quiet::MulAdd(p4to6, r2, p2);
  }
}

// For float and double lanes.
struct Wide {
  template <Range kRange, class D, class V>
  static HWY_INLINE V Compute(D d, V x) {
    using T = hn::TFromD<D>;
    using C = Constants<T>;
    constexpr int kBits = TableBits<D>();
    const V magic = hn::Set(d, kMagic<kBits, kRange, T>);
    const V t = quiet::MulAdd(x, hn::Set(d, C::kLog2E), magic);
    const V n = hn::Sub(t, magic);
    const V r_hi = quiet::NegMulAdd(n, hn::Set(d, C::kLn2Hi), x);
    const V ln2_lo = hn::Set(d, C::kLn2Lo);
    if constexpr (kBits > 0) {
      const V r = quiet::NegMulAdd(n, ln2_lo, r_hi);
      V eps;
      if constexpr (kBits == 4) {
        eps = Lookup<kBits>(d, C::kEps, t);
      } else {
        eps = Lookup<kBits>(d, C::kEps8, t);
      }
      const V q = quiet::MulAdd(ShortPoly<kBits>(d, r), r, eps);
      return MulTablePow2<kBits, kRange>(d, q, t, n, x);
    } else {
      // Adding the exact r_hi last keeps the error below 1 ULP without FMA.
      const V r_lo = hn::Mul(n, ln2_lo);
      const V r = hn::Sub(r_hi, r_lo);
      const V r2 = hn::Mul(r, r);
      const V q = hn::Add(r_hi, hn::MulSub(LongPoly(d, r, r2), r2, r_lo));
      return MulPow2<kRange>(d, hn::Add(q, hn::Set(d, 1)), t, x);
    }
  }
};

// For both 16-bit types. A linear program chose the coefficients: each input
// whose e^x is within about 2^-18 of a tie (some 250) adds an inequality. After
// a change to any operation or their order, run the exhaustive test with and
// without FMA.
template <bool kIsF16>
struct Narrow {
  template <Range kRange, class D, class V>
  static HWY_INLINE V Compute(D d, V x) {
    using C = Constants<float>;
    constexpr int kBits = TableBits<D>();
    const V magic = hn::Set(d, kMagic<kBits, kRange, float>);
    const V log2e = hn::Set(d, C::kLog2E);
    if constexpr (kBits > 0) {
      const V t = quiet::MulAdd(x, log2e, magic);
      const V n = hn::Sub(t, magic);
      const V r = quiet::NegMulAdd(n, hn::Set(d, 0x1.62e43p-1f), x);
      const V p =
          kBits == 3
              ? Horner(d, r, 0x1.ffff0ap-1f, 0x1.000402p-1f, 0x1.644ebp-3f)
          : kIsF16 ? Horner(d, r, 0x1.fffdb4p-1f, 0x1.001b7p-1f, 0x1.d4744ap-3f)
                   : Horner(d, r, 0x1.fff63ap-1f, 0x1.02a0bcp-1f);
      return MulTablePow2<kBits, kRange>(d, quiet::Mul(p, r), t, n, x);
    } else {
      // Rounds twice, because the coefficients were found for this sequence.
      const V t = hn::Add(hn::Mul(x, log2e), magic);
      const V n = hn::Sub(t, magic);
      V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Hi), x);
      r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Lo), r);
      V y = Horner(d, r, 1, 0x1.ffffc6p-1f, 0x1.fffebcp-2f, 0x1.55839cp-3f,
                   0x1.576318p-5f, 0x1.f92edcp-8f);
      if constexpr (kIsF16) {
        // 1.1e-8 below a tie: no polynomial of this length gets this one right.
        const auto hard = hn::Eq(x, hn::Set(d, 0x1.de4p-8f));
        y = hn::Sub(y, hn::IfThenElseZero(hard, hn::Set(d, 0x1p-23f)));
      }
      return MulPow2<kRange>(d, y, t, x);
    }
  }
};

// Makes NaN results reproducible. Several NaNs can meet in Compute: Arm negates
// a NaN operand, and a power of 2 made from the bits of a NaN may be another.
// The order of operands that the compiler chooses would decide between them.
template <class D, class V>
HWY_INLINE V KeepNaN(D /*d*/, V x, V y) {
  if constexpr (TableBits<D>() == 4) return y;
  return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), y);
}

#if HWY_TARGET == HWY_AVX3_ZEN4
// On Zen 4 and 5, subnormal results are as fast as others, and quiet::Scale
// overflows and underflows by itself.
template <class Core, class D, class V>
HWY_INLINE V AnyExp(D d, V x) {
  using C = Constants<hn::TFromD<D>>;
  static_assert(TableBits<D>() == 4, "other ways do not use quiet::Scale");
  const V clamped = ClampKeepNaN(d, x, C::kMin, C::kMax);
  return Core::template Compute<Range::kNormal>(d, clamped);
}
#elif HWY_ARCH_X86
// e^x in the lanes of `low`, where e^x is below all normal numbers: computed as
// a count of smallest subnormals, which is also the bit pattern of the result.
// From `first` = 2^kMantissaBits on, consecutive floats differ by 1, so adding
// `first` rounds the count to an integer, and the sum's bits hold it.
template <class Core, class D, class V, class M = hn::Mask<D>>
HWY_INLINE V SubnormalExp(D d, V x, M low) {
  using T = hn::TFromD<D>;
  using C = Constants<T>;
  const hn::RebindToUnsigned<D> du;
  const M above_0 = hn::And(low, hn::Ge(x, hn::Set(d, C::kMin)));
  if (hn::AllFalse(d, above_0) || FpEnv::Flushes()) return hn::Zero(d);
  x = hn::IfThenElse(above_0, x, hn::Set(d, C::kMin));
  const V count = Core::template Compute<Range::kSubnormal>(d, x);
  const V first = hn::Set(d, hwy::MantissaEnd<T>());
  const V sum = quiet::Add(count, first);
  return hn::BitCast(d, hn::Sub(hn::BitCast(du, sum), hn::BitCast(du, first)));
}

template <class Core, class D, class V>
HWY_INLINE V AnyExp(D d, V x) {
  using C = Constants<hn::TFromD<D>>;
  const auto low = hn::Lt(x, hn::Set(d, -C::kNormal));
  // On x86, Min returns its second operand if any is NaN.
  const V rest = hn::Min(hn::Set(d, C::kMax), hn::IfThenZeroElse(low, x));
  const V y = KeepNaN(d, x, Core::template Compute<Range::kAny>(d, rest));
  if (HWY_LIKELY(hn::AllFalse(d, low))) return y;
  return hn::IfThenElse(low, SubnormalExp<Core>(d, x, low), y);
}
#else
template <class Core, class D, class V>
HWY_INLINE V AnyExp(D d, V x) {
  using C = Constants<hn::TFromD<D>>;
  const V clamped = ClampKeepNaN(d, x, C::kMin, C::kMax);
  return KeepNaN(d, x, Core::template Compute<Range::kAny>(d, clamped));
}
#endif

template <class D, class V>
HWY_INLINE hn::Mask<D> AreNormal(D d, V x) {
  return hn::Le(hn::Abs(x), hn::Set(d, Constants<hn::TFromD<D>>::kNormal));
}
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// The larger magnitude, by an AVX-512 instruction that Highway does not offer.
// Of a quiet NaN and a number it returns the number, which is harmless: see
// KeepNaN. With a signaling NaN it returns a quiet NaN.
template <class V>
HWY_INLINE V LargerAbs(V a, V b) {
  constexpr int kLargerAbs = 0xB;
  V c;
  if constexpr (sizeof(hn::TFromV<V>) == 8) {
    c.raw = _mm512_range_pd(a.raw, b.raw, kLargerAbs);
  } else {
    c.raw = _mm512_range_ps(a.raw, b.raw, kLargerAbs);
  }
  return c;
}
template <class D, class V, class... More>
HWY_INLINE hn::Mask<D> AreNormal(D d, V x, V y, More... more) {
  const V larger = LargerAbs(x, y);
  const auto normal = AreNormal(d, larger);
  if constexpr (sizeof...(more) == 0) {
    return normal;
  } else {
    // Not `more` alone: a NaN from a signaling NaN would give way to the next
    // number, and the number beside that NaN would never be looked at.
    return hn::And(normal, AreNormal(d, larger, more...));
  }
}
#else
template <class D, class V, class... More>
HWY_INLINE hn::Mask<D> AreNormal(D d, V x, More... more) {
  return hn::And(AreNormal(d, x), AreNormal(d, more...));
}
#endif

}  // namespace exp_detail

// float lanes -> float, any input. Error over all 2^32 inputs:
//   AVX-512 0.771 ULP, AVX2 0.79 (both in subnormal results, else about 0.58),
//   SSE2 to SSE4 0.927. Monotone on these. NEON, SVE: sampled, below 0.87.
// double lanes -> double, any input. Error over 10^8 stratified inputs:
//   AVX-512 0.81 ULP (the worst are subnormal results), AVX2 and other FMA
//   targets 0.91, without FMA 0.94. (README's table has fewer inputs.)
template <class D, class V>
HWY_INLINE V Exp(D d, V x) {
  return exp_detail::AnyExp<exp_detail::Wide>(d, x);
}

// Whether ExpToNormal may be used for these vectors. ExpToNormal returns the
// same bits as Exp wherever the result is a normal number or NaN.
template <class D, class... V>
HWY_INLINE bool IsExpNormal(D d, V... x) {
  return hn::AllTrue(d, exp_detail::AreNormal(d, x...));
}
template <class D, class V>
HWY_INLINE V ExpToNormal(D d, V x) {
  using exp_detail::Range, exp_detail::Wide;
  return Wide::Compute<Range::kNormal>(d, x);
}

// float lanes holding float16 values -> float lanes which, rounded to nearest
// even float16, are the correctly rounded e^x: all 65,536 inputs, all targets.
// Before that rounding they are only accurate to about 2^-17. The lanes must
// not hold other floats.
template <class D, class V>
HWY_INLINE V ExpForF16(D df32, V x) {
  using exp_detail::Range, exp_detail::Narrow;
  return Narrow<true>::Compute<Range::kNormal>(
      df32, exp_detail::ClampKeepNaN(df32, x, -18, 12));
}

// The same for bfloat16. The result can be a subnormal float; do not flush it.
template <class D, class V>
HWY_INLINE V ExpForBF16(D df32, V x) {
  return exp_detail::AnyExp<exp_detail::Narrow<false>>(df32, x);
}
template <class D, class V>
HWY_INLINE V ExpToNormalForBF16(D df32, V x) {
  using exp_detail::Range, exp_detail::Narrow;
  return Narrow<false>::Compute<Range::kNormal>(df32, x);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_EXP_INL_H_
