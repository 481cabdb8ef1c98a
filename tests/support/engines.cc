// SPDX-License-Identifier: Apache-2.0

#include "tests/support/engines.h"

#if LANEWISE_HAVE_TBB
#include <tbb/global_control.h>
#endif

#include <thread>

namespace lanewise::test {

lw_engine_options Options() {
  lw_engine_options options = {};
  options.struct_size = sizeof(options);
  return options;
}

EnginePtr MakeEngine(const lw_engine_options& options) {
  lw_engine* engine = nullptr;
  EXPECT_EQ(lw_engine_create(&options, &engine), LW_OK) << lw_last_error();
  return EnginePtr(engine);
}

std::string EagerThreads() {
  std::string text;
  for (const char* work : {"memory", "division", "transcendental"}) {
    text += std::string(work) + ".serial_bytes 1\n";
    text += std::string(work) + ".chunk_bytes 1\n";
  }
  return text;
}

std::string EagerStreaming() {
  std::string lines;
  for (const char* work : {"memory", "division", "transcendental"}) {
    for (const char* key :
         {".stream_bytes 1\n", ".stream_parallel_bytes 1\n"}) {
      lines += std::string(work) + key;
    }
  }
  return lines;
}

EnginePtr MakeTunedEngine(lw_engine_options options, const char* isa,
                          const std::string& tuning) {
  const TempFile file(TuningHeader(isa) + tuning);
  options.max_isa = isa;
  options.tuning_file = file.path();
  return MakeEngine(options);
}

int32_t HostParallelFor(void* calls, lw_task task, size_t count, void* data) {
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

std::vector<ThreadingCase> AllThreading() {
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

lw_engine_options OptionsFor(const ThreadingCase& threading) {
  lw_engine_options options = Options();
  options.threading = threading.threading;
  options.max_threads = threading.max_threads;
  options.parallel_for = HostParallelFor;
  return options;
}

}  // namespace lanewise::test
