// SPDX-License-Identifier: Apache-2.0
//
// The chains that are measured. A chain is a cell whose operator is its name.
// All have one input, and constants: of one element, or of one element for each
// column or row.

#ifndef LANEWISE_BENCHMARKS_CHAINS_H_
#define LANEWISE_BENCHMARKS_CHAINS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lanewise/lanewise.h"

namespace lanewise::bench {

struct ChainConstant {
  enum Shape : uint8_t { kOne, kRow, kColumn };

  ChainConstant(float of, Shape as = kOne) : value(of), shape(as) {}  // NOLINT
  /// Element k of the constant.
  float At(size_t k) const { return value * (1 + 0.125f * float(k % 8)); }

  float value;
  Shape shape;
};

struct ChainStep {
  const char* op;
  std::vector<int32_t> operands;  ///< numbers of values, as lw_chain_create's
  /// For Cast: the attribute `to`. LW_ABSENT: the type of the cell.
  lw_type to = LW_ABSENT;
  /// For BitShift: the attribute `direction`.
  const char* direction = nullptr;
};

/// Value 0 is the input; the constants follow, then the results of the steps.
struct BenchChain {
  const char* name;
  std::vector<ChainConstant> constants;
  std::vector<ChainStep> steps;
  std::vector<lw_type> types = {LW_FLOAT32, LW_FLOAT16, LW_BFLOAT16};
  /// The types of the constants and of the output; LW_ABSENT: that of the cell.
  lw_type constant_type = LW_ABSENT;
  lw_type output_type = LW_ABSENT;

  int32_t result() const {
    return static_cast<int32_t>(constants.size() + steps.size());
  }
  /// Whether the input and the output have rows.
  bool HasRows() const {
    return std::any_of(constants.begin(), constants.end(),
                       [](const ChainConstant& constant) {
                         return constant.shape != ChainConstant::kOne;
                       });
  }
};

/// The columns of chains with rows: a small hidden size of a transformer.
inline constexpr size_t kChainColumns = 256;
inline size_t ColumnsOf(const BenchChain& chain, size_t n) {
  return chain.HasRows() ? std::min(n, kChainColumns) : n;
}

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
      // The end of a normalization: minus the mean and times the inverse
      // deviation of each row, times a scale and plus a shift of each column.
      {"Chain.NormTail",
       {{0.1f, ChainConstant::kColumn},
        {1.1f, ChainConstant::kColumn},
        {0.9f, ChainConstant::kRow},
        {-0.2f, ChainConstant::kRow}},
       {{"Sub", {0, 1}}, {"Mul", {5, 2}}, {"Mul", {6, 3}}, {"Add", {7, 4}}}},
      // Between nodes of 16 bits, computed in float32.
      {"Chain.CastInOut",
       {1.1f, 0.1f},
       {{"Cast", {0}, LW_FLOAT32},
        {"Mul", {3, 1}},
        {"Add", {4, 2}},
        {"Relu", {5}},
        {"Cast", {6}}},
       {LW_FLOAT16, LW_BFLOAT16},
       LW_FLOAT32},
      // Operators that need an attribute, as chains of one step.
      {"Chain.CastToF32",
       {},
       {{"Cast", {0}, LW_FLOAT32}},
       {LW_FLOAT16, LW_BFLOAT16, LW_INT32},
       LW_ABSENT,
       LW_FLOAT32},
      {"Chain.CastToF16",
       {},
       {{"Cast", {0}, LW_FLOAT16}},
       {LW_FLOAT32},
       LW_ABSENT,
       LW_FLOAT16},
      {"Chain.ShiftLeft",
       {3},
       {{"BitShift", {0, 1}, LW_ABSENT, "LEFT"}},
       {LW_UINT8, LW_UINT32}},
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
