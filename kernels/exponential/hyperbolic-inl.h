// SPDX-License-Identifier: Apache-2.0
//
// The hyperbolic functions and their inverses, from their cores: which lanes
// are computed, the signs, the types. And the core of Sinh and Cosh.
//
// Method of the core: |x| = n ln2 + r with |r| <= ln2/2, and with b = 2^-2n,
//   2 sinh|x| = 2^n ((1 - b) cosh(r) + (1 + b) sinh(r)),
//   2 cosh|x| = 2^n ((1 + b) cosh(r) + (1 - b) sinh(r)).
// Where n is 0, nothing of cosh(r) is left in the first line: small results are
// as exact as others. Double lanes keep what 1 -+ b, and then the sum with
// r +- b r, lose; all small parts are added to that, and rounded once with the
// sum. Products with b are exact. Float lanes are computed as doubles.
//
// Coefficients: of (sinh(r) - r) / r^3 and (cosh(r) - 1) / r^2 in r^2, by
// Remez's exchange in 250 bits for the least error relative to sinh(r) and
// cosh(r) on |r| <= 0.3467. The lowest coefficient was rounded first and the
// others fitted anew, one by one. The errors are 2^-37.4 and 2^-34.3 (float;
// exact engines: 2^-49.4 and 2^-45.9), 2^-61.6 and 2^-70.0 (double).
//
// Largest errors found: 0.502 ULP (float; fast engines: 3.5); of doubles 0.85
// (sinh; with FMA 0.79; fast engines: 1.8) and 0.75 (cosh; fast engines: 1.6).
// The tests compute all floats, all 16-bit floats, and millions of doubles, on
// every instruction set. The bounds hold for round to nearest, which
// to_nearest-inl.h sets.

#if defined(LANEWISE_KERNELS_EXPONENTIAL_HYPERBOLIC_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_HYPERBOLIC_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_HYPERBOLIC_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_HYPERBOLIC_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/exact32-inl.h"
#include "kernels/exponential/exp_constants.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/polynomial-inl.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace hyperbolic {

/// x, quiet. By bits, as not all CPUs keep a payload in arithmetic.
template <class D, class V>
HWY_INLINE V QuietNaN(D d, V x) {
  using T = hn::TFromD<D>;
  return hn::Or(x, hn::Set(d, std::numeric_limits<T>::quiet_NaN()));
}

/// Below it, odd functions are x, rounded: x^2/3 is below 2^-27 (double:
/// 2^-57).
template <typename T>
constexpr T kLeast = sizeof(T) == 8 ? 0x1p-28 : 0x1p-13;

/// least <= x < end.
template <class D, class V>
HWY_INLINE hn::Mask<D> LiesBetween(D d, V x, hn::TFromD<D> least, V end) {
  return hn::And(hn::Ge(x, hn::Set(d, least)), hn::Lt(x, end));
}

/// A functor over lanes of T from Fn, which has
///   Computes(d, x): the lanes whose results are computed, from |x|. The others
///   compute kInstead, which raises no flag.
///   OfDouble(d, size), OfFloat(dd, size): the results, of double lanes, and of
///   double lanes that hold floats.
///   Other(d, x): the results of lanes that are not computed and not NaN.
///   kIsOdd: all results get the sign of x, and Other gets |x|.
/// kToOdd: floats are rounded so that a second rounding, to 16 bits, gives what
/// one would.
/// kHoldsFloats: double lanes of ExactFloats, by a longer OfFloat.
template <class Fn, typename TFloat, bool kToOdd = false,
          bool kHoldsFloats = false>
struct Lanes {
  using T = TFloat;
  static constexpr double kError = 0x1p-40;  // of kHoldsFloats
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V size = hn::Abs(x);
    const auto computes = Fn::Computes(d, x);
    const V instead = hn::Set(d, static_cast<T>(Fn::kInstead));
    const V y = Compute(d, hn::IfThenElse(computes, size, instead));
    V number = hn::IfThenElse(computes, y, Fn::Other(d, Fn::kIsOdd ? size : x));
    // The sign comes last: of IfThenElse(computes, CopySign(y, x), x), clang 20
    // makes a masked vpternlogq with another function than CopySign's.
    if constexpr (Fn::kIsOdd) number = hn::CopySign(number, x);
    return hn::IfThenElse(hn::IsNaN(x), QuietNaN(d, x), number);
  }

 private:
  template <class D, class V>
  static HWY_INLINE V Compute(D d, V size) {
    if constexpr (kHoldsFloats) {
      return Fn::template OfFloat<true>(d, size);
    } else if constexpr (sizeof(T) == 8) {
      return Fn::OfDouble(d, size);
    } else {
      const hn::RepartitionToWide<D> dd;
      const hn::Half<D> half;
      const auto lower = Fn::OfFloat(dd, hn::PromoteLowerTo(dd, size));
      const auto upper = Fn::OfFloat(dd, hn::PromoteUpperTo(dd, size));
      return hn::Combine(d, ToFloat(half, upper), ToFloat(half, lower));
    }
  }
  template <class D, class V>
  static HWY_INLINE hn::VFromD<D> ToFloat(D d, V x) {
    if constexpr (kToOdd) return ToOddNormalFloat(d, x);
    return hn::DemoteTo(d, x);
  }
};

/// For 16-bit floats. Out of line: the loops contain it twice as often, and
/// would be little faster.
template <class Fn>
struct NarrowLanes : Lanes<Fn, float, true> {
  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x) const {
    return Lanes<Fn, float, true>::operator()(d, x);
  }
};

constexpr double kSinhOfFloats[] = {0x1.555555736a4f0p-3, 0x1.1110b1efa9dc8p-7,
                                    0x1.a16fb7ac96b11p-13};
constexpr double kCoshOfFloats[] = {0x1.00000043017fep-1, 0x1.5554806406a83p-5,
                                    0x1.6d966a5c1b1acp-10};
// For ExactFloats.
constexpr double kLongerSinh[] = {0x1.555555555222cp-3, 0x1.11111121414f6p-7,
                                  0x1.a0199bcd140a9p-13, 0x1.72da7c6a5bdfap-19};
constexpr double kLongerCosh[] = {0x1.ffffffffeea27p-2, 0x1.5555558180656p-5,
                                  0x1.6c163607eb5c0p-10, 0x1.a174396f86bd4p-16};
constexpr double kSinh[] = {0x1.5555555555559p-3, 0x1.111111110f624p-7,
                            0x1.a01a01b0250c9p-13, 0x1.71ddf79e14575p-19,
                            0x1.af601c7f9515cp-26};
constexpr double kCosh[] = {0.5,
                            0x1.5555555555558p-5,
                            0x1.6c16c16c14ff1p-10,
                            0x1.a01a01ad86d4fp-16,
                            0x1.27e4cbf649ecdp-22,
                            0x1.1f8c156f34e0cp-29};

/// 2^(kTimes * n + kPlus), a normal number, for n in the low bits of t, as
/// kMagic puts it there. Bits above the exponent are shifted out.
template <int kTimes, int kPlus, class D, class V>
HWY_INLINE V Pow2(D d, V t) {
  const hn::RebindToUnsigned<D> du;
  const auto n = hn::BitCast(du, t);
  const auto zero = hn::Set(du, uint64_t{1023 + kPlus});
  const auto exponent = kTimes == 1    ? hn::Add(zero, n)
                        : kTimes == -1 ? hn::Sub(zero, n)
                                       : hn::Sub(zero, hn::Add(n, n));
  static_assert(kTimes == 1 || kTimes == -1 || kTimes == -2);
  return hn::BitCast(d, hn::ShiftLeft<52>(exponent));
}

/// sinh(x), or cosh(x).
template <bool kIsCosh>
struct SinhCosh {
  static constexpr bool kIsOdd = !kIsCosh;
  static constexpr double kInstead = 0;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Computes(D d, V x) {
    return LiesBetween(d, hn::Abs(x), kLeast<hn::TFromD<D>>, hn::Inf(d));
  }
  template <class D, class V>
  static HWY_INLINE V Other(D d, V x) {
    if constexpr (kIsCosh) return hn::Max(hn::Abs(x), hn::Set(d, 1));
    return x;
  }
  template <class D, class V>
  static HWY_INLINE V OfDouble(D d, V size) {
    using C = ExpConstants<double>;
    const V one = hn::Set(d, 1);
    const V magic = hn::Set(d, C::kMagic);
    const V x = hn::Min(size, hn::Set(d, 710.6));  // overflows
    const V t = hn::MulAdd(x, hn::Set(d, C::kLog2E), magic);
    const V n = hn::Sub(t, magic);
    const V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Hi), x);  // exact
    const V r_lo = hn::Mul(n, hn::Set(d, C::kLn2Lo));
    const V whole = hn::Sub(r, r_lo);
    const V r2 = hn::Mul(whole, whole);
    const V cosh = hn::Mul(r2, Polynomial(d, r2, kCosh));
    const V sinh =
        hn::MulSub(hn::Mul(r2, whole), Polynomial(d, r2, kSinh), r_lo);

    // b, or -b. It is nothing beside 1 where n is 64.
    const V last = hn::Set(d, C::kMagic + 64);
    V b = Pow2<-2, 0>(d, hn::Min(t, last));
    if constexpr (!kIsCosh) b = hn::Neg(b);
    const V first = hn::Add(one, b);
    const V first_lo = hn::Add(hn::Sub(one, first), b);
    const V sum = hn::Add(first, r);
    const V sum_lo = hn::Add(hn::Sub(first, sum), r);
    const V br = hn::Mul(b, r);  // exact
    const V hi = hn::Sub(sum, br);
    const V hi_lo = hn::Sub(hn::Sub(sum, hi), br);
    const V small = hn::MulAdd(first, cosh, hn::NegMulAdd(b, sinh, sinh));
    const V lo = hn::Add(hn::Add(hi_lo, sum_lo), hn::Add(first_lo, small));
    // 2^(n-1) alone may be too large.
    const V y = hn::Mul(hn::Add(hi, lo), Pow2<1, -2>(d, t));
    return hn::Add(y, y);
  }

  template <bool kIsLonger = false, class D, class V>
  static HWY_INLINE V OfFloat(D d, V size) {
    using C = ExpConstants<double>;
    const V one = hn::Set(d, 1);
    const V magic = hn::Set(d, C::kMagic);
    const V x = hn::Min(size, hn::Set(d, 100));  // overflows as a float
    const V t = hn::MulAdd(x, hn::Set(d, C::kLog2E), magic);
    const V n = hn::Sub(t, magic);
    const V r = hn::NegMulAdd(n, hn::Set(d, 0x1.62e42fefa39efp-1), x);
    const V r2 = hn::Mul(r, r);
    V cosh;
    V sinh;
    if constexpr (kIsLonger) {
      cosh = Polynomial(d, r2, kLongerCosh);
      sinh = Polynomial(d, r2, kLongerSinh);
    } else {
      cosh = Polynomial(d, r2, kCoshOfFloats);
      sinh = Polynomial(d, r2, kSinhOfFloats);
    }
    cosh = hn::MulAdd(r2, cosh, one);
    sinh = hn::MulAdd(hn::Mul(r2, r), sinh, r);
    const V up = Pow2<1, -1>(d, t);
    const V down = Pow2<-1, -1>(d, t);
    const V sum = hn::Add(up, down);
    const V difference = hn::Sub(up, down);
    if constexpr (kIsCosh) {
      return hn::MulAdd(sum, cosh, hn::Mul(difference, sinh));
    } else {
      return hn::MulAdd(sum, sinh, hn::Mul(difference, cosh));
    }
  }
};

constexpr float kShortSinh[] = {0x1.5554bp-3f, 0x1.1227ap-7f};
constexpr float kShortCosh[] = {0x1.fffdcp-2f, 0x1.573c3p-5f};

/// ln2 in two parts, of which products with whole numbers up to 2^10 are exact.
template <typename T>
constexpr T kLn2Hi = std::is_same_v<T, float> ? T(0x1.62e43p-1)
                                              : ExpConstants<T>::kLn2Hi;
template <typename T>
constexpr T kLn2Lo = std::is_same_v<T, float> ? T(-0x1.05c61p-29)
                                              : ExpConstants<T>::kLn2Lo;

/// The same in lanes of the type, for fast engines. The powers of 2 are added
/// last, so that a small sinh(x) is off by little where they cancel cosh(r).
template <bool kIsCosh, typename T>
struct FastSinhCosh {
  static constexpr T kEnd = sizeof(T) == 8 ? 708 : 87;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const hn::RebindToUnsigned<D> du;
    const V magic = hn::Set(d, ExpConstants<T>::kMagic);
    const V t = hn::MulAdd(x, hn::Set(d, ExpConstants<T>::kLog2E), magic);
    const V n = hn::Sub(t, magic);
    // Exact, with FMA.
    V r = hn::NegMulAdd(n, hn::Set(d, kLn2Hi<T>), x);
    r = hn::NegMulAdd(n, hn::Set(d, kLn2Lo<T>), r);
    const V r2 = hn::Mul(r, r);
    V cosh;  // without 1
    V sinh;
    if constexpr (sizeof(T) == 8) {
      cosh = hn::Mul(r2, Polynomial(d, r2, kCosh));
      sinh = hn::MulAdd(hn::Mul(r2, r), Polynomial(d, r2, kSinh), r);
    } else {
      cosh = hn::Mul(r2, Polynomial(d, r2, kShortCosh));
      sinh = hn::MulAdd(hn::Mul(r2, r), Polynomial(d, r2, kShortSinh), r);
    }

    constexpr int kBits = hwy::MantissaBits<T>();
    const auto exponent = hn::ShiftLeft<kBits>(hn::BitCast(du, t));
    const auto half = hn::BitCast(du, hn::Set(d, T{0.5}));
    const V up = hn::BitCast(d, hn::Add(half, exponent));
    const V down = hn::BitCast(d, hn::Sub(half, exponent));
    const V sum = hn::Add(up, down);
    const V difference = hn::Sub(up, down);
    if constexpr (kIsCosh) {
      return hn::Add(sum, hn::MulAdd(sum, cosh, hn::Mul(difference, sinh)));
    } else {
      const V rest = hn::MulAdd(sum, sinh, hn::Mul(difference, cosh));
      // -0 + 0 is 0.
      return hn::CopySign(hn::Add(difference, rest), x);
    }
  }
};

template <class Fn, const auto& kHard>
using Exactly =
    ExactFloats<kHard, Lanes<Fn, double>, Lanes<Fn, double, false, true>>;
template <class Fn>
using F16 = InFloat16<NarrowLanes<Fn>>;
template <class Fn>
using BF16 = In16Bits<BFloat16, NarrowLanes<Fn>>;

template <class Fn, class Fast, typename T>
constexpr auto& kFastOf = kUnaryToNearest<FastBelowOr<Fast, Lanes<Fn, T>>>;

/// For fast engines: functors over float and double lanes below kEnd.
template <class Fn, class FastFloats, class FastDoubles, const auto& kHard>
constexpr KernelEntry kKernelsOf[] = {
    {9, LW_FLOAT16, kUnaryToNearest<F16<Fn>>},
    {9, LW_FLOAT32, kUnaryToNearest<Lanes<Fn, float>>},
    {9, LW_FLOAT32, kFastOf<Fn, FastFloats, float>, Way::kFast},
    {9, LW_FLOAT64, kUnaryToNearest<Lanes<Fn, double>>},
    {9, LW_FLOAT64, kFastOf<Fn, FastDoubles, double>, Way::kFast},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16<Fn>>},
    {9, LW_FLOAT16, kUnaryToNearest<F16<Fn>>, Way::kExact},
    {9, LW_FLOAT32, kOnlySame<Unary<Exactly<Fn, kHard>>>, Way::kExact},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16<Fn>>, Way::kExact},
};

}  // namespace hyperbolic
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_HYPERBOLIC_INL_H_
