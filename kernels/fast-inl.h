// SPDX-License-Identifier: Apache-2.0
//
// What float32 and float64 kernels of Way::kFast share. They compute in lanes
// of the type and round each step, so that a result errs by some units in the
// last place, and below four. Without FMA, fast engines take the usual kernels:
// the errors would be larger.

#include "hwy/highway.h"
#include "kernels/exponential/exp-inl.h"
#include "kernels/polynomial-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_FAST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_FAST_INL_H_
#undef LANEWISE_KERNELS_FAST_INL_H_
#else
#define LANEWISE_KERNELS_FAST_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A functor over lanes for the loops.
template <typename TFloat>
struct FastLanes {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
};
using FastFloats = FastLanes<float>;

/// Fast, where the target has FMA.
template <class Fast, class Usual>
using FastOr = hwy::If<HWY_NATIVE_FMA, Fast, Usual>;

/// Fast in the lanes where |x| is below Fast::kEnd. The others, and NaN, go to
/// the functor Usual.
template <class Fast, class Usual>
struct FastBelow {
  using T = typename Usual::T;
  static constexpr size_t kUnroll = 3;
  static constexpr bool kHasShortcut = true;
  static constexpr T kPadding = 0;

  template <class D, class... V>
  HWY_INLINE bool TakesShortcut(D d, V... x) const {
    return hn::AllTrue(d, AreBelow(d, x...));
  }
  template <class D, class V>
  HWY_INLINE V Shortcut(D d, V x) const {
    return Fast()(d, x);
  }
  // Out of line: the loops contain it several times.
  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x) const {
    const auto below = AreBelow(d, x);
    const V y = Usual()(d, hn::IfThenZeroElse(below, x));
    const V near = hn::IfThenElseZero(below, x);
    return hn::IfThenElse(below, Fast()(d, near), y);
  }

 private:
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> AreBelow(D d, V x) {
    return hn::Lt(hn::Abs(x), hn::Set(d, T{Fast::kEnd}));
  }
  template <class D, class V, class... More>
  static HWY_INLINE hn::Mask<D> AreBelow(D d, V x, More... more) {
    return hn::And(AreBelow(d, x), AreBelow(d, more...));
  }
};
template <class Fast, class Usual>
using FastBelowOr = FastOr<FastBelow<Fast, Usual>, Usual>;

/// (e^r - 1 - r) / r^2 for |r| <= 0.347. The coefficients for floats were
/// fitted as those of expm1-inl.h, within 2^-26 of e^r - 1.
template <class D, class V>
HWY_INLINE V FastExpPoly(D d, V r, V r2) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return exp_detail::LongPoly(d, r, r2);
  } else {
    constexpr float kP[] = {0.5f, 0x1.5554bp-3f, 0x1.5554c8p-5f, 0x1.12280cp-7f,
                            0x1.6d723p-10f};
    return Polynomial(d, r, kP);
  }
}

/// e^(z + z_lo) = 2^n (1 + q), where z_lo is far smaller than z, or nothing.
/// `power` is 2^(n + kRaise), which must be a normal number.
template <int kRaise, class D, class V, class... Lo>
HWY_INLINE V ExpInParts(D d, V& power, V z, Lo... z_lo) {
  using C = ExpConstants<hn::TFromD<D>>;
  const V magic = hn::Set(d, C::kMagic + C::kBias + kRaise);
  const V t = hn::MulAdd(z, hn::Set(d, C::kLog2E), magic);
  const V n = hn::Sub(t, magic);
  power = exp_detail::InnerPow2<0, exp_detail::Range::kNormal>(d, t, t);
  const V r_hi = hn::NegMulAdd(n, hn::Set(d, C::kLn2Hi), z);  // exact
  const V ln2_lo = hn::Set(d, C::kLn2Lo);
  if constexpr (sizeof...(Lo) == 0) {
    const V r = hn::NegMulAdd(n, ln2_lo, r_hi);
    const V r2 = hn::Mul(r, r);
    return hn::MulAdd(FastExpPoly(d, r, r2), r2, r);
  } else {
    const V r_lo = hn::NegMulAdd(n, ln2_lo, z_lo...);
    const V r = hn::Add(r_hi, r_lo);
    const V r2 = hn::Mul(r, r);
    const V curve = hn::MulAdd(FastExpPoly(d, r, r2), r2, r_lo);
    return hn::Add(r_hi, curve);
  }
}

/// x * e^u for u <= 0, where e is e^u. Far below 0, where e has lost bits, by
/// two factors e^(u/2).
template <class D, class V>
HWY_INLINE V TimesExp(D d, V x, V u, V e) {
  using T = hn::TFromD<D>;
  constexpr T kFar = sizeof(T) == 4 ? -80 : -700;
  const auto far = hn::Lt(u, hn::Set(d, kFar));
  const V y = hn::Mul(x, e);
  if (HWY_LIKELY(hn::AllFalse(d, far))) return y;
  const V root = Exp(d, hn::Mul(u, hn::Set(d, T{0.5})));
  return hn::IfThenElse(far, hn::Mul(hn::Mul(x, root), root), y);
}

/// x * sigmoid(u + u_lo), where `near` is x, or a finite number in place of
/// infinity. A lost u_lo would change e^u by as many units in the last place as
/// |u| is large.
template <class D, class V>
HWY_INLINE V TimesSigmoid(D d, V x, V near, V u, V u_lo) {
  using T = hn::TFromD<D>;
  constexpr T kZero = sizeof(T) == 4 ? -200 : -1500;
  const V down = hn::Neg(hn::Abs(u));
  const V e = Exp(d, down);
  const V lost = hn::IfThenElseZero(hn::Gt(down, hn::Set(d, kZero)), u_lo);
  const V top = TimesExp(d, hn::MulAdd(near, lost, near), down, e);
  const auto below = hn::Lt(u, hn::Zero(d));
  const V y =
      hn::Div(hn::IfThenElse(below, top, x), hn::Add(hn::Set(d, T{1}), e));
  return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), y);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_FAST_INL_H_
