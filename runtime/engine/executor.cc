// SPDX-License-Identifier: Apache-2.0
//
// oneTBB has one task per chunk, spread statically and isolated, so that a
// waiting thread does not start the host's other tasks under the host's
// locks. The child of a fork has none of oneTBB's threads: there, calls stay
// on the calling thread.

#include "runtime/engine/executor.h"

#include <algorithm>
#include <atomic>
#include <thread>

#if !defined(_WIN32)
#include <pthread.h>
#endif

#include "kernels/fp_env.h"
#include "runtime/engine/status.h"

#if LANEWISE_HAVE_TBB
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace lanewise {
namespace {

bool RunSerially(size_t count, lw_task task, void* data) {
  for (size_t i = 0; i < count; ++i) task(data, i);
  return true;
}

class SerialExecutor final : public Executor {
 public:
  size_t Threads() const override { return 1; }
  bool Run(size_t count, lw_task task, void* data) const override {
    return RunSerially(count, task, data);
  }
};

// Tasks that are handed over in shares, one share for each thread that may
// work: whoever runs the shares cannot use more threads than there are shares.
struct Shares {
  size_t shares;
  size_t count;
  lw_task task;
  void* data;

  static void RunShare(void* self, size_t share) {
    const auto& all = *static_cast<const Shares*>(self);
    const size_t begin = all.count * share / all.shares;
    const size_t end = all.count * (share + 1) / all.shares;
    for (size_t i = begin; i < end; ++i) all.task(all.data, i);
  }
};

#if LANEWISE_HAVE_TBB
// The child of a fork has none of oneTBB's threads, but may have their locks,
// as the last thread to run left them. In the child of a process that has used
// oneTBB, calls therefore stay on the calling thread.
std::atomic<bool> tbb_is_used{false};
std::atomic<bool> is_child_without_threads{false};

void WatchForks() {
#if !defined(_WIN32)
  static const int unused = pthread_atfork(
      nullptr, nullptr, [] { is_child_without_threads = tbb_is_used.load(); });
  static_cast<void>(unused);
#endif
}

bool StaysOnThisThread() {
  return is_child_without_threads.load(std::memory_order_relaxed);
}

// The chunks are planned already, so that each is one task, and tasks are
// spread evenly (static partitioner). A thread that waits here must not start
// another task of the host (isolate), because the host may hold a lock across
// the call. oneTBB itself computes in floating point and clears flags. Both
// callers therefore set the default environment, as their own caller may have
// unmasked exceptions.
void RunInThisArena(size_t count, lw_task task, void* data) {
  tbb_is_used.store(true, std::memory_order_relaxed);
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
  explicit JoinedTbbExecutor(size_t max_threads) : max_threads_(max_threads) {
    WatchForks();
  }
  size_t Threads() const override {
    if (StaysOnThisThread()) return 1;
    const auto arena =
        static_cast<size_t>(tbb::this_task_arena::max_concurrency());
    return max_threads_ == 0 ? arena : std::min(arena, max_threads_);
  }
  bool Run(size_t count, lw_task task, void* data) const override {
    if (StaysOnThisThread()) return RunSerially(count, task, data);
    const FpEnv quiet(FpEnv::Default());
    if (max_threads_ == 0 || count <= max_threads_) {
      RunInThisArena(count, task, data);
    } else {
      // The arena may have more threads than this executor was allowed.
      Shares shares = {max_threads_, count, task, data};
      RunInThisArena(max_threads_, Shares::RunShare, &shares);
    }
    return true;
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
    WatchForks();
    arena_.initialize();
  }
  size_t Threads() const override {
    if (StaysOnThisThread()) return 1;
    return static_cast<size_t>(arena_.max_concurrency());
  }
  bool Run(size_t count, lw_task task, void* data) const override {
    if (StaysOnThisThread()) return RunSerially(count, task, data);
    const FpEnv quiet(FpEnv::Default());
    arena_.execute([=] { RunInThisArena(count, task, data); });
    return true;
  }

 private:
  // oneTBB would print a warning for more threads than it allows.
  static size_t Allowed() {
    return tbb::global_control::active_value(
        tbb::global_control::max_allowed_parallelism);
  }

  mutable tbb::task_arena arena_;  // execute() is safe from any thread
};
#endif  // LANEWISE_HAVE_TBB

}  // namespace

bool Threads::Run(size_t count, lw_task task, void* data) const {
  if (most == 0 || count <= most) return executor->Run(count, task, data);
  Shares shares = {most, count, task, data};
  return executor->Run(most, Shares::RunShare, &shares);
}

lw_status MakeExecutor(int32_t threading, size_t max_threads,
                       lw_parallel_for host, void* host_context,
                       std::unique_ptr<const Executor>* executor) {
  // The default joins the caller's arena, which has as many threads as its
  // owner gave it; a maximum of our own is better served by an arena of our
  // own.
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
                  threading);
  }
}

}  // namespace lanewise
