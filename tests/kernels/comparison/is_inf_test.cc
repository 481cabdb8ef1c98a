// SPDX-License-Identifier: Apache-2.0
//
// IsInf: the suite for all values of detect_negative and detect_positive, and
// all float32.

#include <cmath>
#include <cstdint>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

/// 1, -1 for infinities; 0 for all else.
int InfinityIn(lw_type type, const void* element) {
  if (kFloat8.count(type) != 0) {
    const auto byte = *static_cast<const uint8_t*>(element);
    if (type != LW_FLOAT8E5M2) return 0;  // the others have none
    return byte == 0x7C ? 1 : byte == 0xFC ? -1 : 0;
  }
  const long double x = ReadFloat(type, element);
  return !std::isinf(x) ? 0 : x > 0 ? 1 : -1;
}

template <bool kNegative, bool kPositive>
void IsInfBits(lw_type type, const void* const* in, void* out) {
  const int infinity = InfinityIn(type, in[0]);
  *static_cast<bool*>(out) =
      (kNegative && infinity < 0) || (kPositive && infinity > 0);
}

const std::vector<AttributeSpec> kDetect = {
    {"detect_negative", LW_ATTRIBUTE_INT},
    {"detect_positive", LW_ATTRIBUTE_INT}};

}  // namespace

extern const OperatorSpec kSpec_is_inf = {
    .name = "IsInf",
    .versions = {{10, {LW_FLOAT32, LW_FLOAT64}, {{"X", "T1"}}, kDetect},
                 {20, kF4 + kFloat8, {{"X", "T1"}}, kDetect}},
    .output = {"Y", "T2", {LW_BOOL}},
    .bits = IsInfBits<true, true>,
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_bools.h"
#include "tests/support/operator_suite.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_is_inf);

void CheckDetection(const Isa& isa, int64_t negative, int64_t positive,
                    decltype(OperatorSpec::bits) bits) {
  OperatorSpec spec = kSpec_is_inf;
  spec.bits = bits;
  spec.attributes = {IntAttribute("detect_negative", &negative),
                     IntAttribute("detect_positive", &positive)};
  CheckSuiteValues(spec, isa);
  CheckSuiteTensors(spec, isa);
}
TEST_P(OperatorSuite, Detection) {
  CheckDetection(isa(), 0, 0, IsInfBits<false, false>);
  CheckDetection(isa(), 0, 1, IsInfBits<false, true>);
  CheckDetection(isa(), 1, 0, IsInfBits<true, false>);
  CheckDetection(isa(), 5, -1, IsInfBits<true, true>);  // anything but 0 is yes
}

TEST(IsInfValues, ExhaustiveFloat32) {
  CheckBoolsOfAllFloats({"IsInf", 10, 1},
                        [](float x) { return std::isinf(x); });
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
