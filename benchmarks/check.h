// SPDX-License-Identifier: Apache-2.0
//
// Nothing is timed before its answer is known to be right.

#ifndef LANEWISE_BENCHMARKS_CHECK_H_
#define LANEWISE_BENCHMARKS_CHECK_H_

#include <string>

#include "benchmarks/cell.h"
#include "benchmarks/peer.h"

namespace lanewise::bench {

enum class Verdict {
  kRight,
  kLoose,  ///< outside the operator's contract by more than a little: the bar
           ///< does not count it
  kWrong,  ///< not timed
};

struct Answer {
  Verdict verdict = Verdict::kRight;
  double ulp = 0;       ///< the largest error where the result is normal
  double tiny_ulp = 0;  ///< and where it is subnormal or zero
  std::string reason;   ///< of a verdict that is not kRight
};

/// Runs the task once and looks at a sample of its output.
Answer CheckCell(const Cell& cell, const Task& task, const Runner& runner);

/// Runs the peer over the operator's whole range, subnormal results included:
/// what is loose there is loose in every cell of this operator and type.
Answer CheckRange(const Cell& cell, const Peer& peer);

/// Computes everything once, whichever way the runner has.
void RunOnce(const Runner& runner, size_t n);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_CHECK_H_
