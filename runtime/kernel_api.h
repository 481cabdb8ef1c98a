// SPDX-License-Identifier: Apache-2.0
//
// The kernel API: one kernel on pointers, for a host that has shapes of its
// own.

#ifndef LANEWISE_RUNTIME_KERNEL_API_H_
#define LANEWISE_RUNTIME_KERNEL_API_H_

#include <cstddef>

#include "lanewise/lanewise.h"

namespace lanewise {

/// Checks the arguments of one run of a kernel and runs it.
lw_status RunKernel(const lw_kernel& kernel, const void* const* inputs,
                    void* out, size_t n) noexcept;

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_KERNEL_API_H_
