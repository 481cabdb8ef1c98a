// SPDX-License-Identifier: Apache-2.0
//
// Equal: the suite, all pairs of 16-bit operands, and the host's strings.

#include <cstring>

#include "tests/support/operator_spec.h"

namespace lanewise::test {

extern const OperatorSpec kSpec_equal = {
    .name = "Equal",
    .versions = {{1,
                  {LW_BOOL, LW_INT32, LW_INT64},
                  InputsAB(),
                  LegacyAttributes(false)},
                 {7, {LW_BOOL, LW_INT32, LW_INT64}, InputsAB()},
                 {11, kI8 + kF3 + Types{LW_BOOL}, InputsAB()},
                 {13, kN12 + Types{LW_BOOL}, InputsAB()},
                 {19, kN12 + Types{LW_BOOL, LW_STRING}, InputsAB()}},
    .output = {"C", "T1", {LW_BOOL}},
    .bits =
        [](lw_type type, const void* const* in, void* out) {
          bool equal = false;
          if (type == LW_STRING) {
            const auto& a = *static_cast<const lw_string*>(in[0]);
            const auto& b = *static_cast<const lw_string*>(in[1]);
            equal = std::string(a.data, a.size) == std::string(b.data, b.size);
          } else {
            equal = Compare(type, in, [](auto a, auto b) { return a == b; });
          }
          *static_cast<bool*>(out) = equal;
        },
};

}  // namespace lanewise::test

#if !LANEWISE_SPEC_ONLY

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/all_pairs16.h"
#include "tests/support/engines.h"
#include "tests/support/operator_suite.h"
#include "tests/support/strided.h"

namespace lanewise::test {
namespace {

const SuiteOf kSuite(kSpec_equal);

constexpr OpId kEqual = {"Equal", 19, 2};

template <int kExponentBits, int kMantissaBits>
struct EqualByValue {
  const double* values = ValuesOf16<kExponentBits, kMantissaBits>();
  bool operator()(uint16_t a, uint16_t b) const {
    return values[a] == values[b];
  }
};

TEST(EqualPairs, ExhaustiveFloat16) {
  CheckAllPairs16<uint8_t>(kEqual, LW_FLOAT16, 0x7FFF, EqualByValue<5, 10>());
}
TEST(EqualPairs, ExhaustiveBfloat16) {
  CheckAllPairs16<uint8_t>(kEqual, LW_BFLOAT16, 0x7FFF, EqualByValue<8, 7>());
}
TEST(EqualPairs, ExhaustiveInt16) {
  CheckAllPairs16<uint8_t>(kEqual, LW_INT16, 0x7FFF,
                           [](uint16_t a, uint16_t b) { return a == b; });
}

using Strings = std::vector<std::string>;

// An engine whose string elements are std::string.
lw_engine_options WithStdStrings() {
  lw_engine_options options = Options();
  options.string_type.element_size = sizeof(std::string);
  options.string_type.element_alignment = alignof(std::string);
  options.string_type.copy = [](void*, void* to, const void* from,
                                size_t count) {
    std::copy_n(static_cast<const std::string*>(from), count,
                static_cast<std::string*>(to));
  };
  options.string_type.equal = [](void*, const void* a, const void* b) {
    return int32_t{*static_cast<const std::string*>(a) ==
                   *static_cast<const std::string*>(b)};
  };
  return options;
}

TEST(EqualStrings, OfTheHostsOwnType) {
  const EnginePtr engine = MakeEngine(WithStdStrings());
  const OpPtr op = MakeOp(engine.get(), kEqual);
  const Strings a = {"x", std::string(50, 'y'), "", "z", "x", "q"};
  const Strings b = {std::string(50, 'y'), "x"};
  const auto tensor = [](const Strings& strings, const Dims64& dims,
                         const int64_t* strides) -> lw_tensor {
    return {const_cast<std::string*>(strings.data()),
            LW_STRING,
            static_cast<int32_t>(dims.size()),
            dims.data(),
            strides,
            0};
  };
  const Dims64 dims = {3, 2}, row = {2}, column = {2, 3};
  const int64_t turned[] = {1, 2};
  bool out[6];
  const lw_tensor to = {out, LW_BOOL, 2, dims.data(), nullptr, 0};
  const lw_tensor in[] = {tensor(a, dims, nullptr), tensor(b, row, nullptr)};
  ASSERT_EQ(lw_op_run(op.get(), in, 2, &to, 1), LW_OK) << lw_last_error();
  EXPECT_EQ(std::vector<bool>(out, out + 6),
            (std::vector<bool>{false, false, false, false, false, false}));
  const Strings c = {std::string(50, 'y'), "z"};
  const lw_tensor other[] = {tensor(a, dims, nullptr), tensor(c, row, nullptr)};
  ASSERT_EQ(lw_op_run(op.get(), other, 2, &to, 1), LW_OK) << lw_last_error();
  EXPECT_EQ(std::vector<bool>(out, out + 6),
            (std::vector<bool>{false, false, false, true, false, false}));
  // One side transposed.
  const lw_tensor square = {out, LW_BOOL, 2, column.data(), nullptr, 0};
  const lw_tensor same[] = {tensor(a, column, turned),
                            tensor(a, column, turned)};
  ASSERT_EQ(lw_op_run(op.get(), same, 2, &square, 1), LW_OK);
  EXPECT_EQ(std::count(out, out + 6, true), 6);
}

TEST(EqualStrings, NeedTheHostsFunction) {
  lw_engine_options options = WithStdStrings();
  options.string_type.equal = nullptr;
  const EnginePtr engine = MakeEngine(options);
  const OpPtr op = MakeOp(engine.get(), kEqual);
  const lw_tensor scalar = {nullptr, LW_STRING, 0, nullptr, nullptr, 0};
  const lw_tensor in[] = {scalar, scalar};
  lw_shape shape;
  EXPECT_EQ(lw_op_infer(op.get(), in, 2, &shape), LW_UNSUPPORTED_TYPE);
  EXPECT_NE(std::string(lw_last_error()).find("equal"), std::string::npos);
  EXPECT_EQ(KernelStatus(engine.get(), "Equal", 19, LW_STRING),
            LW_UNSUPPORTED_TYPE);
  EXPECT_EQ(KernelStatus(engine.get(), "Equal", 19, LW_INT8), LW_OK);
}

}  // namespace
}  // namespace lanewise::test

#endif  // !LANEWISE_SPEC_ONLY
