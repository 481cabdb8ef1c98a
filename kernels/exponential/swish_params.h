// SPDX-License-Identifier: Apache-2.0
//
// The attribute of Swish and SwiGLU, and what both keep from it.

#ifndef LANEWISE_KERNELS_EXPONENTIAL_SWISH_PARAMS_H_
#define LANEWISE_KERNELS_EXPONENTIAL_SWISH_PARAMS_H_

#include "kernels/operator.h"
#include "kernels/round16.h"

namespace lanewise {

/// alpha, rounded to each type.
struct SwishParams {
  float alpha;  ///< for float32 and float64
  float alpha_f16;
  float alpha_bf16;
};

inline constexpr AttributeInfo kSwishAttributes[] = {
    {"alpha", LW_ATTRIBUTE_FLOAT, Meaning::kParameter, false, 1.0}};

inline void KeepSwish(const AttributeValues& attributes, Params* params) {
  const float alpha = *attributes.Float("alpha");
  params->As<SwishParams>() = {alpha, RoundToFloat16(alpha),
                               RoundToBFloat16(alpha)};
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_EXPONENTIAL_SWISH_PARAMS_H_
