// SPDX-License-Identifier: Apache-2.0
//
// The attributes that QuantizeLinear and DequantizeLinear share, and those that
// QuantizeLinear's kernels read.

#ifndef LANEWISE_KERNELS_CONVERSION_ALIGNED_FORMS_H_
#define LANEWISE_KERNELS_CONVERSION_ALIGNED_FORMS_H_

#include <cstdint>

#include "kernels/conversion/narrow_params.h"
#include "kernels/operator.h"

namespace lanewise {

inline constexpr AttributeInfo kAxis = {"axis", LW_ATTRIBUTE_INT,
                                        Meaning::kParameter, false, 1};
inline constexpr AttributeInfo kBlockSize = {"block_size", LW_ATTRIBUTE_INT};
inline constexpr AttributeInfo kOutputType = {"output_dtype", LW_ATTRIBUTE_INT,
                                              Meaning::kOutputType};

/// Why a node cannot have the attributes; nullptr if it can.
inline const char* RefusesBlock(const AttributeValues& attributes) {
  const bool is_negative = attributes.Int("block_size").value_or(0) < 0;
  return is_negative ? "attribute \"block_size\" is below 0" : nullptr;
}

struct QuantizeParams {
  NarrowParams narrow;  ///< first: Cast's kernels read them here
  int32_t precision;    ///< an lw_type, or LW_ABSENT
};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_CONVERSION_ALIGNED_FORMS_H_
