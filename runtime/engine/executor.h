// SPDX-License-Identifier: Apache-2.0
//
// Who runs the tasks of a call: the calling thread, oneTBB, or the host.

#ifndef LANEWISE_RUNTIME_ENGINE_EXECUTOR_H_
#define LANEWISE_RUNTIME_ENGINE_EXECUTOR_H_

#include <cstddef>
#include <memory>

#include "lanewise/lanewise.h"

namespace lanewise {

class Executor {
 public:
  virtual ~Executor() = default;

  /// How many threads a call can count on.
  virtual size_t Threads() const = 0;

  /// task(data, i) once for each i < count, on no more than Threads() threads;
  /// a host's own threads share the tasks as the host likes. False, or an
  /// exception of the threading library, if some tasks have not run.
  virtual bool Run(size_t count, lw_task task, void* data) const = 0;
};

/// A host's parallel_for.
class HostExecutor final : public Executor {
 public:
  HostExecutor(lw_parallel_for host, void* context, size_t threads)
      : host_(host), context_(context), threads_(threads) {}
  size_t Threads() const override { return threads_; }
  bool Run(size_t count, lw_task task, void* data) const override {
    return host_(context_, task, count, data) == 0;
  }

 private:
  lw_parallel_for host_;
  void* context_;
  size_t threads_;
};

/// The threads that one call may use: the executor's, or fewer.
struct Threads {
  const Executor* executor;
  size_t most;  ///< 0: all of the executor's

  size_t count() const {
    const size_t all = executor->Threads();
    return most == 0 || all < most ? all : most;
  }
  /// As Executor::Run, on no more than count() threads.
  bool Run(size_t count, lw_task task, void* data) const;
};

/// `threading` is any number that a host gave. `max_threads` 0 means as many as
/// there are.
lw_status MakeExecutor(int32_t threading, size_t max_threads,
                       lw_parallel_for host, void* host_context,
                       std::unique_ptr<const Executor>* executor);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ENGINE_EXECUTOR_H_
