// SPDX-License-Identifier: Apache-2.0
//
// lanewise itself as something to measure.

#ifndef LANEWISE_BENCHMARKS_LIBRARY_H_
#define LANEWISE_BENCHMARKS_LIBRARY_H_

#include <string>
#include <vector>

#include "benchmarks/options.h"
#include "benchmarks/peer.h"

namespace lanewise::bench {

/// "lanewise", "lanewise@<ISA>" for each ISA of the options, "lanewise+<name>"
/// for each tuning file. With `doors`, for small calls on one thread, also the
/// direct door ("direct") and the bare kernel below both doors ("kernel").
std::vector<Peer> OwnImplementations(const Options& options, bool doors);

/// "Div=division Exp=transcendental ...": the work class of each operator.
std::string WorkClasses();

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_LIBRARY_H_
