// SPDX-License-Identifier: Apache-2.0
//
// Sine and cosine for float and double lanes, and for float lanes that are then
// rounded to 16 bits.
//
// Method, double lanes: |x| = n pi/2 + hi + lo with |hi + lo| <= pi/4. Below
// 2^20, pi/2 is the sum of 33, 53 and 53 bits, the first product is exact, and
// the error of the second one is added. From there on, far_angle.h computes
// lane by lane. sin(hi + lo) = hi + (lo + hi^3 S(hi^2)) and cos(hi + lo) =
// 1 - hi^2/2 + (hi^4 C(hi^2) - hi lo), where n tells which one is the result,
// and with which sign.
//
// Float lanes are computed as doubles, where the second part of pi/2 is enough.
// The result is the sine of x minus the nearest even multiple of pi/2, or for
// the cosine minus the nearest odd one. So there is only one polynomial, for
// |r| <= pi/2: sin(r) = r (1 + r^2 P(r^2)). Fast engines do the same in lanes
// of the type, up to 2^20, with three parts of pi/2, as numbers lie close to
// multiples of pi/2. Of floats, |r| is up to 1.67, as a float of x 2/pi is
// coarse.
//
// Coefficients: by Remez's exchange in 250 bits, for the least error relative
// to sine and cosine. Each coefficient was rounded, from the lowest one on,
// before the next ones were fitted again. With them, the errors are 2^-57.9
// (S), 2^-63.9 (C) and 2^-35.3 (P; exact engines: 2^-43.7; doubles on fast
// engines: 2^-61.5). The coefficients for float lanes were found by a search
// around those of a linear program: no result is above 1, and the cosine of 0
// is 1.
//
// Largest errors found: 0.501 ULP (float); 2.9 ULP (float, fast engines); 0.82
// ULP of sine and cosine, and 0.89 ULP of the tangent (double; fast engines:
// 2.3 and 3.6). sin_test, cos_test and tan_test compute all floats, all values
// of the 16-bit types, and many doubles, also those close to multiples of pi/2,
// on every instruction set. The bounds hold for round to nearest, which
// to_nearest-inl.h sets.

#if defined(LANEWISE_KERNELS_TRIGONOMETRY_TRIGONOMETRY_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_TRIGONOMETRY_TRIGONOMETRY_INL_H_
#undef LANEWISE_KERNELS_TRIGONOMETRY_TRIGONOMETRY_INL_H_
#else
#define LANEWISE_KERNELS_TRIGONOMETRY_TRIGONOMETRY_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "kernels/exact32-inl.h"
#include "kernels/exactly-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/polynomial-inl.h"
#include "kernels/to_nearest-inl.h"
#include "kernels/trigonometry/far_angle.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace trigonometry {

constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
// pi/2 without 2^-141. Products of the first part and 20 bits are exact.
constexpr double kHalfPi1 = 0x1.921fb544p+0;
constexpr double kHalfPi2 = 0x1.0b4611a626331p-34;
constexpr double kHalfPi3 = 0x1.1701b839a252p-88;

constexpr double kSin[] = {-0x1.5555555555548p-3,  0x1.111111110f73p-7,
                           -0x1.a01a019be9217p-13, 0x1.71de35552b52cp-19,
                           -0x1.ae5e4b83e46f4p-26, 0x1.5d8b559495e22p-33};
constexpr double kCos[] = {0x1.555555555554bp-5,  -0x1.6c16c16c15015p-10,
                           0x1.a01a019c8f254p-16, -0x1.27e4f7f19148bp-22,
                           0x1.1ee9dbcefbdc4p-29, -0x1.8fa684873cb97p-37};
constexpr double kSinOfFloats[] = {1,
                                   -0x1.5555554769442p-3,
                                   0x1.11110c49f77fep-7,
                                   -0x1.a017d99d0e53dp-13,
                                   0x1.71707fb7d01b6p-19,
                                   -0x1.9a687debfa84p-26};
// For ExactFloats.
constexpr double kLongerSin[] = {1,
                                 -0x1.55555555470c8p-3,
                                 0x1.1111110a52a2dp-7,
                                 -0x1.a019fd57c9562p-13,
                                 0x1.71dcf7f35970bp-19,
                                 -0x1.ae03e6484dba6p-26,
                                 0x1.52da944967b6ep-33};

// For doubles on fast engines.
constexpr double kLongestSin[] = {1,
                                  -0x1.5555555555555p-3,
                                  0x1.11111111110c8p-7,
                                  -0x1.a01a01a014d6ep-13,
                                  0x1.71de3a52a09fcp-19,
                                  -0x1.ae6454d465ed1p-26,
                                  0x1.6123cd01bb6e9p-33,
                                  -0x1.ae438273e1d97p-41,
                                  0x1.88326265e67a0p-49};

// For float lanes: pi/2 without 2^-71, of parts that all have its sign, so that
// -0.0 stays; and a shorter polynomial, which is below the sine where that is
// close to 1.
constexpr float kShortHalfPi1 = 0x1.921fb4p+0f;
constexpr float kShortHalfPi2 = 0x1.4442dp-24f;
constexpr float kShortHalfPi3 = 0x1.846988p-48f;
constexpr float kShortSin[] = {1, -0x1.555532p-3f, 0x1.110b14p-7f,
                               -0x1.9edcecp-13f, 0x1.56e4c6p-19f};

/// True in lanes that are numbers and not far.
template <class D, class V>
HWY_INLINE hn::Mask<D> AreNear(D d, V x) {
  return hn::Lt(hn::Abs(x), hn::Set(d, static_cast<hn::TFromD<D>>(kFarAngle)));
}
template <class D, class V, class... More>
HWY_INLINE hn::Mask<D> AreNear(D d, V x, More... more) {
  return hn::And(AreNear(d, x), AreNear(d, more...));
}

/// The last bit of n as the sign of a float.
template <class D, class VU>
HWY_INLINE hn::Vec<D> OddToSign(D d, VU n) {
  return hn::BitCast(d, hn::ShiftLeft<8 * sizeof(hn::TFromD<D>) - 1>(n));
}

/// Sums with it are whole numbers, whose last place is 1.
template <typename T>
constexpr T kMagic = sizeof(T) == 8 ? T{0x1.8p52} : T{0x1.8p23};

/// x = n pi/2 + hi + lo for double lanes, 0 <= x < kFarAngle. |hi + lo| is at
/// most pi/4, and a little more.
template <class D, class V, class VU>
HWY_INLINE void Reduce(D d, V x, V& hi, V& lo, VU& n) {
  const V magic = hn::Set(d, 0x1.8p52);  // the last place is 1
  const V t = hn::MulAdd(x, hn::Set(d, kTwoOverPi), magic);
  const V k = hn::Sub(t, magic);
  const V half_pi_2 = hn::Set(d, kHalfPi2);
  // A zero stays 0: NegMulAdd would give -0 on IBM Z.
  const V most = hn::MulAdd(k, hn::Set(d, -kHalfPi1), x);  // exact
  const V product = hn::Mul(k, half_pi_2);
  hi = hn::Sub(most, product);
  // Exact, as the last place of `product` is below that of `most`.
  const V lost = hn::Sub(hn::Sub(most, hi), product);
  lo = hn::Sub(lost, ProductError(d, k, half_pi_2, product));
  lo = hn::NegMulAdd(k, hn::Set(d, kHalfPi3), lo);
  n = hn::BitCast(hn::RebindToUnsigned<D>(), t);
}

/// The same for the far lanes of x, lane by lane. Other lanes stay.
template <class D, class V, class VU>
HWY_INLINE void ReduceFarLanes(D d, V x, V& hi, V& lo, VU& n) {
  const hn::RebindToUnsigned<D> du;
  HWY_ALIGN double far[hn::MaxLanes(d)];
  HWY_ALIGN double hi_lanes[hn::MaxLanes(d)];
  HWY_ALIGN double lo_lanes[hn::MaxLanes(d)];
  HWY_ALIGN uint64_t n_lanes[hn::MaxLanes(d)];
  hn::Store(x, d, far);
  hn::Store(hi, d, hi_lanes);
  hn::Store(lo, d, lo_lanes);
  hn::Store(n, du, n_lanes);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    // Not for NaN.
    if (far[i] >= kFarAngle && far[i] <= std::numeric_limits<double>::max()) {
      const Angle angle = ReduceFar(far[i]);
      hi_lanes[i] = angle.hi;
      lo_lanes[i] = angle.lo;
      n_lanes[i] = angle.n;
    }
  }
  hi = hn::Load(d, hi_lanes);
  lo = hn::Load(d, lo_lanes);
  n = hn::Load(du, n_lanes);
}

/// sin + sin_lo and cos + cos_lo of hi + lo for double lanes. kIsCareful: the
/// error of hi^2 is added, which is up to a quarter of an ULP of the cosine.
template <bool kIsCareful, class D, class V>
HWY_INLINE void SinCos(D d, V hi, V lo, V& sin, V& sin_lo, V& cos, V& cos_lo) {
  const V one = hn::Set(d, 1);
  const V r2 = hn::Mul(hi, hi);
  const V half = hn::Mul(r2, hn::Set(d, 0.5));
  cos = hn::Sub(one, half);
  cos_lo = hn::NegMulAdd(hi, lo, hn::Sub(hn::Sub(one, cos), half));
  sin = hi;
  sin_lo = hn::NegMulAdd(half, lo, lo);
  if constexpr (kIsCareful) {
    const V r2_lo = ProductError(d, hi, hi, r2);
    cos_lo = hn::NegMulAdd(r2_lo, hn::Set(d, 0.5), cos_lo);
    sin_lo = hn::MulAdd(hn::Mul(r2_lo, hi), hn::Set(d, kSin[0]), sin_lo);
  }
  cos_lo = hn::MulAdd(hn::Mul(r2, r2), Polynomial(d, r2, kCos), cos_lo);
  sin_lo = hn::MulAdd(hn::Mul(hi, r2), Polynomial(d, r2, kSin), sin_lo);
}

/// y where there is a result; else a NaN, with the payload of x. By bits, as
/// not all CPUs keep a payload in arithmetic.
template <class D, class V>
HWY_INLINE V OrNaN(D d, V x, hn::Mask<D> has_result, V y) {
  using T = hn::TFromD<D>;
  const V nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
  return hn::IfThenElse(has_result, y, hn::Or(x, nan));
}
/// The same, where x is a finite number.
template <class D, class V>
HWY_INLINE V IfFinite(D d, V x, V y) {
  return OrNaN(d, x, hn::Lt(hn::Abs(x), hn::Inf(d)), y);
}

/// What lanes of NearLanes hold: floats, in float or double lanes; floats whose
/// results exact engines need closer; doubles.
enum class Held { kFloats, kFloatsCarefully, kDoubles };
/// What the lanes of fast engines hold.
template <typename T>
constexpr Held kOwn = sizeof(T) == 8 ? Held::kDoubles : Held::kFloats;

/// Double lanes rounded to float. kToOdd: to odd, which a second rounding, to
/// 16 bits, then rounds to what one rounding would give.
template <bool kToOdd, class D, class V>
HWY_INLINE hn::VFromD<D> ToFloat(D d, V x) {
  if constexpr (kToOdd) return ToOddNormalFloat(d, x);
  return hn::DemoteTo(d, x);
}

/// fn(dd, v) of both halves of a float vector as doubles.
template <bool kToOdd, class D, class V, class Fn>
HWY_INLINE V ByHalves(D d, V x, const Fn& fn) {
  const hn::RepartitionToWide<D> dd;
  const hn::Half<D> half;
  const auto lower = fn(dd, hn::PromoteLowerTo(dd, x));
  const auto upper = fn(dd, hn::PromoteUpperTo(dd, x));
  return hn::Combine(d, ToFloat<kToOdd>(half, upper),
                     ToFloat<kToOdd>(half, lower));
}

/// Makes a functor over lanes of Fn, which has Near(d, x) for lanes that are
/// numbers and not far, and Any(d, x).
template <class Fn>
struct OfLanes : Fn {
  static constexpr size_t kUnroll = 3;
  static constexpr bool kHasShortcut = true;
  static constexpr typename Fn::T kPadding = 0;

  template <class D, class... V>
  HWY_INLINE bool TakesShortcut(D d, V... x) const {
    return hn::AllTrue(d, AreNear(d, x...));
  }
  template <class D, class V>
  HWY_INLINE V Shortcut(D d, V x) const {
    return Fn::Near(d, x);
  }
  // Out of line: the loops contain it several times.
  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x) const {
    return Fn::Any(d, x);
  }
};

/// The same for callers that take no shortcuts themselves.
template <class Fn>
struct AnyLanes : OfLanes<Fn> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if (HWY_LIKELY(this->TakesShortcut(d, x))) return Fn::Near(d, x);
    return OfLanes<Fn>::operator()(d, x);
  }
};

/// Double lanes of Fn, which has Finish(d, x, hi, lo, n) for |x| = n pi/2 + hi
/// + lo.
template <class Fn>
struct OfDoubles {
  using T = double;

  template <class D, class V>
  static HWY_INLINE V Near(D d, V x) {
    V hi;
    V lo;
    hn::VFromD<hn::RebindToUnsigned<D>> n;
    Reduce(d, hn::Abs(x), hi, lo, n);
    return Fn::Finish(d, x, hi, lo, n);
  }
  template <class D, class V>
  static HWY_INLINE V Any(D d, V x) {
    const V size = hn::Abs(x);
    V hi;
    V lo;
    hn::VFromD<hn::RebindToUnsigned<D>> n;
    Reduce(d, hn::IfThenElseZero(AreNear(d, x), size), hi, lo, n);
    ReduceFarLanes(d, size, hi, lo, n);
    return IfFinite(d, x, Fn::Finish(d, x, hi, lo, n));
  }
};

/// Float lanes of Fn, which has NearLanes<kHeld>(d, x).
/// kToOdd: how the result is rounded.
template <class Fn, bool kToOdd = false>
struct OfFloats {
  using T = float;

  template <class D, class V>
  static HWY_INLINE V Near(D d, V x) {
    return ByHalves<kToOdd>(d, x, [](auto dd, auto v) HWY_ATTR {
      return Fn::template NearLanes<Held::kFloats>(dd, v);
    });
  }
  template <class D, class V>
  static HWY_INLINE V Any(D d, V x) {
    const auto near = AreNear(d, x);
    const V far = ByHalves<kToOdd>(
        d, hn::IfThenZeroElse(near, x),
        [](auto dd, auto v) HWY_ATTR { return OfDoubles<Fn>::Any(dd, v); });
    const V y = hn::IfThenElse(near, Near(d, hn::IfThenElseZero(near, x)), far);
    return IfFinite(d, x, y);
  }
};

/// k pi/2 + r = x. A zero stays: NegMulAdd would give -0 for 0 on IBM Z.
template <Held kHeld, class D, class V>
HWY_INLINE V RestOf(D d, V x, V k) {
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    // Exact, with FMA: the last place of both is 2^-23 or more.
    V r = hn::MulAdd(k, hn::Set(d, -kShortHalfPi1), x);
    r = hn::MulAdd(k, hn::Set(d, -kShortHalfPi2), r);
    return hn::MulAdd(k, hn::Set(d, -kShortHalfPi3), r);
  } else {
    const V most = hn::MulAdd(k, hn::Set(d, -kHalfPi1), x);  // exact
    const V r = hn::MulAdd(k, hn::Set(d, -kHalfPi2), most);
    if constexpr (kHeld != Held::kDoubles) return r;
    return hn::MulAdd(k, hn::Set(d, -kHalfPi3), r);
  }
}

/// sin(r)
template <Held kHeld, class D, class V>
HWY_INLINE V SineNear0(D d, V r) {
  const V r2 = hn::Mul(r, r);
  if constexpr (kHeld == Held::kDoubles) {
    const V one = hn::Set(d, 1);
    const V y = hn::Mul(r, Polynomial(d, r2, kLongestSin));
    return hn::Max(hn::Neg(one), hn::Min(y, one));  // y may be more by an ULP
  } else if constexpr (kHeld == Held::kFloatsCarefully) {
    return hn::Mul(r, Polynomial(d, r2, kLongerSin));
  } else if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::Mul(r, Polynomial(d, r2, kShortSin));
  } else {
    return hn::Mul(r, Polynomial(d, r2, kSinOfFloats));
  }
}

/// sin(x), or cos(x).
template <bool kIsCos>
struct Sine {
  template <class D, class V, class VU>
  static HWY_INLINE V Finish(D d, V x, V hi, V lo, VU n) {
    // Cosine is the sine of a quarter more. Sine has the sign of x, too.
    if constexpr (kIsCos) {
      n = hn::Add(n, hn::Set(hn::RebindToUnsigned<D>(), 1));
    }
    V sin;
    V sin_lo;
    V cos;
    V cos_lo;
    SinCos<false>(d, hi, lo, sin, sin_lo, cos, cos_lo);
    const V odd = OddToSign(d, n);
    const V y = hn::Add(hn::IfNegativeThenElse(odd, cos, sin),
                        hn::IfNegativeThenElse(odd, cos_lo, sin_lo));
    V sign = hn::BitCast(d, hn::ShiftLeft<62>(n));
    if constexpr (!kIsCos) sign = hn::Xor(sign, x);
    return hn::Xor(y, hn::And(hn::SignBit(d), sign));
  }
  template <Held kHeld, class D, class V>
  static HWY_INLINE V NearLanes(D d, V x) {
    using T = hn::TFromD<D>;
    const V magic = hn::Set(d, 2 * kMagic<T>);  // the last place is 2
    const V one = hn::Set(d, 1);
    const V scale = hn::Set(d, T{kTwoOverPi});
    // Even numbers for the sine; for the cosine odd ones, and 1.
    const V t = kIsCos ? hn::Add(hn::MulAdd(x, scale, one), magic)
                       : hn::MulAdd(x, scale, magic);
    V k = hn::Sub(t, magic);
    if constexpr (kIsCos) k = hn::Sub(k, one);
    const V y = SineNear0<kHeld>(d, RestOf<kHeld>(d, x, k));
    return hn::Xor(y, OddToSign(d, hn::BitCast(hn::RebindToUnsigned<D>(), t)));
  }
};

/// For fast engines: lanes of Fn, below kFarAngle.
template <class Fn>
struct Fast {
  static constexpr float kEnd = kFarAngle;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return Fn::template NearLanes<kOwn<hn::TFromD<D>>>(d, x);
  }
};

/// Double lanes of Fn that hold floats, for ExactFloats.
template <class Fn>
struct Quick {
  static constexpr double kError = 0x1p-39;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D d, V x) {
    return AreNear(d, x);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return Fn::template NearLanes<Held::kFloatsCarefully>(d, x);
  }
};
template <class Fn, const auto& kHard>
using Exactly = ExactFloats<kHard, AnyLanes<OfDoubles<Fn>>, Quick<Fn>>;

template <class Fn>
using F16 = InFloat16<AnyLanes<OfFloats<Fn, true>>>;
template <class Fn>
using BF16 = In16Bits<BFloat16, AnyLanes<OfFloats<Fn, true>>>;

template <class Fn, const auto& kHard>
constexpr KernelEntry kKernelsOf[] = {
    {7, LW_FLOAT16, kUnaryToNearest<F16<Fn>>},
    {7, LW_FLOAT32, kUnaryToNearest<OfLanes<OfFloats<Fn>>>},
    {7, LW_FLOAT32,
     kUnaryToNearest<FastBelowOr<Fast<Fn>, OfLanes<OfFloats<Fn>>>>, Way::kFast},
    {7, LW_FLOAT64, kUnaryToNearest<OfLanes<OfDoubles<Fn>>>},
    {7, LW_FLOAT64,
     kUnaryToNearest<FastBelowOr<Fast<Fn>, OfLanes<OfDoubles<Fn>>>>,
     Way::kFast},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16<Fn>>},
    {7, LW_FLOAT16, kUnaryToNearest<F16<Fn>>, Way::kExact},
    {7, LW_FLOAT32, kOnlySame<Unary<Exactly<Fn, kHard>>>, Way::kExact},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16<Fn>>, Way::kExact},
};

}  // namespace trigonometry
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_TRIGONOMETRY_TRIGONOMETRY_INL_H_
