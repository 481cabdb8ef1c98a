// SPDX-License-Identifier: Apache-2.0
//
// The suite of reductions: faults, ranks, places, threads, prepared calls,
// errors.

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "tests/support/engines.h"
#include "tests/support/guarded.h"
#include "tests/support/reduction_spec.h"
#include "tests/support/reduction_suite.h"
#include "tests/support/samples.h"
#include "tests/support/suite_calls.h"
#include "tests/support/suite_data.h"

namespace lanewise::test {
namespace {

// ---- Faults -----------------------------------------------------------------

/// A call of float32 [2, 3] to [2, 1] at one version, of which a test spoils a
/// part.
class Faulty {
 public:
  Faulty(const OperatorSpec& spec, const VersionSpec& version)
      : spec_(spec), version_(version) {
    Untouch(out_, sizeof(out_));
    const int32_t to = OutputTypeOf(spec, LW_FLOAT32);
    inputs[0] = {in_, LW_FLOAT32, 2, in_dims, nullptr, sizeof(in_)};
    inputs[1] = {axes, LW_INT64, 1, &axis_count, nullptr, 0};
    output = {out_, to, 2, out_dims, nullptr, sizeof(out_)};
    input_count = version.inputs.size();
  }

  bool has_axes_input() const { return version_.inputs.size() == 2; }
  void SetAxes(const Dims64& given) {
    std::copy(given.begin(), given.end(), axes);
    axis_count = static_cast<int64_t>(given.size());
  }
  /// Runs every way: the status of all of them must be `wanted`, and the
  /// message must have these words.
  void Expect(lw_status wanted, const std::vector<std::string>& words) {
    SCOPED_TRACE(std::string(spec_.name) + "-" +
                 std::to_string(version_.version));
    const OpPtr op = Make();
    if (op == nullptr) {
      EXPECT_EQ(made_, wanted) << lw_last_error();
      return ExpectWords(words);
    }
    EXPECT_EQ(lw_op_run(op.get(), inputs, input_count, outputs(), output_count),
              wanted)
        << lw_last_error();
    if (wanted != LW_OK) ExpectWords(words);
    lw_call* call = nullptr;
    const lw_status prepared = lw_call_create(op.get(), inputs, input_count,
                                              outputs(), output_count, &call);
    EXPECT_EQ(call != nullptr, prepared == LW_OK);
    lw_call_destroy(call);
    // A prepared call takes its pointers later.
    const bool is_of_data = wanted == LW_NULL_DATA || wanted == LW_OVERLAP ||
                            wanted == LW_MISALIGNED ||
                            wanted == LW_BUFFER_TOO_SMALL;
    EXPECT_TRUE(is_of_data || prepared == wanted) << lw_last_error();
    if (wanted == LW_OK) return;
    EXPECT_TRUE(IsUntouched(out_, sizeof(out_)));
  }
  void ExpectNotInferred(lw_status wanted,
                         const std::vector<std::string>& words) {
    const OpPtr op = Make();
    lw_shape shape;
    Untouch(&shape, sizeof(shape));
    if (op != nullptr) {
      EXPECT_EQ(lw_op_infer(op.get(), inputs, input_count, &shape), wanted)
          << lw_last_error();
      EXPECT_TRUE(IsUntouched(&shape, sizeof(shape)));
    }
    Expect(wanted, words);
  }

  int64_t in_dims[2] = {2, 3};
  int64_t out_dims[2] = {2, 1};
  int64_t axes[100] = {1};
  int64_t axis_count = 1;
  lw_tensor inputs[3] = {};
  lw_tensor output = {};
  size_t input_count;
  size_t output_count = 1;
  float* in() { return in_; }

 private:
  const lw_tensor* outputs() {
    both_[0] = both_[1] = output;
    return both_;
  }
  OpPtr Make() {
    std::vector<lw_attribute> attributes;
    if (HasOneAxis(spec_)) {
      attributes.push_back(IntAttribute("axis", axes));
    } else if (!has_axes_input()) {
      attributes.push_back(
          IntsAttribute("axes", axes, static_cast<size_t>(axis_count)));
    }
    lw_op* op = nullptr;
    made_ = lw_op_create(nullptr, spec_.name, version_.version,
                         attributes.data(), attributes.size(), &op);
    EXPECT_EQ(op != nullptr, made_ == LW_OK);
    return OpPtr(op);
  }
  void ExpectWords(const std::vector<std::string>& words) {
    const std::string message = lw_last_error();
    const std::string label =
        std::string(spec_.name) + "-" + std::to_string(version_.version) + ": ";
    EXPECT_EQ(message.rfind(label, 0), 0u) << message;
    for (const std::string& word : words) {
      EXPECT_NE(message.find(word), std::string::npos)
          << message << " does not say " << word;
    }
  }

  const OperatorSpec& spec_;
  const VersionSpec& version_;
  lw_status made_ = LW_OK;
  alignas(8) float in_[6] = {1, 2, 3, 4, 5, 6};
  alignas(8) float out_[8];
  lw_tensor both_[2];
};

void CheckAxisFaults(const OperatorSpec& spec, const VersionSpec& version) {
  constexpr int64_t kFarAway[] = {2,         -3,        64,       1000,
                                  INT64_MAX, INT64_MIN, 1LL << 32};
  for (const int64_t axis : kFarAway) {
    Faulty call(spec, version);
    call.SetAxes({axis});
    call.ExpectNotInferred(LW_INVALID_SHAPE, {std::to_string(axis), "[2,3]"});
    if (HasOneAxis(spec)) continue;
    call.SetAxes({0, axis});
    call.ExpectNotInferred(LW_INVALID_SHAPE, {std::to_string(axis)});
  }
  if (HasOneAxis(spec)) return;
  for (const Dims64& twice :
       {Dims64{1, 1}, Dims64{0, -2}, Dims64{-1, 0, 1}, Dims64(64, 1)}) {
    Faulty call(spec, version);
    call.SetAxes(twice);
    call.ExpectNotInferred(LW_INVALID_SHAPE, {"twice"});
  }
}

void CheckAxesInputFaults(const OperatorSpec& spec,
                          const VersionSpec& version) {
  Faulty call(spec, version);
  const lw_tensor axes = call.inputs[1];
  for (const int32_t type : {LW_INT32, LW_FLOAT32, LW_UINT64}) {
    call.inputs[1].type = type;
    call.ExpectNotInferred(LW_UNSUPPORTED_TYPE, {lw_type_name(type)});
  }
  call.inputs[1] = axes;
  for (const int32_t rank : {0, 2}) {
    const int64_t dims[] = {1, 1};
    call.inputs[1].rank = rank;
    call.inputs[1].dims = dims;
    call.ExpectNotInferred(LW_INVALID_SHAPE, {"axes", "rank"});
  }
  call.inputs[1] = axes;
  call.inputs[1].data = nullptr;
  call.ExpectNotInferred(LW_NULL_DATA, {});
  // More axes than there is memory for.
  for (const int64_t length : {int64_t{65}, int64_t{1} << 40}) {
    call.inputs[1].dims = &length;
    call.ExpectNotInferred(LW_INVALID_SHAPE, {std::to_string(length)});
  }
  // Axes with a stride, and axes that are left out by their type.
  const int64_t two = 2;
  const int64_t stride = -3;
  call.inputs[1] = axes;
  call.inputs[1].dims = &two;
  call.inputs[1].strides = &stride;
  call.inputs[1].data = call.axes + 5;
  call.inputs[1].bytes = 0;
  call.axes[5] = 0;
  call.axes[2] = -1;
  call.out_dims[0] = 1;
  call.Expect(LW_OK, {});
  call.inputs[1] = {};
  call.Expect(LW_OK, {});
}

}  // namespace

void CheckReductionFaults(const OperatorSpec& spec) {
  for (const VersionSpec& version : spec.versions) {
    Faulty(spec, version).Expect(LW_OK, {});
    CheckAxisFaults(spec, version);
    if (version.inputs.size() == 2) CheckAxesInputFaults(spec, version);

    // Nothing is known of the memory of no elements.
    Faulty empty(spec, version);
    constexpr int64_t kStrides[] = {1000, 7};
    empty.in_dims[1] = 0;
    empty.inputs[0].data = nullptr;
    empty.inputs[0].strides = kStrides;
    empty.inputs[0].bytes = 1;
    empty.Expect(HasOneAxis(spec) ? LW_INVALID_SHAPE : LW_OK, {});

    const auto check = [&](lw_status wanted, const auto& spoil) {
      Faulty call(spec, version);
      spoil(call);
      call.Expect(wanted, {});
    };
    check(LW_INVALID_SHAPE, [](Faulty& call) { call.out_dims[1] = 3; });
    check(LW_INVALID_SHAPE, [](Faulty& call) { call.out_dims[0] = 3; });
    check(LW_INVALID_SHAPE, [](Faulty& call) { call.output.rank = 1; });
    check(LW_INVALID_SHAPE, [](Faulty& call) { call.in_dims[0] = -1; });
    check(LW_SIZE_OVERFLOW, [](Faulty& call) { call.in_dims[0] = 1LL << 62; });
    check(LW_UNSUPPORTED_TYPE,
          [](Faulty& call) { call.output.type = LW_FLOAT64; });
    check(LW_UNSUPPORTED_TYPE,
          [](Faulty& call) { call.inputs[0].type = LW_STRING; });
    check(LW_NULL_DATA, [](Faulty& call) { call.inputs[0].data = nullptr; });
    check(LW_NULL_DATA, [](Faulty& call) { call.output.data = nullptr; });
    check(LW_BUFFER_TOO_SMALL, [](Faulty& call) { call.inputs[0].bytes = 23; });
    check(LW_BUFFER_TOO_SMALL, [](Faulty& call) { call.output.bytes = 7; });
    check(LW_MISALIGNED, [](Faulty& call) {
      call.output.data = static_cast<char*>(call.output.data) + 2;
      call.output.bytes = 0;
    });
    check(LW_OVERLAP, [](Faulty& call) {
      call.output.data = call.in() + 2;  // as aligned as an index must be
      call.output.bytes = 0;
    });
    check(LW_WRONG_COUNT, [](Faulty& call) { call.input_count = 0; });
    check(LW_WRONG_COUNT, [](Faulty& call) { call.input_count = 3; });
    check(LW_WRONG_COUNT, [](Faulty& call) { call.output_count = 0; });
    check(LW_WRONG_COUNT, [](Faulty& call) { call.output_count = 2; });
  }
}

// The highest rank, with one dim that is reduced among dims of 1, or none.
void CheckReductionRanks(const OperatorSpec& spec) {
  for (const int64_t at : {0, 31, 63}) {
    for (const int64_t keepdims : {0, 1}) {
      ReductionCase call = {
          .dims = Dims64(64, 1), .axes = Dims64{at}, .keepdims = keepdims};
      call.dims[static_cast<size_t>(at)] = 70;
      CheckReduction(spec, nullptr, call);
      call.dims[static_cast<size_t>(63 - at)] = 3;
      CheckReduction(spec, nullptr, call);
      if (HasOneAxis(spec)) continue;
      call.axes.reset();
      CheckReduction(spec, nullptr, call);
    }
  }
}

// The output may be the input where each sequence is one element.
void CheckReductionInPlace(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    if (OutputTypeOf(spec, type) != type) return;
    for (const Dims64& dims : {Dims64{1, 300}, Dims64{1, 7, 5}}) {
      const ReductionCase call = {
          .type = type, .dims = dims, .axes = Dims64{0}};
      const ReductionRun run(spec, call, Data::kModerate, 3);
      const OpPtr op = run.MakeNode(isa.engine);
      std::memcpy(run.output().data, run.inputs()[0].data, run.output().bytes);
      std::vector<lw_tensor> inputs = run.inputs();
      inputs[0] = run.output();
      ASSERT_EQ(
          lw_op_run(op.get(), inputs.data(), inputs.size(), &inputs[0], 1),
          LW_OK)
          << lw_last_error();
      run.CheckMemory();
    }
  });
}

// ---- Threads, prepared calls ------------------------------------------------

namespace {

std::vector<ReductionCase> CallsForThreads(const OperatorSpec& spec,
                                           lw_type type) {
  std::vector<ReductionCase> calls = {
      {.type = type, .dims = {300'001}, .axes = Dims64{0}},
      {.type = type, .dims = {3, 140'000}, .axes = Dims64{1}},
      {.type = type, .dims = {500, 200}, .axes = Dims64{1}},
      {.type = type, .dims = {2'000, 33}, .axes = Dims64{0}},
      {.type = type, .dims = {40'000, 2}, .axes = Dims64{0}},
      {.type = type, .dims = {3, 20'001}, .axes = Dims64{0}},
      {.type = type,
       .dims = {300, 200},
       .axes = Dims64{0},
       .in_strides = {1, 300}},
      {.type = type,
       .dims = {300, 200},
       .axes = Dims64{1},
       .in_strides = {1, -301},
       .out_strides = {2, 1}}};
  // The types differ in their kernels, not in how the work is divided.
  if (type != SuiteTypes(spec).front()) {
    calls = {{.type = type, .dims = {140'000}, .axes = Dims64{0}},
             {.type = type, .dims = {100, 200}, .axes = Dims64{1}},
             {.type = type, .dims = {600, 33}, .axes = Dims64{0}}};
  }
  if (!HasOneAxis(spec)) {
    calls.push_back({.type = type, .dims = {60, 7, 150}, .axes = Dims64{0, 2}});
    calls.push_back(
        {.type = type, .dims = {9, 60, 50, 7}, .axes = Dims64{0, 2}});
  }
  return calls;
}

void CheckPrepared(const lw_op* op, const ReductionRun& run) {
  lw_call* made = nullptr;
  ASSERT_EQ(lw_call_create(op, run.inputs().data(), run.inputs().size(),
                           &run.output(), 1, &made),
            LW_OK)
      << lw_last_error();
  const CallPtr call(made);
  // The pointer of the axes is not looked at.
  const void* const in[] = {run.inputs()[0].data, nullptr};
  void* const out[] = {run.output().data};
  for (const int32_t threads : {0, 1, 2, 4}) {
    lw_run_options options = {};
    options.struct_size = sizeof(options);
    options.max_threads = threads;
    run.ClearOutput();
    ASSERT_EQ(lw_call_run_with(call.get(), &options, in, out), LW_OK)
        << lw_last_error();
    run.CheckMemory();
    if (testing::Test::HasFailure()) return;
  }
  run.ClearOutput();
  ASSERT_EQ(lw_call_run(call.get(), in, out), LW_OK) << lw_last_error();
  run.CheckMemory();
}

}  // namespace

void CheckReductionThreads(const OperatorSpec& spec, const Isa& isa) {
  std::vector<EnginePtr> engines;
  for (const ThreadingCase& threading :
       {ThreadingCase{"host", LW_THREADING_HOST, 2},
        ThreadingCase{"host", LW_THREADING_HOST, 4},
        ThreadingCase{"auto", LW_THREADING_AUTO, 0},
        ThreadingCase{"serial", LW_THREADING_SERIAL, 0}}) {
    engines.push_back(
        MakeTunedEngine(OptionsFor(threading), isa.name, EagerThreads()));
  }
  ForEachType(spec, [&](lw_type type) {
    for (const ReductionCase& call : CallsForThreads(spec, type)) {
      SCOPED_TRACE(call.Describe());
      const ReductionRun run(spec, call, Data::kModerate, 9);
      for (const EnginePtr& engine : engines) {
        const OpPtr op = run.MakeNode(engine.get());
        run.Check(op.get());
        if (testing::Test::HasFailure()) return;
      }
      const OpPtr op = run.MakeNode(engines[1].get());
      CheckPrepared(op.get(), run);
      if (testing::Test::HasFailure()) return;
    }
  });
}

// ---- Errors -----------------------------------------------------------------

void CheckReductionErrors(const OperatorSpec& spec,
                          long double (*exact)(const long double* x,
                                               size_t count)) {
  ForEachType(spec, [&](lw_type type) {
    if (!IsFloat(type)) return;
    // 16-bit floats are added in float32.
    const long double half_ulp = type == LW_FLOAT64 ? 0x1p-53L : 0x1p-24L;
    const long double half_result = type == LW_FLOAT16    ? 0x1p-11L
                                    : type == LW_BFLOAT16 ? 0x1p-8L
                                                          : half_ulp;
    for (const bool along : {true, false}) {
      for (const size_t count : {1, 2, 30, 64, 1000, 5000}) {
        const Array x = ElementsOf(type, count, Data::kModerate, count);
        std::vector<long double> numbers;
        std::vector<long double> magnitudes;
        for (size_t i = 0; i < count; ++i) {
          numbers.push_back(ReadFloat(type, x.at(i)));
          magnitudes.push_back(std::fabs(numbers.back()));
        }
        const Sequence sequence = {type, x.data(), count, along};
        uint64_t result = 0;
        spec.reduced(sequence, &result);
        const long double actual = ReadFloat(type, &result);
        const long double wanted = exact(numbers.data(), count);
        const auto steps = static_cast<long double>(count + 4);
        const long double allowed =
            1.01L * (steps * half_ulp * exact(magnitudes.data(), count) +
                     half_result * std::fabs(wanted)) +
            // Products leave the normal numbers.
            (type == LW_FLOAT16   ? 0x1p-24L
             : type == LW_FLOAT64 ? 0x1p-1022L
                                  : 0x1p-126L);
        EXPECT_LE(std::fabs(actual - wanted), allowed)
            << count << " elements, " << actual << ", not " << wanted;
      }
    }
  });
}

}  // namespace lanewise::test
