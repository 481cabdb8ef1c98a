// SPDX-License-Identifier: Apache-2.0
//
// The measured gains, from the files in benchmarks/results/onnxruntime.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_GAINS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_GAINS_H_

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

extern const Gain kGains[];
extern const size_t kGainCount;

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_GAINS_H_
