// SPDX-License-Identifier: Apache-2.0
//
// Figures about the library as a whole.

#ifndef LANEWISE_BENCHMARKS_WHOLE_H_
#define LANEWISE_BENCHMARKS_WHOLE_H_

namespace lanewise::bench {

/// Counts the allocations of calls through both APIs, and writes the count and
/// the built-in tuning into the context of the JSON file.
void AddWholeLibraryContext();

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_WHOLE_H_
