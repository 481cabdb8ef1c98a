// SPDX-License-Identifier: Apache-2.0
//
// Runs a plan on data: cuts its loops into chunks, a chunk into rows that the
// kernel takes, and gathers what no kernel takes into tiles first.

#ifndef LANEWISE_RUNTIME_PLAN_PLAN_RUNNER_H_
#define LANEWISE_RUNTIME_PLAN_PLAN_RUNNER_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"
#include "runtime/engine/executor.h"
#include "runtime/plan/plan.h"

namespace lanewise {

/// Computes. `data` has a pointer for each operand of the plan, nullptr for an
/// input left out. Jobs start with a copy of `shared`: Plan::setup, or a
/// chain's own. LW_THREADING_FAILED if not all tasks have run. The caller
/// reports zero divisors.
lw_status RunPlan(const Plan& plan, const Setup& shared, const Threads& threads,
                  void* const* data, lw_zero_divisors* zeros);

/// task(data, i) once for each i < count. LW_THREADING_FAILED if not all tasks
/// have run.
lw_status RunTasks(const Label& label, const Threads& threads, size_t count,
                   lw_task task, void* data);

/// If the plan is one small job (rows as the kernel takes them, one thread, no
/// streaming): returns true and sets the rest of the job.
bool IsOneJob(const Plan& plan, size_t* n, Setup* setup);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_PLAN_RUNNER_H_
