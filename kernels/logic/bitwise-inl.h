// SPDX-License-Identifier: Apache-2.0
//
// BitwiseAnd, BitwiseOr and BitwiseXor. An operation (binary-inl.h) is for
// unsigned lanes: signed and unsigned integers of one width share their
// kernels.

#if defined(LANEWISE_KERNELS_LOGIC_BITWISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_LOGIC_BITWISE_INL_H_
#undef LANEWISE_KERNELS_LOGIC_BITWISE_INL_H_
#else
#define LANEWISE_KERNELS_LOGIC_BITWISE_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/binary-inl.h"
#include "kernels/kernel.h"

// No function stands here, so there is no HWY_BEFORE_NAMESPACE, of which clang
// would then warn.
namespace lanewise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Integers of the width of T.
template <class Operation, typename T>
constexpr auto& kBits = kOnLanes<Operation, T, /*kCommutes=*/true>;

template <class Operation>
constexpr KernelEntry kBitwiseKernels[] = {
    {18, LW_INT8, kBits<Operation, uint8_t>},
    {18, LW_INT16, kBits<Operation, uint16_t>},
    {18, LW_INT32, kBits<Operation, uint32_t>},
    {18, LW_INT64, kBits<Operation, uint64_t>},
    {18, LW_UINT8, kBits<Operation, uint8_t>},
    {18, LW_UINT16, kBits<Operation, uint16_t>},
    {18, LW_UINT32, kBits<Operation, uint32_t>},
    {18, LW_UINT64, kBits<Operation, uint64_t>},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise

#endif  // LANEWISE_KERNELS_LOGIC_BITWISE_INL_H_
