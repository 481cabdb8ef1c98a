// SPDX-License-Identifier: Apache-2.0
//
// Chains of 16-bit floats on fast engines against the same chains of float32:
// these get the inputs as float32, and their results are rounded once.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/step.h"
#include "runtime/engine/engine.h"
#include "runtime/node/node.h"
#include "runtime/node/registry.h"
#include "tests/support/chain_parts.h"
#include "tests/support/check_unary.h"
#include "tests/support/engines.h"
#include "tests/support/operator_spec.h"
#include "tests/support/samples.h"
#include "tests/support/subject.h"

namespace lanewise::test {
namespace {

bool RunsInFloats(const lw_engine* engine, lw_type type) {
  const CommonSteps& common = CommonStepsOn(engine->engine->targets);
  const Half half = type == LW_FLOAT16 ? Half::kFloat16 : Half::kBFloat16;
  return common.load_half[static_cast<size_t>(half)] != nullptr &&
         common.block_bytes() <= kMostStepBytes;
}

// Elements of 16 bits, and the same numbers as float32.
struct Both {
  Array halves;
  Array floats;
  Dims64 dims;

  Both(lw_type type, Dims64 shape, Random& random)
      : halves(type, static_cast<size_t>(Count(shape))),
        floats(LW_FLOAT32, halves.size()),
        dims(std::move(shape)) {
    const bool ordinary = !random.OneIn(4);
    for (size_t i = 0; i < halves.size(); ++i) {
      const auto number = static_cast<double>(random.Between(-4000, 4000));
      const auto bits = static_cast<uint16_t>(
          ordinary ? Narrow(number / 1000, FormatOf(type)) : random.bits());
      std::memcpy(halves.at(i), &bits, 2);
      floats.as<float>()[i] = static_cast<float>(ReadFloat(type, halves.at(i)));
    }
  }
  lw_tensor View(bool as_floats) {
    Array& own = as_floats ? floats : halves;
    return {own.data(),  own.type(), static_cast<int32_t>(dims.size()),
            dims.data(), nullptr,    own.bytes()};
  }
};

struct StepName {
  const char* op;
  int opset;
  size_t inputs;
};
// Operators of float32 that have steps, also Clip with its bounds.
constexpr StepName kSteps[] = {
    {"Add", 14, 2},       {"Sub", 14, 2},  {"Mul", 14, 2},     {"Div", 14, 2},
    {"Max", 13, 2},       {"Min", 13, 2},  {"Relu", 14, 1},    {"Abs", 13, 1},
    {"Neg", 13, 1},       {"Exp", 13, 1},  {"Sigmoid", 13, 1}, {"Tanh", 13, 1},
    {"Greater", 13, 2},   {"Less", 13, 2}, {"Where", 16, 3},   {"Clip", 13, 3},
    {"LeakyRelu", 16, 1}, {"Sqrt", 13, 1}, {"Swish", 24, 1}};

class FastHalves {
 public:
  FastHalves(const lw_engine* engine, lw_type type, Random& random)
      : engine_(engine), type_(type), random_(random) {
    // Short and long rows, with an end that is no whole block of steps; or all
    // values have one element.
    Dims64 shape = {random_.Between(1, 5), random_.Between(1, 700)};
    if (random_.OneIn(6)) shape = {1, 1};
    inputs_.emplace_back(type, shape, random_);
    inputs_.emplace_back(type, shape, random_);
    inputs_.emplace_back(type, Dims64{shape[1]}, random_);
    inputs_.emplace_back(type, Dims64{shape[0], 1}, random_);
    for (int k = 0; k < 3; ++k) {
      constants_.emplace_back(type, Dims64{}, random_);
    }
    values_ = FirstResult();
    full_ = {0, 1};
  }

  void AddSteps(size_t count) {
    while (steps_.size() < count) {
      const StepName& step = random_.Of(kSteps);
      if (FindOperator(step.op) == nullptr) continue;  // not built
      OpPtr op = MakeOp(engine_, {step.op, step.opset});
      if (std::strcmp(step.op, "Where") == 0) {
        if (bools_.empty()) continue;
        Add(std::move(op), {random_.Of(bools_), Full(), Any()}, false);
      } else if (std::strcmp(step.op, "Clip") == 0) {
        const auto first = static_cast<int32_t>(inputs_.size());
        Add(std::move(op), {Full(), first, first + 1}, false);
      } else {
        std::vector<int32_t> operands = {Full()};
        if (step.inputs == 2) {
          operands.push_back(Any());
          if (random_.OneIn(2)) std::swap(operands[0], operands[1]);
        }
        const bool compares = std::strcmp(step.op, "Greater") == 0 ||
                              std::strcmp(step.op, "Less") == 0;
        Add(std::move(op), operands, compares);
      }
    }
  }

  // Runs the chain on both types. The outputs are what no step reads.
  void Check() {
    std::vector<int32_t> outputs;
    for (int32_t value = FirstResult(); value < values_; ++value) {
      const bool is_read =
          std::any_of(steps_.begin(), steps_.end(), [&](const Made& step) {
            return std::count(step.operands.begin(), step.operands.end(),
                              value) != 0;
          });
      if (!is_read) outputs.push_back(value);
    }
    if (outputs.size() > LW_MAX_OUTPUTS) return;
    const auto halves = Run(outputs, false);
    const auto floats = Run(outputs, true);
    for (size_t j = 0; j < halves.size(); ++j) {
      for (size_t i = 0; i < halves[j].size(); ++i) {
        if (IsRight(halves[j], floats[j], i)) continue;
        FAIL() << Described() << "output " << j << ", element " << i << " is "
               << BitsText(halves[j].at(i), halves[j].element_size());
      }
    }
  }

 private:
  struct Made {
    OpPtr op;
    std::vector<int32_t> operands;
  };

  int32_t FirstResult() const {
    return static_cast<int32_t>(inputs_.size() + constants_.size());
  }
  bool IsBool(int32_t value) const {
    return std::count(bools_.begin(), bools_.end(), value) != 0;
  }
  bool IsRight(const Array& halves, const Array& floats, size_t i) const {
    if (halves.type() == LW_BOOL) return *halves.at(i) == *floats.at(i);
    const float wide = floats.as<float>()[i];
    if (std::isnan(wide)) return std::isnan(ReadFloat(type_, halves.at(i)));
    return ReadBits(halves.at(i), 2) == Narrow(wide, FormatOf(type_));
  }

  int32_t Full() { return random_.OneIn(2) ? full_.back() : random_.Of(full_); }
  int32_t Any() {
    if (random_.OneIn(2)) return Full();
    return static_cast<int32_t>(
        random_.Below(static_cast<size_t>(FirstResult())));
  }
  void Add(OpPtr op, const std::vector<int32_t>& operands, bool is_bool) {
    steps_.push_back({std::move(op), operands});
    (is_bool ? bools_ : full_).push_back(values_++);
  }

  std::vector<Array> Run(const std::vector<int32_t>& results, bool as_floats) {
    const lw_type type = as_floats ? LW_FLOAT32 : type_;
    Parts parts;
    std::vector<lw_tensor> in;
    for (Both& input : inputs_) {
      parts.inputs.push_back(type);
      in.push_back(input.View(as_floats));
    }
    for (Both& constant : constants_) {
      parts.constants.push_back(constant.View(as_floats));
    }
    for (const Made& step : steps_) {
      parts.steps.push_back({step.op.get(), step.operands});
    }
    parts.outputs = results;
    ChainPtr chain;
    EXPECT_EQ(parts.Make(&chain, engine_), LW_OK) << lw_last_error();
    std::vector<Array> made;
    std::vector<lw_tensor> out;
    for (size_t j = 0; j < results.size(); ++j) {
      const lw_type own = IsBool(results[j]) ? LW_BOOL : type;
      made.emplace_back(own, inputs_[0].halves.size());
    }
    for (Array& array : made) {
      out.push_back({array.data(), array.type(), 2, inputs_[0].dims.data(),
                     nullptr, array.bytes()});
    }
    EXPECT_EQ(lw_chain_run(chain.get(), nullptr, in.data(), in.size(),
                           out.data(), out.size()),
              LW_OK)
        << lw_last_error();
    return made;
  }

  std::string Described() const {
    std::string text;
    int32_t value = FirstResult();
    for (const Made& step : steps_) {
      text += std::to_string(value++) + " = " + step.op->node->op.name + "(";
      for (const int32_t k : step.operands) text += std::to_string(k) + " ";
      text += ")\n";
    }
    return text;
  }

  const lw_engine* engine_;
  const lw_type type_;
  Random& random_;
  std::vector<Both> inputs_;
  std::vector<Both> constants_;
  std::vector<Made> steps_;
  int32_t values_;
  std::vector<int32_t> full_;
  std::vector<int32_t> bools_;
};

TEST(FastHalves, AreTheChainsOfFloat32RoundedOnce) {
  for (const bool eager : {false, true}) {
    for (size_t k = 0; lw_isa_name(k) != nullptr; ++k) {
      lw_engine_options options = Options();
      options.accuracy = LW_ACCURACY_FAST;
      options.max_threads = 1;
      const EnginePtr engine = MakeTunedEngine(options, lw_isa_name(k),
                                               eager ? EagerStreaming() : "");
      for (const lw_type type : {LW_FLOAT16, LW_BFLOAT16}) {
        SCOPED_TRACE(std::string(lw_isa_name(k)) + " " + lw_type_name(type));
        if (!RunsInFloats(engine.get(), type)) continue;
        Random random(k + 1);
        for (int i = 0; i < 300; ++i) {
          FastHalves chain(engine.get(), type, random);
          chain.AddSteps(2 + random.Below(9));
          chain.Check();
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Steps of one type do not run among those of the other.
TEST(FastHalves, BothTypesInOneChain) {
  lw_engine_options options = Options();
  options.accuracy = LW_ACCURACY_FAST;
  const EnginePtr engine = MakeEngine(options);
  const OpPtr add = MakeOp(engine.get(), {"Add", 14});
  const OpPtr mul = MakeOp(engine.get(), {"Mul", 14});
  Parts parts;
  parts.inputs = {LW_FLOAT16, LW_BFLOAT16};
  for (const int32_t x : {0, 1}) {
    const int32_t sum = 2 + 2 * x;
    parts.steps.push_back({add.get(), {x, x}});
    parts.steps.push_back({mul.get(), {sum, x}});
    parts.outputs.push_back(sum + 1);
  }
  ChainPtr chain;
  ASSERT_EQ(parts.Make(&chain, engine.get()), LW_OK) << lw_last_error();
  const std::vector<double> numbers(300, 1.5), results(300, 4.5);
  Array in[] = {FromValues(LW_FLOAT16, numbers),
                FromValues(LW_BFLOAT16, numbers)};
  Array out[] = {Array(LW_FLOAT16, 300), Array(LW_BFLOAT16, 300)};
  const int64_t dim = 300;
  std::vector<lw_tensor> tensors;
  for (Array* array : {&in[0], &in[1], &out[0], &out[1]}) {
    tensors.push_back(
        {array->data(), array->type(), 1, &dim, nullptr, array->bytes()});
  }
  ASSERT_EQ(lw_chain_run(chain.get(), nullptr, &tensors[0], 2, &tensors[2], 2),
            LW_OK);
  for (const Array& array : out) {
    EXPECT_EQ(array, FromValues(array.type(), results));
  }
}

}  // namespace
}  // namespace lanewise::test
