// SPDX-License-Identifier: Apache-2.0
//
// What must hold for the tensors that a caller hands over.

#ifndef LANEWISE_RUNTIME_TENSOR_H_
#define LANEWISE_RUNTIME_TENSOR_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"
#include "runtime/shape.h"
#include "runtime/status.h"

namespace lanewise {

/// A tensor and its place in the call, for messages: "input 0".
struct Operand {
  const lw_tensor* tensor;
  const char* role;  ///< "input" or "output"
  size_t index;
  int64_t elements;  ///< set by CheckShape
};

/// How elements lie in memory. Strings have the host's size.
struct ElementLayout {
  size_t bits;
  size_t alignment;
};

inline Dims DimsOf(const lw_tensor& tensor) {
  return {tensor.dims, tensor.rank};
}

/// Type code, rank, dims: all that can be said without looking at memory.
lw_status CheckShape(const Label& label, Operand& operand);

/// Pointer, alignment, size and strides of a tensor that has elements.
lw_status CheckMemory(const Label& label, const Operand& operand,
                      const ElementLayout& layout);

/// That `output` is exactly `input` (in place) or shares no byte with it.
lw_status CheckOverlap(const Label& label, const Operand& input,
                       const Operand& output, const ElementLayout& layout);

/// Whether the elements lie in row-major order without gaps: no strides, or
/// strides that say so.
bool IsContiguous(const lw_tensor& tensor);

/// Whether both are the same elements at the same places.
bool SameMemory(const lw_tensor& x, const lw_tensor& y);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_TENSOR_H_
