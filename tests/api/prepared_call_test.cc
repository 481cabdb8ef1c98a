// SPDX-License-Identifier: Apache-2.0
//
// Prepared calls: they give what lw_op_run gives, on any pointers, outlive all
// that they were made from, and refuse pointers that cannot be right.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/guarded.h"
#include "tests/support/samples.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

CallPtr MakeCall(const lw_op* op, const std::vector<lw_tensor>& inputs,
                 const lw_tensor& output) {
  lw_call* call = nullptr;
  EXPECT_EQ(lw_call_create(op, inputs.data(), inputs.size(), &output, 1, &call),
            LW_OK)
      << lw_last_error();
  return CallPtr(call);
}

lw_status RunCall(const CallPtr& call, const std::vector<const void*>& inputs,
                  void* output) {
  return lw_call_run(call.get(), inputs.data(), &output);
}

/// A tensor of any layout in memory of its own, with bytes on both sides.
class Buffer {
 public:
  Buffer(lw_type type, Dims64 dims, Dims64 strides, uint64_t seed) {
    int64_t low = 0;
    int64_t high = 0;
    const Dims64 steps = strides.empty() ? RowMajor(dims) : strides;
    for (size_t i = 0; i < dims.size() && Count(dims) != 0; ++i) {
      (steps[i] < 0 ? low : high) += (dims[i] - 1) * steps[i];
    }
    memory_ = RandomBits(
        type, static_cast<size_t>(high - low) + 1 + 2 * kAround, seed);
    tensor_ = {type, memory_.at(kAround + static_cast<size_t>(-low)),
               std::move(dims), std::move(strides)};
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* data() const { return tensor_.data; }
  lw_tensor view() const { return tensor_.view(); }
  const Array& memory() const { return memory_; }

 private:
  static constexpr size_t kAround = 8;
  Array memory_;
  Tensor tensor_;
};

struct Side {
  Dims64 dims;
  Dims64 strides = {};
};

/// One call of an operator.
struct Case {
  OpId op;
  lw_type type;
  std::vector<Side> inputs;
  Side output;
  std::vector<int64_t> target = {};  ///< the data of Reshape's second input
};

// One call, prepared without data, against lw_op_run on new memory each time.
void ExpectSame(const lw_engine* engine, const Case& test) {
  const OpPtr op = MakeOp(engine, test.op);
  std::vector<int64_t> target = test.target;
  const auto targets = static_cast<int64_t>(target.size());
  const lw_tensor shape = {target.data(), LW_INT64, 1, &targets, nullptr, 0};
  CallPtr call;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<lw_tensor> inputs;
    std::vector<const void*> pointers;
    for (const Side& side : test.inputs) {
      buffers.push_back(std::make_unique<Buffer>(
          test.type, side.dims, side.strides, 10 * seed + inputs.size()));
      inputs.push_back(buffers.back()->view());
      pointers.push_back(buffers.back()->data());
    }
    if (targets != 0) {
      inputs.push_back(shape);
      pointers.push_back(nullptr);
    }
    const Buffer wanted(test.type, test.output.dims, test.output.strides, 1);
    const Buffer actual(test.type, test.output.dims, test.output.strides, 1);
    lw_tensor output = wanted.view();
    const lw_status status =
        lw_op_run(op.get(), inputs.data(), inputs.size(), &output, 1);
    ASSERT_TRUE(status == LW_OK || status == LW_DIVIDE_BY_ZERO)
        << lw_last_error();

    if (call == nullptr) {
      for (size_t i = 0; i < test.inputs.size(); ++i) inputs[i].data = nullptr;
      output.data = nullptr;
      call = MakeCall(op.get(), inputs, output);
      ASSERT_NE(call, nullptr);
    }
    ASSERT_EQ(RunCall(call, pointers, actual.data()), status)
        << lw_last_error();
    ASSERT_TRUE(SameBits(actual.memory(), wanted.memory()));
  }
}

std::vector<Case> AllCases() {
  const OpId relu = {"Relu", 14};
  const OpId div = {"Div", 14, 2};
  const OpId reshape = {"Reshape", 25};
  std::vector<Case> cases = {
      {relu, LW_FLOAT16, {{{}}}, {{}}},
      {relu, LW_INT8, {{{0, 3}}}, {{0, 3}}},
      {div, LW_FLOAT32, {{{}}, {{}}}, {{}}},
      {div, LW_FLOAT32, {{{3, 40}}, {{3, 40}}}, {{3, 40}}},
      {div, LW_FLOAT64, {{{3, 40}}, {{}}}, {{3, 40}}},
      {div, LW_INT8, {{{1, 1}}, {{3, 40}}}, {{3, 40}}},
      {div, LW_UINT16, {{{3, 40}}, {{40}}}, {{3, 40}}},
      {div, LW_INT32, {{{3, 40}}, {{3, 1}}}, {{3, 40}}},
      {div, LW_INT64, {{{3, 1}}, {{40}}}, {{3, 40}}},
      {div, LW_FLOAT16, {{{60, 3}}, {{3}}}, {{60, 3}}},
      {div, LW_BFLOAT16, {{{60, 3}}, {{60, 1}}}, {{60, 3}}},
      {div, LW_INT16, {{{2, 1, 4, 1}}, {{5, 1, 6}}}, {{2, 5, 4, 6}}},
      {div, LW_FLOAT32, {{{5, 4}, {1, 5}}, {{4}, {-1}}}, {{5, 4}, {-4, 1}}},
      {div, LW_INT32, {{{5, 0}}, {{5, 1}}}, {{5, 0}}},
      {reshape, LW_COMPLEX128, {{{3, 4}}}, {{2, 6}}, {2, 6}},
      {reshape, LW_BOOL, {{{}}}, {{1, 1}}, {1, 1}},
      {reshape, LW_FLOAT32, {{{3, 4}, {1, 3}}}, {{2, 6}, {12, -2}}, {-1, 6}},
      {reshape, LW_UINT4, {{{7}}}, {{7, 1}}, {7, 1}},
      {reshape, LW_INT2, {{{3, 7}}}, {{21}}, {-1}},
      {reshape, LW_FLOAT4E2M1, {{{40}}}, {{8, 5}}, {8, -1}},
      {reshape, LW_INT8, {{{0, 3}}}, {{0}}, {0}},
  };
  for (const Layout& layout : AllLayouts()) {
    cases.push_back({relu,
                     LW_FLOAT32,
                     {{layout.dims, layout.in}},
                     {layout.dims, layout.out}});
  }
  return cases;
}

TEST(PreparedCall, GivesWhatLwOpRunGives) {
  for (const Case& test : AllCases()) {
    SCOPED_TRACE(std::string(test.op.name) + " " + lw_type_name(test.type));
    ExpectSame(nullptr, test);
  }
}

TEST(PreparedCall, GivesTheSameOnAnyThreads) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    const EnginePtr engine =
        MakeTunedEngine(OptionsFor(threading), lw_isa_name(0), EagerThreads());
    for (const Case& test : std::vector<Case>{
             {{"Relu", 14}, LW_INT16, {{{9999}}}, {{9999}}},
             {{"Div", 14}, LW_INT8, {{{99, 101}}, {{101}}}, {{99, 101}}},
             {{"Relu", 14}, LW_FLOAT64, {{{70, 90}, {1, 70}}}, {{70, 90}}}}) {
      ExpectSame(engine.get(), test);
    }
  }
}

TEST(PreparedCall, RunsInPlace) {
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  for (const Side& side : {Side{{20}}, Side{{4, 5}, {-1, 7}}}) {
    const Buffer there(LW_INT8, side.dims, side.strides, 5);
    const Buffer expected(LW_INT8, side.dims, side.strides, 5);
    const lw_tensor view = expected.view();
    ASSERT_EQ(lw_op_run(relu.get(), &view, 1, &view, 1), LW_OK);
    const CallPtr call = MakeCall(relu.get(), {view}, view);
    EXPECT_EQ(RunCall(call, {there.data()}, there.data()), LW_OK);
    EXPECT_TRUE(SameBits(there.memory(), expected.memory()));
  }
}

// Nothing moves: it would not even matter if nobody may touch the memory.
TEST(PreparedCall, ViewsTouchNothing) {
  const OpPtr reshape = MakeOp(nullptr, {"Reshape", 14});
  const int64_t target[] = {6};
  const int64_t dims[] = {2, 3};
  const int64_t one = 1;
  const lw_tensor in = {nullptr, LW_FLOAT32, 2, dims, nullptr, 0};
  const lw_tensor out = {nullptr, LW_FLOAT32, 1, target, nullptr, 0};
  const lw_tensor shape = {
      const_cast<int64_t*>(target), LW_INT64, 1, &one, nullptr, 0};
  const CallPtr call = MakeCall(reshape.get(), {in, shape}, out);
  const GuardedMemory memory(64);
  uint8_t* forbidden = memory.high() + 64;
  EXPECT_EQ(RunCall(call, {forbidden, nullptr}, forbidden), LW_OK);
}

// What a column-major matrix holds is no view of it in row-major order.
TEST(PreparedCall, StridedTensorsAreNoViews) {
  const OpPtr reshape = MakeOp(nullptr, {"Reshape", 14});
  int64_t target[] = {6};
  const int64_t one = 1;
  const Buffer in(LW_FLOAT32, {2, 3}, {1, 2}, 1);
  const Buffer before(LW_FLOAT32, {2, 3}, {1, 2}, 1);
  const lw_tensor shape = {target, LW_INT64, 1, &one, nullptr, 0};
  const lw_tensor out = {nullptr, LW_FLOAT32, 1, target, nullptr, 0};
  const CallPtr call = MakeCall(reshape.get(), {in.view(), shape}, out);
  EXPECT_EQ(RunCall(call, {in.data(), nullptr}, in.data()), LW_OVERLAP);
  EXPECT_TRUE(SameBits(in.memory(), before.memory()));
}

TEST(PreparedCall, EmptyTensorsNeedNoPointers) {
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  const Tensor none = {LW_FLOAT32, nullptr, {3, 0}};
  const CallPtr call = MakeCall(relu.get(), {none.view()}, none.view());
  EXPECT_EQ(RunCall(call, {nullptr}, nullptr), LW_OK);
  EXPECT_EQ(lw_call_run(call.get(), nullptr, nullptr), LW_OK);
}

// ---- What is refused --------------------------------------------------------

class PreparedCallMemory : public testing::Test {
 protected:
  static constexpr size_t kSize = 1024;

  PreparedCallMemory() { Untouch(memory_, kSize); }

  void ExpectRefused(lw_status actual, lw_status status,
                     const std::string& start) {
    EXPECT_STREQ(lw_status_name(actual), lw_status_name(status));
    EXPECT_EQ(std::string(lw_last_error()).rfind(start, 0), 0u)
        << lw_last_error();
    EXPECT_TRUE(IsUntouched(memory_, kSize));
  }

  alignas(64) uint8_t memory_[kSize];
  const OpPtr div_ = MakeOp(nullptr, {"Div", 14});
  const Tensor whole_ = {LW_FLOAT32, nullptr, {4, 20}};
  const Tensor row_ = {LW_FLOAT32, nullptr, {20}};
  const CallPtr call_ =
      MakeCall(div_.get(), {whole_.view(), row_.view()}, whole_.view());
};

TEST_F(PreparedCallMemory, BadPointers) {
  uint8_t* a = memory_;
  uint8_t* b = memory_ + 320;
  uint8_t* out = memory_ + 400;
  const auto refuse = [&](const void* in_a, const void* in_b, void* to,
                          lw_status status, const char* start) {
    ExpectRefused(RunCall(call_, {in_a, in_b}, to), status, start);
  };
  refuse(nullptr, b, out, LW_NULL_DATA, "Div-14: input 0: ");
  refuse(a, nullptr, out, LW_NULL_DATA, "Div-14: input 1: ");
  refuse(a, b, nullptr, LW_NULL_DATA, "Div-14: output 0: ");
  refuse(a + 2, b, out, LW_MISALIGNED, "Div-14: input 0: ");
  refuse(a, b + 1, out, LW_MISALIGNED, "Div-14: input 1: ");
  refuse(a, b, out + 3, LW_MISALIGNED, "Div-14: output 0: ");
  for (const ptrdiff_t shift : {-316, -4, 4, 316}) {
    refuse(out + shift, memory_, out, LW_OVERLAP,
           "Div-14: output 0 overlaps input 0 ");
  }
  // The row is shorter than the output: it cannot be in place.
  for (const ptrdiff_t shift : {-76, 0, 4, 240, 316}) {
    refuse(out, out + shift, out, LW_OVERLAP,
           "Div-14: output 0 overlaps input 1 ");
  }
  EXPECT_EQ(RunCall(call_, {out, out - 80}, out), LW_OK);
}

TEST_F(PreparedCallMemory, NeighboursRun) {
  uint8_t* out = memory_ + 400;
  EXPECT_EQ(RunCall(call_, {out - 320, out + 320}, out), LW_OK);
  EXPECT_EQ(RunCall(call_, {out + 320, out - 80}, out), LW_OK);
}

TEST_F(PreparedCallMemory, NoPointersAtAll) {
  const void* const inputs[] = {memory_, memory_ + 320};
  void* const outputs[] = {memory_ + 400};
  ExpectRefused(lw_call_run(call_.get(), nullptr, outputs), LW_INVALID_ARGUMENT,
                "Div-14: inputs ");
  ExpectRefused(lw_call_run(call_.get(), inputs, nullptr), LW_INVALID_ARGUMENT,
                "Div-14: outputs ");
  ExpectRefused(lw_call_run(nullptr, inputs, outputs), LW_INVALID_ARGUMENT,
                "lw_call_run: call ");
  ExpectRefused(lw_call_run_with(nullptr, nullptr, inputs, outputs),
                LW_INVALID_ARGUMENT, "lw_call_run_with: call ");
  lw_call_destroy(nullptr);
}

// Shapes, types, strides and counts are refused when the call is made.
TEST_F(PreparedCallMemory, BadTensors) {
  const Tensor half = {LW_FLOAT64, nullptr, {20}};
  const Tensor other = {LW_FLOAT32, nullptr, {20, 4}};
  const Tensor folded = {LW_FLOAT32, nullptr, {4, 20}, {0, 1}};
  lw_tensor small = row_.view();
  small.bytes = 79;
  const lw_tensor whole = whole_.view();
  const struct {
    lw_tensor b;
    lw_tensor out;
    size_t inputs;
    lw_status status;
  } cases[] = {{half.view(), whole, 2, LW_UNSUPPORTED_TYPE},
               {other.view(), whole, 2, LW_INVALID_SHAPE},
               {row_.view(), other.view(), 2, LW_INVALID_SHAPE},
               {row_.view(), folded.view(), 2, LW_OVERLAP},
               {small, whole, 2, LW_BUFFER_TOO_SMALL},
               {row_.view(), whole, 1, LW_WRONG_COUNT}};
  for (const auto& test : cases) {
    const lw_tensor inputs[] = {whole, test.b};
    lw_call* call = nullptr;
    ExpectRefused(
        lw_call_create(div_.get(), inputs, test.inputs, &test.out, 1, &call),
        test.status, "Div-14: ");
    EXPECT_EQ(call, nullptr);
  }
  const lw_tensor inputs[] = {whole, whole};
  lw_call* call = nullptr;
  ExpectRefused(lw_call_create(nullptr, inputs, 2, &whole, 1, &call),
                LW_INVALID_ARGUMENT, "lw_call_create: op ");
  ExpectRefused(lw_call_create(div_.get(), inputs, 2, &whole, 1, nullptr),
                LW_INVALID_ARGUMENT, "lw_call_create: call ");
}

// ---- What a call needs of what it was made from -----------------------------

TEST(PreparedCall, OutlivesItsOperatorAndEngine) {
  EnginePtr engine = MakeEngine(Options());
  OpPtr op = MakeOp(engine.get(), {"Div", 14});
  const Tensor in = {LW_INT32, nullptr, {3, 4}, {1, 3}};
  const Tensor scalar = {LW_INT32, nullptr, {}};
  const Tensor whole = {LW_INT32, nullptr, {3, 4}};
  const CallPtr call =
      MakeCall(op.get(), {in.view(), scalar.view()}, whole.view());
  engine.reset();
  op.reset();
  const int32_t a[] = {0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23};
  const int32_t two = 2;
  int32_t out[12];
  ASSERT_EQ(RunCall(call, {a, &two}, out), LW_OK);
  EXPECT_EQ(std::vector<int32_t>(out, out + 12),
            (std::vector<int32_t>{0, 0, 1, 1, 5, 5, 6, 6, 10, 10, 11, 11}));
  EXPECT_EQ(RunCall(call, {a, nullptr}, out), LW_NULL_DATA);
  EXPECT_EQ(std::string(lw_last_error()).rfind("Div-14: ", 0), 0u);
}

// Shapes are asked for again where memory is shared: in place, side by side, or
// wrong. By then the caller's arrays hold something else.
TEST(PreparedCall, HasDimsAndStridesOfItsOwn) {
  const OpPtr relu = MakeOp(nullptr, {"Relu", 14});
  const auto make = [&](const Dims64& strides, Tensor* in, Tensor* out) {
    *in = *out = {LW_INT8, nullptr, {2, 5}, strides};
    CallPtr call = MakeCall(relu.get(), {in->view()}, out->view());
    in->dims = {-1, 77};
    out->dims = {INT64_MAX, 3};
    in->strides = {0, 1 << 30};
    out->strides = {INT64_MIN, 1};
    return call;
  };
  Tensor tensors[4];
  const CallPtr dense = make({5, 1}, &tensors[0], &tensors[1]);
  const CallPtr spread = make({10, 2}, &tensors[2], &tensors[3]);
  std::vector<int8_t> memory(32, -1);
  const auto zeros = [&] {
    return std::count(memory.begin(), memory.end(), 0);
  };
  EXPECT_EQ(RunCall(dense, {&memory[0]}, &memory[2]), LW_OVERLAP);
  EXPECT_EQ(RunCall(dense, {&memory[0]}, &memory[0]), LW_OK);
  EXPECT_EQ(zeros(), 10);
  EXPECT_EQ(RunCall(spread, {&memory[12]}, &memory[14]), LW_OVERLAP);
  EXPECT_EQ(RunCall(spread, {&memory[12]}, &memory[13]), LW_OK)
      << lw_last_error();
  EXPECT_EQ(zeros(), 20);
}

// Of the target nothing is left to be read when the call runs.
TEST(PreparedCall, ReadsATargetOnce) {
  const OpPtr op = MakeOp(nullptr, {"Reshape", 14});
  const Tensor in = {LW_INT8, nullptr, {6}};
  const Tensor out = {LW_INT8, nullptr, {2, 3}};
  auto target = std::make_unique<Dims64>(Dims64{2, -1});
  CallPtr call;
  {
    const Tensor shape = {LW_INT64, target->data(), {2}};
    call = MakeCall(op.get(), {in.view(), shape.view()}, out.view());
  }
  *target = {-7, -7};
  target.reset();
  const int8_t from[] = {1, 2, 3, 4, 5, 6};
  int8_t to[6];
  ASSERT_EQ(RunCall(call, {from, nullptr}, to), LW_OK);
  EXPECT_TRUE(std::equal(from, from + 6, to));
}

// ---- Zero divisors, threads -------------------------------------------------

TEST(PreparedCall, TellsOfZeroDivisors) {
  const OpPtr div = MakeOp(nullptr, {"Div", 14});
  const Tensor whole = {LW_INT32, nullptr, {3, 20}};
  const Tensor column = {LW_INT32, nullptr, {3, 1}};
  const CallPtr call =
      MakeCall(div.get(), {whole.view(), column.view()}, whole.view());
  const std::vector<int32_t> a(60, 6);
  std::vector<int32_t> out(60);
  const int32_t some[] = {3, 0, 2};
  EXPECT_EQ(RunCall(call, {a.data(), some}, out.data()), LW_DIVIDE_BY_ZERO);
  EXPECT_EQ(lw_last_zero_divisors().first, 20u);
  EXPECT_EQ(lw_last_zero_divisors().count, 20u);
  EXPECT_EQ(std::string(lw_last_error()).rfind("Div-14: ", 0), 0u);
  EXPECT_EQ(out[19], 2);
  EXPECT_EQ(out[20], 0);
  EXPECT_EQ(out[40], 3);
  const int32_t none[] = {3, -1, 2};
  EXPECT_EQ(RunCall(call, {a.data(), none}, out.data()), LW_OK);
  EXPECT_EQ(out[20], -6);
}

TEST(PreparedCall, IsForManyThreadsAtOnce) {
  const EnginePtr engine =
      MakeTunedEngine(OptionsFor({"host", LW_THREADING_HOST, 2}),
                      lw_isa_name(0), EagerThreads());
  const OpPtr div = MakeOp(engine.get(), {"Div", 14});
  for (const int64_t n : {50, 5000}) {  // on one thread, on two
    const Tensor whole = {LW_INT32, nullptr, {n}};
    const CallPtr call =
        MakeCall(div.get(), {whole.view(), whole.view()}, whole.view());
    const auto work = [&](size_t i) {
      const auto size = static_cast<size_t>(n);
      const auto mine = static_cast<int32_t>(i);
      const std::vector<int32_t> a(size, 10 * mine);
      std::vector<int32_t> b(size, 5);
      b[i] = 0;
      std::vector<int32_t> expected(size, 2 * mine);
      expected[i] = 0;
      for (int round = 0; round < 20; ++round) {
        std::vector<int32_t> out(size, -1);
        EXPECT_EQ(RunCall(call, {a.data(), b.data()}, out.data()),
                  LW_DIVIDE_BY_ZERO);
        EXPECT_EQ(lw_last_zero_divisors().first, i);
        EXPECT_EQ(lw_last_zero_divisors().count, 1u);
        EXPECT_EQ(out, expected);
      }
    };
    std::vector<std::thread> threads;
    for (size_t i = 1; i <= 6; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace lanewise::test
