// SPDX-License-Identifier: Apache-2.0
//
// Reciprocal: y = 1 / x
//
// Versions 1, 6 (float16, float32, float64), 13 (+ bfloat16).
// Correctly rounded in every type, by division or as if by division.
// NaN stays NaN, +-0 gives +-inf, +-inf gives +-0, subnormals count as what
// they are.

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/division/reciprocal.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/division/division_ways-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_reciprocal {
namespace {

template <class Fast, class Plain, int kPattern = LW_SAME>
constexpr KernelFn kKernel =
    ByEnvironment<Unary<Fast, kPattern>, Unary<Plain, kPattern>,
                  kShortDivisions>;
template <class Fast, class Plain>
constexpr PatternKernel kPatterns[] = {
    {LW_SAME, kKernel<Fast, Plain>},
    Strided<sizeof(typename Plain::T) >= 4 || kAllReadStrided>(
        [](auto any) { return kKernel<Fast, Plain, any>; })};

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kPatterns<ReciprocalF16, InFloat16<Reciprocal<float>>>},
    {1, LW_FLOAT32, kPatterns<FastReciprocal<float>, Reciprocal<float>>},
    {1, LW_FLOAT64, kPatterns<FastReciprocal<double>, Reciprocal<double>>},
    {13, LW_BFLOAT16, kPatterns<ReciprocalBF16, SlowReciprocalBF16>},
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_reciprocal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_reciprocal {
namespace {

constexpr int kVersions[] = {1, 6, 13};

}  // namespace

extern const Operator kOperator = {
    .name = "Reciprocal",
    .versions = kVersions,
    .forms = kUnaryFormsX,
    .output = {"Y"},
    .verified_opset = 28,
    .cost = CostClass::kDivision,
    .kernels = LANEWISE_KERNELS(op_reciprocal),
    .exact = true,
};

}  // namespace lanewise::op_reciprocal
#endif  // HWY_ONCE
