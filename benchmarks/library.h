// SPDX-License-Identifier: Apache-2.0
//
// lanewise's own implementations, described as peers.

#ifndef LANEWISE_BENCHMARKS_LIBRARY_H_
#define LANEWISE_BENCHMARKS_LIBRARY_H_

#include <string>
#include <vector>

#include "benchmarks/options.h"
#include "benchmarks/peer.h"

namespace lanewise::bench {

/// Returns "lanewise", "lanewise+fast" and "lanewise+exact" (engines of these
/// grades, where they have kernels of their own), each with "@<ISA>" for each
/// ISA of the options, and "lanewise+<name>" for each tuning file. With
/// `both_apis`, also returns the kernel API ("direct"), the bare kernel below
/// both APIs ("kernel") and a prepared call ("prepared"), which run small calls
/// on one thread only.
std::vector<Peer> OwnImplementations(const Options& options, bool both_apis);

/// "Div=division Exp=transcendental ...": the work class of each operator.
std::string WorkClasses();

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_LIBRARY_H_
