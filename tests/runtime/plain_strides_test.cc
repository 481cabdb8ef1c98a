// SPDX-License-Identifier: Apache-2.0
//
// The short way takes calls with strides if these are the ordinary ones, or if
// an input is every second element in memory.

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/runtime/plain_calls.h"

namespace lanewise {
namespace {

constexpr int64_t kOrdinary[] = {3, 1};
constexpr int64_t kEverySecond[] = {6, 2};

// The input of [2, 3] behind the other tensors, with room for gaps.
void PutEverySecond(Call& call, int i) {
  call.tensors[i].data = call.memory + 20 + 12 * i;
  call.tensors[i].strides = kEverySecond;
}

TEST(PlainStrides, OrdinaryOnesAreNone) {
  for (int i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    Call call;
    OwnJob job(nullptr);
    call.tensors[i].strides = kOrdinary;
    EXPECT_TRUE(call.IsPlain(&job));
    EXPECT_EQ(call.pattern, LW_SAME);
    // The stride of a dim of 1 does not matter.
    call.dims[i][0] = call.dims[(i + 1) % 3][0] = call.dims[(i + 2) % 3][0] = 1;
    const int64_t any[] = {-7, 1};
    call.tensors[i].strides = any;
    EXPECT_TRUE(call.IsPlain(&job));
    // In place.
    call.tensors[0].data = call.tensors[2].data;
    EXPECT_TRUE(call.IsPlain(&job));
  }
}

TEST(PlainStrides, StretchedInputsMayHaveOrdinaryOnes) {
  Call call;
  OwnJob job(nullptr);
  call.dims[1][0] = 1;
  call.tensors[1].strides = kOrdinary;
  EXPECT_TRUE(call.IsPlain(&job));
  EXPECT_EQ(job.setup->rows, 2u);
  const int64_t repeated[] = {0, 1};
  call.tensors[1].strides = repeated;  // the same: a dim of 1
  EXPECT_TRUE(call.IsPlain(&job));
  call.dims[1][0] = 2;
  EXPECT_FALSE(call.IsPlain(&job));
}

TEST(PlainStrides, TakesEverySecondElement) {
  for (const int i : {0, 1}) {
    SCOPED_TRACE(i);
    Call call;
    OwnJob job(nullptr);
    PutEverySecond(call, i);
    call.tensors[i].bytes = 44;
    EXPECT_TRUE(call.IsPlain(&job));
    EXPECT_EQ(call.pattern, kAnyStride);
    EXPECT_EQ(job.in[i], call.tensors[i].data);
    EXPECT_EQ(job.n, 6u);
    EXPECT_EQ(job.setup->rows, 1u);
    EXPECT_EQ(job.setup->in_stride[i], 2);
    EXPECT_EQ(job.setup->in_stride[1 - i], 1);
    PutEverySecond(call, 1 - i);
    EXPECT_TRUE(call.IsPlain(&job));
    EXPECT_EQ(job.setup->in_stride[1 - i], 2);
  }
}

TEST(PlainStrides, LeavesEverySecondElementThatIsNotInOrder) {
  const auto spoil = [](const char* how, auto change) {
    Call call;
    OwnJob job(nullptr);
    PutEverySecond(call, 0);
    ASSERT_TRUE(call.IsPlain(&job));
    change(call, call.tensors[0]);
    EXPECT_FALSE(call.IsPlain(&job)) << how;
  };
  spoil("NULL", [](Call&, lw_tensor& t) { t.data = nullptr; });
  spoil("misaligned",
        [](Call&, lw_tensor& t) { t.data = static_cast<char*>(t.data) + 2; });
  spoil("too small", [](Call&, lw_tensor& t) { t.bytes = 43; });
  spoil("another type", [](Call&, lw_tensor& t) { t.type = LW_INT32; });
  spoil("no dims", [](Call&, lw_tensor& t) { t.dims = nullptr; });
  spoil("another rank", [](Call&, lw_tensor& t) { t.rank = 1; });
  spoil("negative rank", [](Call&, lw_tensor& t) { t.rank = -1; });
  spoil("a huge rank", [](Call&, lw_tensor& t) { t.rank = LW_MAX_RANK + 1; });
  spoil("stretched", [](Call& c, lw_tensor&) { c.dims[0][0] = 1; });
  spoil("another is stretched", [](Call& c, lw_tensor&) { c.dims[1][0] = 1; });
  spoil("overlap", [](Call& c, lw_tensor& t) { t.data = c.memory + 7; });
  spoil("the output, too", [](Call& c, lw_tensor& t) {
    c.tensors[2].data = c.memory + 40;
    c.tensors[2].strides = t.strides;
  });
}

TEST(PlainStrides, ReadsNothingElseOfAnInputThatIsLeftOut) {
  for (const int i : {0, 1}) {
    Call call;
    OwnJob job(nullptr);
    const auto* nowhere = reinterpret_cast<const int64_t*>(uintptr_t{8});
    call.tensors[i] = {nullptr, LW_ABSENT, 2, nowhere, nowhere, 0};
    EXPECT_FALSE(call.IsPlain(&job));
  }
}

TEST(PlainStrides, LeavesOtherSteps) {
  const int64_t others[][2] = {{9, 3}, {7, 2}, {6, 1},   {3, 2},
                               {0, 1}, {3, 0}, {-3, -1}, {-6, -2}};
  for (const auto& strides : others) {
    Call call;
    OwnJob job(nullptr);
    PutEverySecond(call, 0);
    call.tensors[0].strides = strides;
    EXPECT_FALSE(call.IsPlain(&job)) << strides[0] << " " << strides[1];
  }
}

TEST(PlainStrides, OfReshape) {
  ReshapeCall call;
  OwnJob job(nullptr);
  const int64_t one = 1;
  call.shape.strides = &one;
  call.tensors[0].strides = kOrdinary;
  EXPECT_TRUE(call.IsPlain(&job));
  const int64_t of_output[] = {2, 1};
  call.tensors[2].strides = of_output;
  EXPECT_TRUE(call.IsPlain(&job));
  call.tensors[2].data = call.tensors[0].data;
  EXPECT_TRUE(call.IsPlain(&job)) << "in place";
  call.tensors[0].strides = kEverySecond;
  EXPECT_FALSE(call.IsPlain(&job)) << "overlap";
  // Packed elements have no strides, not even these.
  call.tensors[0].type = call.tensors[2].type = LW_INT4;
  call.tensors[0].strides = kOrdinary;
  EXPECT_FALSE(call.IsPlain(&job));
}

}  // namespace
}  // namespace lanewise
