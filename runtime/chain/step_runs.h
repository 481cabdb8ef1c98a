// SPDX-License-Identifier: Apache-2.0
//
// Which neighbouring instructions of a program run as steps (kernels/step.h),
// and on which lanes: of the elements' own width, or of float32 where the
// elements are 16-bit floats.

#ifndef LANEWISE_RUNTIME_CHAIN_STEP_RUNS_H_
#define LANEWISE_RUNTIME_CHAIN_STEP_RUNS_H_

#include <cstddef>

#include "kernels/step.h"
#include "runtime/chain/chain_program.h"

namespace lanewise {

/// Instructions that run as steps on lanes of one width.
struct StepRun {
  int begin;
  int end;
  size_t lane_bytes;
  Half half;  ///< of the 16-bit floats that are float32 in the lanes
  StepRequest requests[LW_MAX_STEPS];  ///< by instruction
};

/// The longest run from an instruction on; of less than two instructions where
/// there is none.
void FindRun(const Chain& chain, const ChainProgram& program, int begin,
             StepRun* run);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_STEP_RUNS_H_
