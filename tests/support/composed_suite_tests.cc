// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "tests/support/composed_call.h"
#include "tests/support/composed_suite.h"
#include "tests/support/engines.h"
#include "tests/support/samples.h"

namespace lanewise::test {
namespace {

const OperatorSpec* g_spec = nullptr;
const std::vector<ComposedCase>* g_cases = nullptr;

/// A unit of the last place of a number of a type.
long double UlpOf(lw_type type, long double x) {
  const int mantissa = type == LW_FLOAT64   ? 52
                       : type == LW_FLOAT32 ? 23
                       : type == LW_FLOAT16 ? 10
                                            : 7;
  const int least = type == LW_FLOAT64   ? -1022
                    : type == LW_FLOAT16 ? -14
                                         : -126;
  const int exponent = x == 0 ? least : std::max(std::ilogb(x), least);
  return std::ldexp(1.0L, exponent - mantissa);
}

bool IsRight(const OperatorSpec& spec, bool has_doubles, lw_type type,
             long double wanted, long double scale, long double actual) {
  if (std::isnan(wanted) || std::isnan(actual)) {
    return std::isnan(wanted) && std::isnan(actual);
  }
  if (wanted == actual) return true;
  if (!IsFloat(type)) return false;
  const lw_type inner = has_doubles ? LW_FLOAT64 : LW_FLOAT32;
  long double allowed = spec.allowed_ulp * UlpOf(inner, scale);
  if (type != inner) allowed += 0.5L * UlpOf(type, wanted) * 1.001L;
  return std::fabs(wanted - actual) <= allowed;
}

void ExpectAnswers(const OperatorSpec& spec, const ComposedRun& run,
                   const std::vector<Array>& actual) {
  const std::vector<Numbers> expected = run.Expected();
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    ASSERT_EQ(run.outputs()[k].dims, expected[k].dims) << "output " << k;
    const std::vector<long double> values = ValuesOf(actual[k]);
    for (size_t i = 0; i < values.size(); ++i) {
      const long double wanted = expected[k].values[i];
      const long double scale =
          expected[k].scales.empty() ? wanted : expected[k].scales[i];
      ASSERT_TRUE(IsRight(spec, run.HasDoubles(), actual[k].type(), wanted,
                          scale, values[i]))
          << "output " << k << " at " << i << " is "
          << static_cast<double>(values[i]) << ", not "
          << static_cast<double>(wanted);
    }
  }
}

// Calls check(case, type, turn) for all cases and types.
using Check = std::function<void(const ComposedCase&, lw_type, size_t)>;
void ForEachCall(const Check& check) {
  for (const ComposedCase& given : *g_cases) {
    const VersionSpec& version = VersionOf(*g_spec, given.opset);
    const bool has_own =
        std::any_of(version.inputs.begin(), version.inputs.end(),
                    [&](const OperandSpec& input) {
                      return input.parameter != version.inputs[0].parameter;
                    });
    for (const int32_t type : version.types) {
      for (size_t turn = 0; turn < (has_own ? 4 : 1); ++turn) {
        SCOPED_TRACE(std::string(g_spec->name) + "-" +
                     std::to_string(version.version) + ", case " +
                     std::to_string(&given - g_cases->data()) + ", " +
                     lw_type_name(type) + ", turn " + std::to_string(turn));
        check(given, static_cast<lw_type>(type), turn);
      }
    }
  }
}

void ExpectSame(const std::vector<Array>& actual,
                const std::vector<Array>& expected, const char* way) {
  for (size_t k = 0; k < expected.size(); ++k) {
    EXPECT_TRUE(SameBits(actual[k], expected[k])) << way << ", output " << k;
  }
}

// Tensors with some strides, and what is done with them.
struct Tensors {
  Tensors(const ComposedRun& run, StridedCopy::Kind in_kind,
          StridedCopy::Kind out_kind) {
    ins.reserve(run.inputs().size());
    outs.reserve(run.outputs().size());
    for (const ComposedOperand& input : run.inputs()) {
      in.push_back(ins.emplace_back(input, in_kind).tensor());
    }
    for (const ComposedOperand& output : run.outputs()) {
      out.push_back(outs.emplace_back(output, out_kind).tensor());
    }
  }
  std::vector<Array> Results() const {
    std::vector<Array> results;
    for (const StridedCopy& copy : outs) results.push_back(copy.Elements());
    return results;
  }
  std::vector<StridedCopy> ins, outs;
  std::vector<lw_tensor> in, out;
};

TEST_P(ComposedSuite, Answers) {
  ForEachCall([](const ComposedCase& given, lw_type type, size_t turn) {
    const ComposedRun run(*g_spec, given, type, turn, isa().engine);
    ExpectAnswers(*g_spec, run, run.Run());
  });
}

TEST_P(ComposedSuite, AnyStrides) {
  constexpr StridedCopy::Kind kKinds[] = {
      StridedCopy::kPlain, StridedCopy::kGaps, StridedCopy::kTransposed,
      StridedCopy::kReversed};
  ForEachCall([&](const ComposedCase& given, lw_type type, size_t turn) {
    const ComposedRun run(*g_spec, given, type, turn, isa().engine);
    const std::vector<Array> expected = run.Run();
    for (const StridedCopy::Kind in : kKinds) {
      for (const StridedCopy::Kind out : kKinds) {
        Tensors tensors(run, in, out);
        ASSERT_EQ(lw_op_run(run.op(), tensors.in.data(), tensors.in.size(),
                            tensors.out.data(), tensors.out.size()),
                  LW_OK)
            << lw_last_error();
        ExpectSame(tensors.Results(), expected, "strides");
      }
    }
  });
}

TEST_P(ComposedSuite, Prepared) {
  ForEachCall([](const ComposedCase& given, lw_type type, size_t turn) {
    const ComposedRun run(*g_spec, given, type, turn, isa().engine);
    Tensors tensors(run, StridedCopy::kGaps, StridedCopy::kPlain);
    lw_call* made = nullptr;
    ASSERT_EQ(lw_call_create(run.op(), tensors.in.data(), tensors.in.size(),
                             tensors.out.data(), tensors.out.size(), &made),
              LW_OK)
        << lw_last_error();
    const CallPtr call(made);
    std::vector<const void*> in;
    std::vector<void*> out;
    for (const lw_tensor& tensor : tensors.in) in.push_back(tensor.data);
    for (const lw_tensor& tensor : tensors.out) out.push_back(tensor.data);
    ASSERT_EQ(lw_call_run(made, in.data(), out.data()), LW_OK)
        << lw_last_error();
    ExpectSame(tensors.Results(), run.Run(), "prepared");
  });
}

// Each set of outputs that has all that are not optional.
TEST_P(ComposedSuite, SomeOutputs) {
  if (g_spec->more_outputs.empty()) return;
  ForEachCall([](const ComposedCase& given, lw_type type, size_t turn) {
    const ComposedRun run(*g_spec, given, type, turn, isa().engine);
    const std::vector<Array> expected = run.Run();
    for (size_t set = 0; set < size_t{1} << expected.size(); ++set) {
      Tensors tensors(run, StridedCopy::kPlain, StridedCopy::kPlain);
      std::vector<lw_tensor> out = tensors.out;
      bool is_fine = (set & 1) != 0;
      for (size_t k = 0; k < out.size(); ++k) {
        if ((set >> k & 1) != 0) continue;
        out[k] = {};
        is_fine &= k > 0 && g_spec->more_outputs[k - 1].optional;
      }
      const lw_status status =
          lw_op_run(run.op(), tensors.in.data(), tensors.in.size(), out.data(),
                    out.size());
      EXPECT_EQ(status, is_fine ? LW_OK : LW_WRONG_COUNT) << lw_last_error();
      if (!is_fine) continue;
      const std::vector<Array> results = tensors.Results();
      for (size_t k = 0; k < out.size(); ++k) {
        const bool is_wanted = (set >> k & 1) != 0;
        if (is_wanted) {
          EXPECT_TRUE(SameBits(results[k], expected[k])) << "output " << k;
        } else {
          EXPECT_TRUE(SameBits(results[k], run.outputs()[k].elements));
        }
      }
    }
  });
}

TEST_P(ComposedSuite, InPlace) {
  ForEachCall([](const ComposedCase& given, lw_type type, size_t turn) {
    const ComposedRun run(*g_spec, given, type, turn, isa().engine);
    const lw_signature* row = SignatureOf(g_spec->name, given.opset);
    const std::vector<Array> expected = run.Run();
    for (size_t k = 0; k < run.inputs().size(); ++k) {
      const ComposedOperand& input = run.inputs()[k];
      if (row->inputs[k].in_place == 0 || input.dims != run.outputs()[0].dims) {
        continue;
      }
      EXPECT_EQ(input.type, run.outputs()[0].type);
      Tensors tensors(run, StridedCopy::kTransposed, StridedCopy::kTransposed);
      tensors.out[0] = tensors.in[k];
      ASSERT_EQ(lw_op_run(run.op(), tensors.in.data(), tensors.in.size(),
                          tensors.out.data(), tensors.out.size()),
                LW_OK)
          << lw_last_error();
      EXPECT_TRUE(SameBits(tensors.ins[k].Elements(), expected[0]))
          << "over input " << k;
    }
  });
}

TEST_P(ComposedSuite, Threads) {
  lw_engine_options options = Options();
  options.threading = LW_THREADING_HOST;
  options.max_threads = 4;
  options.parallel_for = HostParallelFor;
  const EnginePtr engine = MakeTunedEngine(options, isa().name, EagerThreads());
  ForEachCall([&](const ComposedCase& given, lw_type type, size_t turn) {
    const ComposedRun serial(*g_spec, given, type, turn, isa().engine);
    const ComposedRun run(*g_spec, given, type, turn, engine.get());
    const std::vector<Array> expected = serial.Run();
    for (const int32_t threads : {1, 2, 4}) {
      lw_run_options with = {};
      with.struct_size = sizeof(with);
      with.max_threads = threads;
      Tensors tensors(run, StridedCopy::kPlain, StridedCopy::kPlain);
      ASSERT_EQ(
          lw_op_run_with(run.op(), &with, tensors.in.data(), tensors.in.size(),
                         tensors.out.data(), tensors.out.size()),
          LW_OK)
          << lw_last_error();
      ExpectSame(tensors.Results(), expected, "threads");
    }
  });
}

// y = operator(0 - x) - 1, in one chain and one by one.
TEST_P(ComposedSuite, InAChain) {
  const OpPtr sub = MakeOp(isa().engine, {"Sub", 14});
  ForEachCall([&](const ComposedCase& given, lw_type type, size_t turn) {
    const ComposedRun run(*g_spec, given, type, turn, isa().engine);
    const lw_type out = run.outputs()[0].type;
    const auto count = static_cast<int32_t>(run.inputs().size());
    std::vector<int32_t> types;
    for (const ComposedOperand& input : run.inputs())
      types.push_back(input.type);
    Array zero = ArrayOf(type, {0});
    Array one = Array(out, 1);
    *one.at(0) = 1;
    if (IsFloat(out)) one = ArrayOf(out, {1});
    const Tensor constants[] = {TensorOf(zero, {}), TensorOf(one, {})};
    const lw_tensor views[] = {constants[0].view(), constants[1].view()};
    std::vector<int32_t> operands = {count + 2};
    for (int32_t k = 1; k < count; ++k) operands.push_back(k);
    const int32_t first[] = {count, 0}, last[] = {count + 3, count + 1};
    const lw_step steps[] = {{sub.get(), first, 2},
                             {run.op(), operands.data(), operands.size()},
                             {sub.get(), last, 2}};
    const int32_t results[] = {count + 4};
    lw_chain* made = nullptr;
    ASSERT_EQ(lw_chain_create(isa().engine, types.data(), types.size(), views,
                              2, steps, 3, results, 1, &made),
              LW_OK)
        << lw_last_error();
    const std::unique_ptr<lw_chain, void (*)(lw_chain*)> chain(
        made, [](lw_chain* done) { lw_chain_destroy(done); });
    Tensors whole(run, StridedCopy::kGaps, StridedCopy::kPlain);
    ASSERT_EQ(lw_chain_run(made, nullptr, whole.in.data(), whole.in.size(),
                           whole.out.data(), 1),
              LW_OK)
        << lw_last_error();
    Tensors each(run, StridedCopy::kGaps, StridedCopy::kPlain);
    const lw_tensor negated[] = {views[0], each.in[0]};
    ASSERT_EQ(lw_op_run(sub.get(), negated, 2, each.in.data(), 1), LW_OK);
    ASSERT_EQ(lw_op_run(run.op(), each.in.data(), each.in.size(),
                        each.out.data(), each.out.size()),
              LW_OK);
    const lw_tensor shifted[] = {each.out[0], views[1]};
    ASSERT_EQ(lw_op_run(sub.get(), shifted, 2, each.out.data(), 1), LW_OK);
    EXPECT_TRUE(SameBits(whole.outs[0].Elements(), each.outs[0].Elements()));
  });
}

}  // namespace

ComposedSuiteOf::ComposedSuiteOf(const OperatorSpec& spec,
                                 std::vector<ComposedCase> cases) {
  g_spec = &spec;
  g_cases = new std::vector<ComposedCase>(std::move(cases));
}

namespace {
INSTANTIATE_TEST_SUITE_P(Isa, ComposedSuite, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());
}  // namespace

}  // namespace lanewise::test
