// SPDX-License-Identifier: Apache-2.0
//
// Engines with every way of running on several threads, and with tuning that
// makes small calls take the paths of large ones.

#ifndef LANEWISE_TESTS_SUPPORT_ENGINES_H_
#define LANEWISE_TESTS_SUPPORT_ENGINES_H_

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/engine/isa.h"
#include "tests/support/subject.h"
#include "tests/support/system.h"

namespace lanewise::test {

lw_engine_options Options();

EnginePtr MakeEngine(const lw_engine_options& options);

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
std::string EagerThreads();

/// Every call that is not in place stores past the caches.
std::string EagerStreaming();

/// An engine on one instruction set with `tuning` in its section.
EnginePtr MakeTunedEngine(lw_engine_options options, const char* isa,
                          const std::string& tuning);

/// A host's parallel_for: each task on a thread of its own, at most eight at a
/// time, the last ones first.
int32_t HostParallelFor(void* calls, lw_task task, size_t count, void* data);

struct ThreadingCase {
  const char* name;
  lw_threading threading;
  int32_t max_threads;
};

/// Every way that this build has. Three threads are three on smaller machines
/// too.
std::vector<ThreadingCase> AllThreading();

lw_engine_options OptionsFor(const ThreadingCase& threading);

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ENGINES_H_
