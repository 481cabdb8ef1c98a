// SPDX-License-Identifier: Apache-2.0
//
// Chains with GroupNormalization and Hardmax by hand: whole groups in slices,
// groups that do not fit each other, and what is refused.
// random_chains_test.cc holds everything else.

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/chain_rows.h"

namespace lanewise::test {
namespace {

/// The operators of an engine.
struct Groups {
  explicit Groups(const lw_engine* engine) : rows(engine) {}

  /// GroupNormalization of `opset` with so many groups.
  const lw_op* Of(int64_t groups, int32_t opset = 21) {
    made.push_back(MakeOp(rows.engine, {"GroupNormalization", opset},
                          {IntAttribute("num_groups", &groups)}));
    return made.back().get();
  }
  const lw_op* Plain(const char* name, int32_t opset) {
    made.push_back(MakeOp(rows.engine, {name, opset}));
    return made.back().get();
  }
  /// x * sigmoid(x) of what is normalized, and where its maxima are: inputs x,
  /// scale and bias.
  Parts Swish(int64_t groups, int32_t opset) {
    return {{LW_FLOAT32, LW_FLOAT32, LW_FLOAT32},
            {},
            {{rows.neg.get(), {0}},
             {Of(groups, opset), {3, 1, 2}},
             {Plain("Swish", 24), {4}},
             {Plain("Hardmax", 13), {5}},
             {rows.add.get(), {5, 6}}},
            {7}};
  }

  Rows rows;
  std::vector<OpPtr> made;
};

// In place, on any number of threads, and any way to run it.
void ExpectTheSame(const lw_engine* engine, const Parts& parts,
                   const Dims64& dims, int64_t scales) {
  const auto count = static_cast<size_t>(Count(dims));
  const auto of_scales = static_cast<size_t>(scales);
  Array x = SomeFloats(count, 1), y(x);
  Array scale = SomeFloats(of_scales, 2), bias = SomeFloats(of_scales, 3);
  const auto wanted =
      OneByOne(parts, {TensorOf(x, dims), TensorOf(scale), TensorOf(bias)});
  const ChainPtr chain = MakeChain(parts, engine);
  const Tensors in = {TensorOf(y, dims), TensorOf(scale), TensorOf(bias)};
  const Tensors out = {TensorOf(y, dims)};
  RunInEveryWay(chain.get(), in, out, [&](lw_status status) {
    EXPECT_EQ(status, LW_OK) << lw_last_error();
    EXPECT_TRUE(SameBits(y, wanted[0].elements));
    y = x;
  });
}

TEST(ChainGroups, SlicesHaveWholeGroups) {
  Groups large(nullptr);
  ExpectTheSame(nullptr, large.Swish(8, 21), {1, 24, 100, 101}, 24);
  ExpectTheSame(nullptr, large.Swish(2, 18), {3, 6, 90, 101}, 2);
  for (const EnginePtr& engine : EnginesOnThreads()) {
    Groups groups(engine.get());
    for (const Dims64& dims :
         {Dims64{1, 24, 11, 13}, Dims64{3, 30, 7, 20}, Dims64{50, 60},
          Dims64{2, 6, 0, 3}, Dims64{0, 6, 3}, Dims64{3, 0, 2}}) {
      for (const int64_t count : {1, 2, 3, 6}) {
        SCOPED_TRACE(count);
        ExpectTheSame(engine.get(), groups.Swish(count, 21), dims, dims[1]);
        ExpectTheSame(engine.get(), groups.Swish(count, 18), dims, count);
      }
    }
  }
}

// Groups of 2 and of 3 channels: a slice has no part of either.
TEST(ChainGroups, GroupsOfGroups) {
  for (const EnginePtr& engine : EnginesOnThreads()) {
    Groups groups(engine.get());
    const Parts parts = {{LW_FLOAT32, LW_FLOAT32, LW_FLOAT32},
                         {},
                         {{groups.Of(12), {0, 1, 2}},
                          {groups.rows.exp.get(), {3}},
                          {groups.Of(8), {4, 2, 1}},
                          {groups.Of(12), {0, 2, 2}},
                          {groups.rows.add.get(), {5, 6}}},
                         {7}};
    ExpectTheSame(engine.get(), parts, {1, 24, 11, 13}, 24);
    ExpectTheSame(engine.get(), parts, {1, 24, 4000}, 24);
    ExpectTheSame(engine.get(), parts, {5, 24, 7}, 24);
  }
}

// The scale is one of channels, and one of columns.
TEST(ChainGroups, TwoAlignments) {
  Groups groups(nullptr);
  const Parts parts = {
      {LW_FLOAT32, LW_FLOAT32, LW_FLOAT32},
      {},
      {{groups.Of(4), {0, 1, 2}}, {groups.rows.add.get(), {3, 1}}},
      {4}};
  ExpectTheSame(nullptr, parts, {1, 24, 500, 24}, 24);
  ExpectTheSame(nullptr, parts, {9, 24, 50, 24}, 24);
}

TEST(ChainGroups, WrongShapesAreRefused) {
  Groups groups(nullptr);
  Array x(LW_FLOAT32, 24), y(x), scale(LW_FLOAT32, 6);
  const auto expect = [&](int32_t opset, const Dims64& dims, int64_t scales,
                          const char* message) {
    const ChainPtr chain = MakeChain(groups.Swish(2, opset));
    const Tensor of_scales = TensorOf(scale, {scales});
    EXPECT_EQ(RunOf(chain.get(), {TensorOf(x, dims), of_scales, of_scales},
                    {TensorOf(y, dims)}),
              LW_INVALID_SHAPE);
    ExpectMessage(message);
  };
  expect(21, {2, 3, 4}, 3,
         "Chain, step 1: GroupNormalization-21: dim 1 of [2,3,4] cannot be "
         "divided into 2 groups");
  expect(21, {24}, 6, "dim 1 of [24] cannot be divided");
  expect(21, {2, 4, 3}, 2, "input 1 (scale) is of shape [4], not [2]");
  expect(18, {2, 4, 3}, 4,
         "Chain, step 1: GroupNormalization-18: input 1 (scale) is of shape "
         "[2], not [4]");
  const int64_t axis = 2;
  const OpPtr along =
      MakeOp(nullptr, {"Hardmax", 13}, {IntAttribute("axis", &axis)});
  const ChainPtr chain =
      MakeChain({{LW_FLOAT32},
                 {},
                 {{groups.rows.exp.get(), {0}}, {along.get(), {1}}},
                 {2}});
  EXPECT_EQ(RunOf(chain.get(), {TensorOf(x, {6, 4})}, {TensorOf(y, {6, 4})}),
            LW_INVALID_SHAPE);
  ExpectMessage("Chain, step 1: Hardmax-13: axis 2 is none of [6,4]");
}

// Positions of values in slices, of flat rows, and of a step's result that lies
// nowhere.
TEST(ChainGroups, Hardmax) {
  for (const EnginePtr& engine : EnginesOnThreads()) {
    const Rows rows(engine.get());
    for (const int32_t opset : {11, 13}) {
      for (const int64_t axis : {0, 1, 2}) {
        const OpPtr hardmax = MakeOp(engine.get(), {"Hardmax", opset},
                                     {IntAttribute("axis", &axis)});
        const Parts parts = {{LW_FLOAT32, LW_FLOAT32, LW_FLOAT32},
                             {},
                             {{rows.add.get(), {0, 1}},
                              {hardmax.get(), {3}},
                              {hardmax.get(), {0}},
                              {rows.sub.get(), {4, 5}},
                              {rows.add.get(), {6, 2}}},
                             {7}};
        ExpectTheSame(engine.get(), parts, {70, 21, 40}, 40);
        ExpectTheSame(engine.get(), parts, {2, 3, 4}, 4);
        ExpectTheSame(engine.get(), parts, {2, 0, 4}, 4);
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test
