// SPDX-License-Identifier: Apache-2.0
//
// And, Or and Xor, on bytes. An operation (binary-inl.h) takes any byte but 0
// for true, and gives 0 or 1.

#if defined(LANEWISE_KERNELS_LOGIC_BOOLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWISE_KERNELS_LOGIC_BOOLS_INL_H_
#undef LANEWISE_KERNELS_LOGIC_BOOLS_INL_H_
#else
#define LANEWISE_KERNELS_LOGIC_BOOLS_INL_H_
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

template <class Operation>
constexpr KernelEntry kBoolKernels[] = {
    {1, LW_BOOL, kOnLanes<Operation, uint8_t, /*kCommutes=*/true>},
};

}  // namespace HWY_NAMESPACE
}  // namespace lanewise

#endif  // LANEWISE_KERNELS_LOGIC_BOOLS_INL_H_
