// SPDX-License-Identifier: Apache-2.0
//
// Options for one call, through lw_op_run_with and lw_call_run_with alike: a
// host's threads and their number, threads that fail, zero divisors, structs of
// other sizes.

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/samples.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

constexpr size_t kCount = 20'000;

lw_run_options RunOptions() {
  lw_run_options options = {};
  options.struct_size = sizeof(options);
  return options;
}

/// A host's parallel_for: all tasks at once, each on a thread of its own.
struct Host {
  std::atomic<int> calls{0};
  std::atomic<size_t> most_tasks{0};

  static int32_t ParallelFor(void* context, lw_task task, size_t count,
                             void* data) {
    Host& host = *static_cast<Host*>(context);
    ++host.calls;
    if (count > host.most_tasks) host.most_tasks = count;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < count; ++i) threads.emplace_back(task, data, i);
    for (std::thread& thread : threads) thread.join();
    return 0;
  }
};

/// An engine that cuts every call into many tasks if it has threads for them.
EnginePtr EagerEngine(const lw_engine_options& options) {
  return MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
}

/// Div of 20,000 int32 elements, as a call of an operator and as a prepared
/// call.
class Division {
 public:
  explicit Division(const lw_engine* engine)
      : op_(MakeOp(engine, {"Div", 14})),
        a_(RandomBits(LW_INT32, kCount, 1)),
        b_(RandomDivisors(LW_INT32, kCount, 2)),
        expected_(
            Compute(KernelApi(nullptr, {"Div", 14, 2}, LW_INT32), a_, b_)),
        out_(Untouched()) {
    const lw_tensor inputs[] = {View(&a_), View(&b_)};
    const lw_tensor output = View(&out_);
    lw_call* call = nullptr;
    EXPECT_EQ(lw_call_create(op_.get(), inputs, 2, &output, 1, &call), LW_OK);
    call_.reset(call);
  }

  void SetDivisor(size_t i, int32_t value) { b_.as<int32_t>()[i] = value; }

  /// Runs `check(status)` after each of both ways with these options.
  template <class Check>
  void BothWays(const lw_run_options* options, const Check& check) {
    const Array a = a_;
    const Array b = b_;
    for (const bool prepared : {false, true}) {
      SCOPED_TRACE(prepared ? "lw_call_run_with" : "lw_op_run_with");
      out_ = Untouched();
      check(prepared ? RunCall(options) : RunOp(options));
      EXPECT_TRUE(SameBits(a_, a));
      EXPECT_TRUE(SameBits(b_, b));
    }
  }

  void ExpectRight() const { EXPECT_TRUE(SameBits(out_, expected_)); }
  void ExpectUntouched() const { EXPECT_TRUE(SameBits(out_, Untouched())); }
  /// Each element is right or as it was.
  void ExpectRightOrUntouched() const {
    const Array old = Untouched();
    for (size_t i = 0; i < kCount; ++i) {
      const int32_t x = out_.as<int32_t>()[i];
      ASSERT_TRUE(x == expected_.as<int32_t>()[i] || x == old.as<int32_t>()[i])
          << i;
    }
  }

 private:
  static Array Untouched() {
    return {LW_INT32, std::vector<int32_t>(kCount, 7)};
  }
  static lw_tensor View(Array* array) {
    static const int64_t dims[] = {kCount};
    return {array->data(), LW_INT32, 1, dims, nullptr, array->bytes()};
  }
  lw_status RunOp(const lw_run_options* options) {
    const lw_tensor inputs[] = {View(&a_), View(&b_)};
    const lw_tensor output = View(&out_);
    return lw_op_run_with(op_.get(), options, inputs, 2, &output, 1);
  }
  lw_status RunCall(const lw_run_options* options) {
    const void* const inputs[] = {a_.data(), b_.data()};
    void* const outputs[] = {out_.data()};
    return lw_call_run_with(call_.get(), options, inputs, outputs);
  }

  OpPtr op_;
  CallPtr call_;
  Array a_;
  Array b_;
  Array expected_;
  Array out_;
};

// ---- Threads ----------------------------------------------------------------

TEST(RunOptions, AHostsThreadsServeOneCall) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine = EagerEngine(OptionsFor(threading));
    Division division(engine.get());
    Host host;
    lw_run_options options = RunOptions();
    options.parallel_for = Host::ParallelFor;
    options.parallel_for_context = &host;
    options.max_threads = 3;
    division.BothWays(&options, [&](lw_status status) {
      EXPECT_EQ(status, LW_OK) << lw_last_error();
      division.ExpectRight();
    });
    EXPECT_EQ(host.calls, 2);
    // The next call is the engine's own affair again.
    division.BothWays(nullptr, [&](lw_status status) {
      EXPECT_EQ(status, LW_OK);
      division.ExpectRight();
    });
    EXPECT_EQ(host.calls, 2);
  }
}

// Without a number of its own a call has as many threads as the engine.
TEST(RunOptions, AHostHasTheEnginesNumberOfThreads) {
  for (const int32_t threads : {1, 2}) {
    const EnginePtr engine =
        EagerEngine(OptionsFor({"host", LW_THREADING_HOST, threads}));
    Division division(engine.get());
    Host host;
    lw_run_options options = RunOptions();
    options.parallel_for = Host::ParallelFor;
    options.parallel_for_context = &host;
    division.BothWays(&options, [&](lw_status status) {
      EXPECT_EQ(status, LW_OK) << lw_last_error();
      division.ExpectRight();
    });
    EXPECT_EQ(host.calls, threads == 1 ? 0 : 2);
  }
}

// A host may run all tasks at once, so that they must be no more than threads.
TEST(RunOptions, MaxThreadsLimitsTheHostsTasks) {
  for (const ThreadingCase& threading : AllThreading()) {
    for (const int32_t most : {1, 2, 3}) {
      SCOPED_TRACE(testing::Message()
                   << threading.name << ", at most " << most);
      const EnginePtr engine = EagerEngine(OptionsFor(threading));
      Division division(engine.get());
      Host host;
      lw_run_options options = RunOptions();
      options.parallel_for = Host::ParallelFor;
      options.parallel_for_context = &host;
      options.max_threads = most;
      division.BothWays(&options, [&](lw_status status) {
        EXPECT_EQ(status, LW_OK) << lw_last_error();
        division.ExpectRight();
      });
      EXPECT_EQ(host.most_tasks, most == 1 ? 0 : static_cast<size_t>(most));
    }
  }
}

TEST(RunOptions, MaxThreadsLimitsTheEnginesHost) {
  Host host;
  lw_engine_options of_engine = OptionsFor({"host", LW_THREADING_HOST, 8});
  of_engine.parallel_for = Host::ParallelFor;
  of_engine.parallel_for_context = &host;
  const EnginePtr engine = EagerEngine(of_engine);
  Division division(engine.get());
  for (const int32_t most : {1, 2, 3}) {
    host.most_tasks = 0;
    lw_run_options options = RunOptions();
    options.max_threads = most;
    division.BothWays(&options, [&](lw_status status) {
      EXPECT_EQ(status, LW_OK) << lw_last_error();
      division.ExpectRight();
    });
    EXPECT_EQ(host.most_tasks, most == 1 ? 0 : static_cast<size_t>(most));
  }
}

TEST(RunOptions, MaxThreadsOfEveryEngine) {
  for (const ThreadingCase& threading : AllThreading()) {
    for (const int32_t most : {0, 1, 2, INT32_MAX}) {
      SCOPED_TRACE(testing::Message()
                   << threading.name << ", at most " << most);
      lw_engine_options of_engine = OptionsFor(threading);
      std::string line;
      of_engine.verbose = "exec";
      of_engine.trace = [](void* context, const char* text) {
        *static_cast<std::string*>(context) = text;
      };
      of_engine.trace_context = &line;
      const EnginePtr engine = EagerEngine(of_engine);
      Division division(engine.get());
      lw_run_options options = RunOptions();
      options.max_threads = most;
      const int32_t all = lw_engine_threads(engine.get());
      const int32_t used = most == 0 || all < most ? all : most;
      division.BothWays(&options, [&](lw_status status) {
        EXPECT_EQ(status, LW_OK) << lw_last_error();
        division.ExpectRight();
        EXPECT_NE(line.find("/threads:" + std::to_string(used) + ","),
                  std::string::npos)
            << line;
      });
    }
  }
}

// ---- Threads that fail ------------------------------------------------------

// Some tasks have run, some have not.
int32_t RunHalf(void* /*context*/, lw_task task, size_t count, void* data) {
  for (size_t i = 1; i < count; i += 2) task(data, i);
  return -3;
}
int32_t RunAllAndFail(void* /*context*/, lw_task task, size_t count,
                      void* data) {
  for (size_t i = 0; i < count; ++i) task(data, i);
  return 1;
}
int32_t RunNone(void* /*context*/, lw_task /*task*/, size_t /*count*/,
                void* /*data*/) {
  return 1;
}
int32_t Throw(void* /*context*/, lw_task task, size_t /*count*/, void* data) {
  task(data, 1);
  throw std::runtime_error("no threads today");
}
int32_t ThrowBadAlloc(void* /*context*/, lw_task task, size_t /*count*/,
                      void* data) {
  task(data, 1);
  throw std::bad_alloc();
}
int32_t ThrowAnInteger(void* /*context*/, lw_task task, size_t /*count*/,
                       void* data) {
  task(data, 0);
  throw 1;
}

TEST(RunOptions, ThreadsThatFail) {
  const struct {
    lw_parallel_for parallel_for;
    const char* part;
  } cases[] = {{RunHalf, "parallel_for"},    {RunAllAndFail, "parallel_for"},
               {RunNone, "parallel_for"},    {Throw, "no threads today"},
               {ThrowBadAlloc, "bad_alloc"}, {ThrowAnInteger, "failed"}};
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine = EagerEngine(OptionsFor(threading));
    Division division(engine.get());
    for (const auto& test : cases) {
      lw_run_options options = RunOptions();
      options.parallel_for = test.parallel_for;
      options.max_threads = 4;
      division.BothWays(&options, [&](lw_status status) {
        EXPECT_STREQ(lw_status_name(status), "LW_THREADING_FAILED");
        const std::string message = lw_last_error();
        EXPECT_EQ(message.rfind("Div-14: ", 0), 0u) << message;
        EXPECT_NE(message.find(test.part), std::string::npos) << message;
        division.ExpectRightOrUntouched();
        if (test.parallel_for == RunNone) division.ExpectUntouched();
        if (test.parallel_for == RunAllAndFail) division.ExpectRight();
      });
    }
  }
}

// ---- Zero divisors ----------------------------------------------------------

void ExpectZeros(lw_zero_divisors zeros, uint64_t first, uint64_t count) {
  EXPECT_EQ(zeros.first, first);
  EXPECT_EQ(zeros.count, count);
}

TEST(RunOptions, ZeroDivisorsOfTheCall) {
  for (const ThreadingCase& threading : AllThreading()) {
    for (const int32_t allowed : {0, 1}) {
      SCOPED_TRACE(testing::Message() << threading.name << ", " << allowed);
      lw_engine_options of_engine = OptionsFor(threading);
      of_engine.allow_zero_divisor = allowed;
      const EnginePtr engine = EagerEngine(of_engine);
      Division division(engine.get());
      lw_zero_divisors zeros = {};
      lw_run_options options = RunOptions();
      options.zero_divisors = &zeros;
      const auto run = [&](bool any, uint64_t first, uint64_t count) {
        division.BothWays(&options, [&](lw_status status) {
          EXPECT_EQ(status, any && allowed == 0 ? LW_DIVIDE_BY_ZERO : LW_OK);
          ExpectZeros(zeros, first, count);
          if (any && allowed == 0) {
            ExpectZeros(lw_last_zero_divisors(), first, count);
          }
          zeros = {9, 9};
        });
      };
      run(false, 0, 0);
      division.SetDivisor(19'999, 0);
      run(true, 19'999, 1);
      division.SetDivisor(4'711, 0);
      division.SetDivisor(12'000, 0);
      run(true, 4'711, 3);
      for (const size_t i : {4'711, 12'000, 19'999}) division.SetDivisor(i, 1);
      run(false, 0, 0);
    }
  }
}

// Also calls that cannot meet any, or have nothing to do.
TEST(RunOptions, ZeroDivisorsOfOtherCalls) {
  int64_t target[] = {2, 3};
  int32_t data[6] = {};
  const Tensor none = {LW_INT32, nullptr, {0, 3}};
  const Tensor in = {LW_INT32, data, {6}};
  const Tensor out = {LW_INT32, data, {2, 3}};
  const Tensor shape = {LW_INT64, target, {2}};
  const struct {
    OpId op;
    std::vector<lw_tensor> inputs;
    lw_tensor output;
  } cases[] = {{{"Relu", 14}, {in.view()}, in.view()},
               {{"Div", 14}, {none.view(), none.view()}, none.view()},
               {{"Reshape", 14}, {in.view(), shape.view()}, out.view()}};
  for (const auto& test : cases) {
    SCOPED_TRACE(test.op.name);
    const OpPtr op = MakeOp(nullptr, test.op);
    lw_zero_divisors zeros = {9, 9};
    lw_run_options options = RunOptions();
    options.zero_divisors = &zeros;
    EXPECT_EQ(lw_op_run_with(op.get(), &options, test.inputs.data(),
                             test.inputs.size(), &test.output, 1),
              LW_OK);
    ExpectZeros(zeros, 0, 0);
    lw_call* made = nullptr;
    ASSERT_EQ(lw_call_create(op.get(), test.inputs.data(), test.inputs.size(),
                             &test.output, 1, &made),
              LW_OK);
    const CallPtr call(made);
    zeros = {9, 9};
    const void* const inputs[] = {data, target};
    void* const outputs[] = {data};
    EXPECT_EQ(lw_call_run_with(made, &options, inputs, outputs), LW_OK);
    ExpectZeros(zeros, 0, 0);
  }
}

// ---- The struct -------------------------------------------------------------

TEST(RunOptions, OlderStructsAreSmaller) {
  Division division(nullptr);
  division.SetDivisor(3, 0);
  lw_zero_divisors zeros = {9, 9};
  lw_run_options options = RunOptions();
  options.parallel_for = RunNone;
  options.max_threads = -1;
  options.zero_divisors = &zeros;
  // What lies behind struct_size is not looked at.
  options.struct_size = sizeof(size_t);
  division.BothWays(&options, [&](lw_status status) {
    EXPECT_EQ(status, LW_DIVIDE_BY_ZERO) << lw_last_error();
  });
  options.max_threads = 1;
  options.struct_size = offsetof(lw_run_options, zero_divisors);
  division.BothWays(&options, [&](lw_status status) {
    EXPECT_EQ(status, LW_DIVIDE_BY_ZERO) << lw_last_error();
  });
  ExpectZeros(zeros, 9, 9);
  for (const size_t size : {size_t{0}, size_t{1}, sizeof(size_t) - 1,
                            sizeof(options) - 1, sizeof(options) - 4}) {
    options.struct_size = size;
    division.BothWays(&options, [&](lw_status status) {
      EXPECT_EQ(status, LW_INVALID_ARGUMENT);
      EXPECT_NE(std::string(lw_last_error()).find("lw_run_options"),
                std::string::npos);
      division.ExpectUntouched();
    });
  }
}

TEST(RunOptions, NewerStructsAreLarger) {
  Division division(nullptr);
  struct Newer {
    lw_run_options known;
    unsigned char more[24];
  } newer = {RunOptions(), {}};
  newer.known.struct_size = sizeof(newer);
  division.BothWays(&newer.known, [&](lw_status status) {
    EXPECT_EQ(status, LW_OK) << lw_last_error();
    division.ExpectRight();
  });
  for (const size_t i : {0, 11, 23}) {
    std::memset(newer.more, 0, sizeof(newer.more));
    newer.more[i] = 1;
    division.BothWays(&newer.known, [&](lw_status status) {
      EXPECT_EQ(status, LW_INVALID_ARGUMENT);
      const std::string byte =
          "byte " + std::to_string(sizeof(lw_run_options) + i) + " ";
      EXPECT_NE(std::string(lw_last_error()).find(byte), std::string::npos)
          << lw_last_error();
      division.ExpectUntouched();
    });
  }
}

TEST(RunOptions, ReservedFieldsAreZero) {
  Division division(nullptr);
  lw_run_options options = RunOptions();
  options.reserved = 1;
  division.BothWays(&options, [&](lw_status status) {
    EXPECT_EQ(status, LW_INVALID_ARGUMENT);
    division.ExpectUntouched();
  });
}

TEST(RunOptions, NumbersOfThreadsThatAreNone) {
  Division division(nullptr);
  for (const int32_t threads : {-1, INT32_MIN}) {
    lw_run_options options = RunOptions();
    options.max_threads = threads;
    division.BothWays(&options, [&](lw_status status) {
      EXPECT_EQ(status, LW_INVALID_ARGUMENT);
      EXPECT_EQ(std::string(lw_last_error())
                    .rfind("Div-14: " + std::to_string(threads) + " ", 0),
                0u)
          << lw_last_error();
      division.ExpectUntouched();
    });
  }
}

TEST(RunOptions, NoneAreFine) {
  Division division(nullptr);
  const lw_run_options options = RunOptions();
  for (const lw_run_options* given :
       {&options, static_cast<const lw_run_options*>(nullptr)}) {
    division.BothWays(given, [&](lw_status status) {
      EXPECT_EQ(status, LW_OK) << lw_last_error();
      division.ExpectRight();
    });
  }
}

}  // namespace
}  // namespace lanewise::test
