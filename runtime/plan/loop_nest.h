// SPDX-License-Identifier: Apache-2.0
//
// Turns shapes into loops over as few dims as possible, with the step of each
// operand along each dim. Almost every call needs only one dim.

#ifndef LANEWISE_RUNTIME_PLAN_LOOP_NEST_H_
#define LANEWISE_RUNTIME_PLAN_LOOP_NEST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/kernel.h"
#include "lanewise/lanewise.h"

namespace lanewise {

/// How a tensor aligns with the output's dims. `tensor` is nullptr for an
/// omitted input, which has no elements.
struct NestOperand {
  const lw_tensor* tensor;
  int32_t offset;  ///< the output dim that the tensor's first dim aligns with
};

/// Dims and strides lie in the numbers that BuildNest was given.
struct LoopNest {
  int operands = 0;  ///< inputs, then outputs, which have one shape
  int rank = 0;      ///< at least 1; the last dim is the innermost
  int64_t elements = 0;
  int64_t* dims;
  int64_t* strides[kMaxOperands];  ///< in elements
  int64_t start[kMaxOperands];     ///< offset of the first element, in elements
  bool flat[kMaxOperands];         ///< contiguous over the whole nest

  int64_t inner() const { return dims[rank - 1]; }
  int64_t inner_stride(int operand) const { return strides[operand][rank - 1]; }
};

/// How many numbers a nest of `operands` over dims of that rank needs.
constexpr size_t NestNumbers(size_t operands, size_t rank) {
  return (operands + 1) * std::max<size_t>(1, rank);
}

/// Builds the nest over the dims of the last operand, the output. With
/// `keep_order` the nest visits outputs in row-major order, otherwise in memory
/// order. There are NestNumbers `numbers`, which live as long as the nest.
void BuildNest(const NestOperand* operands, int count, bool keep_order,
               int64_t* numbers, LoopNest* nest);

/// The name of a nest in traces and benchmarks:
/// "same": all inputs have the output's shape;
/// "scalar_b", "scalar_bc": these inputs are one element;
/// "row_b", "col_b": of two inputs, this one is one row for all rows, or one
/// element per row;
/// "strided": everything else.
/// Inputs in `scalars` are always one element, and are not named.
std::string PatternName(const LoopNest& nest, int scalars, int outputs = 1);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_LOOP_NEST_H_
