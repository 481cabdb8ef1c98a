// SPDX-License-Identifier: Apache-2.0
//
// Claims of reductions and composed operators.

#include "runtime/onnxruntime/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/node/registry.h"
#include "runtime/onnxruntime/chains.h"
#include "tests/onnxruntime/graph_builder.h"

namespace lanewise::ort {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Scores of attention: large values of three dims.
Builder Large(int32_t type = LW_FLOAT32) {
  Builder b(type);
  for (const char* name : {"x", "z", "a", "b", "c", "d", "y"}) {
    b.Shape(name, {8, 512, 1024});
  }
  for (const char* name : {"r", "t"}) b.Shape(name, {8, 512, 1});
  return b.Weights("v", {1024}).Weights("w", {1024}).Scalar("k", 0.125);
}

TEST(Rows, ReductionsAreStepsBetweenOthers) {
  Builder b = Large();
  b.Add("Mul", {"x", "k"}, "a").Add("ReduceSum", {"a"}, "r", 11);
  b.With("axes", {-1}).Add("Sqrt", {"r"}, "t").Add("Div", {"a", "t"}, "y");
  b.End();
  EXPECT_THAT(b.Chains({}), ElementsAre(Names{"a", "r", "t", "y"}));
}

// A reduction of the middle leaves no element for each row, but stages compute
// its result once.
TEST(Rows, ResultsOfReductionsAreStretched) {
  Builder b = Large();
  b.Shape("r", {8, 1, 1024}).Shape("t", {8, 1, 1024});
  b.Add("Mul", {"x", "k"}, "a").Add("ReduceMax", {"a"}, "r").With("axes", {1});
  b.Add("Neg", {"r"}, "t").Add("Add", {"a", "t"}, "y").End();
  EXPECT_THAT(b.Chains({}), ElementsAre(SizeIs(4)));
  Builder only = Large();
  only.Shape("r", {8, 1, 1024}).Shape("t", {8, 1, 1024});
  only.Add("ReduceMax", {"x"}, "r").With("axes", {1}).Add("Neg", {"r"}, "t");
  only.Add("Add", {"z", "t"}, "y").End();
  EXPECT_THAT(only.Chains(All()), ElementsAre(Names{"r", "t", "y"}));
}

// The bytes of a chain that runs slice by slice, and of one that does not.
TEST(Rows, WhatStagesHandOnThroughMemoryCounts) {
  for (const bool all : {false, true}) {
    Builder b = Large();
    b.Shape("r", {8, 512, 1}).Add("Mul", {"x", "k"}, "a");
    b.Add("ReduceMean", {"a"}, "r").With("axes", {-1});
    if (all) b.Shape("r", {1, 1, 1}).With("axes", {0, 1, 2});
    b.Add("Sub", {"a", "r"}, "y").End();
    const Chain chain = DecideAll(b.graph(), {}).chains.at(0);
    const int64_t large = (4 << 20) * 4;
    const int64_t small = all ? 4 : 4096 * 4;
    // Of the large values five are moved one by one, or one and a new one.
    EXPECT_EQ(chain.saved_bytes,
              (5 - 3 - (all ? 2 : 0)) * large + 2 * small + (2 << 13));
    EXPECT_EQ(chain.decision.take, !all);
  }
}

bool IsSliced(Builder b) {
  b.End();
  std::vector<int> nodes(b.graph().nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = static_cast<int>(i);
  return RunInSlices(b.graph(), nodes);
}

TEST(Rows, SlicesNeedADimOfAllReductionsAndOutputs) {
  const auto of = [](std::vector<double> axes, std::vector<int64_t> reduced) {
    Builder b = Large();
    b.Shape("r", reduced).Add("ReduceSum", {"x"}, "r", 11);
    return b.With("axes", std::move(axes)).Add("Div", {"x", "r"}, "y");
  };
  EXPECT_TRUE(IsSliced(of({-1}, {8, 512, 1})));
  EXPECT_TRUE(IsSliced(
      of({1, 2}, {8, 1, 1}).Shape("x", {8, 9, 9}).Shape("y", {8, 9, 9})));
  EXPECT_TRUE(IsSliced(of({0, 1}, {1, 1, 1024})));
  EXPECT_FALSE(IsSliced(of({0, 1, 2}, {1, 1, 1})));
  EXPECT_FALSE(IsSliced(of({}, {1, 1, 1})));
  // Dims that are lost, where a step reads the result, and where none does.
  EXPECT_FALSE(IsSliced(of({0}, {512, 1024})));
  Builder last = Large();
  last.Shape("r", {8, 512}).Add("Neg", {"x"}, "a");
  last.Add("ReduceSum", {"a"}, "r", 11).With("axes", {2});
  EXPECT_TRUE(IsSliced(last));
  // Another output has what the reduction has not.
  Builder both = of({-1}, {8, 512, 1});
  both.Add("ReduceSum", {"y"}, "t", 11).With("axes", {0, 1});
  EXPECT_FALSE(IsSliced(both));
  // Unknown dims are likely to be more than one; an unknown rank is no help.
  Builder named = of({-1}, {-1, -1, 1});
  EXPECT_TRUE(IsSliced(named));
  named.graph().values[0].has_rank = false;
  EXPECT_FALSE(IsSliced(named));
  // A sequence is more than L2 holds.
  EXPECT_FALSE(IsSliced(of({1, 2}, {8, 1, 1})));
}

TEST(Rows, AxesOfRecipesEndAtTheLastDim) {
  const auto of = [](const char* op, double axis) {
    Builder b = Large();
    b.Add("Mul", {"x", "k"}, "a").Add(op, {"a"}, "y", 17);
    return axis == 99 ? b : b.With("axis", {axis});
  };
  EXPECT_TRUE(IsSliced(of("Softmax", 99)));
  EXPECT_TRUE(IsSliced(of("Softmax", 1)
                           .Shape("x", {8, 16, 1024})
                           .Shape("a", {8, 16, 1024})
                           .Shape("y", {8, 16, 1024})));
  EXPECT_FALSE(IsSliced(of("LayerNormalization", 0)));
  EXPECT_TRUE(IsSliced(of("InstanceNormalization", 99)));
}

TEST(Rows, AxesThatAreComputedAreNoStep) {
  for (const bool constant : {false, true}) {
    Builder b = Large();
    b.Type("axes", LW_INT64).Shape("axes", {1});
    if (constant) b.Scalar("axes", -1);
    b.Add("Mul", {"x", "k"}, "a").Add("ReduceSum", {"a", "axes"}, "r").End();
    EXPECT_THAT(b.Chains(All()), SizeIs(constant ? 1 : 0));
    EXPECT_THAT(b.Taken(All()), ElementsAre("a", "r"));
  }
}

// ONNX Runtime takes them, and lanewise would refuse them in the run.
TEST(Rows, AxesThatRepeatAreLeft) {
  const auto taken = [](std::vector<double> axes, bool has_rank = true) {
    Builder b = Large();
    b.Add("Mul", {"x", "k"}, "a").Add("ReduceSum", {"a"}, "r", 11);
    b.With("axes", std::move(axes)).End();
    b.graph().values[b.graph().nodes[0].outputs[0]].has_rank = has_rank;
    return b.Taken(All()).size() == 2;
  };
  EXPECT_TRUE(taken({}));
  EXPECT_TRUE(taken({0, -1, 1}));
  EXPECT_FALSE(taken({1, 1}));
  EXPECT_FALSE(taken({1, 0, -2}));
  EXPECT_TRUE(taken({-1, -2}, false));
  EXPECT_FALSE(taken({-1, 1}, false));
}

TEST(Rows, SomeOperatorsAreNoSteps) {
  const auto behind_mul = [](const char* op, int opset) {
    Builder b = Large();
    b.Add("Mul", {"x", "k"}, "a").Add(op, {"a"}, "y", opset).End();
    EXPECT_THAT(b.Taken(All()), ElementsAre("a", "y"));
    return b.Chains(All()).size();
  };
  EXPECT_EQ(behind_mul("Hardmax", 21), 1u);
  EXPECT_EQ(behind_mul("GroupNormalization", 21), 1u);
  EXPECT_EQ(behind_mul("GroupNormalization", 18), 0u);
  // The mean of a LayerNormalization.
  Builder b = Large();
  b.Add("Mul", {"x", "k"}, "a").Add("LayerNormalization", {"a", "v"}, "y", 17);
  b.Add("Exp", {"r"}, "t").Output("y").Output("t");
  b.graph().nodes[1].outputs.push_back(b.graph().nodes[2].inputs[0]);
  EXPECT_THAT(b.Chains(All()), IsEmpty());
}

TEST(Rows, RecipesCountAsTheirSteps) {
  Builder b(LW_FLOAT32);
  b.Add("Softmax", {"x"}, "0");
  for (int i = 1; i < 9; ++i) {
    b.Add("Softmax", {std::to_string(i - 1)}, std::to_string(i));
  }
  b.Output("8");
  constexpr size_t kMost = LW_MAX_STEPS / kStepsOfRecipe;
  EXPECT_THAT(b.Chains(All()), ElementsAre(SizeIs(kMost), SizeIs(kMost)));
  // Constants of recipes.
  Builder clips(LW_FLOAT32);
  clips.Add("Exp", {"x"}, "0");
  for (int i = 1; i < 32; ++i) {
    const std::string number = std::to_string(i);
    clips.Scalar("low" + number, 0).Scalar("high" + number, 1);
    clips.Add("Clip", {std::to_string(i - 1), "low" + number, "high" + number},
              number);
  }
  clips.Add("LpNormalization", {"31"}, "y").Output("y");
  EXPECT_THAT(clips.Chains(All()), ElementsAre(SizeIs(32)));
}

// The library refuses a chain of more steps or constants.
TEST(Rows, NoRecipeIsLonger) {
  int recipes = 0;
  const lw_signature* row = nullptr;
  for (size_t i = 0; (row = lw_signature_at(i)) != nullptr; ++i) {
    Node node;
    node.op = row->name;
    node.signature = row;
    if (!IsComposed(node) || IsLeftToHost(node.op) ||
        (node.op == "GroupNormalization" && row->since_version < 21)) {
      continue;
    }
    for (size_t k = 0; k < row->inputs[0].type_count; ++k) {
      std::vector<lw_attribute> attributes;
      const int64_t one = 1;
      for (size_t n = 0; n < row->attribute_count; ++n) {
        const lw_attribute_info& it = row->attributes[n];
        if (it.required != 0) attributes.push_back({it.name, it.kind, 1, &one});
        if (it.name == std::string_view("is_test")) {
          attributes.push_back({it.name, it.kind, 1, &one});
        }
      }
      lw_op* op = nullptr;
      ASSERT_EQ(lw_op_create(nullptr, row->name, row->since_version,
                             attributes.data(), attributes.size(), &op),
                LW_OK)
          << lw_last_error();
      const size_t count = row->input_count;
      const std::vector<int32_t> types(count, row->inputs[0].types[k]);
      std::vector<int32_t> operands(count);
      for (size_t n = 0; n < count; ++n) operands[n] = static_cast<int32_t>(n);
      constexpr size_t kMost = LW_MAX_STEPS / kStepsOfRecipe;
      const std::vector<lw_step> steps(kMost, {op, operands.data(), count});
      std::vector<int32_t> outputs;
      for (size_t n = 0; n < kMost; ++n) {
        outputs.push_back(static_cast<int32_t>(count + n));
      }
      lw_chain* chain = nullptr;
      EXPECT_EQ(
          lw_chain_create(nullptr, types.data(), count, nullptr, 0,
                          steps.data(), kMost, outputs.data(), kMost, &chain),
          LW_OK)
          << row->name << ": " << lw_last_error();
      lw_chain_destroy(chain);
      lw_op_destroy(op);
      ++recipes;
    }
  }
  EXPECT_GT(recipes, 60);
}

// The CPU provider's Softmax and RMSNormalization take less time, its
// LayerNormalization about the same.
TEST(Rows, WhatTakesLongerHereCounts) {
  const auto behind = [](const Names& ops, const char* last, int opset) {
    Builder b = Large();
    std::string value = "x";
    for (const std::string& op : ops) {
      const std::string next(
          1, static_cast<char>(value == "x" ? 'a' : value[0] + 1));
      b.Add(op, op == "Abs" ? Names{value} : Names{value, "k"}, next);
      value = next;
    }
    const bool along = last != std::string_view("Softmax");
    b.Add(last, along ? Names{value, "v"} : Names{value}, "y", opset).End();
    return b.Chains({}).size();
  };
  EXPECT_EQ(behind({"Mul", "Add"}, "Softmax", 14), 0u);
  EXPECT_EQ(behind({"Mul", "Abs", "Add"}, "Softmax", 14), 1u);
  EXPECT_EQ(behind({"Mul"}, "RMSNormalization", 23), 0u);
  EXPECT_EQ(behind({"Mul"}, "LayerNormalization", 17), 0u);
  EXPECT_EQ(behind({"Mul", "Add"}, "LayerNormalization", 17), 1u);
  // In float16, the CPU provider casts, and rounds nothing in between.
  Builder half = Large(LW_FLOAT16);
  half.Add("Mul", {"x", "k"}, "a").Add("Softmax", {"a"}, "y").End();
  EXPECT_THAT(half.Chains({}), SizeIs(1));
}

TEST(Rows, TypesThatTheCpuProviderLacksAreTakenAlone) {
  for (const char* op : {"Softmax", "ReduceMean", "GlobalAveragePool"}) {
    Builder b(LW_BFLOAT16);
    b.Add(op, {"x"}, "y").End();
    EXPECT_THAT(b.Taken({}), ElementsAre("y")) << op;
    EXPECT_THAT(b.Reason({}, 0), HasSubstr("The CPU provider lacks"));
    Builder f32(LW_FLOAT32);
    f32.Add(op, {"x"}, "y").End();
    EXPECT_THAT(f32.Taken({}), IsEmpty()) << op;
    EXPECT_THAT(f32.Reason({}, 0), HasSubstr("no measured gain"));
  }
  // ONNX Runtime puts a body in place of these nodes.
  Builder groups(LW_FLOAT32);
  groups.Add("GroupNormalization", {"x", "s", "b"}, "y", 21).End();
  EXPECT_THAT(groups.Taken({}), ElementsAre("y"));
  Builder half(LW_FLOAT16);
  half.Add("CumSum", {"x"}, "a").Add("MeanVarianceNormalization", {"a"}, "b");
  half.Add("CumSum", {"b"}, "y").End();
  EXPECT_THAT(half.Taken({}), ElementsAre("b"));
}

TEST(Rows, HalfNeedsNoCastsAlone) {
  Builder b(LW_FLOAT16);
  b.Add("Softmax", {"x"}, "y").End();
  EXPECT_THAT(b.Taken({}), ElementsAre("y"));
  Builder native(LW_FLOAT16);
  native.Add("LayerNormalization", {"x", "s"}, "y", 17).End();
  EXPECT_THAT(native.Taken({}), IsEmpty());
}

// The output of a reduction is small, its work is not.
TEST(Rows, FewElementsAreThoseOfTheInput) {
  const Gain gains[] = {{"ReduceL2", LW_FLOAT32, 5, 5}};
  Facts facts;
  facts.gains = gains;
  facts.gain_count = 1;
  for (const int64_t elements : {1000, 100000}) {
    Builder b(LW_FLOAT32);
    b.Elements("x", elements).Elements("y", 1);
    b.Add("ReduceL2", {"x"}, "y").End();
    EXPECT_THAT(b.Taken(facts), SizeIs(elements > 1024 ? 1 : 0));
  }
}

TEST(Rows, SumsBeforeLayerNormalizationAreTakenWithIt) {
  const auto chains = [](int vector_bytes, lw_accuracy accuracy, bool bias) {
    Builder b = Large();
    std::string value = "x";
    if (bias) b.Add("Add", {"x", "v"}, "b"), value = "b";
    b.Add("Add", {value, "z"}, "a");
    b.Add("LayerNormalization", {"a", "v", "w"}, "y", 17).End();
    Facts facts;
    facts.vector_bytes = vector_bytes;
    facts.accuracy = accuracy;
    return b.Chains(facts);
  };
  EXPECT_THAT(chains(64, LW_ACCURACY_FAST, false),
              ElementsAre(Names{"a", "y"}));
  EXPECT_THAT(chains(32, LW_ACCURACY_FAST, true),
              ElementsAre(Names{"b", "a", "y"}));
  EXPECT_THAT(chains(0, LW_ACCURACY_FAST, false), IsEmpty());
  EXPECT_THAT(chains(64, LW_ACCURACY_TIGHT, false), IsEmpty());
}

}  // namespace
}  // namespace lanewise::ort
