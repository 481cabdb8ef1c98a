// SPDX-License-Identifier: Apache-2.0
//
// The names that formulas have for operators. The registry and lw_chain_create
// tell which operators can be steps: each of them needs a name here, and each
// name gives the bits of its operator.

#include "tests/api/formula_names.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "lanewise/formula.hpp"
#include "tests/support/element_size.h"

namespace {

using lanewise::Attribute;
using lanewise::Chain;
using lanewise::Engine;
using lanewise::kFormulaOpset;
using lanewise::Op;
using lanewise::Recorder;
using lanewise::Status;
using lanewise::Value;
using lanewise::formula_names::AllNames;
using lanewise::formula_names::Arguments;
using lanewise::formula_names::kOne;
using lanewise::formula_names::Name;
using lanewise::test::ElementSize;

using Types = std::vector<int32_t>;  // of a call's inputs

/// The newest version of each operator of this build.
std::vector<const lw_signature*> NewestRows() {
  std::vector<const lw_signature*> rows;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    if (!rows.empty() && std::strcmp(rows.back()->name, row->name) == 0) {
      rows.pop_back();
    }
    rows.push_back(row);
  }
  return rows;
}

/// Calls fn(types) for all types that the inputs of a call may have.
template <class Function>
void ForAllTypes(const lw_signature& row, const Function& fn,
                 Types types = {}) {
  const size_t count = row.inputs[0].variadic != 0 ? 3 : row.input_count;
  if (types.size() == count) return fn(types);
  const lw_operand& input =
      row.inputs[row.inputs[0].variadic != 0 ? 0 : types.size()];
  for (size_t k = 0; k < types.size(); ++k) {
    const lw_operand& earlier = row.inputs[row.inputs[0].variadic != 0 ? 0 : k];
    if (std::strcmp(earlier.type_parameter, input.type_parameter) != 0)
      continue;
    types.push_back(types[k]);
    return ForAllTypes(row, fn, types);
  }
  for (size_t t = 0; t < input.type_count; ++t) {
    types.push_back(input.types[t]);
    ForAllTypes(row, fn, types);
    types.pop_back();
  }
}

/// What lw_chain_create says of a chain with this operator as its last step, as
/// the only one, or after max(x, x), which is x.
enum class Place { kAlone, kAfterMax };
Status AskForAChain(const Engine& engine, const Op& op, const Types& types,
                    Place place) {
  Op max;
  std::vector<int32_t> operands;
  for (size_t k = 0; k < types.size(); ++k) {
    operands.push_back(static_cast<int32_t>(k));
  }
  const int32_t result = static_cast<int32_t>(types.size());
  const int32_t twice[] = {0, 0};
  std::vector<lw_step> steps;
  if (place == Place::kAfterMax) {
    const Status status = Op::Create(engine, "Max", kFormulaOpset, {}, &max);
    if (!status.ok()) return status;
    steps.push_back({max.get(), twice, 2});
    operands[0] = result;
  }
  steps.push_back({op.get(), operands.data(), operands.size()});
  const int32_t output = result + static_cast<int32_t>(steps.size()) - 1;
  Chain chain;
  return Chain::Create(engine, types, {}, steps, {&output, 1}, &chain);
}

/// Whether the operator can be a step of a chain, and where.
bool CanBeAStep(const Engine& engine, const Op& op, const Types& types,
                Place* place) {
  *place = Place::kAlone;
  if (AskForAChain(engine, op, types, *place).ok()) return true;
  *place = Place::kAfterMax;
  return AskForAChain(engine, op, types, *place).ok();
}

/// Elements of a type: positive and negative numbers, and others if asked for.
class Elements {
 public:
  Elements(int32_t type, size_t count, bool special)
      : bytes_(count * ElementSize(static_cast<lw_type>(type))),
        type_(type),
        dim_(static_cast<int64_t>(count)) {
    std::vector<double> numbers(count);
    for (size_t i = 0; i < count; ++i) {
      numbers[i] = 0.375 * (static_cast<int>(i * 7 % 19) - 8);
      bytes_[i] = static_cast<char>(i * 37);  // where there is no Cast
    }
    if (special) {
      numbers[3] = std::numeric_limits<double>::quiet_NaN();
      numbers[4] = std::numeric_limits<double>::infinity();
      numbers[5] = -numbers[4];
      numbers[6] = -0.0;
    }
    const int64_t to = type;
    const lw_attribute attribute = Attribute("to", to);
    Op cast;
    Status status =
        Op::Create(Engine(), "Cast", kFormulaOpset, {&attribute, 1}, &cast);
    const lw_tensor from = {numbers.data(), LW_FLOAT64, 1, &dim_, nullptr, 0};
    if (status.ok()) status = cast.Run(from, view());
    static_cast<void>(status.ok());
  }

  explicit Elements(const lw_shape& shape)
      : Elements(shape.type, CountOf(shape), false) {
    rank_ = shape.rank;
  }

  lw_tensor view() {
    return {bytes_.data(), type_, rank_, &dim_, nullptr, bytes_.size()};
  }
  /// The one element of a shape, or the last axis.
  void BecomeMinusOne() {
    const int64_t minus_one = -1;
    std::memcpy(bytes_.data(), &minus_one, sizeof(minus_one));
  }
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  // Of results of one dim, or of none.
  static size_t CountOf(const lw_shape& shape) {
    return shape.rank == 0 ? 1 : static_cast<size_t>(shape.dims[0]);
  }

  std::vector<char> bytes_;
  int32_t type_;
  int32_t rank_ = 1;
  int64_t dim_;
};

/// The inputs of a call. Some inputs may only be one element.
class Inputs {
 public:
  Inputs(const Op& op, const lw_signature& row, const Types& types) {
    for (const size_t others : {kCount, size_t{1}}) {
      elements_.clear();
      views_.clear();
      for (size_t k = 0; k < types.size(); ++k) {
        elements_.emplace_back(types[k], k == 0 ? kCount : others, k == 0);
        if (k == 1 && (row.moves_only != 0 || HasAxes(row))) {
          elements_[k].BecomeMinusOne();
        }
      }
      for (Elements& elements : elements_) views_.push_back(elements.view());
      if (op.Infer(views_, shapes_).code() != LW_INVALID_SHAPE) return;
    }
  }
  const std::vector<lw_tensor>& views() const { return views_; }
  const lw_shape& output() const { return shapes_[0]; }

  static constexpr size_t kCount = 41;

 private:
  static bool HasAxes(const lw_signature& row) {
    return row.input_count == 2 && std::strcmp(row.inputs[1].name, "axes") == 0;
  }

  std::vector<Elements> elements_;
  std::vector<lw_tensor> views_;
  lw_shape shapes_[LW_MAX_OUTPUTS];
};

/// The formula as a chain.
Chain ChainOf(const Engine& engine, const Name& name, const Types& types,
              Place place) {
  Recorder recorder(engine, kFormulaOpset);
  std::vector<Value> x;
  for (const int32_t type : types) x.push_back(recorder.Input(type));
  if (place == Place::kAfterMax) x[0] = max(x[0], x[0]);
  return recorder.Finish({name.write(x.data())});
}

void ExpectTheOperatorsBits(const Engine& engine, const Name& name,
                            const Op& op, const lw_signature& row,
                            const Types& types, Place place) {
  const Chain chain = ChainOf(engine, name, types, place);
  ASSERT_TRUE(chain.status().ok()) << chain.status().message();
  if (name.is_only_made) return;
  const Inputs inputs(op, row, types);
  Elements expected(inputs.output());
  Elements y(inputs.output());
  const lw_tensor out = y.view();
  // Integer divisions report zero divisors in both.
  const Status by_op = op.Run(inputs.views(), expected.view());
  const Status by_chain = chain.Run(inputs.views(), {&out, 1});
  ASSERT_TRUE(by_op.ok() || by_op.code() == LW_DIVIDE_BY_ZERO)
      << by_op.message();
  EXPECT_STREQ(by_chain.name(), by_op.name()) << by_chain.message();
  EXPECT_EQ(y.bytes(), expected.bytes());
}

TEST(Formulas, EachNameGivesTheBitsOfItsOperator) {
  lw_engine_options options = {};
  options.strict_opset = 1;  // kFormulaOpset is known to each operator
  Engine engine;
  ASSERT_TRUE(Engine::Create(options, &engine).ok());
  for (const lw_signature* row : NewestRows()) {
    for (const Name& name : AllNames()) {
      if (std::strcmp(name.op, row->name) != 0) continue;
      Op op;
      ASSERT_TRUE(
          Op::Create(engine, name.op, kFormulaOpset, name.attributes, &op).ok())
          << lw_last_error();
      size_t tried = 0;
      ForAllTypes(*row, [&](const Types& types) {
        Place place;
        if (!CanBeAStep(engine, op, types, &place)) return;
        SCOPED_TRACE(std::string(name.op) + " of " +
                     lw_type_name(types.back()));
        ExpectTheOperatorsBits(engine, name, op, *row, types, place);
        ++tried;
      });
      EXPECT_NE(tried, 0u) << name.op << " is no step: " << lw_last_error();
    }
  }
}

bool HasAName(const char* op) {
  for (const Name& name : AllNames()) {
    if (std::strcmp(name.op, op) == 0) return true;
  }
  return false;
}

/// Why an operator without a name can be no step; empty if the operator can.
std::string WhyNoStep(const lw_signature& row) {
  const Engine engine;
  Op op;
  // Other attributes that an operator needs need an example in AllNames().
  std::vector<lw_attribute> attributes;
  for (size_t k = 0; k < row.attribute_count; ++k) {
    const lw_attribute_info& info = row.attributes[k];
    if (info.required == 0 || info.kind != LW_ATTRIBUTE_INT) continue;
    attributes.push_back({info.name, LW_ATTRIBUTE_INT, 1, &kOne});
  }
  if (!Op::Create(engine, row.name, kFormulaOpset, attributes, &op).ok()) {
    return "";
  }
  std::string reason;
  bool can = false;
  ForAllTypes(row, [&](const Types& types) {
    Place place;
    const Status status = AskForAChain(engine, op, types, Place::kAlone);
    if (!status.ok() && reason.empty()) reason = status.message();
    can = can || CanBeAStep(engine, op, types, &place);
  });
  return can ? "" : reason;
}

TEST(Formulas, EveryOperatorThatCanBeAStepHasAName) {
  std::string missing;
  for (const lw_signature* row : NewestRows()) {
    EXPECT_LE(row->since_version, kFormulaOpset) << row->name;
    if (HasAName(row->name)) continue;
    const std::string reason = WhyNoStep(*row);
    if (reason.empty()) {
      missing += std::string(" ") + row->name;
    } else {
      std::printf("no step: %s\n", reason.c_str());
    }
  }
  EXPECT_EQ(missing, "") << "give these a name in formula.hpp and an example "
                            "in AllNames()";
}

}  // namespace
