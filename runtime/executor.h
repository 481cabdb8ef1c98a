// SPDX-License-Identifier: Apache-2.0
//
// Who runs the tasks of a call: the calling thread, oneTBB, or the host.

#ifndef LANEWISE_RUNTIME_EXECUTOR_H_
#define LANEWISE_RUNTIME_EXECUTOR_H_

#include <cstddef>
#include <memory>

#include "lanewise/lanewise.h"

namespace lanewise {

class Executor {
 public:
  virtual ~Executor() = default;

  /// How many threads a call can count on.
  virtual size_t Threads() const = 0;

  /// task(data, i) once for each i < count. Every task has run on return.
  virtual void Run(size_t count, lw_task task, void* data) const = 0;
};

/// `max_threads` 0 means as many as there are.
lw_status MakeExecutor(lw_threading threading, size_t max_threads,
                       lw_parallel_for host, void* host_context,
                       std::unique_ptr<const Executor>* executor);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_EXECUTOR_H_
