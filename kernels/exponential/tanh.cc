// SPDX-License-Identifier: Apache-2.0
//
// Tanh: y = tanh(x), as -m / (2 + m) with m = e^(-2|x|) - 1
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16, on exact engines float32, too. NaN -> NaN, +-inf -> +-1; -0.0 and
// subnormal numbers are kept. How: expm1-inl.h; 16 bits: a rational function.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/tanh.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exact32-inl.h"
#include "kernels/exponential/expm1-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/operator.h"
#include "kernels/polynomial-inl.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_tanh {
namespace {

/// kIsFast: for fast engines, without what m and the quotient lose.
template <typename TFloat, bool kIsFast = false>
struct TanhOf {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  // Below kLeast the result is x, from kMost on it is 1.
  static constexpr T kLeast = sizeof(T) == 4 ? 0x1p-13 : 0x1p-28;
  static constexpr T kMost = sizeof(T) == 4 ? 10 : 20;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V size = hn::Abs(x);
    // A NaN is not above. 0 raises no flag, whereas kLeast would.
    const auto above = hn::Gt(size, hn::Set(d, kLeast));
    const V near = hn::Min(hn::IfThenElseZero(above, size), hn::Set(d, kMost));
    const V y = OfMagnitude(d, near);
    // The sign comes last, as in hyperbolic-inl.h.
    return hn::CopySign(hn::IfThenElse(above, y, size), x);
  }

  template <class D, class V>
  static HWY_INLINE V OfMagnitude(D d, V x) {
    const V two = hn::Set(d, 2);
    const V z = hn::Mul(x, hn::Neg(two));
    if constexpr (kIsFast) {
      const V m = QuickExpm1(d, z);
      return hn::Div(m, hn::Add(m, two));
    } else {
      V m;
      V m_lo;
      Expm1(d, m, m_lo, z);
      const V den = hn::Add(m, two);
      const V den_lo = hn::Add(hn::Sub(m, hn::Sub(den, two)), m_lo);
      V rest;
      const V q = Quotient(d, m, m_lo, den, den_lo, rest);
      return hn::Add(q, rest);
    }
  }
};

/// For results that are rounded to 16 bits: x P(x^2) / Q(x^2), fitted to tanh
/// on [0, 4.7] by linear programs, within 2^-24 of the result before rounding.
/// From there on, 16 bits round to 1. The suite computes all values of both
/// types.
struct TanhFor16Bits : TanhOf<float> {
  static constexpr float kP[] = {1, 0x1.019b7cp-3f, 0x1.4cda12p-9f,
                                 0x1.68c3b2p-18f};
  static constexpr float kQ[] = {1, 0x1.d622fep-2f, 0x1.6c7a7ap-6f,
                                 0x1.6a5d3ep-13f};

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V size = hn::Abs(x);
    // As in TanhOf.
    const auto above = hn::Gt(size, hn::Set(d, kLeast));
    const V near = hn::Min(hn::IfThenElseZero(above, size), hn::Set(d, 4.7f));
    const V t = hn::Mul(near, near);
    const V q =
        hn::Div(hn::Mul(near, Polynomial(d, t, kP)), Polynomial(d, t, kQ));
    return hn::CopySign(hn::IfThenElse(above, q, size), x);
  }
};
/// For ExactFloats.
struct TanhOfHeldFloats {
  static constexpr double kError = 0x1p-46;

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D /*d*/, V x) {
    return hn::Eq(x, x);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    using Fast = TanhOf<double, true>;
    const V size = hn::Min(hn::Abs(x), hn::Set(d, Fast::kMost));
    return hn::CopySign(Fast::OfMagnitude(d, size), x);
  }
};
using ExactTanh = ExactFloats<kHardTanh, TanhOf<double>, TanhOfHeldFloats>;
using F16 = InFloat16<TanhFor16Bits>;
using BF16 = In16Bits<BFloat16, TanhFor16Bits>;

/// 2 h / (1 + h^2) with h = tanh(x / 2) = p / q, which takes one division, and
/// in which the errors of h vanish where tanh is near 1. Below kSmall, where
/// these errors count, an odd polynomial. Both were fitted by linear programs,
/// within 2^-25 of the result.
struct FastTanh : FastFloats {
  static constexpr float kSmall = 0.55f, kMost = 9.02f;
  static constexpr float kP[] = {1, 0x1.01efbcp-3f, 0x1.4f01aep-9f,
                                 0x1.7018dcp-18f};
  static constexpr float kQ[] = {1, 0x1.d64d22p-2f, 0x1.6d9facp-6f,
                                 0x1.6eb23p-13f};
  static constexpr float kOdd[] = {-0x1.555554p-2f, 0x1.110feap-3f,
                                   -0x1.b9a058p-5f, 0x1.5d22f8p-6f,
                                   -0x1.b13ba4p-8f};

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V size = hn::Abs(x);
    const V half = hn::Mul(hn::Min(size, hn::Set(d, kMost)), hn::Set(d, 0.5f));
    const V t = hn::Mul(half, half);
    const V p = hn::Mul(half, Polynomial(d, t, kP));
    const V q = Polynomial(d, t, kQ);
    const V large =
        hn::Div(hn::Mul(hn::Add(p, p), q), hn::MulAdd(q, q, hn::Mul(p, p)));
    const V square = hn::Mul(size, size);
    const V small =
        hn::MulAdd(hn::Mul(size, square), Polynomial(d, square, kOdd), size);
    const auto is_small = hn::Lt(size, hn::Set(d, kSmall));
    const V y = hn::CopySign(hn::IfThenElse(is_small, small, large), x);
    return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), y);
  }
};

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kUnaryToNearest<F16>},
    {1, LW_FLOAT32, kUnaryToNearest<TanhOf<float>>},
    {1, LW_FLOAT64, kUnaryToNearest<TanhOf<double>>},
    {13, LW_BFLOAT16, kUnaryToNearest<BF16>},
    {1, LW_FLOAT32, kUnaryToNearest<FastOr<FastTanh, TanhOf<float>>>,
     Way::kFast},
    {1, LW_FLOAT64,
     kUnaryToNearest<FastOr<TanhOf<double, true>, TanhOf<double>>>, Way::kFast},
    {1, LW_FLOAT16, kUnaryToNearest<F16>, Way::kExact},
    {1, LW_FLOAT32, kOnlySame<Unary<ExactTanh>>, Way::kExact},
    {13, LW_BFLOAT16, kUnaryToNearest<BF16>, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_tanh
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_tanh {
namespace {

constexpr int kVersions[] = {1, 6, 13};
constexpr Form kForms[] = {
    {1, kInputLowercase, ShapeRule::kSame, kOnlyConsumedInputs},
    {6, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Tanh",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_tanh),
};

}  // namespace lanewise::op_tanh
#endif  // HWY_ONCE
