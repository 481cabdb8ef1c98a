// SPDX-License-Identifier: Apache-2.0
//
// The threads of this package. The wheel contains no oneTBB: a package that
// needs nothing but NumPy cannot load one, and a copy of its own would not
// share threads.
#ifndef LANEWISE_PYTHON_POOL_H_
#define LANEWISE_PYTHON_POOL_H_

#include <cstddef>
#include <cstdint>

#include "lanewise/lanewise.h"

namespace lanewise_python {

/// To be called once, before all else. False if there is no memory.
bool PreparePool();

/// An lw_parallel_for on threads that all engines share. `most` is no pointer,
/// but how many threads may work, the caller's included. Calls from several
/// threads at once, and calls in the child of a fork, are fine.
int32_t RunOnPool(void* most, lw_task task, size_t count, void* data);

/// How many processors this process may use.
int32_t Processors();

}  // namespace lanewise_python

#endif  // LANEWISE_PYTHON_POOL_H_
