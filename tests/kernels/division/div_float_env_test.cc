// SPDX-License-Identifier: Apache-2.0
//
// Div and the caller's floating-point environment. Float quotients obey it on
// every thread. Integer quotients neither depend on it nor change it, although
// the kernels compute them in float lanes. Padding lanes never trap.

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/kernels/division/div_oracle.h"
#include "tests/support/engines.h"
#include "tests/support/float_env.h"

namespace lanewise::test {
namespace {

constexpr int kRoundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                              FE_TOWARDZERO};

/// Random operands with MIN / -1 at the end; `zeros` also has a zero in the
/// middle.
struct IntegerData {
  explicit IntegerData(lw_type type, size_t n = 1003)
      : a(RandomBits(type, n)), b(RandomDivisors(type, n)) {
    std::memset(a.at(n - 1), 0, a.element_size());
    a.at(n)[-1] = 0x80;
    std::memset(b.at(n - 1), 0xFF, b.element_size());
    zeros = b;
    std::memset(zeros.at(n / 2), 0, zeros.element_size());
  }
  Array a;
  Array b;
  Array zeros;
};

class DivFloatEnv : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, DivFloatEnv, testing::ValuesIn(AllWays()),
                         testing::PrintToStringParamName());

TEST_P(DivFloatEnv, IntegersIgnoreIt) {
  for (const lw_type type : kDivIntegers) {
    const IntegerData data(type);
    for (const lw_pattern pattern : kPatterns) {
      SCOPED_TRACE(pattern);
      CheckFloatEnvIgnored(KernelApi(isa().engine, kDiv, type, pattern), data.a,
                           data.b);
      CheckFloatEnvIgnored(TensorApi(isa().engine, kDiv, type, pattern), data.a,
                           data.b);
    }
  }
}

// Any data and any length, with all exceptions unmasked: SIGFPE would end the
// test.
TEST_P(DivFloatEnv, IntegersNeverTrap) {
  for (const lw_type type : kDivIntegers) {
    const IntegerData data(type);
    for (const lw_pattern pattern : kPatterns) {
      const Subject div = KernelApi(isa().engine, kDiv, type, pattern);
      for (const Array& b : {data.zeros, Array(type, data.b.size()), data.b}) {
        const Answer expected = Expect(data.a, b, pattern);
        Array out(type, expected.values.size());
        lw_status status = LW_OK;
        uint64_t before = 0;
        uint64_t after = 0;
        {
          const FloatEnvScope scope;
          TrapOnExceptions();
          before = FloatControl();
          for (size_t n = 0; n < 140; ++n) {
            div.compute(data.a.data(), b.data(), out.data(), n);
          }
          status = div.compute(data.a.data(), b.data(), out.data(), out.size());
          after = FloatControl();
        }
        EXPECT_EQ(before, after);
        EXPECT_TRUE(TellsZeros(status, expected));
        EXPECT_TRUE(SameBits(out, expected.values));
      }
    }
  }
}

// Every quotient is exact, so only a padding lane could trap.
TEST_P(DivFloatEnv, ExactFloatsNeverTrap) {
  struct Exact {
    lw_type type;
    uint64_t three, six, two;
  };
  constexpr Exact kExact[] = {
      {LW_FLOAT16, 0x4200, 0x4600, 0x4000},
      {LW_BFLOAT16, 0x4040, 0x40C0, 0x4000},
      {LW_FLOAT32, 0x40400000, 0x40C00000, 0x40000000},
      {LW_FLOAT64, 0x4008000000000000, 0x4018000000000000, 0x4000000000000000}};
  constexpr size_t kSize = 300;  // short jobs may go another way
  for (const Exact& c : kExact) {
    const Array a = FromPatterns(c.type, std::vector<uint64_t>(kSize, c.six));
    const Array b = FromPatterns(c.type, std::vector<uint64_t>(kSize, c.three));
    const Array two = FromPatterns(c.type, std::vector<uint64_t>(kSize, c.two));
    for (const lw_pattern pattern : kPatterns) {
      for (const Subject& div :
           {KernelApi(isa().engine, kDiv, c.type, pattern),
            TensorApi(isa().engine, kDiv, c.type, pattern)}) {
        Array out(c.type, kSize);
        int flags = 0;
        for (size_t n = 0; n < kSize; ++n) {
          const FloatEnvScope scope;
          TrapOnExceptions();
          div.compute(a.data(), b.data(), out.data(), n);
          flags |= std::fetestexcept(FE_ALL_EXCEPT);
        }
        EXPECT_EQ(flags, 0) << lw_type_name(c.type);
        div.compute(a.data(), b.data(), out.data(), kSize);
        EXPECT_TRUE(SameBits(out, two));
      }
    }
  }
}

/// Compares Div and the oracle in the same floating-point environment.
void CheckFollows(const Subject& div, const Array& a, const Array& b,
                  int rounding, bool flush) {
  Array out(a.type(), div.pattern == LW_SCALAR_A ? b.size() : a.size());
  Answer expected;
  lw_status status = LW_OK;
  {
    const FloatEnvScope scope;
    std::fesetround(rounding);
    if (flush) FlushSubnormals();
    status = div.compute(a.data(), b.data(), out.data(), out.size());
    expected = Expect(a, b, div.pattern);
  }
  UnifyNans(out);
  EXPECT_EQ(status, LW_OK);
  EXPECT_TRUE(SameBits(out, expected.values))
      << "rounding " << rounding << ", flush " << flush;
}

/// Numbers of all magnitudes, so that results are subnormal, inexact, exact and
/// infinite.
Array FloatData(lw_type type, size_t n, uint64_t seed) {
  const Array lattice = FloatLattice(type);
  Array data = RandomBits(type, n, seed);
  for (size_t i = 0; i < n; i += 2) {
    std::memcpy(data.at(i), lattice.at((i * seed * 37) % lattice.size()),
                data.element_size());
  }
  return data;
}

TEST_P(DivFloatEnv, FloatsFollowIt) {
  LANEWISE_SKIP_IF_EXACT();
  for (const lw_type type : {LW_FLOAT32, LW_FLOAT64}) {
    const Array a = FloatData(type, 50'000, 1);
    const Array b = FloatData(type, 50'000, 5);
    for (const lw_pattern pattern : kPatterns) {
      const Subject div = KernelApi(isa().engine, kDiv, type, pattern);
      for (const int rounding : kRoundings) {
        CheckFollows(div, a, b, rounding, false);
        CheckFollows(div, a, b, rounding, true);
      }
    }
  }
}

// 16-bit floats are computed in a wider type and rounded to nearest at the end.
// In other rounding modes the results are adjacent to the quotient that is
// rounded to nearest. If the last rounding is done in software, the rounding
// mode affects it, too, so instruction sets are not compared with each other
// here.
TEST_P(DivFloatEnv, NarrowFloatsStayWithinOneUlp) {
  for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16}) {
    const Array a = FloatData(type, 50'000, 1);
    const Array b = FloatData(type, 50'000, 5);
    const Answer nearest = Expect(a, b);
    const Subject div = KernelApi(isa().engine, kDiv, type);
    for (const int rounding : kRoundings) {
      Array out(type, a.size());
      {
        const FloatEnvScope scope;
        std::fesetround(rounding);
        div.compute(a.data(), b.data(), out.data(), out.size());
      }
      for (size_t i = 0; i < out.size(); ++i) {
        ASSERT_LE(
            UlpDistance(out.as<uint16_t>()[i], nearest.values.as<uint16_t>()[i],
                        MantissaBits(type)),
            rounding == FE_TONEAREST ? 0u : 1u)
            << BitsText(a.at(i), 2) << " / " << BitsText(b.at(i), 2);
      }
    }
  }
}

// ---- Workers ----

/// Runs each task on a thread with its own environment, and counts the threads
/// whose environment changes.
int32_t OnThreadsOfAnotherMind(void* changed, lw_task task, size_t count,
                               void* data) {
  for (size_t i = 0; i < count; ++i) {
    std::thread([&] {
      std::fesetround(i % 2 == 0 ? FE_DOWNWARD : FE_UPWARD);
      if (i % 3 == 0) FlushSubnormals();
      const uint64_t before = FloatControl();
      task(data, i);
      if (FloatControl() != before) ++*static_cast<std::atomic<int>*>(changed);
    }).join();
  }
  return 0;
}

TEST(DivFloatEnvThreads, WorkersUseTheCallersAndRestoreTheirOwn) {
  LANEWISE_SKIP_IF_EXACT();
  std::atomic<int> changed{0};
  lw_engine_options options = OptionsFor({"", LW_THREADING_HOST, 3});
  options.parallel_for = OnThreadsOfAnotherMind;
  options.parallel_for_context = &changed;
  for (const Isa& isa : AllWays()) {
    const EnginePtr engine = MakeTunedEngine(options, isa.name, EagerThreads());
    for (const lw_type type : {LW_FLOAT32, LW_FLOAT64}) {
      const Array a = FloatData(type, 20'000, 1);
      const Array b = FloatData(type, 20'000, 5);
      const Subject div = TensorApi(engine.get(), kDiv, type);
      for (const int rounding : kRoundings) {
        CheckFollows(div, a, b, rounding, false);
        CheckFollows(div, a, b, rounding, true);
      }
    }
    for (const lw_type type : kDivIntegers) {
      const IntegerData data(type, 20'000);
      CheckFloatEnvIgnored(TensorApi(engine.get(), kDiv, type), data.a, data.b);
    }
    EXPECT_EQ(changed, 0) << isa.name;
  }
}

TEST(DivFloatEnvThreads, EveryKindOfThreading) {
  LANEWISE_SKIP_IF_EXACT();
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine =
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads());
    for (const lw_type type : {LW_FLOAT32, LW_FLOAT64}) {
      const Array a = FloatData(type, 50'000, 3);
      const Array b = FloatData(type, 50'000, 7);
      for (const int rounding : kRoundings) {
        CheckFollows(TensorApi(engine.get(), kDiv, type), a, b, rounding, true);
      }
    }
    for (const lw_type type : kDivIntegers) {
      const IntegerData data(type, 50'000);
      CheckFloatEnvIgnored(TensorApi(engine.get(), kDiv, type), data.a, data.b);
    }
  }
}

}  // namespace
}  // namespace lanewise::test
