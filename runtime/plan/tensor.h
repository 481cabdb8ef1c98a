// SPDX-License-Identifier: Apache-2.0
//
// Checks of the tensors that a caller passes.

#ifndef LANEWISE_RUNTIME_PLAN_TENSOR_H_
#define LANEWISE_RUNTIME_PLAN_TENSOR_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"
#include "runtime/engine/status.h"
#include "runtime/node/node.h"
#include "runtime/plan/shape.h"

namespace lanewise {

/// A tensor and its position in the call; messages call it "input 0".
struct Operand {
  const lw_tensor* tensor;  ///< nullptr: omitted optional input
  const char* role;         ///< "input" or "output"
  size_t index;
  int64_t elements;  ///< set by CheckShape

  bool is_output() const { return role[0] == 'o'; }
};

/// The range of bytes that holds a tensor's elements, as offsets from its data
/// pointer.
struct Extent {
  int64_t low;   ///< of the first byte
  int64_t high;  ///< one past the last byte
};

inline Dims DimsOf(const lw_tensor& tensor) {
  return {tensor.dims, tensor.rank};
}

/// Checks type code, rank and dims: everything that does not depend on memory.
lw_status CheckShape(const Label& label, Operand& operand);

/// Checks strides and size of a tensor that has elements, for any data pointer.
lw_status CheckLayout(const Label& label, const Operand& operand,
                      const ElementLayout& layout, Extent* extent);

/// Checks that `data` is not null, and aligned.
lw_status CheckPointer(const Label& label, const Operand& operand,
                       const void* data, const ElementLayout& layout);

/// A tensor together with the location of its elements in memory.
struct Placed {
  const lw_tensor* tensor;
  const void* data;  ///< replaces tensor->data
  size_t bits;       ///< of an element
  Extent extent;
};

/// Whether the tensors have no byte in common.
bool AreApart(const Placed& x, const Placed& y);

/// Whether both tensors have the same elements at the same addresses.
bool AreSame(const Placed& x, const Placed& y);

/// Whether the elements are in row-major order without gaps: `strides` is null
/// or describes that order.
bool IsContiguous(const lw_tensor& tensor);

/// The strides in elements: the tensor's own, or those of row-major order.
void FindStrides(const lw_tensor& tensor, int64_t* strides);

/// Whether two tensors differ in nothing but data. The dims of `given` may be
/// read where type and rank are those of a tensor that has been checked.
bool AreAlike(const lw_tensor& kept, const lw_tensor& given);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_TENSOR_H_
