// SPDX-License-Identifier: Apache-2.0
//
// Arc sine and arc cosine for float and double lanes, and for float lanes that
// are then rounded to 16 bits. Also what the arc tangent (atan.cc) shares with
// them.
//
// Method: the result is k pi/2 + m f(h), where f is the arc sine or the arc
// tangent, |h| is at most 1/2, k is 0, 1/2, 1 or 2, and m is 1, 2, -1 or -2.
// f(h) = h + h^3 P(h^2), where the second term is below a 13th of the first.
// Double lanes keep what the roundings of h and of k pi/2 + m h lose, so that
// the errors are those of the small term and of the last sum. Float lanes are
// computed as doubles, with a shorter polynomial and without what is lost. Fast
// engines compute in float lanes.
//
// With a = |x|, asin(a) needs no reduction up to 1/2. Above, it is pi/2 -
// 2 asin(h) with h = sqrt((1 - a) / 2), where the difference is exact. The arc
// cosine is pi/2 - asin(x): above 1/2 it is 2 asin(h), and below -1/2 it is pi
// - 2 asin(h).
//
// Coefficients: by Remez's exchange in 220 bits, for the least error relative
// to f(h). Each coefficient was rounded, from the lowest one on, before the
// next ones were fitted again. With them, the errors are 2^-59.8 (arc sine) and
// 2^-62.0 (arc tangent), for floats 2^-35.8 and 2^-36.2 (for exact engines
// 2^-43.9 and 2^-44.9). Those for float lanes are by linear programs.
//
// Largest errors found: 0.501 ULP (float); 3.2 ULP (float, fast engines); 0.66
// ULP of the arc sine, 0.62 ULP of the arc cosine and 0.70 ULP of the arc
// tangent (double). asin_test, acos_test and atan_test compute all floats, all
// values of the 16-bit types, and many doubles, also those close to 1/2, 1 and
// 2, on every instruction set. Of doubles on fast engines: 2.1 ULP.
// The bounds hold for round to nearest, which to_nearest-inl.h sets.

#if defined(LANEWISE_KERNELS_TRIGONOMETRY_INVERSE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_TRIGONOMETRY_INVERSE_INL_H_
#undef LANEWISE_KERNELS_TRIGONOMETRY_INVERSE_INL_H_
#else
#define LANEWISE_KERNELS_TRIGONOMETRY_INVERSE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/exact32-inl.h"
#include "kernels/exactly-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/to_nearest-inl.h"
#include "kernels/trigonometry/trigonometry-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace inverse {

// The sum is pi/2.
constexpr double kHalfPi = 0x1.921fb54442d18p+0;
constexpr double kHalfPiLo = 0x1.1a62633145c07p-54;
constexpr float kHalfPiOfFloats = 0x1.921fb6p+0f;

/// k pi/2 + m (h + h_lo + h^3 P(h^2)). k is 0, or k pi/2 is above |m h|. The
/// products with k and m are exact.
template <class D, class V, size_t kCount>
HWY_INLINE V RoundedSum(D d, const double (&p)[kCount], V k, V m, V h, V h_lo,
                        V h2) {
  const V half_pi = hn::Set(d, kHalfPi);
  const V sum = hn::MulAdd(k, half_pi, hn::Mul(m, h));
  const V lost = hn::MulAdd(m, h, hn::MulSub(k, half_pi, sum));
  const V curve = hn::Mul(hn::Mul(h, h2), Polynomial(d, h2, p));
  const V small = hn::MulAdd(k, hn::Set(d, kHalfPiLo), lost);
  return hn::Add(sum, hn::MulAdd(m, hn::Add(curve, h_lo), small));
}

/// Double lanes of Fn, which has HasResult(d, x) and Reduce(d, x, k, m, h,
/// h_lo, h2). Reduce gets |x| if the function is odd.
template <class Fn>
struct OfDoubles {
  using T = double;

  template <class D, class V>
  static HWY_INLINE V Compute(D d, V x) {
    V k;
    V m;
    V h;
    V h_lo;
    V h2;
    Fn::Reduce(d, Fn::kIsOdd ? hn::Abs(x) : x, k, m, h, h_lo, h2);
    const V y = RoundedSum(d, Fn::kP, k, m, h, h_lo, h2);
    return Fn::kIsOdd ? hn::CopySignToAbs(y, x) : y;
  }
};

/// Double lanes of Fn without what roundings lose.
template <class Fn, class D, class V, size_t kCount>
HWY_INLINE V Plainly(D d, V x, const double (&p)[kCount]) {
  V k;
  V m;
  V h;
  V h_lo;
  V h2;
  Fn::Reduce(d, x, k, m, h, h_lo, h2);
  const V f = hn::Mul(h, Polynomial(d, h2, p));
  return hn::MulAdd(m, f, hn::Mul(k, hn::Set(d, kHalfPi)));
}

/// Float lanes of Fn. kToOdd: how the result is rounded.
template <class Fn, bool kToOdd = false>
struct OfFloats {
  using T = float;

  template <class D, class V>
  static HWY_INLINE V Compute(D d, V x) {
    const V y = trigonometry::ByHalves<kToOdd>(
        d, Fn::kIsOdd ? hn::Abs(x) : x,
        [](auto dd, auto v) HWY_ATTR { return InDoubles(dd, v); });
    return Fn::kIsOdd ? hn::CopySignToAbs(y, x) : y;
  }

 private:
  template <class D, class V>
  static HWY_INLINE V InDoubles(D d, V x) {
    return Plainly<Fn>(d, x, Fn::kPOfFloats);
  }
};

/// Double lanes of Fn for fast engines.
template <class Fn>
struct FastDoubles {
  using T = double;

  template <class D, class V>
  static HWY_INLINE V Compute(D d, V x) {
    V k;
    V m;
    V h;
    V h_lo;
    V h2;
    Fn::Reduce(d, Fn::kIsOdd ? hn::Abs(x) : x, k, m, h, h_lo, h2);
    const V f = hn::MulAdd(hn::Mul(h, h2), Polynomial(d, h2, Fn::kP), h);
    const V y = hn::MulAdd(m, f, hn::Mul(k, hn::Set(d, kHalfPi)));
    return Fn::kIsOdd ? hn::CopySignToAbs(y, x) : y;
  }
};

/// A functor made of `Lanes`, one of the three above, for Fn. Vectors without a
/// NaN result take the shortcut.
template <class Fn, class Lanes>
struct OrNaNOf {
  using T = typename Lanes::T;
  static constexpr size_t kUnroll = 3;
  static constexpr bool kHasShortcut = true;
  static constexpr T kPadding = 0;

  template <class D, class... V>
  HWY_INLINE bool TakesShortcut(D d, V... x) const {
    return (hn::AllTrue(d, Fn::HasResult(d, x)) && ...);
  }
  template <class D, class V>
  HWY_INLINE V Shortcut(D d, V x) const {
    return Lanes::Compute(d, x);
  }
  // Out of line: the loops contain it several times.
  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x) const {
    return trigonometry::OrNaN(d, x, Fn::HasResult(d, x), Lanes::Compute(d, x));
  }
};

/// Double lanes that hold floats, for ExactFloats.
template <class Fn>
struct Quick {
  static constexpr double kError = 0x1p-40;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D d, V x) {
    return Fn::HasResult(d, x);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V size = Fn::kIsOdd ? hn::Abs(x) : x;
    const V y = Plainly<Fn>(d, size, Fn::kLongerP);
    return Fn::kIsOdd ? hn::CopySignToAbs(y, x) : y;
  }
};
template <class Fn, const auto& kHard>
using Exactly = ExactFloats<kHard, OrNaNOf<Fn, OfDoubles<Fn>>, Quick<Fn>>;

template <class Fn>
using F16 = InFloat16<OrNaNOf<Fn, OfFloats<Fn, true>>>;
template <class Fn>
using BF16 = In16Bits<BFloat16, OrNaNOf<Fn, OfFloats<Fn, true>>>;

/// h + h^3 P(h^2) of float lanes.
template <class D, class V, size_t kCount>
HWY_INLINE V FastSum(D d, const float (&p)[kCount], V h, V h2) {
  return hn::MulAdd(hn::Mul(h, h2), Polynomial(d, h2, p), h);
}

/// Fast: a functor over floats for fast engines.
template <class Fn, class Fast, const auto& kHard>
constexpr KernelEntry kKernelsOf[] = {
    {7, LW_FLOAT16, kUnaryToNearest<F16<Fn>>},
    {7, LW_FLOAT32, kUnaryToNearest<OrNaNOf<Fn, OfFloats<Fn>>>},
    {7, LW_FLOAT32, kUnaryToNearest<FastOr<Fast, OrNaNOf<Fn, OfFloats<Fn>>>>,
     Way::kFast},
    {7, LW_FLOAT64, kUnaryToNearest<OrNaNOf<Fn, OfDoubles<Fn>>>},
    {7, LW_FLOAT64,
     kUnaryToNearest<OrNaNOf<Fn, FastOr<FastDoubles<Fn>, OfDoubles<Fn>>>>,
     Way::kFast},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16<Fn>>},
    {7, LW_FLOAT16, kUnaryToNearest<F16<Fn>>, Way::kExact},
    {7, LW_FLOAT32, kOnlySame<Unary<Exactly<Fn, kHard>>>, Way::kExact},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16<Fn>>, Way::kExact},
};

/// What the exact root of u has more than `root`, the rounded one: (u - root^2)
/// / (2 root), where a reciprocal with five right bits is enough.
template <class D, class V>
HWY_INLINE V RootError(D d, V u, V root) {
  const hn::RebindToUnsigned<D> du;
  // The difference halves the exponent of u and turns it over. Between powers
  // of 4, the fraction makes straight lines of the curve, and the constant, the
  // best one of 20 bits, leaves them at most 3.5 % off.
  const auto half = hn::ShiftRight<1>(hn::BitCast(du, u));
  const auto magic = hn::Set(du, uint64_t{0x5FE6F} << 44);
  const V inverse = hn::BitCast(d, hn::Sub(magic, half));
  const V square = hn::Mul(root, root);
  const V missing =
      hn::Sub(hn::Sub(u, square), ProductError(d, root, root, square));
  return hn::Mul(missing, hn::Mul(inverse, hn::Set(d, 0.5)));
}

/// asin(x), or acos(x).
template <bool kIsCos>
struct ArcSine {
  static constexpr bool kIsOdd = !kIsCos;
  static constexpr double kP[] = {
      0x1.5555555555577p-3, 0x1.333333332e131p-4, 0x1.6db6db7212662p-5,
      0x1.f1c71a94f41e2p-6, 0x1.6e8bdee01459ep-6, 0x1.1c49f06064899p-6,
      0x1.ca1f8d137d876p-7, 0x1.75858cd46ae96p-7, 0x1.613c798236a9fp-7,
      0x1.e5f6b8e039d70p-9, 0x1.639c0f8e0783cp-6, -0x1.57fce812f1f7fp-6,
      0x1.0b468cbbaaaddp-5};
  static constexpr double kPOfFloats[] = {1,
                                          0x1.55555605cc26ap-3,
                                          0x1.3332aa0696f5ep-4,
                                          0x1.6ddabfb3899a7p-5,
                                          0x1.ed5d20de19d3fp-6,
                                          0x1.931f492cfc295p-6,
                                          0x1.ec2963acff59ap-8,
                                          0x1.1bd1b25c57241p-5};
  static constexpr double kLongerP[] = {1,
                                        0x1.555555565b6d7p-3,
                                        0x1.333331f164e0cp-4,
                                        0x1.6db7631b3756dp-5,
                                        0x1.f1ab303e0954fp-6,
                                        0x1.7028e21eca5e9p-6,
                                        0x1.0e0a31b517deep-6,
                                        0x1.30f9385763b12p-6,
                                        -0x1.722d6cab1c002p-9,
                                        0x1.059195cc8be1fp-5};

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> HasResult(D d, V x) {
    return hn::Le(hn::Abs(x), hn::Set(d, 1));
  }
  template <class D, class V>
  static HWY_INLINE void Reduce(D d, V x, V& k, V& m, V& h, V& h_lo, V& h2) {
    const V one = hn::Set(d, 1);
    const V half = hn::Set(d, 0.5);
    const V a = hn::Abs(x);
    const auto far = hn::Gt(a, half);
    h2 = hn::IfThenElse(far, hn::NegMulAdd(a, half, half), hn::Mul(a, a));
    const V root = hn::Sqrt(h2);
    h = hn::IfThenElse(far, root, a);
    h_lo = hn::IfThenElseZero(far, RootError(d, h2, root));
    if constexpr (kIsCos) {
      k = hn::Sub(one, hn::IfThenElseZero(far, hn::CopySign(one, x)));
      m = hn::IfThenElse(far, hn::Set(d, 2), hn::Set(d, -1));
      m = hn::Xor(m, hn::And(hn::SignBit(d), x));
    } else {
      k = hn::IfThenElseZero(far, one);
      m = hn::IfThenElse(far, hn::Set(d, -2), one);
    }
  }
};

/// The same in float lanes, for fast engines. The root makes NaN beyond 1.
template <bool kIsCos>
struct FastArcSine : FastFloats {
  // Makes up for half of what the float of pi/2 has more than pi/2.
  static constexpr float kP[] = {0x1.554f3ap-3f, 0x1.35051p-4f, 0x1.456602p-5f,
                                 0x1.9ee30ep-5f};

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V half = hn::Set(d, 0.5f);
    const V two = hn::Set(d, 2);
    const V half_pi = hn::Set(d, kHalfPiOfFloats);
    const V a = hn::Abs(x);
    const auto far = hn::Gt(a, half);
    const V h2 =
        hn::IfThenElse(far, hn::NegMulAdd(a, half, half), hn::Mul(a, a));
    const V f = FastSum(d, kP, hn::IfThenElse(far, hn::Sqrt(h2), a), h2);
    if constexpr (kIsCos) {
      const V sign = hn::And(hn::SignBit(d), x);
      const V m = hn::IfThenElse(far, two, hn::Set(d, -1));
      const V back = hn::IfThenElseZero(far, hn::Xor(half_pi, sign));
      return hn::MulAdd(hn::Xor(m, sign), f, hn::Sub(half_pi, back));
    } else {
      const V y = hn::IfThenElse(far, hn::NegMulAdd(two, f, half_pi), f);
      return hn::CopySignToAbs(y, x);
    }
  }
};

}  // namespace inverse
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_TRIGONOMETRY_INVERSE_INL_H_
