// SPDX-License-Identifier: Apache-2.0
//
// Log: y = log(x), the natural logarithm
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// Below 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16. NaN -> NaN, below 0 -> NaN, +-0 -> -inf, +inf -> +inf; subnormal
// arguments count as what they are. How: log-inl.h.

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/log.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exact32-inl.h"
#include "kernels/exponential/log-inl.h"
#include "kernels/fast-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_log {
namespace {

template <typename TFloat>
struct Logarithm {
  using T = TFloat;
  static constexpr size_t kUnroll = 3;
  static constexpr T kPadding = 0;

  // Out of line: the loops contain it several times.
  template <class D, class V>
  HWY_NOINLINE V operator()(D d, V x) const {
    return Log(d, x);
  }
};
template <typename TFloat>
struct LogOf : Logarithm<TFloat> {
  static constexpr bool kHasShortcut = true;

  template <class D, class... V>
  HWY_INLINE bool TakesShortcut(D d, V... x) const {
    return hn::AllTrue(d, ArePositiveNormal(d, x...));
  }
  template <class D, class V>
  HWY_INLINE V Shortcut(D d, V x) const {
    return LogOfNormal(d, x);
  }
};
struct LogOfF16 : Logarithm<float> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const bool is_usual = hn::AllTrue(d, ArePositiveNormal(d, x));
    const V y = HWY_LIKELY(is_usual) ? LogOfNormal(d, x)
                                     : Logarithm<float>::operator()(d, x);
    // This logarithm is so close to a tie of float16 that Log returns the tie.
    const auto hard = hn::Eq(x, hn::Set(d, 0x1.5ep-8f));
    return hn::MaskedAddOr(y, hard, y, hn::Set(d, 0x1p-21f));
  }
};
struct NormalLogOfBF16 : Logarithm<float> {
  // What is no positive normal number.
  template <class DI, class VI>
  static HWY_INLINE hn::Mask<DI> Refuses(DI di, VI bits) {
    return hn::Or(hn::Lt(bits, hn::Set(di, int16_t{0x0080})),
                  hn::Gt(bits, hn::Set(di, int16_t{0x7F7F})));
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return LogOfNormal(d, x);
  }
};

/// k ln2 + f + f^2 P(f) with k and f of log-inl.h, as one sum of floats. P was
/// fitted as there, within 2^-22.4 of the result.
struct FastLog : Logarithm<float> {
  static constexpr T kPadding = 1;
  static constexpr bool kHasShortcut = true;
  static constexpr float kP[] = {
      -0x1.00006cp-1f, 0x1.5558f4p-2f, -0x1.ff6972p-3f, 0x1.97b192p-3f,
      -0x1.61217ep-3f, 0x1.4b5ed4p-3f, -0x1.9d0468p-4f};

  template <class D, class... V>
  HWY_INLINE bool TakesShortcut(D d, V... x) const {
    return hn::AllTrue(d, ArePositiveNormal(d, x...));
  }
  template <class D, class V>
  HWY_INLINE V Shortcut(D d, V x) const {
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(di, x);
    const auto least = hn::Set(di, log_detail::LeastBits<float>());
    // 2^23 k
    const auto k = hn::And(hn::Sub(bits, least), hn::Set(di, ~0x7FFFFF));
    const V f = hn::Sub(hn::BitCast(d, hn::Sub(bits, k)), hn::Set(d, 1));
    const V near = hn::MulAdd(Polynomial(d, f, kP), hn::Mul(f, f), f);
    return hn::MulAdd(hn::ConvertTo(d, k), hn::Set(d, 0x1.62e43p-24f), near);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V other = Logarithm<float>::operator()(d, x);
    const auto is_normal = ArePositiveNormal(d, x);
    // 1 raises no flag.
    const V near = hn::IfThenElse(is_normal, x, hn::Set(d, 1));
    return hn::IfThenElse(is_normal, Shortcut(d, near), other);
  }
};

/// k ln2 + 2 atanh(s) with s = f / (2 + f), and k and f of log-inl.h, for
/// ExactFloats. The coefficients, of (atanh(s) - s) / s^3 in s^2, were fitted
/// as those of area-inl.h: within 2^-44.9 of the result.
struct LogOfHeldFloats {
  static constexpr double kError = 0x1p-42;
  static constexpr double kAtanh[] = {
      0x1.5555555620009p-2, 0x1.999996a3b08b3p-3, 0x1.249414a2302fcp-3,
      0x1.c62a150d3a6fbp-4, 0x1.91257b951d57bp-4};

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Knows(D d, V x) {
    return ArePositiveNormal(d, x);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    V k;
    V f;
    log_detail::Split(d, x, k, f);
    const V s = hn::Div(f, hn::Add(f, hn::Set(d, 2)));
    const V s2 = hn::Mul(s, s);
    const V half = hn::MulAdd(hn::Mul(s, s2), Polynomial(d, s2, kAtanh), s);
    return hn::MulAdd(k, hn::Set(d, 0x1.62e42fefa39efp-1), hn::Add(half, half));
  }
};
using ExactLog = ExactFloats<kHardLog, Logarithm<double>, LogOfHeldFloats>;
using F16 = InFloat16<LogOfF16>;
using BF16 = InBFloat16<NormalLogOfBF16, Logarithm<float>>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kUnaryToNearest<F16, LANEWISE_QUIET>},
    {1, LW_FLOAT32, kUnaryToNearest<LogOf<float>, LANEWISE_QUIET>},
    {1, LW_FLOAT32, kUnaryToNearest<FastOr<FastLog, LogOf<float>>>, Way::kFast},
    {1, LW_FLOAT64, kUnaryToNearest<LogOf<double>, LANEWISE_QUIET>},
    {13, LW_BFLOAT16, kUnaryToNearest<BF16, LANEWISE_QUIET>},
    {1, LW_FLOAT16, kOnlySame<Unary<F16>>, Way::kExact},
    {1, LW_FLOAT32, kOnlySame<Unary<ExactLog>>, Way::kExact},
    {13, LW_BFLOAT16, kOnlySame<Unary<BF16>>, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_log
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_log {
namespace {

constexpr int kVersions[] = {1, 6, 13};
constexpr Form kForms[] = {
    {1, kInputLowercase, ShapeRule::kSame, kOnlyConsumedInputs},
    {6, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Log",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_log),
};

}  // namespace lanewise::op_log
#endif  // HWY_ONCE
