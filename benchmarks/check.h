// SPDX-License-Identifier: Apache-2.0
//
// Checks an implementation's answer before the implementation is timed.

#ifndef LANEWISE_BENCHMARKS_CHECK_H_
#define LANEWISE_BENCHMARKS_CHECK_H_

#include <string>

#include "benchmarks/cell.h"
#include "benchmarks/peer.h"

namespace lanewise::bench {

enum class Verdict {
  kRight,
  kLoose,  ///< outside the operator's contract: timed, but not a candidate for
           ///< the fastest peer
  kWrong,  ///< not timed
};

struct Answer {
  Verdict verdict = Verdict::kRight;
  double ulp = 0;       ///< the largest error where the result is normal
  double tiny_ulp = 0;  ///< the largest error where it is subnormal or zero
  std::string reason;   ///< empty if the verdict is kRight
};

/// Runs the task once and checks a sample of the output.
Answer CheckCell(const Cell& cell, const Task& task, const Runner& runner);

/// Runs the peer over the operator's whole range, subnormal results included.
/// A peer that is loose there is loose in every cell of this operator and type.
Answer CheckRange(const Cell& cell, const Peer& peer);

/// Computes everything once, in the one way that the runner offers.
void RunOnce(const Runner& runner, size_t n);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_CHECK_H_
