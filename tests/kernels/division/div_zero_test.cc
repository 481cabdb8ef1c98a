// SPDX-License-Identifier: Apache-2.0
//
// Integer division by zero: reported once and exactly, never because of a
// padding lane, and all other quotients are right.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/kernels/division/div_tensors.h"
#include "tests/support/engines.h"

namespace lanewise::test {
namespace {

void SetZero(Array& b, size_t at) {
  std::memset(b.at(at), 0, b.element_size());
}

class DivZero : public OnEveryIsa {
 protected:
  Subject Direct(lw_type type, lw_pattern pattern) const {
    return KernelApi(isa().engine, kDiv, type, pattern);
  }
};
INSTANTIATE_TEST_SUITE_P(Isa, DivZero, testing::ValuesIn(AllWays()),
                         testing::PrintToStringParamName());

// One zero at each position of each length: every lane of the full vectors and
// of the tail.
TEST_P(DivZero, AtEveryPosition) {
  for (const lw_type type : kDivIntegers) {
    const size_t lanes = 64 / ElementSize(type);
    for (const lw_pattern pattern : {LW_SAME, LW_SCALAR_A}) {
      const Subject div = Direct(type, pattern);
      for (size_t n = 1; n <= 2 * lanes + 5; ++n) {
        const Array a = RandomBits(type, pattern == LW_SAME ? n : 1, n);
        for (size_t at = 0; at < n; ++at) {
          Array b = RandomDivisors(type, n, n);
          SetZero(b, at);
          Array actual;
          ASSERT_TRUE(Divides(div, a, b, Expect(a, b, pattern), &actual));
        }
      }
    }
  }
}

TEST_P(DivZero, SeveralInLongRuns) {
  const std::vector<std::vector<size_t>> places = {
      {0},          {19999},       {1023, 1024}, {2047, 2048, 4095, 4096},
      {8191, 8192}, {8192, 16383}, {16384},      {1, 63, 64, 127, 128, 19998}};
  for (const lw_type type : kDivIntegers) {
    for (const lw_pattern pattern : {LW_SAME, LW_SCALAR_A}) {
      const Array a = RandomBits(type, pattern == LW_SAME ? 20000 : 1);
      for (const std::vector<size_t>& zeros : places) {
        Array b = RandomDivisors(type, 20000);
        for (const size_t at : zeros) SetZero(b, at);
        Array actual;
        const Answer expected = Expect(a, b, pattern);
        EXPECT_EQ(expected.zeros, zeros.size());
        EXPECT_TRUE(Divides(Direct(type, pattern), a, b, expected, &actual));
      }
    }
  }
}

TEST_P(DivZero, EveryDivisor) {
  for (const lw_type type : kDivIntegers) {
    for (const size_t n : {1, 2, 7, 63, 64, 65, 5000}) {
      const Array a = RandomBits(type, n);
      const Array zeros(type, n);
      const Array zero(type, 1);
      Array actual;
      EXPECT_TRUE(Divides(Direct(type, LW_SAME), a, zeros,
                          Expect(a, zeros, LW_SAME), &actual));
      EXPECT_TRUE(Divides(Direct(type, LW_SCALAR_B), a, zero,
                          Expect(a, zero, LW_SCALAR_B), &actual));
      EXPECT_TRUE(Divides(Direct(type, LW_SCALAR_A), a, zeros,
                          Expect(a, zeros, LW_SCALAR_A), &actual));
    }
  }
}

// Zeros in memory around the divisors must not be reported, nor zeros among the
// dividends.
TEST_P(DivZero, NoFalseReport) {
  for (const lw_type type : kDivIntegers) {
    const Array divisors = RandomDivisors(type, 300);
    for (const lw_pattern pattern : kPatterns) {
      const Subject div = Direct(type, pattern);
      for (size_t n = 0; n <= 300; ++n) {
        const size_t count = pattern == LW_SCALAR_B ? 1 : n;
        Array around(type, 600);
        uint8_t* b = around.at(100 + n % 7);
        if (count != 0) {
          std::memcpy(b, divisors.data(), count * around.element_size());
        }
        const Array a(type, pattern == LW_SCALAR_A ? 1 : n);
        Array out(type, n);
        ASSERT_EQ(div.compute(a.data(), b, out.data(), n), LW_OK)
            << lw_type_name(type) << ", n " << n;
        ASSERT_TRUE(SameBits(out, Array(type, n)));
      }
    }
  }
}

TEST_P(DivZero, OverTheDivisorsAndOverTheDividends) {
  for (const lw_type type : kDivIntegers) {
    const Subject div = Direct(type, LW_SAME);
    for (const size_t n : {1, 5, 64, 129, 9000, 20000}) {
      const Array a = RandomBits(type, n);
      Array b = RandomDivisors(type, n);
      for (const size_t at : {n - 1, n / 2, n / 3}) SetZero(b, at);
      const Answer expected = Expect(a, b);
      Array over_a = a;
      EXPECT_TRUE(TellsZeros(
          div.compute(over_a.data(), b.data(), over_a.data(), n), expected));
      EXPECT_TRUE(SameBits(over_a, expected.values));
      Array over_b = b;
      EXPECT_TRUE(TellsZeros(
          div.compute(a.data(), over_b.data(), over_b.data(), n), expected));
      EXPECT_TRUE(SameBits(over_b, expected.values));
    }
  }
}

// ---- The tensor API ----

/// Chunks of the smallest size, on every kind of threading.
class DivZeroThreads : public testing::TestWithParam<lw_type> {};
INSTANTIATE_TEST_SUITE_P(Type, DivZeroThreads, testing::ValuesIn(kDivIntegers),
                         [](const auto& type) {
                           return lw_type_name(type.param);
                         });

TEST_P(DivZeroThreads, FirstAndCountOverAllChunks) {
  constexpr size_t kSize = 70'001;
  const Array a = RandomBits(GetParam(), kSize);
  const std::vector<std::vector<size_t>> places = {
      {},
      {kSize - 1},
      {1023},
      {1024},
      {69'999, 60'000, 50'000, 40'000, 30'000, 20'000},
      {5, 1024, 2048, 3072, 69'632, kSize - 1}};
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine =
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads());
    const Subject div = TensorApi(engine.get(), kDiv, GetParam());
    for (const std::vector<size_t>& zeros : places) {
      Array b = RandomDivisors(GetParam(), kSize);
      for (const size_t at : zeros) SetZero(b, at);
      const Answer expected = Expect(a, b);
      ASSERT_EQ(expected.zeros, zeros.size());
      Array actual;
      EXPECT_TRUE(Divides(div, a, b, expected, &actual));
      Array over_b = b;  // the output overwrites the divisors
      EXPECT_TRUE(
          TellsZeros(div.compute(a.data(), over_b.data(), over_b.data(), kSize),
                     expected));
      EXPECT_TRUE(SameBits(over_b, expected.values));
    }
    const Array zero(GetParam(), 1);
    const Subject by_one =
        TensorApi(engine.get(), kDiv, GetParam(), LW_SCALAR_B);
    Array actual;
    EXPECT_TRUE(
        Divides(by_one, a, zero, Expect(a, zero, LW_SCALAR_B), &actual));
  }
}

// The built-in tuning splits this call, too, and the host runs the chunks.
TEST(DivZeroChunks, TheHostRunsThem) {
  std::atomic<int> calls{0};
  lw_engine_options options = OptionsFor({"", LW_THREADING_HOST, 3});
  options.parallel_for_context = &calls;
  const EnginePtr engine = MakeEngine(options);
  const Subject div = TensorApi(engine.get(), kDiv, LW_INT32);
  const Array a = RandomBits(LW_INT32, 1 << 20);
  Array b = RandomDivisors(LW_INT32, 1 << 20);
  for (const size_t at : {1 << 19, (1 << 19) + 1, 1 << 18}) SetZero(b, at);
  Array actual;
  EXPECT_TRUE(Divides(div, a, b, Expect(a, b), &actual));
  EXPECT_EQ(calls, 1);
}

// A zero in a broadcast divisor counts once for each output.
TEST_P(DivZeroThreads, InABroadcastDim) {
  struct Shapes {
    Dims64 a, b;
  };
  const std::vector<Shapes> all = {
      {{6, 70}, {70}},      {{6, 70}, {6, 1}},       {{6, 7}, {7}},
      {{6, 7}, {6, 1}},     {{70}, {6, 70}},         {{6, 1}, {6, 70}},
      {{6, 1}, {70}},       {{70}, {6, 1}},          {{3, 4, 5}, {4, 1}},
      {{3, 4, 50}, {4, 1}}, {{3, 1, 20}, {1, 4, 1}}, {{5, 9}, {}},
      {{}, {5, 9}}};
  const OpPtr op = MakeOp(nullptr, kDiv);
  for (const auto& [a_dims, b_dims] : all) {
    Dims64 dims;
    ASSERT_TRUE(BroadcastByOracle(a_dims, b_dims, &dims));
    Array a = RandomBits(GetParam(), static_cast<size_t>(Count(a_dims)));
    const auto divisors = static_cast<size_t>(Count(b_dims));
    for (size_t at = 0; at < divisors; ++at) {
      Array b = RandomDivisors(GetParam(), divisors);
      SetZero(b, at);
      const Answer expected = ExpectBroadcast(a, a_dims, b, b_dims, dims);
      Array out(GetParam(), expected.values.size());
      const Tensor views[] = {TensorOf(a, a_dims), TensorOf(b, b_dims),
                              TensorOf(out, dims)};
      const lw_tensor in[] = {views[0].view(), views[1].view()};
      const lw_tensor result = views[2].view();
      ASSERT_TRUE(TellsZeros(lw_op_run(op.get(), in, 2, &result, 1), expected))
          << DimsText(a_dims) << " / " << DimsText(b_dims);
      ASSERT_TRUE(SameBits(out, expected.values));
    }
  }
}

// The option changes the status, not the result.
TEST_P(DivZeroThreads, AllowedByOption) {
  for (const ThreadingCase& threading : AllThreading()) {
    lw_engine_options options = OptionsFor(threading);
    options.allow_zero_divisor = 1;
    const EnginePtr engine =
        MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
    const OpPtr op = MakeOp(engine.get(), kDiv);
    const lw_type type = GetParam();
    for (const DivCase& c :
         {DivCase{type, {5, 900}, {5, 900}}, DivCase{type, {5, 900}, {900}},
          DivCase{type, {5, 900}, {5, 1}}, DivCase{type, {5, 900}, {}},
          DivCase{type, {}, {4000}}, DivCase{type, {9, 3}, {3}, {1, 9}}}) {
      for (const uint64_t seed : {1, 3, 5}) {
        EXPECT_TRUE(RunDivCase(op.get(), c, seed, LW_OK));
      }
    }
  }
}

TEST_P(DivZeroThreads, NoElementsNoReport) {
  const OpPtr op = MakeOp(nullptr, kDiv);
  Array zeros(GetParam(), 12);
  Array none(GetParam(), 0);
  for (const auto& [a_dims, b_dims] :
       {std::pair(Dims64{0}, Dims64{1}), std::pair(Dims64{0, 3}, Dims64{3}),
        std::pair(Dims64{3, 0}, Dims64{3, 1}),
        std::pair(Dims64{0}, Dims64{})}) {
    const Tensor views[] = {TensorOf(none, a_dims), TensorOf(zeros, b_dims)};
    const lw_tensor in[] = {views[0].view(), views[1].view()};
    const lw_tensor result = views[0].view();
    EXPECT_EQ(lw_op_run(op.get(), in, 2, &result, 1), LW_OK);
  }
  for (const lw_pattern pattern : kPatterns) {
    const Subject div = KernelApi(nullptr, kDiv, GetParam(), pattern);
    EXPECT_EQ(div.compute(zeros.data(), zeros.data(), none.data(), 0), LW_OK);
  }
}

// ---- Reports ----

TEST(DivZeroReport, MessageAndNumbers) {
  const std::vector<int32_t> a = {1, 2, 3, 4, 5};
  const std::vector<int32_t> b = {1, 0, 3, 0, 0};
  const OpPtr op = MakeOp(nullptr, {"Div", 7, 2});
  std::vector<int32_t> out(5);
  const int64_t dims = 5;
  const auto view = [&](const std::vector<int32_t>& v) -> lw_tensor {
    return {const_cast<int32_t*>(v.data()), LW_INT32, 1, &dims, nullptr, 20};
  };
  const lw_tensor in[] = {view(a), view(b)};
  const lw_tensor result = view(out);
  ASSERT_EQ(lw_op_run(op.get(), in, 2, &result, 1), LW_DIVIDE_BY_ZERO);
  EXPECT_EQ(out, (std::vector<int32_t>{1, 0, 1, 0, 0}));
  const std::string message = lw_last_error();
  EXPECT_NE(message.find("Div-7"), std::string::npos) << message;
  EXPECT_NE(message.find("zero"), std::string::npos) << message;

  EXPECT_EQ(lw_last_zero_divisors().first, 1u);
  EXPECT_EQ(lw_last_zero_divisors().count, 3u);

  // The report belongs to this thread, and later successful calls keep it.
  std::thread([&] {
    const Array x(LW_INT32, std::vector<int32_t>{8, 8});
    const Array y(LW_INT32, std::vector<int32_t>{0, 0});
    Array actual;
    EXPECT_TRUE(Divides(KernelApi(nullptr, kDiv, LW_INT32), x, y, Expect(x, y),
                        &actual));
  }).join();
  EXPECT_EQ(lw_last_zero_divisors().first, 1u);
  EXPECT_EQ(lw_last_zero_divisors().count, 3u);
}

// Float division by zero has a regular result.
TEST(DivZeroReport, FloatsAreFine) {
  for (const Subject& div : DivOnAllIsas(LW_FLOAT32)) {
    EXPECT_EQ(
        div.compute(Array(LW_FLOAT32, 9).data(), Array(LW_FLOAT32, 9).data(),
                    Array(LW_FLOAT32, 9).data(), 9),
        LW_OK);
  }
}

}  // namespace
}  // namespace lanewise::test
