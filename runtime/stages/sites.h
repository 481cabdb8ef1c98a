// SPDX-License-Identifier: Apache-2.0
//
// Where the values of a staged chain lie, and how all of them are cut into
// slices: a slice is small enough that what the stages hand on stays in the
// caches.

#ifndef LANEWISE_RUNTIME_STAGES_SITES_H_
#define LANEWISE_RUNTIME_STAGES_SITES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/chain/chain_call.h"
#include "runtime/stages/cut.h"

namespace lanewise {

/// The memory of a value.
struct Site {
  enum Kind : uint8_t { kNone, kInput, kConstant, kOutput, kCounted, kScratch };
  Kind kind = kNone;
  size_t index = 0;  ///< of the tensor; kScratch: the offset in bytes;
                     ///< kCounted: none, the numbers are the same for all
  size_t bytes = 0;  ///< of an element
  int32_t type = 0;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;  ///< in elements
  /// For each dim of the value: the dim of the frame.
  std::vector<int32_t> frame_dims;
};

/// The dims that all values have in common, aligned as the steps that read the
/// values tell, and how these are cut.
struct Frame {
  std::vector<int64_t> dims;
  int64_t elements = 0;
  /// Outer to inner: dims that every reduction keeps, or divides into groups of
  /// one size, and that every value has in full or not at all.
  std::vector<int32_t> free;
  size_t split = 0;    ///< so many of `free` have one index in each slice,
  int64_t extent = 1;  ///< and the next one has so many, in whole groups,
  int64_t whole = 1;   ///< out of so many
  int64_t slices = 1;
};

/// All values of a call, and their frame.
struct Sites {
  std::vector<Site> values;  ///< by number
  Frame frame;
};

/// The sites of a checked call. Scratch has no offsets yet.
void FindSites(const Stages& stages, const ChainCall& call, size_t threads,
               Sites* sites);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_STAGES_SITES_H_
