// SPDX-License-Identifier: Apache-2.0
//
// Div: y = a / b
//
// Versions 1 (float16, float32, float64), 6 and 7 (+ int32, int64, uint32,
// uint64), 13 (+ bfloat16), 14 (+ int8, int16, uint8, uint16).
// Floats: the IEEE quotient, correctly rounded in every type.
// Integers: truncated toward zero. A zero divisor gives 0 and is reported
// to the runtime; MIN / -1 wraps to MIN. This holds for every width and every
// instruction set.

#define LANEWISE_GAINS_FROM HWY_AVX3_DL  // lookups in tables of bytes
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/division/div.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// must come after foreach_target.h
#include "kernels/division/division_scalar-inl.h"
#include "kernels/division/division_ways-inl.h"
#include "kernels/division/intdiv_rows-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/fp_env.h"
#include "kernels/loops-inl.h"
#include "kernels/operator.h"

HWY_BEFORE_NAMESPACE();
namespace lanewise::HWY_NAMESPACE::op_div {
namespace {

template <typename T, int kPattern>
constexpr KernelFn kFloatKernel =
    ByEnvironment<kPattern == LW_SCALAR_B ? DivideFloatsByScalar<T>
                                          : Binary<FastFloatDiv<T>, kPattern>,
                  Binary<FloatDiv<T>, kPattern>, kShortDivisions>;
template <int kPattern>
constexpr KernelFn kFloat16Kernel = ByEnvironment<
    kPattern == LW_SCALAR_B ? DivideFloat16ByScalar
                            : Binary<InFloat16<FastFloat16Div>, kPattern>,
    Binary<InFloat16<FloatDiv<float>>, kPattern>, kShortDivisions>;
template <int kPattern>
constexpr KernelFn kBFloat16Kernel =
    ByEnvironment<Binary<DivBF16, kPattern>, Binary<SlowDivBF16, kPattern>,
                  kShortDivisions>;

/// Most quotients go through float lanes, which must round to nearest and not
/// trap. A division by a scalar is a multiplication of integers and needs no
/// floats. DivideRows stays out of line so that no lane moves across the
/// change.
template <typename T, int kPattern, Way kWay>
HWY_INLINE lw_status ComputeIntegers(const Job& job) {
  constexpr bool kOnlyIntegers =
      kPattern == LW_SCALAR_B && intdiv_detail::HasHalves<hn::ScalableTag<T>>();
  if constexpr (LANEWISE_QUIET) {
    // Before Ice Lake, Intel's divider is slow for 64 bits.
    constexpr bool kQuick = sizeof(T) < 8 || HWY_TARGET <= HWY_AVX3_DL;
    if (kQuick && job.n == 1 && job.setup->rows == 1) {
      Job one = job;
      one.n = 1;  // known to the compiler, which makes no loop
      DivideOneByOne<T, LW_SAME>(one);  // all patterns are the same
      return LW_OK;
    }
    constexpr size_t kFew = 2;
    const bool is_short = job.n <= kFew * hn::Lanes(hn::ScalableTag<T>());
    if (is_short && job.setup->rows == 1) {
      return RunJob(Kernel<DivideFew<T, kPattern>>, job);
    }
  } else {
    constexpr bool kOneByOne = kWay == Way::kDivider && sizeof(T) == 8;
    constexpr size_t kFew = 4;
    const bool suits = job.n <= kFew || (kOneByOne && !job.setup->stream);
    if (suits && job.setup->rows == 1) {
      return RunJob(Kernel<DivideOneByOne<T, kPattern>>, job);
    }
  }
  // Vectors of 64 bits have one way.
  constexpr Way kOfRows = sizeof(T) == 8 ? Way::kUsual : kWay;
  constexpr KernelFn kDivideRows = Kernel<DivideRows<T, kPattern, kOfRows>>;
  if constexpr (LANEWISE_QUIET || kOnlyIntegers) {
    return RunJob(kDivideRows, job);
  } else {
    const FpEnv nearest(FpEnv::Default());
    return RunJob(kDivideRows, job);
  }
}
template <typename T, int kPattern, Way kWay = Way::kUsual>
constexpr KernelFn IntKernel = Kernel<ComputeIntegers<T, kPattern, kWay>>;

template <typename T>
constexpr PatternKernel kIntKernels[] = {
    {LW_SAME, IntKernel<T, LW_SAME>},
    {LW_SCALAR_B, IntKernel<T, LW_SCALAR_B>},
    {LW_SCALAR_A, IntKernel<T, LW_SCALAR_A>},
    Strided<sizeof(T) == 8 || kAllReadStrided>(
        [](auto any) { return IntKernel<T, any>; })};
#if HWY_TARGET == HWY_AVX2
/// One divisor for all elements is the same in both ways, and so are strided
/// elements of 64 bits.
template <typename T>
constexpr PatternKernel kIntKernelsByDivider[] = {
    {LW_SAME, IntKernel<T, LW_SAME, Way::kDivider>},
    {LW_SCALAR_A, IntKernel<T, LW_SCALAR_A, Way::kDivider>},
    {kAnyStride,
     IntKernel<T, kAnyStride, sizeof(T) == 8 ? Way::kUsual : Way::kDivider>}};
#endif
template <typename T>
constexpr PatternKernel kFloatKernels[] = {
    {LW_SAME, kFloatKernel<T, LW_SAME>},
    {LW_SCALAR_B, kFloatKernel<T, LW_SCALAR_B>},
    {LW_SCALAR_A, kFloatKernel<T, LW_SCALAR_A>},
    {kAnyStride, kFloatKernel<T, kAnyStride>}};
constexpr PatternKernel kFloat16Kernels[] = {
    {LW_SAME, kFloat16Kernel<LW_SAME>},
    {LW_SCALAR_B, kFloat16Kernel<LW_SCALAR_B>},
    {LW_SCALAR_A, kFloat16Kernel<LW_SCALAR_A>},
    Strided<kAllReadStrided>([](auto any) { return kFloat16Kernel<any>; })};
constexpr PatternKernel kBFloat16Kernels[] = {
    {LW_SAME, kBFloat16Kernel<LW_SAME>},
    {LW_SCALAR_B, kBFloat16Kernel<LW_SCALAR_B>},
    {LW_SCALAR_A, kBFloat16Kernel<LW_SCALAR_A>},
    Strided<kAllReadStrided>([](auto any) { return kBFloat16Kernel<any>; })};

/// A byte of 32-bit integers takes some 2 times as long as a byte of float32, a
/// byte of 64-bit integers 3 times, on AVX2 more.
constexpr uint8_t kWeight32 = 2;
constexpr uint8_t kWeight64 = 4;

constexpr KernelEntry kKernels[] = {
    {1, LW_FLOAT16, kFloat16Kernels},
    {1, LW_FLOAT32, kFloatKernels<float>},
    {1, LW_FLOAT64, kFloatKernels<double>},
    {6, LW_INT32, kIntKernels<int32_t>, Way::kUsual, kWeight32},
    {6, LW_INT64, kIntKernels<int64_t>, Way::kUsual, kWeight64},
    {6, LW_UINT32, kIntKernels<uint32_t>, Way::kUsual, kWeight32},
    {6, LW_UINT64, kIntKernels<uint64_t>, Way::kUsual, kWeight64},
    {13, LW_BFLOAT16, kBFloat16Kernels},
    {14, LW_INT8, kIntKernels<int8_t>},
    {14, LW_INT16, kIntKernels<int16_t>},
    {14, LW_UINT8, kIntKernels<uint8_t>},
    {14, LW_UINT16, kIntKernels<uint16_t>},
#if HWY_TARGET == HWY_AVX2
    {6, LW_INT32, kIntKernelsByDivider<int32_t>, Way::kDivider, kWeight32},
    {6, LW_INT64, kIntKernelsByDivider<int64_t>, Way::kDivider, kWeight64},
    {6, LW_UINT32, kIntKernelsByDivider<uint32_t>, Way::kDivider, kWeight32},
    {6, LW_UINT64, kIntKernelsByDivider<uint64_t>, Way::kDivider, kWeight64},
    {14, LW_INT16, kIntKernelsByDivider<int16_t>, Way::kDivider},
    {14, LW_UINT16, kIntKernelsByDivider<uint16_t>, Way::kDivider},
#endif
};
TargetKernels Kernels() { return {HWY_TARGET, kKernels}; }

}  // namespace
}  // namespace lanewise::HWY_NAMESPACE::op_div
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanewise::op_div {
namespace {

constexpr int kVersions[] = {1, 6, 7, 13, 14};

}  // namespace

extern const Operator kOperator = {
    .name = "Div",
    .versions = kVersions,
    .forms = kArithmeticForms,
    .output = {"C"},
    .verified_opset = 28,
    .cost = CostClass::kDivision,
    .kernels = LANEWISE_KERNELS(op_div),
    .reports_zero_divisors = true,
    .exact = true,
};

}  // namespace lanewise::op_div
#endif  // HWY_ONCE
