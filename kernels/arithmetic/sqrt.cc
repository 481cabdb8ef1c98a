// SPDX-License-Identifier: Apache-2.0
//
// Sqrt: y = sqrt(x)
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// Correctly rounded in every type, by the CPU's square root. -0.0 stays, a
// number below 0 gives NaN, subnormals count as what they are.

#include <cstddef>

#define LANEWISE_FEW_TARGETS 1
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic/sqrt.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_sqrt {
namespace {

template <typename TFloat>
struct Root {
  using T = TFloat;
  static constexpr size_t kUnroll = 2;
  static constexpr T kPadding = 0;
  static constexpr bool kTakesHalves = true;

  template <class D, class V>
  HWY_INLINE V operator()(D /*d*/, V x) const {
    return hn::Sqrt(x);
  }
};

template <class Fn>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, Unary<Fn>},
    Strided<kAllReadStrided>([](auto any) { return Unary<Fn, any>; })};

// The root of a subnormal bfloat16 is a normal number.
constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kPatterns<InFloat16<Root<float>>>},
    {1, LW_FLOAT32, kPatterns<Root<float>>},
    {1, LW_FLOAT64, kPatterns<Root<double>>},
    {13, LW_BFLOAT16, kPatterns<In16Bits<NormalBFloat16, Root<float>>>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_sqrt
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_sqrt {
namespace {

constexpr int kVersions[] = {1, 6, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Sqrt",
    .versions = kVersions,
    .forms = kUnaryFormsX,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kDivision,
    .kernels = LANEWISE_KERNELS(op_sqrt),
    .exact = true,
};

}  // namespace lanewise::op_sqrt
#endif  // HWY_ONCE
