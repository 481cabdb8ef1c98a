// SPDX-License-Identifier: Apache-2.0
//
// Reshape between tensors that are not contiguous, and of strings, which the
// host's callback copies.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "lanewise/lanewise.h"
#include "tests/kernels/movement/reshape_calls.h"
#include "tests/support/check_strides.h"
#include "tests/support/engines.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/strided.h"

namespace lanewise::test {
namespace {

// Reshapes from the input strides of one layout to the output strides of
// another. Dims and strides differ, the elements keep their row-major order,
// and gaps are not written.
void CheckReshape(const lw_engine* engine, lw_type type, const Layout& from,
                  const Layout& to) {
  const auto count = static_cast<size_t>(Count(from.dims));
  const StridedMemory in(type, from.dims, from.in);
  in.Fill(RandomBits(type, count));
  const Array values = in.Read();  // with stride 0, the last write remains
  const StridedMemory out(type, to.dims, to.out);
  out.Fill(values);
  const std::vector<uint8_t> whole(out.base(), out.base() + out.bytes());
  Untouch(const_cast<uint8_t*>(out.base()), out.bytes());

  ASSERT_EQ(RunReshape(engine, 25, in.view(), out.view()), LW_OK)
      << lw_last_error();
  ASSERT_TRUE(SameBits(out.Read(), values));
  ASSERT_EQ(FirstDifference(out.base(), whole.data(), whole.size(), 1),
            whole.size())
      << "a gap between elements was written to";
  ASSERT_TRUE(SameBits(in.Read(), values));
}

void CheckAllPairs(const lw_engine* engine, lw_type type) {
  for (const Layout& from : AllLayouts()) {
    for (const Layout& to : AllLayouts()) {
      if (Count(from.dims) != Count(to.dims)) continue;
      SCOPED_TRACE(std::string(lw_type_name(type)) + " from: " + from.name +
                   ", to: " + to.name);
      CheckReshape(engine, type, from, to);
      if (testing::Test::HasFailure()) return;
    }
  }
}

constexpr lw_type kOneOfEachSize[] = {LW_BOOL,       LW_BFLOAT16, LW_FLOAT8E8M0,
                                      LW_FLOAT32,    LW_FLOAT64,  LW_COMPLEX64,
                                      LW_COMPLEX128, LW_STRING};

class ReshapeStrides : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, ReshapeStrides, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(ReshapeStrides, AnyLayoutToAnyOther) {
  for (const lw_type type : kOneOfEachSize) CheckAllPairs(isa().engine, type);
}

TEST(ReshapeStrides, AnyLayoutOnManyThreads) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine =
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0),
                        EagerThreads() + EagerStreaming());
    for (const lw_type type : {LW_UINT8, LW_FLOAT32, LW_COMPLEX128}) {
      CheckAllPairs(engine.get(), type);
    }
  }
}

// 48 MB on each side, with the built-in tuning.
TEST(ReshapeStrides, LargeTransposedOnBothSides) {
  const Layout from = {"", {3000, 4000}, {1, 3000}, {}};
  const Layout to = {"", {400, 30000}, {}, {1, 400}};
  const Layout flat = {"", {12'000'000}, {}, {}};
  CheckReshape(nullptr, LW_FLOAT32, from, flat);
  CheckReshape(nullptr, LW_FLOAT32, flat, to);
  CheckReshape(nullptr, LW_FLOAT32, from, to);
}

// A repeated row of the input has the input's row length, not the output's.
TEST(ReshapeStrides, RowsOfAnotherLengthOnBothSides) {
  const Layout gaps = {"", {2000}, {2}, {}};
  const Layout to = {"", {40, 50}, {}, {64, 1}};
  CheckReshape(nullptr, LW_FLOAT32, gaps, to);
  const Layout repeated = {"", {100, 96}, {0, 1}, {}};
  const Layout other = {"", {150, 64}, {}, {128, 1}};
  CheckReshape(nullptr, LW_FLOAT32, repeated, other);
}

// complex64 is aligned like its parts, half of its size.
TEST(ReshapeStrides, Complex64AtFourBytes) {
  alignas(8) float in[1 + 2 * 40];
  alignas(8) float out[1 + 2 * 40] = {};
  std::iota(std::begin(in), std::end(in), 0.0f);
  const int64_t in_dims[] = {20};
  const int64_t out_dims[] = {4, 5};
  const int64_t in_strides[] = {2};
  const int64_t out_strides[] = {10, 2};
  for (const int strided : {1, 2, 3}) {
    const lw_tensor from = {
        in + 1, LW_COMPLEX64, 1, in_dims, strided & 1 ? in_strides : nullptr,
        0};
    const lw_tensor to = {
        out + 1, LW_COMPLEX64, 2, out_dims, strided & 2 ? out_strides : nullptr,
        0};
    ASSERT_EQ(RunReshape(nullptr, 25, from, to), LW_OK) << lw_last_error();
    for (int i = 0; i < 20; ++i) {
      const float* source = in + 1 + 2 * (strided & 1 ? 2 * i : i);
      const float* copy = out + 1 + 2 * (strided & 2 ? 2 * i : i);
      ASSERT_EQ(std::memcmp(source, copy, 8), 0) << i << " " << strided;
    }
  }
}

// If the host sets no string type, an element is two words, and the characters
// stay where they are.
TEST(ReshapeStrings, AnLwStringIsCopiedAsItsTwoWords) {
  const char* text = "shared, not copied";
  std::vector<lw_string> in;
  for (size_t i = 0; i < 1000; ++i) in.push_back({text + i % 18, i});
  std::vector<lw_string> out(1000);
  const int64_t from[] = {1000};
  const int64_t to[] = {10, 100};
  const int64_t backwards[] = {-1};
  lw_tensor source = {in.data(), LW_STRING, 1, from, nullptr, 16000};
  const lw_tensor target = {out.data(), LW_STRING, 2, to, nullptr, 16000};
  ASSERT_EQ(RunReshape(nullptr, 5, source, target), LW_OK) << lw_last_error();
  for (size_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(out[i].data, in[i].data);
    ASSERT_EQ(out[i].size, in[i].size);
  }
  source.data = &in[999];
  source.strides = backwards;
  ASSERT_EQ(RunReshape(nullptr, 5, source, target), LW_OK) << lw_last_error();
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(out[i].size, in[999 - i].size);
}

// A host whose strings are std::string, like onnxruntime.
struct CopyCalls {
  size_t calls = 0;
  size_t elements = 0;
};
void CopyStdStrings(void* context, void* destination, const void* source,
                    size_t count) {
  auto* calls = static_cast<CopyCalls*>(context);
  ++calls->calls;
  calls->elements += count;
  const auto* from = static_cast<const std::string*>(source);
  auto* to = static_cast<std::string*>(destination);
  for (size_t i = 0; i < count; ++i) to[i] = from[i];
}

class ReshapeHostStrings : public testing::Test {
 protected:
  void SetUp() override {
    lw_engine_options options = Options();
    options.string_type = {sizeof(std::string), alignof(std::string),
                           CopyStdStrings, nullptr, &calls_};
    engine_ = MakeEngine(options);
  }

  // Strings both short enough for the object itself and allocated on the heap.
  static std::string Value(size_t i) {
    return std::string(i % 40, 'x') + std::to_string(i);
  }

  CopyCalls calls_;
  EnginePtr engine_;
};

TEST_F(ReshapeHostStrings, ValuesAreCopied) {
  std::vector<std::string> in;
  for (size_t i = 0; i < 10'000; ++i) in.push_back(Value(i));
  std::vector<std::string> out(10'000, "as long as it was before, or longer");
  const int64_t from[] = {100, 100};
  const int64_t to[] = {10, 50, 20};
  for (const int32_t version : kReshapeVersions) {
    if (version < 5) continue;
    ASSERT_EQ(RunReshape(engine_.get(), version,
                         {in.data(), LW_STRING, 2, from, nullptr, 0},
                         {out.data(), LW_STRING, 3, to, nullptr, 0}),
              LW_OK)
        << lw_last_error();
    ASSERT_EQ(out, in);
    EXPECT_NE(out[39].data(), in[39].data());
    EXPECT_EQ(calls_.calls, 1u) << "expected one run";
    EXPECT_EQ(calls_.elements, 10'000u);
    calls_ = {};
    out.assign(out.size(), "");
  }
}

TEST_F(ReshapeHostStrings, AnyLayoutToAnyOther) {
  for (const Layout& from : AllLayouts()) {
    for (const Layout& to : AllLayouts()) {
      const int64_t count = Count(from.dims);
      if (count != Count(to.dims)) continue;
      SCOPED_TRACE(std::string(from.name) + " to " + to.name);
      // Space on both sides for strides of any direction.
      constexpr int64_t kRoom = 16'000;
      std::vector<std::string> in;
      for (int64_t i = 0; i < 2 * kRoom; ++i) {
        in.push_back(Value(static_cast<size_t>(i)));
      }
      std::vector<std::string> out(2 * kRoom, "untouched");
      Tensor source = {LW_STRING, &in[kRoom], from.dims, from.in};
      Tensor target = {LW_STRING, &out[kRoom], to.dims, to.out};
      ASSERT_EQ(RunReshape(engine_.get(), 25, source.view(), target.view()),
                LW_OK)
          << lw_last_error();

      std::vector<std::string> expected(2 * kRoom, "untouched");
      const auto at = [](const Dims64& dims, const Dims64& strides, int64_t i) {
        return static_cast<size_t>(
            kRoom +
            OffsetOf(dims, strides.empty() ? RowMajor(dims) : strides, i));
      };
      for (int64_t i = 0; i < count; ++i) {
        expected[at(to.dims, to.out, i)] = in[at(from.dims, from.in, i)];
      }
      ASSERT_EQ(out, expected);
      EXPECT_EQ(calls_.elements, static_cast<size_t>(count));
      calls_ = {};
    }
  }
}

TEST_F(ReshapeHostStrings, AViewCopiesNone) {
  std::vector<std::string> strings = {"a", "b", "c", "d"};
  const int64_t from[] = {4};
  const int64_t to[] = {2, 2};
  ASSERT_EQ(RunReshape(engine_.get(), 14,
                       {strings.data(), LW_STRING, 1, from, nullptr, 0},
                       {strings.data(), LW_STRING, 2, to, nullptr, 0}),
            LW_OK)
      << lw_last_error();
  EXPECT_EQ(calls_.calls, 0u);
}

TEST_F(ReshapeHostStrings, ErrorsCopyNone) {
  std::vector<std::string> in(6, "in");
  std::vector<std::string> out(6, "out");
  const std::vector<std::string> before = out;
  const int64_t from[] = {4};
  const int64_t to[] = {2, 2};
  const size_t size = 4 * sizeof(std::string);
  const lw_tensor source = {in.data(), LW_STRING, 1, from, nullptr, size};
  const auto run = [&](void* data, size_t bytes) {
    return RunReshape(engine_.get(), 14, source,
                      {data, LW_STRING, 2, to, nullptr, bytes});
  };
  EXPECT_EQ(run(nullptr, 0), LW_NULL_DATA);
  EXPECT_EQ(run(reinterpret_cast<char*>(out.data()) + 4, 0), LW_MISALIGNED);
  EXPECT_EQ(run(out.data(), size - 1), LW_BUFFER_TOO_SMALL);
  EXPECT_EQ(run(&in[1], 0), LW_OVERLAP);
  EXPECT_EQ(calls_.calls, 0u);
  EXPECT_EQ(out, before);
  EXPECT_EQ(run(out.data(), size), LW_OK) << lw_last_error();
}

TEST(ReshapeStrings, AStringTypeNeedsSizeAndCopy) {
  const auto create = [](const lw_string_type& type) {
    lw_engine_options options = Options();
    options.string_type = type;
    lw_engine* engine = nullptr;
    const lw_status status = lw_engine_create(&options, &engine);
    EXPECT_EQ(engine != nullptr, status == LW_OK);
    lw_engine_destroy(engine);
    return status;
  };
  EXPECT_EQ(create({0, 0, CopyStdStrings, nullptr, nullptr}),
            LW_INVALID_ARGUMENT);
  EXPECT_EQ(create({32, 8, nullptr, nullptr, nullptr}), LW_INVALID_ARGUMENT);
  EXPECT_EQ(create({32, 12, CopyStdStrings, nullptr, nullptr}),
            LW_INVALID_ARGUMENT);
  EXPECT_EQ(create({32, 0, CopyStdStrings, nullptr, nullptr}), LW_OK);
}

}  // namespace
}  // namespace lanewise::test
