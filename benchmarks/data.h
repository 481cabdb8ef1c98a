// SPDX-License-Identifier: Apache-2.0
//
// The operands' memory and what is in it.

#ifndef LANEWISE_BENCHMARKS_DATA_H_
#define LANEWISE_BENCHMARKS_DATA_H_

#include <cstddef>
#include <vector>

#include "benchmarks/cell.h"

namespace lanewise::bench {

/// Memory for one operand, aligned to huge pages; it grows, never shrinks.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();
  /// At least `bytes`, all of them touched.
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
  void Poison(const Task& task);
  /// What is behind the input that an in-place run overwrites.
  const void* Pristine() { return pristine_.Get(1); }

 private:
  Buffer a_, b_, out_, pristine_;
};

/// Which values an operator gets.
enum class Values {
  kRealistic,
  kSpecial,  ///< NaN, infinities, subnormals, zeros, limits among them
  kWide,     ///< all over what has a finite result, subnormal ones included
};

/// `count` elements of input `input` (0 or 1) of an operator, encoded.
std::vector<char> MakeElements(std::string_view op, lw_type type, int input,
                               Values values, size_t count);

/// One element as a number, exactly; integers up to 64 bits too.
long double Decode(lw_type type, const void* element);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_DATA_H_
