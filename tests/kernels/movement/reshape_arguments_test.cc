// SPDX-License-Identifier: Apache-2.0
//
// Reshape's arguments other than the data: the tensor with the target shape,
// and the attributes of each version.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/support/guarded.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

bool Mentions(const std::string& part) {
  return std::strstr(lw_last_error(), part.c_str()) != nullptr;
}

// An output that an error must not write.
lw_shape UntouchedShape() {
  lw_shape shape;
  Untouch(&shape, sizeof(shape));
  return shape;
}

// Calls Reshape-14 on six floats with any second input.
lw_status InferWith(const lw_tensor& target, lw_shape* shape) {
  const OpPtr op = MakeOp(nullptr, {"Reshape", 14});
  const int64_t six = 6;
  const lw_tensor inputs[] = {{nullptr, LW_FLOAT32, 1, &six, nullptr, 0},
                              target};
  return lw_op_infer(op.get(), inputs, 2, shape);
}

TEST(ReshapeArguments, TheTargetIsARankOneInt64Tensor) {
  int64_t target[] = {2, 3};
  const int64_t dims[] = {2, 1};
  const int64_t none = 0;
  lw_shape shape = UntouchedShape();
  for (const int32_t rank : {0, 2}) {
    EXPECT_EQ(InferWith({target, LW_INT64, rank, dims, nullptr, 0}, &shape),
              LW_INVALID_SHAPE);
    EXPECT_TRUE(Mentions("Reshape-14:")) << lw_last_error();
    EXPECT_TRUE(Mentions("rank " + std::to_string(rank))) << lw_last_error();
  }
  for (const int32_t type : {LW_INT32, LW_UINT64, LW_FLOAT64, LW_STRING}) {
    EXPECT_EQ(InferWith({target, type, 1, dims, nullptr, 0}, &shape),
              LW_UNSUPPORTED_TYPE);
    EXPECT_TRUE(Mentions(lw_type_name(type))) << lw_last_error();
  }
  EXPECT_EQ(InferWith({nullptr, LW_INT64, 1, dims, nullptr, 0}, &shape),
            LW_NULL_DATA);
  EXPECT_EQ(InferWith({target, LW_INT64, 1, nullptr, nullptr, 0}, &shape),
            LW_INVALID_ARGUMENT);
  EXPECT_EQ(InferWith({target, LW_INT64, 1, dims, nullptr, 15}, &shape),
            LW_BUFFER_TOO_SMALL);
  char* odd = reinterpret_cast<char*>(target) + 4;
  EXPECT_EQ(InferWith({odd, LW_INT64, 1, dims + 1, nullptr, 0}, &shape),
            LW_MISALIGNED);
  EXPECT_TRUE(IsUntouched(&shape, sizeof(shape)));

  // An empty target means a scalar. Its data is not read.
  const OpPtr op = MakeOp(nullptr, {"Reshape", 14});
  const lw_tensor scalar[] = {{nullptr, LW_FLOAT32, 1, &dims[1], nullptr, 0},
                              {nullptr, LW_INT64, 1, &none, nullptr, 0}};
  EXPECT_EQ(lw_op_infer(op.get(), scalar, 2, &shape), LW_OK) << lw_last_error();
  EXPECT_EQ(shape.rank, 0);
}

TEST(ReshapeArguments, TheTargetMayBeStrided) {
  int64_t target[] = {3, 77, 1, 77, 2};
  const auto resolve = [&](int64_t* data, int64_t length, int64_t stride) {
    lw_shape shape;
    EXPECT_EQ(InferWith({data, LW_INT64, 1, &length, &stride, 0}, &shape),
              LW_OK)
        << lw_last_error();
    return Dims64(shape.dims, shape.dims + shape.rank);
  };
  EXPECT_EQ(resolve(target, 3, 2), (Dims64{3, 1, 2}));
  EXPECT_EQ(resolve(target + 4, 3, -2), (Dims64{2, 1, 3}));
  EXPECT_EQ(resolve(target, 2, 4), (Dims64{3, 2}));
  int64_t ones[] = {-1};
  EXPECT_EQ(resolve(ones, 1, 99), Dims64{6});
}

// Calls lw_op_create with one attribute, or with none.
lw_status Create(int32_t opset, const char* name, const Dims64& ints) {
  const bool is_list = name != nullptr && std::string(name) != "allowzero";
  const lw_attribute attribute = {
      name, is_list ? LW_ATTRIBUTE_INTS : LW_ATTRIBUTE_INT, ints.size(),
      ints.data()};
  lw_op* op = nullptr;
  const lw_status status = lw_op_create(nullptr, "Reshape", opset, &attribute,
                                        name != nullptr ? 1 : 0, &op);
  EXPECT_EQ(op != nullptr, status == LW_OK);
  lw_op_destroy(op);
  return status;
}

TEST(ReshapeArguments, Attributes) {
  for (const int32_t opset : {1, 4}) {
    EXPECT_EQ(Create(opset, nullptr, {}), LW_INVALID_ATTRIBUTE);
    EXPECT_TRUE(Mentions("Reshape-1:") && Mentions("shape")) << lw_last_error();
    EXPECT_EQ(Create(opset, "consumed_inputs", {0}), LW_INVALID_ATTRIBUTE);
    EXPECT_EQ(Create(opset, "allowzero", {0}), LW_INVALID_ATTRIBUTE);
    EXPECT_EQ(Create(opset, "shape", {2, -1}), LW_OK) << lw_last_error();
    EXPECT_EQ(Create(opset, "shape", {}), LW_OK) << lw_last_error();
  }
  for (const int32_t opset : {5, 12, 13, 14, 25}) {
    EXPECT_EQ(Create(opset, nullptr, {}), LW_OK) << lw_last_error();
    EXPECT_EQ(Create(opset, "shape", {2, 3}), LW_INVALID_ATTRIBUTE);
    EXPECT_EQ(Create(opset, "consumed_inputs", {0}), LW_INVALID_ATTRIBUTE);
  }
  EXPECT_EQ(Create(13, "allowzero", {0}), LW_INVALID_ATTRIBUTE);
  EXPECT_TRUE(Mentions("Reshape-13:") && Mentions("allowzero"))
      << lw_last_error();
  for (const int32_t opset : {14, 18, 19, 25, 26}) {
    for (const int64_t good : {0, 1}) {
      EXPECT_EQ(Create(opset, "allowzero", {good}), LW_OK) << lw_last_error();
    }
    for (const int64_t bad : {int64_t{2}, int64_t{-1}, int64_t{1} << 32}) {
      EXPECT_EQ(Create(opset, "allowzero", {bad}), LW_INVALID_ATTRIBUTE);
      EXPECT_TRUE(Mentions(std::to_string(bad))) << lw_last_error();
    }
    EXPECT_EQ(Create(opset, "allowzero", {1, 1}), LW_INVALID_ATTRIBUTE);
    EXPECT_EQ(Create(opset, "allowzero", {}), LW_INVALID_ATTRIBUTE);
  }
  EXPECT_EQ(Create(0, "shape", {1}), LW_UNSUPPORTED_VERSION);
}

// The attribute is copied when the operator is created. consumed_inputs is
// ignored, whatever its value.
TEST(ReshapeArguments, Version1TakesItsTargetFromTheAttribute) {
  int64_t target[] = {3, -1};
  const int64_t consumed[] = {7, -9, 1};
  const OpPtr op = MakeOp(nullptr, {"Reshape", 1},
                          {IntsAttribute("consumed_inputs", consumed, 3),
                           IntsAttribute("shape", target, 2)});
  target[0] = 5;
  float in[] = {1, 2, 3, 4, 5, 6};
  float out[6] = {};
  const int64_t in_dims[] = {6};
  const int64_t out_dims[] = {3, 2};
  const lw_tensor inputs[] = {{in, LW_FLOAT32, 1, in_dims, nullptr, 0},
                              {target, LW_INT64, 1, out_dims + 1, nullptr, 0}};
  const lw_tensor output = {out, LW_FLOAT32, 2, out_dims, nullptr, 0};
  EXPECT_EQ(lw_op_run(op.get(), inputs, 2, &output, 1), LW_WRONG_COUNT);
  EXPECT_EQ(out[0], 0);
  ASSERT_EQ(lw_op_run(op.get(), inputs, 1, &output, 1), LW_OK)
      << lw_last_error();
  EXPECT_EQ(std::memcmp(in, out, sizeof(in)), 0);

  const OpPtr five = MakeOp(nullptr, {"Reshape", 5});
  EXPECT_EQ(lw_op_run(five.get(), inputs, 1, &output, 1), LW_WRONG_COUNT);
  EXPECT_TRUE(Mentions("Reshape-5:")) << lw_last_error();
}

}  // namespace
}  // namespace lanewise::test
