// SPDX-License-Identifier: Apache-2.0
//
// Engines with every way of running on several threads, and with tuning that
// makes small calls take the paths of large ones.

#ifndef LANEWISE_TESTS_SUPPORT_ENGINES_H_
#define LANEWISE_TESTS_SUPPORT_ENGINES_H_

#include <gtest/gtest.h>

#if LANEWISE_HAVE_TBB
#include <tbb/global_control.h>
#endif

#include <atomic>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/engine/isa.h"
#include "tests/support/subject.h"
#include "tests/support/system.h"

namespace lanewise::test {

inline lw_engine_options Options() {
  lw_engine_options options = {};
  options.struct_size = sizeof(options);
  return options;
}

inline EnginePtr MakeEngine(const lw_engine_options& options) {
  lw_engine* engine = nullptr;
  EXPECT_EQ(lw_engine_create(&options, &engine), LW_OK) << lw_last_error();
  return EnginePtr(engine);
}

/// A file of the test's own that goes when the object goes.
class TempFile {
 public:
  explicit TempFile(const std::string& text) {
    static std::atomic<int> count{0};
    path_ = testing::TempDir() + "lanewise." + std::to_string(ProcessId()) +
            "." + std::to_string(count++);
    std::ofstream(path_) << text;
  }
  ~TempFile() { std::remove(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

/// The first line of a tuning section for this machine.
inline std::string TuningHeader(const char* isa) {
  return std::string("[cpu=\"") + CpuName() + "\" isa=" + isa +
         " version=" + lw_version() + "]\n";
}

/// Every call of more than one chunk of the smallest size uses threads.
inline std::string EagerThreads() {
  std::string text;
  for (const char* work : {"memory", "division", "transcendental"}) {
    text += std::string(work) + ".serial_bytes 1\n";
    text += std::string(work) + ".chunk_bytes 1\n";
  }
  return text;
}

/// Every call that is not in place stores past the caches.
inline std::string EagerStreaming() {
  std::string lines;
  for (const char* work : {"memory", "division", "transcendental"}) {
    for (const char* key :
         {".stream_bytes 1\n", ".stream_parallel_bytes 1\n"}) {
      lines += std::string(work) + key;
    }
  }
  return lines;
}

/// An engine on one instruction set with `tuning` in its section.
inline EnginePtr MakeTunedEngine(lw_engine_options options, const char* isa,
                                 const std::string& tuning) {
  const TempFile file(TuningHeader(isa) + tuning);
  options.max_isa = isa;
  options.tuning_file = file.path();
  return MakeEngine(options);
}

/// A host's parallel_for: each task on a thread of its own, at most eight at a
/// time, the last ones first.
inline int32_t HostParallelFor(void* calls, lw_task task, size_t count,
                               void* data) {
  if (calls != nullptr) ++*static_cast<std::atomic<int>*>(calls);
  while (count > 0) {
    std::vector<std::thread> threads;
    for (; count > 0 && threads.size() < 8; --count) {
      threads.emplace_back(task, data, count - 1);
    }
    for (std::thread& thread : threads) thread.join();
  }
  return 0;
}

struct ThreadingCase {
  const char* name;
  lw_threading threading;
  int32_t max_threads;
};

/// Every way that this build has. Three threads are three on smaller machines
/// too.
inline std::vector<ThreadingCase> AllThreading() {
#if LANEWISE_HAVE_TBB
  static const tbb::global_control enough(
      tbb::global_control::max_allowed_parallelism, 4);
#endif
  return {
    {"serial", LW_THREADING_SERIAL, 0},
        {"host, 1 thread", LW_THREADING_HOST, 1},
        {"host, 2 threads", LW_THREADING_HOST, 2},
        {"host, 3 threads", LW_THREADING_HOST, 3},
        {"auto, 1 thread", LW_THREADING_AUTO, 1},
#if LANEWISE_HAVE_TBB
        {"auto", LW_THREADING_AUTO, 0},
        {"joined, 2 threads", LW_THREADING_TBB_JOIN, 2},
        {"joined", LW_THREADING_TBB_JOIN, 0},
        {"own arena, 1 thread", LW_THREADING_TBB_OWN, 1},
        {"own arena, 2 threads", LW_THREADING_TBB_OWN, 2},
        {"own arena, 3 threads", LW_THREADING_TBB_OWN, 3},
#endif
  };
}

inline lw_engine_options OptionsFor(const ThreadingCase& threading) {
  lw_engine_options options = Options();
  options.threading = threading.threading;
  options.max_threads = threading.max_threads;
  options.parallel_for = HostParallelFor;
  return options;
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ENGINES_H_
