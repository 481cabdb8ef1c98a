// SPDX-License-Identifier: Apache-2.0
//
// HardSwish: y = x * max(0, min(1, x / 6 + 1 / 2))
//
// Versions 14 (float16, float32, float64), 22 (+ bfloat16).
// That is x * (x + 3) / 6 between -3 and 3, x above, and -0 below. float16,
// bfloat16 and float32: correctly rounded. float64: the error is below
// 0.5 + 2^-40 ULP. NaN gives NaN, -inf gives -0, and -0 stays.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/piecewise/hard_swish.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exactly-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_hard_swish {
namespace {

// As constants: as expressions, clang would compute them for each vector.
template <typename T>
constexpr T kThree = 3;
template <typename T>
constexpr T kSixth = T{1} / 6;

/// x limited to [-3, 3].
template <class D, class V, typename T = hn::TFromD<D>>
HWY_INLINE V Near(D d, V x) {
  return ClampNumbers(d, x, -kThree<T>, kThree<T>);
}

/// x * (x + 3) / 6 for -3 <= x <= 3, in a format that has more than twice the
/// bits of the result. The product rounds to the exact quotient wherever the
/// lanes can hold that: 1 / 6 is that near. Where x is tiny, the exact result
/// lies above x / 2 by less than a lane can hold, and x / 2 may be halfway
/// between two subnormal results. Therefore `nudge` is added: a number that is
/// too small to change any other result.
template <class D, class V>
HWY_INLINE V Parabola(D d, V x, hn::TFromD<D> nudge) {
  using T = hn::TFromD<D>;
  const V product = hn::Mul(x, hn::Add(x, hn::Set(d, kThree<T>)));
  // A result that is 0 stays 0 and raises no flag.
  const V up = hn::Min(hn::Abs(product), hn::Set(d, nudge));
  return hn::MulAdd(product, hn::Set(d, kSixth<T>), up);
}

/// The same on double lanes, for results that are doubles. Nothing but the last
/// sum rounds more than the last bits of the low words. Where x is tiny, the
/// result is x / 2, rounded upward where that is halfway between two doubles.
template <class D, class V>
HWY_INLINE V ParabolaOfDoubles(D d, V x) {
  const V three = hn::Set(d, 3.0);
  const V sixth = hn::Set(d, kSixth<double>);
  const V sum = hn::Add(three, x);
  const V sum_low = hn::Sub(x, hn::Sub(sum, three));  // exact, as |x| <= 3
  const V product = hn::Mul(x, sum);
  const V product_low =
      hn::Add(ProductError(d, x, sum, product), hn::Mul(x, sum_low));
  const V y = hn::Mul(product, sixth);
  // product - 6 * y, exactly
  const V twice = hn::Add(y, y);
  const V rest = hn::Sub(hn::Sub(product, hn::Add(twice, twice)), twice);
  const V near = hn::Add(y, hn::Mul(hn::Add(rest, product_low), sixth));
  const V half = hn::Mul(x, hn::Set(d, 0.5));
  return hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-60)),
                        hn::Max(half, hn::Sub(x, half)), near);
}

template <typename TFloat>
struct HardSwishOf {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    KeepInRegister(x);
    const V near = Near(d, x);
    V y;
    if constexpr (sizeof(T) == 4) {
      y = ThroughDoubles(d, near, [](auto dd, auto w) HWY_ATTR {
        return Parabola(dd, w, 0x1p-178);
      });
    } else {
      y = ParabolaOfDoubles(d, near);
    }
    y = WithSignOf(d, y, x);
    return hn::IfThenElse(hn::Gt(x, hn::Set(d, kThree<T>)), x, y);
  }
};

/// For 16-bit floats.
template <class Nudge>
struct HardSwishFor16 {
  using T = float;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V y = Parabola(d, Near(d, x), Nudge::kValue);
    return hn::IfThenElse(hn::Gt(x, hn::Set(d, 3.0f)), x, WithSignOf(d, y, x));
  }
};
/// For fast engines: three roundings. Near -3, where x + 3 is small, that sum
/// is exact.
struct FastHardSwish {
  using T = float;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V three = hn::Set(d, 3.0f);
    const V near = Near(d, x);
    const V y =
        hn::Mul(hn::Mul(near, hn::Add(near, three)), hn::Set(d, kSixth<float>));
    return hn::IfThenElse(hn::Gt(x, three), x, y);
  }
};
// Half of a subnormal float16 is below 2^-15, half of a subnormal bfloat16 has
// 15 bits behind its last one.
struct NudgeF16 {
  static constexpr float kValue = 0x1p-38f;
};
struct NudgeBF16 {
  static constexpr float kValue = 0x1p-149f;
};

using F16 = InFloat16<HardSwishFor16<NudgeF16>>;
using BF16 = In16Bits<BFloat16, HardSwishFor16<NudgeBF16>>;

constexpr KernelEntry kKernels[] = {
    {14, LW_FLOAT16, kUnaryToNearest<F16>},
    {14, LW_FLOAT32, kUnaryToNearest<HardSwishOf<float>>},
    {14, LW_FLOAT64, kUnaryToNearest<HardSwishOf<double>>},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16>},
    {14, LW_FLOAT32, kUnaryToNearest<FastHardSwish>, Way::kFast},
    // Exact engines do without float64.
    {14, LW_FLOAT16, kUnaryToNearest<F16>, Way::kExact},
    {14, LW_FLOAT32, kUnaryToNearest<HardSwishOf<float>>, Way::kExact},
    {22, LW_BFLOAT16, kUnaryToNearest<BF16>, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_hard_swish
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_hard_swish {
namespace {

constexpr int kVersions[] = {14, 22};
constexpr Form kForms[] = {{14, kInputX, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "HardSwish",
    .versions = kVersions,
    .forms = kForms,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kMemory,
    .kernels = LANEWISE_KERNELS(op_hard_swish),
};

}  // namespace lanewise::op_hard_swish
#endif  // HWY_ONCE
