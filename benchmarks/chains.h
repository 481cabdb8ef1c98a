// SPDX-License-Identifier: Apache-2.0
//
// The chains that are measured. A chain is a cell whose operator is its name.
// All have one input, and constants: of one element, of one element for each
// column or row, or of all elements.

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
  enum Shape : uint8_t { kOne, kRow, kColumn, kAll };

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
  /// Of chains with rows. 256 is a small hidden size of a transformer.
  size_t columns = 256;

  int32_t result() const {
    return static_cast<int32_t>(constants.size() + steps.size());
  }
  /// Whether the input and the output have rows.
  bool HasRows() const { return HasRowConstants() || ReducesRows(); }
  /// Whether a step adds up the elements of each row.
  bool ReducesRows() const {
    return std::any_of(steps.begin(), steps.end(), [](const ChainStep& step) {
      const std::string_view op = step.op;
      return op == "Softmax" || op.ends_with("Normalization");
    });
  }

 private:
  bool HasRowConstants() const {
    return std::any_of(constants.begin(), constants.end(),
                       [](const ChainConstant& constant) {
                         return constant.shape != ChainConstant::kOne;
                       });
  }
};

inline size_t ColumnsOf(const BenchChain& chain, size_t n) {
  return chain.HasRows() ? std::min(n, chain.columns) : n;
}
/// The elements of a constant, of a chain on n elements.
inline size_t CountOf(const BenchChain& chain, const ChainConstant& constant,
                      size_t n) {
  switch (constant.shape) {
    case ChainConstant::kOne:
      return 1;
    case ChainConstant::kRow:
      return ColumnsOf(chain, n);
    case ChainConstant::kColumn:
      return n / ColumnsOf(chain, n);
    default:
      return n;
  }
}

/// The opset of all steps.
inline constexpr int kChainOpset = 23;

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
      // What stands between the two products of an attention: a scale, a mask
      // for each column, Softmax of each row.
      {"Chain.ScaleMaskSoftmax",
       {0.125f, {-0.5f, ChainConstant::kRow}},
       {{"Mul", {0, 1}}, {"Add", {3, 2}}, {"Softmax", {4}}}},
      // What stands behind the products: the sum with what went in, normalized.
      {"Chain.AddLayerNorm",
       {{0.5f, ChainConstant::kAll},
        {0.9f, ChainConstant::kRow},
        {-0.2f, ChainConstant::kRow}},
       {{"Add", {0, 1}}, {"LayerNormalization", {4, 2, 3}}},
       {LW_FLOAT32, LW_FLOAT16, LW_BFLOAT16},
       LW_ABSENT,
       LW_ABSENT,
       1024},
      {"Chain.AddRmsNorm",
       {{0.5f, ChainConstant::kAll}, {0.9f, ChainConstant::kRow}},
       {{"Add", {0, 1}}, {"RMSNormalization", {3, 2}}},
       {LW_FLOAT32, LW_FLOAT16, LW_BFLOAT16},
       LW_ABSENT,
       LW_ABSENT,
       1024},
      // Composed operators, as chains of one step: a cell of an operator has no
      // rows.
      {"Chain.Softmax", {}, {{"Softmax", {0}}}},
      {"Chain.LayerNorm",
       {{0.9f, ChainConstant::kRow}, {-0.2f, ChainConstant::kRow}},
       {{"LayerNormalization", {0, 1, 2}}},
       {LW_FLOAT32, LW_FLOAT16, LW_BFLOAT16},
       LW_ABSENT,
       LW_ABSENT,
       1024},
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
