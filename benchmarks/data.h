// SPDX-License-Identifier: Apache-2.0
//
// The memory of the operands, and their values.

#ifndef LANEWISE_BENCHMARKS_DATA_H_
#define LANEWISE_BENCHMARKS_DATA_H_

#include <cstddef>
#include <vector>

#include "benchmarks/cell.h"

namespace lanewise::bench {

/// Memory that is aligned to huge pages. It grows and never shrinks.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();
  /// Returns memory of at least `bytes`, all of which has been touched.
  char* Get(size_t bytes);

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

/// The operands of one cell at a time.
class Arena {
 public:
  /// Fills the inputs and returns the task over them.
  Task Fill(const Cell& cell);
  /// Fills the output with a pattern that no operator leaves there.
  void Poison(const Cell& cell, const Task& task);
  /// A copy of the input that an in-place run overwrites.
  const void* Pristine() const { return pristine_; }

 private:
  Buffer memory_;
  char* pristine_ = nullptr;
};

/// Which values the inputs have.
enum class Values {
  kRealistic,
  kSpecial,  ///< with NaN, infinities, subnormals, zeros and limits
  kWide,     ///< over the operator's whole range
};

/// Makes `count` elements of one input of a cell, encoded in the input's type.
std::vector<char> MakeElements(const Cell& cell, int input, Values values,
                               size_t count);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_DATA_H_
