// SPDX-License-Identifier: Apache-2.0
//
// Engine options, the environment variables behind them, and invalid values.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/environment.h"

namespace lanewise::test {
namespace {

class Engines : public CleanEnvironment {};

// The status of creating an engine. The message of an error must contain
// `part`.
lw_status Create(const lw_engine_options& options,
                 const std::string& part = "") {
  lw_engine* engine = nullptr;
  const lw_status status = lw_engine_create(&options, &engine);
  EXPECT_EQ(engine != nullptr, status == LW_OK);
  if (status != LW_OK) {
    const std::string message = lw_last_error();
    EXPECT_NE(message, "");
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  lw_engine_destroy(engine);
  return status;
}

lw_engine_options WithIsa(const char* name) {
  lw_engine_options options = Options();
  options.max_isa = name;
  return options;
}

TEST_F(Engines, NoOptionsAreTheDefaults) {
  lw_engine* engine = nullptr;
  ASSERT_EQ(lw_engine_create(nullptr, &engine), LW_OK);
  EXPECT_STREQ(lw_engine_isa(engine), lw_isa_name(0));
  EXPECT_GE(lw_engine_threads(engine), 1);
  lw_engine_destroy(engine);
  lw_engine_destroy(nullptr);

  EXPECT_EQ(lw_engine_create(nullptr, nullptr), LW_INVALID_ARGUMENT);
  EXPECT_STREQ(lw_engine_isa(nullptr), lw_isa_name(0));
  EXPECT_GE(lw_engine_threads(nullptr), 1);
}

TEST_F(Engines, StructSize) {
  lw_engine_options options = Options();
  for (const size_t size :
       {size_t{0}, sizeof(size_t) - 1, sizeof(size_t) + 4}) {
    options.struct_size = size;
    EXPECT_EQ(Create(options, "struct_size"), LW_INVALID_ARGUMENT);
  }
  // An older host has a shorter struct. The library must not read past its end.
  options.threading = 99;
  options.struct_size = offsetof(lw_engine_options, threading);
  EXPECT_EQ(Create(options), LW_OK);
  options.struct_size = sizeof(size_t);
  EXPECT_EQ(Create(options), LW_OK);
  // A newer host has options that this library does not know. They are accepted
  // as long as the host sets none of them.
  struct {
    lw_engine_options known;
    char more[64];
  } newer = {Options(), {}};
  newer.known.struct_size = sizeof(newer);
  EXPECT_EQ(Create(newer.known), LW_OK);
  newer.more[63] = 1;
  EXPECT_EQ(Create(newer.known, "does not know"), LW_INVALID_ARGUMENT);
}

TEST_F(Engines, AccuracyIsAnOptionAndAVariable) {
  const auto accuracy = [](int32_t option) {
    lw_engine_options options = Options();
    options.accuracy = option;
    return lw_engine_accuracy(MakeEngine(options).get());
  };
  constexpr int32_t kAll[] = {LW_ACCURACY_FAST, LW_ACCURACY_TIGHT,
                              LW_ACCURACY_EXACT};
  constexpr const char* kNames[] = {"fast", "tight", "exact"};
  EXPECT_EQ(lw_engine_accuracy(nullptr), LW_ACCURACY_TIGHT);
  EXPECT_EQ(accuracy(0), LW_ACCURACY_TIGHT);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(accuracy(kAll[i]), kAll[i]);
    const ScopedVariable variable("LANEWISE_ACCURACY", kNames[i]);
    EXPECT_EQ(accuracy(0), kAll[i]);
    EXPECT_EQ(accuracy(kAll[0]), kAll[0]) << "the option wins";
  }
  {
    const ScopedVariable variable("LANEWISE_ACCURACY", "");
    EXPECT_EQ(accuracy(0), LW_ACCURACY_TIGHT);
  }
  for (const char* bad : {"2", "Fast", " exact", "exactly"}) {
    const ScopedVariable variable("LANEWISE_ACCURACY", bad);
    EXPECT_EQ(Create(Options(), bad), LW_INVALID_ARGUMENT);
  }
  lw_engine_options options = Options();
  for (const int32_t bad : {-1, 4}) {
    options.accuracy = bad;
    EXPECT_EQ(Create(options, "lw_accuracy"), LW_INVALID_ARGUMENT);
  }
  options.accuracy = LW_ACCURACY_EXACT;
  options.reserved = 1;
  EXPECT_EQ(Create(options, "reserved"), LW_INVALID_ARGUMENT);
}

TEST_F(Engines, IsaNamesAreDistinctAndEnd) {
  std::vector<std::string> names;
  while (lw_isa_name(names.size()) != nullptr) {
    names.emplace_back(lw_isa_name(names.size()));
  }
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(lw_isa_name(names.size() + 1), nullptr);
  EXPECT_EQ(lw_isa_name(SIZE_MAX), nullptr);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST_F(Engines, MaxIsaChoosesEveryRunnableOne) {
  for (size_t i = 0; lw_isa_name(i) != nullptr; ++i) {
    EXPECT_STREQ(lw_engine_isa(MakeEngine(WithIsa(lw_isa_name(i))).get()),
                 lw_isa_name(i));
  }
}

#if defined(__x86_64__)
// A ceiling may be an instruction set that this machine does not run. The
// chosen instruction set is never above it.
TEST_F(Engines, MaxIsaIsACeiling) {
  const std::vector<std::string> best_first = {
      "AVX3_SPR", "AVX3_ZEN4", "AVX3_DL", "AVX3",
      "AVX2",     "SSE4",      "SSSE3",   "SSE2"};
  const auto rank = [&](const std::string& name) {
    return std::find(best_first.begin(), best_first.end(), name) -
           best_first.begin();
  };
  size_t last = 0;
  while (lw_isa_name(last + 1) != nullptr) ++last;
  for (const std::string& ceiling : best_first) {
    if (rank(ceiling) > rank(lw_isa_name(last))) {  // not in this build
      EXPECT_EQ(Create(WithIsa(ceiling.c_str())), LW_UNKNOWN_ISA) << ceiling;
      continue;
    }
    const EnginePtr engine = MakeEngine(WithIsa(ceiling.c_str()));
    EXPECT_GE(rank(lw_engine_isa(engine.get())), rank(ceiling)) << ceiling;
  }
}
#endif

TEST_F(Engines, UnknownIsas) {
  for (const char* name : {"avx2", "AVX2 ", " AVX2", "AVX", "AVX2,SSE4",
                           "nonsense", "Unknown", "0"}) {
    EXPECT_EQ(Create(WithIsa(name), name), LW_UNKNOWN_ISA) << name;
    const ScopedVariable variable("LANEWISE_MAX_ISA", name);
    EXPECT_EQ(Create(Options(), name), LW_UNKNOWN_ISA) << name;
  }
}

TEST_F(Engines, MaxIsaFromTheEnvironment) {
  size_t last = 0;
  while (lw_isa_name(last + 1) != nullptr) ++last;
  {
    const ScopedVariable variable("LANEWISE_MAX_ISA", lw_isa_name(last));
    EXPECT_STREQ(lw_engine_isa(MakeEngine(Options()).get()), lw_isa_name(last));
    // The option takes precedence.
    EXPECT_STREQ(lw_engine_isa(MakeEngine(WithIsa(lw_isa_name(0))).get()),
                 lw_isa_name(0));
  }
  const ScopedVariable empty("LANEWISE_MAX_ISA", "");
  EXPECT_EQ(Create(Options()), LW_OK);
}

lw_engine_options HostThreads(int32_t threads) {
  return OptionsFor({"host", LW_THREADING_HOST, threads});
}

TEST_F(Engines, Threads) {
  for (const int32_t threads : {1, 2, 3, 4096}) {
    EXPECT_EQ(lw_engine_threads(MakeEngine(HostThreads(threads)).get()),
              threads);
  }
  for (const int32_t threads : {-1, INT32_MIN, 4097, INT32_MAX}) {
    EXPECT_EQ(Create(HostThreads(threads), std::to_string(threads)),
              LW_INVALID_ARGUMENT);
  }
}

TEST_F(Engines, ThreadsFromTheEnvironment) {
  {
    const ScopedVariable variable("LANEWISE_NUM_THREADS", "3");
    EXPECT_EQ(lw_engine_threads(MakeEngine(HostThreads(0)).get()), 3);
    EXPECT_EQ(lw_engine_threads(MakeEngine(HostThreads(2)).get()), 2);
  }
  for (const char* value : {"0", "-1", "two", "2x", " 2", "2 ", "0x2", "1e3",
                            "2.0", "4097", "99999999999", "+"}) {
    SCOPED_TRACE(value);
    const ScopedVariable variable("LANEWISE_NUM_THREADS", value);
    EXPECT_EQ(Create(HostThreads(0), "number of threads"), LW_INVALID_ARGUMENT);
    EXPECT_EQ(Create(HostThreads(2)), LW_OK) << "the option takes precedence";
  }
  const ScopedVariable empty("LANEWISE_NUM_THREADS", "");
  EXPECT_EQ(Create(HostThreads(0)), LW_OK);
}

TEST_F(Engines, Threading) {
  for (const ThreadingCase& threading : AllThreading()) {
    EXPECT_EQ(Create(OptionsFor(threading)), LW_OK) << threading.name;
  }
  lw_engine_options options = Options();
  for (const int32_t unknown : {-1, 5, 99}) {
    options.threading = unknown;
    EXPECT_EQ(Create(options, std::to_string(unknown)), LW_INVALID_ARGUMENT);
  }
  options.threading = LW_THREADING_HOST;
  EXPECT_EQ(Create(options, "parallel_for"), LW_INVALID_ARGUMENT);
}

// Whether an engine with this tuning file splits a call of 4096 elements, that
// is, calls the host's callback.
bool CutsSmallCalls(const char* file) {
  std::atomic<int> calls{0};
  lw_engine_options options = HostThreads(2);
  options.parallel_for_context = &calls;
  options.tuning_file = file;
  const EnginePtr engine = MakeEngine(options);
  const Subject relu = TensorApi(engine.get(), {"Relu", 14}, LW_FLOAT32);
  Compute(relu, Array(LW_FLOAT32, 4096));
  return calls != 0;
}

TEST_F(Engines, TuningOfThisMachine) {
  EXPECT_FALSE(CutsSmallCalls(nullptr));
  const std::string header = TuningHeader(lw_isa_name(0));
  const std::string another = "[cpu=\"another\" isa=AVX2 version=0.0.1]\n";
  const std::string comment = "# by hand\n\n";
  const TempFile own(comment + another + header + EagerThreads());
  EXPECT_TRUE(CutsSmallCalls(own.path()));
  const TempFile others(comment + header + another + EagerThreads());
  EXPECT_FALSE(CutsSmallCalls(others.path()));
  const TempFile twice(header + EagerThreads() + header +
                       "memory.serial_bytes 1000000\n");
  EXPECT_FALSE(CutsSmallCalls(twice.path())) << "the last section wins";
  const TempFile no_newline(header + "memory.serial_bytes 1\n" +
                            "memory.chunk_bytes 1");
  EXPECT_TRUE(CutsSmallCalls(no_newline.path()));
  const TempFile empty("");
  EXPECT_FALSE(CutsSmallCalls(empty.path()));

  const ScopedVariable variable("LANEWISE_TUNING", own.path());
  EXPECT_TRUE(CutsSmallCalls(nullptr));
  EXPECT_FALSE(CutsSmallCalls(others.path())) << "the option takes precedence";
}

TEST_F(Engines, BrokenTuning) {
  lw_engine_options options = Options();
  const std::string header = TuningHeader(lw_isa_name(0));
  const std::string another = "[cpu=\"another\" isa=AVX2 version=0.0.1]\n";
  for (const char* line :
       {"memory.serial_bytes", "memory.serial_bytes ",
        "memory.serial_bytes many", "memory.serial_bytes 0",
        "memory.serial_bytes -1", "memory.serial_bytes 1k",
        "memory.serial_bytes 99999999999999999999", "memory.serial_bytes  1",
        " 1", "\x01\x02", "way", "way ", "new "}) {
    for (const std::string& section : {header, another}) {
      const TempFile file(section + line + "\n");
      options.tuning_file = file.path();
      EXPECT_EQ(Create(options, "line 2"), LW_INVALID_TUNING) << line;
    }
  }
  for (const char* line : {"memory.bytes 1", "serial_bytes 1", "tuning 1",
                           "way exact", "way 1", "ways divider", "new a b"}) {
    const TempFile unknown_key(header + line + "\n");
    options.tuning_file = unknown_key.path();
    EXPECT_EQ(Create(options, "line 2"), LW_INVALID_TUNING) << line;
    const TempFile of_another_version(header + EagerThreads() + another + line +
                                      "\n");
    EXPECT_TRUE(CutsSmallCalls(of_another_version.path())) << line;
  }
  const TempFile headless("memory.stream_bytes 1\n");
  options.tuning_file = headless.path();
  EXPECT_EQ(Create(options, "line 1"), LW_INVALID_TUNING);

  for (const char* path : {"/nonexistent/tuning", "/"}) {
    options.tuning_file = path;
    EXPECT_EQ(Create(options, path), LW_INVALID_TUNING);
  }
}

TEST_F(Engines, OperatorsOutliveTheirEngine) {
  EnginePtr engine = MakeEngine(HostThreads(2));
  const Subject relu = TensorApi(engine.get(), {"Relu", 14}, LW_INT8);
  engine.reset();
  EXPECT_TRUE(SameBits(Compute(relu, {LW_INT8, std::vector<int8_t>{-3, 4}}),
                       {LW_INT8, std::vector<int8_t>{0, 4}}));
}

// Executing a program again fails under qemu-user, which runs the tests of
// other CPUs. A fork does there: GoogleTest runs death tests before all others,
// so the default engine does not exist yet.
#if defined(__x86_64__)
constexpr const char* kDeathTestStyle = "threadsafe";
#else
constexpr const char* kDeathTestStyle = "fast";
#endif

// The default engine is created once per process, so each of these tests needs
// a process of its own, which must write nothing to stderr.
class DefaultEngineDeathTest : public CleanEnvironment {
 protected:
  DefaultEngineDeathTest() {
    GTEST_FLAG_SET(death_test_style, kDeathTestStyle);
  }
};

// Exits with 0 if every call that needs the default engine returns `status`,
// each time, with a message that contains `value`.
[[noreturn]] void ExitAfterAsking(const char* variable, const char* value,
                                  lw_status status) {
  SetVariable(variable, value);
  for (int i = 0; i < 3; ++i) {
    lw_op* op = nullptr;
    if (lw_op_create(nullptr, "Relu", 14, nullptr, 0, &op) != status) exit(1);
    if (std::string(lw_last_error()).find(value) == std::string::npos) exit(2);
    if (op != nullptr) exit(4);
    if (lw_engine_isa(nullptr) == nullptr) exit(5);
    lw_engine_threads(nullptr);
    // These calls do not need the default engine.
    if (lw_signature_at(0) == nullptr || lw_isa_name(0) == nullptr) exit(6);
  }
  exit(0);
}

TEST_F(DefaultEngineDeathTest, BadEnvironment) {
  const auto zero = testing::ExitedWithCode(0);
  EXPECT_EXIT(ExitAfterAsking("LANEWISE_MAX_ISA", "MMX", LW_UNKNOWN_ISA), zero,
              "^$");
  EXPECT_EXIT(
      ExitAfterAsking("LANEWISE_NUM_THREADS", "many", LW_INVALID_ARGUMENT),
      zero, "^$");
  EXPECT_EXIT(
      ExitAfterAsking("LANEWISE_TUNING", "/nonexistent", LW_INVALID_TUNING),
      zero, "^$");
  EXPECT_EXIT(ExitAfterAsking("LANEWISE_VERBOSE", "all", LW_INVALID_ARGUMENT),
              zero, "^$");
}

}  // namespace
}  // namespace lanewise::test
