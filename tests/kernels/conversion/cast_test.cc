// SPDX-License-Identifier: Apache-2.0
//
// Cast: the suite for each output type, all values of the narrow types and of
// 32 bits, and the edges of the wide ones. The oracle rounds integers by hand.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

constexpr Types kOld = kF3 + kI8 + Types{LW_BOOL};
constexpr Types kNew = kOld + Types{LW_BFLOAT16};

/// The fields of a float format.
struct Fields {
  int mantissa;  ///< bits
  int exponent;  ///< bits
  int bias() const { return (1 << (exponent - 1)) - 1; }
  uint64_t infinity() const {
    return ((uint64_t{1} << exponent) - 1) << mantissa;
  }
  uint64_t sign() const { return uint64_t{1} << (mantissa + exponent); }
};
Fields FieldsOf(lw_type type) {
  return type == LW_FLOAT16    ? Fields{10, 5}
         : type == LW_BFLOAT16 ? Fields{7, 8}
         : type == LW_FLOAT32  ? Fields{23, 8}
                               : Fields{52, 11};
}

/// A number as sign, integer and power of 2: exact.
struct Number {
  bool negative = false;
  uint64_t integer = 0;
  int power = 0;
};

Number FromBits(uint64_t bits, const Fields& f) {
  Number number = {(bits & f.sign()) != 0,
                   bits & ((uint64_t{1} << f.mantissa) - 1), 0};
  const auto field = static_cast<int>((bits & f.infinity()) >> f.mantissa);
  if (field != 0) number.integer += uint64_t{1} << f.mantissa;
  number.power = std::max(field, 1) - f.bias() - f.mantissa;
  return number;
}

/// Rounds to nearest even, in integers.
uint64_t ToBits(Number number, const Fields& f) {
  const uint64_t sign = number.negative ? f.sign() : 0;
  if (number.integer == 0) return sign;
  while (number.integer >> 63 == 0) {
    number.integer *= 2;
    --number.power;
  }
  // The integer is 2^63 or more. Its upper mantissa + 1 bits stay, or fewer
  // where the result is subnormal.
  const int exponent = number.power + 63;
  int drop = 63 - f.mantissa;
  const int least = 1 - f.bias();
  if (exponent < least) drop += least - exponent;
  uint64_t kept = drop > 63 ? 0 : number.integer >> drop;
  const uint64_t rest =
      drop > 63 ? number.integer : number.integer - (kept << drop);
  // Half of a unit of the last place, as far as it is in reach.
  if (drop < 64) {
    const uint64_t half = uint64_t{1} << (drop - 1);
    if (rest > half || (rest == half && kept % 2 == 1)) ++kept;
  } else if (drop == 64 && rest > uint64_t{1} << 63) {
    ++kept;
  }
  uint64_t bits = kept;  // subnormal, or the smallest normal number
  if (exponent >= least) {
    bits += static_cast<uint64_t>(exponent - least) << f.mantissa;
  }
  return sign | std::min(bits, f.infinity());
}

/// Truncates and saturates.
int64_t ToInteger(const Number& number, lw_type to) {
  const int width = static_cast<int>(8 * ElementSize(to));
  const bool is_signed = IsSignedInteger(to);
  const uint64_t most = is_signed ? (uint64_t{1} << (width - 1)) - 1
                                  : ~uint64_t{0} >> (64 - width);
  const uint64_t least = is_signed ? most + 1 : 0;  // below 0
  uint64_t magnitude = number.integer;
  for (int i = 0; i > number.power; --i) magnitude /= 2;
  bool overflows = false;
  for (int i = 0; i < number.power && magnitude != 0 && !overflows; ++i) {
    overflows = magnitude >> 63 != 0;
    magnitude *= 2;
  }
  const uint64_t limit = number.negative ? least : most;
  if (overflows || magnitude > limit) magnitude = limit;
  return static_cast<int64_t>(number.negative ? 0 - magnitude : magnitude);
}

uint64_t ReadLow(lw_type type, const void* element) {
  const uint64_t bits = static_cast<uint64_t>(ReadInteger(type, element));
  return bits & (~uint64_t{0} >> (64 - 8 * ElementSize(type)));
}
/// The bits of a float of any type.
uint64_t FloatBits(lw_type type, const void* element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, ElementSize(type));
  return bits;
}

/// Sign and upper bits of the payload, quiet but for a bfloat16 in float32.
uint64_t NanBits(uint64_t bits, lw_type from, lw_type to) {
  const Fields f = FieldsOf(from), g = FieldsOf(to);
  const uint64_t payload = bits & ((uint64_t{1} << f.mantissa) - 1);
  const uint64_t moved = g.mantissa >= f.mantissa
                             ? payload << (g.mantissa - f.mantissa)
                             : payload >> (f.mantissa - g.mantissa);
  const bool shifts = from == to || (from == LW_BFLOAT16 && to == LW_FLOAT32);
  const uint64_t quiet = shifts ? 0 : uint64_t{1} << (g.mantissa - 1);
  return ((bits & f.sign()) != 0 ? g.sign() : 0) | g.infinity() | moved | quiet;
}

template <lw_type kTo>
void Convert(lw_type from, const void* const* in, void* out) {
  const bool from_float = kF4.count(from) != 0;
  const bool to_float = kF4.count(kTo) != 0;
  uint64_t result = 0;
  if (from_float) {
    const Fields f = FieldsOf(from);
    const uint64_t bits = FloatBits(from, in[0]);
    const uint64_t magnitude = bits & ~f.sign();
    const bool negative = bits != magnitude;
    if (kTo == LW_BOOL) {
      result = magnitude != 0;
    } else if (magnitude > f.infinity()) {
      if (to_float) result = NanBits(bits, from, kTo);
    } else if (magnitude == f.infinity()) {
      const Number huge = {negative, uint64_t{1} << 63, 9999};
      result = to_float ? (negative ? FieldsOf(kTo).sign() : 0) |
                              FieldsOf(kTo).infinity()
                        : static_cast<uint64_t>(ToInteger(huge, kTo));
    } else {
      const Number number = FromBits(bits, f);
      result = to_float ? ToBits(number, FieldsOf(kTo))
                        : static_cast<uint64_t>(ToInteger(number, kTo));
    }
  } else {
    int64_t value = ReadInteger(from, in[0]);
    const bool is_signed = IsSignedInteger(from);
    uint64_t low = ReadLow(from, in[0]);
    if (from == LW_BOOL) value = static_cast<int64_t>(low = low != 0);
    const bool negative = is_signed && value < 0;
    if (kTo == LW_BOOL) {
      result = low != 0;
    } else if (to_float) {
      const uint64_t magnitude =
          negative ? 0 - static_cast<uint64_t>(value) : low;
      result = ToBits({negative, magnitude, 0}, FieldsOf(kTo));
    } else {
      result = is_signed ? static_cast<uint64_t>(value) : low;
    }
  }
  std::memcpy(out, &result, ElementSize(kTo));
}

struct Target {
  int64_t code;
  const char* name;
  void (*convert)(lw_type, const void* const*, void*);
};
template <lw_type kTo>
constexpr Target TargetOf(const char* name) {
  return {kTo, name, Convert<kTo>};
}
constexpr Target kTargets[] = {
    TargetOf<LW_FLOAT32>("FLOAT"),   TargetOf<LW_UINT8>("UINT8"),
    TargetOf<LW_INT8>("INT8"),       TargetOf<LW_UINT16>("UINT16"),
    TargetOf<LW_INT16>("INT16"),     TargetOf<LW_INT32>("INT32"),
    TargetOf<LW_INT64>("INT64"),     TargetOf<LW_BOOL>("BOOL"),
    TargetOf<LW_FLOAT16>("FLOAT16"), TargetOf<LW_FLOAT64>("DOUBLE"),
    TargetOf<LW_UINT32>("UINT32"),   TargetOf<LW_UINT64>("UINT64"),
    TargetOf<LW_BFLOAT16>("")};

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
                   {19, kNew, input, {to, saturate}},
                   {21, kNew, input, {to, saturate}},
                   {23, kNew, input, {to, saturate}},
                   {24, kNew, input, {to, saturate, round_mode}},
                   {25, kNew, input, {to, saturate, round_mode}},
                   {28, kNew, input, {to, saturate, round_mode}}},
      .output = {"output", "T2", {static_cast<int32_t>(target.code)}},
      .bits = target.convert,
      .attributes = {{"to", LW_ATTRIBUTE_INT, 1, &target.code}},
  };
  spec.output.told = true;
  if (target.code == LW_BFLOAT16) {
    spec.versions.erase(spec.versions.begin(), spec.versions.begin() + 3);
  }
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

class OperatorSuite : public OnEveryIsa {
 protected:
  template <class Check>
  void ForEachTarget(const Check& check) {
    for (const Target& target : kTargets) {
      SCOPED_TRACE(lw_type_name(static_cast<int32_t>(target.code)));
      check(SpecTo(target), isa());
      if (HasFatalFailure()) return;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Isa, OperatorSuite, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());
TEST_P(OperatorSuite, Values) { ForEachTarget(CheckSuiteValues); }
TEST_P(OperatorSuite, Patterns) { ForEachTarget(CheckSuitePatterns); }
TEST_P(OperatorSuite, LengthsAndAlignments) {
  ForEachTarget(CheckSuiteLengths);
}
TEST_P(OperatorSuite, ShapesAndStrides) { ForEachTarget(CheckSuiteTensors); }
TEST_P(OperatorSuite, ThreadsAndStreaming) { ForEachTarget(CheckSuiteThreads); }
TEST_P(OperatorSuite, VersionsAgree) { ForEachTarget(CheckSuiteVersions); }
TEST_P(OperatorSuite, FloatEnvironment) { ForEachTarget(CheckSuiteFloatEnv); }
TEST_P(OperatorSuite, NothingTraps) { ForEachTarget(CheckSuiteTraps); }

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
TEST(CastWide, ExhaustiveRandom) { CheckRandomWide(200); }

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
TEST(CastOf32Bits, ExhaustiveSample) { CheckAll32(AllIsasWanted() ? 61 : 251); }

TEST(CastByHand, RefusesOtherTargets) {
  lw_op* op = nullptr;
  for (const int64_t to : {0, 8, 14, 17, 99, -1}) {
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
