// SPDX-License-Identifier: Apache-2.0
//
// Shapes turned into loops: as few dims as possible, and for each operand the
// step along each of them. Almost every call ends up with one dim.

#ifndef LANEWISE_RUNTIME_LOOP_NEST_H_
#define LANEWISE_RUNTIME_LOOP_NEST_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise {

/// Rows shorter than this are gathered into longer ones where they cannot be
/// joined: a kernel's start costs about as much as that many elements.
constexpr int kShortRow = 16;

/// How one tensor lies under the output's dims.
struct NestOperand {
  const lw_tensor* tensor;
  int32_t offset;  ///< the output's dim under which the tensor's first one is
};

struct LoopNest {
  static constexpr int kMaxOperands = 3;

  int operands = 0;  ///< the last one is the output
  int rank = 0;      ///< at least 1; the last dim is the innermost
  int64_t elements = 0;
  int64_t dims[LW_MAX_RANK];
  int64_t strides[kMaxOperands][LW_MAX_RANK];  ///< in elements
  int64_t start[kMaxOperands];                 ///< in elements
  bool flat[kMaxOperands];  ///< one contiguous run over the whole nest

  int64_t inner() const { return dims[rank - 1]; }
  int64_t inner_stride(int operand) const { return strides[operand][rank - 1]; }
};

/// Builds the nest over the dims of the last operand, the output. With
/// `keep_order` the nest visits outputs in row-major order; otherwise in the
/// order in which they lie in memory.
void BuildNest(const NestOperand* operands, int count, bool keep_order,
               LoopNest* nest);

/// "same", "scalar_b", "scalar_a", "row_b", "col_b", ..., "strided": the
/// nest's name in traces and benchmarks.
const char* PatternName(const LoopNest& nest);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_LOOP_NEST_H_
