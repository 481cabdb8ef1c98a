// SPDX-License-Identifier: Apache-2.0
//
// A call of a composed operator: operands of some types, and the node.

#ifndef LANEWISE_TESTS_SUPPORT_COMPOSED_CALL_H_
#define LANEWISE_TESTS_SUPPORT_COMPOSED_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/composed_suite.h"
#include "tests/support/subject.h"

namespace lanewise::test {

/// Attributes with values of their kinds.
class NodeAttributes {
 public:
  explicit NodeAttributes(const std::vector<ComposedAttribute>& attributes);
  NodeAttributes(const NodeAttributes&) = delete;
  NodeAttributes& operator=(const NodeAttributes&) = delete;
  const std::vector<lw_attribute>& list() const { return list_; }

 private:
  std::vector<std::vector<int64_t>> ints_;
  std::vector<std::vector<float>> floats_;
  std::vector<lw_attribute> list_;
};

/// An operand in memory: elements without gaps, and the same with gaps.
struct ComposedOperand {
  lw_type type;
  Dims64 dims;
  Array elements;
};

Array ArrayOf(lw_type type, const std::vector<long double>& values);
std::vector<long double> ValuesOf(const Array& array);

/// The memory of a tensor with some strides.
class StridedCopy {
 public:
  enum Kind { kPlain, kGaps, kTransposed, kReversed };
  StridedCopy(const ComposedOperand& operand, Kind kind);
  const lw_tensor& tensor() const { return tensor_; }
  /// The elements in row-major order.
  Array Elements() const;

 private:
  Dims64 dims_;
  Dims64 strides_;
  int64_t first_ = 0;
  Array memory_;
  lw_tensor tensor_;
};

class ComposedRun {
 public:
  /// `turn`: operands with type parameters other than T have other types than
  /// T, the `turn`-th behind it.
  ComposedRun(const OperatorSpec& spec, const ComposedCase& given, lw_type type,
              size_t turn, const lw_engine* engine);

  const lw_op* op() const { return op_.get(); }
  const std::vector<ComposedOperand>& inputs() const { return inputs_; }
  /// What lw_op_infer tells.
  const std::vector<ComposedOperand>& outputs() const { return outputs_; }
  /// The oracle's answers.
  std::vector<Numbers> Expected() const;
  /// Whether all inputs are float64.
  bool HasDoubles() const;
  /// By lw_op_run, of operands without gaps.
  std::vector<Array> Run() const;

 private:
  const OperatorSpec& spec_;
  const ComposedCase& given_;
  OpPtr op_;
  std::vector<ComposedOperand> inputs_;
  std::vector<ComposedOperand> outputs_;
};

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_COMPOSED_CALL_H_
