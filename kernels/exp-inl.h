// Copyright 2026 The lanewise Authors
// SPDX-License-Identifier: Apache-2.0

// e^x for float and double lanes, and for float lanes that are about to be
// rounded to float16 or bfloat16.
//
// Method: x = n*ln2 + r with n a multiple of 2^-kBits, then
// e^x = 2^n * (1 + r + ...). With kBits > 0 the fraction of n picks 2^frac
// from a table that fits in registers (AVX-512: 16 entries, AVX2 float: 8), so
// r and with it the polynomial are short; elsewhere kBits = 0 and the
// polynomial does all the work. One choice, in TableBits(), serves all types.
//
// Special values, all functions: NaN -> NaN, +inf -> +inf, -inf -> +0,
// +-0 -> exactly 1 without raising any flag (so 0 may pad tail lanes).
// Subnormal results are rounded, not flushed (unless FTZ is on). Overflow and
// underflow happen exactly where the rounded result does.
// Bits depend on the vector size, so use full vectors for tails as well.
//
// Rounding modes: bounds are for nearest-even. Directed modes cost at most a few
// ULP: n may then be rounded the other way, so |r| doubles on the table paths
// (their polynomials are still good there), and +inf may become the largest
// finite number under modes that never round up.
//
// Coefficients: Sollya's fpminimax on exp(x), with 1 + x as fixed part, e.g.
//   fpminimax(exp(x),[|2,...,6|],[|SG...|],[-log(2)/2;log(2)/2],absolute,1+x);
// those of the 16-bit types come from a linear program, see ExpNarrow.

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXP_INL_H_
#undef LANEWISE_KERNELS_EXP_INL_H_
#else
#define LANEWISE_KERNELS_EXP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace exp_detail {

template <typename T>
struct Constants;

// kLn2Hi is short enough for n * kLn2Hi to be exact without FMA.
// e^kMin rounds to 0 and e^kMax to infinity; between them no step overflows.
// Adding kMagic leaves n in the low mantissa bits.
template <>
struct Constants<float> {
  static constexpr float kLog2E = 0x1.715476p+0f;
  static constexpr float kLn2 = 0x1.62e43p-1f;
  static constexpr float kLn2Hi = 0x1.62ep-1f;
  static constexpr float kLn2Lo = 0x1.0bfbe8p-15f;
  static constexpr float kMin = -104.0f;
  static constexpr float kMax = 89.0f;
  static constexpr float kMagic = 0x1.8p+23f;
  static constexpr float kTwiceBias = 254.0f;
  static constexpr float kTiny = 0x1p-64f;
  static constexpr float kHuge = 0x1p+64f;
  static constexpr int kMantissaBits = 23;
};

template <>
struct Constants<double> {
  static constexpr double kLog2E = 0x1.71547652b82fep+0;
  static constexpr double kLn2Hi = 0x1.62e42fefap-1;
  static constexpr double kLn2Lo = 0x1.cf79abc9e3b3ap-40;
  static constexpr double kMin = -746.0;
  static constexpr double kMax = 710.0;
  static constexpr double kMagic = 0x1.8p+52;
  static constexpr double kTwiceBias = 2046.0;
  static constexpr double kTiny = 0x1p-512;
  static constexpr double kHuge = 0x1p+512;
  static constexpr int kMantissaBits = 52;
};

// 2^(i/16), and what its rounding left out: 2^(i/16) = kPow2[i] (1 + kEps[i]).
alignas(64) static constexpr float kPow2F32[16] = {
    0x1.0p+0f, 0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
    0x1.306fep+0f, 0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
    0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
    0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
alignas(64) static constexpr float kEpsF32[16] = {
    0.0f, 0x1.8d96d4p-25f, -0x1.9c0c22p-27f, 0x1.964904p-25f,
    0x1.125002p-25f, 0x1.370be4p-25f, -0x1.0a355p-25f, -0x1.00d8acp-27f,
    0x1.26055cp-26f, -0x1.05cb44p-25f, 0x1.67a1cap-28f, 0x1.a3b5e4p-28f,
    -0x1.f9c304p-27f, -0x1.6961b4p-28f, -0x1.a5217cp-28f, 0x1.61428ep-28f};
alignas(64) static constexpr double kPow2F64[16] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0,
    0x1.2387a6e756238p+0, 0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0,
    0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0, 0x1.6a09e667f3bcdp+0,
    0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0,
    0x1.ea4afa2a490dap+0};
alignas(64) static constexpr double kEpsF64[16] = {
    0.0, 0x1.79aa65d837b6dp-54, -0x1.01b15eaa59348p-55,
    0x1.68efde3a8a894p-54, 0x1.34d754db0abb6p-55, 0x1.59f48a72a4c6dp-55,
    0x1.690cebb7aafb0p-56, 0x1.063e1e21c5409p-54, -0x1.3b3efbf5e2228p-54,
    -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55, 0x1.1affc2b91ce27p-56,
    0x1.c1a7792cb3387p-55, 0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56,
    -0x1.ff7128fd391f0p-55};

// The same for 2^(i/8). The bits are less i << 20 and plus those of 1.0f, so
// that adding n << 20 (n in eighths) makes 2^n, times whatever is divided out.
alignas(32) static constexpr uint32_t kPow2BitsF32[8] = {
    0x7F000000, 0x7EFB95C2, 0x7EF837F0, 0x7EF5FED7,
    0x7EF504F3, 0x7EF5672A, 0x7EF744FD, 0x7EFAC0C7};
alignas(32) static constexpr float kEps8F32[8] = {
    0.0f, -0x1.9c0c22p-27f, 0x1.125002p-25f, -0x1.0a355p-25f,
    0x1.26055cp-26f, 0x1.67a1cap-28f, -0x1.f9c304p-27f, -0x1.a5217cp-28f};

// log2 of the table size, 0 for no table. Tables need a permutation across the
// whole vector and FMA.
template <class D>
constexpr int TableBits() {
  constexpr size_t kLanes = HWY_MAX_LANES_D(D);
  if (!HWY_ARCH_X86 || !HWY_NATIVE_FMA) return 0;
  if (HWY_TARGET <= HWY_AVX3 && kLanes * sizeof(hn::TFromD<D>) == 64) return 4;
  if (HWY_TARGET <= HWY_AVX2 && kLanes * sizeof(hn::TFromD<D>) == 32 &&
      sizeof(hn::TFromD<D>) == 4) {
    return 3;
  }
  return 0;
}

template <class D, class V>
HWY_INLINE V ClampKeepNaN(D d, V x, hn::TFromD<D> min, hn::TFromD<D> max) {
  const V vmin = hn::Set(d, min);
  const V vmax = hn::Set(d, max);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE2
  return hn::Min(vmax, hn::Max(vmin, x));  // x86: the second operand if NaN
#else
  x = hn::IfThenElse(hn::Lt(x, vmin), vmin, x);
  return hn::IfThenElse(hn::Gt(x, vmax), vmax, x);
#endif
}

// Nearest integer in every rounding mode.
template <class D, class V>
HWY_INLINE V RoundNearest(D d, V z) {
#if HWY_TARGET == HWY_SSE2 || HWY_TARGET == HWY_SSSE3
  // hn::Round follows the mode there, so undo a step in the wrong direction.
  using T = hn::TFromD<D>;
  const V magic = hn::Set(d, Constants<T>::kMagic);
  const V n = hn::Sub(hn::Add(z, magic), magic);
  const V f = hn::Sub(z, n);
  const V step = hn::CopySign(hn::Set(d, T{1}), f);
  const auto off = hn::Gt(hn::Abs(f), hn::Set(d, static_cast<T>(0.5)));
  return hn::Add(n, hn::IfThenElseZero(off, step));
#else
  (void)d;
  return hn::Round(z);
#endif
}

// The half of 2^n that 2^n is multiplied up from: n spans more than the
// exponent field, so 2^n = inner * outer, and only the last multiplication may
// round, overflow or underflow.
template <class D, class V>
HWY_INLINE V OuterPow2(D d, V x) {
  using C = Constants<hn::TFromD<D>>;
  return hn::IfNegativeThenElse(x, hn::Set(d, C::kTiny),
                                hn::Set(d, C::kHuge));
}

// y * 2^n for integer n = round(x * log2(e)).
template <class D, class V>
HWY_INLINE V MulPow2(D d, V y, V n, V x) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  (void)d;
  (void)x;
  return hn::MulByFloorPow2(y, n);
#else
  using C = Constants<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  const V outer = OuterPow2(d, x);
  const V t = hn::Add(n, hn::Set(d, C::kMagic + C::kTwiceBias));
  const auto bits = hn::ShiftLeft<C::kMantissaBits>(hn::BitCast(du, t));
  const V inner = hn::BitCast(d, hn::Sub(bits, hn::BitCast(du, outer)));
  return hn::Mul(hn::Mul(y, inner), outer);
#endif
}

// Table index from the low bits of `t`. x86 permutations ignore the rest, only
// Highway's debug assertions mind.
template <int kBits, class D, class V>
HWY_INLINE auto TableIndices(D d, V t) {
  const hn::RebindToUnsigned<D> du;
  auto bits = hn::BitCast(du, t);
  if constexpr (HWY_IS_DEBUG_BUILD) {
    bits = hn::And(bits, hn::Set(du, (1u << kBits) - 1));
  }
  return hn::IndicesFromVec(d, bits);
}

// The table's relative error at `t`.
template <int kBits, class D, class V>
HWY_INLINE V TableEpsF32(D d, V t) {
  const V table = hn::Load(d, kBits == 4 ? kEpsF32 : kEps8F32);
  return hn::TableLookupLanes(table, TableIndices<kBits>(d, t));
}

// 2^n * (1 + q), n = t - magic, for float lanes. kInRange promises that the
// result is a normal number.
template <int kBits, bool kInRange, class D, class V>
HWY_INLINE V MulTablePow2F32(D d, V q, V t, V n, V x) {
  if constexpr (kBits == 4) {
    const V frac = hn::TableLookupLanes(hn::Load(d, kPow2F32),
                                        TableIndices<kBits>(d, t));
    return hn::MulByFloorPow2(hn::MulAdd(frac, q, frac), n);
  } else {
    const hn::RebindToUnsigned<D> du;
    const V outer = kInRange ? hn::Set(d, 1.0f) : OuterPow2(d, x);
    const auto outer_bits = hn::BitCast(du, outer);
    const auto n_bits = hn::ShiftLeft<20>(hn::BitCast(du, t));
    auto bits = hn::Load(du, kPow2BitsF32);
    if constexpr (kInRange) bits = hn::Sub(bits, outer_bits);
    bits = hn::TableLookupLanes(bits, TableIndices<kBits>(du, t));
    bits = hn::Add(bits, n_bits);
    if constexpr (!kInRange) bits = hn::Sub(bits, outer_bits);
    const V inner = hn::BitCast(d, bits);
    const V y = hn::MulAdd(inner, q, inner);
    return kInRange ? y : hn::Mul(y, outer);
  }
}

// Shared by float16 and bfloat16: float lanes in, float lanes out. A linear
// program chose the coefficients: every input whose e^x is within 2^-18 of a
// tie (about 250) gives one inequality on them. Any change, be it the order of
// two operations, needs the exhaustive test again, with and without FMA.
template <bool kIsF16, class D, class V>
HWY_INLINE V ExpNarrow(D d, V x) {
  using C = Constants<float>;
  constexpr int kBits = TableBits<D>();
  x = kIsF16 ? ClampKeepNaN(d, x, -18.0f, 12.0f)
             : ClampKeepNaN(d, x, C::kMin, C::kMax);
  const V log2e = hn::Set(d, C::kLog2E);
  V p;
  if constexpr (kBits > 0) {
    const V magic = hn::Set(d, C::kMagic / (1 << kBits));
    const V t = hn::MulAdd(x, log2e, magic);
    const V n = hn::Sub(t, magic);
    const V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2), x);
    if constexpr (kBits == 4 && kIsF16) {
      p = hn::MulAdd(hn::Set(d, 0x1.d4744ap-3f), r, hn::Set(d, 0x1.001b7p-1f));
      p = hn::MulAdd(p, r, hn::Set(d, 0x1.fffdb4p-1f));
    } else if constexpr (kBits == 4) {
      p = hn::MulAdd(hn::Set(d, 0x1.02a0bcp-1f), r,
                     hn::Set(d, 0x1.fff63ap-1f));
    } else {
      p = hn::MulAdd(hn::Set(d, 0x1.644ebp-3f), r, hn::Set(d, 0x1.000402p-1f));
      p = hn::MulAdd(p, r, hn::Set(d, 0x1.ffff0ap-1f));
    }
    return MulTablePow2F32<kBits, kIsF16>(d, hn::Mul(p, r), t, n, x);
  } else {
    const V n = RoundNearest(d, hn::Mul(x, log2e));
    V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Hi), x);
    r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Lo), r);
    p = hn::MulAdd(hn::Set(d, 0x1.f92edcp-8f), r, hn::Set(d, 0x1.576318p-5f));
    p = hn::MulAdd(p, r, hn::Set(d, 0x1.55839cp-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 0x1.fffebcp-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 0x1.ffffc6p-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
    if constexpr (kIsF16) {
      // 1.2e-8 below a tie: no polynomial of this length takes that side.
      const auto hard = hn::Eq(x, hn::Set(d, 0x1.de4p-8f));
      p = hn::Sub(p, hn::IfThenElseZero(hard, hn::Set(d, 0x1p-23f)));
    }
    return MulPow2(d, p, n, x);
  }
}

}  // namespace exp_detail

// float lanes -> float. All inputs.
// Error, all 2^32 inputs: < 1 ULP
template <class D, class V>
HWY_INLINE V ExpF32(D df32, V x) {
  namespace ed = exp_detail;
  using C = ed::Constants<float>;
  constexpr int kBits = ed::TableBits<D>();
  const D d = df32;
  const V log2e = hn::Set(d, C::kLog2E);
  const V ln2_hi = hn::Set(d, C::kLn2Hi);
  const V ln2_lo = hn::Set(d, C::kLn2Lo);
  x = ed::ClampKeepNaN(d, x, C::kMin, C::kMax);
  V p;
  if constexpr (kBits > 0) {
    const V magic = hn::Set(d, C::kMagic / (1 << kBits));
    const V t = hn::MulAdd(x, log2e, magic);
    const V n = hn::Sub(t, magic);
    V r = hn::NegMulAdd(n, ln2_hi, x);
    r = hn::NegMulAdd(n, ln2_lo, r);
    if constexpr (kBits == 4) {
      p = hn::MulAdd(hn::Set(d, 0x1.555764p-3f), r, hn::Set(d, 0x1.00022p-1f));
    } else {
      p = hn::MulAdd(hn::Set(d, 0x1.57ef3ep-5f), r, hn::Set(d, 0x1.555d3p-3f));
      p = hn::MulAdd(p, r, hn::Set(d, 0x1.ffffdap-2f));
    }
    p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
    p = hn::MulAdd(p, r, ed::TableEpsF32<kBits>(d, t));
    return ed::MulTablePow2F32<kBits, false>(d, p, t, n, x);
  } else {
    // r_hi is exact; adding it and r_lo last keeps the error below 1 ULP even
    // without FMA.
    const V n = ed::RoundNearest(d, hn::Mul(x, log2e));
    const V r_hi = hn::NegMulAdd(n, ln2_hi, x);
    const V r_lo = hn::Mul(n, ln2_lo);
    const V r = hn::Sub(r_hi, r_lo);
    const V r2 = hn::Mul(r, r);
    const V p23 = hn::MulAdd(hn::Set(d, 0x1.55548ep-3f), r,
                             hn::Set(d, 0x1.fffffep-2f));
    const V p45 = hn::MulAdd(hn::Set(d, 0x1.123bfep-7f), r,
                             hn::Set(d, 0x1.555658p-5f));
    p = hn::MulAdd(hn::Set(d, 0x1.6c5394p-10f), r2, p45);
    p = hn::MulAdd(p, r2, p23);
    p = hn::Add(r_hi, hn::MulSub(p, r2, r_lo));
    return ed::MulPow2(d, hn::Add(p, hn::Set(d, 1.0f)), n, x);
  }
}

// double lanes -> double. All inputs.
// Error, 10^8 stratified inputs: < 1 ULP
template <class D, class V>
HWY_INLINE V ExpF64(D df64, V x) {
  namespace ed = exp_detail;
  using C = ed::Constants<double>;
  constexpr int kBits = ed::TableBits<D>();
  const D d = df64;
  const V log2e = hn::Set(d, C::kLog2E);
  const V ln2_hi = hn::Set(d, C::kLn2Hi);
  const V ln2_lo = hn::Set(d, C::kLn2Lo);
  x = ed::ClampKeepNaN(d, x, C::kMin, C::kMax);
  V p;
  if constexpr (kBits > 0) {
    const V magic = hn::Set(d, C::kMagic / (1 << kBits));
    const V t = hn::MulAdd(x, log2e, magic);
    const V n = hn::Sub(t, magic);
    V r = hn::NegMulAdd(n, ln2_hi, x);
    r = hn::NegMulAdd(n, ln2_lo, r);
    const auto idx = ed::TableIndices<kBits>(d, t);
    const V frac = hn::TwoTablesLookupLanes(
        d, hn::Load(d, ed::kPow2F64), hn::Load(d, ed::kPow2F64 + 8), idx);
    const V eps = hn::TwoTablesLookupLanes(
        d, hn::Load(d, ed::kEpsF64), hn::Load(d, ed::kEpsF64 + 8), idx);
    // Degree 7 over |r| <= ln2/16 rather than 6 over half of it: for the
    // directed rounding modes.
    p = hn::MulAdd(hn::Set(d, 0x1.a02077862fac5p-13), r,
                   hn::Set(d, 0x1.6c1cc0914d575p-10));
    p = hn::MulAdd(p, r, hn::Set(d, 0x1.11111107d19c5p-7));
    p = hn::MulAdd(p, r, hn::Set(d, 0x1.55555547fc69cp-5));
    p = hn::MulAdd(p, r, hn::Set(d, 0x1.555555555566p-3));
    p = hn::MulAdd(p, r, hn::Set(d, 0x1.000000000010ep-1));
    p = hn::MulAdd(p, r, hn::Set(d, 1.0));
    p = hn::MulAdd(p, r, eps);
    return hn::MulByFloorPow2(hn::MulAdd(frac, p, frac), n);
  } else {
    const V n = ed::RoundNearest(d, hn::Mul(x, log2e));
    const V r_hi = hn::NegMulAdd(n, ln2_hi, x);
    const V r_lo = hn::Mul(n, ln2_lo);
    const V r = hn::Sub(r_hi, r_lo);
    const V r2 = hn::Mul(r, r);
    const V r4 = hn::Mul(r2, r2);
    // Estrin's scheme: pairs of terms, then powers of r2 and r4.
    const auto pair = [d, r](double odd, double even) HWY_ATTR {
      return hn::MulAdd(hn::Set(d, odd), r, hn::Set(d, even));
    };
    const V p23 = pair(0x1.5555555555561p-3, 0x1.000000000000cp-1);
    const V p45 = pair(0x1.111111110d635p-7, 0x1.555555554fdd7p-5);
    const V p67 = pair(0x1.a01a01bae6b9p-13, 0x1.6c16c1861732dp-10);
    const V p89 = pair(0x1.71dddfbd1d2a3p-19, 0x1.a019958433c68p-16);
    const V p1011 = pair(0x1.af85a505cdbbp-26, 0x1.28b13092bccaap-22);
    p = hn::MulAdd(p1011, r4, hn::MulAdd(p89, r2, p67));
    p = hn::MulAdd(p, r4, hn::MulAdd(p45, r2, p23));
    p = hn::Add(r_hi, hn::MulSub(p, r2, r_lo));
    return ed::MulPow2(d, hn::Add(p, hn::Set(d, 1.0)), n, x);
  }
}

// float lanes holding float16 values -> float. Rounded once to float16 (nearest
// even) the result is the correctly rounded e^x: all 65,536 inputs, every
// target. The float itself is only that good (about 2^-20) and never a float
// subnormal. Other inputs: within 2^-17.
template <class D, class V>
HWY_INLINE V ExpForF16(D df32, V x) {
  return exp_detail::ExpNarrow<true>(df32, x);
}

// float lanes holding bfloat16 values -> float. Rounded once to bfloat16, the
// correctly rounded e^x, as above. Subnormal floats are possible and matter.
template <class D, class V>
HWY_INLINE V ExpForBF16(D df32, V x) {
  return exp_detail::ExpNarrow<false>(df32, x);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXP_INL_H_
