// SPDX-License-Identifier: Apache-2.0
//
// Each allocation that the library makes fails once, and so do all from there
// on. The host gets a status, nothing is leaked, and the next call is right.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/support/engines.h"
#include "tests/support/own_malloc.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

#if LANEWISE_OWN_MALLOC

namespace lanewise::test {
namespace {

/// Runs `body` with each of its allocations failing in turn: alone, or with all
/// that follow. `body` releases what it makes.
void FailEachAllocation(const std::function<lw_status()>& body,
                        bool counts_leaks = true) {
  ASSERT_EQ(body(), LW_OK) << lw_last_error();
  for (const bool for_good : {false, true}) {
    size_t failed = 0;
    for (size_t which = 1;; ++which) {
      ASSERT_LT(which, 10000u);
      const ptrdiff_t alive = allocations.alive;
      allocations.first_to_fail = allocations.made + which;
      allocations.last_to_fail =
          for_good ? SIZE_MAX : allocations.first_to_fail;
      const lw_status status = body();
      const bool is_over = allocations.made < allocations.first_to_fail;
      allocations.first_to_fail = allocations.last_to_fail = 0;
      // A stream reads a file to its end, whatever the reason.
      ASSERT_TRUE(status == LW_OK || status == LW_OUT_OF_MEMORY ||
                  status == LW_INVALID_TUNING)
          << lw_status_name(status) << ", allocation " << which;
      if (status != LW_OK) {
        ++failed;
        ASSERT_STRNE(lw_last_error(), "");
      }
      if (counts_leaks) {
        ASSERT_EQ(allocations.alive, alive) << "leaked at allocation " << which;
      }
      ASSERT_EQ(body(), LW_OK) << lw_last_error();
      if (is_over) break;
    }
    EXPECT_GT(failed, 0u) << "nothing was allocated";
  }
}

lw_status MakeAndDestroy(const lw_engine_options& options) {
  lw_engine* engine = nullptr;
  const lw_status status = lw_engine_create(&options, &engine);
  EXPECT_EQ(engine != nullptr, status == LW_OK);
  lw_engine_destroy(engine);
  return status;
}

TEST(OutOfMemory, Engines) {
  const TempFile file(TuningHeader(lw_isa_name(0)) + EagerThreads());
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  FailEachAllocation([&] { return MakeAndDestroy(options); });
  options.tuning_file = file.path();
  options.verbose = "dispatch,exec";
  options.trace = [](void*, const char*) {};
  FailEachAllocation([&] { return MakeAndDestroy(options); });
  options.threading = LW_THREADING_HOST;
  options.parallel_for = HostParallelFor;
  options.max_threads = 3;
  FailEachAllocation([&] { return MakeAndDestroy(options); });
}

// The default engine is made by the first call that can make it.
TEST(OutOfMemory, TheDefaultEngine) {
  lw_status status = LW_OUT_OF_MEMORY;
  for (size_t which = 1; status != LW_OK; ++which) {
    ASSERT_LT(which, 100u);
    lw_op* op = nullptr;
    allocations.first_to_fail = allocations.last_to_fail =
        allocations.made + which;
    status = lw_op_create(nullptr, "Relu", 14, nullptr, 0, &op);
    allocations.first_to_fail = allocations.last_to_fail = 0;
    EXPECT_TRUE(status == LW_OK || status == LW_OUT_OF_MEMORY)
        << lw_last_error();
    lw_op_destroy(op);
  }
}

#if LANEWISE_HAVE_TBB
TEST(OutOfMemory, EnginesOnOneTbb) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    // oneTBB keeps memory of its own.
    FailEachAllocation([&] { return MakeAndDestroy(OptionsFor(threading)); },
                       false);
  }
}
#endif

TEST(OutOfMemory, OperatorsKernelsAndCalls) {
  const EnginePtr engine =
      MakeEngine(OptionsFor({"serial", LW_THREADING_SERIAL, 0}));
  const int64_t target[] = {2, -1};
  const struct {
    OpId id;
    std::vector<lw_attribute> attributes;
  } cases[] = {{{"Relu", 14}, {}},
               {{"Div", 14}, {}},
               {{"Clip", 13}, {}},
               {{"Where", 16}, {}},
               {{"Reshape", 1}, {IntsAttribute("shape", target, 2)}}};
  Array x(LW_FLOAT32, 6);
  Array y(LW_FLOAT32, 6);
  const Tensor in = TensorOf(x, {2, 3});
  const Tensor out = TensorOf(y, {2, 3});
  const lw_tensor views[] = {in.view(), in.view(), out.view()};
  for (const auto& test_case : cases) {
    SCOPED_TRACE(test_case.id.name);
    const bool runs = std::string(test_case.id.name) == "Relu" ||
                      std::string(test_case.id.name) == "Div" ||
                      test_case.id.opset == 1;
    const size_t inputs = std::string(test_case.id.name) == "Div" ? 2 : 1;
    FailEachAllocation([&]() -> lw_status {
      lw_op* made = nullptr;
      lw_status status = lw_op_create(
          engine.get(), test_case.id.name, test_case.id.opset,
          test_case.attributes.data(), test_case.attributes.size(), &made);
      const OpPtr op(made);
      if (status != LW_OK) return status;
      const lw_kernel* kernel = nullptr;
      status = lw_op_kernel(made, LW_FLOAT32, LW_SAME, &kernel);
      EXPECT_EQ(kernel != nullptr, status == LW_OK);
      if (status != LW_OK || !runs) return status;
      lw_call* prepared = nullptr;
      status = lw_call_create(made, views, inputs, &views[2], 1, &prepared);
      const CallPtr call(prepared);
      EXPECT_EQ(prepared != nullptr, status == LW_OK);
      if (status != LW_OK) return status;
      return lw_op_run(made, views, inputs, &views[2], 1);
    });
  }
}

TEST(OutOfMemory, Chains) {
  const EnginePtr engine =
      MakeEngine(OptionsFor({"serial", LW_THREADING_SERIAL, 0}));
  const OpPtr add = MakeOp(engine.get(), {"Add", 14});
  const OpPtr exp = MakeOp(engine.get(), {"Exp", 13});
  const int32_t sum[] = {0, 1}, power[] = {2}, last[] = {3};
  const int32_t types[] = {LW_FLOAT32, LW_FLOAT32};
  const lw_step steps[] = {{add.get(), sum, 2}, {exp.get(), power, 1}};
  Array x(LW_FLOAT32, 60);
  Array y(LW_FLOAT32, 60);
  const Tensor in = TensorOf(x);
  const Tensor out = TensorOf(y);
  const lw_tensor inputs[] = {in.view(), in.view()};
  const lw_tensor output = out.view();
  FailEachAllocation([&]() -> lw_status {
    lw_chain* chain = nullptr;
    lw_call* call = nullptr;
    lw_status status = lw_chain_create(engine.get(), types, 2, nullptr, 0,
                                       steps, 2, last, 1, &chain);
    if (status == LW_OK) {
      status = lw_chain_prepare(chain, inputs, 2, &output, 1, &call);
    }
    EXPECT_EQ(call != nullptr, status == LW_OK);
    lw_call_destroy(call);
    lw_chain_destroy(chain);
    return status;
  });
}

// A reduction on one thread needs no memory. On several, the pieces of long
// sequences do.
TEST(OutOfMemory, Reductions) {
  lw_engine_options options = OptionsFor({"host", LW_THREADING_HOST, 3});
  options.parallel_for = [](void*, lw_task task, size_t count, void* data) {
    for (size_t i = 0; i < count; ++i) task(data, i);
    return 0;
  };
  const EnginePtr engine =
      MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
  const int64_t axes[] = {0};
  const struct {
    Dims64 dims;
    Dims64 out;
  } cases[] = {{{300'000}, {1}}, {{3000, 40}, {1, 40}}, {{3, 4}, {1, 4}}};
  for (const auto& shapes : cases) {
    Array x(LW_FLOAT32, static_cast<size_t>(Count(shapes.dims)));
    Array y(LW_FLOAT32, static_cast<size_t>(Count(shapes.out)));
    const Tensor in = TensorOf(x, shapes.dims);
    const Tensor out = TensorOf(y, shapes.out);
    const lw_tensor input = in.view();
    const lw_tensor output = out.view();
    FailEachAllocation([&]() -> lw_status {
      const lw_attribute attribute = IntsAttribute("axes", axes, 1);
      lw_op* made = nullptr;
      lw_status status =
          lw_op_create(engine.get(), "ReduceMean", 13, &attribute, 1, &made);
      const OpPtr op(made);
      if (status != LW_OK) return status;
      status = lw_op_run(made, &input, 1, &output, 1);
      lw_call* prepared = nullptr;
      if (status == LW_OK) {
        status = lw_call_create(made, &input, 1, &output, 1, &prepared);
      }
      const CallPtr call(prepared);
      if (status != LW_OK) return status;
      const void* const from[] = {x.data()};
      void* const to[] = {y.data()};
      return lw_call_run(prepared, from, to);
    });
  }
}

// Softmax: what its stages hand on lies in memory of the plan, or, on several
// threads, of the run.
TEST(OutOfMemory, ChainsWithReductions) {
  lw_engine_options options = OptionsFor({"host", LW_THREADING_HOST, 3});
  options.parallel_for = [](void*, lw_task task, size_t count, void* data) {
    for (size_t i = 0; i < count; ++i) task(data, i);
    return 0;
  };
  const EnginePtr engine =
      MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
  const int64_t axis = -1;
  const lw_attribute axes = IntsAttribute("axes", &axis, 1);
  const OpPtr max = MakeOp(engine.get(), {"ReduceMax", 13}, {axes});
  const OpPtr sub = MakeOp(engine.get(), {"Sub", 14});
  const OpPtr exp = MakeOp(engine.get(), {"Exp", 13});
  const OpPtr sum = MakeOp(engine.get(), {"ReduceSum", 11}, {axes});
  const OpPtr div = MakeOp(engine.get(), {"Div", 14});
  const int32_t of_max[] = {0}, of_sub[] = {0, 1}, of_exp[] = {2};
  const int32_t of_sum[] = {3}, of_div[] = {3, 4}, last[] = {5};
  const int32_t types[] = {LW_FLOAT32};
  const lw_step steps[] = {{max.get(), of_max, 1},
                           {sub.get(), of_sub, 2},
                           {exp.get(), of_exp, 1},
                           {sum.get(), of_sum, 1},
                           {div.get(), of_div, 2}};
  Array x(LW_FLOAT32, 40'000);
  Array y(LW_FLOAT32, 40'000);
  for (const Dims64& dims : {Dims64{400, 100}, Dims64{40'000}}) {
    const Tensor in = TensorOf(x, dims);
    const Tensor out = TensorOf(y, dims);
    const lw_tensor input = in.view();
    const lw_tensor output = out.view();
    FailEachAllocation([&]() -> lw_status {
      lw_chain* chain = nullptr;
      lw_call* call = nullptr;
      lw_status status = lw_chain_create(engine.get(), types, 1, nullptr, 0,
                                         steps, 5, last, 1, &chain);
      if (status == LW_OK) {
        status = lw_chain_run(chain, nullptr, &input, 1, &output, 1);
      }
      if (status == LW_OK) {
        status = lw_chain_prepare(chain, &input, 1, &output, 1, &call);
      }
      const void* const from[] = {x.data()};
      void* const to[] = {y.data()};
      if (status == LW_OK) status = lw_call_run(call, from, to);
      lw_call_destroy(call);
      lw_chain_destroy(chain);
      return status;
    });
  }
}

// Calls that are divided among threads, on a host that needs no memory.
TEST(OutOfMemory, CallsOnThreads) {
  lw_engine_options options = OptionsFor({"host", LW_THREADING_HOST, 3});
  options.parallel_for = [](void*, lw_task task, size_t count, void* data) {
    for (size_t i = 0; i < count; ++i) task(data, i);
    return 0;
  };
  const EnginePtr engine =
      MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
  const OpPtr relu = MakeOp(engine.get(), {"Relu", 14});
  Array x(LW_FLOAT32, 50'000);
  const Tensor tensor = TensorOf(x, {500, 100});
  const lw_tensor view = tensor.view();
  allocations.first_to_fail = allocations.made + 1;
  allocations.last_to_fail = SIZE_MAX;
  const lw_status status = lw_op_run(relu.get(), &view, 1, &view, 1);
  allocations.first_to_fail = allocations.last_to_fail = 0;
  EXPECT_EQ(status, LW_OK);
}

}  // namespace
}  // namespace lanewise::test

#else
TEST(OutOfMemory, Engines) { LANEWISE_NO_OWN_MALLOC(); }
#endif  // LANEWISE_OWN_MALLOC
