// SPDX-License-Identifier: Apache-2.0
//
// Which instruction sets there are, and which one to use.

#ifndef LANEWISE_RUNTIME_ISA_H_
#define LANEWISE_RUNTIME_ISA_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise {

/// The Highway targets that this build holds and this CPU runs, as a bit mask;
/// a lower bit is a better target.
int64_t RunnableTargets();

/// The best target that is not above `max_isa` (nullptr or "": the best that
/// Highway would choose). LW_UNKNOWN_ISA for a name that is no instruction set
/// and where nothing runnable is left below it.
lw_status ChooseTarget(const char* max_isa, int64_t* target);

/// "AVX2", ...
const char* TargetName(int64_t target);

/// The CPU's own name for itself, for the keys of tuning files.
const char* CpuName();

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ISA_H_
