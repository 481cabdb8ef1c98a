// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_CLAIMS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_CLAIMS_H_

namespace lanewise::ort {

enum class Policy { kAll, kMissing, kProfitable };

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_CLAIMS_H_
