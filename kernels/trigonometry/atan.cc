// SPDX-License-Identifier: Apache-2.0
//
// Atan: y = atan(x), from -pi/2 to pi/2
//
// Versions 7 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16. NaN -> NaN, +-inf -> +-pi/2; -0.0 stays.
//
// Method: with a = |x|, atan(a) needs no reduction below 1/2. Up to 2 it is
// pi/4 + atan((a - 1) / (a + 1)), where a - 1 is exact; above, pi/2 + atan(-1 /
// a). Coefficients and more: inverse-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/trigonometry/atan.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/operator.h"
#include "kernels/trigonometry/inverse-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_atan {
namespace {

struct ArcTangent {
  static constexpr bool kIsOdd = true;
  static constexpr double kP[] = {
      -0x1.5555555555552p-2, 0x1.99999999990d7p-3,  -0x1.24924924536dep-3,
      0x1.c71c71aaf3aa4p-4,  -0x1.745d138fc70d4p-4, 0x1.3b1360b96bd36p-4,
      -0x1.110c719274ce7p-4, 0x1.e182df11f47a4p-5,  -0x1.ac72dd1eb743cp-5,
      0x1.77fcda9f1ada4p-5,  -0x1.301effb31d4e9p-5, 0x1.83ae2a34251acp-6,
      -0x1.1243afd94072ap-7};
  static constexpr double kPOfFloats[] = {1,
                                          -0x1.5555550f7bfa6p-2,
                                          0x1.999960c0d3eb3p-3,
                                          -0x1.248a6a95892dep-3,
                                          0x1.c6116832adfdfp-4,
                                          -0x1.6abad0ef52f40p-4,
                                          0x1.0868b8c0fcf40p-4,
                                          -0x1.ea435ff72cde0p-6};
  static constexpr double kLongerP[] = {1,
                                        -0x1.55555555100f4p-2,
                                        0x1.9999994167686p-3,
                                        -0x1.249235bf5ac79p-3,
                                        0x1.c7183ddd6129cp-4,
                                        -0x1.741aa40cabffbp-4,
                                        0x1.389116807e4d7p-4,
                                        -0x1.01c5b064af208p-4,
                                        0x1.6c6ab486dd183p-5,
                                        -0x1.3391fc45d4dfbp-6};

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> HasResult(D /*d*/, V x) {
    return hn::Eq(x, x);
  }
  template <class D, class V>
  static HWY_INLINE void Reduce(D d, V x, V& k, V& m, V& h, V& h_lo, V& h2) {
    const V one = hn::Set(d, 1);
    // From 2^60 on, the result is pi/2.
    const V a = hn::Min(x, hn::Set(d, 0x1p60));
    const auto near = hn::Lt(a, hn::Set(d, 0.5));
    const auto far = hn::Gt(a, hn::Set(d, 2));
    const V sum = hn::Add(a, one);
    const V sum_lo = hn::Sub(a, hn::Sub(sum, one));  // exact in the middle
    const V den = hn::IfThenElse(far, a, sum);
    const V num = hn::IfThenElse(far, hn::Set(d, -1), hn::Sub(a, one));
    const V inverse = hn::Div(one, den);
    const V q = hn::Mul(num, inverse);
    const V product = hn::Mul(q, den);
    V missing =
        hn::Sub(hn::Sub(num, product), ProductError(d, q, den, product));
    missing = hn::NegMulAdd(q, hn::IfThenZeroElse(far, sum_lo), missing);
    h = hn::IfThenElse(near, a, q);
    h_lo = hn::IfThenZeroElse(near, hn::Mul(missing, inverse));
    h2 = hn::Mul(h, h);
    k = hn::IfThenElse(far, one, hn::Set(d, 0.5));
    k = hn::IfThenZeroElse(near, k);
    m = one;
  }
};

/// Float lanes for fast engines. Above 1, the result is pi/2 + atan(-1 / a).
struct FastArcTangent : FastFloats {
  static constexpr float kP[] = {
      -0x1.5552dep-2f, 0x1.99127cp-3f, -0x1.1f916ap-3f, 0x1.985136p-4f,
      -0x1.ed3522p-5f, 0x1.95467ap-6f, -0x1.3c15c8p-8f};

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V a = hn::Abs(x);
    const V one = hn::Set(d, 1);
    const auto far = hn::Gt(a, one);
    // Never by 0, which would raise a flag.
    const V inverse = hn::Div(hn::Set(d, -1), hn::Max(a, one));
    const V h = hn::IfThenElse(far, inverse, a);
    const V f = inverse::FastSum(d, kP, h, hn::Mul(h, h));
    const V k = hn::IfThenElseZero(far, hn::Set(d, inverse::kHalfPiOfFloats));
    return hn::CopySignToAbs(hn::Add(k, f), x);
  }
};

TargetKernels Kernels() {
  return {HWY_TARGET,
          inverse::kKernelsOf<ArcTangent, FastArcTangent, kHardAtan>};
}

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_atan
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_atan {
namespace {

constexpr int kVersions[] = {7, 22};
constexpr Form kForms[] = {{7, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Atan",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_atan),
};

}  // namespace lanewise::op_atan
#endif  // HWY_ONCE
