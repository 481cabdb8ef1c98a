// SPDX-License-Identifier: Apache-2.0
//
// Many threads share one engine and one operator. Each thread gets its own
// results and its own error messages.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/chain_parts.h"
#include "tests/support/engines.h"
#include "tests/support/samples.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

constexpr int kThreads = 8;

// Runs body(i) on kThreads threads that all start together.
template <class Body>
void OnManyThreads(const Body& body) {
  std::atomic<int> waiting{kThreads};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Concurrency, OneOperatorForAll) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine =
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads());
    const Subject relu = TensorApi(engine.get(), {"Relu", 14}, LW_INT16);
    const Subject direct = KernelApi(engine.get(), {"Relu", 14}, LW_INT16);
    OnManyThreads([&](int i) {
      const auto seed = static_cast<uint64_t>(i);
      const Array in = RandomBits(LW_INT16, 3000 + 100 * seed, seed);
      const Array expected = Compute(direct, in);
      for (int round = 0; round < 20; ++round) {
        EXPECT_TRUE(SameBits(Compute(relu, in), expected));
      }
    });
  }
}

// A chain remembers the plan of its last call. Some threads agree on a shape,
// some do not.
TEST(Concurrency, OneChainForAll) {
  const OpPtr add = MakeOp(nullptr, {"Add", 14});
  const OpPtr mul = MakeOp(nullptr, {"Mul", 14});
  ChainPtr chain;  // (x + x) * x
  const Parts parts = {
      {LW_FLOAT32}, {}, {{add.get(), {0, 0}}, {mul.get(), {1, 0}}}, {2}};
  ASSERT_EQ(parts.Make(&chain), LW_OK) << lw_last_error();
  OnManyThreads([&](int i) {
    const int64_t n = 1000 + (10 * (i % 3));
    std::vector<float> x(static_cast<size_t>(n)), y(x.size());
    const Tensor in = {LW_FLOAT32, x.data(), {n}};
    const Tensor out = {LW_FLOAT32, y.data(), {n}};
    const lw_tensor from = in.view(), to = out.view();
    for (int round = 0; round < 300; ++round) {
      const auto value = static_cast<float>(i + round);
      x.front() = x.back() = value;
      EXPECT_EQ(lw_chain_run(chain.get(), nullptr, &from, 1, &to, 1), LW_OK);
      EXPECT_EQ(y.front(), 2 * value * value);
      EXPECT_EQ(y.back(), 2 * value * value);
    }
  });
}

// The same with reductions: the plan has memory for what stages hand on, which
// one thread uses at a time. Some calls are shared among threads, too.
TEST(Concurrency, OneChainWithReductionsForAll) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine =
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads());
    const OpPtr add = MakeOp(engine.get(), {"Add", 14});
    const OpPtr sub = MakeOp(engine.get(), {"Sub", 14});
    const int64_t axis = -1;
    const OpPtr sum = MakeOp(engine.get(), {"ReduceSum", 11},
                             {IntsAttribute("axes", &axis, 1)});
    ChainPtr chain;  // x + x - the sums of x + x
    const Parts parts = {
        {LW_FLOAT32},
        {},
        {{add.get(), {0, 0}}, {sum.get(), {1}}, {sub.get(), {1, 2}}},
        {3}};
    ASSERT_EQ(parts.Make(&chain, engine.get()), LW_OK) << lw_last_error();
    OnManyThreads([&](int i) {
      const int64_t rows = 40 + i % 2, columns = 128;
      std::vector<float> x(static_cast<size_t>(rows * columns)), y(x.size());
      const Tensor in = {LW_FLOAT32, x.data(), {rows, columns}};
      const Tensor out = {LW_FLOAT32, y.data(), {rows, columns}};
      const lw_tensor from = in.view(), to = out.view();
      for (int round = 0; round < 20; ++round) {
        const auto value = static_cast<float>(i + round);
        std::fill(x.begin(), x.end(), value);
        EXPECT_EQ(lw_chain_run(chain.get(), nullptr, &from, 1, &to, 1), LW_OK);
        EXPECT_EQ(y, std::vector<float>(y.size(), -254 * value));
      }
    });
  }
}

/// Holds the first who comes, until the others are done.
struct Gate {
  std::atomic<bool> is_closed{false};
  std::atomic<bool> is_reached{false};
  std::atomic<bool> are_done{false};
  bool is_in_vain = false;

  static void Pass(void* context, const char*) {
    Gate& gate = *static_cast<Gate*>(context);
    if (!gate.is_closed.exchange(false)) return;
    gate.is_reached = true;
    for (int k = 0; k < 2000 && !gate.are_done; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    gate.is_in_vain = !gate.are_done;
  }
};

// While a thread writes the recipe for one type, others run those that are
// known, and write others.
TEST(Concurrency, ASlowRecipeStopsNobody) {
  Gate gate;
  lw_engine_options options = OptionsFor({"serial", LW_THREADING_SERIAL, 0});
  options.verbose = "dispatch";
  options.trace = Gate::Pass;
  options.trace_context = &gate;
  const EnginePtr engine = MakeEngine(options);
  const OpPtr hardmax = MakeOp(engine.get(), {"Hardmax", 13});
  const auto run = [&](lw_type type) {
    Array x(type, 6);
    const Tensor tensor = TensorOf(x, {2, 3});
    const lw_tensor view = tensor.view();
    EXPECT_EQ(lw_op_run(hardmax.get(), &view, 1, &view, 1), LW_OK)
        << lw_last_error();
  };
  run(LW_FLOAT32);
  gate.is_closed = true;
  std::thread slow([&] {
    run(LW_FLOAT64);
    gate.is_reached = true;  // even if the call has failed
  });
  while (!gate.is_reached) std::this_thread::yield();
  run(LW_FLOAT32);
  run(LW_FLOAT16);
  gate.are_done = true;
  slow.join();
  EXPECT_FALSE(gate.is_in_vain);
}

TEST(Concurrency, MessagesBelongToTheirThread) {
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  OnManyThreads([&](int i) {
    float x = -1;
    const int32_t rank = 100 + i;
    const Tensor tensor = {LW_FLOAT32, &x, {1}};
    lw_tensor view = tensor.view();
    view.rank = rank;
    for (int round = 0; round < 1000; ++round) {
      ASSERT_EQ(lw_op_run(relu.get(), &view, 1, &view, 1), LW_INVALID_SHAPE);
      ASSERT_NE(std::string(lw_last_error())
                    .find("rank " + std::to_string(rank) + ","),
                std::string::npos)
          << lw_last_error();
    }
    EXPECT_EQ(x, -1.0f);
  });
}

// The failure of one thread does not affect another thread's message, and a
// success does not clear the message.
TEST(Concurrency, MessagesStayUntilTheNextFailure) {
  lw_op* op = nullptr;
  EXPECT_EQ(lw_op_create(nullptr, "Conv", 14, nullptr, 0, &op),
            LW_UNKNOWN_OPERATOR);
  const std::string message = lw_last_error();
  MakeOp(nullptr, {"Relu", 14});
  EXPECT_EQ(lw_last_error(), message);
  std::thread([] { EXPECT_STREQ(lw_last_error(), ""); }).join();
  EXPECT_EQ(lw_last_error(), message);
}

TEST(Concurrency, KernelsAreFoundByAllAtOnce) {
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  const lw_kernel* found[kThreads] = {};
  OnManyThreads([&](int i) {
    for (const int32_t type :
         {LW_INT8, LW_INT16, LW_INT32, LW_INT64, LW_FLOAT16, LW_FLOAT64}) {
      EXPECT_EQ(lw_op_kernel(relu.get(), type, LW_SAME, &found[i]), LW_OK);
    }
  });
  for (const lw_kernel* kernel : found) EXPECT_EQ(kernel, found[0]);
}

TEST(Concurrency, EnginesAndOperatorsComeAndGo) {
  OnManyThreads([&](int i) {
    for (int round = 0; round < 20; ++round) {
      const std::vector<ThreadingCase> all = AllThreading();
      const EnginePtr engine = MakeEngine(
          OptionsFor(all[static_cast<size_t>(i + round) % all.size()]));
      const Subject relu = TensorApi(engine.get(), {"Relu", 14}, LW_INT8);
      std::vector<int8_t> x(100, -1);
      EXPECT_EQ(relu.compute(x.data(), nullptr, x.data(), x.size()), LW_OK);
      EXPECT_EQ(x, std::vector<int8_t>(100, 0));
    }
  });
}

}  // namespace
}  // namespace lanewise::test
