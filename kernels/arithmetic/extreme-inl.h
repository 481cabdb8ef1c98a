// SPDX-License-Identifier: Apache-2.0
//
// Max and Min: one of the inputs, as extremes-inl.h chooses.

#if defined(LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_
#undef LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_
#else
#define LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/binary-inl.h"
#include "kernels/extremes-inl.h"
#include "kernels/fold-inl.h"
#include "kernels/kernel.h"
#include "kernels/loops-inl.h"

namespace lanewise {
namespace HWY_NAMESPACE {

/// kCommutes: of equal numbers, none differs from the other.
template <class Fn, bool kCommutes = false>
constexpr PatternKernel kExtremePatterns[] = {
    {LW_SAME, Binary<Fn, LW_SAME>},
    {LW_SCALAR_B, Binary<Fn, LW_SCALAR_B>},
    {LW_SCALAR_A, kCommutes
                      ? Kernel<WithInputsExchanged<Binary<Fn, LW_SCALAR_B>>>
                      : Binary<Fn, LW_SCALAR_A>},
    {kAnyStride, Fold<StepByStep<Fn>>}};

template <class Choice, typename T>
constexpr auto& kExtreme =
    kExtremePatterns<Extreme<Choice, T>, std::is_integral_v<T>>;

/// The kernels by type, with the versions that list the types first.
template <class Choice>
constexpr KernelEntry kExtremeKernels[] = {
    {1, LW_FLOAT16, kExtremePatterns<Extreme16<Choice, 0x7C00>>},
    {1, LW_FLOAT32, kExtreme<Choice, float>},
    {1, LW_FLOAT64, kExtreme<Choice, double>},
    {12, LW_INT8, kExtreme<Choice, int8_t>},
    {12, LW_INT16, kExtreme<Choice, int16_t>},
    {12, LW_INT32, kExtreme<Choice, int32_t>},
    {12, LW_INT64, kExtreme<Choice, int64_t>},
    {12, LW_UINT8, kExtreme<Choice, uint8_t>},
    {12, LW_UINT16, kExtreme<Choice, uint16_t>},
    {12, LW_UINT32, kExtreme<Choice, uint32_t>},
    {12, LW_UINT64, kExtreme<Choice, uint64_t>},
    {13, LW_BFLOAT16, kExtremePatterns<Extreme16<Choice, 0x7F80>>},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise

#endif  // LANEWISE_KERNELS_ARITHMETIC_EXTREME_INL_H_
