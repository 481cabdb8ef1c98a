// SPDX-License-Identifier: Apache-2.0
//
// What a host may do to the library at the worst moment: fork, destroy engines
// in use, tear arenas down, run tasks in any order and under any rounding mode,
// call from a thousand threads.

#include <gtest/gtest.h>
#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

#if LANEWISE_HAVE_TBB
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#endif

namespace lanewise::test {
namespace {

constexpr size_t kCount = 20'000;

/// One division on many elements, and its right answer.
struct Division {
  Array a = RandomBits(LW_FLOAT32, kCount, 1);
  Array b = RandomBits(LW_FLOAT32, kCount, 2);
  Array expected;

  Division() {
    const EnginePtr serial =
        MakeEngine(OptionsFor({"serial", LW_THREADING_SERIAL, 0}));
    expected = Compute(On(serial.get()), a, b);
  }
  static Subject On(const lw_engine* engine) {
    return TensorApi(engine, {"Div", 14, 2}, LW_FLOAT32);
  }
  bool IsRightOn(const lw_engine* engine) const {
    return SameBits(Compute(On(engine), a, b), expected);
  }
};

EnginePtr Eager(const lw_engine_options& options) {
  return MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
}

// ---- Tasks of a host --------------------------------------------------------

template <class Body>
EnginePtr EngineOn(Body* body) {
  lw_engine_options options = OptionsFor({"host", LW_THREADING_HOST, 4});
  options.parallel_for_context = body;
  options.parallel_for = [](void* context, lw_task task, size_t count,
                            void* data) {
    return (*static_cast<Body*>(context))(task, count, data);
  };
  return Eager(options);
}

TEST(Faults, TasksInAnyOrder) {
  const Division division;
  std::mt19937 random(1);
  auto shuffled = [&](lw_task task, size_t count, void* data) {
    EXPECT_GT(count, 1u);
    std::vector<size_t> order(count);
    for (size_t i = 0; i < count; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t i : order) task(data, i);
    return 0;
  };
  const EnginePtr engine = EngineOn(&shuffled);
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(division.IsRightOn(engine.get()));
  }
}

// The caller's rounding mode decides, and the threads keep their own.
TEST(Faults, ThreadsWithAnotherRoundingMode) {
  const Division division;
  auto upward = [](lw_task task, size_t count, void* data) {
    for (size_t i = 0; i < count; ++i) {
      std::thread([=] {
        std::fesetround(FE_UPWARD);
        task(data, i);
        EXPECT_EQ(std::fegetround(), FE_UPWARD);
      }).join();
    }
    return 0;
  };
  const EnginePtr engine = EngineOn(&upward);
  EXPECT_TRUE(division.IsRightOn(engine.get()));
}

// Each task of the outer call makes a call itself.
TEST(Faults, CallsWithinTasks) {
  const Division division;
  const EnginePtr inner =
      Eager(OptionsFor({"host, 3 threads", LW_THREADING_HOST, 3}));
  auto nested = [&](lw_task task, size_t count, void* data) {
    for (size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(division.IsRightOn(inner.get()));
      task(data, i);
    }
    return 0;
  };
  const EnginePtr engine = EngineOn(&nested);
  EXPECT_TRUE(division.IsRightOn(engine.get()));
}

// ---- Engines that go --------------------------------------------------------

TEST(Faults, EnginesAreDestroyedWhileOthersRun) {
  const Division division;
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr stays = Eager(OptionsFor(threading));
    std::atomic<bool> is_over{false};
    std::thread other([&] {
      while (!is_over) {
        ASSERT_TRUE(division.IsRightOn(Eager(OptionsFor(threading)).get()));
      }
    });
    for (int round = 0; round < 20; ++round) {
      ASSERT_TRUE(division.IsRightOn(stays.get()));
    }
    is_over = true;
    other.join();
  }
}

TEST(Faults, AThousandThreadsOnOneEngine) {
  constexpr int kThreads = 1000;
  const EnginePtr engine = Eager(OptionsFor({"auto", LW_THREADING_AUTO, 0}));
  const OpPtr relu = MakeOp(engine.get(), {"Relu", 14});
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::vector<int32_t> x(2000, i % 2 == 0 ? i : -i);
      const std::vector<int32_t> expected(2000, i % 2 == 0 ? i : 0);
      const int64_t dims[] = {40, 50};
      const lw_tensor view = {x.data(), LW_INT32, 2, dims, nullptr, 8000};
      right +=
          lw_op_run(relu.get(), &view, 1, &view, 1) == LW_OK && x == expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, kThreads);
}

// ---- oneTBB -----------------------------------------------------------------

#if LANEWISE_HAVE_TBB
TEST(Faults, OneTbbWithOneWorker) {
  const Division division;
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism,
                                1);
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    EXPECT_TRUE(division.IsRightOn(Eager(OptionsFor(threading)).get()));
  }
}

TEST(Faults, ArenasComeAndGo) {
  const Division division;
  const EnginePtr joined = Eager(OptionsFor({"", LW_THREADING_TBB_JOIN, 0}));
  for (int round = 0; round < 100; ++round) {
    tbb::task_arena arena(1 + round % 4);
    arena.execute([&] { EXPECT_TRUE(division.IsRightOn(joined.get())); });
    if (round % 2 == 0) arena.terminate();
    const EnginePtr own =
        Eager(OptionsFor({"", LW_THREADING_TBB_OWN, 1 + round % 3}));
    EXPECT_TRUE(division.IsRightOn(own.get()));
  }
}
#endif

// The thread sanitizer does not run in the child of several threads.
#if !defined(_WIN32) && !defined(__SANITIZE_THREAD__)
TEST(Faults, TheChildOfAForkRunsSerially) {
  const Division division;
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine = Eager(OptionsFor(threading));
    EXPECT_TRUE(division.IsRightOn(engine.get()));  // starts the threads
    const bool has_host = threading.threading == LW_THREADING_HOST;
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
      alarm(60);
      const bool is_serial = has_host || lw_engine_threads(engine.get()) == 1;
      const bool is_right = division.IsRightOn(engine.get()) &&
                            division.IsRightOn(Eager(Options()).get());
      _exit(is_serial && is_right ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_TRUE(division.IsRightOn(engine.get())) << "the parent, afterwards";
  }
}
#endif

}  // namespace
}  // namespace lanewise::test
