// SPDX-License-Identifier: Apache-2.0
//
// Sign: the suite, all 2^32 inputs of 32-bit types, and values by hand.

#include "tests/support/sign_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_sign = {
    .name = "Sign",
    .versions = {{9, kN11, {{"input"}}}, {13, kN12, {{"input"}}}},
    .output = {"output"},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          if (kF4.count(type) == 0) {
            const int64_t x = ReadInteger(type, in[0]);
            const bool below = IsSignedInteger(type) && x < 0;
            return WriteInteger(type, below ? -1 : x == 0 ? 0 : 1, out);
          }
          const long double x = ReadFloat(type, in[0]);
          const uint64_t bits = BitsOfFloat(type, in[0]);
          const uint64_t one = type == LW_FLOAT16    ? 0x3C00
                               : type == LW_BFLOAT16 ? 0x3F80
                               : type == LW_FLOAT32  ? 0x3F800000
                                                     : uint64_t{0x3FF} << 52;
          const uint64_t y = x < 0    ? one + MinusZero(type)
                             : x > 0  ? one
                             : x == 0 ? 0
                                      : bits;
          WriteBits(y, out, ElementSize(type));
        },
    .wide = AnyExponent,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/bits.h"
#include "tests/support/check_signs.h"
#include "tests/support/check_values.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_sign);

constexpr OpId kSign = {"Sign", 13};

void SignFloat32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i)
    y[i] =
        std::isnan(x[i]) ? x[i] : static_cast<float>((x[i] > 0) - (x[i] < 0));
}
void SignInt32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const int32_t*>(in);
  auto* y = static_cast<int32_t*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = (x[i] > 0) - (x[i] < 0);
}
TEST(SignValues, ExhaustiveFloat32) {
  CheckAll32Bits(kSign, LW_FLOAT32, SignFloat32);
}
TEST(SignValues, ExhaustiveInt32) {
  CheckAll32Bits(kSign, LW_INT32, SignInt32);
}

TEST(SignValues, ByHand) {
  CheckByHand(kSign, LW_FLOAT32,
              {{0, 0},
               {0x80000000, 0},
               {1, 0x3F800000},
               {0x80000001, 0xBF800000},
               {0x7F800000, 0x3F800000},
               {0xFF800000, 0xBF800000},
               {0xFFC12345, 0xFFC12345},
               {0x7F800001, 0x7F800001}});
  CheckByHand(kSign, LW_FLOAT16,
              {{0x8001, 0xBC00}, {0xFC00, 0xBC00}, {0xFE01, 0xFE01}});
  CheckByHand(kSign, LW_BFLOAT16,
              {{1, 0x3F80}, {0xFF80, 0xBF80}, {0x7FC1, 0x7FC1}});
  CheckByHand(kSign, LW_INT8, {{0x80, 0xFF}, {0x7F, 1}, {0, 0}});
  CheckByHand(kSign, LW_UINT64, {{uint64_t{1} << 63, 1}, {0, 0}});
}

TEST(SignValues, FloatEnvironmentIgnored) { CheckNoFloatEnv(kSign); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
