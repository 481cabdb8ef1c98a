// SPDX-License-Identifier: Apache-2.0
//
// Sum, difference, product. Floats are correctly rounded in the caller's
// rounding mode (16-bit floats to nearest), integers wrap. Signed and unsigned
// integers share their kernels, because the low bits are the same.
//
// If both operands are NaNs, the result is a NaN, but which of the two is not
// specified: the compiler may exchange the operands of a sum or a product.
//
// An operation (binary-inl.h) is for float, double and unsigned integer lanes.

#if defined(LANEWISE_KERNELS_ARITHMETIC_ARITHMETIC_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_ARITHMETIC_ARITHMETIC_INL_H_
#undef LANEWISE_KERNELS_ARITHMETIC_ARITHMETIC_INL_H_
#else
#define LANEWISE_KERNELS_ARITHMETIC_ARITHMETIC_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/binary-inl.h"
#include "kernels/float16-inl.h"
#include "kernels/kernel.h"

// No function stands here, so there is no HWY_BEFORE_NAMESPACE, of which clang
// would then warn.
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The kernels of Add, Sub and Mul by type, with the versions that list the
/// types first.
template <class Operation, bool kCommutes>
constexpr KernelEntry kArithmeticKernels[] = {
    {1, LW_FLOAT16,
     kPatternsOf<InFloat16<OnLanes<Operation, float>>, kCommutes>},
    {1, LW_FLOAT32, kOnLanes<Operation, float, kCommutes>},
    {1, LW_FLOAT64, kOnLanes<Operation, double, kCommutes>},
    {6, LW_INT32, kOnLanes<Operation, uint32_t, kCommutes>},
    {6, LW_INT64, kOnLanes<Operation, uint64_t, kCommutes>},
    {6, LW_UINT32, kOnLanes<Operation, uint32_t, kCommutes>},
    {6, LW_UINT64, kOnLanes<Operation, uint64_t, kCommutes>},
    {13, LW_BFLOAT16,
     kPatternsOf<In16Bits<BFloat16, OnLanes<Operation, float>>, kCommutes>},
    {14, LW_INT8, kOnLanes<Operation, uint8_t, kCommutes>},
    {14, LW_INT16, kOnLanes<Operation, uint16_t, kCommutes>},
    {14, LW_UINT8, kOnLanes<Operation, uint8_t, kCommutes>},
    {14, LW_UINT16, kOnLanes<Operation, uint16_t, kCommutes>},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise

#endif  // LANEWISE_KERNELS_ARITHMETIC_ARITHMETIC_INL_H_
