// SPDX-License-Identifier: Apache-2.0
//
// Mul: the suite, all pairs of 16-bit operands, and products by hand.

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_mul = {
    .name = "Mul",
    .versions = ArithmeticVersions(),
    .output = {"C"},
    .exact =
        [](lw_type type, const long double* in) {
          return InTypeOf(type, in, [](auto a, auto b) { return a * b; });
        },
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          const auto a = static_cast<uint64_t>(ReadInteger(type, in[0]));
          const auto b = static_cast<uint64_t>(ReadInteger(type, in[1]));
          WriteInteger(type, static_cast<int64_t>(a * b), out);
        },
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>
#include <vector>

#include "tests/support/all_pairs16.h"
#include "tests/support/check_unary.h"
#include "tests/support/float_env.h"
#include "tests/support/isas.h"
#include "tests/support/operator_suite.h"
#include "tests/support/samples.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_mul);

constexpr OpId kMul = {"Mul", 14, 2};

struct Product {
  double operator()(double a, double b) const { return a * b; }
};

// A product of 16-bit floats is a double.
TEST(MulPairs, ExhaustiveFloat16) {
  CheckAllPairs16<uint16_t>(kMul, LW_FLOAT16, 0x7C00,
                            ByDouble<5, 10, Product>());
}
TEST(MulPairs, ExhaustiveBfloat16) {
  CheckAllPairs16<uint16_t>(kMul, LW_BFLOAT16, 0x7F80,
                            ByDouble<8, 7, Product>());
}
TEST(MulPairs, ExhaustiveInt16) {
  CheckAllPairs16<uint16_t>(kMul, LW_INT16, 0x7FFF,
                            [](uint32_t a, uint32_t b) { return a * b; });
}

TEST(MulByHand, WrapsAndRounds) {
  const auto product = [](lw_type type, auto a, auto b) {
    decltype(a) out = 0;
    EXPECT_EQ(KernelApi(nullptr, kMul, type).compute(&a, &b, &out, 1), LW_OK);
    return out;
  };
  EXPECT_EQ(product(LW_INT8, int8_t{-128}, int8_t{-1}), -128);
  EXPECT_EQ(product(LW_INT64, INT64_MIN, int64_t{-1}), INT64_MIN);
  EXPECT_EQ(product(LW_UINT32, 0x10000u, 0x10001u), 0x10000u);
  EXPECT_EQ(product(LW_FLOAT32, 0x1p-149f, 0.5f), 0.0f) << "a tie to even";
  EXPECT_EQ(product(LW_FLOAT32, 0x1p-149f, 0.75f), 0x1p-149f);
}

// The scalar stands in unused lanes, too, and 0 * infinity raises a flag.
TEST(MulByHand, InfiniteScalarsRaiseNothing) {
  constexpr size_t kLength = 140;
  const FloatEnvScope scope;
  for (const bool trap : {false, true}) {
    // Check the flags first: a signal would end the program without a message.
    if (trap) TrapOnExceptions();
    for (const Isa& isa : AllIsas()) {
      for (const lw_type type : kFloatTypes) {
        const Array twos = FromValues(type, std::vector<double>(kLength, 2.0));
        const Array scalar =
            FromValues(type, {std::numeric_limits<double>::infinity()});
        Array out(type, kLength);
        for (const lw_pattern pattern : {LW_SCALAR_A, LW_SCALAR_B}) {
          const Subject subject = KernelApi(isa.engine, kMul, type, pattern);
          const bool first = pattern == LW_SCALAR_A;
          for (size_t n = 0; n <= kLength; ++n) {
            std::feclearexcept(FE_ALL_EXCEPT);
            ASSERT_EQ(subject.compute(first ? scalar.data() : twos.data(),
                                      first ? twos.data() : scalar.data(),
                                      out.data(), n),
                      LW_OK);
            ASSERT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0)
                << isa.name << " " << lw_type_name(type) << " n " << n;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
