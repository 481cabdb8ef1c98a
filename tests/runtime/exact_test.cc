// SPDX-License-Identifier: Apache-2.0
//
// Calls of exact engines do not depend on the caller's floating-point
// environment and do not change it, whichever API and thread makes them.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/float_env.h"
#include "tests/support/isas.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

constexpr OpId kOperators[] = {
    {"Add", 14, 2},       {"Sub", 14, 2},  {"Mul", 14, 2},
    {"Div", 14, 2},       {"Exp", 13, 1},  {"Reciprocal", 13, 1},
    {"LeakyRelu", 16, 1}, {"Relu", 14, 1}, {"Clip", 13, 1},
    {"Gelu", 20, 1},      {"Sin", 22, 1},  {"Sigmoid", 13, 1}};
constexpr lw_type kTypes[] = {LW_FLOAT32, LW_FLOAT64, LW_FLOAT16, LW_BFLOAT16};

/// A prepared call for the length of `in`.
Subject Prepared(const lw_engine* engine, const OpId& id, lw_type type,
                 size_t n) {
  const OpPtr op = MakeOp(engine, id);
  const auto dim = static_cast<int64_t>(n);
  const lw_tensor tensor = {nullptr, type, 1, &dim, nullptr, 0};
  const lw_tensor in[] = {tensor, tensor};
  lw_call* made = nullptr;
  EXPECT_EQ(lw_call_create(op.get(), in, static_cast<size_t>(id.inputs),
                           &tensor, 1, &made),
            LW_OK)
      << lw_last_error();
  const std::shared_ptr<lw_call> call(made, lw_call_destroy);
  return {type, id.inputs, LW_SAME,
          [call](const void* a, const void* b, void* out, size_t) {
            const void* const inputs[] = {a, b};
            return lw_call_run(call.get(), inputs, &out);
          }};
}

Array WithoutNans(Array array) {
  // With an exponent bit cleared, a float is neither NaN nor infinite.
  const size_t size = array.element_size();
  for (size_t i = 0; i < array.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, array.at(i), size);
    bits &= ~(uint64_t{1} << MantissaBits(array.type()));
    std::memcpy(array.at(i), &bits, size);
  }
  return array;
}

class ExactEnvironment : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, ExactEnvironment,
                         testing::ValuesIn(AllExactIsas()),
                         testing::PrintToStringParamName());

TEST_P(ExactEnvironment, TheCallersDoesNotCount) {
  for (const OpId& op : kOperators) {
    for (const lw_type type : kTypes) {
      SCOPED_TRACE(std::string(op.name) + " " + lw_type_name(type));
      if (KernelStatus(isa().engine, op.name, op.opset, type, LW_SAME) ==
          LW_NOT_EXACT) {
        continue;
      }
      // Reversed and moved, so that operands of all magnitudes meet.
      const Array a = WithoutNans(FloatLattice(type));
      Array b(type, a.size());
      for (size_t i = 0; i < a.size(); ++i) {
        std::memcpy(b.at(i), a.at((i * 7919 + 13) % a.size()),
                    a.element_size());
      }
      const Array& second = op.inputs == 2 ? b : Array();
      CheckFloatEnvIgnored(TensorApi(isa().engine, op, type), a, second);
      CheckFloatEnvIgnored(Prepared(isa().engine, op, type, a.size()), a,
                           second);
      if (std::string(op.name) == "Clip") continue;  // has three inputs there
      CheckFloatEnvIgnored(KernelApi(isa().engine, op, type), a, second);
    }
  }
}

// What runs gives the same bits in each environment; what is refused says why.
TEST_P(ExactEnvironment, ComposedOperators) {
  for (const OpId& id : {OpId{"Softmax", 13, 1}, {"LogSoftmax", 13, 1}}) {
    const OpPtr op = MakeOp(isa().engine, id);
    for (const lw_type type : kTypes) {
      SCOPED_TRACE(std::string(id.name) + " " + lw_type_name(type));
      const Array x = WithoutNans(RandomBits(type, 1000));
      Array y(type, x.size());
      const auto dim = static_cast<int64_t>(x.size());
      const lw_tensor in = {
          const_cast<uint8_t*>(x.data()), type, 1, &dim, nullptr, 0};
      const lw_tensor out = {y.data(), type, 1, &dim, nullptr, 0};
      const lw_status status = lw_op_run(op.get(), &in, 1, &out, 1);
      if (status == LW_OK) {
        CheckFloatEnvIgnored(TensorApi(isa().engine, id, type), x);
        CheckFloatEnvIgnored(Prepared(isa().engine, id, type, x.size()), x);
        continue;
      }
      EXPECT_EQ(status, LW_NOT_EXACT) << lw_last_error();
      const std::string message = lw_last_error();
      EXPECT_EQ(message.rfind(std::string(id.name) + "-", 0), 0u) << message;
    }
  }
}

TEST(ExactThreads, TheCallersEnvironmentDoesNotCount) {
  for (const ThreadingCase& threading : AllThreading()) {
    SCOPED_TRACE(threading.name);
    lw_engine_options options = OptionsFor(threading);
    options.accuracy = LW_ACCURACY_EXACT;
    const EnginePtr engine =
        MakeTunedEngine(options, lw_isa_name(0), EagerThreads());
    for (const lw_type type : kTypes) {
      SCOPED_TRACE(lw_type_name(type));
      const Array in = WithoutNans(RandomBits(type, 10'000));
      const Array expected =
          Compute(KernelApi(AllExactIsas()[0].engine, {"Exp", 13}, type), in);
      const Subject exp = TensorApi(engine.get(), {"Exp", 13}, type);
      EXPECT_TRUE(SameBits(Compute(exp, in), expected));
      CheckFloatEnvIgnored(exp, in);
    }
  }
}

}  // namespace
}  // namespace lanewise::test
