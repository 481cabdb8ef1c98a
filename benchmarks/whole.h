// SPDX-License-Identifier: Apache-2.0
//
// Figures about the library as a whole.

#ifndef LANEWISE_BENCHMARKS_WHOLE_H_
#define LANEWISE_BENCHMARKS_WHOLE_H_

#include <vector>

#include "benchmarks/cell.h"

namespace lanewise::bench {

/// Counts the allocations of calls through both APIs, with the operators, types
/// and patterns of these cells, and writes the count and the built-in tuning
/// into the context of the JSON file.
void AddWholeLibraryContext(const std::vector<Cell>& cells);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_WHOLE_H_
