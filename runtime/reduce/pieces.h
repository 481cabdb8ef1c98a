// SPDX-License-Identifier: Apache-2.0
//
// The accumulators of a sequence's pieces, combined in pairs as a tree
// (kernels/reduction.h). Like a binary number that is counted up: level k holds
// the accumulators of 2^k pieces, or none.

#ifndef LANEWISE_RUNTIME_REDUCE_PIECES_H_
#define LANEWISE_RUNTIME_REDUCE_PIECES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/reduction.h"

namespace lanewise {

class Pieces {
 public:
  /// `levels` has room for LevelsOf(pieces) times `n` accumulators, whose
  /// starts lie `step` bytes apart.
  Pieces(const Reduction& kernels, const void* params, char* levels,
         size_t step, size_t n)
      : kernels_(kernels),
        params_(params),
        levels_(levels),
        step_(step),
        n_(n) {}

  static size_t LevelsOf(uint64_t pieces) {
    return static_cast<size_t>(std::bit_width(pieces));
  }

  /// Takes the accumulators of the next piece, which are then free.
  void Add(char* accumulators) {
    size_t level = 0;
    for (; (count_ >> level & 1) != 0; ++level) Prepend(level, accumulators);
    std::memcpy(Level(level), accumulators, Bytes());
    ++count_;
  }

  /// The accumulators of all pieces; `accumulators` has those of none.
  void Finish(char* accumulators) {
    bool has_later = false;
    for (size_t level = 0; count_ >> level != 0; ++level) {
      if ((count_ >> level & 1) == 0) continue;
      if (has_later) {
        Prepend(level, accumulators);
      } else {
        std::memcpy(accumulators, Level(level), Bytes());
      }
      has_later = true;
    }
  }

 private:
  char* Level(size_t level) const { return levels_ + level * step_; }
  size_t Bytes() const { return n_ * kernels_.accumulator_bytes; }
  // What the level holds comes before the accumulators.
  void Prepend(size_t level, char* accumulators) {
    kernels_.combine(params_, Level(level), accumulators, n_);
    std::memcpy(accumulators, Level(level), Bytes());
  }

  const Reduction& kernels_;
  const void* const params_;
  char* const levels_;
  const size_t step_;
  const size_t n_;
  uint64_t count_ = 0;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_REDUCE_PIECES_H_
