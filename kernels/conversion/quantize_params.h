// SPDX-License-Identifier: Apache-2.0
//
// The attributes that QuantizeLinear's kernels read.

#ifndef LANEWISE_KERNELS_CONVERSION_QUANTIZE_PARAMS_H_
#define LANEWISE_KERNELS_CONVERSION_QUANTIZE_PARAMS_H_

#include <cstdint>

#include "kernels/conversion/narrow_params.h"

namespace lanewise {

struct QuantizeParams {
  NarrowParams narrow;  ///< first: Cast's kernels read them here
  int32_t precision;    ///< an lw_type, or LW_ABSENT
};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_CONVERSION_QUANTIZE_PARAMS_H_
