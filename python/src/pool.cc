// SPDX-License-Identifier: Apache-2.0

#include "pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#if !defined(_WIN32)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace lanewise_python {
namespace {

/// The tasks of one call. Threads take them one by one, the caller too.
struct Batch {
  lw_task task;
  void* data;
  size_t count;
  size_t places;  // how many more threads may help
  std::atomic<size_t> next{0}, done{0};

  void Work() {
    for (size_t i; (i = next.fetch_add(1)) < count;) {
      task(data, i);
      done.fetch_add(1);
    }
  }
  bool wants_help() const { return places > 0 && next.load() < count; }
};

class Pool {
 public:
  /// Threads that could not be started only make the call slower.
  void Run(lw_task task, size_t count, void* data, size_t most) {
    auto batch = std::make_shared<Batch>();
    batch->task = task;
    batch->data = data;
    batch->count = count;
    batch->places = std::min(count, most) - 1;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      while (threads_ < batch->places && Start()) ++threads_;
      batch_ = batch;
    }
    arrived_.notify_all();
    batch->Work();
    std::unique_lock<std::mutex> lock(mutex_);
    finished_.wait(lock, [&] { return batch->done.load() == count; });
  }

 private:
  bool Start() {
    try {
      std::thread([this] { Serve(); }).detach();
      return true;
    } catch (...) {
      return false;
    }
  }
  void Serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      arrived_.wait(lock, [&] { return batch_ && batch_->wants_help(); });
      const std::shared_ptr<Batch> batch = batch_;
      --batch->places;
      lock.unlock();
      batch->Work();
      lock.lock();
      finished_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable arrived_, finished_;
  std::shared_ptr<Batch> batch_;  // the newest one
  size_t threads_ = 0;
};

// Never destroyed: its threads may still wait while the program exits. No
// static variable of a function: the child of a fork would wait for ever for a
// thread of its parent that was making the pool.
std::atomic<Pool*> pool{nullptr};

Pool* ThePool() {
  Pool* found = pool.load();
  if (found != nullptr) return found;
  Pool* const made = new Pool;
  if (pool.compare_exchange_strong(found, made)) return made;
  delete made;  // another thread was first
  return found;
}

}  // namespace

bool PreparePool() {
#if defined(_WIN32)
  return true;
#else
  // The child of a fork has none of the threads, and perhaps a locked mutex:
  // its first call makes a new pool.
  return pthread_atfork(nullptr, nullptr, [] { pool.store(nullptr); }) == 0;
#endif
}

int32_t RunOnPool(void* most, lw_task task, size_t count, void* data) {
  if (count == 0) return 0;
  try {
    ThePool()->Run(task, count, data, reinterpret_cast<size_t>(most));
    return 0;
  } catch (...) {
    return 1;  // no memory; no task has run
  }
}

int32_t Processors() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return static_cast<int32_t>(
      std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace lanewise_python
