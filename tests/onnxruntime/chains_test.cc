// SPDX-License-Identifier: Apache-2.0
//
// Which nodes can be a chain, and when a chain is taken.

#include "runtime/onnxruntime/chains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "runtime/onnxruntime/cpu_provider.h"
#include "tests/onnxruntime/graph_builder.h"

namespace lanewise::ort {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// What PP-OCR has behind a convolution.
Builder HardSwish(int32_t type) {
  Builder b(type);
  for (const char* name : {"s1", "b1", "3", "0", "6", "s2", "b2"}) {
    b.Constant(name, 1);
  }
  b.Add("Mul", {"c", "s1"}, "scaled").Add("Add", {"scaled", "b1"}, "x");
  b.Add("Add", {"x", "3"}, "moved").Add("Clip", {"moved", "0", "6"}, "bounded");
  b.Add("Mul", {"x", "bounded"}, "p").Add("Div", {"p", "6"}, "sixth");
  b.Add("Mul", {"sixth", "s2"}, "again").Add("Add", {"again", "b2"}, "y");
  return b;
}

TEST(Chains, AreAsLongAsPossible) {
  EXPECT_THAT(HardSwish(LW_FLOAT32).Output("y").Chains({}),
              ElementsAre(SizeIs(8)));
  Builder between = HardSwish(LW_FLOAT32);
  between.Add("CumSum", {"i"}, "c").Add("CumSum", {"y"}, "z").End();
  EXPECT_THAT(between.Chains({}), ElementsAre(SizeIs(8)));
}

TEST(Chains, BordersAreWhatOthersReadAndWrite) {
  Builder b = HardSwish(LW_FLOAT32);
  b.Add("CumSum", {"x"}, "z").Output("sixth").Output("y");
  const Border border = BorderOf(b.graph(), {0, 1, 2, 3, 4, 5, 6, 7});
  const auto names = [&](const std::vector<int>& values) {
    Names found;
    for (int value : values) found.push_back(b.graph().values[value].name);
    return found;
  };
  EXPECT_THAT(names(border.inputs), ElementsAre("c"));
  EXPECT_THAT(names(border.outputs), ElementsAre("x", "sixth", "y"));
  EXPECT_THAT(names(border.constants),
              UnorderedElementsAre("s1", "b1", "3", "0", "6", "s2", "b2"));
}

// The CumSum reads what the chain made and feeds the chain.
TEST(Chains, NoPathLeavesAndComesBack) {
  Builder b(LW_FLOAT32);
  b.Add("Exp", {"i"}, "a").Add("Exp", {"a"}, "b").Add("CumSum", {"b"}, "c");
  b.Add("Add", {"b", "c"}, "d").Add("Exp", {"d"}, "e").Output("e");
  EXPECT_THAT(b.Chains(All()), ElementsAre(Names{"a", "b"}, Names{"d", "e"}));
}

// Each pair is convex, but either of them would have to run before the other.
TEST(Chains, DoNotWaitForEachOther) {
  Builder b(LW_FLOAT32);
  b.Add("CumSum", {"i"}, "s").Add("CumSum", {"i"}, "t");
  b.Add("Exp", {"s"}, "a1").Add("Exp", {"t"}, "b1");
  b.Add("CumSum", {"a1"}, "from_a").Add("CumSum", {"b1"}, "from_b");
  b.Add("Add", {"a1", "from_b"}, "a2").Add("Add", {"b1", "from_a"}, "b2");
  b.Output("a2").Output("b2");
  EXPECT_THAT(b.Chains(All()), SizeIs(1));
}

TEST(Chains, NeedNodesOfTypesWithWholeBytes) {
  Builder strings(LW_STRING);
  strings.Add("Equal", {"x", "y"}, "a").Add("Where", {"a", "x", "y"}, "z");
  strings.Type("a", LW_BOOL).Output("z");
  EXPECT_THAT(strings.Chains(All()), IsEmpty());
  Builder packed(LW_INT4);
  packed.Add("Cast", {"x"}, "a").Add("Relu", {"a"}, "b").Add("Exp", {"b"}, "y");
  packed.Type("a", LW_FLOAT32).Type("b", LW_FLOAT32).Type("y", LW_FLOAT32);
  packed.Output("y");
  EXPECT_THAT(packed.Chains(All()), ElementsAre(Names{"b", "y"}));
  Builder reshape(LW_FLOAT32);
  reshape.Add("Exp", {"x"}, "a").Add("Reshape", {"a", "s"}, "b");
  reshape.Add("Exp", {"b"}, "y").Output("y");
  EXPECT_THAT(reshape.Chains(All()), IsEmpty());
}

TEST(Chains, LeaveNodesOfOtherProvidersAndWithoutKernel) {
  Builder b(LW_FLOAT32);
  b.Add("Exp", {"x"}, "a").Add("Exp", {"a"}, "b").Add("Exp", {"b"}, "c");
  b.Add("Exp", {"c"}, "y").Output("y");
  b.graph().nodes[0].is_taken = true;
  b.graph().nodes[3].has_kernel = false;
  EXPECT_THAT(b.Chains(All()), ElementsAre(Names{"b", "c"}));
}

TEST(Chains, LeaveFusions) {
  Builder b(LW_FLOAT32);
  b.Add("Gemm", {"i", "w"}, "g").Add("Relu", {"g"}, "a");
  b.Add("Exp", {"a"}, "b").Add("Exp", {"b"}, "y").Output("y");
  EXPECT_THAT(b.Chains({}), ElementsAre(Names{"b", "y"}));
  EXPECT_THAT(b.Chains(All()), ElementsAre(Names{"a", "b", "y"}));
}

TEST(Chains, KeepTheLimits) {
  Builder many(LW_FLOAT32);
  many.Add("Exp", {"x"}, "0");
  for (int i = 1; i < 100; ++i) {
    many.Add("Exp", {std::to_string(i - 1)}, std::to_string(i));
  }
  many.Output("99");
  EXPECT_THAT(many.Chains(All()),
              ElementsAre(SizeIs(LW_MAX_STEPS), SizeIs(100 - LW_MAX_STEPS)));

  Builder wide(LW_FLOAT32);
  wide.Add("Add", {"x", "0"}, "v0");
  for (int i = 1; i < 30; ++i) {
    const std::string number = std::to_string(i);
    if (i % 2 == 0) wide.Constant(number, 100);
    wide.Add("Add", {std::string("v").append(std::to_string(i - 1)), number},
             std::string("v").append(number));
  }
  wide.Output("v29");
  EXPECT_THAT(wide.Chains(All()), ElementsAre(SizeIs(LW_MAX_INPUTS - 1),
                                              SizeIs(LW_MAX_INPUTS - 1)));

  Builder outputs(LW_FLOAT32);
  outputs.Add("Exp", {"x"}, "0").Output("0");
  for (int i = 1; i < 12; ++i) {
    const std::string name = std::to_string(i);
    outputs.Add("Exp", {std::to_string(i - 1)}, name).Output(name);
  }
  EXPECT_THAT(outputs.Chains(All()),
              ElementsAre(SizeIs(LW_MAX_OUTPUTS), SizeIs(12 - LW_MAX_OUTPUTS)));
}

// A stretched row would be computed again for each row of the result.
TEST(Chains, ValuesThatAreStretchedAreComputedBefore) {
  Builder b(LW_FLOAT32);
  b.Elements("r", 100).Elements("e", 100).Elements("f", 100);
  b.Add("Exp", {"r"}, "e").Add("Exp", {"e"}, "f");
  b.Add("Mul", {"x", "f"}, "m").Add("Exp", {"m"}, "y").Output("y");
  EXPECT_THAT(b.Chains(All()), ElementsAre(Names{"e", "f"}, Names{"m", "y"}));
  b.graph().values[b.graph().nodes[1].outputs[0]].is_row_scalar = true;
  EXPECT_THAT(b.Chains(All()), ElementsAre(Names{"e", "f", "m", "y"}));
}

TEST(Savings, AreBytesOfMemoryAndCalls) {
  Builder b(LW_FLOAT32);
  for (const char* name : {"x", "a", "b", "y"}) b.Elements(name, 1 << 20);
  b.Add("Exp", {"x"}, "a").Add("Exp", {"a"}, "b").Add("Exp", {"b"}, "y");
  b.Output("y");
  const Claims claims = DecideAll(b.graph(), {});
  ASSERT_THAT(claims.chains, SizeIs(1));
  // Of 4 MiB each: 6 values instead of 1, and a new one that counts twice. Of 8
  // KiB each: 3 calls instead of 1.
  EXPECT_EQ(claims.chains[0].saved_bytes, (3 * 4 << 20) + (2 << 13));
  EXPECT_EQ(b.Reason({}, 0),
            "In a chain: In one pass the nodes move 12296 KiB instead of "
            "24600. The claim adds 0 reorders and 0 casts, which move 0 KiB, "
            "and saves 12304 KiB in sum.");
}

// Three large values are outputs of the chain, and new.
TEST(Savings, AreSmallWhereAllIsUsedOutside) {
  Builder b(LW_FLOAT32);
  for (const char* name : {"x", "a", "b", "y"}) b.Elements(name, 1 << 20);
  b.Add("Exp", {"x"}, "a").Add("Exp", {"a"}, "b").Add("Exp", {"b"}, "y");
  b.Output("a").Output("b").Output("y");
  EXPECT_THAT(b.Chains({}), IsEmpty());
  EXPECT_THAT(b.Chains(All()), ElementsAre(Names{"a", "b", "y"}));
}

// The CPU provider approximates Sigmoid, in less time than a right last bit
// takes. Fast engines approximate, too.
TEST(Savings, SlowStepsCountUnlessTheEngineIsFast) {
  Facts tight;
  tight.accuracy = LW_ACCURACY_TIGHT;
  for (const char* op : {"Exp", "Sigmoid"}) {
    Builder b(LW_FLOAT32);
    for (const char* name : {"x", "s", "y"}) b.Elements(name, 1 << 20);
    b.Add(op, {"x"}, "s").Add("Neg", {"s"}, "y").Output("y");
    EXPECT_THAT(b.Chains({}), SizeIs(1));
    EXPECT_THAT(b.Chains(tight), SizeIs(op == std::string_view("Exp") ? 1 : 0));
  }
}

// x / sqrt(2), Erf, + 1, * x, * 0.5 of large values, with a bias or without.
Builder Gelu(bool bias) {
  Builder b(LW_FLOAT32);
  b.Scalar("root", std::sqrt(2.0)).Scalar("one", 1).Scalar("half", 0.5);
  for (const char* name : {"in", "x", "d", "e", "s", "m", "y"}) {
    b.Shape(name, {4, 1024, 1024});
  }
  b.Weights("bias", {1024});
  bias ? b.Add("Add", {"in", "bias"}, "x") : b.Add("CumSum", {"in"}, "x");
  b.Add("Div", {"x", "root"}, "d").Add("Erf", {"d"}, "e");
  b.Add("Add", {"e", "one"}, "s").Add("Mul", {"x", "s"}, "m");
  return b.Add("Mul", {"m", "half"}, "y").End();
}

Facts WithVectors(int bytes) {
  Facts facts;
  facts.vector_bytes = bytes;
  return facts;
}

TEST(Savings, FusionsThatTakeLongerThanStepsAreTaken) {
  const Names gelu = {"d", "e", "s", "m", "y"};
  EXPECT_THAT(Gelu(false).Chains(WithVectors(64)), ElementsAre(gelu));
  EXPECT_THAT(Gelu(true).Chains(WithVectors(64)), ElementsAre(SizeIs(6)));
  // For each element: 8 bytes and 7 for what the fused node takes longer,
  // instead of 4 bytes and a new value that counts twice.
  EXPECT_EQ(
      DecideAll(Gelu(true).graph(), WithVectors(32)).chains[0].saved_bytes,
      (8 + 7 - 12) * (4 << 20));
  EXPECT_THAT(Gelu(true).Chains(WithVectors(32)), ElementsAre(SizeIs(6)));
  // Too little to be sure of.
  EXPECT_THAT(Gelu(false).Taken(WithVectors(32)), IsEmpty());
  EXPECT_EQ(Gelu(false).Reason(WithVectors(32), 2),
            "ONNX Runtime can fuse the node into Gelu.");
  // Neither steps without vectors of fused additions nor tight ones are faster.
  EXPECT_THAT(Gelu(true).Taken(WithVectors(0)), IsEmpty());
  Facts tight = WithVectors(64);
  tight.accuracy = LW_ACCURACY_TIGHT;
  EXPECT_THAT(Gelu(true).Taken(tight), IsEmpty());
}

TEST(Savings, BiasBeforeTheOperatorGelu) {
  for (const bool by_tanh : {false, true}) {
    Builder b(LW_FLOAT32);
    for (const char* name : {"in", "x", "y"}) b.Shape(name, {4, 1024, 1024});
    b.Weights("bias", {1024}).Add("Add", {"in", "bias"}, "x");
    b.Add("Gelu", {"x"}, "y", 20).End();
    if (by_tanh) {
      b.graph().nodes[1].attributes["approximate"].text = "tanh";
    }
    EXPECT_THAT(b.Chains(WithVectors(64)), SizeIs(by_tanh ? 0 : 1));
    EXPECT_THAT(b.Chains(WithVectors(32)), IsEmpty());
  }
}

// ONNX Runtime fuses all nodes of a fusion or none.
TEST(Savings, FusionsAreTakenAsAWholeOrNotAtAll) {
  for (int i = 0; i < 6; ++i) {
    Builder b = Gelu(true);
    b.graph().nodes[i].has_kernel = false;
    EXPECT_THAT(b.Taken(WithVectors(64)), IsEmpty()) << i;
  }
}

// The blocked layout goes on through an Add and a Mul of two convolutions.
TEST(Savings, ReordersCount) {
  for (const bool constant : {false, true}) {
    Builder b(LW_FLOAT32);
    b.Shape("i", {1, 16, 64, 64}).Weights("w", {16, 16, 1, 1});
    for (const char* name : {"c", "d", "a", "m", "y"}) {
      b.Shape(name, {1, 16, 64, 64});
    }
    b.Add("Conv", {"i", "w"}, "c");
    if (constant) {
      b.Scalar("d", 2);
    } else {
      b.Add("Conv", {"i", "w"}, "d");
    }
    b.Add("Add", {"c", "d"}, "a").Add("Mul", {"a", "d"}, "m");
    b.Add("Conv", {"m", "w"}, "y").End();
    const Chain chain = DecideAll(b.graph(), All()).chains.at(0);
    EXPECT_THAT(chain.nodes, SizeIs(2));
    EXPECT_EQ(chain.added_reorders > 0, !constant);
  }
}

// What rounds in each step takes longer.
TEST(Savings, StepsOfHalfCountUnlessTheEngineIsFast) {
  Builder b(LW_FLOAT16);
  for (const char* name : {"x", "a", "y"}) b.Elements(name, 1 << 20);
  b.Add("Exp", {"x"}, "a").Add("Neg", {"a"}, "y").Output("y");
  Facts facts;
  const int64_t fast = DecideAll(b.graph(), facts).chains.at(0).saved_bytes;
  facts.accuracy = LW_ACCURACY_TIGHT;
  const int64_t tight = DecideAll(b.graph(), facts).chains.at(0).saved_bytes;
  EXPECT_EQ(fast - tight, 2 * 3 << 20);
}

TEST(Savings, CastsOfHalfCount) {
  Builder shorter(LW_FLOAT16);
  shorter.Add("CumSum", {"i"}, "c").Add("Exp", {"c"}, "a");
  shorter.Add("Relu", {"a"}, "b").Add("CumSum", {"b"}, "z").Output("z");
  EXPECT_THAT(shorter.Chains({}), IsEmpty());
  EXPECT_THAT(shorter.Taken({}), IsEmpty());
  Builder longer = HardSwish(LW_FLOAT16);
  longer.Add("CumSum", {"i"}, "c").Add("CumSum", {"y"}, "z").Output("z");
  EXPECT_THAT(longer.Chains({}), ElementsAre(SizeIs(8)));
  EXPECT_THAT(longer.Reason({}, 0), HasSubstr("adds 0 reorders and 2 casts"));
}

TEST(Savings, MissingTakesChainsWithWhatTheCpuProviderLacks) {
  EXPECT_THAT(HardSwish(LW_FLOAT32).Output("y").Taken(Missing()), IsEmpty());
  EXPECT_THAT(HardSwish(LW_BFLOAT16).Output("y").Chains(Missing()),
              ElementsAre(SizeIs(8)));
}

// A graph at random: each node reads nodes before it.
Builder Random(std::mt19937* rng, std::vector<bool>* steps) {
  Builder b(LW_FLOAT32);
  const auto below = [&](int n) { return static_cast<int>((*rng)() % n); };
  const int count = 2 + below(30);
  for (int i = 0; i < count; ++i) {
    Names inputs;
    for (int j = 0; j < 2; ++j) {
      const int from = below(i + 1);
      inputs.push_back(below(8) == 0 || i == 0
                           ? "in"
                           : std::to_string(std::max(i - 1 - from / 3, 0)));
    }
    steps->push_back(below(4) != 0);
    b.Add(steps->back() ? "Add" : "CumSum", inputs, std::to_string(i));
  }
  return b.End();
}

// Whether the groups could run one after the other.
bool HasOrder(const Graph& graph, const std::vector<int>& group) {
  std::set<int> left(group.begin(), group.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (int candidate : std::set<int>(left)) {
      const auto waits = [&](int value) {
        const int producer = graph.values[value].producer;
        return producer >= 0 && group[producer] != candidate &&
               left.count(group[producer]) != 0;
      };
      bool ready = true;
      for (size_t i = 0; i < group.size(); ++i) {
        const std::vector<int>& inputs = graph.nodes[i].inputs;
        if (group[i] != candidate) continue;
        ready = ready && std::none_of(inputs.begin(), inputs.end(), waits);
      }
      if (ready) left.erase(candidate);
      changed = changed || ready;
    }
  }
  return left.empty();
}

// Each node once, in sets that can run one after the other, and no two sets
// that an edge connects could be one.
TEST(Chains, OfRandomGraphsAreConvexAndAsLargeAsPossible) {
  std::mt19937 rng(1);
  int large = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<bool> steps;
    const Builder b = Random(&rng, &steps);
    const Graph& graph = b.graph();
    std::vector<int> group(steps.size());
    for (size_t i = 0; i < steps.size(); ++i) group[i] = static_cast<int>(i);
    const std::vector<std::vector<int>> chains = ChainsIn(graph, steps);
    for (const std::vector<int>& chain : chains) {
      large += chain.size() > 2;
      EXPECT_TRUE(std::is_sorted(chain.begin(), chain.end()));
      for (int node : chain) {
        EXPECT_TRUE(steps[node]);
        EXPECT_EQ(group[node], node);
        group[node] = static_cast<int>(steps.size()) + chain[0];
      }
    }
    ASSERT_TRUE(HasOrder(graph, group)) << round;
    for (size_t i = 0; i < steps.size(); ++i) {
      for (int value : graph.nodes[i].inputs) {
        const int producer = graph.values[value].producer;
        if (producer < 0 || !steps[i] || !steps[producer]) continue;
        if (group[producer] == group[i]) continue;
        std::vector<int> joined = group;
        std::replace(joined.begin(), joined.end(), group[producer], group[i]);
        const auto size = std::count(joined.begin(), joined.end(), group[i]);
        std::vector<int> members;
        for (size_t j = 0; j < joined.size(); ++j) {
          if (joined[j] == group[i]) members.push_back(static_cast<int>(j));
        }
        const Border border = BorderOf(graph, members);
        EXPECT_TRUE(!HasOrder(graph, joined) || size > LW_MAX_STEPS ||
                    border.outputs.size() > LW_MAX_OUTPUTS)
            << round;
      }
    }
  }
  EXPECT_GT(large, 1000);
}

}  // namespace
}  // namespace lanewise::ort
