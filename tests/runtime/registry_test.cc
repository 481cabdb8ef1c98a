// SPDX-License-Identifier: Apache-2.0
//
// What the library says that it supports, and what it then really takes, held
// against each operator's spec, which is written down by hand from its ONNX
// document.

#include "runtime/node/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "kernels/tiles.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/types.h"
#include "runtime/node/node.h"
#include "tests/support/engines.h"
#include "tests/support/isas.h"
#include "tests/support/operator_spec.h"
#include "tests/support/subject.h"

namespace lanewise::test {

std::ostream& operator<<(std::ostream& out, const OperatorSpec& spec) {
  return out << spec.name;
}

namespace {

std::vector<OperatorSpec> Specs() {
  std::vector<OperatorSpec> specs;
  for (const auto& [name, spec] : AllSpecs()) specs.push_back(*spec);
  return specs;
}

class Registry : public testing::TestWithParam<OperatorSpec> {
 protected:
  static const char* name() { return GetParam().name; }
  static const std::vector<VersionSpec>& versions() {
    return GetParam().versions;
  }
  static std::vector<const lw_signature*> Rows() {
    std::vector<const lw_signature*> rows;
    const lw_signature* row = nullptr;
    for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
      if (std::string(row->name) == name()) rows.push_back(row);
    }
    return rows;
  }
  static std::string LabelOf(const VersionSpec& version) {
    return std::string(name()) + "-" + std::to_string(version.version);
  }
  // A node of the version, with a value for each attribute that it needs.
  static OpPtr MakeVersion(const VersionSpec& version,
                           const lw_engine* engine = nullptr) {
    return MakeVersion(version, version.version, engine);
  }
  static OpPtr MakeVersion(const VersionSpec& version, int32_t opset,
                           const lw_engine* engine) {
    std::vector<lw_attribute> attributes;
    std::vector<lw_string> texts;
    texts.reserve(version.attributes.size());
    for (const AttributeSpec& it : version.attributes) {
      if (!it.required && !it.needed) continue;
      texts.push_back({it.text.data(), it.text.size()});
      const void* value = &it.number;
      if (it.kind == LW_ATTRIBUTE_STRING) value = &texts.back();
      attributes.push_back({it.name.c_str(), it.kind, 1, value});
    }
    return MakeOp(engine, {name(), opset}, attributes);
  }
};
INSTANTIATE_TEST_SUITE_P(Operator, Registry, testing::ValuesIn(Specs()),
                         testing::PrintToStringParamName());

TEST_P(Registry, Versions) {
  const std::vector<const lw_signature*> rows = Rows();
  ASSERT_EQ(rows.size(), versions().size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]->since_version, versions()[i].version);
    EXPECT_EQ(rows[i]->last_opset, i + 1 < rows.size()
                                       ? versions()[i + 1].version - 1
                                       : GetParam().newest_opset);
  }
}

TEST_P(Registry, AnOpsetMeansTheNewestVersionNotAboveIt) {
  const Operator* op = FindOperator(name());
  ASSERT_NE(op, nullptr);
  for (int32_t opset = -1; opset <= 40; ++opset) {
    int newest = 0;
    for (const VersionSpec& version : versions()) {
      if (version.version <= opset) newest = version.version;
    }
    EXPECT_EQ(VersionAt(*op, opset), newest) << "opset " << opset;
  }
}

TEST_P(Registry, StrictEnginesRefuseOpsetsThatNobodyVerified) {
  lw_engine_options options = Options();
  options.strict_opset = 1;
  const EnginePtr strict = MakeEngine(options);
  lw_op* op = nullptr;
  const int32_t newer = GetParam().newest_opset + 1;
  EXPECT_EQ(lw_op_create(strict.get(), name(), newer, nullptr, 0, &op),
            LW_UNSUPPORTED_VERSION);
  EXPECT_NE(std::string(lw_last_error()).find(std::to_string(newer)),
            std::string::npos)
      << lw_last_error();
  EXPECT_EQ(op, nullptr);
  const VersionSpec& newest = versions().back();
  MakeVersion(newest, GetParam().newest_opset, strict.get());
  MakeVersion(newest, newer, nullptr);
}

void ExpectOperand(const lw_operand& operand, const OperandSpec& spec,
                   const Types& bound) {
  SCOPED_TRACE(spec.name);
  EXPECT_EQ(operand.name, spec.name);
  EXPECT_EQ(operand.type_parameter, spec.parameter);
  EXPECT_EQ(operand.optional != 0, spec.optional);
  const std::vector<int32_t> types(operand.types,
                                   operand.types + operand.type_count);
  EXPECT_TRUE(std::is_sorted(types.begin(), types.end()));
  EXPECT_EQ(Types(types.begin(), types.end()),
            spec.types.empty() || spec.told ? bound : spec.types);
}

TEST_P(Registry, Signatures) {
  const std::vector<const lw_signature*> rows = Rows();
  ASSERT_EQ(rows.size(), versions().size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const lw_signature& row = *rows[i];
    const VersionSpec& version = versions()[i];
    SCOPED_TRACE(LabelOf(version));
    ASSERT_EQ(row.input_count, version.inputs.size());
    for (size_t k = 0; k < row.input_count; ++k) {
      ExpectOperand(row.inputs[k], version.inputs[k], version.types);
      // Whatever may be written over has elements of the output's type.
      EXPECT_TRUE(row.inputs[k].in_place == 0 ||
                  std::string(row.inputs[k].type_parameter) ==
                      row.outputs[0].type_parameter);
    }
    ASSERT_EQ(row.output_count, 1 + GetParam().more_outputs.size());
    for (size_t k = 1; k < row.output_count; ++k) {
      ExpectOperand(row.outputs[k], GetParam().more_outputs[k - 1],
                    version.types);
    }
    ExpectOperand(
        row.outputs[0],
        version.output.empty() ? GetParam().output : version.output.front(),
        version.types);

    std::set<std::string> expected;
    std::set<std::string> told;
    const auto text = [](const std::string& name, int32_t kind, bool required) {
      return name + " " + std::to_string(kind) + (required ? " required" : "");
    };
    for (const AttributeSpec& it : version.attributes) {
      expected.insert(text(it.name, it.kind, it.required));
    }
    for (size_t k = 0; k < row.attribute_count; ++k) {
      const lw_attribute_info& it = row.attributes[k];
      told.insert(text(it.name, it.kind, it.required != 0));
    }
    EXPECT_EQ(told, expected);
  }
}

// The tensor API takes exactly the types of each version.
TEST_P(Registry, TensorApiTakesTheTypesOfEachVersion) {
  for (const VersionSpec& version : versions()) {
    SCOPED_TRACE(LabelOf(version));
    const OpPtr op = MakeVersion(version);
    for (int32_t type = 0; type <= 40; ++type) {
      const int64_t one = 1;
      int64_t target = 1;
      alignas(16) char element[16] = {};
      std::vector<lw_tensor> in;
      for (const OperandSpec& input : version.inputs) {
        const int32_t own = input.types.empty() ? type : *input.types.begin();
        void* data = own == LW_INT64 ? static_cast<void*>(&target) : element;
        if (!input.optional) in.push_back({data, own, 1, &one, nullptr, 0});
      }
      // Global pools need a dim behind the channels.
      const int64_t ones[] = {1, 1, 1, 1};
      if (GetParam().is_composed() && !in.empty()) {
        in[0].rank = 4;
        in[0].dims = ones;
      }
      lw_shape shapes[LW_MAX_OUTPUTS];
      const lw_shape& out = shapes[0];
      const lw_status status =
          lw_op_infer(op.get(), in.data(), in.size(), shapes);
      if (type == LW_ABSENT) {
        EXPECT_EQ(status, LW_WRONG_COUNT);
        continue;
      }
      EXPECT_EQ(status, version.types.count(type) ? LW_OK : LW_UNSUPPORTED_TYPE)
          << lw_type_name(type);
      if (status == LW_OK) {
        const Types& told = GetParam().output.types;
        EXPECT_EQ(out.type, GetParam().last_is_type ? in.back().type
                            : told.empty()          ? type
                                                    : *told.begin());
        continue;
      }
      const std::string message = lw_last_error();
      EXPECT_EQ(message.rfind(LabelOf(version) + ": ", 0), 0u) << message;
      const std::string said =
          type <= 26 ? lw_type_name(type) : std::to_string(type);
      EXPECT_NE(message.find(said), std::string::npos) << message;
    }
  }
}

// So does the kernel API, on every instruction set; and each type of an
// operator has kernels for the same patterns everywhere.
TEST_P(Registry, EveryTargetHasTheSameKernels) {
  for (const VersionSpec& version : versions()) {
    SCOPED_TRACE(LabelOf(version));
    for (const Isa& isa : AllIsas()) {
      const OpPtr op = MakeVersion(version, isa.engine);
      const OpPtr best = MakeVersion(version);
      for (int32_t type = 0; type <= 40; ++type) {
        for (int pattern = 0; pattern < 16; ++pattern) {
          const lw_kernel* kernel = nullptr;
          const lw_kernel* same = nullptr;
          const lw_status status =
              lw_op_kernel(op.get(), type, pattern, &kernel);
          EXPECT_EQ(status, lw_op_kernel(best.get(), type, pattern, &same))
              << lw_type_name(type) << " pattern " << pattern << " on "
              << isa.name;
          const bool listed = GetParam().is_aligned()
                                  ? version.types.count(type) != 0
                                  : version.TakesOnly(type);
          EXPECT_EQ(status == LW_UNSUPPORTED_TYPE, !listed);
          if (pattern == LW_SAME) {
            const bool has_kernel = listed && !GetParam().is_aligned() &&
                                    !GetParam().is_reduction() &&
                                    !GetParam().is_composed();
            EXPECT_EQ(status == LW_OK, has_kernel) << lw_type_name(type);
          }
        }
      }
    }
  }
}

// A table line that two others contradict would be a line that never counts.
TEST_P(Registry, NoKernelStandsTwiceInATable) {
  const Operator& op = *FindOperator(name());
  std::set<std::tuple<int, int, int, Way, int, int>> seen;
  for (const KernelEntry& entry : op.kernels(HWY_STATIC_TARGET).entries) {
    for (const PatternKernel& kernel : entry.kernels) {
      EXPECT_TRUE(seen.insert({entry.type, entry.second, kernel.pattern,
                               entry.way, entry.to, entry.until})
                      .second)
          << lw_type_name(entry.type) << " pattern " << kernel.pattern;
      EXPECT_TRUE(kernel.fn != nullptr || kernel.pattern == kAnyStride);
    }
  }
}

TEST(Types, AreFoundByTheirShortNames) {
  for (int32_t type = 1; type < kTypeCount; ++type) {
    EXPECT_EQ(TypeByShortName(FindType(type)->short_name), type);
  }
  EXPECT_EQ(TypeByShortName("none of them"), 0);
}

// The runtime has no shape for an element-wise input that is left out, nor a
// rule for a second input of another shape where the first one decides.
TEST_P(Registry, FormsAreAmongThoseThatTheRuntimeKnows) {
  if (GetParam().is_composed()) return;  // the forms of its steps matter
  for (const Form& form : FindOperator(name())->forms) {
    for (size_t k = 0; k < form.inputs.size(); ++k) {
      const OperandInfo& input = form.inputs[k];
      EXPECT_TRUE(!input.optional || input.role == Role::kScalar ||
                  input.role == Role::kAligned ||
                  (input.role == Role::kShape &&
                   form.shape_rule == ShapeRule::kReduced))
          << input.name;
      if (k == 0 || form.shape_rule != ShapeRule::kSame) continue;
      EXPECT_NE(input.role, Role::kElements) << input.name;
    }
  }
}

TEST_P(Registry, AttributesOfEachVersion) {
  std::set<std::string> names;
  for (const VersionSpec& version : versions()) {
    for (const AttributeSpec& it : version.attributes) names.insert(it.name);
  }
  for (const VersionSpec& version : versions()) {
    for (const std::string& attribute : names) {
      const auto known = std::find_if(
          version.attributes.begin(), version.attributes.end(),
          [&](const AttributeSpec& it) { return it.name == attribute; });
      if (known != version.attributes.end()) continue;
      const int64_t value = 1;
      const lw_attribute given = IntAttribute(attribute.c_str(), &value);
      lw_op* op = nullptr;
      EXPECT_EQ(lw_op_create(nullptr, name(), version.version, &given, 1, &op),
                LW_INVALID_ATTRIBUTE);
      EXPECT_EQ(std::string(lw_last_error()).rfind(LabelOf(version), 0), 0u);
    }
  }
}

// ---- All operators ---------------------------------------------------------

TEST(RegistryEnds, EveryOperatorHasASpec) {
  for (const Operator* op : Operators()) {
    EXPECT_EQ(AllSpecs().count(op->name), 1u) << op->name;
  }
  EXPECT_EQ(AllSpecs().size(), Operators().size());
}

TEST(RegistryEnds, AnswersNoForWhatIsNotThere) {
  EXPECT_EQ(lw_signature_at(SIZE_MAX), nullptr);
  EXPECT_EQ(SignatureOf("Conv", 30), nullptr);
  EXPECT_EQ(FindOperator("relu"), nullptr) << "ONNX's spelling counts";
}

TEST(RegistryEnds, NamesOfTypesAndStatuses) {
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
  for (int status = LW_OK; status <= LW_NOT_EXACT; ++status) {
    names.insert(lw_status_name(status));
  }
  EXPECT_EQ(names.size(), 19u);
  EXPECT_STREQ(lw_status_name(LW_OVERLAP), "LW_OVERLAP");
}

}  // namespace
}  // namespace lanewise::test
