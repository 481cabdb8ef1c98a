// SPDX-License-Identifier: Apache-2.0
//
// How a call is cut into tasks: a pure function of its size and the tuning.

#ifndef LANEWISE_RUNTIME_CHUNKING_H_
#define LANEWISE_RUNTIME_CHUNKING_H_

#include <cstddef>

#include "runtime/tuning.h"

namespace lanewise {

struct Chunks {
  size_t count;  ///< tasks; 1 means that the calling thread does it all
  size_t size;   ///< elements in each but the last, which may have fewer
};

/// `bytes_per_element` counts what is read and written for one output.
Chunks PlanChunks(size_t elements, size_t bytes_per_element, size_t threads,
                  const Tuning::PerWork& tuning);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHUNKING_H_
