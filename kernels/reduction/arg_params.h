// SPDX-License-Identifier: Apache-2.0
//
// What ArgMax and ArgMin keep from their attributes.

#ifndef LANEWISE_KERNELS_REDUCTION_ARG_PARAMS_H_
#define LANEWISE_KERNELS_REDUCTION_ARG_PARAMS_H_

#include <cstdint>

#include "kernels/operator.h"

namespace lanewise {

struct ArgParams {
  bool last;  ///< the last index rather than the first one
};

inline void PrepareArg(const AttributeValues& attributes, Params* params) {
  params->As<ArgParams>().last =
      attributes.Int("select_last_index").value_or(0) != 0;
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_REDUCTION_ARG_PARAMS_H_
