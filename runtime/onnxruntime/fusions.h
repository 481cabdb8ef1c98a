// SPDX-License-Identifier: Apache-2.0
//
// Patterns that ONNX Runtime turns into one node after the providers have made
// their claims. It does so only if the whole pattern belongs to the CPU
// provider.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_FUSIONS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_FUSIONS_H_

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

/// What a claim of the node would prevent, as the end of a sentence; nullptr if
/// there is nothing.
const char* FusionAround(const Graph& graph, int node);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_FUSIONS_H_
