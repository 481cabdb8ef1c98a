// SPDX-License-Identifier: Apache-2.0
//
// Sub: the suite, all pairs of 16-bit operands, and differences by hand.

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_sub = {
    .name = "Sub",
    .versions = ArithmeticVersions(),
    .output = {"C"},
    .exact =
        [](lw_type type, const long double* in) {
          return InTypeOf(type, in, [](auto a, auto b) { return a - b; });
        },
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          const auto a = static_cast<uint64_t>(ReadInteger(type, in[0]));
          const auto b = static_cast<uint64_t>(ReadInteger(type, in[1]));
          WriteInteger(type, static_cast<int64_t>(a - b), out);
        },
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/all_pairs16.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_sub);

constexpr OpId kSub = {"Sub", 14, 2};

struct Difference {
  double operator()(double a, double b) const { return a - b; }
};

// A difference of 16-bit floats is a double, or one operand is too small to
// matter.
TEST(SubPairs, ExhaustiveFloat16) {
  CheckAllPairs16<uint16_t>(kSub, LW_FLOAT16, 0x7C00,
                            ByDouble<5, 10, Difference>());
}
TEST(SubPairs, ExhaustiveBfloat16) {
  CheckAllPairs16<uint16_t>(kSub, LW_BFLOAT16, 0x7F80,
                            ByDouble<8, 7, Difference>());
}
TEST(SubPairs, ExhaustiveInt16) {
  CheckAllPairs16<uint16_t>(kSub, LW_INT16, 0x7FFF,
                            [](uint16_t a, uint16_t b) { return a - b; });
}

TEST(SubByHand, WrapsAndRounds) {
  const auto difference = [](lw_type type, auto a, auto b) {
    decltype(a) out = 0;
    EXPECT_EQ(KernelApi(nullptr, kSub, type).compute(&a, &b, &out, 1), LW_OK);
    return out;
  };
  EXPECT_EQ(difference(LW_INT8, int8_t{-128}, int8_t{1}), 127);
  EXPECT_EQ(difference(LW_UINT16, uint16_t{1}, uint16_t{2}), 65535);
  EXPECT_EQ(difference(LW_FLOAT64, 1.0, 0x1p-54), 1.0) << "a tie to even";
  EXPECT_EQ(difference(LW_FLOAT64, 3.0, 5.0), -2.0);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
