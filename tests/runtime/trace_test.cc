// SPDX-License-Identifier: Apache-2.0
//
// The lines of LANEWISE_VERBOSE are complete, have the form that trace.h
// documents, and appear only on request.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/environment.h"
#include "tests/support/isas.h"

namespace lanewise::test {
namespace {

using Lines = std::vector<std::string>;

void Keep(void* lines, const char* line) {
  static_cast<Lines*>(lines)->emplace_back(line);
}

// Expects a line that consists of `start` and a number.
void ExpectTimed(const std::string& line, const std::string& start) {
  ASSERT_EQ(line.rfind(start, 0), 0u) << line;
  const std::string time = line.substr(start.size());
  EXPECT_NE(time, "");
  EXPECT_EQ(time.find_first_not_of("0123456789"), std::string::npos) << line;
}

class Traces : public CleanEnvironment {
 protected:
  lw_engine_options Traced(const char* events) {
    lw_engine_options options = Options();
    options.threading = LW_THREADING_SERIAL;
    options.verbose = events;
    options.trace = Keep;
    options.trace_context = &lines_;
    return options;
  }

  // Runs Relu-14 on `n` elements with these options.
  static void RunRelu(const lw_engine_options& options, lw_type type,
                      size_t n) {
    const EnginePtr engine = MakeEngine(options);
    Compute(TensorApi(engine.get(), {"Relu", 14}, type), Array(type, n));
  }

  const std::string isa_ = lw_isa_name(0);
  Lines lines_;
};

TEST_F(Traces, ExecLines) {
  RunRelu(Traced("exec"), LW_FLOAT32, 1000);
  RunRelu(Traced("exec"), LW_BFLOAT16, 1);
  ASSERT_EQ(lines_.size(), 2u);
  ExpectTimed(lines_[0], "lanewise,exec,Relu/f32/same/lanewise@" + isa_ +
                             "/n:1000/threads:1,");
  ExpectTimed(lines_[1], "lanewise,exec,Relu/bf16/same/lanewise@" + isa_ +
                             "/n:1/threads:1,");
}

TEST_F(Traces, ExecLinesNameTheThreads) {
  lw_engine_options options = Traced("exec");
  options.threading = LW_THREADING_HOST;
  options.max_threads = 3;
  options.parallel_for = HostParallelFor;
  RunRelu(options, LW_INT8, 10'000'000);
  RunRelu(options, LW_INT8, 100);
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_NE(lines_[0].find("/n:10000000/threads:3,"), std::string::npos);
  EXPECT_NE(lines_[1].find("/n:100/threads:1,"), std::string::npos);
}

TEST_F(Traces, DispatchLines) {
  const EnginePtr engine = MakeEngine(Traced("dispatch"));
  MakeOp(engine.get(), {"Relu", 13});
  const auto line = [&](const char* type, const char* version) {
    return std::string("lanewise,dispatch,Relu/") + type + "/-/lanewise@" +
           isa_ + ",version:" + version + ",way:usual";
  };
  EXPECT_EQ(lines_, (Lines{line("f32", "13"), line("f16", "13"),
                           line("f64", "13"), line("bf16", "13")}));
  lines_.clear();
  MakeOp(engine.get(), {"Relu", 5});
  EXPECT_EQ(lines_,
            (Lines{line("f32", "1"), line("f16", "1"), line("f64", "1")}));
}

// Whether kernels of Div divide or multiply on AVX2 is the tuning file's
// choice.
TEST_F(Traces, DispatchLinesTellTheWay) {
  const auto has = [&](const char* type, const char* isa, const char* way) {
    return std::count(lines_.begin(), lines_.end(),
                      std::string("lanewise,dispatch,Div/") + type +
                          "/-/lanewise@" + isa + ",version:14,way:" + way);
  };
  for (const Isa& isa : AllIsas()) {
    const bool has_ways = std::strcmp(isa.name, "AVX2") == 0;
    for (const char* way : {"usual", "divider"}) {
      lines_.clear();
      const EnginePtr engine =
          MakeTunedEngine(Traced("dispatch"), isa.name,
                          "way usual\nway " + std::string(way) + "\n");
      MakeOp(engine.get(), {"Div", 14});
      for (const char* type : {"i16", "u16", "i32", "u32", "i64", "u64"}) {
        EXPECT_EQ(has(type, isa.name, has_ways ? way : "usual"), 1) << type;
      }
      for (const char* type : {"f32", "bf16", "i8", "u8"}) {
        EXPECT_EQ(has(type, isa.name, "usual"), 1) << type;
      }
    }
  }
}

TEST_F(Traces, LinesTellThatAnEngineIsExact) {
  lw_engine_options options = Traced("dispatch,exec");
  options.accuracy = LW_ACCURACY_EXACT;
  RunRelu(options, LW_INT8, 3);
  ASSERT_EQ(lines_.size(), 9u);
  EXPECT_EQ(lines_[0], "lanewise,dispatch,Relu/f32/-/lanewise+exact@" + isa_ +
                           ",version:14,way:usual");
  ExpectTimed(lines_[8], "lanewise,exec,Relu/i8/same/lanewise+exact@" + isa_ +
                             "/n:3/threads:1,");
}

TEST_F(Traces, EventsAreChosen) {
  for (const char* both : {"dispatch,exec", "exec,dispatch"}) {
    lines_.clear();
    RunRelu(Traced(both), LW_INT8, 3);
    EXPECT_EQ(lines_.size(), 9u);  // eight types and one run
  }
  lines_.clear();
  RunRelu(Traced(nullptr), LW_INT8, 3);
  RunRelu(Traced("none"), LW_INT8, 3);
  EXPECT_EQ(lines_, Lines());
}

TEST_F(Traces, UnknownEvents) {
  for (const char* events :
       {"all", ",exec", "Exec", "exec;dispatch", "exec dispatch", "1"}) {
    const lw_engine_options options = Traced(events);
    lw_engine* engine = nullptr;
    const lw_status status = lw_engine_create(&options, &engine);
    lw_engine_destroy(engine);
    EXPECT_EQ(status, LW_INVALID_ARGUMENT) << events;
    EXPECT_NE(std::string(lw_last_error()).find(events), std::string::npos);
  }
}

// Failed calls and calls without elements do not run.
TEST_F(Traces, NoLineForCallsThatDoNotRun) {
  const EnginePtr engine = MakeEngine(Traced("exec"));
  const Subject relu = TensorApi(engine.get(), {"Relu", 14}, LW_FLOAT32);
  float x = 0;
  EXPECT_EQ(relu.compute(&x, nullptr, &x, 0), LW_OK);
  EXPECT_EQ(relu.compute(nullptr, nullptr, &x, 1), LW_NULL_DATA);
  EXPECT_EQ(lines_, Lines());
}

TEST_F(Traces, FromTheEnvironmentToStdout) {
  const ScopedVariable variable("LANEWISE_VERBOSE", "exec");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  RunRelu(Options(), LW_INT16, 12);
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(out.find("lanewise,exec,Relu/i16/same/lanewise@" + isa_ +
                     "/n:12/threads:1,"),
            0u)
      << out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1);
}

}  // namespace
}  // namespace lanewise::test
