// SPDX-License-Identifier: Apache-2.0

#include "runtime/engine/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/engines.h"

#if LANEWISE_HAVE_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace lanewise::test {
namespace {

using namespace std::chrono_literals;

using ExecutorPtr = std::unique_ptr<const Executor>;

ExecutorPtr Make(const ThreadingCase& threading, void* context = nullptr) {
  ExecutorPtr executor;
  EXPECT_EQ(MakeExecutor(threading.threading,
                         static_cast<size_t>(threading.max_threads),
                         HostParallelFor, context, &executor),
            LW_OK);
  return executor;
}

// Counts how often each index is run.
class Tally {
 public:
  explicit Tally(size_t count) : counts_(count) {}
  static void Task(void* data, size_t index) {
    ++static_cast<Tally*>(data)->counts_.at(index);
  }
  void ExpectAll(int times) const {
    for (const std::atomic<int>& count : counts_) ASSERT_EQ(count, times);
  }

 private:
  std::vector<std::atomic<int>> counts_;
};

TEST(Executor, RunsEachIndexOnce) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const ExecutorPtr executor = Make(threading);
    for (const size_t count : {0, 1, 2, 3, 8, 97}) {
      Tally tally(count);
      executor->Run(count, Tally::Task, &tally);
      tally.ExpectAll(1);
    }
  }
}

TEST(Executor, ServesManyThreadsAtOnce) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const ExecutorPtr executor = Make(threading);
    Tally tally(20);
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
      callers.emplace_back([&] { executor->Run(20, Tally::Task, &tally); });
    }
    for (std::thread& caller : callers) caller.join();
    tally.ExpectAll(4);
  }
}

TEST(Executor, SerialStaysOnTheThreadAndInOrder) {
  struct Order {
    std::thread::id thread = std::this_thread::get_id();
    size_t next = 0;
  } order;
  const ExecutorPtr executor = Make({"serial", LW_THREADING_SERIAL, 4});
  EXPECT_EQ(executor->Threads(), 1u);
  executor->Run(
      10,
      [](void* data, size_t index) {
        auto* seen = static_cast<Order*>(data);
        EXPECT_EQ(seen->thread, std::this_thread::get_id());
        EXPECT_EQ(seen->next++, index);
      },
      &order);
  EXPECT_EQ(order.next, 10u);
}

TEST(Executor, CallsTheHostOncePerRun) {
  std::atomic<int> calls{0};
  const ExecutorPtr executor = Make({"host", LW_THREADING_HOST, 5}, &calls);
  EXPECT_EQ(executor->Threads(), 5u);
  Tally tally(17);
  executor->Run(17, Tally::Task, &tally);
  executor->Run(17, Tally::Task, &tally);
  tally.ExpectAll(2);
  EXPECT_EQ(calls, 2);
}

TEST(Executor, AutoIsSerialForOneThread) {
  EXPECT_EQ(Make({"auto", LW_THREADING_AUTO, 1})->Threads(), 1u);
}

TEST(Executor, BadRequests) {
  ExecutorPtr executor;
  EXPECT_EQ(MakeExecutor(LW_THREADING_HOST, 2, nullptr, nullptr, &executor),
            LW_INVALID_ARGUMENT);
  EXPECT_NE(std::string(lw_last_error()).find("parallel_for"),
            std::string::npos);
#if !LANEWISE_HAVE_TBB
  for (const lw_threading threading :
       {LW_THREADING_TBB_JOIN, LW_THREADING_TBB_OWN}) {
    EXPECT_EQ(MakeExecutor(threading, 2, nullptr, nullptr, &executor),
              LW_INVALID_ARGUMENT);
  }
#endif
  EXPECT_EQ(executor, nullptr);
}

// A C++ host may throw from its callback. No exception may cross the C ABI.
TEST(Executor, ThrowingHostGivesAStatus) {
  lw_engine_options options = OptionsFor({"host", LW_THREADING_HOST, 3});
  options.parallel_for = [](void*, lw_task, size_t, void*) -> int32_t {
    throw std::runtime_error("no threads today");
  };
  const EnginePtr engine =
      MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
  const Subject relu = TensorApi(engine.get(), {"Relu", 14}, LW_INT8);
  std::vector<int8_t> x(5000);
  EXPECT_EQ(relu.compute(x.data(), nullptr, x.data(), x.size()),
            LW_THREADING_FAILED);
  EXPECT_NE(std::string(lw_last_error()).find("no threads today"),
            std::string::npos);
}

#if LANEWISE_HAVE_TBB
TEST(Executor, OwnArenaHasAsManyThreadsAsAskedFor) {
  AllThreading();  // allows oneTBB four threads on any machine
  for (const int32_t threads : {1, 2, 3}) {
    EXPECT_EQ(Make({"own", LW_THREADING_TBB_OWN, threads})->Threads(),
              static_cast<size_t>(threads));
  }
}

TEST(Executor, JoinedArenaIsTheCallers) {
  const ExecutorPtr executor = Make({"joined", LW_THREADING_TBB_JOIN, 0});
  for (const int threads : {1, 2, 3}) {
    tbb::task_arena arena(threads);
    EXPECT_EQ(arena.execute([&] { return executor->Threads(); }),
              static_cast<size_t>(threads));
  }
}

// Each outer task runs inner tasks. A thread that waits for its inner tasks
// must not start another outer task in the meantime, because the host may hold
// a lock.
TEST(Executor, NestsInAParallelFor) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const ExecutorPtr executor = Make(threading);
    Tally tally(50);
    std::atomic<int> reentered{0};
    tbb::parallel_for(0, 40, [&](int) {
      static thread_local bool inside = false;
      reentered += inside;
      inside = true;
      executor->Run(50, Tally::Task, &tally);
      inside = false;
    });
    tally.ExpectAll(40);
    EXPECT_EQ(reentered, 0);
  }
}

/// How many tasks run at once. A task waits for others to join it, but not for
/// ever: where there is no further thread, none comes.
class Crowd {
 public:
  Crowd(size_t enough, std::chrono::milliseconds patience)
      : enough_(enough), patience_(patience) {}
  static void Task(void* data, size_t /*index*/) {
    Crowd& crowd = *static_cast<Crowd*>(data);
    const size_t running = ++crowd.running_;
    size_t most = crowd.most_;
    while (running > most &&
           !crowd.most_.compare_exchange_weak(most, running)) {
    }
    // Not by a number of yields: on a busy machine each takes milliseconds.
    const auto end = std::chrono::steady_clock::now() + crowd.patience_;
    while (crowd.most_ < crowd.enough_ &&
           std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    --crowd.running_;
  }
  size_t most() const { return most_; }

 private:
  const size_t enough_;
  const std::chrono::milliseconds patience_;
  std::atomic<size_t> running_{0};
  std::atomic<size_t> most_{0};
};

size_t MostAtOnce(lw_threading threading, int32_t of_engine, size_t of_call,
                  std::chrono::milliseconds patience = 2ms) {
  AllThreading();  // lets oneTBB have four threads on any machine
  const ExecutorPtr executor = Make({"oneTBB", threading, of_engine});
  Crowd crowd(3, patience);
  tbb::task_arena arena(4);
  arena.execute([&] {
    EXPECT_TRUE(
        Threads({executor.get(), of_call}).Run(64, Crowd::Task, &crowd));
  });
  return crowd.most();
}

// The arena has four threads; the engine, or the call, is allowed two.
TEST(Executor, OneTbbKeepsToMaxThreads) {
  EXPECT_LE(MostAtOnce(LW_THREADING_TBB_JOIN, 2, 0), 2u);
  EXPECT_LE(MostAtOnce(LW_THREADING_TBB_JOIN, 0, 2), 2u);
  EXPECT_LE(MostAtOnce(LW_THREADING_TBB_JOIN, 3, 2), 2u);
  EXPECT_LE(MostAtOnce(LW_THREADING_TBB_JOIN, 2, 3), 2u);
  EXPECT_LE(MostAtOnce(LW_THREADING_TBB_OWN, 2, 0), 2u);
  EXPECT_LE(MostAtOnce(LW_THREADING_TBB_OWN, 3, 2), 2u);
  EXPECT_EQ(MostAtOnce(LW_THREADING_TBB_JOIN, 0, 1), 1u);
}

// Else the test before this one would say nothing.
TEST(Executor, OneTbbUsesThreeWhereItMay) {
  constexpr auto kLong = 10s;
  EXPECT_GT(MostAtOnce(LW_THREADING_TBB_JOIN, 0, 0, kLong), 2u);
  EXPECT_GT(MostAtOnce(LW_THREADING_TBB_JOIN, 0, 3, kLong), 2u);
}
#endif

}  // namespace
}  // namespace lanewise::test
