// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_BENCHMARKS_CHAIN_RUNNERS_H_
#define LANEWISE_BENCHMARKS_CHAIN_RUNNERS_H_

#include "benchmarks/peer.h"

namespace lanewise::bench {

/// How the library computes a chain.
enum class ChainWay {
  kRun,       ///< lw_chain_run
  kPrepared,  ///< a prepared call
  kSteps,     ///< one call of lw_op_run for each step
};

/// Returns nothing for a task that is no chain.
Runner ChainRunner(const Task& task, const lw_engine* engine, ChainWay way);

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_CHAIN_RUNNERS_H_
