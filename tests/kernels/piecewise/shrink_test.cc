// SPDX-License-Identifier: Apache-2.0
//
// Shrink: the suite with attributes that have fractions, other attributes in
// all values of the narrow types, and values by hand.

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/bits.h"
#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

struct Pair {
  float lambd = 0.5f;
  float bias = 0;
};

template <typename T>
T Shrunk(T x, T lambd, T bias) {
  return x < -lambd ? x + bias : x > lambd ? x - bias : T{0};
}

/// The double for float16 is exact.
long double ShrunkFloat(lw_type type, long double x, const Pair& pair) {
  if (type == LW_FLOAT32) {
    return Shrunk(static_cast<float>(x), pair.lambd, pair.bias);
  }
  const auto in_type = [&](float value) {
    return type == LW_FLOAT16 ? Widen(Narrow(value, kHalf), kHalf) : value;
  };
  return Shrunk(static_cast<double>(x), in_type(pair.lambd),
                in_type(pair.bias));
}

/// Integers as multiples of 2^-32, which the attributes must be, too.
__extension__ using Wide = __int128;
void ShrunkInteger(lw_type type, const void* element, void* out,
                   const Pair& pair) {
  const auto wide = [](float value) {
    return static_cast<Wide>(std::clamp(value, -0x1p80f, 0x1p80f) * 0x1p32f);
  };
  const int64_t number = ReadInteger(type, element);
  const Wide bits = Wide{1} << 8 * ElementSize(type);
  const bool is_signed = IsSignedInteger(type);
  Wide x = number;
  if (x < 0 && !is_signed) x += bits;  // sign-extended
  const Wide one = Wide{1} << 32;
  const Wide y = Shrunk(x * one, wide(pair.lambd), wide(pair.bias)) / one;
  const Wide least = is_signed ? -bits / 2 : 0;
  const Wide most = least + bits - 1;
  WriteInteger(type, static_cast<int64_t>(std::clamp(y, least, most)), out);
}

OperatorSpec Spec() {
  return {
      .name = "Shrink",
      .versions = {{9,
                    kF3 + kI8,
                    {{"input"}},
                    {{"bias", LW_ATTRIBUTE_FLOAT},
                     {"lambd", LW_ATTRIBUTE_FLOAT}}}},
      .output = {"output"},
      .exact =
          [](lw_type type, const long double* in) {
            return ShrunkFloat(type, in[0], Pair());
          },
      .bits = [](lw_type type, const void* const* in,
                 void* out) { ShrunkInteger(type, in[0], out, Pair()); },
      .wide = AnyExponent,
  };
}

}  // namespace

extern const OperatorSpec kSpec_shrink = Spec();

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include "tests/support/check_values.h"
#include "tests/support/operator_suite.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

const Pair kUneven = {2.25f, 1.5f};
OperatorSpec UnevenSpec() {
  OperatorSpec spec = Spec();
  spec.attributes = {FloatAttribute("lambd", &kUneven.lambd),
                     FloatAttribute("bias", &kUneven.bias)};
  spec.exact = [](lw_type type, const long double* in) {
    return ShrunkFloat(type, in[0], kUneven);
  };
  spec.bits = [](lw_type type, const void* const* in, void* out) {
    ShrunkInteger(type, in[0], out, kUneven);
  };
  return spec;
}
const OperatorSpec kUnevenSpec = UnevenSpec();

const SuiteOf kSuite(kUnevenSpec);

constexpr OpId kShrink = {"Shrink", 9};

/// All values of a narrow type; else values of any size, and small ones.
Array InputsOf(lw_type type) {
  if (ElementSize(type) <= 2) return AllValues(type);
  std::mt19937_64 random(2);
  Array in = MixedElements(type, 2000, random);
  for (size_t i = 0; i < in.size() && kI8.count(type) != 0; i += 2) {
    WriteInteger(type, static_cast<int64_t>(random() % 2000) - 1000, in.at(i));
  }
  return in;
}

void CheckPair(const Isa& isa, lw_type type, const Pair& pair) {
  const OpPtr op = MakeOp(isa.engine, kShrink,
                          {FloatAttribute("lambd", &pair.lambd),
                           FloatAttribute("bias", &pair.bias)});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
  static Pair asked;
  asked = pair;
  OperatorSpec spec = kUnevenSpec;
  spec.exact = [](lw_type in_type, const long double* in) {
    return ShrunkFloat(in_type, in[0], asked);
  };
  spec.bits = [](lw_type in_type, const void* const* in, void* out) {
    ShrunkInteger(in_type, in[0], out, asked);
  };
  const Array in = InputsOf(type);
  const Array expected = ExpectedOf(spec, type, {in}, in.size());
  Array out(type, in.size());
  const void* const inputs[] = {in.data()};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK);
  const size_t i = FirstOther(spec, out, expected);
  ASSERT_EQ(i, in.size()) << "lambd " << pair.lambd << ", bias " << pair.bias
                          << ": " << Complaint(spec, {in}, i, out, expected);
}

class ShrinkTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, ShrinkTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(ShrinkTest, AnyAttributesInAllTypes) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float lambds[] = {0,     0.5f,  1,      100.75f, 127,   128,
                          -1.5f, -100,  -128,   -300,    -1e6f, 255,
                          3e9f,  1e19f, -1e20f, kInf,    -kInf};
  const float biases[] = {0,      0.5f,    -0.75f,  1,        -1,      1.5f,
                          -2.5f,  100.25f, 127.5f,  128,      -128.5f, 254.5f,
                          255,    256,     -300.5f, 70000.5f, -3e9f,   1e19f,
                          -1e20f, kInf,    -kInf};
  for (const int32_t type : kUnevenSpec.versions.back().types) {
    SCOPED_TRACE(lw_type_name(static_cast<lw_type>(type)));
    for (const float lambd : lambds) {
      for (const float bias : biases) {
        ASSERT_NO_FATAL_FAILURE(
            CheckPair(isa(), static_cast<lw_type>(type), {lambd, bias}));
      }
    }
  }
}

TEST_P(ShrinkTest, NoNumberIsOutsideOfNaN) {
  const float nan = std::nanf("");
  for (const Pair& pair : {Pair{nan, 1}, Pair{nan, nan}}) {
    const OpPtr op = MakeOp(isa().engine, kShrink,
                            {FloatAttribute("lambd", &pair.lambd),
                             FloatAttribute("bias", &pair.bias)});
    for (const int32_t type : kUnevenSpec.versions.back().types) {
      const lw_kernel* kernel = nullptr;
      lw_op_kernel(op.get(), static_cast<lw_type>(type), LW_SAME, &kernel);
      const Array in = InputsOf(static_cast<lw_type>(type));
      Array out = in;
      const void* const inputs[] = {in.data()};
      ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK);
      EXPECT_TRUE(SameBits(out, Array(out.type(), out.size())));
    }
  }
}

// As ONNX's reference gives them.
TEST(ShrinkByHand, IntegersAreTruncated) {
  const Pair pair = {1.5f, 1.5f};
  const OpPtr op = MakeOp(nullptr, kShrink,
                          {FloatAttribute("lambd", &pair.lambd),
                           FloatAttribute("bias", &pair.bias)});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_INT32, LW_SAME, &kernel), LW_OK);
  int32_t x[] = {-3, -2, -1, 0, 1, 2, 3, INT32_MAX, INT32_MIN};
  const int32_t expected[] = {-1,           0, 0, 0, 0, 0, 1, INT32_MAX - 2,
                              INT32_MIN + 2};
  const void* const inputs[] = {x};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, x, std::size(x)), LW_OK);
  for (size_t i = 0; i < std::size(x); ++i) EXPECT_EQ(x[i], expected[i]);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
