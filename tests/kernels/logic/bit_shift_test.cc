// SPDX-License-Identifier: Apache-2.0
//
// BitShift: the suite in both directions, all amounts of the narrow types, and
// the attribute.

#include <algorithm>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

constexpr Types kU4 = {LW_UINT8, LW_UINT16, LW_UINT32, LW_UINT64};
const std::vector<OperandSpec> kXY = {{"X"}, {"Y"}};
const std::vector<AttributeSpec> kDirection = {
    {"direction", LW_ATTRIBUTE_STRING, true, "LEFT"}};

// By doubling and halving, a step for each position.
template <bool kLeft>
void Shift(lw_type type, const void* const* in, void* out) {
  const uint64_t amount =
      std::min<uint64_t>(64, static_cast<uint64_t>(ReadInteger(type, in[1])));
  int64_t z = ReadInteger(type, in[0]);  // sign-extended
  if (!kLeft && !IsSignedInteger(type)) {
    const uint64_t mask = ~uint64_t{0} >> (64 - 8 * ElementSize(type));
    uint64_t bits = static_cast<uint64_t>(z) & mask;
    for (uint64_t i = 0; i < amount; ++i) bits /= 2;
    z = static_cast<int64_t>(bits);
  } else {
    for (uint64_t i = 0; i < amount; ++i) {
      z = kLeft ? static_cast<int64_t>(2 * static_cast<uint64_t>(z))
                : (z - (z & 1)) / 2;
    }
  }
  WriteInteger(type, z, out);
}

const lw_string kLeftText = {"LEFT", 4};
const lw_string kRightText = {"RIGHT", 5};

OperatorSpec ShiftSpec(bool left) {
  return {
      .name = "BitShift",
      .versions = {{11, kU4, kXY, kDirection}, {28, kI8, kXY, kDirection}},
      .output = {"Z"},
      .bits = left ? Shift<true> : Shift<false>,
      .attributes = {{"direction", LW_ATTRIBUTE_STRING, 1,
                      left ? &kLeftText : &kRightText}},
  };
}

}  // namespace

extern const OperatorSpec kSpec_bit_shift = ShiftSpec(true);

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/engines.h"
#include "tests/support/operator_suite.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_bit_shift);

TEST_P(OperatorSuite, ToTheRight) {
  const OperatorSpec right = ShiftSpec(false);
  CheckSuiteValues(right, isa());
  CheckSuitePatterns(right, isa());
  CheckSuiteLengths(right, isa());
  CheckSuiteTensors(right, isa());
  CheckSuiteVersions(right, isa());
}

// Every amount from -2 on, in every type.
TEST_P(OperatorSuite, EveryAmount) {
  std::mt19937_64 random(3);
  for (const bool left : {true, false}) {
    const OperatorSpec spec = ShiftSpec(left);
    const OpPtr op = MakeOp(isa().engine, {"BitShift", 28}, spec.attributes);
    for (const int32_t code : kI8) {
      const auto type = static_cast<lw_type>(code);
      const auto width = static_cast<int64_t>(8 * ElementSize(type));
      const size_t n = static_cast<size_t>(width + 5) * 20;
      Arrays in = {MixedElements(type, n, random), Array(type, n)};
      for (size_t i = 0; i < n; ++i) {
        WriteInteger(type, static_cast<int64_t>(i) % (width + 5) - 2,
                     in[1].at(i));
      }
      const Array expected = ExpectedOf(spec, type, in, n);
      Array actual(type, n);
      const lw_kernel* kernel = nullptr;
      ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
      const void* const inputs[] = {in[0].data(), in[1].data()};
      ASSERT_EQ(lw_kernel_run(kernel, inputs, actual.data(), n), LW_OK);
      const size_t i = FirstOther(spec, actual, expected);
      ASSERT_EQ(i, n) << Complaint(spec, in, i, actual, expected);
    }
  }
}

lw_status Create(const lw_attribute* attributes, size_t count) {
  lw_op* op = nullptr;
  const lw_status status =
      lw_op_create(nullptr, "BitShift", 11, attributes, count, &op);
  lw_op_destroy(op);
  return status;
}

TEST(BitShiftByHand, Direction) {
  EXPECT_EQ(Create(nullptr, 0), LW_INVALID_ATTRIBUTE);
  for (const char* word : {"left", "UP", "", "LEFT ", "RIGHTS"}) {
    const lw_string text = {word, std::string(word).size()};
    const lw_attribute direction = {"direction", LW_ATTRIBUTE_STRING, 1, &text};
    EXPECT_EQ(Create(&direction, 1), LW_INVALID_ATTRIBUTE) << word;
    EXPECT_NE(std::string(lw_last_error()).find("LEFT, RIGHT"),
              std::string::npos)
        << lw_last_error();
  }
  const lw_string null = {nullptr, 4};
  const lw_attribute nowhere = {"direction", LW_ATTRIBUTE_STRING, 1, &null};
  EXPECT_EQ(Create(&nowhere, 1), LW_INVALID_ARGUMENT);
  const int64_t left = 0;
  const lw_attribute number = {"direction", LW_ATTRIBUTE_INT, 1, &left};
  EXPECT_EQ(Create(&number, 1), LW_INVALID_ATTRIBUTE);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
