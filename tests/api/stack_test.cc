// SPDX-License-Identifier: Apache-2.0
//
// A host's threads may have small stacks. No call takes more than 48 KiB of
// stack, on any thread that the call runs on.

#include <gtest/gtest.h>

#include "tests/support/not_run.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LANEWISE_HAS_LARGE_FRAMES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
#define LANEWISE_HAS_LARGE_FRAMES 1
#endif
#endif
// Below -O2, a step of a chain calls the next one instead of jumping to it.
#if !defined(__OPTIMIZE__) || !defined(NDEBUG)
#define LANEWISE_HAS_LARGE_FRAMES 1
#endif

#if defined(_WIN32)
TEST(Stack, Suffices) {
  LANEWISE_NOT_RUN("Windows does not let a test choose the memory of a stack");
}
#elif LANEWISE_HAS_LARGE_FRAMES
TEST(Stack, Suffices) {
  GTEST_SKIP()
      << "only an optimized build (-O2) without sanitizers keeps to 48 KiB";
}
#else

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/chain_parts.h"
#include "tests/support/engines.h"
#include "tests/support/every_way.h"
#include "tests/support/isas.h"
#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

constexpr size_t kMostStack = size_t{48} << 10;

/// A stack with a pattern on it, which shows how far down a call has written.
class PaintedStack {
 public:
  PaintedStack()
      : memory_(
            static_cast<uint8_t*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  ~PaintedStack() { munmap(memory_, kBytes); }
  PaintedStack(const PaintedStack&) = delete;
  PaintedStack& operator=(const PaintedStack&) = delete;

  /// The bytes of stack that `body` takes on a thread of its own.
  template <class Body>
  size_t Measure(const Body& body) {
    std::memset(memory_, kPaint, kBytes);
    struct Start {
      const Body& body;
      uintptr_t top;
    } start = {body, 0};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    EXPECT_EQ(pthread_attr_setstack(&attributes, memory_, kBytes), 0);
    pthread_t thread;
    const auto run = [](void* data) -> void* {
      auto* given = static_cast<Start*>(data);
      given->top = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
      given->body();
      return nullptr;
    };
    EXPECT_EQ(pthread_create(&thread, &attributes, run, &start), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    const uint8_t* lowest = std::find_if_not(
        memory_, memory_ + kBytes, [](uint8_t byte) { return byte == kPaint; });
    return start.top - reinterpret_cast<uintptr_t>(lowest);
  }

 private:
  static constexpr size_t kBytes = size_t{512} << 10;
  static constexpr uint8_t kPaint = 0xA5;
  uint8_t* memory_;
};

PaintedStack& CallersStack() {
  static PaintedStack& stack = *new PaintedStack;
  return stack;
}

/// A host's parallel_for with a thread of little stack for each task, which
/// notes the most that a task took.
int32_t RunOnPaint(void* most, lw_task task, size_t count, void* data) {
  static PaintedStack& stack = *new PaintedStack;
  for (size_t i = 0; i < count; ++i) {
    auto* known = static_cast<size_t*>(most);
    *known = std::max(*known, stack.Measure([&] { task(data, i); }));
  }
  return 0;
}

/// How the elements of an operand lie.
enum class Lay { kRows, kTransposed, kApart };

/// Tensors of float32 of any shape, each in memory of its own.
class Tensors {
 public:
  void Add(const Dims64& dims, Lay lay) {
    Tensor& tensor = tensors_.emplace_back();
    tensor = {LW_FLOAT32, nullptr, dims};
    int64_t reach = Count(dims);
    if (lay != Lay::kRows) {
      Dims64 turned(dims.rbegin(), dims.rend());
      tensor.strides =
          lay == Lay::kTransposed ? RowMajor(turned) : RowMajor(dims);
      if (lay == Lay::kTransposed) {
        std::reverse(tensor.strides.begin(), tensor.strides.end());
      } else {
        for (int64_t& stride : tensor.strides) stride *= 3;
        reach *= 3;
      }
    }
    memory_.emplace_back(static_cast<size_t>(reach), 1.0f);
    tensor.data = memory_.back().data();
  }
  std::vector<lw_tensor> views() const {
    std::vector<lw_tensor> views;
    for (const Tensor& tensor : tensors_) views.push_back(tensor.view());
    return views;
  }

 private:
  std::deque<Tensor> tensors_;
  std::deque<std::vector<float>> memory_;
};

/// A rank of 64 whose dims do not join where operands differ in their layouts.
Dims64 ManyDims() {
  Dims64 dims(LW_MAX_RANK, 1);
  for (size_t i = 0; i < 12; ++i) dims[5 * i] = 2;
  return dims;
}

/// Inputs and outputs of a call.
struct Operands {
  std::vector<lw_tensor> all;
  size_t inputs;
  const lw_tensor* outputs() const { return all.data() + inputs; }
  size_t output_count() const { return all.size() - inputs; }
};

/// The same shape for all operands; every second one lies differently.
Operands Alike(Tensors* tensors, const Dims64& dims, size_t inputs,
               size_t outputs, Lay even, Lay odd) {
  for (size_t k = 0; k < inputs + outputs; ++k) {
    tensors->Add(dims, k % 2 == 0 ? even : odd);
  }
  return {tensors->views(), inputs};
}

/// Measures `body`, which returns a status. The loader's work at the first call
/// of a function is not the library's.
template <class Body>
void Expect(const std::string& what, const Body& body) {
  SCOPED_TRACE(what);
  ASSERT_EQ(body(), LW_OK) << lw_last_error();
  lw_status status = LW_OK;
  const size_t bytes = CallersStack().Measure([&] { status = body(); });
  EXPECT_EQ(status, LW_OK);
  EXPECT_LE(bytes, kMostStack);
  EXPECT_GT(bytes, 50u) << "nothing was measured";
}

/// Each of the ways in which a call of an operator can run.
void ExpectOfOp(const std::string& what, const lw_op* op,
                const Operands& operands) {
  const lw_tensor* in = operands.all.data();
  Expect(what, [&] {
    return lw_op_run(op, in, operands.inputs, operands.outputs(), 1);
  });
  Expect(what + ", inferred", [&] {
    lw_shape shape;
    return lw_op_infer(op, in, operands.inputs, &shape);
  });
  lw_call* made = nullptr;
  Expect(what + ", to prepare", [&] {
    lw_call_destroy(made);
    return lw_call_create(op, in, operands.inputs, operands.outputs(), 1,
                          &made);
  });
  const CallPtr call(made);
  const void* data[LW_MAX_INPUTS];
  for (size_t k = 0; k < operands.inputs; ++k) data[k] = in[k].data;
  Expect(what + ", prepared",
         [&] { return lw_call_run(made, data, &operands.outputs()->data); });
}

void ExpectOfChain(const std::string& what, const lw_chain* chain,
                   const Operands& operands) {
  const lw_tensor* in = operands.all.data();
  // A call of other tensors in between takes the kept plan away.
  std::vector<lw_tensor> turned = operands.all;
  Expect(what + ", planned anew each time", [&] {
    for (lw_tensor& tensor : turned) tensor.bytes ^= size_t{1} << 40;
    return lw_chain_run(chain, nullptr, turned.data(), operands.inputs,
                        turned.data() + operands.inputs,
                        operands.output_count());
  });
  Expect(what + ", by the kept plan", [&] {
    return lw_chain_run(chain, nullptr, in, operands.inputs, operands.outputs(),
                        operands.output_count());
  });
  Expect(what + ", inferred", [&] {
    static lw_shape shapes[LW_MAX_OUTPUTS];
    return lw_chain_infer(chain, in, operands.inputs, shapes);
  });
  lw_call* made = nullptr;
  Expect(what + ", to prepare", [&] {
    lw_call_destroy(made);
    return lw_chain_prepare(chain, in, operands.inputs, operands.outputs(),
                            operands.output_count(), &made);
  });
  const CallPtr call(made);
  std::vector<void*> data;
  for (const lw_tensor& tensor : operands.all) data.push_back(tensor.data);
  Expect(what + ", prepared", [&] {
    return lw_call_run(made, data.data(), data.data() + operands.inputs);
  });
}

/// Sums of all inputs so far, `steps` of them; the last ones are the outputs.
/// Results that are read again much later take many slots.
Parts SumsOf(const lw_op* add, const lw_op* exp, size_t inputs, size_t steps,
             size_t outputs) {
  Parts parts;
  parts.inputs.assign(inputs, LW_FLOAT32);
  const auto ins = static_cast<int32_t>(inputs);
  const auto all = static_cast<int32_t>(steps);
  for (int32_t s = 0; s < all; ++s) {
    if (s < all / 2) {
      parts.steps.push_back({exp, {s % ins}});
    } else {
      const int32_t early = ins + s - all / 2;
      parts.steps.push_back({add, {ins + s - 1, early}});
    }
  }
  for (int32_t s = all - static_cast<int32_t>(outputs); s < all; ++s) {
    parts.outputs.push_back(ins + s);
  }
  return parts;
}

/// Rows that are reduced after every third step.
Parts ReductionsOf(const lw_op* add, const lw_op* exp, const lw_op* sum,
                   size_t inputs, size_t steps) {
  Parts parts;
  parts.inputs.assign(inputs, LW_FLOAT32);
  const auto ins = static_cast<int32_t>(inputs);
  for (int32_t s = 0; s < static_cast<int32_t>(steps); ++s) {
    const int32_t before = s == 0 ? 0 : ins + s - 1;
    if (s % 3 == 0) {
      parts.steps.push_back({exp, {before}});
    } else if (s % 3 == 1) {
      parts.steps.push_back({sum, {before}});
    } else {
      parts.steps.push_back({add, {before, s % ins}});
    }
  }
  parts.outputs = {ins + static_cast<int32_t>(steps) - 1};
  return parts;
}

class Stack : public OnEveryIsa {
 protected:
  void ExpectOfReductions(const lw_engine* engine) {
    const OpPtr add = MakeOp(engine, {"Add", 14});
    const OpPtr exp = MakeOp(engine, {"Exp", 13});
    for (const int64_t axis : {0, -1}) {
      const OpPtr sum =
          MakeOp(engine, {"ReduceSum", 11}, {IntsAttribute("axes", &axis, 1)});
      for (const size_t steps : {3, 63}) {
        ChainPtr chain;
        const Parts parts =
            ReductionsOf(add.get(), exp.get(), sum.get(), 16, steps);
        Expect("creation", [&] { return parts.Make(&chain, engine); });
        for (const Dims64& dims : {Dims64{67}, Dims64{61, 67}, ManyDims()}) {
          for (const Lay lay : {Lay::kRows, Lay::kTransposed, Lay::kApart}) {
            Tensors tensors;
            ExpectOfChain(std::to_string(steps) + " steps, rank " +
                              std::to_string(dims.size()) + ", axis " +
                              std::to_string(axis),
                          chain.get(),
                          Alike(&tensors, dims, 16, 1, lay, Lay::kApart));
          }
        }
      }
    }
  }

  void ExpectOfOps(const lw_engine* engine) {
    const OpPtr add = MakeOp(engine, {"Add", 14});
    const OpPtr sum = MakeOp(engine, {"Sum", 13});
    const OpPtr gelu = MakeOp(engine, {"Gelu", 20});
    const OpPtr reshape = MakeOp(engine, {"Reshape", 14});
    const Dims64 square = {64, 64};
    for (const Dims64& dims : {Dims64{8}, square, ManyDims()}) {
      const std::string rank = ", rank " + std::to_string(dims.size());
      for (const Lay lay : {Lay::kRows, Lay::kTransposed, Lay::kApart}) {
        Tensors of_add, of_sum, of_gelu;
        ExpectOfOp("Add" + rank, add.get(),
                   Alike(&of_add, dims, 2, 1, Lay::kRows, lay));
        ExpectOfOp("Sum of 16" + rank, sum.get(),
                   Alike(&of_sum, dims, LW_MAX_INPUTS, 1, lay, Lay::kRows));
        ExpectOfOp("Gelu" + rank, gelu.get(),
                   Alike(&of_gelu, dims, 1, 1, Lay::kApart, lay));
      }
      Tensors of_sum;
      ExpectOfOp("Sum of 16, all apart" + rank, sum.get(),
                 Alike(&of_sum, dims, LW_MAX_INPUTS, 1, Lay::kApart,
                       Lay::kTransposed));
    }
    for (const Dims64& row : {Dims64{3}, Dims64{1000, 1}}) {
      Tensors tensors;
      tensors.Add({1000, 3}, Lay::kRows);
      tensors.Add(row, Lay::kRows);
      tensors.Add({1000, 3}, Lay::kRows);
      ExpectOfOp("short rows", add.get(), {tensors.views(), 2});
    }
    Tensors tensors;
    Operands moved =
        Alike(&tensors, square, 1, 1, Lay::kTransposed, Lay::kApart);
    int64_t target[] = {64, 64};
    const int64_t two = 2;
    moved.all.insert(moved.all.begin() + 1,
                     {target, LW_INT64, 1, &two, nullptr, 0});
    moved.inputs = 2;
    Expect("Reshape", [&] {
      return lw_op_run(reshape.get(), moved.all.data(), 2, moved.outputs(), 1);
    });
  }

  void ExpectOfChains(const lw_engine* engine) {
    const OpPtr add = MakeOp(engine, {"Add", 14});
    const OpPtr exp = MakeOp(engine, {"Exp", 13});
    const struct {
      size_t inputs, steps, outputs;
    } sizes[] = {{2, 4, 1}, {LW_MAX_INPUTS, LW_MAX_STEPS, LW_MAX_OUTPUTS}};
    for (const auto& size : sizes) {
      ChainPtr chain;
      const Parts parts =
          SumsOf(add.get(), exp.get(), size.inputs, size.steps, size.outputs);
      Expect("creation", [&] { return parts.Make(&chain, engine); });
      for (const Dims64& dims : {Dims64{67}, Dims64{61, 67}, ManyDims()}) {
        for (const Lay lay : {Lay::kRows, Lay::kTransposed, Lay::kApart}) {
          Tensors tensors;
          ExpectOfChain(std::to_string(size.steps) + " steps, rank " +
                            std::to_string(dims.size()),
                        chain.get(),
                        Alike(&tensors, dims, size.inputs, size.outputs, lay,
                              Lay::kApart));
        }
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Isa, Stack, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

TEST_P(Stack, OfOperators) { ExpectOfOps(isa().engine); }
TEST_P(Stack, OfChains) { ExpectOfChains(isa().engine); }
TEST_P(Stack, OfReductions) { ExpectOfReductions(isa().engine); }

// Whoever calls, and whoever runs the tasks.
TEST_P(Stack, OnThreads) {
  size_t most = 0;
  lw_engine_options options = Options();
  options.threading = LW_THREADING_HOST;
  options.max_threads = 3;
  options.parallel_for = RunOnPaint;
  options.parallel_for_context = &most;
  const EnginePtr host = MakeTunedEngine(options, isa().name, EagerThreads());
  ExpectOfOps(host.get());
  ExpectOfChains(host.get());
  ExpectOfReductions(host.get());
  EXPECT_LE(most, kMostStack);
  EXPECT_GT(most, 1000u) << "no task was measured";
#if LANEWISE_HAVE_TBB
  options.threading = LW_THREADING_TBB_OWN;
  const EnginePtr tbb = MakeTunedEngine(options, isa().name, EagerThreads());
  ExpectOfOps(tbb.get());
  ExpectOfChains(tbb.get());
  ExpectOfReductions(tbb.get());
#endif
}

// Kernels have frames, too: those of every operator and type.
TEST(StackOfAll, OfRandomCalls) {
  const Operators operators;
  Random random(1);
  RandomCall call;
  for (size_t i = 0; i < 6000; ++i) {
    const Ways& ways = operators.all()[i % operators.all().size()];
    call.Make(ways.random, random);
    const auto run = [&] {
      return lw_op_run(ways.general.get(), call.inputs(), call.input_count(),
                       call.outputs(), call.output_count());
    };
    if (run() != LW_OK) continue;
    ASSERT_LE(CallersStack().Measure(run), kMostStack) << call.Describe();
  }
}

TEST(StackOfAll, OfEnginesAndOperators) {
  const TempFile file(TuningHeader(lw_isa_name(0)) + EagerThreads());
  lw_engine_options options = Options();
  options.tuning_file = file.path();
  options.threading = LW_THREADING_SERIAL;
  lw_engine* engine = nullptr;
  Expect("an engine", [&] {
    lw_engine_destroy(engine);
    return lw_engine_create(&options, &engine);
  });
  const EnginePtr owner(engine);
  const int64_t target[] = {2, -1};
  const lw_attribute shape = IntsAttribute("shape", target, 2);
  lw_op* op = nullptr;
  Expect("an operator", [&] {
    lw_op_destroy(op);
    return lw_op_create(engine, "Reshape", 1, &shape, 1, &op);
  });
  lw_op_destroy(op);
  const OpPtr add = MakeOp(engine, {"Add", 14});
  const lw_kernel* kernel = nullptr;
  std::vector<float> x(1000);
  Expect("a kernel", [&] {
    const void* const inputs[] = {x.data(), x.data()};
    const lw_status status =
        lw_op_kernel(add.get(), LW_FLOAT32, LW_SAME, &kernel);
    return status == LW_OK ? lw_kernel_run(kernel, inputs, x.data(), 1000)
                           : status;
  });
}

}  // namespace
}  // namespace lanewise::test

#endif
