// SPDX-License-Identifier: Apache-2.0
//
// The contract between reductions and the runtime. A reduction makes one
// element out of each of many sequences: those of the reduced dims, in
// row-major order. Kernels know sequences in memory; the runtime knows shapes
// (runtime/reduce).
//
// The order in which elements meet depends on nothing but the shape and the
// axes, so that sums have the same bits on each CPU, for any strides and
// threads:
//
// - Along: the last dim of more than one element is reduced. Element k of a
//   sequence goes to partial result k % kPartials of its piece of
//   kPieceElements elements, in order. Of the partial results, j and j + 32 are
//   combined, then j and j + 16, and so on. Pieces are combined in pairs, as a
//   tree: the first with the second, the third with the fourth, then these two;
//   what has no partner goes one level up.
// - Across: that dim is kept. Pieces have kRowsOfPiece elements, which are
//   combined in order; pieces are combined in pairs.

#ifndef LANEWISE_KERNELS_REDUCTION_H_
#define LANEWISE_KERNELS_REDUCTION_H_

#include <cstddef>
#include <cstdint>

namespace lanewise {

inline constexpr size_t kPartials = 64;
inline constexpr size_t kPieceElements = 65536;
inline constexpr size_t kRowsOfPiece = 256;
inline constexpr size_t kMostAccumulatorBytes = 8;

/// Elements of sequences that go into accumulators.
struct Feed {
  const void* params;  ///< what the operator prepared
  const void* x;
  size_t n;        ///< elements of a row
  uint64_t first;  ///< the place of the first element in its sequence
  void* accumulators;
  /// The accumulators of Reduction::before: one for each sequence.
  const void* center;
  // Across only.
  size_t rows;     ///< each has the next element of all sequences
  ptrdiff_t step;  ///< bytes from one row to the next
};

/// Accumulators that become elements of the output.
struct Finish {
  const void* params;
  const void* accumulators;
  const void* center;  ///< as Feed::center
  size_t n;
  uint64_t count;  ///< elements of each sequence
  void* out;       ///< without gaps
};

/// Rows that are whole sequences, of 1 to kPieceElements elements each.
struct WholeRows {
  const void* params;
  const void* x;
  size_t n;
  size_t rows;
  ptrdiff_t step;      ///< bytes from one row to the next
  void* out;           ///< an element for each row
  ptrdiff_t out_step;  ///< bytes from one element to the next
};

/// The kernels of one reduction for one type.
struct Reduction {
  size_t accumulator_bytes;
  /// A reduction of the same elements that must be known first: ArgMax needs
  /// the maximum. Its accumulators, folded and not finished, are Feed::center.
  const Reduction* before;
  /// Sequences of no elements have no result.
  bool needs_elements;
  /// Accumulators of no elements.
  void (*start)(void* accumulators, size_t n) noexcept;
  /// A part of one sequence, into kPartials partial results. `first` is a
  /// multiple of kPartials.
  void (*along)(const Feed& feed) noexcept;
  /// kPartials partial results become the first one of them.
  void (*fold)(const void* params, void* partials) noexcept;
  /// Rows of elements, each of another sequence with an accumulator of its own.
  void (*across)(const Feed& feed) noexcept;
  /// Adds `n` accumulators of later elements to those of earlier ones.
  void (*combine)(const void* params, void* accumulators, const void* later,
                  size_t n) noexcept;
  void (*finish)(const Finish& finish) noexcept;
  /// The same bits as by the functions above, at once.
  void (*rows)(const WholeRows& rows) noexcept;
};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_REDUCTION_H_
