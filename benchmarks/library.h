// SPDX-License-Identifier: Apache-2.0
//
// lanewise itself as something to measure.

#ifndef LANEWISE_BENCHMARKS_LIBRARY_H_
#define LANEWISE_BENCHMARKS_LIBRARY_H_

#include <string>
#include <vector>

#include "benchmarks/peer.h"

namespace lanewise::bench {

/// "lanewise", and "lanewise@<ISA>" for each of `isas`. With `doors`, for small
/// calls on one thread, also the direct door ("direct") and the bare kernel
/// below both doors ("kernel"). "lanewise+<name>" for each tuning file.
std::vector<Peer> OwnImplementations(const std::vector<std::string>& isas,
                                     const std::vector<std::string>& tunings,
                                     bool doors);

/// "Div=division Exp=transcendental ...": the work class of each operator.
std::string WorkClasses();

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_LIBRARY_H_
