// SPDX-License-Identifier: Apache-2.0
//
// Greater: the suite, and all pairs of 16-bit operands.

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_greater = {
    .name = "Greater",
    .versions = {{1, kF3, InputsAB(), LegacyAttributes(false)},
                 {7, kF3, InputsAB()},
                 {9, kI8 + kF3, InputsAB()},
                 {13, kN12, InputsAB()}},
    .output = {"C", "T1", {LW_BOOL}},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          *static_cast<bool*>(out) =
              Compare(type, in, [](auto a, auto b) { return a > b; });
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/all_pairs16.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

LANEWISE_OPERATOR_SUITE(kSpec_greater);

constexpr OpId kGreater = {"Greater", 13, 2};

template <int kExponentBits, int kMantissaBits>
struct GreaterByValue {
  const double* values = ValuesOf16<kExponentBits, kMantissaBits>();
  bool operator()(uint16_t a, uint16_t b) const {
    return values[a] > values[b];
  }
};

TEST(GreaterPairs, ExhaustiveFloat16) {
  CheckAllPairs16<uint8_t>(kGreater, LW_FLOAT16, 0x7FFF,
                           GreaterByValue<5, 10>());
}
TEST(GreaterPairs, ExhaustiveBfloat16) {
  CheckAllPairs16<uint8_t>(kGreater, LW_BFLOAT16, 0x7FFF,
                           GreaterByValue<8, 7>());
}
TEST(GreaterPairs, ExhaustiveInt16) {
  CheckAllPairs16<uint8_t>(
      kGreater, LW_INT16, 0x7FFF, [](uint16_t a, uint16_t b) {
        return static_cast<int16_t>(a) > static_cast<int16_t>(b);
      });
}
TEST(GreaterPairs, ExhaustiveUint16) {
  CheckAllPairs16<uint8_t>(kGreater, LW_UINT16, 0x7FFF,
                           [](uint16_t a, uint16_t b) { return a > b; });
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
