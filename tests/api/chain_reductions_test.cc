// SPDX-License-Identifier: Apache-2.0
//
// Chains with reductions by hand: what cannot be a step, chains that are cut
// into many parts, environments, threads, guard pages. random_chains_test.cc
// holds everything else.

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "tests/support/chain_operators.h"
#include "tests/support/chain_rows.h"
#include "tests/support/float_env.h"
#include "tests/support/guarded.h"

namespace lanewise::test {
namespace {

TEST(ChainReductions, AxesAreChecked) {
  const Rows rows;
  ChainPtr chain;
  EXPECT_EQ((Parts{{LW_FLOAT32, LW_INT64},
                   {},
                   {{rows.add.get(), {1, 1}}, {rows.sum_of.get(), {0, 2}}},
                   {3}})
                .Make(&chain),
            LW_INVALID_ARGUMENT);
  ExpectMessage("step 1 (ReduceSum) has axes that are computed");
  EXPECT_EQ(
      (Parts{{LW_FLOAT32, LW_INT32}, {}, {{rows.sum_of.get(), {0, 1}}}, {2}})
          .Make(&chain),
      LW_UNSUPPORTED_TYPE);
  ExpectMessage("Chain, step 0: ReduceSum-13: ");

  chain = MakeChain({{LW_FLOAT32, LW_INT64},
                     {},
                     {{rows.exp.get(), {0}}, {rows.sum_of.get(), {2, 1}}},
                     {3}});
  Array x = SomeFloats(6, 1), y(LW_FLOAT32, 3), axes(LW_INT64, 1);
  const Tensors in = {TensorOf(x, {2, 3}), TensorOf(axes)};
  for (const int64_t axis : {2, -3}) {
    axes.as<int64_t>()[0] = axis;
    EXPECT_EQ(RunOf(chain.get(), in, {TensorOf(y, {1, 3})}), LW_INVALID_SHAPE);
    ExpectMessage("Chain, step 1: ReduceSum-13: ");
  }
  // Axes are read again in each run.
  axes.as<int64_t>()[0] = 0;
  EXPECT_EQ(RunOf(chain.get(), in, {TensorOf(y, {1, 3})}), LW_OK);
  EXPECT_EQ(RunOf(chain.get(), in, {TensorOf(y, {3, 1})}), LW_INVALID_SHAPE);
  axes.as<int64_t>()[0] = 1;
  Array z(LW_FLOAT32, 2);
  EXPECT_EQ(RunOf(chain.get(), in, {TensorOf(z, {2, 1})}), LW_OK)
      << lw_last_error();
}

// All slices of a call, on any number of threads, and any way to run it.
TEST(ChainReductions, SoftmaxOfManySlices) {
  const std::vector<EnginePtr> engines = EnginesOnThreads();
  const Dims64 dims = {3, 97, 700};
  const auto count = static_cast<size_t>(Count(dims));
  Array x = SomeFloats(count, 1), mask = SomeFloats(700, 2);
  for (const EnginePtr& engine : engines) {
    const Rows rows(engine.get());
    const Parts parts = rows.Softmax();
    const ChainPtr chain = MakeChain(parts, engine.get());
    Array at(LW_FLOAT32, count), sums(LW_FLOAT32, 3 * 97);
    const Tensors in = {TensorOf(at, dims), TensorOf(mask)};
    const auto wanted = OneByOne(parts, {TensorOf(x, dims), TensorOf(mask)});
    at = x;
    // In place.
    const Tensors out = {TensorOf(sums, {3, 97, 1}), TensorOf(at, dims)};
    RunInEveryWay(chain.get(), in, out, [&](lw_status status) {
      EXPECT_EQ(status, LW_OK) << lw_last_error();
      EXPECT_TRUE(SameBits(sums, wanted[0].elements));
      EXPECT_TRUE(SameBits(at, wanted[1].elements));
      at = x;
    });
  }
}

// Slices of outputs that are stored past the caches: rows of whole cache lines.
TEST(ChainReductions, StreamsLargeOutputs) {
  const EnginePtr engine =
      MakeTunedEngine(Options(), lw_isa_name(0), EagerStreaming());
  const Rows rows(engine.get());
  const Parts parts = rows.Softmax();
  const ChainPtr chain = MakeChain(parts, engine.get());
  const Dims64 dims = {97, 704};
  const auto count = static_cast<size_t>(Count(dims));
  Array x = SomeFloats(count, 1), mask = SomeFloats(704, 2);
  Array y(LW_FLOAT32, count), sums(LW_FLOAT32, 97);
  const Tensors in = {TensorOf(x, dims), TensorOf(mask)};
  const auto wanted = OneByOne(parts, in);
  EXPECT_EQ(
      RunOf(chain.get(), in, {TensorOf(sums, {97, 1}), TensorOf(y, dims)}),
      LW_OK)
      << lw_last_error();
  EXPECT_TRUE(SameBits(sums, wanted[0].elements));
  EXPECT_TRUE(SameBits(y, wanted[1].elements));
}

// A part has few inputs and outputs of its own, a whole chain many values.
TEST(ChainReductions, ManyValuesBetweenTheStages) {
  const Rows rows;
  Parts parts = {{LW_FLOAT32}};
  constexpr int32_t kSums = 20;
  for (int32_t k = 0; k < kSums; ++k) {  // 1 + k: e^x, x + e^x, ...
    const auto* op = k == 0 ? rows.exp.get() : rows.add.get();
    parts.steps.push_back({op, k == 0 ? Types64{0} : Types64{0, k}});
  }
  for (int32_t k = 0; k < kSums; ++k) {
    parts.steps.push_back({rows.sum.get(), {1 + k}});
  }
  for (int32_t k = 0; k < kSums; ++k) {
    const int32_t so_far = k == 0 ? 0 : 2 * kSums + k;
    parts.steps.push_back({rows.sub.get(), {so_far, 1 + kSums + k}});
  }
  parts.outputs = {3 * kSums};
  const ChainPtr chain = MakeChain(parts);
  for (const Dims64& dims : {Dims64{3, 50}, Dims64{100, 700}}) {
    const auto count = static_cast<size_t>(Count(dims));
    Array x = SomeFloats(count, 1), y(LW_FLOAT32, count);
    const auto wanted = OneByOne(parts, {TensorOf(x, dims)});
    ASSERT_EQ(RunOf(chain.get(), {TensorOf(x, dims)}, {TensorOf(y, dims)}),
              LW_OK)
        << lw_last_error();
    EXPECT_TRUE(SameBits(y, wanted[0].elements));
  }
}

// More axes than operands of the loops are possible.
TEST(ChainReductions, AxesAreNoOperandsOfTheLoops) {
  const Rows rows;
  int64_t axes[] = {0, 1};
  const int64_t two = 2;
  const lw_tensor constant = {axes, LW_INT64, 1, &two, nullptr, 0};
  Parts parts = {{LW_FLOAT32}, std::vector<lw_tensor>(20, constant)};
  for (int32_t k = 0; k < 20; ++k) {
    const int32_t from = k == 0 ? 0 : 20 + k;
    parts.steps.push_back({rows.sum_of.get(), {from, 1 + k}});
  }
  parts.outputs = {40};
  const ChainPtr chain = MakeChain(parts);
  Array x = SomeFloats(60, 1), y(LW_FLOAT32, 1);
  const auto wanted = OneByOne(parts, {TensorOf(x, {6, 10})});
  ASSERT_EQ(RunOf(chain.get(), {TensorOf(x, {6, 10})}, {TensorOf(y, {1, 1})}),
            LW_OK)
      << lw_last_error();
  EXPECT_TRUE(SameBits(y, wanted[0].elements));
}

// The first step that met a zero divisor counts, in front of a reduction or
// behind; what goes only into outputs without elements is not computed.
TEST(ChainReductions, ZeroDivisors) {
  const Rows rows;
  const ChainPtr chain = MakeChain({{LW_INT32, LW_INT32},
                                    {},
                                    {{rows.div.get(), {0, 1}},
                                     {rows.sum.get(), {2}},
                                     {rows.div.get(), {0, 3}},
                                     {rows.add.get(), {4, 1}}},
                                    {5}});
  constexpr int64_t kRows = 40, kColumns = 500;
  Array x(LW_INT32, kRows * kColumns), y(LW_INT32, x.size());
  Array divisors(LW_INT32, x.size());
  std::fill_n(x.as<int32_t>(), x.size(), 4);
  std::fill_n(divisors.as<int32_t>(), x.size(), 2);
  const Dims64 dims = {kRows, kColumns};
  const Tensors in = {TensorOf(x, dims), TensorOf(divisors, dims)};
  const auto run = [&] { return RunOf(chain.get(), in, {TensorOf(y, dims)}); };
  EXPECT_EQ(run(), LW_OK);
  EXPECT_EQ(y.as<int32_t>()[0], 2);
  // Row 7: quotients of 0 everywhere, so that the sum is 0.
  std::fill_n(x.as<int32_t>() + 7 * kColumns, kColumns, 1);
  EXPECT_EQ(run(), LW_DIVIDE_BY_ZERO);
  EXPECT_EQ(lw_last_zero_divisors().first, uint64_t{7 * kColumns});
  EXPECT_EQ(lw_last_zero_divisors().count, uint64_t{kColumns});
  divisors.as<int32_t>()[9 * kColumns + 3] = 0;
  divisors.as<int32_t>()[30 * kColumns] = 0;
  EXPECT_EQ(run(), LW_DIVIDE_BY_ZERO);
  EXPECT_EQ(lw_last_zero_divisors().first, uint64_t{9 * kColumns + 3});
  EXPECT_EQ(lw_last_zero_divisors().count, 2u);

  // The quotient of x by x, stretched to nothing.
  const ChainPtr none = MakeChain({{LW_INT32, LW_INT32},
                                   {},
                                   {{rows.div.get(), {0, 0}},
                                    {rows.sum.get(), {2}},
                                    {rows.add.get(), {3, 1}}},
                                   {4}});
  Array zero(LW_INT32, 3);
  EXPECT_EQ(
      RunOf(none.get(), {TensorOf(zero, {1, 3}), {LW_INT32, nullptr, {0, 1}}},
            {{LW_INT32, nullptr, {0, 1}}}),
      LW_OK)
      << lw_last_error();
}

TEST(ChainReductions, RowsWithoutElements) {
  const Rows rows;
  const ChainPtr chain = MakeChain(rows.Softmax());
  Array sums(LW_FLOAT32, 4), none(LW_FLOAT32, 0), mask = SomeFloats(1, 1);
  std::fill_n(sums.as<float>(), 4, 7.0f);
  ASSERT_EQ(RunOf(chain.get(), {{LW_FLOAT32, nullptr, {4, 0}}, TensorOf(mask)},
                  {TensorOf(sums, {4, 1}), {LW_FLOAT32, nullptr, {4, 0}}}),
            LW_OK)
      << lw_last_error();
  EXPECT_TRUE(SameBits(sums, Array(LW_FLOAT32, 4)));
  EXPECT_EQ(
      RunOf(chain.get(), {{LW_FLOAT32, nullptr, {0, 5}}, TensorOf(mask)},
            {{LW_FLOAT32, nullptr, {0, 1}}, {LW_FLOAT32, nullptr, {0, 5}}}),
      LW_OK)
      << lw_last_error();
}

// A slice would be all of what a reduction reads that has not the dim of the
// slices: these have as many elements together as no tensor can have.
TEST(ChainReductions, ReductionsOfDifferentDims) {
  const Rows rows;
  const int64_t axes[] = {1, 2, 3};
  const OpPtr sum =
      MakeOp(nullptr, {"ReduceSum", 11}, {IntsAttribute("axes", axes, 3)});
  const Parts parts = {{LW_FLOAT32, LW_FLOAT32, LW_FLOAT32},
                       {},
                       {{sum.get(), {0}},
                        {sum.get(), {1}},
                        {sum.get(), {2}},
                        {rows.add.get(), {3, 4}},
                        {rows.add.get(), {6, 5}}},
                       {7}};
  const ChainPtr chain = MakeChain(parts);
  constexpr int64_t kA = 3'144'239, kB = 2'584'514, kC = 2'269'997;
  Array a = SomeFloats(kA, 1), b = SomeFloats(kB, 2), c = SomeFloats(kC, 3);
  Array y(LW_FLOAT32, kA);
  const Tensors in = {TensorOf(a, {kA, 1, 1, 1}), TensorOf(b, {1, 1, kB, 1}),
                      TensorOf(c, {1, 1, 1, kC})};
  const auto wanted = OneByOne(parts, in);
  ASSERT_EQ(RunOf(chain.get(), in, {TensorOf(y, {kA, 1, 1, 1})}), LW_OK)
      << lw_last_error();
  EXPECT_TRUE(SameBits(y, wanted[0].elements));
}

// What the stages hand on has together more bytes than there are addresses.
TEST(ChainReductions, ScratchThatOverflows) {
  const Rows rows;
  const OpPtr all = MakeOp(nullptr, {"ReduceSum", 13});
  constexpr int64_t kMost = INT64_MAX / 16;  // of elements
  Parts parts = {{LW_FLOAT32}};
  constexpr int32_t kSums = 8;
  for (int32_t k = 0; k < kSums; ++k) {
    parts.steps.push_back({k == 0 ? rows.exp.get() : rows.neg.get(), {k}});
  }
  for (int32_t k = 0; k < kSums; ++k) {
    parts.steps.push_back({all.get(), {1 + k}});
    parts.outputs.push_back(1 + kSums + k);
  }
  const ChainPtr chain = MakeChain(parts);
  Array x = SomeFloats(1, 1), y(LW_FLOAT32, kSums);
  const Tensors in = {{LW_FLOAT32, x.data(), {kMost}, {0}}};
  Tensors out;
  for (int32_t k = 0; k < kSums; ++k) {
    out.push_back({LW_FLOAT32, y.at(static_cast<size_t>(k)), {1}});
  }
  const auto ins = ViewsOf(in), outs = ViewsOf(out);
  lw_call* call = nullptr;
  EXPECT_EQ(lw_chain_prepare(chain.get(), ins.data(), ins.size(), outs.data(),
                             outs.size(), &call),
            LW_SIZE_OVERFLOW);
  ExpectMessage("Chain: ");
  lw_call_destroy(call);
}

// The operators' bits in each rounding mode, and no flag of their work.
TEST(ChainReductions, ObeyTheEnvironment) {
  std::vector<const lw_engine*> engines;
  for (const ChainOperators* all : AllChainOperators()) {
    engines.push_back(all->engine());
  }
  const std::vector<EnginePtr> on_threads = EnginesOnThreads();
  for (const EnginePtr& engine : on_threads) engines.push_back(engine.get());
  for (const lw_engine* engine : engines) {
    const Rows rows(engine);
    const Parts parts = rows.Softmax();
    const ChainPtr chain = MakeChain(parts, engine);
    Array x = SomeFloats(30 * 70, 1), mask = SomeFloats(70, 2);
    Array y(LW_FLOAT32, x.size()), sums(LW_FLOAT32, 30);
    const Tensors in = {TensorOf(x, {30, 70}), TensorOf(mask)};
    const Tensors out = {TensorOf(sums, {30, 1}), TensorOf(y, {30, 70})};
    for (const int rounding :
         {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      const FloatEnvScope scope;
      std::fesetround(rounding);
      const auto wanted = OneByOne(parts, in);
      std::feclearexcept(FE_ALL_EXCEPT);
      const uint64_t before = FloatControl();
      ASSERT_EQ(RunOf(chain.get(), in, out), LW_OK);
      EXPECT_EQ(FloatControl(), before);
      EXPECT_TRUE(SameBits(sums, wanted[0].elements));
      EXPECT_TRUE(SameBits(y, wanted[1].elements));
    }
  }
}

TEST(ChainReductions, GuardPages) {
  for (const ChainOperators* operators : AllChainOperators()) {
    const Rows rows(operators->engine());
    const Parts parts = rows.Softmax();
    const ChainPtr chain = MakeChain(parts, operators->engine());
    const GuardedMemory memory[] = {GuardedMemory(1 << 17), GuardedMemory(8192),
                                    GuardedMemory(8192),
                                    GuardedMemory(1 << 17)};
    for (const int64_t n : {1, 3, 17, 64, 129, 1000}) {
      for (const Side side : {Side::kLower, Side::kUpper}) {
        const Dims64 dims = {29, n};
        Array x = SomeFloats(static_cast<size_t>(29 * n), 1);
        Array mask = SomeFloats(static_cast<size_t>(n), 2);
        const auto wanted =
            OneByOne(parts, {TensorOf(x, dims), TensorOf(mask)});
        const auto place = [&](size_t k, const Array& array, Dims64 shape) {
          return Tensor{LW_FLOAT32,
                        memory[k].Copy(side, 0, array.data(), array.bytes()),
                        std::move(shape)};
        };
        const Tensors in = {place(0, x, dims), place(1, mask, {n})};
        const Tensors out = {place(2, wanted[0].elements, {29, 1}),
                             place(3, x, dims)};
        ASSERT_EQ(RunOf(chain.get(), in, out), LW_OK) << lw_last_error();
        EXPECT_EQ(std::memcmp(out[0].data, wanted[0].elements.data(),
                              wanted[0].elements.bytes()),
                  0);
        EXPECT_EQ(std::memcmp(out[1].data, wanted[1].elements.data(),
                              wanted[1].elements.bytes()),
                  0);
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test
