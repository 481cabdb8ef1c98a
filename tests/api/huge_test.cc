// SPDX-License-Identifier: Apache-2.0
//
// Tensors above 4 GiB, and with more than 2^32 elements. Memory that nobody
// touches is never there, so that tensors may be spread over much more than the
// machine has.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/not_run.h"
#include "tests/support/subject.h"
#include "tests/support/system.h"

namespace lanewise::test {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

class Pages {
 public:
  explicit Pages(int64_t bytes) : bytes_(static_cast<size_t>(bytes)) {
    memory_ = MapPages(bytes_, Access::kReadWrite);
  }
  ~Pages() {
    if (there()) UnmapPages(memory_, bytes_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  bool there() const { return memory_ != nullptr; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  size_t bytes_;
  void* memory_;
};

/// As the system tells; 0 where it does not.
int64_t AvailableMemory() {
  std::ifstream info("/proc/meminfo");
  std::string name;
  int64_t kilobytes = 0;
  for (std::string unit; info >> name >> kilobytes >> unit;) {
    if (name == "MemAvailable:") return kilobytes << 10;
  }
  return 0;
}

TEST(Huge, ElementsFarApart) {
  const Pages memory(40 * kGiB);
  if (!memory.there()) LANEWISE_NOT_RUN("no address space");
  constexpr int64_t kFar = kGiB + 7;  // in elements: more than 4 GiB
  auto* x = memory.as<float>();
  float* y = x + 5 * kGiB;
  const int64_t dims[] = {4, 3};
  const int64_t far[] = {kFar, 1};
  const int64_t back[] = {-kFar, 1};
  for (int64_t i = 0; i < 12; ++i) {
    x[i / 3 * kFar + i % 3] = static_cast<float>(i % 2 == 0 ? i : -i);
  }
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  const lw_tensor in = {x, LW_FLOAT32, 2, dims, far, 0};
  const lw_tensor out = {y + 3 * kFar, LW_FLOAT32, 2, dims, back, 0};
  ASSERT_EQ(lw_op_run(relu.get(), &in, 1, &out, 1), LW_OK) << lw_last_error();
  for (int64_t i = 0; i < 12; ++i) {
    EXPECT_EQ(y[(3 - i / 3) * kFar + i % 3],
              static_cast<float>(i % 2 == 0 ? i : 0));
  }
  // The memory's size counts in full.
  lw_tensor small = in;
  small.bytes = static_cast<size_t>(4 * (3 * kFar + 3));
  EXPECT_EQ(lw_op_run(relu.get(), &small, 1, &out, 1), LW_OK);
  --small.bytes;
  EXPECT_EQ(lw_op_run(relu.get(), &small, 1, &out, 1), LW_BUFFER_TOO_SMALL);
  lw_tensor overlapping = out;
  overlapping.data = x + 3 * kFar + 2;
  overlapping.strides = far;
  EXPECT_EQ(lw_op_run(relu.get(), &in, 1, &overlapping, 1), LW_OVERLAP);
}

TEST(Huge, ExhaustiveMoreThan2To32Elements) {
  constexpr int64_t kCount = (int64_t{1} << 32) + 77;
  if (AvailableMemory() < 6 * kGiB) LANEWISE_NOT_RUN("too little memory");
  const Pages memory(kCount);
  if (!memory.there()) LANEWISE_NOT_RUN("no address space");
  auto* x = memory.as<int8_t>();
  const int64_t places[] = {0, kCount / 2, (int64_t{1} << 32) - 1,
                            int64_t{1} << 32, kCount - 2};
  const int64_t dims[] = {kCount};
  const int64_t one[] = {1};
  const lw_tensor view = {x,    LW_INT8, 1,
                          dims, nullptr, static_cast<size_t>(kCount)};
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  for (const int64_t place : places) {
    x[place] = -5;
    x[place + 1] = 5;
  }
  x[int64_t{1} << 32] = -5;
  ASSERT_EQ(lw_op_run(relu.get(), &view, 1, &view, 1), LW_OK)
      << lw_last_error();
  for (const int64_t place : places) {
    EXPECT_EQ(x[place], 0) << place;
    EXPECT_EQ(x[place + 1], place + 1 == int64_t{1} << 32 ? 0 : 5) << place;
  }
  // The index of a zero divisor.
  std::memset(x, 3, static_cast<size_t>(kCount));
  x[kCount - 3] = 0;
  int8_t nine = 9;
  const lw_tensor inputs[] = {{&nine, LW_INT8, 1, one, nullptr, 1}, view};
  const OpPtr div = MakeOp(nullptr, {"Div", 14});
  EXPECT_EQ(lw_op_run(div.get(), inputs, 2, &view, 1), LW_DIVIDE_BY_ZERO);
  EXPECT_EQ(lw_last_zero_divisors().count, 1u);
  EXPECT_EQ(lw_last_zero_divisors().first, uint64_t{kCount - 3});
  EXPECT_EQ(x[0], 3);
  EXPECT_EQ(x[kCount - 3], 0);
  EXPECT_EQ(x[kCount - 1], 3);
}

}  // namespace
}  // namespace lanewise::test
