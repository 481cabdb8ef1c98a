// SPDX-License-Identifier: Apache-2.0
//
// How a call is split into tasks: a pure function of its size and the tuning.

#ifndef LANEWISE_RUNTIME_PLAN_CHUNKING_H_
#define LANEWISE_RUNTIME_PLAN_CHUNKING_H_

#include <cstddef>

#include "runtime/engine/tuning.h"

namespace lanewise {

struct Chunks {
  size_t count;  ///< tasks; 1: the calling thread does all the work
  size_t size;   ///< elements per task; the last task may have fewer
};

/// `bytes_per_element`: bytes read and written for one output element.
Chunks PlanChunks(size_t elements, size_t bytes_per_element, size_t threads,
                  const Tuning::PerCostClass& tuning);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_CHUNKING_H_
