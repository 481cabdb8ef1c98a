// SPDX-License-Identifier: Apache-2.0
//
// Add: the suite, all pairs of 16-bit operands, and sums by hand.

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_add = {
    .name = "Add",
    .versions = ArithmeticVersions(),
    .output = {"C"},
    .exact =
        [](lw_type type, const long double* in) {
          return InTypeOf(type, in, [](auto a, auto b) { return a + b; });
        },
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          const auto a = static_cast<uint64_t>(ReadInteger(type, in[0]));
          const auto b = static_cast<uint64_t>(ReadInteger(type, in[1]));
          WriteInteger(type, static_cast<int64_t>(a + b), out);
        },
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/all_pairs16.h"
#include "tests/support/engines.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_add);

constexpr OpId kAdd = {"Add", 14, 2};

struct Sum {
  double operator()(double a, double b) const { return a + b; }
};

// A sum of 16-bit floats is a double, or one operand is too small to matter.
TEST(AddPairs, ExhaustiveFloat16) {
  CheckAllPairs16<uint16_t>(kAdd, LW_FLOAT16, 0x7C00, ByDouble<5, 10, Sum>());
}
TEST(AddPairs, ExhaustiveBfloat16) {
  CheckAllPairs16<uint16_t>(kAdd, LW_BFLOAT16, 0x7F80, ByDouble<8, 7, Sum>());
}
TEST(AddPairs, ExhaustiveInt16) {
  CheckAllPairs16<uint16_t>(kAdd, LW_INT16, 0x7FFF,
                            [](uint16_t a, uint16_t b) { return a + b; });
}

TEST(AddByHand, WrapsAndRounds) {
  const auto sum = [](lw_type type, auto a, auto b) {
    decltype(a) out = 0;
    EXPECT_EQ(KernelApi(nullptr, kAdd, type).compute(&a, &b, &out, 1), LW_OK);
    return out;
  };
  EXPECT_EQ(sum(LW_INT8, int8_t{127}, int8_t{1}), -128);
  EXPECT_EQ(sum(LW_UINT64, UINT64_MAX, uint64_t{2}), 1u);
  EXPECT_EQ(sum(LW_FLOAT32, 1.0f, 0x1p-24f), 1.0f) << "a tie to even";
  EXPECT_EQ(sum(LW_FLOAT32, 1.0f, 0x1.8p-24f), 0x1.000002p0f);
  EXPECT_EQ(sum(LW_FLOAT16, uint16_t{0x7BFF}, uint16_t{0x7BFF}), 0x7C00);
}

// The kernel for a scalar first is the kernel for a scalar second with its
// inputs exchanged, and with their steps.
TEST(AddByHand, OneElementForEachLongRow) {
  constexpr int64_t kRows = 3, kColumns = 100;
  const int64_t dims[] = {kRows, kColumns}, each_dims[] = {kRows, 1};
  float each[kRows] = {1000, 2000, 3000};
  float whole[kRows * kColumns], out[kRows * kColumns];
  for (size_t i = 0; i < std::size(whole); ++i)
    whole[i] = static_cast<float>(i);
  const lw_tensor a = {each, LW_FLOAT32, 2, each_dims, nullptr, 0};
  const lw_tensor b = {whole, LW_FLOAT32, 2, dims, nullptr, 0};
  const lw_tensor sum = {out, LW_FLOAT32, 2, dims, nullptr, 0};
  const lw_tensor first[] = {a, b}, second[] = {b, a};
  for (const Isa& isa : AllIsas()) {
    const OpPtr op = MakeOp(isa.engine, kAdd);
    for (const auto& inputs : {first, second}) {
      ASSERT_EQ(lw_op_run(op.get(), inputs, 2, &sum, 1), LW_OK);
      for (size_t i = 0; i < std::size(whole); ++i) {
        ASSERT_EQ(out[i], each[i / kColumns] + whole[i])
            << isa.name << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
