// SPDX-License-Identifier: Apache-2.0
//
// Element types: ONNX Runtime's codes and ours.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_TYPES_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_TYPES_H_

#include <onnxruntime_c_api.h>

#include "lanewise/lanewise.h"

namespace lanewise::ort {

// Tensors carry the codes of ONNX Runtime's C interface. These are ONNX's own,
// except that 24, 25 and 26 are uint2, int2 and float8e8m0 there.
constexpr int32_t TypeFromOrt(ONNXTensorElementDataType type) {
  switch (static_cast<int>(type)) {
    case 24:
      return LW_UINT2;
    case 25:
      return LW_INT2;
    case 26:
      return LW_FLOAT8E8M0;
    default:
      return static_cast<int32_t>(type);
  }
}

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_TYPES_H_
