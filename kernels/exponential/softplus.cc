// SPDX-License-Identifier: Apache-2.0
//
// Softplus: y = log(1 + e^x)
//
// Versions 1 (float16, float32, float64), 22 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16. NaN -> NaN, +inf -> +inf, -inf -> +0; subnormal results are kept.
//
// Method: max(x, 0) + log(1 + e^-|x|), where e^-|x| and its logarithm are sums
// of two lanes, and all is rounded once. Far below 0, y is e^x, and far above,
// x. The test computes all floats, and all 16-bit floats on every target.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/softplus.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exact32-inl.h"
#include "kernels/exactly-inl.h"
#include "kernels/exponential/exp-inl.h"
#include "kernels/exponential/log-inl.h"
#include "kernels/exponential/two_words-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/polynomial-inl.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_softplus {
namespace {

/// kNarrow: for results that are rounded to 16 bits.
template <typename TFloat, bool kNarrow = false>
struct Softplus {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  // e^-kFar is below 2^-29 (double: 2^-58), and vanishes beside kFar.
  static constexpr T kFar = sizeof(T) == 8 ? 41 : 21;

  // Out of line: the loops contain it several times.
  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x) const {
    const V far = hn::Set(d, kFar);
    // Nothing underflows where x is not far below 0.
    const V least = hn::IfNegativeThenElse(x, hn::Set(d, ExpConstants<T>::kMin),
                                           hn::Neg(far));
    const V below = hn::Max(hn::Neg(hn::Abs(x)), least);
    V e_hi;
    V e_lo;
    V e_t;
    two_words::ExpInTwoWords(d, below, e_hi, e_lo, e_t);
    const V scale = two_words::Pow2AtLeast64(d, e_t);
    V log;
    V log_lo;
    Log1pPair(d, hn::Mul(e_hi, scale), hn::Mul(e_lo, scale), log, log_lo);
    const V above = hn::Min(hn::Max(x, hn::Zero(d)), far);  // not infinite
    V rest;
    const V sum = two_words::Sum(above, log, rest);
    const V y = two_words::Round<kNarrow>(d, sum, quiet::Add(rest, log_lo));

    const V power = two_words::TimesPow2(d, e_hi, e_t);
    const V numbers = hn::IfThenElse(
        hn::Gt(x, far), x, hn::IfThenElse(hn::Lt(x, hn::Neg(far)), power, y));
    return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), numbers);
  }
};
/// Two words of floats are too short without FMA.
struct SoftplusThroughDoubles : Softplus<float> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ThroughDoubles(d, x, Softplus<double>());
  }
};
using SoftplusOfFloats =
    hwy::If<HWY_NATIVE_FMA, Softplus<float>, SoftplusThroughDoubles>;

/// max(x, 0) + log(1 + e) for e = e^-|x|. The logarithm is 2 atanh(s), and the
/// coefficients, of (atanh(s) - s) / s^3 in s^2 up to s = 1/3, were fitted as
/// those of area-inl.h: within 2^-54 of the result.
struct SoftplusByAtanh : FastLanes<double> {
  static constexpr double kAtanh[] = {
      0x1.5555555555937p-2, 0x1.99999998ebcf8p-3, 0x1.249249782f7e3p-3,
      0x1.c71c4a6b56cf0p-4, 0x1.74625033ac405p-4, 0x1.3aa923cadca4ap-4,
      0x1.163f97d633d42p-4, 0x1.959cb67454b39p-5, 0x1.6b5181ba197eep-4};

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V y = FromExp(d, x, Exp(d, hn::Neg(hn::Abs(x))));
    return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), y);
  }

  template <class D, class V>
  static HWY_INLINE V FromExp(D d, V x, V e) {
    const V s = hn::Div(e, hn::Add(e, hn::Set(d, 2)));
    const V s2 = hn::Mul(s, s);
    const V half = hn::MulAdd(hn::Mul(s, s2), Polynomial(d, s2, kAtanh), s);
    return hn::MulAdd(half, hn::Set(d, 2), hn::Max(x, hn::Zero(d)));
  }
};
/// For ExactFloats.
struct SoftplusOfHeldFloats {
  static constexpr double kError = 0x1p-48;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D /*d*/, V x) {
    return hn::Eq(x, x);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    // From -104 on, results are 0.
    const V below = hn::Max(hn::Neg(hn::Abs(x)), hn::Set(d, -104));
    return SoftplusByAtanh::FromExp(d, x, ExpToNormal(d, below));
  }
};
using ExactSoftplus =
    ExactFloats<kHardSoftplus, Softplus<double>, SoftplusOfHeldFloats>;
using F16 = InFloat16<Softplus<float, true>>;
using BF16 = In16Bits<BFloat16, Softplus<float, true>>;

/// max(x, 0) + log(1 + e), e = e^-|x|; the logarithm is e P(e) / Q(e), within
/// 2^-29.
struct FastSoftplus : FastFloats {
  static constexpr float kP[] = {1, 0x1.10f38cp+0f, 0x1.e7be7ap-3f,
                                 0x1.bfe7cp-9f};
  static constexpr float kQ[] = {1, 0x1.90f38ap+0f, 0x1.6038ep-1f,
                                 0x1.345ffp-4f};

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V e = Exp(d, hn::Neg(hn::Abs(x)));
    const V log =
        hn::Mul(e, hn::Div(Polynomial(d, e, kP), Polynomial(d, e, kQ)));
    return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x),
                          hn::Add(hn::Max(x, hn::Zero(d)), log));
  }
};

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kUnaryToNearest<F16, LANEWISE_QUIET>},
    {1, LW_FLOAT32, kUnaryToNearest<SoftplusOfFloats, LANEWISE_QUIET>},
    {1, LW_FLOAT32, kUnaryToNearest<FastOr<FastSoftplus, SoftplusOfFloats>>,
     Way::kFast},
    {1, LW_FLOAT64, kUnaryToNearest<FastOr<SoftplusByAtanh, Softplus<double>>>,
     Way::kFast},
    {1, LW_FLOAT64, kUnaryToNearest<Softplus<double>, LANEWISE_QUIET>},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16, LANEWISE_QUIET>},
    {1, LW_FLOAT16, kOnlySame<Unary<F16>>, Way::kExact},
    {1, LW_FLOAT32, kOnlySame<Unary<ExactSoftplus>>, Way::kExact},
    {22, LW_BFLOAT16, kOnlySame<Unary<BF16>>, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_softplus
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_softplus {
namespace {

constexpr int kVersions[] = {1, 22};
constexpr Form kForms[] = {{1, kInputX, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Softplus",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_softplus),
};

}  // namespace lanewise::op_softplus
#endif  // HWY_ONCE
