// SPDX-License-Identifier: Apache-2.0
//
// Tensors: ONNX Runtime's and ours.

#ifndef LANEWISE_RUNTIME_ONNXRUNTIME_TENSORS_H_
#define LANEWISE_RUNTIME_ONNXRUNTIME_TENSORS_H_

#include <onnxruntime_c_api.h>

#include <cstring>

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

/// A view of a value; LW_ABSENT of nullptr.
inline OrtStatus* Look(const OrtApi& ort, const OrtValue* value,
                       lw_tensor* tensor) noexcept {
  *tensor = {};
  if (value == nullptr) return nullptr;
  ONNXTensorElementDataType type;
  size_t rank;
  OrtStatus* status = ort.GetTensorElementTypeAndShapeDataReference(
      value, &type, &tensor->dims, &rank);
  if (status != nullptr) return status;
  tensor->type = TypeFromOrt(type);
  tensor->rank = static_cast<int32_t>(rank);
  // No input is written, but there is no other getter without an allocation.
  return ort.GetTensorMutableData(const_cast<OrtValue*>(value), &tensor->data);
}

/// Whether an operand tells a shape or axes, not elements.
inline bool IsShape(const lw_operand& operand) {
  return std::strcmp(operand.type_parameter, "tensor(int64)") == 0;
}

/// A tensor without data. `shape` must stay where it is.
inline lw_tensor TensorOf(const lw_shape& shape) {
  lw_tensor tensor = {};
  tensor.type = shape.type;
  tensor.rank = shape.rank;
  tensor.dims = shape.dims;
  return tensor;
}

inline size_t Elements(const lw_tensor& tensor) {
  size_t count = 1;
  for (int32_t i = 0; i < tensor.rank; ++i) {
    count *= static_cast<size_t>(tensor.dims[i]);
  }
  return count;
}

}  // namespace lanewise::ort

#endif  // LANEWISE_RUNTIME_ONNXRUNTIME_TENSORS_H_
