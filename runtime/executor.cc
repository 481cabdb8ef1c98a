// SPDX-License-Identifier: Apache-2.0

#include "runtime/executor.h"

#include <algorithm>
#include <thread>

#include "kernels/fp_env.h"
#include "runtime/status.h"

#if LANEWISE_HAVE_TBB
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace lanewise {
namespace {

class SerialExecutor final : public Executor {
 public:
  size_t Threads() const override { return 1; }
  void Run(size_t count, lw_task task, void* data) const override {
    for (size_t i = 0; i < count; ++i) task(data, i);
  }
};

class HostExecutor final : public Executor {
 public:
  HostExecutor(lw_parallel_for host, void* context, size_t threads)
      : host_(host), context_(context), threads_(threads) {}
  size_t Threads() const override { return threads_; }
  void Run(size_t count, lw_task task, void* data) const override {
    host_(context_, task, count, data);
  }

 private:
  lw_parallel_for host_;
  void* context_;
  size_t threads_;
};

#if LANEWISE_HAVE_TBB
// The chunks are planned already: one task each, spread evenly (static), and
// none of the host's other tasks started on a thread that waits here (isolate:
// the host may hold a lock across the call). oneTBB computes in floating point
// itself and clears flags: both callers keep that from their own caller, whose
// exceptions may be unmasked.
void RunInThisArena(size_t count, lw_task task, void* data) {
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<size_t>(0, count, 1),
        [=](const tbb::blocked_range<size_t>& range) {
          for (size_t i = range.begin(); i != range.end(); ++i) task(data, i);
        },
        tbb::static_partitioner());
  });
}

class JoinedTbbExecutor final : public Executor {
 public:
  explicit JoinedTbbExecutor(size_t max_threads) : max_threads_(max_threads) {}
  size_t Threads() const override {
    const auto arena =
        static_cast<size_t>(tbb::this_task_arena::max_concurrency());
    return max_threads_ == 0 ? arena : std::min(arena, max_threads_);
  }
  void Run(size_t count, lw_task task, void* data) const override {
    const FpEnv quiet(FpEnv::Default());
    RunInThisArena(count, task, data);
  }

 private:
  size_t max_threads_;
};

class OwnTbbExecutor final : public Executor {
 public:
  explicit OwnTbbExecutor(size_t max_threads)
      : arena_(max_threads == 0
                   ? tbb::task_arena::automatic
                   : static_cast<int>(std::min(max_threads, Allowed()))) {
    arena_.initialize();
  }
  size_t Threads() const override {
    return static_cast<size_t>(arena_.max_concurrency());
  }
  void Run(size_t count, lw_task task, void* data) const override {
    const FpEnv quiet(FpEnv::Default());
    arena_.execute([=] { RunInThisArena(count, task, data); });
  }

 private:
  // oneTBB tells of a greater wish on stderr, and does not fulfil it.
  static size_t Allowed() {
    return tbb::global_control::active_value(
        tbb::global_control::max_allowed_parallelism);
  }

  mutable tbb::task_arena arena_;  // execute() is safe from any thread
};
#endif  // LANEWISE_HAVE_TBB

}  // namespace

lw_status MakeExecutor(lw_threading threading, size_t max_threads,
                       lw_parallel_for host, void* host_context,
                       std::unique_ptr<const Executor>* executor) {
  // A joined arena has as many threads as its owner gave it: a maximum of our
  // own needs an arena of our own.
  if (threading == LW_THREADING_AUTO) {
    threading = !LANEWISE_HAVE_TBB || max_threads == 1 ? LW_THREADING_SERIAL
                : max_threads == 0                     ? LW_THREADING_TBB_JOIN
                                                       : LW_THREADING_TBB_OWN;
  }
  switch (threading) {
    case LW_THREADING_SERIAL:
      *executor = std::make_unique<SerialExecutor>();
      return LW_OK;
    case LW_THREADING_HOST: {
      if (host == nullptr) {
        return Fail(LW_INVALID_ARGUMENT,
                    "LW_THREADING_HOST needs the option parallel_for");
      }
      const size_t threads =
          max_threads != 0 ? max_threads
                           : std::max(1u, std::thread::hardware_concurrency());
      *executor = std::make_unique<HostExecutor>(host, host_context, threads);
      return LW_OK;
    }
#if LANEWISE_HAVE_TBB
    case LW_THREADING_TBB_JOIN:
      *executor = std::make_unique<JoinedTbbExecutor>(max_threads);
      return LW_OK;
    case LW_THREADING_TBB_OWN:
      *executor = std::make_unique<OwnTbbExecutor>(max_threads);
      return LW_OK;
#else
    case LW_THREADING_TBB_JOIN:
    case LW_THREADING_TBB_OWN:
      return Fail(LW_INVALID_ARGUMENT, "this build is without oneTBB");
#endif
    default:
      return Fail(LW_INVALID_ARGUMENT, "threading %d is no lw_threading",
                  static_cast<int>(threading));
  }
}

}  // namespace lanewise
