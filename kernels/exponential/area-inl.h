// SPDX-License-Identifier: Apache-2.0
//
// The cores of Asinh, Acosh and Atanh: logarithms of an e >= 1.
//
// Method: log(e) = k ln2 + 2 atanh(s), where s = (e / 2^k - 1) / (e / 2^k + 1)
// and |s| <= 0.2003. Where k is 0, s is a quotient that needs no difference:
//   asinh(x): e = x + sqrt(x^2 + 1),  s = x / (1 + sqrt(x^2 + 1))
//   acosh(x): e = x + sqrt(x^2 - 1),  s = sqrt(x^2 - 1) / (x + 1)
//   atanh(x): e = (1 + x) / (1 - x),  s = x, and the result is log(e) / 2.
// So small results are as exact as others. Double lanes keep numerators,
// denominators and s as sums of two lanes, and round once. Float lanes are
// computed as doubles.
//
// Coefficients: of (atanh(s) - s) / s^3 in s^2, by Remez's exchange in 250 bits
// for the least error relative to atanh(s) on |s| <= 0.2008. The lowest
// coefficient was rounded first and the others fitted anew, one by one. The
// errors are 2^-35.3 (float; exact engines: 2^-49.0) and 2^-62.5 (double).
//
// Largest errors found: 0.501 ULP (float; fast engines: 3.7), 0.60 (double;
// fast engines: 3.3). The tests compute all floats, all 16-bit floats, and
// millions of doubles, on every instruction set. The bounds hold for round to
// nearest, which to_nearest-inl.h sets.

#if defined(LANEWISE_KERNELS_EXPONENTIAL_AREA_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_AREA_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_AREA_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_AREA_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/exactly-inl.h"
#include "kernels/exponential/exp_constants.h"
#include "kernels/exponential/expm1-inl.h"
#include "kernels/exponential/hyperbolic-inl.h"
#include "kernels/exponential/log-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace area {

constexpr double kAtanhOfFloats[] = {0x1.55555419d14adp-2, 0x1.999be806bdebcp-3,
                                     0x1.23e72ee517cc4p-3,
                                     0x1.edd605e262795p-4};
// For ExactFloats.
constexpr double kLongerAtanh[] = {0x1.5555555549697p-2, 0x1.999999c654bdbp-3,
                                   0x1.24922d3da5cd6p-3, 0x1.c72c688852240p-4,
                                   0x1.7210fa4543f87p-4, 0x1.64300b40efe03p-4};
constexpr double kAtanh[] = {0x1.555555555554fp-2, 0x1.999999999c202p-3,
                             0x1.24924921d8557p-3, 0x1.c71c749c48eb4p-4,
                             0x1.745c47a299fa2p-4, 0x1.3b363069db6b8p-4,
                             0x1.0dc3f56b680d2p-4, 0x1.1bb6ad515d30dp-4};

// For doubles on fast engines, and |s| <= 0.273.
constexpr double kFastAtanh[] = {
    0x1.555555555556cp-2, 0x1.9999999993acep-3, 0x1.24924928d52ddp-3,
    0x1.c71c6ec6df5b6p-4, 0x1.745daff4099b5p-4, 0x1.3b016ee65f0e9p-4,
    0x1.126737c9af3ffp-4, 0x1.c416bcdc64070p-5, 0x1.30616a4048010p-4};

/// lo becomes lo + (a + b - hi) for hi = a + b, rounded. |a| >= |b|, or nearly.
template <class V>
HWY_INLINE V Add(V a, V b, V& lo) {
  const V hi = hn::Add(a, b);
  lo = hn::Add(lo, hn::Add(hn::Sub(a, hi), b));
  return hi;
}

/// k ln2 / 2 + atanh(num / den) of double lanes that hold floats.
template <bool kIsLonger, class D, class V>
HWY_INLINE V HalfLogOfFloat(D d, V k, V num, V den) {
  const V s = hn::Div(num, den);
  const V s2 = hn::Mul(s, s);
  V p;
  if constexpr (kIsLonger) {
    p = Polynomial(d, s2, kLongerAtanh);
  } else {
    p = Polynomial(d, s2, kAtanhOfFloats);
  }
  const V more = hn::MulAdd(hn::Mul(s, s2), p, s);
  return hn::MulAdd(k, hn::Set(d, 0x1.62e42fefa39efp-2), more);
}

/// The same of numbers that are sums of two lanes.
template <class D, class V>
HWY_INLINE V HalfLog(D d, V k, V num, V num_lo, V den, V den_lo) {
  using C = ExpConstants<double>;
  V lo;
  const V s = Quotient(d, num, num_lo, den, den_lo, lo);
  const V whole = hn::Add(s, lo);
  const V s2 = hn::Mul(whole, whole);
  const V p = Polynomial(d, s2, kAtanh);
  lo = hn::MulAdd(hn::Mul(whole, s2), p, lo);
  lo = hn::MulAdd(k, hn::Set(d, C::kLn2Lo / 2), lo);
  const V k_ln2 = hn::Mul(k, hn::Set(d, C::kLn2Hi / 2));  // exact
  // k_ln2 is 0, or larger than s.
  const V hi = Add(k_ln2, s, lo);
  return hn::Add(hi, lo);
}

/// sqrt(x + x_lo) = root + lo, for x = 0 or x > 2^-60.
template <class D, class V>
HWY_INLINE V Sqrt(D d, V x, V x_lo, V& lo) {
  const V root = hn::Sqrt(x);
  const V square = hn::Mul(root, root);
  const V missing =
      hn::Sub(hn::Sub(x, square), ProductError(d, root, root, square));
  const V twice = hn::Max(hn::Add(root, root), hn::Set(d, 0x1p-30));
  lo = hn::Div(hn::Add(missing, x_lo), twice);
  return root;
}

/// asinh(x), or acosh(x).
template <bool kIsAcosh>
struct OfRoot {
  static constexpr bool kIsOdd = !kIsAcosh;
  static constexpr double kInstead = kIsAcosh ? 1 : 0;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Computes(D d, V x) {
    using T = hn::TFromD<D>;
    constexpr T kFirst = kIsAcosh ? T{1} : hyperbolic::kLeast<T>;
    const V size = kIsAcosh ? x : hn::Abs(x);
    return hyperbolic::LiesBetween(d, size, kFirst, hn::Inf(d));
  }
  template <class D, class V>
  static HWY_INLINE V Other(D d, V x) {
    if constexpr (kIsAcosh) {
      return hn::IfThenElse(hn::Lt(x, hn::Set(d, 1)), log_detail::QuietNaN(d),
                            x);
    }
    return x;
  }

  template <bool kIsLonger = false, class D, class V>
  static HWY_INLINE V OfFloat(D d, V x) {
    const V one = hn::Set(d, 1);
    const V other = hn::Set(d, kIsAcosh ? -1 : 1);
    const V root = hn::Sqrt(hn::MulAdd(x, x, other));
    V k;
    V f;
    log_detail::Split(d, hn::Add(x, root), k, f);
    const auto is_small = hn::Eq(k, hn::Zero(d));
    const V num = hn::IfThenElse(is_small, kIsAcosh ? root : x, f);
    const V den = hn::IfThenElse(is_small, hn::Add(kIsAcosh ? x : root, one),
                                 hn::Add(f, hn::Set(d, 2)));
    const V half = HalfLogOfFloat<kIsLonger>(d, k, num, den);
    return hn::Add(half, half);
  }

  template <class D, class V>
  static HWY_INLINE V OfDouble(D d, V size) {
    const V zero = hn::Zero(d);
    const V one = hn::Set(d, 1);
    const V two = hn::Set(d, 2);
    // From 2^30 on, e is 2 x, and x takes the place of e / 2.
    const auto far = hn::Ge(size, hn::Set(d, 0x1p30));
    const V x = hn::IfThenElse(far, two, size);
    const V square = hn::Mul(x, x);
    V under_lo = ProductError(d, x, x, square);
    V under;
    if constexpr (kIsAcosh) {
      under = Add(square, hn::Set(d, -1), under_lo);
    } else {
      const V larger = hn::Max(square, one);
      under = Add(larger, hn::Min(square, one), under_lo);
    }
    V root_lo;
    const V root = Sqrt(d, under, under_lo, root_lo);
    V e_lo = root_lo;
    V e = kIsAcosh ? Add(x, root, e_lo) : Add(root, x, e_lo);
    e = hn::IfThenElse(far, size, e);
    e_lo = hn::IfThenZeroElse(far, e_lo);

    V k;
    V f;
    log_detail::Split(d, e, k, f);
    const V f_lo = hn::Mul(e_lo, log_detail::InversePow2(d, k));
    V f_den_lo = f_lo;
    const V f_den = Add(two, f, f_den_lo);
    V den_lo = kIsAcosh ? zero : root_lo;
    const V den = Add(kIsAcosh ? x : root, one, den_lo);
    const auto is_small = hn::Eq(k, zero);
    const V half =
        HalfLog(d, hn::MaskedAddOr(k, far, k, one),
                hn::IfThenElse(is_small, kIsAcosh ? root : x, f),
                hn::IfThenElse(is_small, kIsAcosh ? root_lo : zero, f_lo),
                hn::IfThenElse(is_small, den, f_den),
                hn::IfThenElse(is_small, den_lo, f_den_lo));
    return hn::Add(half, half);
  }
};

struct Atanh {
  static constexpr bool kIsOdd = true;
  static constexpr double kInstead = 0;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Computes(D d, V x) {
    using T = hn::TFromD<D>;
    return hyperbolic::LiesBetween(d, hn::Abs(x), hyperbolic::kLeast<T>,
                                   hn::Set(d, 1));
  }
  template <class D, class V>
  static HWY_INLINE V Other(D d, V size) {
    const V one = hn::Set(d, 1);
    const V ends =
        hn::IfThenElse(hn::Eq(size, one), hn::Inf(d), log_detail::QuietNaN(d));
    return hn::IfThenElse(hn::Lt(size, one), size, ends);
  }

  /// A whole number near log2(above / under), and 2 to the power of it. The
  /// logarithm differs from it by less than 0.587.
  template <class D, class V>
  static HWY_INLINE V Exponent(D d, V above, V under, V& power) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::Sub(hn::BitCast(du, above), hn::BitCast(du, under));
    const auto half = hn::Set(du, uint64_t{1} << 51);
    const auto n = hn::ShiftRight<52>(hn::Add(bits, half));
    const auto bias = hn::Set(du, 1023);
    power = hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(n, bias)));
    const V end = hn::Set(d, 0x1p52);
    return hn::Sub(hn::BitCast(d, hn::Or(n, hn::BitCast(du, end))), end);
  }

  template <bool kIsLonger = false, class D, class V>
  static HWY_INLINE V OfFloat(D d, V x) {
    const V one = hn::Set(d, 1);
    const V above = hn::Add(one, x);
    const V under = hn::Sub(one, x);
    V power;
    const V k = Exponent(d, above, under, power);
    const V scaled = hn::Mul(under, power);
    V num = hn::Sub(above, scaled);
    V den = hn::Add(above, scaled);
    if constexpr (kIsLonger) {
      // Where k is 0, x says more than 1 + x and 1 - x.
      const auto is_small = hn::Eq(k, hn::Zero(d));
      num = hn::IfThenElse(is_small, x, num);
      den = hn::IfThenElse(is_small, one, den);
    }
    return HalfLogOfFloat<kIsLonger>(d, k, num, den);
  }

  template <class D, class V>
  static HWY_INLINE V OfDouble(D d, V x) {
    const V one = hn::Set(d, 1);
    V above_lo = hn::Zero(d);
    V under_lo = hn::Zero(d);
    const V above = Add(one, x, above_lo);
    const V under = Add(one, hn::Neg(x), under_lo);
    V power;
    const V k = Exponent(d, above, under, power);
    const V scaled = hn::Mul(under, power);
    const V scaled_lo = hn::Mul(under_lo, power);
    V den_lo = hn::Add(above_lo, scaled_lo);
    const V den = Add(above, scaled, den_lo);
    // Exact, as one is not twice as large as the other.
    const V num = hn::Sub(above, scaled);
    const V num_lo = hn::Sub(above_lo, scaled_lo);
    // Where k is 0, x says more than 1 + x and 1 - x.
    const auto is_small = hn::Eq(k, hn::Zero(d));
    return HalfLog(d, k, hn::IfThenElse(is_small, x, num),
                   hn::IfThenZeroElse(is_small, num_lo),
                   hn::IfThenElse(is_small, one, den),
                   hn::IfThenZeroElse(is_small, den_lo));
  }
};

// Lanes of the type for fast engines, as above. k is 0 up to e = 1.69, so that
// small results come from the exact quotient.

/// kTimes (k ln2 / 2 + atanh(s / kTimes)).
template <int kTimes, class D, class V>
HWY_INLINE V FastLog(D d, V k, V s) {
  using T = hn::TFromD<D>;
  constexpr float kP[] = {0x1.555708p-2f, 0x1.9863e6p-3f, 0x1.438ddp-3f};
  constexpr T kScale = T{1} / (kTimes * kTimes);
  constexpr T kHalfLn2 =
      sizeof(T) == 8 ? T{0x1.62e42fefa39efp-2} : T{0x1.62e43p-2f};
  const V s2 = hn::Mul(hn::Mul(s, hn::Set(d, kScale)), s);
  V p;
  if constexpr (sizeof(T) == 8) {
    p = Polynomial(d, s2, kFastAtanh);
  } else {
    p = Polynomial(d, s2, kP);
  }
  const V more = hn::MulAdd(hn::Mul(s, s2), p, s);
  return hn::MulAdd(k, hn::Set(d, kTimes * kHalfLn2), more);
}

/// Whole numbers from 0 on, as floats.
template <class D, class VU>
HWY_INLINE hn::Vec<D> WholeNumber(D d, VU n) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const hn::RebindToUnsigned<D> du;
    const auto end = hn::Set(d, 0x1p52);
    return hn::Sub(hn::BitCast(d, hn::Or(n, hn::BitCast(du, end))), end);
  } else {
    return hn::ConvertTo(d, hn::BitCast(hn::RebindToSigned<D>(), n));
  }
}

/// asinh(x), or acosh(x).
template <bool kIsAcosh, typename T>
struct FastOfRoot {
  static constexpr T kEnd = sizeof(T) == 8 ? 0x1p500 : 0x1p60;  // has a square

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    constexpr int kBits = hwy::MantissaBits<T>();
    const hn::RebindToUnsigned<D> du;
    const V one = hn::Set(d, T{1});
    const V half = hn::Set(d, T{0.5});
    const V size = kIsAcosh ? hn::Max(x, one) : hn::Abs(x);
    const V other = hn::Set(d, kIsAcosh ? T{-1} : T{1});
    const V root = hn::Sqrt(hn::MulAdd(size, size, other));
    const auto e = hn::BitCast(du, hn::Add(size, root));
    const auto first = hn::BitCast(du, hn::Set(d, T{0x1.bp-1}));
    const auto n = hn::ShiftRight<kBits>(hn::Sub(e, first));
    const V k = WholeNumber(d, n);
    const V m = hn::BitCast(d, hn::Sub(e, hn::ShiftLeft<kBits>(n)));  // e / 2^k
    const auto is_small = hn::Eq(k, hn::Zero(d));
    const V num =
        hn::IfThenElse(is_small, kIsAcosh ? root : size, hn::Sub(m, one));
    const V den = hn::IfThenElse(is_small, kIsAcosh ? size : root, m);
    const V y = FastLog<2>(d, k, hn::Div(num, hn::MulAdd(den, half, half)));
    if constexpr (!kIsAcosh) return hn::CopySign(y, x);
    const V nan = log_detail::QuietNaN(d);
    return hn::IfThenElse(hn::Lt(x, one), nan, y);
  }
};

template <typename T>
struct FastAtanh {
  static constexpr T kEnd = 1;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    constexpr int kBits = hwy::MantissaBits<T>();
    const hn::RebindToUnsigned<D> du;
    using TU = hn::TFromD<decltype(du)>;
    const V one = hn::Set(d, T{1});
    const V size = hn::Abs(x);
    const V above = hn::Add(one, size);
    const V under = hn::Sub(one, size);
    // k is 0 below 1/4.
    const auto bits = hn::Sub(hn::BitCast(du, above), hn::BitCast(du, under));
    const auto quarter = hn::Set(du, TU{1} << (kBits - 2));
    const auto n = hn::ShiftRight<kBits>(hn::Add(bits, quarter));
    const auto power = hn::Add(hn::BitCast(du, one), hn::ShiftLeft<kBits>(n));
    const V times = hn::BitCast(d, power);
    const V num = hn::NegMulAdd(times, under, above);
    const V den = hn::MulAdd(times, under, above);
    const V k = WholeNumber(d, n);
    const V q = hn::Div(num, den);
    const V s = hn::IfThenElse(hn::Eq(k, hn::Zero(d)), size, q);
    return hn::CopySign(FastLog<1>(d, k, s), x);
  }
};

}  // namespace area
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_AREA_INL_H_
