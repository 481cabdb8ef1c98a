// SPDX-License-Identifier: Apache-2.0
//
// Reshape's shape rule: which target gives which output shape, which targets
// are errors, and that errors write nothing. reshape_copy_test.cc tests the
// copying of elements.

#include <cstring>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

// The elements of every type keep their bits.
extern const OperatorSpec kSpec_reshape = {
    .name = "Reshape",
    .versions =
        [] {
          const std::vector<OperandSpec> data = {{"data"}};
          const std::vector<OperandSpec> both = {
              {"data"}, {"shape", "tensor(int64)", {LW_INT64}}};
          const std::vector<AttributeSpec> zero = {
              {"allowzero", LW_ATTRIBUTE_INT}};
          const Types a20 = kA16 + Types{LW_FLOAT8E4M3FN, LW_FLOAT8E4M3FNUZ,
                                         LW_FLOAT8E5M2, LW_FLOAT8E5M2FNUZ};
          const Types a22 = a20 + Types{LW_INT4, LW_UINT4};
          const Types a23 = a22 + Types{LW_FLOAT4E2M1};
          const Types a24 = a23 + Types{LW_FLOAT8E8M0};
          const Types a26 = a24 + Types{LW_INT2, LW_UINT2};
          return std::vector<VersionSpec>{
              {1,
               kF3,
               data,
               {{"shape", LW_ATTRIBUTE_INTS, true}, ConsumedInputsSpec()}},
              {5, kA15, both},
              {13, kA16, both},
              {14, kA16, both, zero},
              {19, a20, both, zero},
              {21, a22, both, zero},
              {23, a23, both, zero},
              {24, a24, both, zero},
              {25, a26, both, zero}};
        }(),
    .output = {"reshaped"},
    .bits = [](lw_type type, const void* const* in,
               void* out) { std::memcpy(out, in[0], ElementSize(type)); },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/engines.h"
#include "tests/support/guarded.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

// The rule as ONNX states it. Finds the value of -1 by trying numbers until the
// element counts are equal. Returns nothing for an error.
std::optional<Dims64> Oracle(const Dims64& input, const Dims64& target,
                             bool allow_zero) {
  Dims64 shape = target;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 0 || allow_zero) continue;
    if (i >= input.size()) return std::nullopt;
    shape[i] = input[i];
  }
  const int64_t elements = Count(input);
  const auto unknown = std::find(shape.begin(), shape.end(), -1);
  if (unknown != shape.end()) {
    *unknown = 1;
    const int64_t others = Count(shape);
    // With a second -1, or a dim below -1, a dim is still negative here.
    if (others == 0 || std::find_if(shape.begin(), shape.end(), [](int64_t d) {
                         return d < 0;
                       }) != shape.end()) {
      return std::nullopt;
    }
    for (*unknown = 0; *unknown * others < elements;) ++*unknown;
  }
  if (Count(shape) != elements) return std::nullopt;
  return shape;
}

// Visits every target of `rank` dims, with all values that are relevant to the
// rule.
template <class Visit>
void ForEachTarget(size_t rank, const Visit& visit) {
  constexpr int64_t kDims[] = {-1, 0, 1, 2, 3, 4, 6};
  size_t count = 1;
  for (size_t i = 0; i < rank; ++i) count *= std::size(kDims);
  Dims64 target(rank);
  for (size_t number = 0; number < count; ++number) {
    size_t rest = number;
    for (int64_t& dim : target) {
      dim = kDims[rest % std::size(kDims)];
      rest /= std::size(kDims);
    }
    visit(target);
  }
}

// Calls Reshape in one version. The target is an attribute before version 5.
class Reshaper {
 public:
  explicit Reshaper(int32_t version, bool allow_zero = false)
      : version_(version) {
    const int64_t one = 1;
    if (version >= 5) {
      op_ = MakeOp(nullptr, {"Reshape", version},
                   allow_zero ? std::vector<lw_attribute>{IntAttribute(
                                    "allowzero", &one)}
                              : std::vector<lw_attribute>{});
    }
  }

  lw_status Infer(const Dims64& input, const Dims64& target, lw_shape* shape) {
    const Call call(*this, input, target);
    return lw_op_infer(op_.get(), call.inputs, call.count, shape);
  }
  lw_status Run(const Dims64& input, const Dims64& target, void* data,
                const lw_tensor& output) {
    Call call(*this, input, target);
    call.inputs[0].data = data;
    return lw_op_run(op_.get(), call.inputs, call.count, &output, 1);
  }

 private:
  struct Call {
    Call(Reshaper& reshaper, const Dims64& input, const Dims64& target)
        : length(static_cast<int64_t>(target.size())) {
      inputs[0] = {nullptr,      LW_FLOAT32, static_cast<int32_t>(input.size()),
                   input.data(), nullptr,    0};
      inputs[1] = {
          const_cast<int64_t*>(target.data()), LW_INT64, 1, &length, nullptr,
          target.size() * sizeof(int64_t)};
      count = reshaper.version_ >= 5 ? 2 : 1;
      if (count == 1) {
        reshaper.op_ =
            MakeOp(nullptr, {"Reshape", reshaper.version_},
                   {IntsAttribute("shape", target.data(), target.size())});
      }
    }
    int64_t length;
    lw_tensor inputs[2];
    size_t count;
  };

  int32_t version_;
  OpPtr op_;
};

std::string Text(const Dims64& dims) {
  std::string text = "[";
  for (const int64_t dim : dims) {
    if (text.size() > 1) text += ',';
    text += std::to_string(dim);
  }
  return text + "]";
}

bool Mentions(const std::string& part) {
  return std::strstr(lw_last_error(), part.c_str()) != nullptr;
}

// An output that an error must not write.
lw_shape UntouchedShape() {
  lw_shape shape;
  Untouch(&shape, sizeof(shape));
  return shape;
}

// Checks Infer and Run for one error: the status, the contents of the message,
// and that neither the shape nor the output changes.
void ExpectError(Reshaper& reshaper, const Dims64& input, const Dims64& target,
                 lw_status wanted, const std::string& operation) {
  lw_shape shape = UntouchedShape();
  ASSERT_EQ(reshaper.Infer(input, target, &shape), wanted)
      << Text(input) << " to " << Text(target) << ": " << lw_last_error();
  ASSERT_TRUE(IsUntouched(&shape, sizeof(shape)));
  ASSERT_TRUE(Mentions(operation) && Mentions(Text(input)) &&
              Mentions(Text(target)))
      << lw_last_error() << " does not mention " << operation << ", "
      << Text(input) << " and " << Text(target);

  float in[8] = {};
  float out[8];
  Untouch(out, sizeof(out));
  const int64_t eight = 8;
  const lw_tensor output = {out, LW_FLOAT32, 1, &eight, nullptr, sizeof(out)};
  ASSERT_EQ(reshaper.Run(input, target, in, output), wanted);
  ASSERT_TRUE(IsUntouched(out, sizeof(out)));
}

void CheckTargets(int32_t version, bool allow_zero) {
  const std::vector<Dims64> inputs = {
      {},        {1},       {0},       {6},       {24},         {2, 3},
      {4, 6},    {3, 0},    {0, 8, 2}, {2, 3, 4}, {6, 1, 2},    {1, 1, 1},
      {0, 0, 4}, {4, 3, 6}, {3, 0, 2}, {6, 2, 2}, {2, 2, 3, 4}, {2, 3, 4, 6, 1},
      {7},       {144, 9}};
  const std::string name = "Reshape-" + std::to_string(version) + ":";
  Reshaper reshaper(version, allow_zero);
  size_t right = 0;
  size_t wrong = 0;
  for (const Dims64& input : inputs) {
    for (size_t rank = 0; rank <= 4; ++rank) {
      ForEachTarget(rank, [&](const Dims64& target) {
        if (testing::Test::HasFailure()) return;
        const std::optional<Dims64> expected =
            Oracle(input, target, allow_zero);
        if (!expected) {
          ++wrong;
          ExpectError(reshaper, input, target, LW_INVALID_SHAPE, name);
          return;
        }
        ++right;
        lw_shape shape;
        ASSERT_EQ(reshaper.Infer(input, target, &shape), LW_OK)
            << lw_last_error();
        ASSERT_EQ(shape.type, LW_FLOAT32);
        ASSERT_EQ(Dims64(shape.dims, shape.dims + shape.rank), *expected)
            << Text(input) << " to " << Text(target);
      });
    }
  }
  EXPECT_GT(right, 300u);  // both kinds must occur often enough
  EXPECT_GT(wrong, 30000u);
}

TEST(Reshape, EveryTargetInVersionsWithoutAllowzero) {
  for (const int32_t version : {1, 5, 13}) CheckTargets(version, false);
}

TEST(Reshape, EveryTargetWithAllowzeroLeftOut) {
  for (const int32_t version : {14, 19, 21, 23, 24, 25}) {
    CheckTargets(version, false);
  }
}

TEST(Reshape, EveryTargetWithAllowzero) {
  for (const int32_t version : {14, 19, 21, 23, 24, 25}) {
    CheckTargets(version, true);
  }
}

// The examples of the ONNX document, and cases that other libraries got wrong.
TEST(Reshape, ExamplesByName) {
  const auto resolve = [](bool allow_zero, const Dims64& input,
                          const Dims64& target) {
    lw_shape shape;
    Reshaper reshaper(14, allow_zero);
    if (reshaper.Infer(input, target, &shape) != LW_OK) return Dims64{-99};
    return Dims64(shape.dims, shape.dims + shape.rank);
  };
  const Dims64 error = {-99};
  EXPECT_EQ(resolve(false, {2, 3, 4}, {2, 0, 4, 1}), (Dims64{2, 3, 4, 1}));
  EXPECT_EQ(resolve(false, {2, 3, 4}, {2, 0, 1, -1}), (Dims64{2, 3, 1, 4}));
  EXPECT_EQ(resolve(true, {0, 3, 4}, {3, 4, 0}), (Dims64{3, 4, 0}));
  EXPECT_EQ(resolve(false, {0, 3, 4}, {3, 4, 0}), error);
  EXPECT_EQ(resolve(false, {0, 8, 2}, {4, 2, -1}), (Dims64{4, 2, 0}));
  EXPECT_EQ(resolve(false, {0, 8}, {0, -1}), error);
  EXPECT_EQ(resolve(true, {0, 8}, {0, -1}), error);
  EXPECT_EQ(resolve(true, {2, 3}, {0, 6}), error);
  EXPECT_EQ(resolve(false, {1, 1, 1}, {}), Dims64{});
  EXPECT_EQ(resolve(false, {}, {1, 1, 1}), (Dims64{1, 1, 1}));
  EXPECT_EQ(resolve(false, {2, 3}, {}), error);
}

// Products that exceed 64 bits and wrap around to small numbers.
TEST(Reshape, OverflowingTargetsAreErrors) {
  constexpr int64_t k31 = int64_t{1} << 31;
  constexpr int64_t k32 = int64_t{1} << 32;
  constexpr int64_t k62 = int64_t{1} << 62;
  const std::vector<Dims64> targets = {
      {k62, 4},       {k32, k32},        {-1, k32, k32},    {k32, -1, k32},
      {4, k62, 1},    {k62, 4, -1},      {INT64_MAX},       {INT64_MAX, 2},
      {INT64_MAX, 3}, {k31, k31, k31},   {k62, k62, k62},   {2, 2, k62},
      {k32, k32, 4},  {k62, 2, 2, 2, 1}, {INT64_MAX, -1, 2}};
  for (const int32_t version : {1, 5, 14, 25}) {
    Reshaper reshaper(version);
    for (const Dims64& input : {Dims64{4}, Dims64{}, Dims64{0}, Dims64{0, 4}}) {
      for (const Dims64& target : targets) {
        ExpectError(reshaper, input, target, LW_SIZE_OVERFLOW,
                    "Reshape-" + std::to_string(version) + ":");
      }
    }
  }
  for (const int64_t dim : {int64_t{-2}, -k32, -k62, INT64_MIN}) {
    Reshaper reshaper(14, true);
    ExpectError(reshaper, {4}, {dim}, LW_INVALID_SHAPE, "Reshape-14:");
    ExpectError(reshaper, {4}, {-1, dim}, LW_INVALID_SHAPE, "Reshape-14:");
    ExpectError(reshaper, {4}, {dim, dim}, LW_INVALID_SHAPE, "Reshape-14:");
  }
}

// Inference reads no memory, so any addressable size works.
TEST(Reshape, LargeShapesThatDoNotOverflow) {
  constexpr int64_t k20 = 1 << 20;
  constexpr int64_t k40 = k20 * k20;
  constexpr int64_t k62 = int64_t{1} << 62;
  lw_shape shape;
  Reshaper copying(14);
  Reshaper zeroing(14, true);
  ASSERT_EQ(copying.Infer({k40}, {k20, -1}, &shape), LW_OK) << lw_last_error();
  EXPECT_EQ(shape.dims[1], k20);
  ASSERT_EQ(copying.Infer({k40, 3}, {3, 0, 0}, &shape), LW_INVALID_SHAPE);
  ASSERT_EQ(copying.Infer({k40, k62, 0}, {0, 0, 0}, &shape), LW_OK)
      << lw_last_error();
  EXPECT_EQ(shape.dims[1], k62);
  ASSERT_EQ(zeroing.Infer({0}, {k62, 0, k62}, &shape), LW_OK)
      << lw_last_error();
  EXPECT_EQ(shape.dims[2], k62);
  ASSERT_EQ(copying.Infer({0}, {k40, -1}, &shape), LW_OK) << lw_last_error();
  EXPECT_EQ(shape.dims[1], 0);
  EXPECT_EQ(copying.Infer({k62, 4}, {-1}, &shape), LW_SIZE_OVERFLOW);
}

TEST(Reshape, Rank64AndNoMore) {
  for (const int32_t version : {1, 14}) {
    Reshaper reshaper(version);
    Dims64 target(64, 1);
    target[63] = -1;
    lw_shape shape;
    ASSERT_EQ(reshaper.Infer({2, 3}, target, &shape), LW_OK) << lw_last_error();
    EXPECT_EQ(shape.rank, 64);
    EXPECT_EQ(shape.dims[63], 6);
    for (const size_t rank : {65, 66, 1000}) {
      shape = UntouchedShape();
      const Dims64 longer(rank, 1);
      EXPECT_EQ(reshaper.Infer({1}, longer, &shape), LW_INVALID_SHAPE) << rank;
      EXPECT_TRUE(Mentions("Reshape-")) << lw_last_error();
      EXPECT_TRUE(IsUntouched(&shape, sizeof(shape)));
    }
    const Dims64 ones(64, 1);
    ASSERT_EQ(reshaper.Infer(ones, {}, &shape), LW_OK) << lw_last_error();
    EXPECT_EQ(shape.rank, 0);
    EXPECT_EQ(reshaper.Infer(Dims64(65, 1), {1}, &shape), LW_INVALID_SHAPE);
  }
}

// A host may announce more than there is memory for.
TEST(Reshape, TargetsThatAreTooLongAreNotRead) {
  const OpPtr op = MakeOp(nullptr, {"Reshape", 14}, {});
  const int64_t one = 1;
  for (const int64_t length : {int64_t{65}, int64_t{1} << 40}) {
    const lw_tensor inputs[] = {{nullptr, LW_FLOAT32, 1, &one, nullptr, 0},
                                {nullptr, LW_INT64, 1, &length, nullptr, 0}};
    lw_shape shape = UntouchedShape();
    EXPECT_EQ(lw_op_infer(op.get(), inputs, 2, &shape), LW_INVALID_SHAPE);
    EXPECT_TRUE(Mentions("Reshape-14:")) << lw_last_error();
    EXPECT_TRUE(Mentions(std::to_string(length))) << lw_last_error();
    EXPECT_TRUE(IsUntouched(&shape, sizeof(shape)));
  }
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
