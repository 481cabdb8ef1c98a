// SPDX-License-Identifier: Apache-2.0
//
// The suite of reductions in floating-point environments of the caller.

#include "tests/support/check_unary.h"
#include "tests/support/float_env.h"
#include "tests/support/reduction_suite.h"
#include "tests/support/samples.h"
#include "tests/support/suite_calls.h"

namespace lanewise::test {

// float32 and float64 follow the caller's environment as scalar code does,
// which the oracle is. Bounds are of results to nearest.
void CheckReductionFloatEnv(const OperatorSpec& spec, const Isa& isa) {
  LANEWISE_SKIP_IF_EXACT();
  ForEachType(spec, [&](lw_type type) {
    if (type == LW_FLOAT16 || type == LW_BFLOAT16) return;
    for (const ReductionCase& call :
         {ReductionCase{.type = type, .dims = {300}, .axes = Dims64{0}},
          ReductionCase{.type = type, .dims = {5, 40}, .axes = Dims64{1}},
          ReductionCase{.type = type, .dims = {70, 41}, .axes = Dims64{0}},
          ReductionCase{.type = type,
          .dims = {30, 41},
          .axes = Dims64{1},
          .in_strides = {1, 30}}}) {
      for (const Data data : {Data::kModerate, Data::kRare, Data::kMixed}) {
        InEveryFloatEnv([&] {
          SCOPED_TRACE(call.Describe());
          const volatile double tiny = 1e-310;
          const bool flushes = tiny * 1.0 == 0;
          const ReductionRun run(spec, call, data, 21);
          const OpPtr op = run.MakeNode(isa.engine);
          const uint64_t before = FloatControlBits();
          ASSERT_EQ(lw_op_run(op.get(), run.inputs().data(),
                              run.inputs().size(), &run.output(), 1),
                    LW_OK);
          EXPECT_EQ(FloatControlBits(), before);
          if (spec.reduced == nullptr) return;
          const ReductionAnswers answers(spec, call, run.data());
          EXPECT_EQ(answers.Complaint(run.Results(), flushes), "");
        });
        if (testing::Test::HasFailure()) return;
      }
    }
  });
}

void CheckReductionExactEngine(const OperatorSpec& spec, const Isa& isa) {
  lw_op* any = nullptr;
  const lw_status status =
      lw_op_create(isa.engine, spec.name, 28, nullptr, 0, &any);
  lw_op_destroy(any);
  if (spec.reduced == nullptr) {
    EXPECT_EQ(status, LW_NOT_EXACT);
    return;
  }
  ForEachType(spec, [&](lw_type type) {
    for (const int64_t axis : {0, 1}) {
      const ReductionCase call = {
          .type = type, .dims = {70, 90}, .axes = Dims64{axis}};
      const ReductionRun run(spec, call, Data::kModerate, 31);
      const OpPtr op = run.MakeNode(isa.engine);
      InEveryFloatEnv([&] {
        run.ClearOutput();
        const uint64_t before = FloatControlBits();
        ASSERT_EQ(lw_op_run(op.get(), run.inputs().data(), run.inputs().size(),
                            &run.output(), 1),
                  LW_OK)
            << lw_last_error();
        EXPECT_EQ(FloatControlBits(), before);
        run.CheckMemory();
      });
    }
  });
}

// Sums and products of ones are exact, and no lane that is not the caller's may
// raise anything: not even a trap that the caller has unmasked.
void CheckReductionTraps(const OperatorSpec& spec, const Isa& isa) {
  ForEachType(spec, [&](lw_type type) {
    if (!IsFloat(type)) return;
    for (int64_t n = 1; n <= 150; ++n) {
      for (const ReductionCase& call :
           {ReductionCase{.type = type, .dims = {3, n}, .axes = Dims64{1}},
            ReductionCase{.type = type, .dims = {3, n}, .axes = Dims64{0}},
            ReductionCase{.type = type,
            .dims = {3, n},
            .axes = Dims64{1},
            .in_strides = {1, 3}}}) {
        const ReductionRun run(spec, call, Data::kOnes, 1);
        const OpPtr op = run.MakeNode(isa.engine);
        lw_status status;
        {
          const FloatEnvScope scope;
          TrapOnExceptions();
          status = lw_op_run(op.get(), run.inputs().data(), run.inputs().size(),
                             &run.output(), 1);
        }
        ASSERT_EQ(status, LW_OK) << lw_last_error();
        run.CheckMemory();
        if (testing::Test::HasFailure()) return;
      }
    }
  });
}

}  // namespace lanewise::test
