// SPDX-License-Identifier: Apache-2.0
//
// Reciprocal: y = 1 / x
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// Correctly rounded in every type, by division or as if by division.
// NaN stays NaN, +-0 gives +-inf, +-inf gives +-0, subnormals count as what
// they are.

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reciprocal.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/division-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise {
namespace HWY_NAMESPACE {
namespace {

template <typename TFloat>
struct Reciprocal {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;  // the divider is the limit
  static constexpr T kPadding = std::numeric_limits<T>::quiet_NaN();

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Div(hn::Set(d, T{1}), x);
  }
};

#if LANEWISE_MULTIPLIES
/// The divider computes every third vector, multiplication the others.
template <typename TFloat>
struct FastReciprocal : Reciprocal<TFloat> {
  static constexpr size_t kAlternates = 2;

  template <class D, class V>
  HWY_INLINE V Alternative(D d, V x) const {
    V y;
    return HWY_LIKELY(TryReciprocal(d, x, y)) ? y : (*this)(d, x);
  }
};
#else
template <typename TFloat>
using FastReciprocal = Reciprocal<TFloat>;
#endif  // LANEWISE_MULTIPLIES

#if LANEWISE_MULTIPLIES_FOR_16
/// The divider computes one half of a 16-bit vector, multiplication the other.
struct FastReciprocal16 : Reciprocal<float> {
  static constexpr size_t kAlternates = 1;

  // Refuses magnitudes outside 2^-125 to 2^125.
  template <class DI, class VI>
  static HWY_INLINE hn::Mask<DI> Refuses(DI di, VI bits) {
    return Outside(di, bits, PowerOfTwoAsBF16(-125), PowerOfTwoAsBF16(125));
  }
  template <class D, class V>
  HWY_INLINE V Alternative(D d, V x) const {
    return ReciprocalFor16(d, x);
  }
};
using ReciprocalF16 = InFloat16<FastReciprocal16>;
using ReciprocalBF16 = InBFloat16<FastReciprocal16, Reciprocal<float>>;
#else
using ReciprocalF16 = InFloat16<Reciprocal<float>>;
using ReciprocalBF16 = In16Bits<BFloat16, Reciprocal<float>>;
#endif  // LANEWISE_MULTIPLIES_FOR_16

template <class Fast, class Plain>
constexpr KernelFn kKernel =
    ByEnvironment<Unary<Fast>, Unary<Plain>, kShortDivisions>;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16,
     kOnlySame<kKernel<ReciprocalF16, InFloat16<Reciprocal<float>>>>},
    {1, LW_FLOAT32,
     kOnlySame<kKernel<FastReciprocal<float>, Reciprocal<float>>>},
    {1, LW_FLOAT64,
     kOnlySame<kKernel<FastReciprocal<double>, Reciprocal<double>>>},
    {13, LW_BFLOAT16,
     kOnlySame<kKernel<ReciprocalBF16, In16Bits<BFloat16, Reciprocal<float>>>>},
};
KernelEntries Kernels() { return kKernels; }

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace lanewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise {
namespace {

HWY_EXPORT(Kernels);
constexpr int kVersions[] = {1, 6, 13};

}  // namespace

extern const Operator kOperator_reciprocal = {
    .name = "Reciprocal",
    .versions = kVersions,
    .forms = kUnaryFormsX,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kDivision,
    .kernels =
        [](int64_t target) {
          return OnTarget(HWY_DISPATCH_TABLE(Kernels), target);
        },
    .exact = true,
};

}  // namespace lanewise
#endif  // HWY_ONCE
