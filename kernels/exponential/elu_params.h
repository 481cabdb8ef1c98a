// SPDX-License-Identifier: Apache-2.0
//
// What Elu, Selu and Celu keep from their attributes.

#ifndef LANEWISE_KERNELS_EXPONENTIAL_ELU_PARAMS_H_
#define LANEWISE_KERNELS_EXPONENTIAL_ELU_PARAMS_H_

#include <cmath>

#include "kernels/operator.h"
#include "kernels/round16.h"

namespace lanewise {

/// By type. All is computed here, because scalar code of a kernel would raise
/// flags.
struct EluParams {
  enum Type { kFloat, kFloat16, kBFloat16 };
  float factor[3];  ///< alpha * gamma; the products of 16-bit floats are exact
  float gamma[3];
  float factor_lo;  ///< what factor[kFloat] lacks
  bool usual;       ///< the defaults, with which the float lanes suffice
};

inline void KeepElu(float alpha, float gamma, bool usual, Params* params) {
  const double product = static_cast<double>(alpha) * gamma;
  const auto factor = static_cast<float>(product);
  const auto lost = static_cast<float>(product - factor);
  const float gamma16 = RoundToFloat16(gamma);
  const float gamma_b16 = RoundToBFloat16(gamma);
  params->As<EluParams>() = {{factor, RoundToFloat16(alpha) * gamma16,
                              RoundToBFloat16(alpha) * gamma_b16},
                             {gamma, gamma16, gamma_b16},
                             std::isfinite(factor) ? lost : 0,
                             usual};
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_EXPONENTIAL_ELU_PARAMS_H_
