// SPDX-License-Identifier: Apache-2.0
//
// The option `explain`: writes decisions about nodes and chains down,
// one JSON object per line.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_EXPLAIN_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_EXPLAIN_H_

#include <string>

#include "runtime/onnxruntime/claims.h"

namespace lanewise::ort {

/// Appends to the file, if it can be written.
void Explain(const std::string& file, const Graph& graph, const Claims& claims);

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_EXPLAIN_H_
