// SPDX-License-Identifier: Apache-2.0
//
// A call on small tensors allocates nothing, neither with new nor with malloc.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/own_malloc.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

#if LANEWISE_OWN_MALLOC

namespace lanewise::test {
namespace {

TEST(Allocation, IsCounted) {
  // The volatile pointer keeps the compiler from removing allocation and
  // deallocation.
  static void* volatile seen;
  EXPECT_GE(CountAllocations([] {
              std::vector<int> one(1000);
              seen = one.data();
            }),
            1u);
  EXPECT_GE(CountAllocations([] {
              seen = std::malloc(10);
              std::free(seen);
            }),
            1u);
}

TEST(Allocation, NoneInTheTensorApi) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine = MakeEngine(OptionsFor(threading));
    const OpPtr relu = MakeOp(engine.get(), {"Relu", 14});
    for (const size_t n : {0, 1, 17, 1000, 30'000}) {
      Array x(LW_FLOAT32, n);
      const Tensor tensor = TensorOf(x);
      const lw_tensor view = tensor.view();
      EXPECT_EQ(CountAllocations([&] {
                  lw_shape shape;
                  lw_op_infer(relu.get(), &view, 1, &shape);
                  lw_op_run(relu.get(), &view, 1, &view, 1);
                }),
                0u)
          << n << " elements";
    }
  }
}

TEST(Allocation, NoneForStridedTensors) {
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  Array x(LW_FLOAT64, 300);
  Array y(LW_FLOAT64, 300);
  Tensor in = TensorOf(x, {20, 15});
  in.strides = {1, 20};
  const Tensor out = TensorOf(y, {20, 15});
  const lw_tensor views[] = {in.view(), out.view()};
  EXPECT_EQ(CountAllocations(
                [&] { lw_op_run(relu.get(), &views[0], 1, &views[1], 1); }),
            0u);
}

TEST(Allocation, NoneWhenAReductionRuns) {
  const EnginePtr engine =
      MakeEngine(OptionsFor({"serial", LW_THREADING_SERIAL, 0}));
  const int64_t axes[] = {0, 2}, count = 2;
  const OpPtr sum = MakeOp(engine.get(), {"ReduceSum", 13});
  const OpPtr place = MakeOp(engine.get(), {"ArgMax", 13});
  Array x(LW_FLOAT32, 24'000);
  Array sums(LW_FLOAT32, 30);
  Array places(LW_INT64, 1'200);
  for (const Dims64& strides : {Dims64(), Dims64{1, 20, 600}}) {
    Tensor in = TensorOf(x, {20, 30, 40});
    in.strides = strides;
    const Tensor out = TensorOf(sums, {1, 30, 1});
    const Tensor indexes = TensorOf(places, {1, 30, 40});
    const lw_tensor given[] = {
        in.view(),
        {const_cast<int64_t*>(axes), LW_INT64, 1, &count, nullptr, 0}};
    const lw_tensor out_views[] = {out.view(), indexes.view()};
    EXPECT_EQ(
        CountAllocations([&] {
          EXPECT_EQ(lw_op_run(sum.get(), given, 2, &out_views[0], 1), LW_OK);
          EXPECT_EQ(lw_op_run(place.get(), given, 1, &out_views[1], 1), LW_OK);
        }),
        0u);
  }
}

// Creating a prepared call allocates. Running the call does not: not if one job
// is the whole call, nor with tiles, with tasks, or with pointers that are
// refused.
TEST(Allocation, NoneWhenAPreparedCallRuns) {
  lw_engine_options options = OptionsFor({"host", LW_THREADING_HOST, 2});
  options.parallel_for = [](void*, lw_task task, size_t count, void* data) {
    for (size_t i = 0; i < count; ++i) task(data, i);
    return 0;
  };
  const EnginePtr engine =
      MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
  for (const lw_engine* used : {static_cast<const lw_engine*>(nullptr),
                                static_cast<const lw_engine*>(engine.get())}) {
    const OpPtr div = MakeOp(used, {"Div", 14});
    Array a(LW_INT32, 6000);
    Array b(LW_INT32, 6000);
    Array c(LW_INT32, 6000);
    for (const Dims64& strides : {Dims64{}, Dims64{1, 100}}) {
      const Tensor in = {LW_INT32, nullptr, {100, 60}, strides};
      const lw_tensor views[] = {in.view(), in.view()};
      lw_call* made = nullptr;
      ASSERT_EQ(lw_call_create(div.get(), views, 2, views, 1, &made), LW_OK);
      const CallPtr call(made);
      const void* const inputs[] = {a.data(), b.data()};
      const void* const none[] = {a.data(), nullptr};
      void* const outputs[] = {c.data()};
      lw_run_options run = {};
      run.struct_size = sizeof(run);
      EXPECT_EQ(CountAllocations([&] {
                  EXPECT_EQ(lw_call_run(made, inputs, outputs),
                            LW_DIVIDE_BY_ZERO);
                  EXPECT_EQ(lw_call_run_with(made, &run, inputs, outputs),
                            LW_DIVIDE_BY_ZERO);
                  EXPECT_EQ(lw_call_run(made, none, outputs), LW_NULL_DATA);
                }),
                0u);
    }
  }
}

TEST(Allocation, NoneWhenAChainRuns) {
  const OpPtr add = MakeOp(nullptr, {"Add", 14});
  const OpPtr exp = MakeOp(nullptr, {"Exp", 13});
  const int32_t sum[] = {0, 1}, power[] = {2}, last[] = {3};
  const int32_t types[] = {LW_FLOAT32, LW_FLOAT32};
  const lw_step steps[] = {{add.get(), sum, 2}, {exp.get(), power, 1}};
  lw_chain* chain = nullptr;
  ASSERT_EQ(
      lw_chain_create(nullptr, types, 2, nullptr, 0, steps, 2, last, 1, &chain),
      LW_OK);
  Array a(LW_FLOAT32, 6000);
  Array b(LW_FLOAT32, 100);
  Array y(LW_FLOAT32, 6000);
  const Tensor tensors[] = {TensorOf(a, {60, 100}), TensorOf(b, {100}),
                            TensorOf(y, {60, 100})};
  const lw_tensor in[] = {tensors[0].view(), tensors[1].view()};
  const lw_tensor out = tensors[2].view();
  lw_call* made = nullptr;
  ASSERT_EQ(lw_chain_prepare(chain, in, 2, &out, 1, &made), LW_OK);
  const CallPtr call(made);
  const void* const inputs[] = {a.data(), b.data()};
  void* const outputs[] = {y.data()};
  EXPECT_EQ(CountAllocations([&] {
              lw_shape shape;
              EXPECT_EQ(lw_chain_infer(chain, in, 2, &shape), LW_OK);
              EXPECT_EQ(lw_chain_run(chain, nullptr, in, 2, &out, 1), LW_OK);
              EXPECT_EQ(lw_chain_run(chain, nullptr, in, 1, &out, 1),
                        LW_WRONG_COUNT);
              EXPECT_EQ(lw_call_run(made, inputs, outputs), LW_OK);
            }),
            0u);
  lw_chain_destroy(chain);
}

// A chain with reductions allocates when it plans.
TEST(Allocation, NoneWhenAPlannedChainReduces) {
  const EnginePtr engine =
      MakeEngine(OptionsFor({"serial", LW_THREADING_SERIAL, 0}));
  const int64_t axis = -1;
  const lw_attribute axes = IntsAttribute("axes", &axis, 1);
  const OpPtr max = MakeOp(engine.get(), {"ReduceMax", 13}, {axes});
  const OpPtr sub = MakeOp(engine.get(), {"Sub", 14});
  const OpPtr sum = MakeOp(engine.get(), {"ReduceSum", 11}, {axes});
  const int32_t of_max[] = {0}, of_sub[] = {0, 1}, of_sum[] = {2};
  const int32_t outputs[] = {2, 3}, type = LW_FLOAT32;
  const lw_step steps[] = {
      {max.get(), of_max, 1}, {sub.get(), of_sub, 2}, {sum.get(), of_sum, 1}};
  lw_chain* chain = nullptr;
  ASSERT_EQ(lw_chain_create(engine.get(), &type, 1, nullptr, 0, steps, 3,
                            outputs, 2, &chain),
            LW_OK);
  Array x(LW_FLOAT32, 60'000);
  Array y(LW_FLOAT32, 60'000);
  Array z(LW_FLOAT32, 600);
  const Tensor tensors[] = {TensorOf(x, {600, 100}), TensorOf(y, {600, 100}),
                            TensorOf(z, {600, 1})};
  const lw_tensor in = tensors[0].view();
  const lw_tensor out[] = {tensors[1].view(), tensors[2].view()};
  lw_call* made = nullptr;
  ASSERT_EQ(lw_chain_prepare(chain, &in, 1, out, 2, &made), LW_OK);
  const CallPtr call(made);
  ASSERT_EQ(lw_chain_run(chain, nullptr, &in, 1, out, 2), LW_OK);
  const void* const inputs[] = {x.data()};
  void* const to[] = {y.data(), z.data()};
  EXPECT_EQ(CountAllocations([&] {
              lw_shape shapes[2];
              EXPECT_EQ(lw_chain_infer(chain, &in, 1, shapes), LW_OK);
              EXPECT_EQ(lw_chain_run(chain, nullptr, &in, 1, out, 2), LW_OK);
              EXPECT_EQ(lw_chain_run(chain, nullptr, &in, 0, out, 2),
                        LW_WRONG_COUNT);
              EXPECT_EQ(lw_call_run(made, inputs, to), LW_OK);
            }),
            0u);
  lw_chain_destroy(chain);
}

// Nor does an operator that needs other tensors than it is given: dim 1 in two,
// or positions.
TEST(Allocation, NoneWhenAComposedOperatorRuns) {
  const EnginePtr engine =
      MakeEngine(OptionsFor({"serial", LW_THREADING_SERIAL, 0}));
  const int64_t groups = 3;
  const OpPtr normalize = MakeOp(engine.get(), {"GroupNormalization", 21},
                                 {IntAttribute("num_groups", &groups)});
  const OpPtr hardmax = MakeOp(engine.get(), {"Hardmax", 13});
  const OpPtr hardmax_11 = MakeOp(engine.get(), {"Hardmax", 11});
  Array x(LW_FLOAT32, 6 * 128), y(LW_FLOAT32, 6 * 128), of_channels(x);
  for (const Dims64& dims :
       {Dims64{2, 6, 4, 4, 4}, Dims64{2, 6, 2, 2, 2, 2, 2, 2}}) {
    for (const bool is_strided : {false, true}) {
      Tensor all[] = {TensorOf(x, dims), TensorOf(of_channels, {6}),
                      TensorOf(of_channels, {6}), TensorOf(y, dims)};
      if (is_strided) {
        for (Tensor& tensor : all) tensor.strides = RowMajor(tensor.dims);
      }
      const lw_tensor in[] = {all[0].view(), all[1].view(), all[2].view()};
      const lw_tensor out = all[3].view();
      const auto run = [&](const lw_op* op, size_t inputs) {
        lw_shape shape;
        EXPECT_EQ(lw_op_infer(op, in, inputs, &shape), LW_OK);
        EXPECT_EQ(lw_op_run(op, in, inputs, &out, 1), LW_OK) << lw_last_error();
      };
      const auto run_all = [&] {
        run(normalize.get(), 3);
        run(hardmax.get(), 1);
        run(hardmax_11.get(), 1);
      };
      run_all();
      EXPECT_EQ(CountAllocations(run_all), 0u);
    }
  }
}

// A run that the host's code ends by an exception gives the plan's memory back.
TEST(Allocation, NoneAfterARunThatFailed) {
  lw_engine_options options = OptionsFor({"serial", LW_THREADING_SERIAL, 0});
  bool fails = false;
  options.verbose = "exec";
  options.trace_context = &fails;
  options.trace = [](void* context, const char*) {
    if (*static_cast<bool*>(context)) throw std::bad_alloc();
  };
  const EnginePtr engine = MakeEngine(options);
  const OpPtr exp = MakeOp(engine.get(), {"Exp", 13});
  const OpPtr sum = MakeOp(engine.get(), {"ReduceSum", 13});
  const int32_t of_exp[] = {0}, of_sum[] = {1}, last = 2, type = LW_FLOAT32;
  const lw_step steps[] = {{exp.get(), of_exp, 1}, {sum.get(), of_sum, 1}};
  lw_chain* chain = nullptr;
  ASSERT_EQ(lw_chain_create(engine.get(), &type, 1, nullptr, 0, steps, 2, &last,
                            1, &chain),
            LW_OK);
  Array x(LW_FLOAT32, 100);
  Array y(LW_FLOAT32, 1);
  const Tensor tensors[] = {TensorOf(x), TensorOf(y)};
  const lw_tensor in = tensors[0].view(), out = tensors[1].view();
  const auto run = [&] {
    return lw_chain_run(chain, nullptr, &in, 1, &out, 1);
  };
  EXPECT_EQ(run(), LW_OK);
  fails = true;
  EXPECT_EQ(run(), LW_OUT_OF_MEMORY);
  fails = false;
  EXPECT_EQ(CountAllocations([&] { EXPECT_EQ(run(), LW_OK); }), 0u);
  lw_chain_destroy(chain);
}

// A host keeps a chain for each group of nodes. The memory grows with what is
// there: eight steps, and ranks of up to 8, which is more than most hosts have.
TEST(Allocation, AChainTakesLittle) {
  const OpPtr add = MakeOp(nullptr, {"Add", 14});
  const int32_t types[] = {LW_FLOAT32, LW_FLOAT32};
  std::vector<int32_t> operands;
  std::vector<lw_step> steps;
  for (int32_t s = 0; s < 8; ++s) {
    operands.insert(operands.end(), {s == 0 ? 0 : s + 1, 1});
  }
  for (size_t s = 0; s < 8; ++s) {
    steps.push_back({add.get(), &operands[2 * s], 2});
  }
  const int32_t last = 9;
  Array x(LW_FLOAT32, 16);
  Array y(LW_FLOAT32, 16);
  const Tensor tensors[] = {TensorOf(x, {2, 2, 2, 2}),
                            TensorOf(y, {2, 2, 2, 2})};
  const lw_tensor in[] = {tensors[0].view(), tensors[0].view()};
  const lw_tensor out = tensors[1].view();
  lw_chain* chain = nullptr;
  size_t before = allocations.bytes;
  ASSERT_EQ(lw_chain_create(nullptr, types, 2, nullptr, 0, steps.data(), 8,
                            &last, 1, &chain),
            LW_OK);
  ASSERT_EQ(lw_chain_run(chain, nullptr, in, 2, &out, 1), LW_OK);
  EXPECT_LE(allocations.bytes - before, size_t{16} << 10);
  before = allocations.bytes;
  lw_call* made = nullptr;
  ASSERT_EQ(lw_chain_prepare(chain, in, 2, &out, 1, &made), LW_OK);
  const CallPtr call(made);
  EXPECT_LE(allocations.bytes - before, size_t{16} << 10);
  lw_chain_destroy(chain);
}

// Errors allocate nothing either: their message has a fixed buffer.
TEST(Allocation, NoneForErrors) {
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  Array x(LW_FLOAT32, 6);
  const Tensor tensor = TensorOf(x, {2, 3});
  const Tensor turned = TensorOf(x, {3, 2});
  const lw_tensor in = tensor.view();
  const lw_tensor wrong = turned.view();
  EXPECT_EQ(CountAllocations([&] {
              EXPECT_EQ(lw_op_run(relu.get(), &in, 1, &wrong, 1),
                        LW_INVALID_SHAPE);
              EXPECT_EQ(lw_op_run(relu.get(), &in, 0, &in, 1), LW_WRONG_COUNT);
            }),
            0u);
}

TEST(Allocation, NoneInTheKernelApi) {
  const OpPtr op = MakeOp(nullptr, {"Relu", 14});
  const lw_kernel* relu = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_BFLOAT16, LW_SAME, &relu), LW_OK);
  std::vector<uint16_t> x(1'000'001);
  EXPECT_EQ(CountAllocations([&] {
              const void* const inputs[] = {x.data()};
              lw_kernel_run(relu, inputs, x.data(), x.size());
              lw_op_kernel(op.get(), LW_BFLOAT16, LW_SAME, &relu);
            }),
            0u);
}

}  // namespace
}  // namespace lanewise::test

#else
TEST(Allocation, IsCounted) { LANEWISE_NO_OWN_MALLOC(); }
#endif  // LANEWISE_OWN_MALLOC
