// SPDX-License-Identifier: Apache-2.0
//
// The attributes with which numbers become floats of 8 bits.

#ifndef LANEWISE_KERNELS_CONVERSION_NARROW_PARAMS_H_
#define LANEWISE_KERNELS_CONVERSION_NARROW_PARAMS_H_

#include <cstdint>

#include "kernels/operator.h"

namespace lanewise {

/// In the order of kRoundModes.
enum class RoundMode : uint8_t { kUp, kDown, kNearest };
inline constexpr const char* kRoundModes[] = {"up", "down", "nearest"};

struct NarrowParams {
  bool saturates;
  RoundMode round_mode;  ///< of float8e8m0
};

inline constexpr AttributeInfo kSaturate = {"saturate", LW_ATTRIBUTE_INT};
inline constexpr AttributeInfo kRoundMode = {
    "round_mode", LW_ATTRIBUTE_STRING, Meaning::kParameter, false,
    {},           kRoundModes};

inline void PrepareNarrow(const AttributeValues& attributes, Params* params) {
  params->As<NarrowParams>() = {
      attributes.Int("saturate").value_or(1) != 0,
      static_cast<RoundMode>(attributes.Choice("round_mode"))};
}

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_CONVERSION_NARROW_PARAMS_H_
