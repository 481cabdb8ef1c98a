// SPDX-License-Identifier: Apache-2.0
//
// IsNaN: the suite, and all float32.

#include <cmath>
#include <cstdint>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

bool IsNanByte(lw_type type, uint8_t byte) {
  const int magnitude = byte & 0x7F;
  return type == LW_FLOAT8E4M3FN ? magnitude == 0x7F
         : type == LW_FLOAT8E5M2 ? magnitude > 0x7C
                                 : byte == 0x80;
}

}  // namespace

extern const OperatorSpec kSpec_is_nan = {
    .name = "IsNaN",
    .versions = {{9, kF3, {{"X", "T1"}}},
                 {13, kF4, {{"X", "T1"}}},
                 {20, kF4 + kFloat8, {{"X", "T1"}}}},
    .output = {"Y", "T2", {LW_BOOL}},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          *static_cast<bool*>(out) =
              kFloat8.count(type) != 0
                  ? IsNanByte(type, *static_cast<const uint8_t*>(in[0]))
                  : std::isnan(ReadFloat(type, in[0]));
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_bools.h"
#include "tests/support/operator_suite.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_is_nan);

TEST(IsNanValues, ExhaustiveFloat32) {
  CheckBoolsOfAllFloats({"IsNaN", 13, 1},
                        [](float x) { return std::isnan(x); });
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
