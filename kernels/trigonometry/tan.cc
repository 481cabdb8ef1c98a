// SPDX-License-Identifier: Apache-2.0
//
// Tan: y = tan(x)
//
// Versions 7 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64 for arguments of any size, correctly
// rounded in float16 and bfloat16. NaN -> NaN, +-inf -> NaN; -0.0 stays.
//
// Method: double lanes are the quotient of sine and cosine, as sums of two
// lanes, rounded once. Float lanes are computed as doubles, where tan(r) =
// r P(r^2) / Q(r^2) for |r| <= pi/4. In odd quarters the quotient is turned
// over. Fast engines compute float lanes as r / Q(r^2). More:
// trigonometry-inl.h.
//
// Coefficients: by Lawson's iteration in 200 bits, for the least error relative
// to the tangent, which is 2^-35.2. Each coefficient was rounded, from the
// lowest ones on, before the next ones were fitted again.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/trigonometry/tan.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/expm1-inl.h"
#include "kernels/operator.h"
#include "kernels/trigonometry/trigonometry-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_tan {
namespace {

/// a + b = sum + b for |a| >= |b|.
template <class V>
HWY_INLINE void Normalize(V& a, V& b) {
  const V sum = hn::Add(a, b);
  b = hn::Sub(b, hn::Sub(sum, a));
  a = sum;
}

struct Tangent {
  template <class D, class V, class VU>
  static HWY_INLINE V Finish(D d, V x, V hi, V lo, VU n) {
    V sin;
    V sin_lo;
    V cos;
    V cos_lo;
    trigonometry::SinCos<true>(d, hi, lo, sin, sin_lo, cos, cos_lo);
    Normalize(sin, sin_lo);
    Normalize(cos, cos_lo);
    const V odd = trigonometry::OddToSign(d, n);
    V rest;
    const V q = Quotient(d, hn::IfNegativeThenElse(odd, cos, sin),
                         hn::IfNegativeThenElse(odd, cos_lo, sin_lo),
                         hn::IfNegativeThenElse(odd, sin, cos),
                         hn::IfNegativeThenElse(odd, sin_lo, cos_lo), rest);
    const V sign = hn::And(hn::SignBit(d), hn::Xor(odd, x));
    const V y = hn::Xor(hn::Add(q, rest), sign);
    // `rest` is subnormal where x is small, and FTZ makes a subnormal number 0.
    const auto is_small = hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-28));
    return hn::IfThenElse(is_small, x, y);
  }
  template <trigonometry::Held kHeld, class D, class V>
  static HWY_INLINE V NearLanes(D d, V x) {
    using T = hn::TFromD<D>;
    const V magic = hn::Set(d, trigonometry::kMagic<T>);
    const V t = hn::MulAdd(x, hn::Set(d, T{trigonometry::kTwoOverPi}), magic);
    const V r = trigonometry::RestOf<kHeld>(d, x, hn::Sub(t, magic));
    V p;
    V q;
    Parts<kHeld>(d, r, p, q);
    const V odd =
        trigonometry::OddToSign(d, hn::BitCast(hn::RebindToUnsigned<D>(), t));
    const V y = hn::Div(hn::IfNegativeThenElse(odd, q, p),
                        hn::IfNegativeThenElse(odd, p, q));
    return hn::Xor(y, odd);
  }

 private:
  static constexpr double kP[] = {1, -0x1.c81c65022340dp-4,
                                  0x1.19bb6204a9691p-10};
  static constexpr double kQ[] = {1, -0x1.c75c6e8168833p-2,
                                  0x1.05aabd9f3a6c6p-6};
  // Pade's approximants, for exact engines: within 2^-42.2.
  static constexpr double kLongerP[] = {1, -17325 / 135135.0, 378 / 135135.0,
                                        -1 / 135135.0};
  static constexpr double kLongerQ[] = {1, -62370 / 135135.0, 3150 / 135135.0,
                                        -28 / 135135.0};
  static constexpr float kShortQ[] = {1, -0x1.555536p-2f, -0x1.6c30dcp-6f,
                                      -0x1.1204cap-9f, -0x1.09877p-12f};

  /// tan(r) = p / q. Float lanes take r for p, which loses nothing, and those
  /// that hold doubles the sine, and the cosine for q.
  template <trigonometry::Held kHeld, class D, class V>
  static HWY_INLINE void Parts(D d, V r, V& p, V& q) {
    using trigonometry::Held;
    const V r2 = hn::Mul(r, r);
    if constexpr (kHeld == Held::kDoubles) {
      using trigonometry::kCos, trigonometry::kSin;
      const V one = hn::Set(d, 1);
      // A product, so that -0.0 stays.
      p = hn::Mul(r, hn::MulAdd(r2, Polynomial(d, r2, kSin), one));
      const V bend = hn::MulAdd(r2, Polynomial(d, r2, kCos), hn::Set(d, -0.5));
      q = hn::MulAdd(r2, bend, one);
    } else if constexpr (kHeld == Held::kFloatsCarefully) {
      p = hn::Mul(r, Polynomial(d, r2, kLongerP));
      q = Polynomial(d, r2, kLongerQ);
    } else if constexpr (sizeof(hn::TFromD<D>) == 4) {
      p = r;
      q = Polynomial(d, r2, kShortQ);
    } else {
      p = hn::Mul(r, Polynomial(d, r2, kP));
      q = Polynomial(d, r2, kQ);
    }
  }
};

TargetKernels Kernels() {
  return {HWY_TARGET, trigonometry::kKernelsOf<Tangent, kHardTan>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_tan
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_tan {
namespace {

constexpr int kVersions[] = {7, 22};
constexpr Form kForms[] = {{7, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Tan",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_tan),
};

}  // namespace lanewise::op_tan
#endif  // HWY_ONCE
