// SPDX-License-Identifier: Apache-2.0
//
// A pass of a chain as a plan: its inputs and outputs are the plan's operands,
// and what computes the rows is a program in place of a kernel.

#ifndef LANEWISE_RUNTIME_CHAIN_CHAIN_PLAN_H_
#define LANEWISE_RUNTIME_CHAIN_CHAIN_PLAN_H_

#include <cstdint>
#include <vector>

#include "runtime/chain/chain_call.h"
#include "runtime/chain/chain_program.h"
#include "runtime/engine/executor.h"
#include "runtime/plan/own_job.h"
#include "runtime/plan/plan.h"

namespace lanewise {

struct ChainPlan {
  /// For passes of up to `rank` dims.
  ChainPlan(const Chain& chain, size_t rank, MemoryParts& parts);
  ChainPlan(const ChainPlan&) = delete;
  ChainPlan& operator=(const ChainPlan&) = delete;

  int64_t* const numbers;  ///< of the plan
  Plan plan;
  PassLayout layout;
  ChainProgram program;
};

void MakeChainPlan(const ChainCall& call, const ChainPass& pass,
                   ChainPlan* made);

/// One run of a pass: what its program finds in Setup::params.
struct ChainRun {
  const ChainPlan& made;
  void* const* data;   ///< of the chain's inputs, then its outputs
  SharedZeros* zeros;  ///< an entry for each step, or nullptr

  /// An input or a constant.
  const void* DataOf(int32_t root) const {
    const Chain& chain = made.layout.call->chain();
    const auto index = static_cast<size_t>(root);
    if (index < chain.inputs()) return data[index];
    return chain.constants[index - chain.inputs()].tensor.data;
  }
};

/// Memory that steps read in whole cache lines.
struct alignas(64) CacheLine {
  char bytes[64];
};
/// The spread elements that are constants, for ChainProgram::ready_spreads.
std::vector<CacheLine> ReadySpreads(const ChainPlan& made);

/// Runs a pass on the rows of a job. Does not read Setup::params.
void RunChainRows(const ChainRun& run, const Setup& setup,
                  const void* const* in, size_t n);
/// The kernel of all chains.
lw_status ChainKernel(const Setup* setup, const void* const* in, void* out,
                      size_t n, Zeros* zeros) noexcept;

lw_status RunChainPlan(const ChainRun& run, const Threads& threads);

/// The operands of the plan.
void FindOperands(const ChainRun& run, void** operands);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_CHAIN_PLAN_H_
