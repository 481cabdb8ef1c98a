// SPDX-License-Identifier: Apache-2.0
//
// Exp: y = e^x
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// At most 1 ULP in float32 and float64, correctly rounded in float16 and
// bfloat16, and in all types on exact engines. NaN -> NaN, +inf -> +inf,
// -inf -> +0, +-0 -> 1; subnormal results are kept. How: exp-inl.h,
// exp_exact-inl.h.

#define LANEWISE_GAINS_FROM HWY_AVX3_SPR  // rounds to bfloat16
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential/exp.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/exponential/exp-inl.h"
#include "kernels/exponential/exp_exact-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"
#include "kernels/to_nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_exp {
namespace {

template <typename TFloat>
struct Exponential {
  using T = TFloat;
  static constexpr size_t kUnroll = 3;
  static constexpr T kPadding = 0;  // exp(0) = 1 is exact
};
template <typename TFloat>
struct ExpOf : Exponential<TFloat> {
  static constexpr bool kHasShortcut = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return Exp(d, x);
  }
  template <class D, class... V>
  HWY_INLINE bool TakesShortcut(D d, V... x) const {
    return IsExpNormal(d, x...);
  }
  template <class D, class V>
  HWY_INLINE V Shortcut(D d, V x) const {
    return ExpToNormal(d, x);
  }
};
template <typename TFloat>
struct ExactExpOf : Exponential<TFloat> {
  static constexpr bool kHasShortcut = true;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ExactExp(d, x);
  }
  template <class D, class... V>
  HWY_INLINE bool TakesShortcut(D d, V... x) const {
    return IsExpNormal(d, x...);
  }
  template <class D, class V>
  HWY_INLINE V Shortcut(D d, V x) const {
    return ExactExpToNormal(d, x);
  }
};
struct ExpOfF16 : Exponential<float> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ExpForF16(d, x);
  }
};
struct ExpOfBF16 : Exponential<float> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ExpForBF16(d, x);
  }
};
struct NormalExpOfBF16 : Exponential<float> {
  // Above 87: e^-87 is above 2^-126.
  template <class DI, class VI>
  static HWY_INLINE hn::Mask<DI> Refuses(DI di, VI bits) {
    return Outside(di, bits, int16_t{0}, int16_t{0x42AE});
  }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ExpToNormalForBF16(d, x);
  }
};

/// In long jobs a subnormal argument counts as 0, which has the same e^x, if
/// lanes can be subnormal and such lanes are slow.
template <class Fn, int kPattern, bool kSubnormals>
constexpr KernelFn ExpToNearest =
    ToNearest<Unary<Fn, kPattern>, LANEWISE_QUIET,
              kSubnormals && HWY_TARGET != HWY_AVX3_ZEN4
                  ? 4096 / sizeof(typename Fn::T)
                  : 0>;

template <class Fn, bool kSubnormals = true>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, ExpToNearest<Fn, LW_SAME, kSubnormals>},
    Strided<kAllReadStrided>(
        [](auto any) { return ExpToNearest<Fn, any, kSubnormals>; })};

using F16 = InFloat16<ExpOfF16>;
using BF16 = InBFloat16<NormalExpOfBF16, ExpOfBF16>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kPatterns<F16, false>},
    {1, LW_FLOAT32, kPatterns<ExpOf<float>>},
    {1, LW_FLOAT64, kPatterns<ExpOf<double>>},
    {13, LW_BFLOAT16, kPatterns<BF16>},
    {1, LW_FLOAT16, kOnlySame<Unary<F16>>, Way::kExact},
    {1, LW_FLOAT32, kOnlySame<Unary<ExactExpOf<float>>>, Way::kExact},
    {1, LW_FLOAT64, kOnlySame<Unary<ExactExpOf<double>>>, Way::kExact},
    {13, LW_BFLOAT16, kOnlySame<Unary<BF16>>, Way::kExact},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_exp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_exp {
namespace {

constexpr int kVersions[] = {1, 6, 13};
constexpr Form kForms[] = {
    {1, kInputLowercase, ShapeRule::kSame, kOnlyConsumedInputs},
    {6, kInputLowercase, ShapeRule::kSame}};

}  // namespace

extern const Operator kOperator = {
    .name = "Exp",
    .versions = kVersions,
    .forms = kForms,
    .output = {"output"},
    .verified_opset = 28,
    .cost = CostClass::kTranscendental,
    .kernels = LANEWISE_KERNELS(op_exp),
};

}  // namespace lanewise::op_exp
#endif  // HWY_ONCE
