// SPDX-License-Identifier: Apache-2.0
//
// Neg: the suite, all 2^32 inputs of 32-bit types, and values by hand.

#include "tests/support/sign_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_neg = {
    .name = "Neg",
    .versions = {{1, kF3, {{"X"}}, {ConsumedInputsSpec()}},
                 {6, kF3 + kS4, {{"X"}}},
                 {13, kF4 + kS4, {{"X"}}}},
    .output = {"Y"},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          if (kF4.count(type) == 0) {
            const auto x = static_cast<uint64_t>(ReadInteger(type, in[0]));
            return WriteInteger(type, static_cast<int64_t>(0 - x), out);
          }
          const uint64_t half = MinusZero(type);
          const uint64_t x = BitsOfFloat(type, in[0]);
          WriteBits(x < half ? x + half : x - half, out, ElementSize(type));
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

const SuiteOf kSuite(kSpec_neg);

constexpr OpId kNeg = {"Neg", 13};

void NegFloat32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i)
    y[i] = std::copysign(x[i], std::signbit(x[i]) ? 1.0f : -1.0f);
}
void NegInt32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const int32_t*>(in);
  auto* y = static_cast<int32_t*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = static_cast<int32_t>(int64_t{0} - x[i]);
}
TEST(NegValues, ExhaustiveFloat32) {
  CheckAll32Bits(kNeg, LW_FLOAT32, NegFloat32);
}
TEST(NegValues, ExhaustiveInt32) { CheckAll32Bits(kNeg, LW_INT32, NegInt32); }

TEST(NegValues, ByHand) {
  CheckByHand(kNeg, LW_FLOAT32,
              {{0, 0x80000000},
               {0x80000000, 0},
               {1, 0x80000001},
               {0x3F800000, 0xBF800000},
               {0xFF800000, 0x7F800000},
               {0x7FC12345, 0xFFC12345},
               {0xFF800001, 0x7F800001}});
  CheckByHand(kNeg, LW_INT8, {{0x80, 0x80}, {0x7F, 0x81}, {0, 0}});
  CheckByHand(kNeg, LW_INT64,
              {{uint64_t{1} << 63, uint64_t{1} << 63}, {1, UINT64_MAX}});
}

TEST(NegValues, FloatEnvironmentIgnored) { CheckNoFloatEnv(kNeg); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
