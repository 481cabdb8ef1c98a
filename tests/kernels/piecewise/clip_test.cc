// SPDX-License-Identifier: Apache-2.0
//
// Clip: the suite with both bounds as inputs, bounds left out, NaN bounds, and
// the attributes of old versions.

#include <cmath>
#include <cstring>

#include "tests/support/operator_spec.h"

namespace lanewise::test {
namespace {

const std::vector<OperandSpec> kBoundInputs = {
    {"input"}, {"min", "T", {}, true}, {"max", "T", {}, true}};

}  // namespace

// ONNX's function body: comparisons, which a NaN does not pass, and choices.
extern const OperatorSpec kSpec_clip = {
    .name = "Clip",
    .versions = {{1,
                  kF3,
                  {{"input"}},
                  {{"min", LW_ATTRIBUTE_FLOAT},
                   {"max", LW_ATTRIBUTE_FLOAT},
                   ConsumedInputsSpec()}},
                 {6,
                  kF3,
                  {{"input"}},
                  {{"min", LW_ATTRIBUTE_FLOAT}, {"max", LW_ATTRIBUTE_FLOAT}}},
                 {11, kF3, kBoundInputs},
                 {12, kF3 + kI8, kBoundInputs},
                 {13, kN12, kBoundInputs}},
    .output = {"output"},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          const auto less = [&](const void* x, const void* y) {
            const void* const both[] = {x, y};
            return Compare(type, both, [](auto a, auto b) { return a < b; });
          };
          const void* raised = less(in[0], in[1]) ? in[1] : in[0];
          std::memcpy(out, less(in[2], raised) ? in[2] : raised,
                      ElementSize(type));
        },
    .scalar =
        [](lw_type type, int input) {
          if (input == 2) return 100.0;
          return kF4.count(type) != 0 || IsSignedInteger(type) ? -5.0 : 5.0;
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "tests/support/array.h"
#include "tests/support/check_unary.h"
#include "tests/support/float_env.h"
#include "tests/support/operator_suite.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_clip);

constexpr OpId kClip = {"Clip", 13};
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

class ClipTest : public OnEveryIsa {
 protected:
  // Both APIs, with bounds that may be left out.
  static void Check(const Array& in, const void* lower, const void* upper,
                    const Array& expected) {
    const OpPtr op = MakeOp(isa().engine, kClip);
    const lw_kernel* kernel = nullptr;
    ASSERT_EQ(lw_op_kernel(op.get(), in.type(), LW_SAME, &kernel), LW_OK);
    Array out(in.type(), in.size());
    const void* const inputs[] = {in.data(), lower, upper};
    ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK)
        << lw_last_error();
    EXPECT_EQ(FirstOther(kSpec_clip, out, expected), in.size());

    const auto n = static_cast<int64_t>(in.size());
    const auto bound = [&](const void* data) -> lw_tensor {
      return {const_cast<void*>(data),
              data != nullptr ? in.type() : LW_ABSENT,
              0,
              nullptr,
              nullptr,
              0};
    };
    const lw_tensor tensors[] = {
        {const_cast<uint8_t*>(in.data()), in.type(), 1, &n, nullptr, 0},
        bound(lower),
        bound(upper)};
    Array again(in.type(), in.size());
    const lw_tensor to = {again.data(), in.type(), 1, &n, nullptr, 0};
    ASSERT_EQ(lw_op_run(op.get(), tensors, 3, &to, 1), LW_OK)
        << lw_last_error();
    EXPECT_TRUE(SameBits(again, out));
    // Bounds left out at the end need not be given at all.
    const size_t count = upper != nullptr ? 3 : lower != nullptr ? 2 : 1;
    ASSERT_EQ(lw_op_run(op.get(), tensors, count, &to, 1), LW_OK);
    EXPECT_TRUE(SameBits(again, out));
  }
};
INSTANTIATE_TEST_SUITE_P(Isa, ClipTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

// One element of a type: a number, or the end of the type that never binds.
Array Element(lw_type type, double value) {
  if (IsFloat(type)) return FromValues(type, {value});
  Array element(type, 1);
  const bool is_signed = IsSignedInteger(type);
  const size_t bits = 8 * ElementSize(type);
  const uint64_t top = uint64_t{1} << (bits - 1);
  int64_t integer = static_cast<int64_t>(std::isinf(value) ? 0 : value);
  if (value == -kInf) integer = is_signed ? static_cast<int64_t>(0 - top) : 0;
  if (value == kInf) {
    integer = static_cast<int64_t>(is_signed ? top - 1 : 2 * top - 1);
  }
  WriteInteger(type, integer, element.data());
  return element;
}

TEST_P(ClipTest, MissingBoundsDoNotBind) {
  for (const lw_type type : SuiteTypes(kSpec_clip)) {
    SCOPED_TRACE(lw_type_name(type));
    const Array in = Lattice(type);
    const Array lowest = Element(type, -kInf);
    const Array highest = Element(type, kInf);
    const Array five = Element(type, 5);
    const auto expected = [&](const Array& lower, const Array& upper) {
      return ExpectedOf(kSpec_clip, type, {in, lower, upper}, in.size());
    };
    Check(in, nullptr, nullptr, in);
    Check(in, five.data(), nullptr, expected(five, highest));
    Check(in, nullptr, five.data(), expected(lowest, five));
    Check(in, five.data(), five.data(), expected(five, five));
  }
}

TEST_P(ClipTest, NanBoundsDoNotBindAndUpperWins) {
  for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64}) {
    SCOPED_TRACE(lw_type_name(type));
    const Array in = FromValues(type, {-3, -0.0, 0.0, 3, kInf, -kInf});
    const Array nan = FromValues(type, {kNan});
    const Array one = FromValues(type, {1});
    const Array two = FromValues(type, {2});
    Check(in, nan.data(), nan.data(), in);
    Check(in, two.data(), one.data(), FromValues(type, {1, 1, 1, 1, 1, 1}));
    Check(in, nan.data(), one.data(),
          FromValues(type, {-3, -0.0, 0.0, 1, 1, -kInf}));
  }
}

// Bounds that are missing or NaN are no reason for a trap that the caller has
// unmasked.
TEST_P(ClipTest, BoundsThatDoNotBindRaiseNothing) {
  constexpr size_t kMost = 150;
  for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64}) {
    SCOPED_TRACE(lw_type_name(type));
    const Array in = FromValues(type, std::vector<double>(kMost, 3));
    const Array nan = FromValues(type, {kNan});
    const OpPtr op = MakeOp(isa().engine, kClip);
    const lw_kernel* kernel = nullptr;
    ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
    Array out(type, kMost);
    for (const void* bound : {static_cast<const void*>(nullptr),
                              static_cast<const void*>(nan.data())}) {
      const void* const inputs[] = {in.data(), bound, bound};
      const FloatEnvScope scope;
      TrapOnExceptions();
      for (size_t n = 0; n <= kMost; ++n) {
        lw_kernel_run(kernel, inputs, out.data(), n);
      }
    }
    EXPECT_TRUE(SameBits(out, in));
  }
}

// A zero equals a bound that is a zero of the other sign, and so passes.
TEST_P(ClipTest, ZerosKeepTheirSign) {
  for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16, LW_FLOAT32, LW_FLOAT64}) {
    SCOPED_TRACE(lw_type_name(type));
    const Array in = FromValues(type, {-0.0, 0.0, -0.0});
    for (const double bound : {-0.0, 0.0}) {
      const Array zero = FromValues(type, {bound});
      Check(in, zero.data(), nullptr, in);
      Check(in, nullptr, zero.data(), in);
      Check(in, zero.data(), zero.data(), in);
    }
  }
}

// Runs an old version on float32, with the bounds that are given.
std::vector<float> RunOld(int32_t opset, std::optional<float> lower,
                          std::optional<float> upper,
                          const std::vector<float>& in) {
  std::vector<lw_attribute> attributes;
  if (lower) attributes.push_back(FloatAttribute("min", &*lower));
  if (upper) attributes.push_back(FloatAttribute("max", &*upper));
  const OpPtr op = MakeOp(nullptr, {"Clip", opset}, attributes);
  const lw_kernel* kernel = nullptr;
  EXPECT_EQ(lw_op_kernel(op.get(), LW_FLOAT32, LW_SAME, &kernel), LW_OK);
  std::vector<float> out(in.size());
  const void* const inputs[] = {in.data()};
  EXPECT_EQ(lw_kernel_run(kernel, inputs, out.data(), in.size()), LW_OK);
  return out;
}

TEST(ClipAttributes, BeforeVersion11) {
  constexpr float kMost = std::numeric_limits<float>::max();
  const std::vector<float> in = {-kInf, -2, 0.5, 2, kInf};
  using Floats = std::vector<float>;
  for (const int32_t opset : {1, 6, 10}) {
    EXPECT_EQ(RunOld(opset, -1, 1, in), (Floats{-1, -1, 0.5, 1, 1}));
  }
  EXPECT_EQ(RunOld(1, {}, {}, in), in);
  EXPECT_EQ(RunOld(1, {}, 1, in), (Floats{-kInf, -2, 0.5, 1, 1}));
  EXPECT_EQ(RunOld(6, kNan, kNan, in), in) << "NaN does not bind";
  EXPECT_EQ(RunOld(6, {}, {}, in), (Floats{-kMost, -2, 0.5, 2, kMost}))
      << "the defaults of version 6 are the ends of float32";
}

TEST(ClipAttributes, AreRoundedToTheElementType) {
  const float lower = -1e-9f;
  const float upper = 1.0f / 3.0f;
  const OpPtr op =
      MakeOp(nullptr, {"Clip", 6},
             {FloatAttribute("min", &lower), FloatAttribute("max", &upper)});
  const lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_FLOAT16, LW_SAME, &kernel), LW_OK);
  const Array in = FromValues(LW_FLOAT16, {-1, 0, 1});
  Array out(LW_FLOAT16, 3);
  const void* const inputs[] = {in.data()};
  ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), 3), LW_OK);
  EXPECT_TRUE(SameBits(out, FromValues(LW_FLOAT16, {-0.0, 0, upper})));
}

TEST(ClipArguments, BoundsAreScalars) {
  const OpPtr op = MakeOp(nullptr, kClip);
  float x[] = {1, 2};
  const int64_t two = 2, one = 1;
  const lw_tensor in = {x, LW_FLOAT32, 1, &two, nullptr, 0};
  const auto infer = [&](const lw_tensor& bound) {
    const lw_tensor inputs[] = {in, bound};
    lw_shape shape;
    return lw_op_infer(op.get(), inputs, 2, &shape);
  };
  EXPECT_EQ(infer({x, LW_FLOAT32, 0, nullptr, nullptr, 0}), LW_OK);
  EXPECT_EQ(infer({x, LW_FLOAT32, 1, &one, nullptr, 0}), LW_OK);
  EXPECT_EQ(infer({nullptr, LW_ABSENT, 0, nullptr, nullptr, 0}), LW_OK);
  EXPECT_EQ(infer(in), LW_INVALID_SHAPE);
  EXPECT_NE(std::string(lw_last_error()).find("Clip-13: input 1 (min)"),
            std::string::npos)
      << lw_last_error();
  EXPECT_EQ(infer({x, LW_INT32, 0, nullptr, nullptr, 0}), LW_UNSUPPORTED_TYPE);
  // An input that is no option cannot be left out.
  const lw_tensor absent[] = {{nullptr, LW_ABSENT, 0, nullptr, nullptr, 0}};
  lw_shape shape;
  EXPECT_EQ(lw_op_infer(op.get(), absent, 1, &shape), LW_WRONG_COUNT);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
