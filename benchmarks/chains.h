// SPDX-License-Identifier: Apache-2.0
//
// The chains that are measured. A chain is a cell whose operator is its name.
// All have one input, and constants of one element.

#ifndef LANEWISE_BENCHMARKS_CHAINS_H_
#define LANEWISE_BENCHMARKS_CHAINS_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanewise::bench {

struct ChainStep {
  const char* op;
  std::vector<int32_t> operands;  ///< numbers of values, as lw_chain_create's
};

/// Value 0 is the input; the constants follow, then the results of the steps.
struct BenchChain {
  const char* name;
  std::vector<float> constants;
  std::vector<ChainStep> steps;

  int32_t result() const {
    return static_cast<int32_t>(constants.size() + steps.size());
  }
};

/// The opset of all steps.
inline constexpr int kChainOpset = 16;

inline const std::vector<BenchChain>& AllChains() {
  static const auto& chains = *new std::vector<BenchChain>{
      // A block of PP-OCR: the scale and shift of a convolution, hard-swish,
      // another scale and shift.
      {"Chain.HardSwish",
       {1.1f, 0.1f, 3, 0, 6, 0.9f, -0.2f},
       {{"Mul", {0, 1}},
        {"Add", {8, 2}},
        {"Add", {9, 3}},
        {"Clip", {10, 4, 5}},
        {"Mul", {9, 11}},
        {"Div", {12, 5}},
        {"Mul", {13, 6}},
        {"Add", {14, 7}}}},
      {"Chain.MulAddRelu",
       {1.1f, 0.1f},
       {{"Mul", {0, 1}}, {"Add", {3, 2}}, {"Relu", {4}}}},
      // x * sigmoid(x), spelled by plain operators
      {"Chain.SiLU",
       {-1, 1},
       {{"Mul", {0, 1}},
        {"Exp", {3}},
        {"Add", {4, 2}},
        {"Reciprocal", {5}},
        {"Mul", {6, 0}}}},
      {"Chain.GreaterWhere",
       {0, 0.5f},
       {{"Mul", {0, 2}}, {"Greater", {0, 1}}, {"Where", {4, 0, 3}}}},
  };
  return chains;
}

/// nullptr for the name of an operator.
inline const BenchChain* FindChain(std::string_view name) {
  for (const BenchChain& chain : AllChains()) {
    if (name == chain.name) return &chain;
  }
  return nullptr;
}

}  // namespace lanewise::bench

#endif  // LANEWISE_BENCHMARKS_CHAINS_H_
