// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/guarded.h"
#include "tests/support/isas.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

const lw_kernel* Find(lw_type type) {
  const lw_kernel* kernel = nullptr;
  EXPECT_EQ(lw_kernel_find(nullptr, "Relu", 14, type, LW_SAME, &kernel), LW_OK)
      << lw_last_error();
  return kernel;
}

TEST(DirectDoor, Computes) {
  const std::vector<float> in = {-2, -1, -0.0f, 0, 1, 2, 3};
  std::vector<float> out(in.size());
  const lw_kernel* relu = Find(LW_FLOAT32);
  ASSERT_EQ(lw_kernel_run(relu, in.data(), nullptr, out.data(), in.size()),
            LW_OK);
  EXPECT_EQ(out, (std::vector<float>{0, 0, -0.0f, 0, 1, 2, 3}));
  // A second input is none of its business, wherever it points.
  char other = 'b';
  EXPECT_EQ(lw_kernel_run(relu, in.data(), &other + 1, out.data(), 7), LW_OK);
}

TEST(DirectDoor, KernelsAreFoundOnce) {
  EXPECT_EQ(Find(LW_INT8), Find(LW_INT8));
  EXPECT_NE(Find(LW_INT8), Find(LW_INT16));
  // The bits of float16 and int16 are not one kernel's.
  EXPECT_NE(Find(LW_FLOAT16), Find(LW_INT16));
}

TEST(DirectDoor, RefusesWhatThereIsNot) {
  const lw_kernel* kernel = nullptr;
  const auto find = [&](const char* name, int32_t opset, int32_t type,
                        lw_run run) {
    return lw_kernel_find(nullptr, name, opset, type, run, &kernel);
  };
  EXPECT_EQ(find("Tanh", 14, LW_FLOAT32, LW_SAME), LW_UNKNOWN_OPERATOR);
  EXPECT_EQ(find(nullptr, 14, LW_FLOAT32, LW_SAME), LW_INVALID_ARGUMENT);
  EXPECT_EQ(find("Relu", 0, LW_FLOAT32, LW_SAME), LW_UNSUPPORTED_VERSION);
  EXPECT_EQ(find("Relu", 14, LW_UINT8, LW_SAME), LW_UNSUPPORTED_TYPE);
  EXPECT_EQ(find("Relu", 14, 99, LW_SAME), LW_UNSUPPORTED_TYPE);
  // The type is fine, the run is not: the message must not blame the type.
  for (const lw_run run : {LW_SCALAR_A, LW_SCALAR_B}) {
    EXPECT_EQ(find("Relu", 14, LW_FLOAT32, run), LW_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(lw_last_error()).find("float32 is not supported"),
              std::string::npos)
        << lw_last_error();
  }
  EXPECT_EQ(kernel, nullptr);
  EXPECT_EQ(lw_kernel_find(nullptr, "Relu", 14, LW_INT8, LW_SAME, nullptr),
            LW_INVALID_ARGUMENT);
}

class DirectDoorMemory : public testing::Test {
 protected:
  static constexpr size_t kSize = 1024;
  DirectDoorMemory() { Untouch(memory_, kSize); }

  void ExpectRefused(const void* a, void* out, size_t n, lw_status status) {
    EXPECT_STREQ(
        lw_status_name(lw_kernel_run(Find(LW_FLOAT32), a, nullptr, out, n)),
        lw_status_name(status));
    EXPECT_EQ(std::string(lw_last_error()).rfind("Relu-14: ", 0), 0u)
        << lw_last_error();
    EXPECT_TRUE(IsUntouched(memory_, kSize));
  }

  alignas(64) uint8_t memory_[kSize];
};

TEST_F(DirectDoorMemory, BadPointers) {
  uint8_t* in = memory_;
  uint8_t* out = memory_ + 512;
  ExpectRefused(nullptr, out, 1, LW_NULL_DATA);
  ExpectRefused(in, nullptr, 1, LW_NULL_DATA);
  for (const int shift : {1, 2, 3}) {
    ExpectRefused(in + shift, out, 1, LW_MISALIGNED);
    ExpectRefused(in, out + shift, 1, LW_MISALIGNED);
  }
  for (const int shift : {4, 8, 36}) {
    ExpectRefused(in + shift, in, 10, LW_OVERLAP);
    ExpectRefused(in, in + shift, 10, LW_OVERLAP);
  }
  EXPECT_EQ(lw_kernel_run(nullptr, in, nullptr, out, 1), LW_INVALID_ARGUMENT);
  EXPECT_TRUE(IsUntouched(memory_, kSize));
}

TEST_F(DirectDoorMemory, SizesBeyondTheAddressSpace) {
  for (const size_t n : {SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 4 + 2,
                         static_cast<size_t>(PTRDIFF_MAX) / 4 + 1}) {
    ExpectRefused(memory_, memory_ + 512, n, LW_SIZE_OVERFLOW);
  }
}

TEST_F(DirectDoorMemory, NeighboursAndInPlaceRun) {
  const lw_kernel* relu = Find(LW_FLOAT32);
  EXPECT_EQ(lw_kernel_run(relu, memory_, nullptr, memory_ + 40, 10), LW_OK);
  EXPECT_EQ(lw_kernel_run(relu, memory_ + 40, nullptr, memory_, 10), LW_OK);
  EXPECT_EQ(lw_kernel_run(relu, memory_, nullptr, memory_, 256), LW_OK);
}

// A scalar is one element, wherever the row of the other input may end.
TEST_F(DirectDoorMemory, ScalarsAreNoLongerThanThat) {
  for (const lw_run run : {LW_SCALAR_A, LW_SCALAR_B}) {
    const lw_kernel* div = nullptr;
    ASSERT_EQ(lw_kernel_find(nullptr, "Div", 14, LW_FLOAT32, run, &div), LW_OK);
    uint8_t* out = memory_ + 512;
    const auto divide = [&](const uint8_t* scalar) {
      const bool is_a = run == LW_SCALAR_A;
      return lw_kernel_run(div, is_a ? scalar : memory_,
                           is_a ? memory_ : scalar, out, 10);
    };
    EXPECT_EQ(divide(out - 4), LW_OK);
    EXPECT_EQ(divide(out + 40), LW_OK);
    EXPECT_EQ(divide(out + 4), LW_OVERLAP);
    EXPECT_EQ(divide(out + 36), LW_OVERLAP);
  }
}

TEST_F(DirectDoorMemory, NothingToDo) {
  const lw_kernel* relu = Find(LW_FLOAT32);
  EXPECT_EQ(lw_kernel_run(relu, nullptr, nullptr, nullptr, 0), LW_OK);
  EXPECT_EQ(lw_kernel_run(relu, memory_, nullptr, memory_, 0), LW_OK);
  EXPECT_TRUE(IsUntouched(memory_, kSize));
}

// A kernel lives as long as the program, not as long as its engine.
TEST(DirectDoor, KernelsOutliveTheirEngine) {
  lw_engine_options options = {};
  options.struct_size = sizeof(options);
  lw_engine* engine = nullptr;
  ASSERT_EQ(lw_engine_create(&options, &engine), LW_OK);
  const lw_kernel* relu = nullptr;
  ASSERT_EQ(lw_kernel_find(engine, "Relu", 14, LW_INT8, LW_SAME, &relu), LW_OK);
  lw_engine_destroy(engine);
  int8_t x = -1;
  EXPECT_EQ(lw_kernel_run(relu, &x, nullptr, &x, 1), LW_OK);
  EXPECT_EQ(x, 0);
}

}  // namespace
}  // namespace lanewise::test
