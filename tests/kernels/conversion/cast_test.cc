// SPDX-License-Identifier: Apache-2.0
//
// Cast: the suite for each output type of whole bytes, all values of 32 bits,
// and the edges of the wide types.

#include <cmath>
#include <cstring>
#include <vector>

#include "tests/kernels/conversion/cast_oracle.h"
#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

constexpr Types kOld = kF3 + kI8 + Types{LW_BOOL};
constexpr Types kNew = kOld + Types{LW_BFLOAT16};
constexpr Types k19 = kNew + kFloat8;
constexpr Types k21 = k19 + Types{LW_INT4, LW_UINT4};
constexpr Types k23 = k21 + Types{LW_FLOAT4E2M1};
constexpr Types k24 = k23 + Types{LW_FLOAT8E8M0};
constexpr Types k25 = k24 + Types{LW_INT2, LW_UINT2};

struct Target {
  int64_t code;
  const char* name;
  void (*convert)(lw_type, const void* const*, void*);
};
template <lw_type kTo>
constexpr Target TargetOf(const char* name) {
  return {kTo, name, ConvertTo<kTo>};
}
constexpr Target kTargets[] = {
    TargetOf<LW_FLOAT32>("FLOAT"),   TargetOf<LW_UINT8>("UINT8"),
    TargetOf<LW_INT8>("INT8"),       TargetOf<LW_UINT16>("UINT16"),
    TargetOf<LW_INT16>("INT16"),     TargetOf<LW_INT32>("INT32"),
    TargetOf<LW_INT64>("INT64"),     TargetOf<LW_BOOL>("BOOL"),
    TargetOf<LW_FLOAT16>("FLOAT16"), TargetOf<LW_FLOAT64>("DOUBLE"),
    TargetOf<LW_UINT32>("UINT32"),   TargetOf<LW_UINT64>("UINT64"),
    TargetOf<LW_BFLOAT16>(""),       TargetOf<LW_FLOAT8E4M3FN>(""),
    TargetOf<LW_FLOAT8E4M3FNUZ>(""), TargetOf<LW_FLOAT8E5M2>(""),
    TargetOf<LW_FLOAT8E5M2FNUZ>(""), TargetOf<LW_FLOAT8E8M0>("")};

OperatorSpec SpecTo(const Target& target) {
  const std::vector<OperandSpec> input = {{"input", "T1"}};
  const AttributeSpec by_name = {"to", LW_ATTRIBUTE_STRING, true, target.name};
  const AttributeSpec to = {"to", LW_ATTRIBUTE_INT, true, "", target.code};
  const AttributeSpec saturate = {"saturate", LW_ATTRIBUTE_INT};
  const AttributeSpec round_mode = {"round_mode", LW_ATTRIBUTE_STRING};
  OperatorSpec spec = {
      .name = "Cast",
      .versions = {{1, kOld, input, {by_name}},
                   {6, kOld, input, {to}},
                   {9, kOld, input, {to}},
                   {13, kNew, input, {to}},
                   {19, k19, input, {to, saturate}},
                   {21, k21, input, {to, saturate}},
                   {23, k23, input, {to, saturate}},
                   {24, k24, input, {to, saturate, round_mode}},
                   {25, k25, input, {to, saturate, round_mode}},
                   {28, k25, input, {to, saturate, round_mode}}},
      .output = {"output", "T2", {static_cast<int32_t>(target.code)}},
      .bits = target.convert,
      .attributes = {{"to", LW_ATTRIBUTE_INT, 1, &target.code}},
  };
  spec.output.told = true;
  std::erase_if(spec.versions, [&](const VersionSpec& version) {
    return version.types.count(static_cast<int32_t>(target.code)) == 0;
  });
  return spec;
}

}  // namespace

extern const OperatorSpec kSpec_cast = SpecTo(kTargets[0]);

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/check_values.h"
#include "tests/support/engines.h"
#include "tests/support/operator_suite.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

class CastSuite : public OnEveryIsa {
 protected:
  template <class Check>
  void ForEachTarget(const Check& check) {
    ForEach(kTargets, check);
  }
  // Rows, strides and threads know the size of an element only, and take long.
  template <class Check>
  void ForEachSize(const Check& check) {
    const Target targets[] = {
        TargetOf<LW_UINT8>("UINT8"), TargetOf<LW_FLOAT16>("FLOAT16"),
        TargetOf<LW_FLOAT32>("FLOAT"), TargetOf<LW_INT64>("INT64")};
    ForEach(targets, check);
  }

 private:
  template <class Targets, class Check>
  void ForEach(const Targets& targets, const Check& check) {
    for (const Target& target : targets) {
      SCOPED_TRACE(lw_type_name(static_cast<int32_t>(target.code)));
      check(SpecTo(target), isa());
      if (HasFatalFailure()) return;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Isa, CastSuite, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());
TEST_P(CastSuite, Values) { ForEachTarget(CheckSuiteValues); }
TEST_P(CastSuite, Patterns) { ForEachTarget(CheckSuitePatterns); }
TEST_P(CastSuite, LengthsAndAlignments) { ForEachTarget(CheckSuiteLengths); }
TEST_P(CastSuite, ShapesAndStrides) { ForEachSize(CheckSuiteTensors); }
TEST_P(CastSuite, ThreadsAndStreaming) { ForEachSize(CheckSuiteThreads); }
TEST_P(CastSuite, VersionsAgree) { ForEachTarget(CheckSuiteVersions); }
TEST_P(CastSuite, FloatEnvironment) { ForEachTarget(CheckSuiteFloatEnv); }
TEST_P(CastSuite, NothingTraps) { ForEachTarget(CheckSuiteTraps); }

/// Runs a kernel from `type` on elements and holds the results to the oracle.
void CheckElements(const Isa& isa, const Target& target, const Array& in) {
  const OperatorSpec spec = SpecTo(target);
  const OpPtr op = MakeOp(isa.engine, {"Cast", 28}, spec.attributes);
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), in.type(), LW_SAME, &kernel), LW_OK);
  Array actual(static_cast<lw_type>(target.code), in.size());
  const void* const inputs[] = {in.data()};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, actual.data(), in.size()), LW_OK);
  const Arrays all = {in};
  const Array expected = ExpectedOf(spec, in.type(), all, in.size());
  const size_t i = FirstOther(spec, actual, expected);
  ASSERT_EQ(i, in.size()) << isa.name << " " << target.name << ": "
                          << Complaint(spec, all, i, actual, expected);
}

// Numbers around each power of 2, and halfway between two numbers of each
// format, with all low bits.
Array WideEdges(lw_type type) {
  std::vector<uint64_t> bits;
  const auto add = [&](uint64_t x) {
    for (const uint64_t more : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}}) {
      bits.push_back(x + more);
      bits.push_back(0 - (x + more));
    }
  };
  if (type == LW_FLOAT64) {
    for (int exponent = -1080; exponent <= 1024; ++exponent) {
      const double power = std::ldexp(1.0, exponent);
      for (const int digits : {0, 7, 8, 10, 11, 23, 24, 30, 31, 52}) {
        for (const double sign : {1.0, -1.0}) {
          const double number = sign * (power + std::ldexp(power, -digits));
          add(BitsOf(number));
        }
      }
    }
  } else {
    for (int high = 0; high < 64; ++high) {
      for (int low = 0; low <= high; ++low) {
        add(uint64_t{1} << high | uint64_t{1} << low);
        add(uint64_t{1} << high | uint64_t{1} << low | 1);
      }
    }
  }
  Array edges(type, bits.size());
  std::memcpy(edges.data(), bits.data(), bits.size() * 8);
  return edges;
}

TEST(CastWide, Edges) {
  for (const Isa& isa : AllIsas()) {
    for (const lw_type type : {LW_FLOAT64, LW_INT64, LW_UINT64}) {
      const Array edges = WideEdges(type);
      for (const Target& target : kTargets) {
        ASSERT_NO_FATAL_FAILURE(CheckElements(isa, target, edges));
      }
    }
  }
}

// Random numbers with a random exponent, or width.
Array RandomWide(lw_type type, size_t count, std::mt19937_64& random) {
  Array array(type, count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = random();
    if (type == LW_FLOAT64) {
      const auto mantissa = static_cast<double>(bits >> 11) + 0x1p53;
      const int exponent = static_cast<int>(random() % 300) - 210;
      const double number = std::ldexp(mantissa, exponent);
      bits = BitsOf(random() % 2 == 0 ? number : -number);
    } else {
      bits >>= random() % 64;
      if (random() % 2 == 0) bits = 0 - bits;
    }
    std::memcpy(array.at(i), &bits, 8);
  }
  return array;
}

void CheckRandomWide(size_t rounds) {
  std::mt19937_64 random(11);
  for (size_t round = 0; round < rounds; ++round) {
    for (const lw_type type : {LW_FLOAT64, LW_INT64, LW_UINT64}) {
      const Array in = RandomWide(type, 4000, random);
      for (const Isa& isa : AllIsas()) {
        for (const Target& target : kTargets) {
          ASSERT_NO_FATAL_FAILURE(CheckElements(isa, target, in));
        }
      }
    }
  }
}
TEST(CastWide, Random) { CheckRandomWide(3); }
TEST(CastWide, ExhaustiveRandom) {
  CheckRandomWide(AllIsasWanted() ? 200 : 50);
}

// Every 32-bit number, or every `step`th.
void CheckAll32(uint64_t step) {
  constexpr size_t kBlock = 1 << 14;
  for (const lw_type type : {LW_FLOAT32, LW_INT32, LW_UINT32}) {
    OnEveryCore((uint64_t{1} << 32) / kBlock / step, [&](const auto& next) {
      Array in(type, kBlock);
      for (uint64_t block = 0; next(&block);) {
        auto* bits = in.as<uint32_t>();
        for (size_t i = 0; i < kBlock; ++i) {
          bits[i] = static_cast<uint32_t>((block * kBlock + i) * step);
        }
        for (const Target& target : kTargets) {
          CheckElements(AllIsas()[0], target, in);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    });
  }
}
TEST(CastOf32Bits, Sample) { CheckAll32(9973); }
TEST(CastOf32Bits, ExhaustiveSample) {
  CheckAll32(AllIsasWanted() ? 61 : TestShare() == 1 ? 997 : 3989);
}

TEST(CastByHand, RefusesOtherTargets) {
  lw_op* op = nullptr;
  for (const int64_t to : {0, 8, 14, 21, 99, -1}) {
    const lw_attribute attribute = {"to", LW_ATTRIBUTE_INT, 1, &to};
    EXPECT_EQ(lw_op_create(nullptr, "Cast", 19, &attribute, 1, &op),
              LW_UNSUPPORTED_TYPE)
        << to;
  }
  const int64_t brain = LW_BFLOAT16;
  const lw_attribute attribute = {"to", LW_ATTRIBUTE_INT, 1, &brain};
  EXPECT_EQ(lw_op_create(nullptr, "Cast", 9, &attribute, 1, &op),
            LW_UNSUPPORTED_TYPE);
  EXPECT_EQ(lw_op_create(nullptr, "Cast", 13, nullptr, 0, &op),
            LW_INVALID_ATTRIBUTE);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
