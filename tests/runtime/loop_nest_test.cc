// SPDX-License-Identifier: Apache-2.0
//
// Compares BuildNest with a naive walk over dims and strides.

#include "runtime/plan/loop_nest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/strided.h"

namespace lanewise::test {
namespace {

// The position of each operand's element, in elements from its data pointer.
using Place = std::array<int64_t, kMaxOperands>;

struct Operands {
  std::vector<Tensor> tensors;   // the last one is the output
  std::vector<int32_t> offsets;  // output dim that the first dim aligns with
};

std::vector<Place> NaiveWalk(const Operands& operands) {
  const Dims64& dims = operands.tensors.back().dims;
  std::vector<Place> places(static_cast<size_t>(Count(dims)));
  for (size_t flat = 0; flat < places.size(); ++flat) {
    for (size_t k = 0; k < operands.tensors.size(); ++k) {
      const Tensor& tensor = operands.tensors[k];
      const Dims64 strides =
          tensor.strides.empty() ? RowMajor(tensor.dims) : tensor.strides;
      auto rest = static_cast<int64_t>(flat);
      for (size_t i = dims.size(); i-- > 0; rest /= dims[i]) {
        const auto own = static_cast<int64_t>(i) - operands.offsets[k];
        if (own < 0 || own >= static_cast<int64_t>(tensor.dims.size())) {
          continue;
        }
        const auto at = static_cast<size_t>(own);
        if (tensor.dims[at] != 1) {
          places[flat][k] += rest % dims[i] * strides[at];
        }
      }
    }
  }
  return places;
}

struct OwnNest : LoopNest {
  std::vector<int64_t> numbers;
};

OwnNest Build(const Operands& operands, bool keep_order) {
  std::vector<lw_tensor> views;
  for (const Tensor& tensor : operands.tensors) views.push_back(tensor.view());
  NestOperand nested[kMaxOperands] = {};
  for (size_t k = 0; k < views.size(); ++k) {
    nested[k] = {&views[k], operands.offsets[k]};
  }
  OwnNest nest;
  nest.numbers.resize(
      NestNumbers(views.size(), operands.tensors.back().dims.size()));
  BuildNest(nested, static_cast<int>(views.size()), keep_order,
            nest.numbers.data(), &nest);
  return nest;
}

std::vector<Place> NestWalk(const LoopNest& nest) {
  const Dims64 dims(nest.dims, nest.dims + nest.rank);
  std::vector<Place> places(static_cast<size_t>(Count(dims)));
  for (size_t flat = 0; flat < places.size(); ++flat) {
    for (int k = 0; k < nest.operands; ++k) {
      const Dims64 strides(nest.strides[k], nest.strides[k] + nest.rank);
      places[flat][static_cast<size_t>(k)] =
          nest.start[k] + OffsetOf(dims, strides, static_cast<int64_t>(flat));
    }
  }
  return places;
}

void ExpectVisitsTheSame(const Operands& operands) {
  std::vector<Place> expected = NaiveWalk(operands);
  const OwnNest ordered = Build(operands, true);
  EXPECT_EQ(ordered.elements, static_cast<int64_t>(expected.size()));
  EXPECT_EQ(NestWalk(ordered), expected);

  const OwnNest sorted = Build(operands, false);
  std::vector<Place> walk = NestWalk(sorted);
  for (int k = 0; k < sorted.operands; ++k) {
    const auto operand = static_cast<size_t>(k);
    bool flat = true;
    for (size_t i = 0; i < walk.size(); ++i) {
      flat &= walk[i][operand] == walk[0][operand] + static_cast<int64_t>(i);
    }
    EXPECT_EQ(sorted.flat[k], flat) << "operand " << k;
  }
  std::sort(walk.begin(), walk.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(walk, expected);
}

Tensor Like(const Dims64& dims, const Dims64& strides = {}) {
  return {LW_FLOAT32, nullptr, dims, strides};
}

TEST(LoopNest, VisitsEveryLayout) {
  for (const Layout& layout : AllLayouts()) {
    if (Count(layout.dims) == 0) continue;  // BuildNest is not called for these
    SCOPED_TRACE(layout.name);
    const Tensor in = Like(layout.dims, layout.in);
    const Tensor out = Like(layout.dims, layout.out);
    ExpectVisitsTheSame({{in, out}, {0, 0}});
    ExpectVisitsTheSame({{in, Like(layout.dims), out}, {0, 0, 0}});
    ExpectVisitsTheSame({{Like(layout.dims), in, out}, {0, 0, 0}});
  }
}

// Strides for a random permutation of the dims, with gaps and reversals.
Dims64 AnyStrides(const Dims64& dims, std::mt19937& random) {
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  Dims64 strides(dims.size());
  int64_t stride = 1;
  for (const size_t i : order) {
    if (random() % 3 == 0) stride += random() % 3;
    strides[i] = random() % 3 == 0 ? -stride : stride;
    stride *= dims[i];
  }
  return strides;
}

TEST(LoopNest, VisitsRandomLayoutsAndBroadcasts) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    Dims64 dims(random() % 6);
    for (int64_t& dim : dims) dim = 1 + random() % 4;
    const Tensor out =
        random() % 2 ? Like(dims) : Like(dims, AnyStrides(dims, random));
    Operands operands;
    for (int k = 0; k < 2; ++k) {
      // A contiguous run of the output's dims, of which some are 1 and stretch.
      const size_t from = random() % (dims.size() + 1);
      const size_t to = from + random() % (dims.size() - from + 1);
      Dims64 own(dims.begin() + static_cast<ptrdiff_t>(from),
                 dims.begin() + static_cast<ptrdiff_t>(to));
      for (int64_t& dim : own) dim = random() % 3 == 0 ? 1 : dim;
      operands.tensors.push_back(
          random() % 2 ? Like(own) : Like(own, AnyStrides(own, random)));
      operands.offsets.push_back(static_cast<int32_t>(from));
    }
    operands.tensors.push_back(out);
    operands.offsets.push_back(0);
    ExpectVisitsTheSame(operands);
    if (HasFailure()) return;
  }
}

TEST(LoopNest, CollapsesToOneRunWhereItCan) {
  const struct {
    const char* name;
    Dims64 dims, in, out;
  } cases[] = {
      {"contiguous", {3, 4, 5, 6}, {}, {}},
      {"ones anywhere", {1, 3, 1, 1, 4, 1}, {}, {}},
      {"one element", {1, 1}, {}, {}},
      {"scalar", {}, {}, {}},
      {"both transposed", {3, 4, 5}, {5, 15, 1}, {5, 15, 1}},
      {"both reversed", {3, 4}, {-4, -1}, {-4, -1}},
      {"both permuted and reversed", {3, 4}, {-1, 3}, {-1, 3}},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const Operands operands = {
        {Like(test.dims, test.in), Like(test.dims, test.out)}, {0, 0}};
    const OwnNest nest = Build(operands, false);
    EXPECT_EQ(nest.rank, 1);
    EXPECT_EQ(nest.inner(), Count(test.dims));
    EXPECT_TRUE(nest.flat[0] && nest.flat[1]);
    EXPECT_EQ(PatternName(nest, 0), "same");
  }
}

TEST(LoopNest, RankSixtyFour) {
  Dims64 dims(LW_MAX_RANK, 1);
  dims[3] = 2;
  dims[40] = 3;
  dims[63] = 2;
  ExpectVisitsTheSame({{Like(dims), Like(dims)}, {0, 0}});
  Dims64 reversed = RowMajor(dims);
  for (int64_t& stride : reversed) stride = -stride;
  ExpectVisitsTheSame({{Like(dims), Like(dims, reversed)}, {0, 0}});
}

TEST(LoopNest, NamesPatterns) {
  const auto name = [](const Tensor& a, const Tensor& b, int32_t offset_b,
                       const Dims64& out) {
    return PatternName(Build({{a, b, Like(out)}, {0, offset_b, 0}}, true), 0);
  };
  const Dims64 matrix = {4, 5};
  EXPECT_EQ(name(Like(matrix), Like(matrix), 0, matrix), "same");
  EXPECT_EQ(name(Like(matrix), Like({}), 2, matrix), "scalar_b");
  EXPECT_EQ(name(Like({1, 1}), Like(matrix), 0, matrix), "scalar_a");
  EXPECT_EQ(name(Like(matrix), Like({5}), 1, matrix), "row_b");
  EXPECT_EQ(name(Like({1, 5}), Like(matrix), 0, matrix), "row_a");
  EXPECT_EQ(name(Like(matrix), Like({4, 1}), 0, matrix), "col_b");
  EXPECT_EQ(name(Like({4, 1}), Like(matrix), 0, matrix), "col_a");
  EXPECT_EQ(name(Like({4, 1}), Like({5}), 1, matrix), "strided");
  EXPECT_EQ(name(Like(matrix, {1, 4}), Like(matrix), 0, matrix), "strided");
}

}  // namespace
}  // namespace lanewise::test
