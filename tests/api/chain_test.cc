// SPDX-License-Identifier: Apache-2.0
//
// Chains by hand: what lw_chain_create refuses, positions of zero divisors,
// outputs over inputs, Reshape at the ends. chain_memory_test.cc has guard
// pages, and random_chains_test.cc holds everything else.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/chain_parts.h"
#include "tests/support/engines.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

void ExpectRefused(const Parts& parts, lw_status status, const char* part) {
  ChainPtr chain;
  EXPECT_STREQ(lw_status_name(parts.Make(&chain)), lw_status_name(status));
  EXPECT_NE(std::string(lw_last_error()).find(part), std::string::npos)
      << lw_last_error();
}

struct Chains : testing::Test {
  OpPtr add = MakeOp(nullptr, {"Add", 14});
  OpPtr mul = MakeOp(nullptr, {"Mul", 14});
  OpPtr div = MakeOp(nullptr, {"Div", 14});
  OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  OpPtr exp = MakeOp(nullptr, {"Exp", 13});
  OpPtr clip = MakeOp(nullptr, {"Clip", 13});
  OpPtr reshape = MakeOp(nullptr, {"Reshape", 14});
};

TEST_F(Chains, RefusesWhatIsNoChain) {
  const int32_t f32 = LW_FLOAT32;
  const Parts good = {{f32, f32}, {}, {{add.get(), {0, 1}}}, {2}};
  ChainPtr chain;
  ASSERT_EQ(good.Make(&chain), LW_OK);
  const auto refused = [&](auto change, lw_status status, const char* part) {
    Parts parts = good;
    change(parts);
    ExpectRefused(parts, status, part);
  };
  refused([](Parts& p) { p.steps.clear(); }, LW_WRONG_COUNT, "1 to 64 steps");
  refused([](Parts& p) { p.outputs.clear(); }, LW_WRONG_COUNT, "outputs");
  refused([](Parts& p) { p.outputs.assign(9, 2); }, LW_WRONG_COUNT, "not 9");
  refused([](Parts& p) { p.inputs.assign(17, LW_FLOAT32); }, LW_WRONG_COUNT,
          "inputs");
  refused([](Parts& p) { p.inputs[0] = 99; }, LW_UNSUPPORTED_TYPE, "input 0");
  refused([](Parts& p) { p.inputs[0] = LW_STRING; }, LW_UNSUPPORTED_TYPE,
          "string");
  refused([](Parts& p) { p.inputs[0] = LW_INT4; }, LW_UNSUPPORTED_TYPE, "int4");
  refused([](Parts& p) { p.inputs[0] = LW_INT32; }, LW_UNSUPPORTED_TYPE,
          "Chain, step 0: Add-14: ");
  refused(
      [](Parts& p) {
        p.steps[0].operands = {0, 2};
      },
      LW_INVALID_ARGUMENT, "step 0 reads value 2");
  refused(
      [](Parts& p) {
        p.steps[0].operands = {0, -2};
      },
      LW_INVALID_ARGUMENT, "value -2");
  refused(
      [](Parts& p) {
        p.steps[0].operands = {0, -1};
      },
      LW_WRONG_COUNT, "left out");
  refused([](Parts& p) { p.steps[0].operands = {0}; }, LW_WRONG_COUNT,
          "2 input(s)");
  refused([](Parts& p) { p.steps[0].operands = {}; }, LW_WRONG_COUNT,
          "0 operands");
  refused([](Parts& p) { p.steps[0].op = nullptr; }, LW_INVALID_ARGUMENT,
          "step 0");
  refused([](Parts& p) { p.outputs = {3}; }, LW_INVALID_ARGUMENT,
          "does not exist");
  refused([](Parts& p) { p.outputs = {0}; }, LW_INVALID_ARGUMENT, "no step");
  refused([](Parts& p) { p.outputs = {2, 2}; }, LW_INVALID_ARGUMENT, "already");
  refused(
      [&](Parts& p) {
        p.steps.push_back({relu.get(), {0}});
      },
      LW_INVALID_ARGUMENT, "step 1 goes into no output");
  const EnginePtr other = MakeEngine(Options());
  const OpPtr foreign = MakeOp(other.get(), {"Add", 14});
  refused([&](Parts& p) { p.steps[0].op = foreign.get(); }, LW_INVALID_ARGUMENT,
          "another engine");
  EXPECT_EQ(lw_chain_create(nullptr, nullptr, 1, nullptr, 0, nullptr, 1,
                            nullptr, 1, nullptr),
            LW_INVALID_ARGUMENT);
  lw_chain* none = nullptr;
  EXPECT_EQ(lw_chain_create(nullptr, nullptr, 1, nullptr, 0, nullptr, 1,
                            nullptr, 1, &none),
            LW_INVALID_ARGUMENT);
  lw_chain_destroy(nullptr);
}

TEST_F(Chains, CallsAreChecked) {
  ChainPtr chain;
  ASSERT_EQ((Parts{{LW_FLOAT32, LW_FLOAT32},
                   {},
                   {{add.get(), {0, 1}}, {relu.get(), {2}}},
                   {3}}
                 .Make(&chain)),
            LW_OK);
  std::vector<float> a(6), b(6), y(6, 7);
  const Dims64 dims = {2, 3};
  const auto run = [&](const Tensor& x, const Tensor& z, const Tensor& out,
                       size_t inputs = 2, size_t outputs = 1) {
    const lw_tensor in[] = {x.view(), z.view()};
    const lw_tensor to = out.view();
    return lw_chain_run(chain.get(), nullptr, in, inputs, &to, outputs);
  };
  const Tensor good_a = {LW_FLOAT32, a.data(), dims};
  const Tensor good_b = {LW_FLOAT32, b.data(), dims};
  const Tensor good_y = {LW_FLOAT32, y.data(), dims};
  const struct {
    lw_status actual, wanted;
  } cases[] = {
      {run(good_a, good_b, good_y, 1), LW_WRONG_COUNT},
      {run(good_a, good_b, good_y, 2, 0), LW_WRONG_COUNT},
      {run({LW_INT32, a.data(), dims}, good_b, good_y), LW_UNSUPPORTED_TYPE},
      {run(good_a, good_b, {LW_INT32, y.data(), dims}), LW_UNSUPPORTED_TYPE},
      {run(good_a, good_b, {LW_FLOAT32, y.data(), {3, 2}}), LW_INVALID_SHAPE},
      {run({LW_FLOAT32, a.data(), {2, 2}}, good_b, good_y), LW_INVALID_SHAPE},
      {run({LW_FLOAT32, nullptr, dims}, good_b, good_y), LW_NULL_DATA},
      {run(good_a, good_b, {LW_FLOAT32, nullptr, dims}), LW_NULL_DATA},
      {run({LW_FLOAT32, reinterpret_cast<char*>(a.data()) + 1, {2, 2}},
           {LW_FLOAT32, b.data(), {1}}, {LW_FLOAT32, y.data(), {2, 2}}),
       LW_MISALIGNED},
      {run({LW_FLOAT32, a.data(), dims, {}, 8}, good_b, good_y),
       LW_BUFFER_TOO_SMALL},
      {run(good_a, good_b, {LW_FLOAT32, y.data(), dims, {1, 1}}), LW_OVERLAP},
      {run(good_a, {LW_FLOAT32, a.data(), {1, 3}},
           {LW_FLOAT32, a.data(), dims}),
       LW_OVERLAP},
  };
  for (const auto& test : cases) {
    EXPECT_STREQ(lw_status_name(test.actual), lw_status_name(test.wanted))
        << &test - cases;
  }
  EXPECT_EQ(y, std::vector<float>(6, 7));
  EXPECT_EQ(run(good_a, good_b, good_y), LW_OK) << lw_last_error();
  EXPECT_EQ(y, std::vector<float>(6, 0));
}

// What a step has left in an input's place, no later step may read.
TEST_F(Chains, OutputsOverInputs) {
  ChainPtr chain;
  // s = a + b, t = s * a
  ASSERT_EQ((Parts{{LW_FLOAT32, LW_FLOAT32},
                   {},
                   {{add.get(), {0, 1}}, {mul.get(), {2, 0}}},
                   {2, 3}}
                 .Make(&chain)),
            LW_OK);
  std::vector<float> a(1000, 3), b(1000, 4), y(1000);
  const Dims64 dims = {1000};
  const auto run = [&](std::vector<float>& s, std::vector<float>& t) {
    const Tensor in[] = {{LW_FLOAT32, a.data(), dims},
                         {LW_FLOAT32, b.data(), dims}};
    const Tensor out[] = {{LW_FLOAT32, s.data(), dims},
                          {LW_FLOAT32, t.data(), dims}};
    const lw_tensor ins[] = {in[0].view(), in[1].view()};
    const lw_tensor outs[] = {out[0].view(), out[1].view()};
    return lw_chain_run(chain.get(), nullptr, ins, 2, outs, 2);
  };
  EXPECT_EQ(run(a, y), LW_OVERLAP);  // the product reads a
  EXPECT_EQ(run(y, y), LW_OVERLAP);
  EXPECT_EQ(a, std::vector<float>(1000, 3));
  ASSERT_EQ(run(b, y), LW_OK) << lw_last_error();
  EXPECT_EQ(b, std::vector<float>(1000, 7));
  EXPECT_EQ(y, std::vector<float>(1000, 21));
  b.assign(1000, 4);
  ASSERT_EQ(run(b, a), LW_OK) << lw_last_error();
  EXPECT_EQ(b, std::vector<float>(1000, 7));
  EXPECT_EQ(a, std::vector<float>(1000, 21));
}

// A quotient of a row that is stretched afterwards has its own positions.
TEST_F(Chains, ZeroDivisorsOfASmallerStep) {
  ChainPtr chain;
  ASSERT_EQ((Parts{{LW_INT32, LW_INT32, LW_INT32},
                   {},
                   {{div.get(), {0, 1}}, {add.get(), {3, 2}}},
                   {4}}
                 .Make(&chain)),
            LW_OK);
  for (const int64_t rows : {1, 3, 500}) {
    const int64_t columns = 7;
    std::vector<int32_t> a(7, 12), b = {1, 2, 0, 3, 0, 0, 5};
    std::vector<int32_t> c(static_cast<size_t>(rows * columns), 1), y(c.size());
    const Tensor in[] = {{LW_INT32, a.data(), {columns}},
                         {LW_INT32, b.data(), {columns}},
                         {LW_INT32, c.data(), {rows, columns}}};
    const Tensor out = {LW_INT32, y.data(), {rows, columns}};
    const lw_tensor ins[] = {in[0].view(), in[1].view(), in[2].view()};
    const lw_tensor to = out.view();
    lw_zero_divisors zeros = {};
    lw_run_options options = {};
    options.struct_size = sizeof(options);
    options.zero_divisors = &zeros;
    EXPECT_EQ(lw_chain_run(chain.get(), &options, ins, 3, &to, 1),
              LW_DIVIDE_BY_ZERO);
    EXPECT_EQ(std::string(lw_last_error()).rfind("Chain, step 0: Div-14: ", 0),
              0u)
        << lw_last_error();
    EXPECT_EQ(zeros.count, 3u);
    EXPECT_EQ(zeros.first, 2u);
    for (size_t i = 0; i < y.size(); ++i) {
      const int32_t divisor = b[i % 7];
      ASSERT_EQ(y[i], 1 + (divisor == 0 ? 0 : 12 / divisor));
    }
  }
}

// Options do not change how a chain of a few elements runs.
TEST_F(Chains, PreparedWithOptions) {
  ChainPtr chain;
  const Parts parts = {
      {LW_FLOAT32}, {}, {{relu.get(), {0}}, {exp.get(), {1}}}, {2}};
  ASSERT_EQ(parts.Make(&chain), LW_OK);
  float x[] = {-1, 0}, y[2] = {};
  const Tensor in = {LW_FLOAT32, x, {2}}, out = {LW_FLOAT32, y, {2}};
  const lw_tensor from = in.view(), to = out.view();
  lw_call* made = nullptr;
  ASSERT_EQ(lw_chain_prepare(chain.get(), &from, 1, &to, 1, &made), LW_OK);
  const CallPtr call(made);
  lw_zero_divisors zeros = {9, 9};
  lw_run_options options = {};
  options.struct_size = sizeof(options);
  options.zero_divisors = &zeros;
  options.parallel_for = [](void*, lw_task, size_t, void*) -> int32_t {
    ADD_FAILURE() << "no threads are needed";
    return 1;
  };
  const void* const inputs[] = {x};
  void* const outputs[] = {y};
  EXPECT_EQ(lw_call_run_with(made, &options, inputs, outputs), LW_OK);
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 1);
  EXPECT_EQ(zeros.count, 0u);
  EXPECT_EQ(zeros.first, 0u);
}

TEST_F(Chains, ReshapeAtTheEnds) {
  const int64_t two_by_six[] = {2, 6}, flat[] = {-1};
  const int64_t two = 2, one = 1;
  const lw_tensor to_two_by_six = {
      const_cast<int64_t*>(two_by_six), LW_INT64, 1, &two, nullptr, 0};
  const lw_tensor to_flat = {
      const_cast<int64_t*>(flat), LW_INT64, 1, &one, nullptr, 0};
  ChainPtr chain;
  // x as [2, 6], plus a row, flat again
  const Parts parts = {
      {LW_FLOAT32, LW_FLOAT32},
      {to_two_by_six, to_flat},
      {{reshape.get(), {0, 2}}, {add.get(), {4, 1}}, {reshape.get(), {5, 3}}},
      {6}};
  ASSERT_EQ(parts.Make(&chain), LW_OK) << lw_last_error();
  std::vector<float> x(12), row = {10, 20, 30, 40, 50, 60}, y(12);
  for (size_t i = 0; i < 12; ++i) x[i] = static_cast<float>(i);
  const Tensor in = {LW_FLOAT32, x.data(), {3, 4}};
  const Tensor gaps = {LW_FLOAT32, x.data(), {3, 2}, {4, 2}};
  const Tensor add_row = {LW_FLOAT32, row.data(), {6}};
  const Tensor out = {LW_FLOAT32, y.data(), {12}};
  const lw_tensor ins[] = {in.view(), add_row.view()};
  const lw_tensor to = out.view();
  ASSERT_EQ(lw_chain_run(chain.get(), nullptr, ins, 2, &to, 1), LW_OK)
      << lw_last_error();
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(y[i], x[i] + row[i % 6]);
  // In place: all that the sum reads lies where its result goes.
  const Tensor over = {LW_FLOAT32, x.data(), {12}};
  const lw_tensor over_x = over.view();
  ASSERT_EQ(lw_chain_run(chain.get(), nullptr, ins, 2, &over_x, 1), LW_OK)
      << lw_last_error();
  EXPECT_EQ(x, y);
  const lw_tensor wrong[] = {gaps.view(), add_row.view()};
  EXPECT_EQ(lw_chain_run(chain.get(), nullptr, wrong, 2, &to, 1),
            LW_INVALID_SHAPE);

  Parts computed = parts;
  computed.steps.insert(computed.steps.begin(), {add.get(), {2, 2}});
  computed.steps[1].operands = {0, 4};
  ExpectRefused(computed, LW_INVALID_ARGUMENT, "a shape that is computed");

  Parts between = parts;
  between.steps.push_back({relu.get(), {6}});
  between.outputs = {7};
  ExpectRefused(between, LW_INVALID_ARGUMENT, "only be at an end");
}

// Zeros are counted before quotients overwrite the divisors, and an input that
// the caller has stretched counts for each element.
TEST_F(Chains, ZeroDivisorsInPlaceAndStretched) {
  ChainPtr chain;
  ASSERT_EQ((Parts{{LW_INT32, LW_INT32, LW_INT32},
                   {},
                   {{add.get(), {0, 2}}, {div.get(), {3, 1}}},
                   {4}}
                 .Make(&chain)),
            LW_OK);
  std::vector<int32_t> a = {1, 6, 1}, b = {2, 0, 9}, c = {0, 0, 0};
  const Tensor in[] = {{LW_INT32, a.data(), {3}},
                       {LW_INT32, b.data(), {3}},
                       {LW_INT32, c.data(), {3}}};
  const lw_tensor ins[] = {in[0].view(), in[1].view(), in[2].view()};
  EXPECT_EQ(lw_chain_run(chain.get(), nullptr, ins, 3, &ins[1], 1),
            LW_DIVIDE_BY_ZERO);
  EXPECT_EQ(lw_last_zero_divisors().count, 1u);
  EXPECT_EQ(lw_last_zero_divisors().first, 1u);
  EXPECT_EQ(b, (std::vector<int32_t>{0, 0, 0}));

  ASSERT_EQ((Parts{{LW_INT32, LW_INT32, LW_INT32},
                   {},
                   {{div.get(), {0, 1}}, {add.get(), {3, 2}}},
                   {4}}
                 .Make(&chain)),
            LW_OK);
  std::vector<int32_t> y(900, 5);
  int32_t five = 5, zero = 0;
  const Tensor stretched[] = {{LW_INT32, &five, {900}, {0}},
                              {LW_INT32, &zero, {900}, {0}},
                              {LW_INT32, y.data(), {900}}};
  const lw_tensor all[] = {stretched[0].view(), stretched[1].view(),
                           stretched[2].view()};
  EXPECT_EQ(lw_chain_run(chain.get(), nullptr, all, 3, &all[2], 1),
            LW_DIVIDE_BY_ZERO);
  EXPECT_EQ(lw_last_zero_divisors().count, 900u);
  EXPECT_EQ(lw_last_zero_divisors().first, 0u);
}

// Many values at once, some of which only kernels compute: no slot touches its
// neighbour.
TEST_F(Chains, SlotsStayApart) {
  const OpPtr where = MakeOp(nullptr, {"Where", 16});
  const OpPtr greater = MakeOp(nullptr, {"Greater", 13});
  for (const lw_type type : {LW_FLOAT32, LW_INT32, LW_FLOAT64, LW_INT8}) {
    for (int32_t kept = 2; kept < 14; ++kept) {
      SCOPED_TRACE(lw_type_name(type) + std::string(", values: ") +
                   std::to_string(kept));
      Parts parts = {{type}, {}, {}, {}};
      // x, 2x, 3x, ...; then a sum of all, by way of kernels and steps
      for (int32_t k = 1; k <= kept; ++k) {
        parts.steps.push_back({add.get(), {k - 1, 0}});
      }
      parts.steps.push_back({greater.get(), {1, 0}});
      parts.steps.push_back({where.get(), {kept + 1, 1, 0}});
      int32_t last = kept + 2;
      for (int32_t k = 1; k <= kept; ++k, ++last) {
        parts.steps.push_back({add.get(), {last, k}});
      }
      parts.outputs = {last};
      ChainPtr chain;
      ASSERT_EQ(parts.Make(&chain), LW_OK) << lw_last_error();
      Array x(type, 5000), y(type, 5000);
      Array sum(type, 5000);
      const auto fill = [&](Array& array, int number) {
        for (size_t i = 0; i < array.size(); ++i) {
          if (type == LW_FLOAT32) array.as<float>()[i] = number;
          if (type == LW_FLOAT64) array.as<double>()[i] = number;
          if (type == LW_INT32) array.as<int32_t>()[i] = number;
          if (type == LW_INT8) array.as<int8_t>()[i] = int8_t(number);
        }
      };
      fill(x, 1);
      fill(sum, 2 + kept * (kept + 3) / 2);  // 2 + 2 + 3 + ... + (kept + 1)
      const Tensor in = TensorOf(x), out = TensorOf(y);
      const lw_tensor from = in.view(), to = out.view();
      ASSERT_EQ(lw_chain_run(chain.get(), nullptr, &from, 1, &to, 1), LW_OK);
      ASSERT_TRUE(SameBits(y, sum));
    }
  }
}

// Bounds that are computed, or come as inputs, have no place in a step.
TEST_F(Chains, ComputedScalars) {
  ChainPtr chain;
  float zero = 0;
  const lw_tensor constant = {&zero, LW_FLOAT32, 0, nullptr, nullptr, 0};
  // u = exp(bound), y = clip(x + x, 0, u) * u
  ASSERT_EQ((Parts{{LW_FLOAT32, LW_FLOAT32},
                   {constant},
                   {{exp.get(), {1}},
                    {add.get(), {0, 0}},
                    {clip.get(), {4, 2, 3}},
                    {mul.get(), {5, 3}}},
                   {6}}
                 .Make(&chain)),
            LW_OK)
      << lw_last_error();
  std::vector<float> x(300, 5), y(300);
  float bound = 0;  // e^0 = 1
  const Tensor in = {LW_FLOAT32, x.data(), {300}};
  const Tensor one = {LW_FLOAT32, &bound, {1}};
  const Tensor out = {LW_FLOAT32, y.data(), {300}};
  const lw_tensor ins[] = {in.view(), one.view()};
  const lw_tensor to = out.view();
  ASSERT_EQ(lw_chain_run(chain.get(), nullptr, ins, 2, &to, 1), LW_OK)
      << lw_last_error();
  EXPECT_EQ(y, std::vector<float>(300, 1));
}

}  // namespace
}  // namespace lanewise::test
