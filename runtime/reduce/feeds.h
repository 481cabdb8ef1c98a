// SPDX-License-Identifier: Apache-2.0
//
// Hands the elements of sequences to the kernels: from where they lie, or
// gathered into a tile.

#ifndef LANEWISE_RUNTIME_REDUCE_FEEDS_H_
#define LANEWISE_RUNTIME_REDUCE_FEEDS_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/reduction.h"
#include "kernels/tiles.h"
#include "runtime/reduce/sequences.h"

namespace lanewise {

class Feeder {
 public:
  /// `sequences` must outlive the feeder.
  Feeder(const Sequences& sequences, int64_t element_bytes,
         const TileMoves* moves)
      : sequences_(sequences), bytes_(element_bytes), moves_(moves) {}

  int64_t element_bytes() const { return bytes_; }
  /// The moves of elements of that size.
  const TileMoves& MovesOf(int64_t bytes) const {
    return moves_[std::countr_zero(static_cast<uint64_t>(bytes))];
  }

  /// Elements [begin, end) of the sequence that starts at `in`, a part of one
  /// piece, into partial results. Changes what `feed` says of the elements.
  void Along(const Reduction& kernels, const char* in, int64_t begin,
             int64_t end, char* tile, Feed* feed) const;
  /// The same elements of Feed::n sequences that start side by side.
  void Across(const Reduction& kernels, const char* in, int64_t begin,
              int64_t end, char* tile, Feed* feed) const;

 private:
  const Sequences& sequences_;
  const int64_t bytes_;
  const TileMoves* const moves_;  // by the logarithm of the size
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_REDUCE_FEEDS_H_
