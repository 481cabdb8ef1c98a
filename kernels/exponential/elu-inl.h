// SPDX-License-Identifier: Apache-2.0
//
// Elu, Selu and Celu: y = x < 0 ? factor * (e^z - 1) : slope * x, with z = x,
// or x / alpha for Celu. The attributes are rounded to the element type first.
//
// float16 and bfloat16 are computed in float lanes where the attributes have
// their defaults, in which all 65,536 results are tested, and in double lanes
// where they have not.

#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/exact32-inl.h"
#include "kernels/exactly-inl.h"
#include "kernels/exponential/elu_params.h"
#include "kernels/exponential/expm1-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/operator.h"
#include "kernels/to_nearest-inl.h"

// Per-target include guard.
#if defined(LANEWISE_KERNELS_EXPONENTIAL_ELU_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_EXPONENTIAL_ELU_INL_H_
#undef LANEWISE_KERNELS_EXPONENTIAL_ELU_INL_H_
#else
#define LANEWISE_KERNELS_EXPONENTIAL_ELU_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// e^z - 1 is -1 from there on.
template <typename T>
constexpr T kEluMin = sizeof(T) == 4 ? -20 : -40;

/// x < 0 ? factor * (e^x - 1) : gamma * x. For 16-bit results in double lanes:
/// factor * x may be a tie where x is small, and what a double cannot hold
/// decides it.
template <typename TFloat, bool kFor16 = false>
struct EluOf {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  T factor;
  float gamma;
  float factor_lo;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V zero = hn::Zero(d);
    V m;
    V m_lo;
    Expm1(d, m, m_lo, hn::Max(hn::Set(d, kEluMin<T>), hn::Min(x, zero)));
    // A double holds the whole product.
    const T least = factor_lo;
    const T most = sizeof(T) == 8 ? factor + least : factor;
    const V extra = sizeof(T) == 8 ? zero : hn::Mul(m, hn::Set(d, least));
    const V wide = hn::Set(d, most);
    V bent = hn::Mul(wide, m);
    if (std::isfinite(most)) {
      if constexpr (kFor16) {
        const V lost = LostInProduct(d, wide, m, bent);
        bent = AddToOdd(d, bent, hn::MulAdd(wide, m_lo, lost));
      } else {
        bent = Times(d, wide, m, m_lo, extra);
      }
    }
    return hn::IfThenElse(hn::Lt(x, zero), bent, hn::Mul(x, hn::Set(d, gamma)));
  }
};

template <typename T>
using TightElu = EluOf<T>;

/// alpha * (e^(x / alpha) - 1) for x < 0 and a negative alpha, in double lanes.
template <class D, class V>
static HWY_NOINLINE V CeluOfNegative(D d, V x, double alpha) {
  // For a larger z, alpha * e^z is infinite for every float alpha.
  const V end = hn::Set(d, 820);
  const V zero = hn::Zero(d);
  const V divisor = hn::Set(d, alpha);
  V z_lo;
  const V z = Quotient(d, x, zero, divisor, zero, z_lo);
  const V near = hn::Min(z, end);
  z_lo = hn::IfThenElseZero(hn::Eq(near, z), z_lo);
  // In these lanes, 1 is less than an error of e^z, and e^z may be infinite
  // though alpha * e^z is not.
  const auto far = hn::Gt(near, hn::Set(d, 64));
  constexpr int kRaise = -640;
  V m;
  V m_lo;
  Expm1<true>(d, m, m_lo, hn::IfThenZeroElse(far, near),
              hn::IfThenZeroElse(far, z_lo));
  V power;
  V power_lo;
  ExpPair<kRaise>(d, far, power, power_lo, near, z_lo);
  m = hn::IfThenElse(far, power, m);
  m_lo = hn::IfThenElse(far, power_lo, m_lo);
  const V bent = Times(d, divisor, m, m_lo, zero);
  return hn::IfThenElse(far, hn::Mul(bent, hn::Set(d, 0x1p640)), bent);
}

/// x < 0 ? alpha * (e^(x / alpha) - 1) : x
template <typename TFloat>
struct CeluOf {
  using T = TFloat;
  static constexpr size_t kUnroll = 1;
  static constexpr T kPadding = 0;
  T alpha;
  float gamma;      ///< 1
  float factor_lo;  ///< 0

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V zero = hn::Zero(d);
    const V least = hn::Set(d, sizeof(T) == 4 ? 0x1p-26 : 0x1p-55);
    const V divisor = hn::Set(d, alpha);
    const V below = hn::Min(x, zero);
    V z_lo;
    const V z = Quotient(d, below, zero, divisor, zero, z_lo);
    // y is x where z is small, so that nothing is lost where z is subnormal.
    const auto is_bent = hn::And(hn::Lt(x, zero), hn::Gt(hn::Abs(z), least));
    if (alpha < 0) return hn::IfThenElse(is_bent, OfNegative(d, below), x);
    const V near = hn::Max(hn::Set(d, kEluMin<T>), z);
    z_lo = hn::IfThenElseZero(hn::Eq(near, z), z_lo);
    V m;
    V m_lo;
    Expm1(d, m, m_lo, near, z_lo);
    return hn::IfThenElse(is_bent, Times(d, divisor, m, m_lo, zero), x);
  }

 private:
  template <class D, class V>
  HWY_INLINE V OfNegative(D d, V x) const {
    if constexpr (sizeof(T) == 8) {
      return CeluOfNegative(d, x, alpha);
    } else {
      return ThroughDoubles(d, x, [this](auto dd, auto half) HWY_ATTR {
        return CeluOfNegative(dd, half, alpha);
      });
    }
  }
};

/// e^z - 1 for z <= 0.
template <class D, class V>
HWY_INLINE V FastExpm1(D d, V z) {
  using T = hn::TFromD<D>;
  V power;
  const V q = ExpInParts<0>(d, power, hn::Max(hn::Set(d, kEluMin<T>), z));
  return hn::MulAdd(power, q, hn::Sub(power, hn::Set(d, T{1})));
}

template <typename T>
struct FastElu : EluOf<T> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V m = FastExpm1(d, hn::Min(x, hn::Zero(d)));
    const auto below = hn::Lt(x, hn::Zero(d));
    // A double holds the whole product of alpha and gamma.
    const T factor =
        sizeof(T) == 8 ? this->factor + this->factor_lo : this->factor;
    const T gamma = this->gamma;
    return hn::Mul(
        hn::IfThenElse(below, m, x),
        hn::IfThenElse(below, hn::Set(d, factor), hn::Set(d, gamma)));
  }
};
/// A negative alpha, for which an error of x / alpha would count more than
/// once, goes the usual way.
template <typename T>
struct FastCelu : CeluOf<T> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if (this->alpha < 0) return CeluOf<T>::operator()(d, x);
    constexpr T kLeast = sizeof(T) == 4 ? -0x1p-26 : -0x1p-55;
    const V wide = hn::Set(d, this->alpha);
    const V z = hn::Div(hn::Min(x, hn::Zero(d)), wide);
    const V bent = hn::Mul(wide, FastExpm1(d, z));
    return hn::IfThenElse(hn::Lt(z, hn::Set(d, kLeast)), bent, x);
  }
};

template <class Fn, EluParams::Type kType>
HWY_INLINE lw_status ComputeElu(const Job& job) {
  const auto* params = static_cast<const EluParams*>(job.setup->params);
  const float lo = kType == EluParams::kFloat ? params->factor_lo : 0;
  return UnaryBy(Fn{params->factor[kType], params->gamma[kType], lo}, job);
}
template <class Fn, class ByDoubles, EluParams::Type kType>
HWY_INLINE lw_status ComputeElu16(const Job& job) {
  const auto* params = static_cast<const EluParams*>(job.setup->params);
  return RunJob(params->usual ? Kernel<ComputeElu<Fn, kType>>
                              : Kernel<ComputeElu<ByDoubles, kType>>,
                job);
}

template <class Fn>
using InBits = In16Bits<BFloat16, Fn>;

/// Elu or Selu with default attributes, for ExactFloats: Usual has kAlpha and
/// kGamma.
template <class Usual>
struct CarefulElu {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    constexpr double kFactor = double{Usual::kAlpha} * Usual::kGamma;  // exact
    return EluOf<double>{kFactor, Usual::kGamma, 0}(d, x);
  }
};
template <class Usual>
struct EluOfHeldFloats {
  static constexpr double kError = 0x1p-46;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V zero = hn::Zero(d);
    const V least = hn::Set(d, kEluMin<double>);
    const V m = QuickExpm1(d, hn::Max(least, hn::Min(x, zero)));
    const V factor = hn::Set(d, double{Usual::kAlpha} * Usual::kGamma);
    return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(m, factor),
                          hn::Mul(x, hn::Set(d, double{Usual::kGamma})));
  }
};
template <const auto& kHard, class Usual>
using ExactEluOf =
    ExactFloats<kHard, CarefulElu<Usual>, EluOfHeldFloats<Usual>>;

/// The defaults of Elu and Celu, which are the same function then.
struct UsualElu {
  static constexpr float kAlpha = 1, kGamma = 1;
};
using ExactElu = ExactEluOf<kHardElu, UsualElu>;

template <class Floats, class DoublesFor16>
constexpr auto& kEluOfF16 = kOnlySame<ToNearest<
    Kernel<ComputeElu16<InFloat16<Floats>, InFloat16<ByDoubles<DoublesFor16>>,
                        EluParams::kFloat16>>>>;
template <class Floats, class DoublesFor16>
constexpr auto& kEluOfBF16 = kOnlySame<ToNearest<Kernel<ComputeElu16<
    InBits<Floats>, InBits<ByDoubles<DoublesFor16>>, EluParams::kBFloat16>>>>;

template <class Fn>
constexpr auto& kEluOfWide =
    kOnlySame<ToNearest<Kernel<ComputeElu<Fn, EluParams::kFloat>>>>;

/// DoublesFor16: where attributes have not their defaults. Exact: float32,
/// where they have.
template <template <typename> class Usual, template <typename> class Fast,
          class DoublesFor16, class Exact, int kFloat, int kOthers, int kBFloat>
constexpr KernelEntry kEluKernels[] = {
    {kOthers, LW_FLOAT16, kEluOfF16<Usual<float>, DoublesFor16>},
    {kFloat, LW_FLOAT32, kEluOfWide<Usual<float>>},
    {kFloat, LW_FLOAT32, kEluOfWide<FastOr<Fast<float>, Usual<float>>>,
     Way::kFast},
    {kOthers, LW_FLOAT64, kEluOfWide<Usual<double>>},
    {kOthers, LW_FLOAT64, kEluOfWide<FastOr<Fast<double>, Usual<double>>>,
     Way::kFast},
    {kBFloat, LW_BFLOAT16, kEluOfBF16<Usual<float>, DoublesFor16>},
    {kOthers, LW_FLOAT16, kEluOfF16<Usual<float>, DoublesFor16>, Way::kExact},
    {kFloat, LW_FLOAT32, kOnlySame<Unary<Exact>>, Way::kExact},
    {kBFloat, LW_BFLOAT16, kEluOfBF16<Usual<float>, DoublesFor16>, Way::kExact},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#endif  // LANEWISE_KERNELS_EXPONENTIAL_ELU_INL_H_
