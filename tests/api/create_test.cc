// SPDX-License-Identifier: Apache-2.0
//
// What lw_op_create must reject, and what it must accept.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/strided.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

using Attributes = std::vector<lw_attribute>;

void ExpectRefused(const char* name, int32_t opset,
                   const Attributes& attributes, lw_status status,
                   const std::string& part) {
  lw_op* op = nullptr;
  const lw_status actual = lw_op_create(nullptr, name, opset, attributes.data(),
                                        attributes.size(), &op);
  EXPECT_STREQ(lw_status_name(actual), lw_status_name(status));
  EXPECT_EQ(op, nullptr);
  const std::string message = lw_last_error();
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Create, UnknownOperators) {
  for (const char* name : {"Relu6", "relu", "RELU", "", "Relu ", "%s%n"}) {
    ExpectRefused(name, 14, {}, LW_UNKNOWN_OPERATOR, name);
  }
  ExpectRefused(nullptr, 14, {}, LW_INVALID_ARGUMENT, "NULL");
}

TEST(Create, OpsetsWithoutAVersion) {
  for (const int32_t opset : {0, -1, INT32_MIN}) {
    ExpectRefused("Relu", opset, {}, LW_UNSUPPORTED_VERSION, "Relu");
  }
  for (const int32_t opset : {1, 2, 26, INT32_MAX}) {
    MakeOp(nullptr, {"Relu", opset});
  }
}

TEST(Create, NullResultPointer) {
  EXPECT_EQ(lw_op_create(nullptr, "Relu", 14, nullptr, 0, nullptr),
            LW_INVALID_ARGUMENT);
  EXPECT_STRNE(lw_last_error(), "");
}

TEST(Create, Attributes) {
  const int64_t ints[] = {0, 1};
  // Relu-1 has consumed_inputs, which has no effect. Relu-6 has no attributes.
  MakeOp(nullptr, {"Relu", 1}, {IntsAttribute("consumed_inputs", ints, 2)});
  MakeOp(nullptr, {"Relu", 5}, {IntsAttribute("consumed_inputs", nullptr, 0)});
  for (const int32_t opset : {6, 13, 14}) {
    ExpectRefused("Relu", opset, {IntsAttribute("consumed_inputs", ints, 1)},
                  LW_INVALID_ATTRIBUTE, "Relu-" + std::to_string(opset) + ": ");
  }
  ExpectRefused("Relu", 1, {IntAttribute("consumed_inputs", ints)},
                LW_INVALID_ATTRIBUTE, "a list of integers");
  ExpectRefused("Relu", 1,
                {IntsAttribute("consumed_inputs", ints, 1),
                 IntsAttribute("consumed_inputs", ints, 1)},
                LW_INVALID_ATTRIBUTE, "twice");
  ExpectRefused("Relu", 14, {IntsAttribute("alpha", ints, 1)},
                LW_INVALID_ATTRIBUTE, "\"alpha\"");
  ExpectRefused("Relu", 1, {IntsAttribute("broadcast", ints, 1)},
                LW_INVALID_ATTRIBUTE, "\"broadcast\"");
  ExpectRefused("Relu", 1, {IntsAttribute(nullptr, ints, 1)},
                LW_INVALID_ARGUMENT, "Relu-1: ");
  ExpectRefused("Relu", 1, {IntsAttribute("consumed_inputs", nullptr, 1)},
                LW_INVALID_ARGUMENT, "Relu-1: ");
  lw_op* op = nullptr;
  EXPECT_EQ(lw_op_create(nullptr, "Relu", 14, nullptr, 1, &op),
            LW_INVALID_ARGUMENT);
  EXPECT_EQ(op, nullptr);
}

// A number that is no type is named as it was given, also where its low 32 bits
// are a type.
TEST(Create, OutputTypes) {
  for (const int64_t to : {int64_t{0}, int64_t{-1}, int64_t{LW_INT2} + 1,
                           (int64_t{1} << 32) + LW_FLOAT32, INT64_MIN}) {
    ExpectRefused("Cast", 13, {IntAttribute("to", &to)}, LW_UNSUPPORTED_TYPE,
                  "\"to\" is " + std::to_string(to) + ",");
  }
  const int64_t text = LW_STRING;
  ExpectRefused("Cast", 13, {IntAttribute("to", &text)}, LW_UNSUPPORTED_TYPE,
                "string");
}

// Each kind is named where another one is needed.
TEST(Create, KindsOfAttributes) {
  const struct {
    int32_t kind;
    const char* name;
  } kinds[] = {{LW_ATTRIBUTE_FLOAT, "a float"},
               {LW_ATTRIBUTE_INT, "an integer"},
               {LW_ATTRIBUTE_STRING, "a string"},
               {LW_ATTRIBUTE_FLOATS, "a list of floats"},
               {LW_ATTRIBUTE_STRINGS, "a list of strings"},
               {0, "of an unknown kind"},
               {99, "of an unknown kind"}};
  const double any[2] = {};
  for (const auto& [kind, name] : kinds) {
    ExpectRefused("Relu", 1, {{"consumed_inputs", kind, 1, any}},
                  LW_INVALID_ATTRIBUTE, name);
  }
}

TEST(Create, NumbersWithoutAName) {
  EXPECT_STREQ(lw_status_name(-1), "LW_UNKNOWN_STATUS");
  EXPECT_STREQ(lw_status_name(1000), "LW_UNKNOWN_STATUS");
  EXPECT_STREQ(lw_type_name(-1), "unknown");
  EXPECT_STREQ(lw_type_name(LW_INT2 + 1), "unknown");
}

// A type that the version does not list is rejected by lw_op_infer, by
// lw_op_run and by the kernel API.
TEST(Create, TypesOutsideTheirVersion) {
  const struct {
    int32_t opset;
    lw_type type;
    const char* label;
  } cases[] = {
      {6, LW_BFLOAT16, "Relu-6: bfloat16"},
      {12, LW_BFLOAT16, "Relu-6: bfloat16"},
      {13, LW_INT8, "Relu-13: int8"},
      {13, LW_INT64, "Relu-13: int64"},
      {14, LW_UINT8, "Relu-14: uint8"},
      {25, LW_UINT64, "Relu-14: uint64"},
      {14, LW_BOOL, "Relu-14: bool"},
      {14, LW_STRING, "Relu-14: string"},
      {25, LW_INT4, "Relu-14: int4"},
      {1, LW_INT32, "Relu-1: int32"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.label);
    const auto expect_failure = [&](lw_status status) {
      EXPECT_STREQ(lw_status_name(status), "LW_UNSUPPORTED_TYPE");
      EXPECT_EQ(std::string(lw_last_error()).rfind(test.label, 0), 0u)
          << lw_last_error();
    };
    const OpPtr op = MakeOp(nullptr, {"Relu", test.opset});
    alignas(16) char memory[16] = "unchanged";
    const Tensor tensor = {test.type, memory, {1}};
    const lw_tensor view = tensor.view();
    lw_shape shape;
    expect_failure(lw_op_infer(op.get(), &view, 1, &shape));
    expect_failure(lw_op_run(op.get(), &view, 1, &view, 1));
    EXPECT_STREQ(memory, "unchanged");
    expect_failure(KernelStatus(nullptr, "Relu", test.opset, test.type));
  }
}

}  // namespace
}  // namespace lanewise::test
