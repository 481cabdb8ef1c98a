// SPDX-License-Identifier: Apache-2.0
//
// How Reshape handles the elements: a view does nothing, everything else is
// copied bit for bit, in every type and version, at every length and alignment,
// on every instruction set and any number of threads.

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/kernels/movement/reshape_calls.h"
#include "tests/support/check_lengths.h"
#include "tests/support/engines.h"
#include "tests/support/guarded.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/strided.h"

namespace lanewise::test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes RandomBytes(size_t count, uint64_t seed = 1) {
  const Array random = RandomBits(LW_UINT8, count, seed);
  return Bytes(random.data(), random.data() + count);
}

lw_tensor View(void* data, lw_type type, const Dims64& dims) {
  return {data,        type,    static_cast<int32_t>(dims.size()),
          dims.data(), nullptr, 0};
}

class ReshapeCopy : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, ReshapeCopy, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

// 35 elements are not a whole number of bytes in the packed types.
TEST_P(ReshapeCopy, EveryTypeInEveryVersion) {
  const Dims64 from = {5, 7};
  const Dims64 to = {7, 1, 5};
  for (int32_t opset = 1; opset <= 26; ++opset) {
    const std::string name =
        "Reshape-" +
        std::to_string(*(std::upper_bound(std::begin(kReshapeVersions),
                                          std::end(kReshapeVersions), opset) -
                         1));
    for (const ReshapeType& type : kReshapeTypes) {
      SCOPED_TRACE(name + " " + lw_type_name(type.type));
      const size_t bytes = ReshapeBytes(type, 35);
      alignas(16) uint8_t in[35 * 16];
      alignas(16) uint8_t out[35 * 16 + 64];
      const Bytes random = RandomBytes(bytes);
      std::memcpy(in, random.data(), bytes);
      Untouch(out, sizeof(out));
      const lw_status status =
          RunReshape(isa().engine, opset, View(in, type.type, from),
                     View(out, type.type, to));
      if (opset < type.since) {
        ASSERT_EQ(status, LW_UNSUPPORTED_TYPE);
        EXPECT_TRUE(ErrorMentions(name + ":") &&
                    ErrorMentions(lw_type_name(type.type)))
            << lw_last_error();
        EXPECT_TRUE(IsUntouched(out, sizeof(out)));
      } else {
        ASSERT_EQ(status, LW_OK) << lw_last_error();
        EXPECT_EQ(std::memcmp(out, random.data(), bytes), 0);
        EXPECT_TRUE(IsUntouched(out + bytes, sizeof(out) - bytes));
      }
      EXPECT_EQ(std::memcmp(in, random.data(), bytes), 0);
      const OpPtr op =
          opset < 5 ? MakeOp(isa().engine, {"Reshape", opset},
                             {IntsAttribute("shape", to.data(), to.size())})
                    : MakeOp(isa().engine, {"Reshape", opset});
      const lw_kernel* kernel = nullptr;
      EXPECT_EQ(lw_op_kernel(op.get(), type.type, LW_SAME, &kernel),
                opset < type.since ? LW_UNSUPPORTED_TYPE : LW_OK);
    }
  }
}

// Wraps the tensor API for the shared check. In place, the call is a view.
Subject Reshaping(const lw_engine* engine, lw_type type) {
  return {
      type, 1, LW_SAME, [=](const void* a, const void*, void* out, size_t n) {
        const auto count = static_cast<int64_t>(n);
        return RunReshape(engine, 25, View(const_cast<void*>(a), type, {count}),
                          View(out, type, {count, 1}));
      }};
}

TEST_P(ReshapeCopy, EveryLengthAndAlignment) {
  for (const lw_type type : {LW_UINT8, LW_FLOAT16, LW_FLOAT32, LW_COMPLEX64,
                             LW_FLOAT64, LW_COMPLEX128, LW_STRING}) {
    const Array values = RandomBits(type, 1000);
    CheckEveryLengthAndAlignment(KernelApi(isa().engine, {"Reshape", 25}, type),
                                 values);
    if (HasFailure()) return;
  }
}

TEST(Reshape, EveryLengthAndAlignmentThroughTheTensorApi) {
  for (const ReshapeType& type : kReshapeTypes) {
    if (type.bits < 8) continue;
    CheckEveryLengthAndAlignment(Reshaping(nullptr, type.type),
                                 RandomBits(type.type, 1000));
    if (HasFailure()) return;
  }
}

// Packed types are copied as whole bytes, including a last byte that the
// elements do not fill, and no byte more.
void CheckPacked(const lw_engine* engine, const ReshapeType& type) {
  constexpr size_t kMost = 300;
  constexpr size_t kMargin = 64;
  const GuardedMemory in_memory(kMost + kMargin);
  const GuardedMemory out_memory(kMost + kMargin);
  const Bytes random = RandomBytes(ReshapeBytes(type, kMost));
  const Subject copy = KernelApi(engine, {"Reshape", 25}, type.type);
  for (const Side side : {Side::kLower, Side::kUpper}) {
    for (size_t offset = 0; offset < 64; offset += 1 + offset / 8) {
      for (size_t n = 0; n <= kMost; ++n) {
        const size_t bytes = ReshapeBytes(type, n);
        uint8_t* in = in_memory.Copy(side, offset, random.data(), bytes);
        uint8_t* out = out_memory.Place(side, (offset * 5 + 3) % 64, bytes);
        const auto count = static_cast<int64_t>(n);
        for (const bool direct : {false, true}) {
          Untouch(out_memory.low(), out_memory.high() - out_memory.low());
          const lw_status status =
              direct ? copy.compute(in, nullptr, out, n)
                     : RunReshape(engine, 25, View(in, type.type, {count}),
                                  View(out, type.type, {1, count}));
          ASSERT_EQ(status, LW_OK) << lw_last_error();
          ASSERT_TRUE(bytes == 0 || std::memcmp(out, random.data(), bytes) == 0)
              << n << " of " << lw_type_name(type.type);
          ASSERT_TRUE(IsUntouched(out_memory.low(), out - out_memory.low()) &&
                      IsUntouched(out + bytes, out_memory.high() - out - bytes))
              << n << " of " << lw_type_name(type.type);
        }
      }
    }
  }
}

TEST_P(ReshapeCopy, PackedTypesAtEveryLengthAndAlignment) {
  for (const ReshapeType& type : kReshapeTypes) {
    if (type.bits < 8) CheckPacked(isa().engine, type);
  }
}

TEST(Reshape, PackedTypesNeedTheirWholeBytes) {
  uint8_t in[2] = {0x21, 0x43};
  uint8_t out[2];
  Untouch(out, sizeof(out));
  const Dims64 three = {3};
  const Dims64 column = {3, 1};
  const int64_t strides[] = {1};
  lw_tensor from = View(in, LW_INT4, three);
  lw_tensor to = View(out, LW_INT4, column);
  to.bytes = 1;
  EXPECT_EQ(RunReshape(nullptr, 25, from, to), LW_BUFFER_TOO_SMALL);
  to.bytes = 2;
  from.strides = strides;
  EXPECT_EQ(RunReshape(nullptr, 25, from, to), LW_INVALID_ARGUMENT);
  EXPECT_TRUE(ErrorMentions("packed")) << lw_last_error();
  EXPECT_TRUE(IsUntouched(out, sizeof(out)));
  from.strides = nullptr;
  ASSERT_EQ(RunReshape(nullptr, 25, from, to), LW_OK) << lw_last_error();
  EXPECT_EQ(std::memcmp(in, out, 2), 0);
}

// Inaccessible memory: a view must not touch it.
TEST(Reshape, AViewTouchesNoByte) {
  constexpr size_t kElements = 3 << 20;
  const GuardedMemory memory(kElements * 16);
  ASSERT_TRUE(SetAccess(memory.low(), kElements * 16, Access::kNone));
  for (const ReshapeType& type : kReshapeTypes) {
    for (const int32_t version : kReshapeVersions) {
      if (version < type.since) continue;
      EXPECT_EQ(RunReshape(nullptr, version,
                           View(memory.low(), type.type, {3, 1 << 20}),
                           View(memory.low(), type.type, {1 << 10, 3 << 10})),
                LW_OK)
          << lw_last_error();
    }
  }
}

TEST(Reshape, PartialOverlapIsAnError) {
  std::vector<float> memory(64);
  std::iota(memory.begin(), memory.end(), 1.0f);
  const std::vector<float> before = memory;
  const Dims64 from = {4, 5};
  const Dims64 to = {5, 4};
  float* middle = memory.data() + 22;
  for (int64_t shift = -19; shift <= 19; ++shift) {
    if (shift == 0) continue;
    EXPECT_EQ(RunReshape(nullptr, 14, View(middle, LW_FLOAT32, from),
                         View(middle + shift, LW_FLOAT32, to)),
              LW_OVERLAP)
        << shift;
    EXPECT_TRUE(ErrorMentions("Reshape-14:")) << lw_last_error();
  }
  // The output starts at the same memory but has another order, so it is not a
  // view.
  const Dims64 backwards = {-1};
  const Dims64 twenty = {20};
  lw_tensor reversed = View(middle + 19, LW_FLOAT32, twenty);
  reversed.strides = backwards.data();
  EXPECT_EQ(RunReshape(nullptr, 14, reversed, View(middle, LW_FLOAT32, to)),
            LW_OVERLAP);
  EXPECT_EQ(memory, before);
  for (const int64_t shift : {-20, 20}) {
    EXPECT_EQ(RunReshape(nullptr, 14, View(middle, LW_FLOAT32, from),
                         View(middle + shift, LW_FLOAT32, to)),
              LW_OK)
        << lw_last_error();
    EXPECT_EQ(std::memcmp(middle + shift, middle, 20 * sizeof(float)), 0);
  }
}

TEST(Reshape, OutputsThatDoNotFitAreErrors) {
  float in[6] = {};
  float out[6];
  Untouch(out, sizeof(out));
  const Dims64 six = {6};
  const Dims64 target = {3, 2};
  const int64_t length = 2;
  const OpPtr op = MakeOp(nullptr, {"Reshape", 14});
  const lw_tensor inputs[] = {
      View(in, LW_FLOAT32, six),
      {const_cast<int64_t*>(target.data()), LW_INT64, 1, &length, nullptr, 0}};
  const lw_tensor good = View(out, LW_FLOAT32, target);
  const auto run = [&](const lw_tensor& output) {
    return lw_op_run(op.get(), inputs, 2, &output, 1);
  };
  const Dims64 transposed = {2, 3};
  EXPECT_EQ(run(View(out, LW_FLOAT32, transposed)), LW_INVALID_SHAPE);
  EXPECT_EQ(run(View(out, LW_FLOAT32, six)), LW_INVALID_SHAPE);
  EXPECT_EQ(run(View(out, LW_INT32, target)), LW_UNSUPPORTED_TYPE);
  EXPECT_EQ(run(View(nullptr, LW_FLOAT32, target)), LW_NULL_DATA);
  EXPECT_EQ(run(View(reinterpret_cast<char*>(out) + 1, LW_FLOAT32, target)),
            LW_MISALIGNED);
  lw_tensor small = good;
  small.bytes = 23;
  EXPECT_EQ(run(small), LW_BUFFER_TOO_SMALL);
  const Dims64 all_one = {0, 0};
  lw_tensor folded = good;
  folded.strides = all_one.data();
  EXPECT_EQ(run(folded), LW_OVERLAP);
  EXPECT_EQ(lw_op_run(op.get(), inputs, 2, &good, 0), LW_WRONG_COUNT);
  EXPECT_EQ(lw_op_run(op.get(), inputs, 2, &good, 2), LW_WRONG_COUNT);
  EXPECT_EQ(lw_op_run(op.get(), inputs, 3, &good, 1), LW_WRONG_COUNT);
  EXPECT_TRUE(IsUntouched(out, sizeof(out)));
  EXPECT_EQ(run(good), LW_OK) << lw_last_error();
}

TEST(Reshape, EmptyTensorsNeedNoMemory) {
  const Dims64 strides = {1, 99};
  for (const ReshapeType& type : kReshapeTypes) {
    const Dims64 none = {0, 3};
    const Dims64 other = {4, 0, 7};
    lw_tensor in = View(nullptr, type.type, none);
    const lw_tensor out = View(nullptr, type.type, other);
    EXPECT_EQ(RunReshape(nullptr, 25, in, out), LW_OK) << lw_last_error();
    in.strides = strides.data();
    EXPECT_EQ(RunReshape(nullptr, 25, in, out), LW_OK) << lw_last_error();
  }
}

TEST(Reshape, ScalarsToOneElementAndBack) {
  for (const int32_t version : kReshapeVersions) {
    float value = 1.5f;
    float ones = 0;
    float back = 0;
    const Dims64 dims = {1, 1, 1};
    const lw_tensor scalar = View(&value, LW_FLOAT32, {});
    const lw_tensor cube = View(&ones, LW_FLOAT32, dims);
    ASSERT_EQ(RunReshape(nullptr, version, scalar, cube), LW_OK)
        << lw_last_error();
    EXPECT_EQ(ones, 1.5f);
    ASSERT_EQ(RunReshape(nullptr, version, cube, View(&back, LW_FLOAT32, {})),
              LW_OK)
        << lw_last_error();
    EXPECT_EQ(back, 1.5f);
  }
}

// Larger than any cache, so that stores bypass the caches, on all threads.
TEST(Reshape, LargeCopiesOnManyThreads) {
  constexpr size_t kBytes = (70 << 20) + 4 * 12345 + 3;
  Bytes in = RandomBytes(kBytes);
  Bytes out(kBytes + 64);
  for (const ReshapeType& type : kReshapeTypes) {
    if (type.bits != 32 && type.bits > 8) continue;
    if (type.bits == 8 && type.type != LW_UINT8) continue;
    const size_t size = std::max<size_t>(type.bits / 8, 1);
    // Neither side is aligned to a vector, and their offsets differ.
    uint8_t* from = in.data() + 4;
    uint8_t* to = out.data() + 12;
    const size_t elements = (kBytes - 8) / size * (type.bits < 8 ? 8 : 1) /
                            (type.bits < 8 ? type.bits : 1);
    const auto count = static_cast<int64_t>(elements) - 1;
    const size_t bytes = ReshapeBytes(type, static_cast<size_t>(count));
    ASSERT_GT(bytes, size_t{64} << 20);
    for (const ThreadingCase& threading : AllThreading()) {
      if (std::strstr(threading.name, "1 thread") != nullptr) continue;
      SCOPED_TRACE(threading.name);
      Untouch(out.data(), out.size());
      const EnginePtr engine = MakeEngine(OptionsFor(threading));
      ASSERT_EQ(RunReshape(engine.get(), 25, View(from, type.type, {count}),
                           View(to, type.type, {count, 1})),
                LW_OK)
          << lw_last_error();
      ASSERT_EQ(std::memcmp(from, to, bytes), 0) << lw_type_name(type.type);
      EXPECT_TRUE(IsUntouched(out.data(), 12));
      EXPECT_TRUE(IsUntouched(to + bytes, out.size() - 12 - bytes));
    }
  }
}

// Lengths around chunk boundaries, with and without streaming stores.
TEST_P(ReshapeCopy, ChunksMeet) {
  const Bytes in = RandomBytes(100'000);
  for (const std::string& tuning :
       {EagerThreads(), EagerThreads() + EagerStreaming()}) {
    const EnginePtr engine = MakeTunedEngine(Options(), isa().name, tuning);
    for (const ReshapeType& type : kReshapeTypes) {
      for (const int64_t n : {1023, 1024, 1025, 2047, 3073, 4099}) {
        const size_t bytes = ReshapeBytes(type, static_cast<size_t>(n));
        Bytes out(bytes + 100, kUntouched);
        ASSERT_EQ(
            RunReshape(engine.get(), 25,
                       View(const_cast<uint8_t*>(in.data()), type.type, {n}),
                       View(out.data(), type.type, {n, 1})),
            LW_OK)
            << lw_last_error();
        ASSERT_EQ(std::memcmp(in.data(), out.data(), bytes), 0)
            << n << " of " << lw_type_name(type.type);
        ASSERT_TRUE(IsUntouched(out.data() + bytes, 100));
      }
    }
  }
}

}  // namespace
}  // namespace lanewise::test
