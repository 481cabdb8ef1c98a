// SPDX-License-Identifier: Apache-2.0
//
// The rules that decide which nodes the provider takes.

#include "runtime/onnxruntime/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "runtime/onnxruntime/explain.h"
#include "tests/onnxruntime/graph_builder.h"

namespace lanewise::ort {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// All operators are faster here.
constexpr Gain kAllGains[] = {
    {"Add", LW_FLOAT32, 2, 2},       {"Clip", LW_FLOAT32, 2, 2},
    {"Div", LW_FLOAT32, 2, 2},       {"Exp", LW_FLOAT32, 2, 2},
    {"Mul", LW_FLOAT32, 2, 2},       {"Relu", LW_FLOAT32, 2, 2},
    {"Sub", LW_FLOAT32, 2, 2},       {"Where", LW_FLOAT32, 2, 2},
    {"LeakyRelu", LW_FLOAT32, 2, 2},
};

Facts Fast() {
  Facts facts;
  facts.gains = kAllGains;
  facts.gain_count = std::size(kAllGains);
  return facts;
}

TEST(Claims, AllTakesEachNodeWithAKernel) {
  Builder b(LW_FLOAT32);
  b.Add("Conv", {"x", "w"}, "a").Add("Relu", {"a"}, "y");
  EXPECT_THAT(b.Taken(With(Policy::kAll)), ElementsAre("y"));
  b.graph().nodes[1].has_kernel = false;
  EXPECT_THAT(b.Taken(With(Policy::kAll)), ElementsAre());
  EXPECT_EQ(b.Reason(With(Policy::kAll), 1),
            "There is no kernel for Relu-14 of float32.");
}

TEST(Claims, NodesOfOtherProvidersStay) {
  Builder b(LW_BFLOAT16);
  b.Add("Relu", {"x"}, "a").Add("Relu", {"a"}, "y");
  b.graph().nodes[0].is_taken = true;
  EXPECT_THAT(b.Taken(With(Policy::kAll)), ElementsAre("y"));
  // In a second look at the same graph the answers are the same.
  b.graph().nodes[1].is_taken = b.graph().nodes[1].is_ours = true;
  EXPECT_THAT(b.Taken({}), ElementsAre("y"));
}

TEST(Claims, MissingTypesAreTakenEvenFromFusions) {
  Builder bf16(LW_BFLOAT16);
  bf16.Add("Conv", {"x", "w"}, "a").Add("Relu", {"a"}, "y");
  Builder i64(LW_INT64);
  i64.Add("Relu", {"x"}, "a").Add("Div", {"a", "b"}, "y");
  Builder old(LW_FLOAT32);
  old.Add("Div", {"x", "x"}, "a", 6).Add("Div", {"a", "x"}, "y", 7);
  for (const Policy policy : {Policy::kMissing, Policy::kProfitable}) {
    EXPECT_THAT(bf16.Taken(With(policy)), ElementsAre("y"));
    EXPECT_THAT(i64.Taken(With(policy)), ElementsAre("a"));
    EXPECT_THAT(old.Taken(With(policy)), ElementsAre("a"));
  }
  EXPECT_EQ(bf16.Reason({}, 1), "The CPU provider lacks Relu-14 of bfloat16.");
}

TEST(Claims, HalfIsTakenWithItsNeighbours) {
  Builder chain(LW_FLOAT16);
  chain.Add("Exp", {"x"}, "a")
      .Add("Relu", {"a"}, "b")
      .Add("Div", {"b", "x"}, "y");
  EXPECT_THAT(chain.Taken(With(Policy::kMissing)), ElementsAre("a", "b", "y"));
  EXPECT_THAT(chain.Reason({}, 1), HasSubstr("adds 0 reorders and -2 casts"));
}

// The CumSum also reads what the Relu reads: one Cast serves both.
TEST(Claims, HalfWhoseValueIsCastAnywayIsLeft) {
  Builder b(LW_FLOAT16);
  b.Add("CumSum", {"x"}, "a")
      .Add("Relu", {"a"}, "b")
      .Add("CumSum", {"b"}, "c")
      .Add("CumSum", {"a"}, "d");
  EXPECT_THAT(b.Taken({}), ElementsAre());
}

// Each Add alone leaves the number of casts as it is or lowers it, but x and y
// are cast for one of them or for all.
TEST(Claims, HalfInGroupsIsLeftTogether) {
  Builder b(LW_FLOAT16);
  for (const char* name : {"a", "b", "c"}) {
    b.Add("Add", {"x", "y"}, name);
    b.Add("CumSum", {name}, std::string("soft_") + name);
  }
  EXPECT_THAT(b.Taken({}), ElementsAre());
  EXPECT_EQ(b.Reason({}, 0),
            "With it and its neighbours there would be 3 casts between float16 "
            "and float32 instead of 2.");
}

TEST(Claims, HalfBetweenFloatNodesIsLeft) {
  Builder b(LW_FLOAT16);
  b.Add("CumSum", {"x"}, "a").Add("Relu", {"a"}, "b").Add("CumSum", {"b"}, "y");
  EXPECT_THAT(b.Taken({}), ElementsAre());
  EXPECT_EQ(b.Reason({}, 1),
            "With the claim there are 2 casts between float16 and float32 "
            "instead of 0.");
  // Nodes that take float16 as it is are like the edges of the graph.
  Builder native(LW_FLOAT16);
  native.Add("Transpose", {"x"}, "a")
      .Add("Relu", {"a"}, "b")
      .Add("Concat", {"b"}, "y");
  EXPECT_THAT(native.Taken({}), ElementsAre("b"));
}

// The Div that would join two CumSum is left, and then the Exp beside it,
// too.
TEST(Claims, LeavingANodeIsSeenByItsNeighbours) {
  Builder b(LW_FLOAT16);
  b.Add("CumSum", {"x"}, "a").Add("Exp", {"a"}, "b").Add("CumSum", {"x"}, "c");
  b.Add("Div", {"b", "c"}, "d").Add("CumSum", {"d"}, "y");
  EXPECT_THAT(b.Taken({}), ElementsAre());
}

TEST(Claims, ArmWithHalfArithmeticHasMore) {
  Builder b(LW_FLOAT16);
  b.Add("Relu", {"x"}, "a").Add("Exp", {"a"}, "y");
  Facts arm = With(Policy::kMissing);
  arm.half_arithmetic = true;
  EXPECT_THAT(b.Taken(With(Policy::kMissing)), ElementsAre("a", "y"));
  EXPECT_THAT(b.Taken(arm), ElementsAre("y"));

  Builder since(LW_FLOAT16);
  since.Add("Add", {"x", "x"}, "a", 13).Add("Add", {"x", "x"}, "b", 14);
  since.Add("LeakyRelu", {"x"}, "c");
  EXPECT_THAT(since.Taken(With(Policy::kMissing)), ElementsAre("a", "b", "c"));
  EXPECT_THAT(since.Taken(arm), ElementsAre("a"));
}

TEST(Claims, GainsDecideWhereTheCpuProviderHasTheType) {
  Builder b(LW_FLOAT32);
  b.Add("Exp", {"x"}, "y");
  EXPECT_THAT(b.Taken({}), ElementsAre());
  EXPECT_THAT(b.Reason({}, 0), HasSubstr("no measured gain"));
  EXPECT_THAT(b.Taken(Fast()), ElementsAre("y"));
  EXPECT_THAT(b.Reason(Fast(), 0), HasSubstr("200% of the CPU provider's"));

  const Gain slow[] = {{"Exp", LW_FLOAT32, 2, 0.94}};
  const Gain level[] = {{"Exp", LW_FLOAT32, 1.01, 1.0}};
  const Gain other[] = {{"Exp", LW_FLOAT64, 2, 2}};
  for (const Gain* gain : {slow, level, other}) {
    Facts facts;
    facts.gains = gain;
    facts.gain_count = 1;
    EXPECT_THAT(b.Taken(facts), ElementsAre());
  }
  Facts missing = Fast();
  missing.policy = Policy::kMissing;
  EXPECT_THAT(b.Taken(missing), ElementsAre());
}

TEST(Claims, FewElementsAreLeft) {
  Builder b(LW_FLOAT32);
  b.Add("Exp", {"x"}, "y").Elements("y", 1023);
  EXPECT_THAT(b.Taken(Fast()), ElementsAre());
  b.Elements("y", 1024);
  EXPECT_THAT(b.Taken(Fast()), ElementsAre("y"));
}

TEST(Claims, ReshapeFollowsItsNeighbours) {
  Builder b(LW_FLOAT32);
  b.Add("Exp", {"x"}, "a")
      .Add("Reshape", {"a", "s"}, "b")
      .Add("Exp", {"b"}, "y");
  EXPECT_THAT(b.Taken(Fast()), ElementsAre("a", "b", "y"));
  EXPECT_THAT(b.Taken({}), ElementsAre());
  Builder last(LW_FLOAT32);
  last.Add("Exp", {"x"}, "a").Add("Reshape", {"a", "s"}, "y");
  EXPECT_THAT(last.Taken(Fast()), ElementsAre("a"));
}

// Between convolutions the Add takes values as the convolutions have them.
TEST(Claims, NodesInBlockedLayoutAreLeft) {
  Builder b(LW_FLOAT32);
  for (const char* name : {"i", "c", "d", "s", "a", "y"}) {
    b.Shape(name, {1, 16, 64, 64});
  }
  b.Weights("w", {16, 16, 1, 1});
  b.Add("Conv", {"i", "w"}, "c").Add("Conv", {"i", "w"}, "d");
  b.Add("Sigmoid", {"c"}, "s").Add("Add", {"s", "d"}, "a");
  b.Add("Conv", {"a", "w"}, "y").End();
  EXPECT_THAT(b.Taken(Fast()), ElementsAre());
}

// A softmax in primitives is never fused.
TEST(Fusions, SoftmaxInPrimitivesIsTaken) {
  Builder b(LW_FLOAT32);
  b.Add("ReduceMax", {"x"}, "m")
      .Add("Sub", {"x", "m"}, "s")
      .Add("Exp", {"s"}, "e");
  b.Add("ReduceSum", {"e"}, "r").Add("Div", {"e", "r"}, "y");
  EXPECT_THAT(b.Taken(Fast()), ElementsAre("m", "s", "e", "r", "y"));
}

TEST(Fusions, ActivationsStayWithConvAndGemm) {
  for (const char* activation : {"Relu", "LeakyRelu", "Clip"}) {
    Builder conv(LW_FLOAT32);
    conv.Add("Conv", {"x", "w"}, "a").Add(activation, {"a"}, "y");
    EXPECT_THAT(conv.Taken(Fast()), ElementsAre()) << activation;
    Builder none(LW_FLOAT32);
    none.Add("CumSum", {"x"}, "a").Add(activation, {"a"}, "y");
    EXPECT_THAT(none.Taken(Fast()), ElementsAre("y")) << activation;
  }
  Builder residual(LW_FLOAT32);
  for (const char* name : {"a", "x"}) residual.Shape(name, {1, 16, 9, 9});
  residual.Add("Conv", {"x", "w", "bias"}, "a")
      .Add("Add", {"a", "x"}, "b")
      .Add("Relu", {"b"}, "y");
  EXPECT_THAT(residual.Taken(Fast()), ElementsAre());
  Builder gemm(LW_FLOAT32);
  gemm.Add("Gemm", {"x", "w"}, "a")
      .Add("Relu", {"a"}, "b")
      .Add("Exp", {"b"}, "y");
  EXPECT_THAT(gemm.Taken(Fast()), ElementsAre("y"));
}

TEST(Fusions, ScalesStayWithMatMul) {
  Builder b(LW_FLOAT32);
  b.Add("MatMul", {"x", "w"}, "a").Add("Div", {"a", "c"}, "y");
  EXPECT_THAT(b.Taken(Fast()), ElementsAre("y"));
  b.Constant("c", 1);
  EXPECT_THAT(b.Taken(Fast()), ElementsAre());
  b.Constant("c", 64);
  EXPECT_THAT(b.Taken(Fast()), ElementsAre("y"));
}

TEST(Fusions, GeluIsLeftWhole) {
  Builder b(LW_FLOAT32);
  b.Scalar("sqrt2", std::sqrt(2)).Scalar("one", 1).Scalar("half", 0.5);
  b.Add("Exp", {"i"}, "x")
      .Add("Div", {"x", "sqrt2"}, "d")
      .Add("Erf", {"d"}, "e");
  b.Add("Add", {"e", "one"}, "a")
      .Add("Mul", {"x", "a"}, "m")
      .Add("Mul", {"m", "half"}, "y");
  EXPECT_THAT(b.Taken(Fast()), ElementsAre("x"));
}

TEST(Fusions, LayerNormalizationIsLeftWhole) {
  Builder b(LW_FLOAT32);
  b.Scalar("two", 2).Weights("scale", {16}).Weights("bias", {16});
  b.Add("Exp", {"i"}, "x").Add("ReduceMean", {"x"}, "m").With("axes", {-1});
  b.Add("Sub", {"x", "m"}, "s").Add("Pow", {"s", "two"}, "p");
  b.Add("ReduceMean", {"p"}, "v").With("axes", {-1});
  b.Add("Add", {"v", "eps"}, "w").Add("Sqrt", {"w"}, "r");
  b.Add("Div", {"s", "r"}, "d").Add("Mul", {"d", "scale"}, "g");
  b.Add("Add", {"g", "bias"}, "y").Add("Exp", {"y"}, "z");
  EXPECT_THAT(b.Taken(Fast()), ElementsAre("x", "z"));
}

TEST(Fusions, AddBeforeNormalizationIsLeft) {
  Builder b(LW_FLOAT32);
  for (const char* name : {"x", "z"}) b.Shape(name, {2, 64, 16});
  b.Add("Add", {"x", "z"}, "a").Add("LayerNormalization", {"a"}, "y");
  EXPECT_THAT(b.Taken(Fast()), ElementsAre());
}

TEST(Fusions, QuantizedNodesAreLeft) {
  Builder b(LW_FLOAT32);
  b.Add("DequantizeLinear", {"q"}, "x")
      .Add("DequantizeLinear", {"r"}, "z")
      .Add("Add", {"x", "z"}, "a")
      .Add("QuantizeLinear", {"a"}, "y");
  EXPECT_THAT(b.Taken(Fast()), ElementsAre());
}

TEST(Explain, QuotesNames) {
  Builder b(LW_BFLOAT16);
  b.Add("Relu", {"x"}, "y");
  b.graph().name = "a\"b\\c\n";
  std::string folder = testing::TempDir() + "lanewise_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string file = folder + "/claims.jsonl";
  Explain(file, b.graph(), DecideAll(b.graph(), {}));
  std::FILE* read = std::fopen(file.c_str(), "r");
  char line[512] = {};
  ASSERT_NE(std::fgets(line, sizeof(line), read), nullptr);
  std::fclose(read);
  std::filesystem::remove_all(folder);
  EXPECT_STREQ(line,
               "{\"graph\": \"a\\\"b\\\\c\\u000a\", \"node\": \"y\", \"op\": "
               "\"Relu\", \"domain\": \"\", \"opset\": 14, \"type\": "
               "\"bfloat16\", \"taken\": true, \"reason\": \"The CPU provider "
               "lacks Relu-14 of bfloat16.\"}\n");
}

}  // namespace
}  // namespace lanewise::ort
