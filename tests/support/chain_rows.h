// SPDX-License-Identifier: Apache-2.0
//
// Chains with reductions by hand, and what their steps give one by one.

#ifndef LANEWISE_TESTS_SUPPORT_CHAIN_ROWS_H_
#define LANEWISE_TESTS_SUPPORT_CHAIN_ROWS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/chain_parts.h"
#include "tests/support/engines.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {

using Tensors = std::vector<Tensor>;

inline Array SomeFloats(size_t count, uint32_t seed) {
  Array x(LW_FLOAT32, count);
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    x.as<float>()[i] = static_cast<float>(seed >> 8) * 0x1p-21f - 4;
  }
  return x;
}

inline std::vector<lw_tensor> ViewsOf(const Tensors& tensors) {
  std::vector<lw_tensor> views;
  for (const Tensor& tensor : tensors) views.push_back(tensor.view());
  return views;
}

inline lw_status RunOf(const lw_chain* chain, const Tensors& in,
                       const Tensors& out,
                       const lw_run_options* options = nullptr) {
  const auto ins = ViewsOf(in), outs = ViewsOf(out);
  return lw_chain_run(chain, options, ins.data(), ins.size(), outs.data(),
                      outs.size());
}

/// Runs the chain twice, on one to three threads, and as a prepared call. Hands
/// each status to `check`, which then looks at the outputs.
template <class Check>
void RunInEveryWay(const lw_chain* chain, const Tensors& in, const Tensors& out,
                   const Check& check) {
  check(RunOf(chain, in, out));
  check(RunOf(chain, in, out));
  for (const int32_t threads : {1, 2, 3}) {
    lw_run_options options = {};
    options.struct_size = sizeof(options);
    options.max_threads = threads;
    check(RunOf(chain, in, out, &options));
  }
  const auto ins = ViewsOf(in), outs = ViewsOf(out);
  lw_call* made = nullptr;
  ASSERT_EQ(lw_chain_prepare(chain, ins.data(), ins.size(), outs.data(),
                             outs.size(), &made),
            LW_OK)
      << lw_last_error();
  const CallPtr call(made);
  std::vector<const void*> from;
  std::vector<void*> to;
  for (const lw_tensor& tensor : ins) from.push_back(tensor.data);
  for (const lw_tensor& tensor : outs) to.push_back(tensor.data);
  check(lw_call_run(made, from.data(), to.data()));
}

/// A value that an operator gave.
struct Result {
  Array elements;
  Dims64 dims;
};

/// What the steps give if each is a call of its own: the outputs.
inline std::vector<Result> OneByOne(const Parts& parts, const Tensors& inputs) {
  std::vector<lw_tensor> values = ViewsOf(inputs);
  values.insert(values.end(), parts.constants.begin(), parts.constants.end());
  std::vector<Result> results(values.size() + parts.steps.size());
  for (const Parts::Step& step : parts.steps) {
    std::vector<lw_tensor> in;
    for (const int32_t value : step.operands) {
      in.push_back(values[static_cast<size_t>(value)]);
    }
    lw_shape shape;
    EXPECT_EQ(lw_op_infer(step.op, in.data(), in.size(), &shape), LW_OK)
        << lw_last_error();
    Result& result = results[values.size()];
    result.dims.assign(shape.dims, shape.dims + shape.rank);
    result.elements = Array(static_cast<lw_type>(shape.type),
                            static_cast<size_t>(Count(result.dims)));
    values.push_back({result.elements.data(), shape.type, shape.rank,
                      result.dims.data(), nullptr, 0});
    EXPECT_EQ(lw_op_run(step.op, in.data(), in.size(), &values.back(), 1),
              LW_OK)
        << lw_last_error();
  }
  std::vector<Result> outputs;
  for (const int32_t value : parts.outputs) {
    outputs.push_back(std::move(results[static_cast<size_t>(value)]));
  }
  return outputs;
}

/// The operators of an engine, and chains of them.
struct Rows {
  explicit Rows(const lw_engine* given = nullptr) : engine(given) {}

  const lw_engine* engine;
  const int64_t last_axis = -1;
  const int64_t gone = 0;
  const lw_attribute at_last = IntsAttribute("axes", &last_axis, 1);
  const lw_attribute dims_go = IntAttribute("keepdims", &gone);
  OpPtr add = MakeOp(engine, {"Add", 14});
  OpPtr sub = MakeOp(engine, {"Sub", 14});
  OpPtr div = MakeOp(engine, {"Div", 14});
  OpPtr mul = MakeOp(engine, {"Mul", 14});
  OpPtr neg = MakeOp(engine, {"Neg", 13});
  OpPtr exp = MakeOp(engine, {"Exp", 13});
  OpPtr max = MakeOp(engine, {"ReduceMax", 13}, {at_last});
  OpPtr sum = MakeOp(engine, {"ReduceSum", 11}, {at_last});
  OpPtr rows = MakeOp(engine, {"ReduceSum", 11}, {at_last, dims_go});
  OpPtr sum_of = MakeOp(engine, {"ReduceSum", 13});

  /// softmax(x + mask), and the sums of e^x
  Parts Softmax() const {
    return {{LW_FLOAT32, LW_FLOAT32},
            {},
            {{add.get(), {0, 1}},
             {max.get(), {2}},
             {sub.get(), {2, 3}},
             {exp.get(), {4}},
             {sum.get(), {5}},
             {div.get(), {5, 6}}},
            {6, 7}};
  }
};

inline ChainPtr MakeChain(const Parts& parts,
                          const lw_engine* engine = nullptr) {
  ChainPtr chain;
  EXPECT_EQ(parts.Make(&chain, engine), LW_OK) << lw_last_error();
  return chain;
}

/// Engines on which calls are cut for threads, where these may be several.
inline std::vector<EnginePtr> EnginesOnThreads() {
  std::vector<EnginePtr> engines;
  for (const ThreadingCase& threading : AllThreading()) {
    engines.push_back(
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads()));
  }
  return engines;
}

inline void ExpectMessage(const char* part) {
  EXPECT_NE(std::string(lw_last_error()).find(part), std::string::npos)
      << lw_last_error();
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_CHAIN_ROWS_H_
