// SPDX-License-Identifier: Apache-2.0
//
// Where: the suite, any byte as a condition, and the host's strings.

#include <cstring>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_where = {
    .name = "Where",
    .versions = {{9, kA15, {{"condition", "B", {LW_BOOL}}, {"X"}, {"Y"}}},
                 {16, kA16, {{"condition", "B", {LW_BOOL}}, {"X"}, {"Y"}}}},
    .output = {"output"},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          const bool first = *static_cast<const uint8_t*>(in[0]) != 0;
          std::memcpy(out, first ? in[1] : in[2], ElementSize(type));
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/operator_suite.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_where);

class WhereTest : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, WhereTest, testing::ValuesIn(AllIsas()),
                         testing::PrintToStringParamName());

// Whatever a host writes for true.
TEST_P(WhereTest, AnyByteButZeroIsTrue) {
  const OpPtr op = MakeOp(isa().engine, {"Where", 16});
  const auto check = [&](lw_type type, auto one) {
    using T = decltype(one);
    const lw_kernel* kernel = nullptr;
    const lw_kernel* by_scalar = nullptr;
    ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SAME, &kernel), LW_OK);
    ASSERT_EQ(lw_op_kernel(op.get(), type, LW_SCALAR_A, &by_scalar), LW_OK);
    std::vector<uint8_t> condition(256);
    std::vector<T> x(256), y(256), out(256);
    for (size_t i = 0; i < 256; ++i) {
      condition[i] = static_cast<uint8_t>(i);
      x[i] = static_cast<T>(i + 1);
      y[i] = static_cast<T>(~x[i]);
    }
    const void* const inputs[] = {condition.data(), x.data(), y.data()};
    ASSERT_EQ(lw_kernel_run(kernel, inputs, out.data(), 256), LW_OK);
    for (size_t i = 0; i < 256; ++i) {
      const void* const one[] = {&condition[i], &x[i], &y[i]};
      T chosen;
      ASSERT_EQ(lw_kernel_run(by_scalar, one, &chosen, 1), LW_OK);
      EXPECT_EQ(chosen, i == 0 ? y[i] : x[i]) << lw_type_name(type) << ' ' << i;
    }
    x[0] = y[0];
    EXPECT_EQ(out, x) << lw_type_name(type);
  };
  check(LW_UINT8, uint8_t{});
  check(LW_UINT16, uint16_t{});
  check(LW_UINT32, uint32_t{});
  check(LW_UINT64, uint64_t{});
}

TEST(WhereStrings, OfTheHostsOwnType) {
  lw_engine_options options = Options();
  options.string_type.element_size = sizeof(std::string);
  options.string_type.copy = [](void*, void* to, const void* from,
                                size_t count) {
    std::copy_n(static_cast<const std::string*>(from), count,
                static_cast<std::string*>(to));
  };
  const EnginePtr engine = MakeEngine(options);
  const OpPtr op = MakeOp(engine.get(), {"Where", 16});
  const bool condition[] = {true, false, false, true};
  std::vector<std::string> x = {"a", "b", std::string(60, 'c'), "d"};
  const std::vector<std::string> y = {std::string(70, 'e')};
  const int64_t four = 4;
  const auto tensor = [](const void* data, lw_type type, int32_t rank,
                         const int64_t* dims) -> lw_tensor {
    return {const_cast<void*>(data), type, rank, dims, nullptr, 0};
  };
  const lw_tensor in[] = {tensor(condition, LW_BOOL, 1, &four),
                          tensor(x.data(), LW_STRING, 1, &four),
                          tensor(y.data(), LW_STRING, 0, nullptr)};
  // In place over x.
  ASSERT_EQ(lw_op_run(op.get(), in, 3, &in[1], 1), LW_OK) << lw_last_error();
  EXPECT_EQ(x, (std::vector<std::string>{"a", y[0], y[0], "d"}));
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
