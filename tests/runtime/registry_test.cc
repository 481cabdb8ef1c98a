// SPDX-License-Identifier: Apache-2.0
//
// What the library says that it supports, and what it then really takes, held
// against the table of ONNX's own types and versions, written down here by hand
// from the operators' documents.

#include "runtime/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "runtime/isa.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

using Types = std::set<int32_t>;

Types operator+(Types x, const Types& y) {
  x.insert(y.begin(), y.end());
  return x;
}

const Types kF3 = {LW_FLOAT16, LW_FLOAT32, LW_FLOAT64};
const Types kF4 = kF3 + Types{LW_BFLOAT16};
const Types kI8 = {LW_INT8,  LW_INT16,  LW_INT32,  LW_INT64,
                   LW_UINT8, LW_UINT16, LW_UINT32, LW_UINT64};
const Types kN7 = kF3 + Types{LW_INT32, LW_INT64, LW_UINT32, LW_UINT64};
const Types kA15 =
    kI8 + kF3 + Types{LW_STRING, LW_BOOL, LW_COMPLEX64, LW_COMPLEX128};
const Types kA16 = kA15 + Types{LW_BFLOAT16};
const Types kA20 = kA16 + Types{LW_FLOAT8E4M3FN, LW_FLOAT8E4M3FNUZ,
                                LW_FLOAT8E5M2, LW_FLOAT8E5M2FNUZ};
const Types kA22 = kA20 + Types{LW_INT4, LW_UINT4};
const Types kA23 = kA22 + Types{LW_FLOAT4E2M1};
const Types kA24 = kA23 + Types{LW_FLOAT8E8M0};
const Types kA26 = kA24 + Types{LW_INT2, LW_UINT2};

struct Document {
  const char* name;
  size_t inputs;
  std::map<int32_t, Types> versions;  // what each one takes

  friend std::ostream& operator<<(std::ostream& out, const Document& it) {
    return out << it.name;
  }
};

const Document kDocuments[] = {
    {"Div",
     2,
     {{1, kF3},
      {6, kN7},
      {7, kN7},
      {13, kN7 + Types{LW_BFLOAT16}},
      {14, kI8 + kF4}}},
    {"Exp", 1, {{1, kF3}, {6, kF3}, {13, kF4}}},
    {"Reciprocal", 1, {{1, kF3}, {6, kF3}, {13, kF4}}},
    {"Relu",
     1,
     {{1, kF3},
      {6, kF3},
      {13, kF4},
      {14, kF4 + Types{LW_INT8, LW_INT16, LW_INT32, LW_INT64}}}},
    {"Reshape",
     2,
     {{1, kF3},
      {5, kA15},
      {13, kA16},
      {14, kA16},
      {19, kA20},
      {21, kA22},
      {23, kA23},
      {24, kA24},
      {25, kA26}}},
};

class Registry : public testing::TestWithParam<Document> {
 protected:
  void SetUp() override {
    if (lw_operator_version(name(), 0) == 0) {
      GTEST_SKIP() << name() << " IS NOT IN THIS BUILD: its row of "
                   << "operators.md is not checked";
    }
  }
  static const char* name() { return GetParam().name; }
  static const std::map<int32_t, Types>& versions() {
    return GetParam().versions;
  }
};
INSTANTIATE_TEST_SUITE_P(Operator, Registry, testing::ValuesIn(kDocuments),
                         testing::PrintToStringParamName());

TEST_P(Registry, Versions) {
  size_t i = 0;
  for (const auto& [version, types] : versions()) {
    EXPECT_EQ(lw_operator_version(name(), i++), version);
  }
  EXPECT_EQ(lw_operator_version(name(), i), 0);
  EXPECT_EQ(lw_operator_version(name(), SIZE_MAX), 0);
}

TEST_P(Registry, AnOpsetMeansTheNewestVersionNotAboveIt) {
  const Operator* op = FindOperator(name());
  ASSERT_NE(op, nullptr);
  for (int32_t opset = -1; opset <= 30; ++opset) {
    int newest = 0;
    for (const auto& [version, types] : versions()) {
      if (version <= opset) newest = version;
    }
    EXPECT_EQ(VersionAt(*op, opset), newest) << "opset " << opset;
  }
}

TEST_P(Registry, RowsTellTheFirstVersionOfEachType) {
  std::map<int32_t, int32_t> expected;
  for (const auto& [version, types] : versions()) {
    for (const int32_t type : types) expected.emplace(type, version);
  }
  std::map<int32_t, int32_t> told;
  std::vector<int32_t> order;
  lw_support row;
  for (size_t i = 0; lw_support_row(i, &row) != 0; ++i) {
    if (std::string(row.name) != name()) continue;
    told.emplace(row.type, row.since_version);
    order.push_back(row.type);
  }
  EXPECT_EQ(told, expected);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(order.size(), expected.size()) << "a row stands there twice";
}

// The tensor door takes exactly the types of each version.
TEST_P(Registry, TensorDoorTakesTheTypesOfEachVersion) {
  for (const auto& [version, types] : versions()) {
    SCOPED_TRACE(std::string(name()) + "-" + std::to_string(version));
    // Reshape's target: an attribute in its first version, then an input.
    const int64_t one = 1;
    const bool has_shape = std::string(name()) == "Reshape";
    const bool attribute = has_shape && version < 5;
    const OpPtr op =
        MakeOp(nullptr, {name(), version},
               attribute ? std::vector<lw_attribute>{{"shape", &one, 1}}
                         : std::vector<lw_attribute>{});
    for (int32_t type = 0; type <= 40; ++type) {
      int64_t target = 1;
      alignas(16) char element[16] = {};
      const lw_tensor data = {element, type, 1, &one, nullptr, 0};
      const lw_tensor shape = {&target, LW_INT64, 1, &one, nullptr, 0};
      const lw_tensor in[] = {data, has_shape ? shape : data};
      lw_shape out;
      const lw_status status =
          lw_op_infer(op.get(), in, attribute ? 1 : GetParam().inputs, &out);
      EXPECT_EQ(status, types.count(type) ? LW_OK : LW_UNSUPPORTED_TYPE)
          << lw_type_name(type);
      if (status != LW_UNSUPPORTED_TYPE) continue;
      const std::string message = lw_last_error();
      EXPECT_EQ(
          message.rfind(
              std::string(name()) + "-" + std::to_string(version) + ": ", 0),
          0u)
          << message;
      const std::string said =
          type >= 1 && type <= 26 ? lw_type_name(type) : std::to_string(type);
      EXPECT_NE(message.find(said), std::string::npos) << message;
    }
  }
}

// So does the direct door, on every instruction set. A type has all runs of its
// operator or none.
TEST_P(Registry, EveryTargetHasTheSameKernels) {
  const bool binary = std::string(name()) == "Div";
  for (size_t i = 0; lw_isa_name(i) != nullptr; ++i) {
    lw_engine_options options = {};
    options.struct_size = sizeof(options);
    options.max_isa = lw_isa_name(i);
    lw_engine* engine = nullptr;
    ASSERT_EQ(lw_engine_create(&options, &engine), LW_OK);
    for (const auto& [version, types] : versions()) {
      for (int32_t type = 0; type <= 40; ++type) {
        for (const lw_run run : {LW_SAME, LW_SCALAR_B, LW_SCALAR_A}) {
          const lw_kernel* kernel = nullptr;
          const lw_status status =
              lw_kernel_find(engine, name(), version, type, run, &kernel);
          const bool expected = types.count(type) && (binary || run == LW_SAME);
          EXPECT_EQ(status == LW_OK, expected)
              << name() << "-" << version << " " << lw_type_name(type)
              << " run " << run << " on " << lw_isa_name(i);
          EXPECT_EQ(kernel != nullptr, expected);
        }
      }
    }
    lw_engine_destroy(engine);
  }
}

// A new operator's types are its own test's affair: this file stays as it is.
TEST(Registry, AnswersNoForWhatIsNotThere) {
  lw_support row;
  EXPECT_EQ(lw_support_row(SIZE_MAX, &row), 0);
  EXPECT_EQ(lw_support_row(0, nullptr), 0);
  EXPECT_EQ(lw_operator_version("Tanh", 0), 0);
  EXPECT_EQ(lw_operator_version("relu", 0), 0) << "ONNX's spelling counts";
  EXPECT_EQ(lw_operator_version(nullptr, 0), 0);
}

TEST(Registry, NamesOfTypesAndStatuses) {
  EXPECT_STREQ(lw_type_name(LW_FLOAT32), "float32");
  EXPECT_STREQ(lw_type_name(LW_BFLOAT16), "bfloat16");
  EXPECT_STREQ(lw_type_name(LW_INT2), "int2");
  for (const int32_t type : {-1, 0, 27, INT32_MAX, INT32_MIN}) {
    EXPECT_STREQ(lw_type_name(type), "unknown");
  }
  std::set<std::string> names;
  for (int32_t type = 1; type <= 26; ++type) names.insert(lw_type_name(type));
  EXPECT_EQ(names.size(), 26u);
  EXPECT_EQ(names.count("unknown"), 0u);

  names.clear();
  for (int status = LW_OK; status <= LW_OUT_OF_MEMORY; ++status) {
    names.insert(lw_status_name(status));
  }
  EXPECT_EQ(names.size(), 17u);
  EXPECT_STREQ(lw_status_name(LW_OVERLAP), "LW_OVERLAP");
}

}  // namespace
}  // namespace lanewise::test
