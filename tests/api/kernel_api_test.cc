// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/guarded.h"
#include "tests/support/isas.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

// Relu-14. Lives until the program ends.
const lw_op* Relu() {
  static const OpPtr& op = *new OpPtr(MakeOp(nullptr, {"Relu", 14}));
  return op.get();
}

const lw_kernel* Find(lw_type type) {
  const lw_kernel* kernel = nullptr;
  EXPECT_EQ(lw_op_kernel(Relu(), type, LW_SAME, &kernel), LW_OK)
      << lw_last_error();
  return kernel;
}

lw_status RunUnary(const lw_kernel* kernel, const void* in, void* out,
                   size_t n) {
  return lw_kernel_run(kernel, &in, out, n);
}

TEST(KernelApi, Computes) {
  const std::vector<float> in = {-2, -1, -0.0f, 0, 1, 2, 3};
  std::vector<float> out(in.size());
  ASSERT_EQ(RunUnary(Find(LW_FLOAT32), in.data(), out.data(), in.size()),
            LW_OK);
  EXPECT_EQ(out, (std::vector<float>{0, 0, -0.0f, 0, 1, 2, 3}));
}

TEST(KernelApi, KernelsAreFoundOnce) {
  EXPECT_EQ(Find(LW_INT8), Find(LW_INT8));
  EXPECT_NE(Find(LW_INT8), Find(LW_INT16));
  // float16 and int16 have different kernels.
  EXPECT_NE(Find(LW_FLOAT16), Find(LW_INT16));
}

TEST(KernelApi, RejectsUnknownTypesAndPatterns) {
  const lw_kernel* kernel = nullptr;
  const auto find = [&](int32_t type, int32_t pattern) {
    return lw_op_kernel(Relu(), type, pattern, &kernel);
  };
  for (const int32_t type : {int32_t{LW_UINT8}, int32_t{LW_ABSENT}, 99, -1}) {
    EXPECT_EQ(find(type, LW_SAME), LW_UNSUPPORTED_TYPE);
  }
  // The type is supported but the pattern is not, so the message must not blame
  // the type.
  for (const int32_t pattern : {1, 2, 3, 8, 15, 16, -1, INT32_MAX}) {
    EXPECT_EQ(find(LW_FLOAT32, pattern), LW_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(lw_last_error()).find("float32 is not supported"),
              std::string::npos)
        << lw_last_error();
  }
  EXPECT_EQ(kernel, nullptr);
  EXPECT_EQ(lw_op_kernel(Relu(), LW_INT8, LW_SAME, nullptr),
            LW_INVALID_ARGUMENT);
  EXPECT_EQ(lw_op_kernel(nullptr, LW_INT8, LW_SAME, &kernel),
            LW_INVALID_ARGUMENT);
}

class KernelApiMemory : public testing::Test {
 protected:
  static constexpr size_t kSize = 1024;
  KernelApiMemory() { Untouch(memory_, kSize); }

  void ExpectRefused(const void* a, void* out, size_t n, lw_status status) {
    EXPECT_STREQ(lw_status_name(RunUnary(Find(LW_FLOAT32), a, out, n)),
                 lw_status_name(status));
    EXPECT_EQ(std::string(lw_last_error()).rfind("Relu-14: ", 0), 0u)
        << lw_last_error();
    EXPECT_TRUE(IsUntouched(memory_, kSize));
  }

  alignas(64) uint8_t memory_[kSize];
};

TEST_F(KernelApiMemory, BadPointers) {
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
  EXPECT_EQ(RunUnary(nullptr, in, out, 1), LW_INVALID_ARGUMENT);
  EXPECT_TRUE(IsUntouched(memory_, kSize));
}

TEST_F(KernelApiMemory, OverlapOfOneByte) {
  for (const int shift : {-9, 9}) {
    EXPECT_EQ(RunUnary(Find(LW_INT8), memory_ + 64 + shift, memory_ + 64, 10),
              LW_OVERLAP);
  }
  EXPECT_TRUE(IsUntouched(memory_, kSize));
  for (const int shift : {-10, 10}) {
    EXPECT_EQ(RunUnary(Find(LW_INT8), memory_ + 64 + shift, memory_ + 64, 10),
              LW_OK);
  }
}

TEST_F(KernelApiMemory, SizesBeyondTheAddressSpace) {
  for (const size_t n : {SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 4 + 2,
                         static_cast<size_t>(PTRDIFF_MAX) / 4 + 1}) {
    ExpectRefused(memory_, memory_ + 512, n, LW_SIZE_OVERFLOW);
  }
}

TEST_F(KernelApiMemory, NeighboursAndInPlaceRun) {
  const lw_kernel* relu = Find(LW_FLOAT32);
  EXPECT_EQ(RunUnary(relu, memory_, memory_ + 40, 10), LW_OK);
  EXPECT_EQ(RunUnary(relu, memory_ + 40, memory_, 10), LW_OK);
  EXPECT_EQ(RunUnary(relu, memory_, memory_, 256), LW_OK);
}

// A scalar occupies one element: the overlap check must not take it for a row.
TEST_F(KernelApiMemory, ScalarsOccupyOneElement) {
  const OpPtr op = MakeOp(nullptr, {"Div", 14});
  for (const lw_pattern pattern : {LW_SCALAR_A, LW_SCALAR_B}) {
    const lw_kernel* div = nullptr;
    ASSERT_EQ(lw_op_kernel(op.get(), LW_FLOAT32, pattern, &div), LW_OK);
    uint8_t* out = memory_ + 512;
    const auto divide = [&](const uint8_t* scalar) {
      const bool is_a = pattern == LW_SCALAR_A;
      const void* const inputs[] = {is_a ? scalar : memory_,
                                    is_a ? memory_ : scalar};
      return lw_kernel_run(div, inputs, out, 10);
    };
    EXPECT_EQ(divide(out - 4), LW_OK);
    EXPECT_EQ(divide(out + 40), LW_OK);
    EXPECT_EQ(divide(out + 4), LW_OVERLAP);
    EXPECT_EQ(divide(out + 36), LW_OVERLAP);
  }
}

// Where's condition has an element of one byte for each of four bytes.
TEST_F(KernelApiMemory, InputsOfAnotherSize) {
  const OpPtr op = MakeOp(nullptr, {"Where", 16});
  const lw_kernel* where = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_FLOAT32, LW_SAME, &where), LW_OK);
  uint8_t* x = memory_;
  uint8_t* y = memory_ + 64;
  uint8_t* condition = memory_ + 128;
  uint8_t* out = memory_ + 512;
  const auto choose = [&](const void* c, const void* a, const void* b,
                          uint8_t* to) {
    const void* const inputs[] = {c, a, b};
    return lw_kernel_run(where, inputs, to, 8);
  };
  EXPECT_EQ(choose(nullptr, x, y, out), LW_NULL_DATA);
  EXPECT_EQ(choose(condition, x, nullptr, out), LW_NULL_DATA);
  for (const int shift : {1, 2, 3}) {
    EXPECT_EQ(choose(condition, x + shift, y, out), LW_MISALIGNED);
    EXPECT_EQ(choose(condition, x, y + shift, out), LW_MISALIGNED);
    EXPECT_EQ(choose(condition, x, y, out + shift), LW_MISALIGNED);
  }
  for (const int shift : {-7, -1, 0, 1, 31}) {
    EXPECT_EQ(choose(out + shift, x, y, out), LW_OVERLAP) << shift;
  }
  for (const int shift : {-28, -4, 4, 28}) {
    EXPECT_EQ(choose(condition, out + shift, y, out), LW_OVERLAP) << shift;
    EXPECT_EQ(choose(condition, x, out + shift, out), LW_OVERLAP) << shift;
  }
  EXPECT_TRUE(IsUntouched(memory_, kSize));
  for (const int shift : {-8, 32, 33}) {
    EXPECT_EQ(choose(out + shift, x, y, out), LW_OK) << shift;
  }
  EXPECT_EQ(choose(condition, out, y, out), LW_OK);
  EXPECT_EQ(choose(condition, x, out, out), LW_OK);
}

// The output's bytes may be anywhere, the inputs may not.
TEST_F(KernelApiMemory, InputsThatAreWiderThanTheOutput) {
  const OpPtr op = MakeOp(nullptr, {"Greater", 13});
  const lw_kernel* greater = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_FLOAT64, LW_SAME, &greater), LW_OK);
  uint8_t* out = memory_ + 512;
  for (const int shift : {1, 4, 7}) {
    const void* const first[] = {memory_ + shift, memory_ + 64};
    const void* const second[] = {memory_, memory_ + 64 + shift};
    EXPECT_EQ(lw_kernel_run(greater, first, out, 4), LW_MISALIGNED);
    EXPECT_EQ(lw_kernel_run(greater, second, out, 4), LW_MISALIGNED);
    EXPECT_TRUE(IsUntouched(memory_, kSize));
  }
  const void* const inputs[] = {memory_, memory_ + 64};
  EXPECT_EQ(lw_kernel_run(greater, inputs, out + 1, 4), LW_OK);
}

TEST_F(KernelApiMemory, NothingToDo) {
  const lw_kernel* relu = Find(LW_FLOAT32);
  EXPECT_EQ(lw_kernel_run(relu, nullptr, nullptr, 0), LW_OK);
  EXPECT_EQ(RunUnary(relu, memory_, memory_, 0), LW_OK);
  EXPECT_TRUE(IsUntouched(memory_, kSize));
}

// A kernel lives as long as its operator, and may outlive the engine.
TEST(KernelApi, KernelsOutliveTheirEngine) {
  EnginePtr engine = MakeEngine(Options());
  const OpPtr op = MakeOp(engine.get(), {"Relu", 14});
  const lw_kernel* relu = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_INT8, LW_SAME, &relu), LW_OK);
  engine.reset();
  int8_t x = -1;
  EXPECT_EQ(RunUnary(relu, &x, &x, 1), LW_OK);
  EXPECT_EQ(x, 0);
}

// If the engine has the host's string type, the kernel copies values, not
// bytes.
TEST(KernelApi, CopiesTheHostsStrings) {
  lw_engine_options options = Options();
  options.string_type.element_size = sizeof(std::string);
  options.string_type.element_alignment = alignof(std::string);
  options.string_type.copy = [](void*, void* to, const void* from,
                                size_t count) {
    std::copy_n(static_cast<const std::string*>(from), count,
                static_cast<std::string*>(to));
  };
  const EnginePtr engine = MakeEngine(options);
  const OpPtr op = MakeOp(engine.get(), {"Reshape", 13});
  const lw_kernel* copy = nullptr;
  ASSERT_EQ(lw_op_kernel(op.get(), LW_STRING, LW_SAME, &copy), LW_OK);
  const std::vector<std::string> in = {"a", "", std::string(100, 'x'), "b"};
  std::vector<std::string> out(in.size());
  ASSERT_EQ(RunUnary(copy, in.data(), out.data(), in.size()), LW_OK);
  EXPECT_EQ(out, in);
}

}  // namespace
}  // namespace lanewise::test
