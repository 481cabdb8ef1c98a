// SPDX-License-Identifier: Apache-2.0
//
// Softsign: y = x / (1 + |x|)
//
// Versions 1 (float16, float32, float64), 22 (+ bfloat16).
// float16, bfloat16 and float32: correctly rounded. float64: the error is below
// 0.5 + 2^-40 ULP. NaN gives NaN, -inf and +inf give -1 and 1, -0 stays.

#include <cstddef>
#include <limits>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/division/softsign.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exactly-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_softsign {
namespace {

/// x - quotient * divisor on double lanes, exactly, where `quotient` is within
/// one unit in the last place.
template <class D, class V>
HWY_INLINE V RestOf(D d, V x, V quotient, V divisor) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::NegMulAdd(quotient, divisor, x);
#else
  const V product = hn::Mul(quotient, divisor);
  return hn::Sub(hn::Sub(x, product),
                 ProductError(d, quotient, divisor, product));
#endif
}

/// x / (1 + |x|) for any number, for results of less than half the bits. The
/// quotients of two float32 lie so near to the middle of two floats that
/// only the rest of the division tells the side.
template <class D, class V>
HWY_INLINE V Quotient(D d, V x) {
  const V divisor = hn::Add(hn::Set(d, hn::TFromD<D>{1}), hn::Abs(x));
  const V y = hn::Div(x, divisor);
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return y;
  } else {
    return ToOdd(d, y, RestOf(d, x, y, divisor));
  }
}

/// The same on double lanes, for |x| <= 2^60 and results that are doubles.
/// Nothing but the last sum rounds more than the last bits of a correction.
template <class D, class V>
HWY_INLINE V QuotientOfDoubles(D d, V x) {
  const V one = hn::Set(d, 1.0);
  const V size = hn::Abs(x);
  const V divisor = hn::Add(one, size);
  const V divisor_low = SumError(one, size, divisor);
  const V reciprocal = hn::Div(one, divisor);
  const V y = hn::Mul(x, reciprocal);
  const V rest = RestOf(d, x, y, divisor);
  const V all = hn::Sub(rest, hn::Mul(y, divisor_low));
  return WithSignOf(d, hn::Add(y, hn::Mul(all, reciprocal)), x);
}

template <typename TFloat>
struct SoftsignOf {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (sizeof(T) == 4) {
      constexpr T kMost =
          std::numeric_limits<T>::max();  // gives 1, as infinity
      return ThroughDoubles(d, ClampNumbers(d, x, -kMost, kMost),
                            [](auto dd, auto w)
                                HWY_ATTR { return Quotient(dd, w); });
    } else {
      return QuotientOfDoubles(d, ClampNumbers(d, x, -0x1p60, 0x1p60));
    }
  }
};
/// For 16-bit results, and for fast engines: two roundings.
struct SoftsignInFloats {
  using T = float;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return Quotient(d, ClampNumbers(d, x, -0x1p100f, 0x1p100f));
  }
};

using F16 = InFloat16<SoftsignInFloats>;
using BF16 = In16Bits<BFloat16, SoftsignInFloats>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kUnaryToNearest<F16>},
    {1, LW_FLOAT32, kUnaryToNearest<SoftsignOf<float>>},
    {1, LW_FLOAT64, kUnaryToNearest<SoftsignOf<double>>},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16>},
    {1, LW_FLOAT32, kUnaryToNearest<SoftsignInFloats>, Way::kFast},
    // Exact engines do without float64.
    {1, LW_FLOAT16, kUnaryToNearest<F16>, Way::kExact},
    {1, LW_FLOAT32, kUnaryToNearest<SoftsignOf<float>>, Way::kExact},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16>, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_softsign
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_softsign {
namespace {

constexpr int kVersions[] = {1, 22};
constexpr Form kForms[] = {{1, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Softsign",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kDivision,
    .kernels = LANEWISE_KERNELS(op_softsign),
};

}  // namespace lanewise::op_softsign
#endif  // HWY_ONCE
