// SPDX-License-Identifier: Apache-2.0
//
// Calls that the tensor API must reject. Each returns its status and a message
// that names operator and version, and writes nothing. Also calls that the API
// must accept.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/guarded.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

constexpr int64_t kBig = int64_t{1} << 40;

class TensorApiTest : public testing::Test {
 protected:
  static constexpr size_t kSize = 4096;

  TensorApiTest() { Untouch(memory_, kSize); }

  // A float32 tensor that starts at this element of the fixture's memory.
  Tensor At(ptrdiff_t element, Dims64 dims, Dims64 strides = {}) {
    return {LW_FLOAT32, memory_ + element * 4, std::move(dims),
            std::move(strides)};
  }

  // Runs Relu from `in` to `out`. Expects `status`, a message that starts with
  // the label and contains `part`, and no change to the memory.
  void ExpectRefused(const lw_tensor& in, const lw_tensor& out,
                     lw_status status, const std::string& part = "",
                     size_t inputs = 1, size_t outputs = 1) {
    const std::vector<lw_tensor> in_list(inputs, in);
    const std::vector<lw_tensor> out_list(outputs, out);
    ExpectFailure(lw_op_run(relu_.get(), in_list.data(), inputs,
                            out_list.data(), outputs),
                  status, part);
  }
  void ExpectRefused(const Tensor& in, const Tensor& out, lw_status status,
                     const std::string& part = "") {
    ExpectRefused(in.view(), out.view(), status, part);
  }

  void ExpectFailure(lw_status actual, lw_status status,
                     const std::string& part = "") {
    EXPECT_STREQ(lw_status_name(actual), lw_status_name(status));
    const std::string message = lw_last_error();
    EXPECT_EQ(message.rfind("Relu-14: ", 0), 0u) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_TRUE(IsUntouched(memory_, kSize));
  }

  void ExpectRuns(const Tensor& in, const Tensor& out) {
    const lw_tensor views[] = {in.view(), out.view()};
    EXPECT_EQ(lw_op_run(relu_.get(), &views[0], 1, &views[1], 1), LW_OK)
        << lw_last_error();
  }

  // Four bytes of kUntouched are a negative float, which Relu would change.
  alignas(64) uint8_t memory_[kSize];
  const OpPtr relu_ = MakeOp(nullptr, {"Relu", 14});
};

TEST_F(TensorApiTest, WrongCounts) {
  const Tensor a = At(0, {4});
  const Tensor b = At(100, {4});
  const lw_tensor in = a.view();
  const lw_tensor out = b.view();
  ExpectRefused(in, out, LW_WRONG_COUNT, "0", 0, 1);
  ExpectRefused(in, out, LW_WRONG_COUNT, "2", 2, 1);
  ExpectRefused(in, out, LW_WRONG_COUNT, "0", 1, 0);
  ExpectRefused(in, out, LW_WRONG_COUNT, "2", 1, 2);
}

TEST_F(TensorApiTest, NullArguments) {
  const Tensor a = At(0, {4});
  const Tensor b = At(100, {4});
  const lw_tensor in = a.view();
  const lw_tensor out = b.view();
  ExpectFailure(lw_op_run(relu_.get(), nullptr, 1, &out, 1),
                LW_INVALID_ARGUMENT, "inputs");
  ExpectFailure(lw_op_run(relu_.get(), &in, 1, nullptr, 1), LW_INVALID_ARGUMENT,
                "outputs");
  EXPECT_EQ(lw_op_run(nullptr, &in, 1, &out, 1), LW_INVALID_ARGUMENT);

  lw_tensor null = in;
  null.dims = nullptr;
  ExpectRefused(null, out, LW_INVALID_ARGUMENT, "input 0");
  null = out;
  null.dims = nullptr;
  ExpectRefused(in, null, LW_INVALID_ARGUMENT, "output 0");
  null = in;
  null.data = nullptr;
  ExpectRefused(null, out, LW_NULL_DATA, "input 0");
  null = out;
  null.data = nullptr;
  ExpectRefused(in, null, LW_NULL_DATA, "output 0");

  lw_shape shape;
  EXPECT_EQ(lw_op_infer(nullptr, &in, 1, &shape), LW_INVALID_ARGUMENT);
  EXPECT_EQ(lw_op_infer(relu_.get(), &in, 1, nullptr), LW_INVALID_ARGUMENT);
  ExpectFailure(lw_op_infer(relu_.get(), nullptr, 1, &shape),
                LW_INVALID_ARGUMENT, "inputs");
  ExpectFailure(lw_op_infer(relu_.get(), &in, 0, &shape), LW_WRONG_COUNT);
  lw_op_destroy(nullptr);
}

TEST_F(TensorApiTest, BadRanksAndDims) {
  const struct {
    Dims64 dims;
    int32_t rank;
    lw_status status;
    const char* part;
  } cases[] = {
      {Dims64(65, 1), 65, LW_INVALID_SHAPE, "65"},
      {Dims64(65, 1), INT32_MAX, LW_INVALID_SHAPE, "2147483647"},
      {{1}, -1, LW_INVALID_SHAPE, "-1"},
      {{1}, INT32_MIN, LW_INVALID_SHAPE, "-2147483648"},
      {{2, -3}, 2, LW_INVALID_SHAPE, "[2,-3]"},
      {{0, -1}, 2, LW_INVALID_SHAPE, "[0,-1]"},
      {{INT64_MIN}, 1, LW_INVALID_SHAPE, "-9223372036854775808"},
      {{kBig, kBig}, 2, LW_SIZE_OVERFLOW, "[1099511627776,1099511627776]"},
      {{INT64_MAX}, 1, LW_SIZE_OVERFLOW, "overflow"},
  };
  for (const auto& test : cases) {
    const Tensor odd = At(0, test.dims);
    lw_tensor bad = odd.view();
    bad.rank = test.rank;
    const Tensor good = At(100, {2, 3});
    ExpectRefused(bad, good.view(), test.status, test.part);
    ExpectRefused(good.view(), bad, test.status, test.part);
    lw_shape shape;
    ExpectFailure(lw_op_infer(relu_.get(), &bad, 1, &shape), test.status,
                  test.part);
  }
}

TEST_F(TensorApiTest, TypesAndShapesThatDoNotMatch) {
  const Tensor in = At(0, {2, 3});
  Tensor out = At(100, {2, 3});
  for (const lw_type type : {LW_INT32, LW_FLOAT64, LW_UINT8, LW_STRING}) {
    out.type = type;
    ExpectRefused(in, out, LW_UNSUPPORTED_TYPE, lw_type_name(type));
  }
  for (const int type : {-1, 27, 1000}) {
    lw_tensor view = in.view();
    view.type = type;
    out.type = LW_FLOAT32;
    ExpectRefused(view, out.view(), LW_UNSUPPORTED_TYPE, std::to_string(type));
  }
  for (const Dims64& dims :
       {Dims64{3, 2}, Dims64{6}, Dims64{2, 3, 1}, Dims64{2, 4}, Dims64{},
        Dims64{0, 3}, Dims64{1, 2, 3}}) {
    ExpectRefused(in, At(100, dims), LW_INVALID_SHAPE, "[2,3]");
  }
}

TEST_F(TensorApiTest, MisalignedData) {
  for (const int shift : {1, 2, 3}) {
    Tensor in = At(0, {4});
    Tensor out = At(100, {4});
    in.data = memory_ + shift;
    ExpectRefused(in, out, LW_MISALIGNED, "input 0");
    in.data = memory_;
    out.data = memory_ + 400 + shift;
    ExpectRefused(in, out, LW_MISALIGNED, "output 0");
  }
}

TEST_F(TensorApiTest, MemoryTooSmall) {
  const struct {
    Dims64 dims;
    Dims64 strides;
    size_t needed;
  } cases[] = {
      {{5}, {}, 20},   {{2, 3}, {}, 24},       {{5}, {3}, 52},
      {{5}, {-3}, 52}, {{2, 3}, {10, -2}, 60}, {{1, 1}, {99, 99}, 4},
  };
  for (const auto& test : cases) {
    // High enough for the elements that lie below the data pointer.
    Tensor in = At(100, test.dims, test.strides);
    Tensor out = At(300, test.dims, test.strides);
    in.bytes = test.needed - 1;
    ExpectRefused(in, out, LW_BUFFER_TOO_SMALL, std::to_string(test.needed));
    in.bytes = test.needed;
    out.bytes = 1;
    ExpectRefused(in, out, LW_BUFFER_TOO_SMALL, "output 0");
    out.bytes = test.needed;
    ExpectRuns(in, out);
    Untouch(memory_, kSize);
  }
}

TEST_F(TensorApiTest, StridesThatOverflow) {
  for (const int64_t stride :
       {INT64_MAX, INT64_MIN, INT64_MAX / 4, INT64_MIN / 4, INT64_MAX / 8}) {
    ExpectRefused(At(0, {9, 3}, {stride, 1}), At(100, {9, 3}), LW_SIZE_OVERFLOW,
                  "input 0");
    ExpectRefused(At(0, {9, 3}), At(100, {9, 3}, {stride, 1}), LW_SIZE_OVERFLOW,
                  "output 0");
  }
}

TEST_F(TensorApiTest, PartialOverlap) {
  for (const ptrdiff_t shift : {-9, -4, -1, 1, 4, 9}) {
    ExpectRefused(At(100, {10}), At(100 + shift, {10}), LW_OVERLAP, "input 0");
    ExpectRefused(At(100, {2, 5}, {5, 1}), At(100 + shift, {2, 5}), LW_OVERLAP);
  }
  // The same bytes in another order, more than the same bytes, and fewer.
  ExpectRefused(At(100, {3, 3}), At(100, {3, 3}, {1, 3}), LW_OVERLAP);
  ExpectRefused(At(109, {10}, {-1}), At(100, {10}), LW_OVERLAP);
  ExpectRefused(At(100, {10}, {2}), At(100, {10}), LW_OVERLAP);
  ExpectRefused(At(100, {10}, {0}), At(100, {10}), LW_OVERLAP);
  // Tensors with gaps overlap if elements of both have the same address.
  ExpectRefused(At(100, {10}, {2}), At(104, {10}, {2}), LW_OVERLAP);
  ExpectRefused(At(100, {4, 4}, {6, 1}), At(103, {4, 4}, {6, 1}), LW_OVERLAP);
}

TEST_F(TensorApiTest, OutputsThatOverlapThemselves) {
  const struct {
    Dims64 dims;
    Dims64 strides;
  } cases[] = {
      {{4}, {0}},
      {{4, 3}, {0, 1}},
      {{4, 3}, {3, 0}},
      {{4, 3}, {2, 1}},
      {{4, 3}, {-2, 1}},
      {{4, 3}, {1, 1}},
      {{2, 3, 4}, {12, 3, 1}},
      {{2, 3, 4}, {-8, 4, 1}},
  };
  for (const auto& test : cases) {
    ExpectRefused(At(0, test.dims), At(200, test.dims, test.strides),
                  LW_OVERLAP, "output 0");
  }
}

TEST_F(TensorApiTest, NeighboursAndInPlaceRun) {
  ExpectRuns(At(0, {10}), At(10, {10}));
  ExpectRuns(At(10, {10}), At(0, {10}));
  ExpectRuns(At(0, {10}), At(0, {10}));
  ExpectRuns(At(0, {2, 5}), At(0, {2, 5}, {5, 1}));
  ExpectRuns(At(9, {10}, {-1}), At(9, {10}, {-1}));
  ExpectRuns(At(0, {10}, {2}), At(1, {10}, {2}));  // interleaved
  ExpectRuns(At(0, {1, 4}, {0, 1}), At(100, {1, 4}, {0, 1}));
}

TEST_F(TensorApiTest, ColumnsOfOneMatrixRun) {
  ExpectRuns(At(0, {4, 3}, {6, 1}), At(3, {4, 3}, {6, 1}));
  ExpectRuns(At(3, {4, 3}, {6, 1}), At(0, {4, 3}, {6, 1}));
  ExpectRuns(At(18, {4, 3}, {-6, 1}), At(5, {4, 3}, {6, -1}));
}

TEST_F(TensorApiTest, EmptyTensorsNeedNoMemory) {
  for (const Dims64& dims :
       {Dims64{0}, Dims64{3, 0}, Dims64{0, INT64_MAX, INT64_MAX}}) {
    const Tensor none = {LW_FLOAT32, nullptr, dims};
    ExpectRuns(none, none);
    const Tensor strided = {LW_FLOAT32, nullptr, dims, Dims64(dims.size(), 0)};
    ExpectRuns(strided, strided);
    ExpectRuns(At(0, dims), At(0, dims));
  }
  EXPECT_TRUE(IsUntouched(memory_, kSize));
}

TEST_F(TensorApiTest, RanksZeroAndSixtyFour) {
  const auto* elements = reinterpret_cast<const float*>(memory_);
  lw_tensor scalar = {memory_, LW_FLOAT32, 0, nullptr, nullptr, 4};
  EXPECT_EQ(lw_op_run(relu_.get(), &scalar, 1, &scalar, 1), LW_OK);
  EXPECT_EQ(elements[0], 0.0f);
  EXPECT_LT(elements[1], 0.0f);

  Dims64 dims(64, 1);
  dims[0] = 2;
  dims[63] = 3;
  ExpectRuns(At(100, dims), At(1, dims));
  for (int i = 1; i <= 6; ++i) EXPECT_EQ(elements[i], 0.0f);
  EXPECT_LT(elements[7], 0.0f);
}

// A scalar has no strides, wherever the pointer to them may lead: so the packed
// types, which cannot be strided, have scalars, too. Prepared calls agree.
TEST_F(TensorApiTest, ScalarsOfPackedTypesHaveNoStrides) {
  const OpPtr reshape = MakeOp(nullptr, {"Reshape", 21});
  int64_t target[] = {1};
  const int64_t one = 1;
  const lw_tensor inputs[] = {
      {memory_, LW_INT4, 0, nullptr, target, 0},
      {target, LW_INT64, 1, &one, nullptr, 0},
  };
  const lw_tensor out = {memory_ + 100, LW_INT4, 1, &one, nullptr, 0};
  EXPECT_EQ(lw_op_run(reshape.get(), inputs, 2, &out, 1), LW_OK)
      << lw_last_error();
  lw_call* call = nullptr;
  EXPECT_EQ(lw_call_create(reshape.get(), inputs, 2, &out, 1, &call), LW_OK);
  lw_call_destroy(call);
}

TEST_F(TensorApiTest, InferReturnsTypeAndShape) {
  for (const Dims64& dims : {Dims64{}, Dims64{0, 3}, Dims64{4, 1, 7}}) {
    Tensor in = {LW_BFLOAT16, nullptr, dims};
    const lw_tensor view = in.view();
    lw_shape shape;
    ASSERT_EQ(lw_op_infer(relu_.get(), &view, 1, &shape), LW_OK);
    EXPECT_EQ(shape.type, LW_BFLOAT16);
    EXPECT_EQ(Dims64(shape.dims, shape.dims + shape.rank), dims);
  }
}

// The stride of a dim of 1 is of no matter, however large: the sanitizer of
// undefined behaviour sees whether anything is computed with the stride.
TEST_F(TensorApiTest, HugeStrideOfADimOfOne) {
  float memory[20];
  for (int i = 0; i < 20; ++i) memory[i] = static_cast<float>(i) - 10;
  const int64_t dims[] = {1, 8};
  for (const int64_t huge : {INT64_MAX / 2, INT64_MAX, INT64_MIN}) {
    const int64_t in_strides[] = {huge, 2}, out_strides[] = {4, 2};
    const lw_tensor input = {memory, LW_FLOAT32, 2, dims, in_strides, 0};
    const lw_tensor output = {memory + 1, LW_FLOAT32, 2, dims, out_strides, 0};
    const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
    ASSERT_EQ(lw_op_run(relu.get(), &input, 1, &output, 1), LW_OK)
        << lw_last_error();
    EXPECT_EQ(memory[1], 0);
    EXPECT_EQ(memory[15], 4);
  }
}

}  // namespace
}  // namespace lanewise::test
