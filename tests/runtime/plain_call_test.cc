// SPDX-License-Identifier: Apache-2.0
//
// The short way takes a call only if nothing at all stands against it: each
// way to spoil a good call must send it the long way.

#include "runtime/call/plain_call.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "tests/runtime/plain_calls.h"

namespace lanewise {
namespace {

TEST(PlainCall, FillsTheJob) {
  Call call;
  OwnJob job(nullptr);
  ASSERT_TRUE(call.IsPlain(&job));
  EXPECT_EQ(job.in[0], call.memory);
  EXPECT_EQ(job.in[1], call.memory + 6);
  EXPECT_EQ(job.out, call.memory + 12);
  EXPECT_EQ(job.n, 6u);
  EXPECT_EQ(job.setup->rows, 1u);

  int pattern = 0;
  ASSERT_TRUE(IsPlainFor("Relu", 14, call.tensors, call.tensors[2], kMaxBytes,
                         &job, &pattern));
  EXPECT_EQ(job.in[0], call.memory);
  EXPECT_EQ(job.setup->inputs, 1u);
  EXPECT_TRUE(call.IsPlain(&job, 72));
  EXPECT_FALSE(call.IsPlain(&job, 71));
}

TEST(PlainCall, TakesWhatItMay) {
  Call call;
  OwnJob job(nullptr);
  for (lw_tensor& tensor : call.tensors) tensor.bytes = 24;
  EXPECT_TRUE(call.IsPlain(&job)) << "just enough bytes";
  call.tensors[2].data = call.memory + 6;
  EXPECT_TRUE(call.IsPlain(&job)) << "in place";
  for (lw_tensor& tensor : call.tensors) {
    tensor.rank = 0;
    tensor.dims = nullptr;
  }
  EXPECT_TRUE(call.IsPlain(&job)) << "scalars";
  EXPECT_EQ(job.n, 1u);
}

TEST(PlainCall, LeavesEachTensorThatIsNotInOrder) {
  for (int i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    const auto spoil = [i](const char* how, auto change) {
      ExpectSpoiled<Call>(how,
                          [&](Call& call) { change(call, call.tensors[i]); });
    };
    spoil("NULL", [](Call&, lw_tensor& t) { t.data = nullptr; });
    spoil("misaligned", [](Call&, lw_tensor& t) {
      t.data = static_cast<char*>(t.data) + 96 + 2;
    });
    spoil("too small", [](Call&, lw_tensor& t) { t.bytes = 23; });
    spoil("columns one after the other",
          [](Call& c, lw_tensor& t) { t.strides = c.by_columns; });
    spoil("another type", [](Call&, lw_tensor& t) { t.type = LW_INT32; });
    spoil("no type", [](Call&, lw_tensor& t) { t.type = 99; });
    spoil("no dims", [](Call&, lw_tensor& t) { t.dims = nullptr; });
    spoil("another rank", [](Call&, lw_tensor& t) { t.rank = 1; });
    spoil("negative rank", [](Call&, lw_tensor& t) { t.rank = -1; });
    for (const int64_t dim : {0, 4, -3}) {
      spoil("a dim", [dim, i](Call& c, lw_tensor&) { c.dims[i][1] = dim; });
    }
  }
}

TEST(PlainCall, TakesOneElementForAll) {
  for (const int i : {0, 1}) {
    for (const int32_t rank : {0, 1, 2}) {
      Call call;
      OwnJob job(nullptr);
      call.dims[i][0] = call.dims[i][1] = 1;
      call.tensors[i].rank = rank;
      call.tensors[i].bytes = 4;
      EXPECT_TRUE(call.IsPlain(&job));
      EXPECT_EQ(call.pattern, i == 0 ? LW_SCALAR_A : LW_SCALAR_B);
      EXPECT_EQ(job.n, 6u);

      const auto left = [&](auto change) {
        const lw_tensor good = call.tensors[i];
        change(call.tensors[i]);
        const bool plain = call.IsPlain(&job);
        call.tensors[i] = good;
        return !plain;
      };
      const int64_t ones[] = {1, 1, 1};
      EXPECT_TRUE(left([](lw_tensor& t) { t.type = LW_INT32; }));
      EXPECT_TRUE(left([](lw_tensor& t) { t.data = nullptr; }));
      EXPECT_TRUE(left([](lw_tensor& t) { t.bytes = 3; }));
      EXPECT_TRUE(left([&](lw_tensor& t) { t.data = call.tensors[2].data; }));
      EXPECT_TRUE(left([&](lw_tensor& t) { t.data = call.memory + 17; }));
      EXPECT_TRUE(left([&](lw_tensor& t) { t.rank = 3, t.dims = ones; }));
      call.opset = 6;
      EXPECT_FALSE(call.IsPlain(&job));
    }
  }
  Call both;
  OwnJob job(nullptr);
  both.tensors[0].rank = both.tensors[1].rank = 0;
  EXPECT_FALSE(both.IsPlain(&job));
  both.tensors[0].rank = 0, both.tensors[1].rank = 2;
  EXPECT_FALSE(IsPlainFor("Relu", 14, both.tensors, both.tensors[2], kMaxBytes,
                          &job, &both.pattern));
}

// An input of `dims` stretched over an output of [3, 2, 16].
struct Stretching {
  float memory[256] = {};
  int64_t out_dims[3] = {3, 2, 16};
  std::vector<int64_t> dims;
  lw_tensor in;
  int input;
  OwnJob job{nullptr};
  int pattern = LW_SAME;

  Stretching(const std::vector<int64_t>& in_dims, int which)
      : dims(in_dims),
        in{memory,      LW_FLOAT32, static_cast<int32_t>(dims.size()),
           dims.data(), nullptr,    0},
        input(which) {}
  Stretching(const Stretching&) = delete;
  Stretching& operator=(const Stretching&) = delete;
  bool IsPlain() {
    const lw_tensor out = {memory + 128, LW_FLOAT32, 3, out_dims, nullptr, 0};
    lw_tensor inputs[] = {out, out};
    inputs[input] = in;
    return IsPlainFor("Div", 14, inputs, out, kMaxBytes, &job, &pattern);
  }
  ptrdiff_t step() const { return job.setup->in_step[input]; }
};

TEST(PlainCall, TakesRowsOfOneElementEach) {
  for (const int input : {0, 1}) {
    const auto expect = [&](const std::vector<int64_t>& dims, size_t n) {
      Stretching call(dims, input);
      call.in.bytes = 4 * (96 / n);
      ASSERT_TRUE(call.IsPlain());
      EXPECT_EQ(call.pattern, input == 0 ? LW_SCALAR_A : LW_SCALAR_B);
      EXPECT_EQ(call.job.n, n);
      EXPECT_EQ(call.job.setup->rows, 96 / n);
      if (call.job.setup->rows > 1) {  // else the steps are left at 0
        EXPECT_EQ(call.step(), 4);
        EXPECT_EQ(call.job.setup->out_step, ptrdiff_t(4 * n));
        EXPECT_EQ(call.job.setup->in_step[1 - input], call.job.setup->out_step);
      }
      --call.in.bytes;
      EXPECT_FALSE(call.IsPlain());
    };
    expect({3, 2, 1}, 16);
    expect({3, 1, 1}, 32);
    expect({1, 1}, 96);
  }
}

TEST(PlainCall, TakesOneRowForAll) {
  for (const int input : {0, 1}) {
    const auto expect = [&](const std::vector<int64_t>& dims, size_t n) {
      Stretching call(dims, input);
      call.in.bytes = 4 * n;
      ASSERT_TRUE(call.IsPlain());
      EXPECT_EQ(call.pattern, LW_SAME);
      EXPECT_EQ(call.job.n, n);
      EXPECT_EQ(call.job.setup->rows, 96 / n);
      EXPECT_EQ(call.step(), 0);
      EXPECT_EQ(call.job.setup->out_step, ptrdiff_t(4 * n));
      --call.in.bytes;
      EXPECT_FALSE(call.IsPlain());
    };
    expect({16}, 16);
    expect({1, 1, 16}, 16);
    expect({2, 16}, 32);
    Stretching in_place({16}, input);
    in_place.in.data = in_place.memory + 128;
    EXPECT_FALSE(in_place.IsPlain());
  }
}

TEST(PlainCall, LeavesOtherWaysToStretch) {
  using Dims = std::vector<int64_t>;
  for (const Dims& dims :
       {Dims{2, 1}, Dims{3, 1, 16}, Dims{1, 2, 1}, Dims{8}, Dims{3, 2, 2},
        Dims{1, 1, 1, 16}, Dims{3, 0, 1}, Dims{0}, Dims{-16}}) {
    EXPECT_FALSE(Stretching(dims, 1).IsPlain()) << testing::PrintToString(dims);
  }
}

TEST(PlainCall, TakesShortRowsWhereThereAreNoOthers) {
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{5}, std::vector<int64_t>{3, 2, 1}}) {
    Stretching call(dims, 1);
    call.out_dims[2] = 5;
    ASSERT_TRUE(call.IsPlain()) << testing::PrintToString(dims);
    EXPECT_EQ(call.job.n, 5u);
    EXPECT_EQ(call.job.setup->rows, 6u);
    EXPECT_EQ(call.step(), dims.size() == 1 ? 0 : 4);
  }
  // A row of one element for each of the output's, or one row of all.
  Stretching call({3, 2, 1}, 1);
  call.out_dims[2] = 1;
  ASSERT_TRUE(call.IsPlain());
  EXPECT_EQ(call.job.n, 6u);
}

TEST(PlainCall, LeavesShapesThatNobodyHas) {
  for (const int64_t dim : {int64_t{0}, int64_t{-1}, int64_t{1} << 32,
                            int64_t{1} << 62, INT64_MIN, INT64_MAX}) {
    ExpectSpoiled<Call>("all dims", [dim](Call& call) {
      for (auto& dims : call.dims) dims[0] = dims[1] = dim;
    });
  }
  ExpectSpoiled<Call>("rank", [](Call& call) {
    for (lw_tensor& tensor : call.tensors) tensor.rank = LW_MAX_RANK + 1;
  });
  ExpectSpoiled<Call>("packed", [](Call& call) {
    for (lw_tensor& tensor : call.tensors) tensor.type = LW_INT4;
  });
  ExpectSpoiled<Call>("strings", [](Call& call) {
    for (lw_tensor& tensor : call.tensors) tensor.type = LW_STRING;
  });
}

TEST(PlainCall, LeavesPartialOverlaps) {
  for (const int shift : {-5, -1, 1, 5}) {
    for (const int in : {0, 1}) {
      ExpectSpoiled<Call>("overlap", [=](Call& call) {
        call.tensors[0].data = call.memory + 20;
        call.tensors[1].data = call.memory + 40;
        call.tensors[2].data = call.memory + 20 * (in + 1) + shift;
      });
    }
  }
}

// The input, whole or stretched, ends just before or within the output, or
// starts within or just behind the output.
TEST(PlainCall, LeavesOverlapsOfOneByte) {
  int8_t memory[32] = {};
  const int64_t dims[] = {2, 3};
  const lw_tensor out = {memory + 12, LW_INT8, 2, dims, nullptr, 0};
  for (const int64_t row : {1, 3}) {
    const int64_t in_dims[] = {2, row};
    const int64_t before = 12 - 2 * row;
    for (const int64_t start : {before, before + 1, int64_t{17}, int64_t{18}}) {
      const lw_tensor in = {memory + start, LW_INT8, 2, in_dims, nullptr, 0};
      const lw_tensor inputs[] = {in, out};
      OwnJob job(nullptr);
      int pattern = 0;
      EXPECT_EQ(IsPlainFor("Add", 14, inputs, out, kMaxBytes, &job, &pattern),
                start == before || start == 18)
          << "rows of " << row << " at " << start;
    }
  }
}

TEST(PlainReshape, FillsTheJob) {
  ReshapeCall call;
  OwnJob job(nullptr);
  ASSERT_TRUE(call.IsPlain(&job));
  EXPECT_EQ(job.in[0], call.memory);
  EXPECT_EQ(job.out, call.memory + 12);
  EXPECT_EQ(job.n, 6u);
  EXPECT_TRUE(call.IsPlain(&job, 48));
  EXPECT_FALSE(call.IsPlain(&job, 47));
  // Packed: six elements in three bytes.
  call.tensors[0].type = call.tensors[2].type = LW_INT4;
  call.tensors[0].bytes = call.tensors[2].bytes = 3;
  EXPECT_TRUE(call.IsPlain(&job));
}

TEST(PlainReshape, ResolvesTheTarget) {
  ReshapeCall call;
  OwnJob job(nullptr);
  call.target[1] = 2;
  EXPECT_TRUE(call.IsPlain(&job));
  call.target[0] = -1;
  EXPECT_TRUE(call.IsPlain(&job));
  call.target[0] = 0;  // copies the input's 2 or means none at all
  EXPECT_FALSE(call.IsPlain(&job));
  call.dims[2][0] = 2, call.dims[2][1] = 3, call.target[1] = -1;
  EXPECT_TRUE(call.IsPlain(&job));
  call.allow_zero = true;
  EXPECT_FALSE(call.IsPlain(&job));
}

TEST(PlainReshape, LeavesWhatIsNotInOrder) {
  ExpectSpoiled<ReshapeCall>("wrong dim",
                             [](ReshapeCall& c) { c.target[0] = 2; });
  ExpectSpoiled<ReshapeCall>("below -1",
                             [](ReshapeCall& c) { c.target[1] = -2; });
  ExpectSpoiled<ReshapeCall>("two -1",
                             [](ReshapeCall& c) { c.target[0] = -1; });
  ExpectSpoiled<ReshapeCall>("longer",
                             [](ReshapeCall& c) { c.target_rank = 3; });
  ExpectSpoiled<ReshapeCall>("shorter",
                             [](ReshapeCall& c) { c.target_rank = 1; });
  ExpectSpoiled<ReshapeCall>("elements",
                             [](ReshapeCall& c) { c.dims[0][0] = 4; });
  for (const int i : {0, 2}) {
    SCOPED_TRACE(i);
    const auto spoil = [i](const char* how, auto change) {
      ExpectSpoiled<ReshapeCall>(how,
                                 [&](ReshapeCall& c) { change(c.tensors[i]); });
    };
    static const int64_t kByColumns[] = {1, 2};
    spoil("type", [](lw_tensor& t) { t.type = LW_INT32; });
    spoil("NULL", [](lw_tensor& t) { t.data = nullptr; });
    spoil("columns one after the other",
          [](lw_tensor& t) { t.strides = kByColumns; });
    spoil("too small", [](lw_tensor& t) { t.bytes = 23; });
  }
  ExpectSpoiled<ReshapeCall>(
      "overlap", [](ReshapeCall& c) { c.tensors[2].data = c.memory + 1; });
  ExpectSpoiled<ReshapeCall>("strings", [](ReshapeCall& c) {
    c.tensors[0].type = c.tensors[2].type = LW_STRING;
  });
}

TEST(PlainReshape, LeavesShapesThatAreNotInOrder) {
  static const int64_t kStride = 2;
  const auto spoil = [](const char* how, auto change) {
    ExpectSpoiled<ReshapeCall>(how, [&](ReshapeCall& c) { change(c.shape); });
  };
  spoil("type", [](lw_tensor& t) { t.type = LW_UINT64; });
  spoil("rank", [](lw_tensor& t) { t.rank = 2; });
  spoil("no dims", [](lw_tensor& t) { t.dims = nullptr; });
  spoil("NULL", [](lw_tensor& t) { t.data = nullptr; });
  spoil("every second", [](lw_tensor& t) { t.strides = &kStride; });
  spoil("too small", [](lw_tensor& t) { t.bytes = 15; });
  spoil("misaligned",
        [](lw_tensor& t) { t.data = static_cast<char*>(t.data) + 4; });
}

}  // namespace
}  // namespace lanewise
