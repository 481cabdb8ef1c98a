// SPDX-License-Identifier: Apache-2.0
//
// The shapes of a reduction as loops: which elements of the input are one
// sequence, and which element of the output the sequence becomes.

#ifndef LANEWISE_RUNTIME_REDUCE_SEQUENCES_H_
#define LANEWISE_RUNTIME_REDUCE_SEQUENCES_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise {

/// Neighbouring dims that are stepped through evenly are one.
struct ReduceDim {
  int64_t size;
  int64_t in;   ///< bytes from one element to the next
  int64_t out;  ///< 0 for a dim that is reduced
};

/// Dims in row-major order, the innermost last.
struct ReduceDims {
  int rank = 0;
  int64_t elements = 1;
  ReduceDim dims[LW_MAX_RANK];

  const ReduceDim& inner() const { return dims[rank - 1]; }
  /// Where element `index` lies in the input and in the output.
  int64_t In(int64_t index) const { return OffsetOf(index, &ReduceDim::in); }
  int64_t Out(int64_t index) const { return OffsetOf(index, &ReduceDim::out); }

 private:
  int64_t OffsetOf(int64_t index, int64_t ReduceDim::*step) const {
    int64_t offset = 0;
    for (int i = rank - 1; i > 0 && index != 0; --i) {
      offset += index % dims[i].size * (dims[i].*step);
      index /= dims[i].size;
    }
    return offset + index * (dims[0].*step);
  }
};

/// Each has at least one dim.
struct Sequences {
  ReduceDims kept;     ///< in any order
  ReduceDims reduced;  ///< in the order of the sequences
  /// Whether the last dim of more than one element is reduced (reduction.h).
  bool along;
};

/// `reduced`: the dims of `in` that are reduced, as bits. `out` may have lost
/// them.
/// Sequences::along. The order in which elements meet is that of a whole
/// tensor, also in a slice of it, whose last dim may be one element.
bool IsAlong(const lw_tensor& whole, uint64_t reduced);

/// All but `along`.
void FindSequences(const lw_tensor& in, const lw_tensor& out, uint64_t reduced,
                   int64_t in_bytes, int64_t out_bytes, Sequences* sequences);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_REDUCE_SEQUENCES_H_
