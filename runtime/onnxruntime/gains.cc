// SPDX-License-Identifier: Apache-2.0

#include "runtime/onnxruntime/gains.h"

namespace lanewise::ort {

// The last row matches nothing: without results there is no other.
const Gain kGains[] = {
#include "lanewise_ort_gains.inc"
    {"", LW_ABSENT, 0, 0},
};
const size_t kGainCount = sizeof(kGains) / sizeof(kGains[0]) - 1;

}  // namespace lanewise::ort
