// SPDX-License-Identifier: Apache-2.0
//
// The available instruction sets, and the choice among them.

#ifndef LANEWISE_RUNTIME_ENGINE_ISA_H_
#define LANEWISE_RUNTIME_ENGINE_ISA_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise {

/// The Highway targets that are in this build and that this CPU can run, as a
/// bit mask. A lower bit is a better target.
int64_t RunnableTargets();

/// The best target that is not above `max_isa`. nullptr or "" selects Highway's
/// default. LW_UNKNOWN_ISA if `max_isa` is not the name of an instruction set,
/// if no runnable target is at or below it, or if this build has no target for
/// this CPU.
lw_status ChooseTarget(const char* max_isa, int64_t* target);

/// The target, and all worse ones that this CPU runs by default, as a bit mask:
/// an operator without code for a target takes that of the next.
int64_t TargetsFrom(int64_t target);

/// For example "AVX2".
const char* TargetName(int64_t target);

/// The model name that the CPU reports, used as a key in tuning files.
const char* CpuName();

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ENGINE_ISA_H_
