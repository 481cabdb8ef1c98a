// SPDX-License-Identifier: Apache-2.0
//
// Figures of the library as a whole.

#ifndef LANEWISE_BENCHMARKS_WHOLE_H_
#define LANEWISE_BENCHMARKS_WHOLE_H_

namespace lanewise::bench {

/// Memory allocated per call through both doors, into the JSON's context.
void AddWholeLibraryContext();

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_WHOLE_H_
