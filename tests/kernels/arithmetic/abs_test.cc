// SPDX-License-Identifier: Apache-2.0
//
// Abs: the suite, all 2^32 inputs of 32-bit types, and values by hand.

#include "tests/support/sign_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_abs = {
    .name = "Abs",
    .versions = {{1, kF3, {{"X"}}, {ConsumedInputsSpec()}},
                 {6, kN11, {{"X"}}},
                 {13, kN12, {{"X"}}}},
    .output = {"Y"},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          if (kF4.count(type) == 0) {
            const int64_t x = ReadInteger(type, in[0]);
            const auto bits = static_cast<uint64_t>(x);
            const bool below = IsSignedInteger(type) && x < 0;
            return WriteInteger(
                type, static_cast<int64_t>(below ? 0 - bits : bits), out);
          }
          const uint64_t half = MinusZero(type);
          const uint64_t x = BitsOfFloat(type, in[0]);
          WriteBits(x < half ? x : x - half, out, ElementSize(type));
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

const SuiteOf kSuite(kSpec_abs);

constexpr OpId kAbs = {"Abs", 13};

void AbsFloat32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  for (size_t i = 0; i < n; ++i) y[i] = std::copysign(x[i], 1.0f);
}
void AbsInt32(const void* in, void* out, size_t n) {
  const auto* x = static_cast<const int32_t*>(in);
  auto* y = static_cast<int32_t*>(out);
  for (size_t i = 0; i < n; ++i)
    y[i] = static_cast<int32_t>(std::abs(int64_t{x[i]}));
}
TEST(AbsValues, ExhaustiveFloat32) {
  CheckAll32Bits(kAbs, LW_FLOAT32, AbsFloat32);
}
TEST(AbsValues, ExhaustiveInt32) { CheckAll32Bits(kAbs, LW_INT32, AbsInt32); }

TEST(AbsValues, ByHand) {
  CheckByHand(kAbs, LW_FLOAT32,
              {{0, 0},
               {0x80000000, 0},
               {0x80000001, 1},
               {0xBF800000, 0x3F800000},
               {0xFF800000, 0x7F800000},
               {0xFFC12345, 0x7FC12345},
               {0xFF800001, 0x7F800001}});
  CheckByHand(kAbs, LW_INT8, {{0x80, 0x80}, {0x81, 0x7F}, {0x7F, 0x7F}});
  CheckByHand(kAbs, LW_UINT8, {{0x80, 0x80}, {0xFF, 0xFF}});
  CheckByHand(kAbs, LW_INT64,
              {{uint64_t{1} << 63, uint64_t{1} << 63}, {UINT64_MAX, 1}});
  CheckByHand(kAbs, LW_UINT64, {{UINT64_MAX, UINT64_MAX}});
}

TEST(AbsValues, FloatEnvironmentIgnored) { CheckNoFloatEnv(kAbs); }

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
