// SPDX-License-Identifier: Apache-2.0
//
// lw_chain_run remembers the plan of a chain's last call. Calls that differ
// from the last one in any way must not run by its plan.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/support/chain_parts.h"
#include "tests/support/engines.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

ChainPtr Made(const Parts& parts) {
  ChainPtr chain;
  EXPECT_EQ(parts.Make(&chain), LW_OK) << lw_last_error();
  return chain;
}

struct ChainRun : testing::Test {
  OpPtr add = MakeOp(nullptr, {"Add", 14});
  OpPtr div = MakeOp(nullptr, {"Div", 14});
  OpPtr mul = MakeOp(nullptr, {"Mul", 14});
  OpPtr reshape = MakeOp(nullptr, {"Reshape", 14});

  // (a + b) * -1
  ChainPtr MakeSum() {
    float minus = -1;
    const lw_tensor constant = {&minus, LW_FLOAT32, 0, nullptr, nullptr, 0};
    return Made({{LW_FLOAT32, LW_FLOAT32},
                 {constant},
                 {{add.get(), {0, 1}}, {mul.get(), {3, 2}}},
                 {4}});
  }
};

lw_status Call(const ChainPtr& chain, const std::vector<Tensor>& in,
               const std::vector<Tensor>& out) {
  std::vector<lw_tensor> inputs, outputs;
  for (const Tensor& tensor : in) inputs.push_back(tensor.view());
  for (const Tensor& tensor : out) outputs.push_back(tensor.view());
  return lw_chain_run(chain.get(), nullptr, inputs.data(), inputs.size(),
                      outputs.data(), outputs.size());
}

// Each call is made twice, so that the second finds the plan of the first, and
// calls that follow each other differ in little.
TEST_F(ChainRun, AnyTensorsAfterAnyOthers) {
  const ChainPtr chain = MakeSum();
  std::vector<float> a(64), b(64), y(64);
  for (size_t i = 0; i < 64; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(100 * i);
  }
  // Of each operand: the stride of rows and columns, in 4 rows of 8 columns.
  const std::vector<int64_t> plain = {8, 1}, apart = {16, 2}, back = {8, -1};
  for (const bool row : {false, true}) {
    for (const auto& sa : {plain, apart, back, plain}) {
      for (const auto& sy : {plain, apart}) {
        for (int twice = 0; twice < 2; ++twice) {
          std::fill(y.begin(), y.end(), 7.0f);
          float* first = a.data() + (sa[1] < 0 ? 7 : 0);
          const Tensor from = {LW_FLOAT32, first, {4, 8}, sa};
          const Tensor to = {LW_FLOAT32, y.data(), {4, 8}, sy};
          const Tensor other = row ? Tensor{LW_FLOAT32, b.data(), {8}}
                                   : Tensor{LW_FLOAT32, b.data(), {4, 8}};
          ASSERT_EQ(Call(chain, {from, other}, {to}), LW_OK) << lw_last_error();
          for (int64_t i = 0; i < 4; ++i) {
            for (int64_t j = 0; j < 8; ++j) {
              const float sum = first[(i * sa[0]) + (j * sa[1])] +
                                b[static_cast<size_t>(row ? j : (8 * i) + j)];
              EXPECT_EQ(y[static_cast<size_t>((i * sy[0]) + (j * sy[1]))],
                        -sum);
            }
          }
        }
      }
    }
  }
}

TEST_F(ChainRun, PointersAreCheckedAgain) {
  const ChainPtr chain = MakeSum();
  std::vector<float> a(40, 1), b(40, 2), y(40);
  const auto call = [&](float* from, float* to) {
    return Call(chain, {{LW_FLOAT32, from, {32}}, {LW_FLOAT32, b.data(), {32}}},
                {{LW_FLOAT32, to, {32}}});
  };
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(call(a.data(), y.data()), LW_OK);
    EXPECT_EQ(y[31], -3);
    EXPECT_EQ(call(a.data(), a.data() + 1), LW_OVERLAP);
    EXPECT_EQ(call(nullptr, y.data()), LW_NULL_DATA);
    EXPECT_EQ(a, std::vector<float>(40, 1));
  }
  EXPECT_EQ(call(a.data(), a.data()), LW_OK);
  EXPECT_EQ(a[31], -3);
}

TEST_F(ChainRun, WrongTensorsBetweenRightOnes) {
  const ChainPtr chain = MakeSum();
  std::vector<float> a(6, 1), y(6);
  const Tensor six = {LW_FLOAT32, a.data(), {6}};
  const Tensor five = {LW_FLOAT32, a.data(), {5}};
  const Tensor out = {LW_FLOAT32, y.data(), {6}};
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(Call(chain, {six, six}, {out}), LW_OK);
    EXPECT_EQ(Call(chain, {six, five}, {out}), LW_INVALID_SHAPE);
    EXPECT_EQ(Call(chain, {six, six}, {five}), LW_INVALID_SHAPE);
    EXPECT_EQ(Call(chain, {six}, {out}), LW_WRONG_COUNT);
    lw_tensor inputs[] = {six.view(), six.view()};
    lw_tensor to = out.view();
    inputs[1].dims = nullptr;
    EXPECT_EQ(lw_chain_run(chain.get(), nullptr, inputs, 2, &to, 1),
              LW_INVALID_ARGUMENT);
    inputs[1] = six.view();
    EXPECT_EQ(Call(chain, {six, six}, {out}), LW_OK);
    to.bytes = 20;
    EXPECT_EQ(lw_chain_run(chain.get(), nullptr, inputs, 2, &to, 1),
              LW_BUFFER_TOO_SMALL);
    to.bytes = 24;
    EXPECT_EQ(lw_chain_run(chain.get(), nullptr, inputs, 2, &to, 1), LW_OK);
  }
  // Without elements, and of more dims than plans are remembered for.
  const Tensor none = {LW_FLOAT32, nullptr, {0, 6}};
  const Tensor three = {LW_FLOAT32, a.data(), {3}};
  const std::vector<int64_t> many = {1, 1, 1, 1, 1, 1, 1, 2, 3};
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(Call(chain, {none, six}, {none}), LW_OK);
    EXPECT_EQ(Call(chain, {{LW_FLOAT32, a.data(), many}, three},
                   {{LW_FLOAT32, y.data(), many}}),
              LW_OK);
    EXPECT_EQ(Call(chain, {six, six}, {out}), LW_OK);
  }
}

TEST_F(ChainRun, ShapesAreReadAgain) {
  // The second input is a shape: reshape(a) + [10, 20]
  float row[] = {10, 20};
  const int64_t two = 2;
  const lw_tensor constant = {row, LW_FLOAT32, 1, &two, nullptr, 0};
  const ChainPtr chain = Made({{LW_FLOAT32, LW_INT64},
                               {constant},
                               {{reshape.get(), {0, 1}}, {add.get(), {3, 2}}},
                               {4}});
  std::vector<float> a = {1, 2, 3, 4, 5, 6, 7, 8}, y(8);
  std::vector<int64_t> target = {4, 2};
  const Tensor in = {LW_FLOAT32, a.data(), {8}};
  const Tensor shape = {LW_INT64, target.data(), {2}};
  EXPECT_EQ(Call(chain, {in, shape}, {{LW_FLOAT32, y.data(), {4, 2}}}), LW_OK);
  target = {2, 4};
  EXPECT_EQ(Call(chain, {in, shape}, {{LW_FLOAT32, y.data(), {4, 2}}}),
            LW_INVALID_SHAPE);
  target = {-1, 2};
  EXPECT_EQ(Call(chain, {in, shape}, {{LW_FLOAT32, y.data(), {4, 2}}}), LW_OK);
  EXPECT_EQ(y[7], 28);
}

// More dims than the inputs have, and more than a chain has room for at first.
TEST_F(ChainRun, ShapesOfManyDims) {
  std::vector<int64_t> many = {1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 2};
  std::vector<float> column = {10, 20}, a = {1, 2, 3, 4, 5, 6, 7, 8};
  const int64_t twelve = 12, two_rows[] = {2, 1};
  const lw_tensor target = {many.data(), LW_INT64, 1, &twelve, nullptr, 0};
  const lw_tensor added = {column.data(), LW_FLOAT32, 2, two_rows, nullptr, 0};
  // reshape(a) + [[10], [20]]
  const ChainPtr by_input =
      Made({{LW_FLOAT32, LW_INT64},
            {added},
            {{reshape.get(), {0, 1}}, {add.get(), {3, 2}}},
            {4}});
  const ChainPtr by_constant =
      Made({{LW_FLOAT32},
            {target, added},
            {{reshape.get(), {0, 1}}, {add.get(), {3, 2}}},
            {4}});
  const Tensor in = {LW_FLOAT32, a.data(), {8}};
  const Tensor shape = {LW_INT64, many.data(), {12}};
  for (int twice = 0; twice < 2; ++twice) {
    std::vector<float> y(8), z(8);
    EXPECT_EQ(Call(by_input, {in, shape}, {{LW_FLOAT32, y.data(), many}}),
              LW_OK);
    EXPECT_EQ(y, (std::vector<float>{11, 12, 23, 24, 15, 16, 27, 28}));
    EXPECT_EQ(Call(by_constant, {in}, {{LW_FLOAT32, z.data(), many}}), LW_OK);
    EXPECT_EQ(z, y);
  }
}

TEST_F(ChainRun, OutputsOfSeveralShapes) {
  // b * -1 and a / (b * -1)
  int32_t factor = -1;
  const lw_tensor constant = {&factor, LW_INT32, 0, nullptr, nullptr, 0};
  const ChainPtr chain = Made({{LW_INT32, LW_INT32},
                               {constant},
                               {{mul.get(), {1, 2}}, {div.get(), {0, 3}}},
                               {3, 4}});
  std::vector<int32_t> a = {10, 20, 30, 40}, b = {1, -2}, minus(4), y(4);
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(
        Call(chain, {{LW_INT32, a.data(), {2, 2}}, {LW_INT32, b.data(), {2}}},
             {{LW_INT32, minus.data(), {2}}, {LW_INT32, y.data(), {2, 2}}}),
        LW_OK);
    EXPECT_EQ(y, (std::vector<int32_t>{-10, 10, -30, 20}));
  }
}

TEST_F(ChainRun, ZeroDivisorsAreCountedAgain) {
  // a / (a + b)
  const ChainPtr chain = Made({{LW_INT32, LW_INT32},
                               {},
                               {{add.get(), {0, 1}}, {div.get(), {0, 2}}},
                               {3}});
  std::vector<int32_t> a = {10, 20, 30}, b = {-5, 0, -25}, y(3);
  const Tensor in = {LW_INT32, a.data(), {3}};
  const Tensor other = {LW_INT32, b.data(), {3}};
  const Tensor out = {LW_INT32, y.data(), {3}};
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(Call(chain, {in, other}, {out}), LW_OK);
    EXPECT_EQ(y, (std::vector<int32_t>{2, 1, 6}));
    b[1] = -20;
    EXPECT_EQ(Call(chain, {in, other}, {out}), LW_DIVIDE_BY_ZERO);
    b[1] = 0;
  }
}

TEST_F(ChainRun, BoundsAreReadAgain) {
  const OpPtr clip = MakeOp(nullptr, {"Clip", 13});
  // clip(a + a, b, absent)
  const ChainPtr chain = Made({{LW_FLOAT32, LW_FLOAT32},
                               {},
                               {{add.get(), {0, 0}}, {clip.get(), {2, 1}}},
                               {3}});
  std::vector<float> a = {1, 2, 3}, y(3);
  float bound = 3;
  const Tensor in = {LW_FLOAT32, a.data(), {3}};
  const Tensor least = {LW_FLOAT32, &bound, {}};
  const Tensor out = {LW_FLOAT32, y.data(), {3}};
  EXPECT_EQ(Call(chain, {in, least}, {out}), LW_OK);
  EXPECT_EQ(y, (std::vector<float>{3, 4, 6}));
  bound = 5;
  EXPECT_EQ(Call(chain, {in, least}, {out}), LW_OK);
  EXPECT_EQ(y, (std::vector<float>{5, 5, 6}));
}

// A host's parallel_for that calls the chain while the chain runs.
TEST_F(ChainRun, ACallWithinACall) {
  const ChainPtr chain = MakeSum();
  struct Inner {
    const ChainPtr& chain;
    int calls = 0;
  } inner = {chain};
  lw_run_options run = {};
  run.struct_size = sizeof(run);
  run.parallel_for_context = &inner;
  run.max_threads = 3;  // the default engine may have one thread
  run.parallel_for = [](void* context, lw_task task, size_t count,
                        void* data) -> int32_t {
    auto* self = static_cast<Inner*>(context);
    for (const int64_t n : {int64_t{2} << 20, int64_t{3}}) {
      std::vector<float> a(static_cast<size_t>(n), 1), y(a.size());
      const Tensor in = {LW_FLOAT32, a.data(), {n}};
      EXPECT_EQ(Call(self->chain, {in, in}, {{LW_FLOAT32, y.data(), {n}}}),
                LW_OK);
      EXPECT_EQ(y.back(), -2);
    }
    ++self->calls;
    for (size_t i = 0; i < count; ++i) task(data, i);
    return 0;
  };
  constexpr int64_t kMany = int64_t{2} << 20;
  std::vector<float> a(kMany, 4), y(kMany);
  const Tensor in = {LW_FLOAT32, a.data(), {kMany}};
  const Tensor out = {LW_FLOAT32, y.data(), {kMany}};
  const lw_tensor inputs[] = {in.view(), in.view()}, to = out.view();
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(lw_chain_run(chain.get(), &run, inputs, 2, &to, 1), LW_OK)
        << lw_last_error();
    EXPECT_EQ(y, std::vector<float>(kMany, -8));
  }
  EXPECT_EQ(inner.calls, 2);
}

// x * 1 as a sum of x and x * c, whose results are all alive at once: blocks
// are then shorter than what may lie before the output's first cache line.
TEST(ChainRunStreamed, ManyResultsFromAnyAddress) {
  constexpr size_t kFactors = 33;
  constexpr int64_t kCount = 40'000;
  int64_t to_double = LW_FLOAT64, to_byte = LW_UINT8;
  std::vector<double> factors(kFactors);
  for (size_t i = 0; i < kFactors; ++i)
    factors[i] = static_cast<double>(i) - 16;
  std::vector<uint8_t> x(kCount), memory(kCount + 192);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint8_t>(i * i / 7);
  for (size_t k = 0; lw_isa_name(k) != nullptr; ++k) {
    SCOPED_TRACE(lw_isa_name(k));
    lw_engine_options options = Options();
    options.threading = LW_THREADING_SERIAL;
    const EnginePtr engine =
        MakeTunedEngine(options, lw_isa_name(k), EagerStreaming());
    const auto make = [&](const OpId& id, const auto&... attributes) {
      return MakeOp(engine.get(), id, {attributes...});
    };
    const OpPtr widen = make({"Cast", 13}, IntAttribute("to", &to_double));
    const OpPtr narrow = make({"Cast", 13}, IntAttribute("to", &to_byte));
    const OpPtr mul = make({"Mul", 14});
    const OpPtr sum = make({"Sum", 13});
    Parts parts = {{LW_UINT8}, {}, {{widen.get(), {0}}}, {}};
    const int32_t wide = 1 + kFactors;
    Types64 products;
    for (size_t i = 0; i < kFactors; ++i) {
      parts.constants.push_back(
          {&factors[i], LW_FLOAT64, 0, nullptr, nullptr, 0});
      const auto constant = static_cast<int32_t>(1 + i);
      parts.steps.push_back({mul.get(), {wide, constant}});
      products.push_back(wide + constant);
    }
    const auto half = products.begin() + 16, end = half + 16;
    parts.steps.push_back({sum.get(), {products.begin(), half}});
    parts.steps.push_back({sum.get(), {half, end}});
    const int32_t sums = products.back() + 1;
    parts.steps.push_back({sum.get(), {sums, sums + 1, products.back(), wide}});
    parts.steps.push_back({narrow.get(), {sums + 2}});
    parts.outputs = {sums + 3};
    ChainPtr chain;
    ASSERT_EQ(parts.Make(&chain, engine.get()), LW_OK) << lw_last_error();
    const auto address = reinterpret_cast<uintptr_t>(memory.data());
    uint8_t* line = memory.data() + (64 - address % 64) % 64;
    for (const int ahead : {0, 1, 20, 32, 63}) {
      SCOPED_TRACE(ahead);
      std::fill(memory.begin(), memory.end(), uint8_t{7});
      uint8_t* y = line + 64 - ahead;
      ASSERT_EQ(Call(chain, {{LW_UINT8, x.data(), {kCount}}},
                     {{LW_UINT8, y, {kCount}}}),
                LW_OK)
          << lw_last_error();
      EXPECT_TRUE(std::equal(x.begin(), x.end(), y));
    }
  }
}

}  // namespace
}  // namespace lanewise::test
