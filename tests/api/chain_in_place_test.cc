// SPDX-License-Identifier: Apache-2.0
//
// Chains with reductions whose outputs lie over inputs.

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/chain_rows.h"

namespace lanewise::test {
namespace {

// Each slice would write all of an output that has not the dim of the slices,
// over an input that the next slice reads.
TEST(ChainInPlace, OutputsThatSlicesWouldShare) {
  for (const EnginePtr& engine : EnginesOnThreads()) {
    const Rows rows(engine.get());
    // w = e^w, the sums of x + e^w
    const Parts parts = {{LW_FLOAT32, LW_FLOAT32},
                         {},
                         {{rows.exp.get(), {1}},
                          {rows.add.get(), {0, 2}},
                          {rows.sum.get(), {3}}},
                         {2, 4}};
    const ChainPtr chain = MakeChain(parts, engine.get());
    Array x = SomeFloats(64 * 700, 1), w = SomeFloats(700, 2);
    Array y(LW_FLOAT32, 64), over = w;
    const auto wanted = OneByOne(parts, {TensorOf(x, {64, 700}), TensorOf(w)});
    ASSERT_EQ(RunOf(chain.get(), {TensorOf(x, {64, 700}), TensorOf(over)},
                    {TensorOf(over), TensorOf(y, {64, 1})}),
              LW_OK)
        << lw_last_error();
    EXPECT_TRUE(SameBits(over, wanted[0].elements));
    EXPECT_TRUE(SameBits(y, wanted[1].elements));
  }
}

// Row k of a result without the reduced dim lies over row k of an input that
// all slices read.
TEST(ChainInPlace, OutputsOverInputsThatAlignElsewhere) {
  for (const EnginePtr& engine : EnginesOnThreads()) {
    const Rows rows(engine.get());
    const Parts parts = {{LW_FLOAT32, LW_FLOAT32},
                         {},
                         {{rows.add.get(), {0, 1}}, {rows.rows.get(), {2}}},
                         {3}};
    const ChainPtr chain = MakeChain(parts, engine.get());
    const Dims64 cube = {40, 40, 40}, square = {40, 40};
    Array x = SomeFloats(64000, 1), w = SomeFloats(1600, 2), over = w;
    const auto wanted =
        OneByOne(parts, {TensorOf(x, cube), TensorOf(w, square)});
    ASSERT_EQ(RunOf(chain.get(), {TensorOf(x, cube), TensorOf(over, square)},
                    {TensorOf(over, square)}),
              LW_OK)
        << lw_last_error();
    EXPECT_TRUE(SameBits(over, wanted[0].elements));
  }
}

// The steps before an output read the input that the output lies over.
TEST(ChainInPlace, StepsReadInputsBeforeOutputsCoverThem) {
  const Rows rows;
  const Dims64 dims = {5, 700};
  const Parts both[] = {
      // r = the sums of x; x = e^x; x - r
      {{LW_FLOAT32},
       {},
       {{rows.sum.get(), {0}}, {rows.exp.get(), {0}}, {rows.sub.get(), {2, 1}}},
       {2, 3}},
      // a = x + x; x = e^x; a - the sums of x
      {{LW_FLOAT32},
       {},
       {{rows.add.get(), {0, 0}},
        {rows.exp.get(), {0}},
        {rows.sum.get(), {2}},
        {rows.sub.get(), {1, 3}}},
       {2, 4}}};
  for (const Parts& parts : both) {
    const ChainPtr chain = MakeChain(parts);
    Array x = SomeFloats(3500, 1), y(LW_FLOAT32, 3500);
    const auto wanted = OneByOne(parts, {TensorOf(x, dims)});
    ASSERT_EQ(RunOf(chain.get(), {TensorOf(x, dims)},
                    {TensorOf(x, dims), TensorOf(y, dims)}),
              LW_OK)
        << lw_last_error();
    EXPECT_TRUE(SameBits(x, wanted[0].elements));
    EXPECT_TRUE(SameBits(y, wanted[1].elements));
  }
}

// A part writes an output over an input after the earlier outputs that are made
// of the input, whatever else the part hands on.
TEST(ChainInPlace, OutputsInOrder) {
  const Rows rows;
  // x + w, x = x * x, the sums of -v
  const Parts parts = {{LW_FLOAT32, LW_FLOAT32, LW_FLOAT32},
                       {},
                       {{rows.add.get(), {0, 1}},
                        {rows.mul.get(), {0, 0}},
                        {rows.neg.get(), {2}},
                        {rows.sum.get(), {5}}},
                       {3, 4, 6}};
  const ChainPtr chain = MakeChain(parts);
  const Dims64 all_w[] = {{30, 70}, {1, 70}, {30, 1}, {4, 30, 70}, {70}};
  const Dims64 all_v[] = {{30, 70}, {70}, {4, 30, 70}, {5, 3}};
  for (const Dims64& of_x : {Dims64{30, 70}, Dims64{1, 70}, Dims64{70}}) {
    for (const Dims64& of_w : all_w) {
      for (const Dims64& of_v : all_v) {
        const auto floats = [](const Dims64& dims, uint32_t seed) {
          return SomeFloats(static_cast<size_t>(Count(dims)), seed);
        };
        Array x = floats(of_x, 1), w = floats(of_w, 2), v = floats(of_v, 3);
        const Tensors in = {TensorOf(x, of_x), TensorOf(w, of_w),
                            TensorOf(v, of_v)};
        std::vector<Result> wanted = OneByOne(parts, in);
        std::vector<Array> made;
        Tensors out;
        for (const Result& result : wanted) made.push_back(result.elements);
        for (size_t k = 0; k < made.size(); ++k) {
          out.push_back(TensorOf(made[k], wanted[k].dims));
        }
        out[1] = in[0];
        // What is handed on is computed first, along with outputs of its shape.
        const bool is_early = of_v == of_x && wanted[0].dims != of_x;
        ASSERT_EQ(RunOf(chain.get(), in, out), is_early ? LW_OVERLAP : LW_OK)
            << lw_last_error();
        if (is_early) continue;
        EXPECT_TRUE(SameBits(made[0], wanted[0].elements));
        EXPECT_TRUE(SameBits(x, wanted[1].elements));
        EXPECT_TRUE(SameBits(made[2], wanted[2].elements));
      }
    }
  }
}

// What overlaps is refused before anything is written.
TEST(ChainInPlace, OverlapsAreRefused) {
  const Rows rows;
  const Parts parts = rows.Softmax();
  const ChainPtr chain = MakeChain(parts);
  Array x = SomeFloats(600, 1), sums(LW_FLOAT32, 2), mask = SomeFloats(300, 2);
  const Array before = x, mask_before = mask;
  const Tensors in = {TensorOf(x, {2, 300}), TensorOf(mask)};
  const Tensor good = TensorOf(sums, {2, 1});
  const Tensor over_mask = {LW_FLOAT32, mask.data(), {2, 300}};
  const Tensor shifted = {LW_FLOAT32, x.at(1), {2, 300}};
  const Tensor sums_over = {LW_FLOAT32, x.data(), {2, 1}};
  EXPECT_EQ(RunOf(chain.get(), in, {good, over_mask}), LW_OVERLAP);
  EXPECT_EQ(RunOf(chain.get(), in, {good, shifted}), LW_OVERLAP);
  EXPECT_EQ(RunOf(chain.get(), in, {sums_over, in[0]}), LW_OVERLAP);
  EXPECT_EQ(RunOf(chain.get(), in, {good, {LW_FLOAT32, nullptr, {2, 300}}}),
            LW_NULL_DATA);
  EXPECT_TRUE(SameBits(x, before));
  EXPECT_TRUE(SameBits(mask, mask_before));
  // A larger output is made of the same input.
  const ChainPtr two = MakeChain({{LW_FLOAT32, LW_FLOAT32},
                                  {},
                                  {{rows.exp.get(), {1}},
                                   {rows.add.get(), {0, 2}},
                                   {rows.sum.get(), {3}},
                                   {rows.sub.get(), {3, 4}}},
                                  {2, 3, 5}});
  Array y(LW_FLOAT32, 600), z(LW_FLOAT32, 600);
  EXPECT_EQ(
      RunOf(two.get(), in,
            {TensorOf(mask), TensorOf(y, {2, 300}), TensorOf(z, {2, 300})}),
      LW_OVERLAP);
  EXPECT_TRUE(SameBits(mask, mask_before));
  // A later step reads the input.
  const ChainPtr later = MakeChain(
      {{LW_FLOAT32},
       {},
       {{rows.exp.get(), {0}}, {rows.sum.get(), {1}}, {rows.sub.get(), {0, 2}}},
       {1, 3}});
  EXPECT_EQ(RunOf(later.get(), {in[0]}, {in[0], TensorOf(y, {2, 300})}),
            LW_OVERLAP);
  EXPECT_TRUE(SameBits(x, before));
  EXPECT_EQ(RunOf(later.get(), {in[0]}, {TensorOf(y, {2, 300}), in[0]}), LW_OK)
      << lw_last_error();
}

}  // namespace
}  // namespace lanewise::test
