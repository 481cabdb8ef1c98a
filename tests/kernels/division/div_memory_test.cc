// SPDX-License-Identifier: Apache-2.0
//
// Div's bits do not depend on length, position, alignment, whether the output
// overwrites an input, or the number of threads.

#include <gtest/gtest.h>

#include <cstring>

#include "tests/kernels/division/div_oracle.h"
#include "tests/support/check_lengths.h"
#include "tests/support/check_threads.h"
#include "tests/support/engines.h"

namespace lanewise::test {
namespace {

class DivMemory : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, DivMemory, testing::ValuesIn(AllWays()),
                         testing::PrintToStringParamName());

TEST_P(DivMemory, EveryLengthAndAlignment) {
  for (const lw_type type : kDivTypes) {
    for (const lw_pattern pattern : kPatterns) {
      SCOPED_TRACE(pattern);
      CheckEveryLengthAndAlignment(
          KernelApi(isa().engine, kDiv, type, pattern),
          RandomBits(type, pattern == LW_SCALAR_A ? 1 : 1000),
          RandomDivisors(type, pattern == LW_SCALAR_B ? 1 : 1000));
    }
  }
}

TEST_P(DivMemory, EveryLengthAndAlignmentStreamed) {
  lw_engine_options options = Options();
  options.threading = LW_THREADING_SERIAL;
  const EnginePtr engine =
      MakeTunedEngine(options, isa().name, EagerStreaming());
  for (const lw_type type : kDivTypes) {
    for (const lw_pattern pattern : kPatterns) {
      SCOPED_TRACE(pattern);
      CheckEveryLengthAndAlignment(
          TensorApi(engine.get(), kDiv, type, pattern),
          RandomBits(type, pattern == LW_SCALAR_A ? 1 : 1000),
          RandomDivisors(type, pattern == LW_SCALAR_B ? 1 : 1000), 150);
    }
  }
}

// The output may start at the scalar, which is read before it is overwritten.
TEST_P(DivMemory, OverTheScalar) {
  for (const lw_type type : kDivTypes) {
    for (const lw_pattern pattern : {LW_SCALAR_B, LW_SCALAR_A}) {
      const Subject div = KernelApi(isa().engine, kDiv, type, pattern);
      for (const size_t n : {1, 7, 64, 333, 20000}) {
        const Array run_values = RandomDivisors(type, n, n);
        Array out(type, n);
        const Array scalar = RandomDivisors(type, 1, n + 1);
        const bool is_b = pattern == LW_SCALAR_B;
        const Array expected = Compute(div, is_b ? run_values : scalar,
                                       is_b ? scalar : run_values);
        std::memcpy(out.data(), scalar.data(), scalar.bytes());
        ASSERT_EQ(
            div.compute(is_b ? run_values.data() : out.data(),
                        is_b ? out.data() : run_values.data(), out.data(), n),
            LW_OK);
        EXPECT_TRUE(SameBits(out, expected)) << "n " << n;
      }
    }
  }
}

class DivThreads : public testing::TestWithParam<lw_type> {};
INSTANTIATE_TEST_SUITE_P(Type, DivThreads, testing::ValuesIn(kDivTypes),
                         [](const auto& type) {
                           return lw_type_name(type.param);
                         });

TEST_P(DivThreads, SameBitsOnAnyThreadCount) {
  for (const lw_pattern pattern : kPatterns) {
    SCOPED_TRACE(pattern);
    CheckThreads(kDiv, GetParam(), pattern);
  }
}

// Compares a long run with calls for one element each.
TEST_P(DivThreads, EachElementAlone) {
  for (const Subject& div : DivOnAllIsas(GetParam())) {
    const Array a = RandomBits(GetParam(), 5000, 7);
    const Array b = RandomDivisors(GetParam(), 5000, 8);
    const Array expected = Compute(div, a, b);
    Array alone(GetParam(), a.size());
    for (size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(div.compute(a.at(i), b.at(i), alone.at(i), 1), LW_OK);
    }
    EXPECT_TRUE(SameBits(alone, expected));
  }
}

}  // namespace
}  // namespace lanewise::test
