// SPDX-License-Identifier: Apache-2.0
//
// The kernels of Cast and CastLike: one for each pair of types.

#ifndef LANEWISE_KERNELS_CONVERSION_CAST_KERNELS_H_
#define LANEWISE_KERNELS_CONVERSION_CAST_KERNELS_H_

#include <cstdint>

#include "kernels/kernel.h"

namespace lanewise::op_cast {

/// Their parameters are NarrowParams.
TargetKernels KernelsOn(int64_t targets);

}  // namespace lanewise::op_cast

#endif  // LANEWISE_KERNELS_CONVERSION_CAST_KERNELS_H_
