// SPDX-License-Identifier: Apache-2.0
//
// Div's broadcasting from version 7 on: every pair of small shapes, shapes of
// high rank, and any layout, compared with a naive index computation.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "tests/kernels/division/div_tensors.h"
#include "tests/support/engines.h"

namespace lanewise::test {
namespace {

/// All shapes up to a rank, with dims below 4.
std::vector<Dims64> SmallShapes(size_t max_rank) {
  std::vector<Dims64> shapes = {{}};
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].size() == max_rank) break;
    for (int64_t dim = 0; dim < 4; ++dim) {
      shapes.push_back(shapes[i]);
      shapes.back().push_back(dim);
    }
  }
  return shapes;
}

lw_tensor View(const Array& array, const Dims64& dims) {
  return {const_cast<uint8_t*>(array.data()),
          array.type(),
          static_cast<int32_t>(dims.size()),
          dims.data(),
          nullptr,
          array.bytes()};
}

/// Checks one pair of row-major shapes, fast enough for a hundred thousand
/// pairs.
testing::AssertionResult CheckPair(const lw_op* op, const Array& a_values,
                                   const Array& b_values, const Dims64& a_dims,
                                   const Dims64& b_dims) {
  const auto failure = [&] {
    return testing::AssertionFailure()
           << DimsText(a_dims) << " / " << DimsText(b_dims) << ": ";
  };
  Dims64 dims;
  const bool fits = BroadcastByOracle(a_dims, b_dims, &dims);
  if (!fits) dims = a_dims;
  const lw_tensor in[] = {View(a_values, a_dims), View(b_values, b_dims)};
  lw_shape shape = {};
  const lw_status inferred = lw_op_infer(op, in, 2, &shape);
  if (inferred != (fits ? LW_OK : LW_INVALID_SHAPE)) {
    return failure() << "inferred " << lw_status_name(inferred);
  }
  if (fits && Dims64(shape.dims, shape.dims + shape.rank) != dims) {
    return failure() << "the inferred shape is wrong";
  }

  Array out(a_values.type(), 96);
  Untouch(out.data(), out.bytes());
  const lw_tensor result = View(out, dims);
  const lw_status status = lw_op_run(op, in, 2, &result, 1);
  const auto written = static_cast<size_t>(fits ? Count(dims) : 0);
  if (!IsUntouched(out.at(written),
                   (out.size() - written) * out.element_size())) {
    return failure() << "wrote outside the output";
  }
  if (!fits) {
    if (status == LW_INVALID_SHAPE) return testing::AssertionSuccess();
    return failure() << "ran with " << lw_status_name(status);
  }
  const Answer expected =
      ExpectBroadcast(a_values, a_dims, b_values, b_dims, dims);
  const testing::AssertionResult told = TellsZeros(status, expected);
  if (!told) return failure() << told.message();
  const size_t i = FirstDifference(out.data(), expected.values.data(), written,
                                   out.element_size());
  if (i == written) return testing::AssertionSuccess();
  return failure() << "element " << i << " is wrong";
}

class DivBroadcast : public testing::TestWithParam<lw_type> {};
INSTANTIATE_TEST_SUITE_P(Type, DivBroadcast,
                         testing::Values(LW_UINT8, LW_FLOAT16, LW_INT32,
                                         LW_FLOAT64),
                         [](const auto& type) {
                           return lw_type_name(type.param);
                         });

TEST_P(DivBroadcast, AllShapePairsUpToRank4) {
  const OpPtr op = MakeOp(nullptr, kDiv);
  const std::vector<Dims64> shapes = SmallShapes(4);
  ASSERT_EQ(shapes.size(), 341u);
  const Array a = Dividends(GetParam(), 81, 1);
  Array b = Divisors(GetParam(), 81, 6);
  if (!IsFloat(GetParam())) std::memset(b.at(5), 0, b.element_size());
  for (const Dims64& a_dims : shapes) {
    for (const Dims64& b_dims : shapes) {
      ASSERT_TRUE(CheckPair(op.get(), a, b, a_dims, b_dims));
    }
  }
}

// Random dims. In each operand some of them may be 1 or, at the front, missing.
DivCase RandomShapes(lw_type type, size_t rank, int64_t max_elements,
                     std::mt19937_64& random) {
  Dims64 dims(rank, 1);
  for (int tries = 0; rank != 0 && tries < 40; ++tries) {
    int64_t& dim = dims[random() % rank];
    const auto wanted = static_cast<int64_t>(1 + random() % 5);
    if (dim == 1 && Count(dims) * wanted <= max_elements) dim = wanted;
  }
  // Sometimes a long row, which kernels process without gathering.
  if (rank != 0 && random() % 3 == 0) {
    dims[rank - 1] = static_cast<int64_t>(17 + random() % 90);
  }
  const auto part = [&] {
    Dims64 own = dims;
    for (int64_t& dim : own) {
      if (random() % 4 == 0) dim = 1;
    }
    if (random() % 3 == 0 && rank != 0) {
      own.erase(own.begin(),
                own.begin() + static_cast<ptrdiff_t>(random() % (rank + 1)));
    }
    return own;
  };
  DivCase c = {type, part(), part()};
  if (random() % 4 == 0) c.a = dims;  // b alone is stretched
  return c;
}

TEST_P(DivBroadcast, HighRanks) {
  const OpPtr op = MakeOp(nullptr, kDiv);
  std::mt19937_64 random(5);
  for (const size_t rank : {5, 6, 7, 8, 9, 16, 33, 64}) {
    for (uint64_t i = 0; i < 100; ++i) {
      const DivCase c = RandomShapes(GetParam(), rank, 400, random);
      ASSERT_TRUE(RunDivCase(op.get(), c, i));
    }
  }
}

TEST(DivBroadcastRank, NineAndSixteenByHand) {
  const OpPtr op = MakeOp(nullptr, kDiv);
  // No two adjacent dims can be joined.
  const Dims64 a9 = {2, 1, 2, 1, 3, 1, 2, 1, 2};
  const Dims64 b9 = {1, 3, 1, 2, 1, 2, 1, 3, 1};
  const Dims64 a16 = {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1};
  const Dims64 b16 = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  for (const lw_type type : kDivTypes) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      EXPECT_TRUE(RunDivCase(op.get(), {type, a9, b9}, seed));
      EXPECT_TRUE(RunDivCase(op.get(), {type, b9, a9}, seed));
    }
    EXPECT_TRUE(RunDivCase(op.get(), {type, a16, b16}, 1));
    EXPECT_TRUE(RunDivCase(op.get(), {type, b16, a16}, 2));
  }
}

/// Any order of dims, any directions and gaps. `repeats`: also strides of 0.
Dims64 RandomStrides(const Dims64& dims, bool repeats,
                     std::mt19937_64& random) {
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (random() % 2 == 0) {
    std::reverse(order.begin(), order.end());  // row-major order
  } else {
    std::shuffle(order.begin(), order.end(), random);
  }
  Dims64 strides(dims.size());
  int64_t stride = random() % 3 == 0 ? 2 : 1;
  for (const size_t i : order) {
    const bool repeat = repeats && random() % 8 == 0;
    strides[i] = repeat ? 0 : random() % 3 == 0 ? -stride : stride;
    stride *= std::max<int64_t>(dims[i], 1);
    if (random() % 4 == 0) stride += static_cast<int64_t>(random() % 3);
  }
  return strides;
}

DivCase RandomCase(lw_type type, std::mt19937_64& random) {
  DivCase c = RandomShapes(type, random() % 6, 1500, random);
  Dims64 dims;
  EXPECT_TRUE(BroadcastByOracle(c.a, c.b, &dims));
  const auto maybe = [&](const Dims64& own, bool repeats) {
    return random() % 3 == 0 ? Dims64() : RandomStrides(own, repeats, random);
  };
  c.out_strides = maybe(dims, false);
  c.a_strides = maybe(c.a, true);
  c.b_strides = maybe(c.b, true);
  const uint64_t over = random() % 4;
  if (over == 0 && c.a == dims) {
    c.in_place = InPlace::kA;
    c.a_strides = c.out_strides;
  } else if (over == 1 && c.b == dims) {
    c.in_place = InPlace::kB;
    c.b_strides = c.out_strides;
  }
  return c;
}

class DivLayouts : public testing::TestWithParam<lw_type> {};
INSTANTIATE_TEST_SUITE_P(Type, DivLayouts, testing::ValuesIn(kDivTypes),
                         [](const auto& type) {
                           return lw_type_name(type.param);
                         });

TEST_P(DivLayouts, RandomShapesAndStrides) {
  const OpPtr op = MakeOp(nullptr, kDiv);
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()));
  for (uint64_t i = 0; i < 2000; ++i) {
    ASSERT_TRUE(RunDivCase(op.get(), RandomCase(GetParam(), random), i)) << i;
  }
}

// Streaming stores apply to rows and tiles that consist of whole cache lines.
TEST_P(DivLayouts, Streamed) {
  const lw_type type = GetParam();
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  const EnginePtr engine =
      MakeTunedEngine(options, lw_isa_name(0), EagerStreaming());
  const OpPtr op = MakeOp(engine.get(), kDiv);
  const std::vector<DivCase> cases = {
      {type, {37, 64}, {64}},
      {type, {37, 64}, {37, 1}},
      {type, {37, 65}, {65}},
      {type, {256, 8}, {8}},
      {type, {256, 8}, {256, 1}},
      {type, {1024}, {1024}, {2}, {-1}},
      {type, {33, 64}, {64}, {}, {}, {128, 1}},
      {type, {33, 64}, {64}, {}, {}, {1, 33}},
      {type, {3, 20000}, {20000}},
  };
  for (const DivCase& c : cases) {
    for (const uint64_t seed : {0, 3}) {
      ASSERT_TRUE(RunDivCase(op.get(), c, seed));
    }
  }
  std::mt19937_64 random(7 + static_cast<uint64_t>(type));
  for (uint64_t i = 0; i < 500; ++i) {
    ASSERT_TRUE(RunDivCase(op.get(), RandomCase(type, random), i)) << i;
  }
}

TEST_P(DivLayouts, Strided) {
  for (const Isa& isa : AllWays()) CheckStrides(isa.engine, kDiv, GetParam());
}

// Long rows, split into many chunks by every kind of threading.
TEST_P(DivLayouts, LongRowsOnThreads) {
  const lw_type type = GetParam();
  const std::vector<DivCase> cases = {
      {type, {7, 5003}, {5003}},
      {type, {7, 5003}, {7, 1}},
      {type, {5003}, {7, 5003}},
      {type, {7, 1}, {7, 5003}},
      {type, {7, 1}, {5003}},
      {type, {7, 1}, {1, 5003}},
      {type, {30011}, {}},
      {type, {}, {30011}},
      {type, {3, 1, 2503}, {4, 1}},
      {type, {3, 5, 2503}, {3, 1, 2503}},
      {type, {2, 3, 41, 50}, {41, 1}},
      {type, {97, 211}, {97, 211}, {1, 97}, {}, {}},  // a transposed
      {type, {97, 211}, {97, 211}, {}, {1, 97}, {}},  // b transposed
      {type, {97, 211}, {97, 211}, {}, {}, {1, 97}},  // out transposed
      {type, {97, 211}, {211}, {1, 97}, {-1}, {-211, 1}},
      {type, {97, 211}, {97, 1}, {-300, 1}, {5, 9}, {250, 1}},
      {type, {20011}, {20011}, {}, {}, {}, InPlace::kA},
      {type, {20011}, {20011}, {}, {}, {}, InPlace::kB},
      {type, {97, 211}, {97, 211}, {}, {1, 97}, {1, 97}, InPlace::kB},
      {type, {7, 3001}, {3001}, {}, {}, {}, InPlace::kA},
      {type, {7, 1}, {7, 3001}, {}, {}, {}, InPlace::kB},
  };
  for (const ThreadingCase& threading : AllThreading()) {
    const EnginePtr engine =
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads());
    const OpPtr op = MakeOp(engine.get(), kDiv);
    for (const DivCase& c : cases) {
      constexpr uint64_t kWithZeroDivisors = 3;
      ASSERT_TRUE(RunDivCase(op.get(), c, kWithZeroDivisors)) << threading.name;
    }
  }
}

TEST_P(DivLayouts, NoElementsReadNothing) {
  const OpPtr op = MakeOp(nullptr, kDiv);
  const auto null = [&](const Dims64& dims) -> lw_tensor {
    return {nullptr,     GetParam(), static_cast<int32_t>(dims.size()),
            dims.data(), nullptr,    0};
  };
  const Dims64 none = {3, 0}, one = {1, 1}, row = {3, 1};
  for (const auto& [a, b] : {std::pair(none, one), std::pair(one, none),
                             std::pair(none, row), std::pair(none, none)}) {
    const lw_tensor in[] = {null(a), null(b)};
    const lw_tensor out = null(none);
    EXPECT_EQ(lw_op_run(op.get(), in, 2, &out, 1), LW_OK) << lw_last_error();
  }
}

}  // namespace
}  // namespace lanewise::test
