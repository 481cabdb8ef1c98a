// SPDX-License-Identifier: Apache-2.0
//
// A chain: several operators that run in one pass over memory. Whatever does
// not depend on shapes is settled when the chain is made: which value each step
// reads, the types, the constants.

#ifndef LANEWISE_RUNTIME_CHAIN_CHAIN_H_
#define LANEWISE_RUNTIME_CHAIN_CHAIN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/engine/status.h"
#include "runtime/node/node.h"

namespace lanewise {

inline constexpr Label kChainLabel = {"Chain", 0};

/// A set of steps, as bits.
using StepSet = uint64_t;
static_assert(LW_MAX_STEPS <= 64);

struct ChainStep {
  std::shared_ptr<const Node> node;
  std::vector<int32_t> operands;  ///< numbers of values; -1: left out
  int32_t type;                   ///< of the result
  /// The step itself and all steps whose results go into this step's.
  StepSet needs;
  /// A Reshape of an input or of a constant: only the dims differ.
  bool is_head;
  /// A Reshape whose result is an output: the elements are those of the
  /// operand.
  bool is_tail;
  bool reports_zeros;

  /// Nothing is computed: other dims for what lies in memory, or numbers that
  /// the shape of the operand tells.
  bool is_view() const { return is_head || is_tail || node->rule.counts(); }
  /// How many operands are read; what follows tells a shape or axes.
  size_t reads() const {
    return node->op.moves_only || node->is_reduction ? 1 : operands.size();
  }
};

/// A tensor that the chain owns, without gaps.
struct ChainConstant {
  std::vector<int64_t> dims;
  std::vector<unsigned char> bytes;
  lw_tensor tensor;
  int64_t elements;
};

/// What messages call the parts of a chain that is not written as its user
/// sees the chain.
struct ChainNames {
  /// Of a composed operator, which has one step for its user.
  Label label = kChainLabel;
  /// By step: the user's number. None: its own number.
  std::vector<size_t> steps = {};
  /// How many constants, the last ones, the user has not given.
  size_t constants = 0;
  /// By output: the user's number. None: its own number.
  std::vector<size_t> outputs = {};
};

/// Values are numbered: the inputs, the constants, the results of the steps.
struct Chain {
  std::shared_ptr<const Engine> engine;
  ChainNames names;
  std::vector<int32_t> input_types;
  std::vector<ChainConstant> constants;
  std::vector<ChainStep> steps;
  std::vector<size_t> outputs;  ///< numbers of steps
  /// By input: whether a step reads its elements. Nobody looks at the pointer
  /// of another input, but for a shape when shapes are resolved.
  std::vector<bool> reads;
  bool reports_zeros = false;
  /// The chain runs in stages (runtime/stages).
  bool has_reductions = false;
  /// By input: whether a step reads a shape from it. What a call does then
  /// depends on data.
  std::vector<bool> shapes;
  bool reads_shapes = false;
  /// The highest rank of a constant, and of a shape that is known already.
  size_t known_rank = 0;

  size_t inputs() const { return input_types.size(); }
  size_t first_step() const { return inputs() + constants.size(); }
  bool IsInput(int32_t value) const {
    return static_cast<size_t>(value) < inputs();
  }
  bool IsStep(int32_t value) const {
    return value >= 0 && static_cast<size_t>(value) >= first_step();
  }
  size_t StepOf(int32_t value) const {
    return static_cast<size_t>(value) - first_step();
  }
  const Label& label() const { return names.label; }
  /// Puts the user's number of a step before the message of the last failure.
  lw_status FailIn(size_t step, lw_status status) const;
  size_t UserStep(size_t step) const {
    return step < names.steps.size() ? names.steps[step] : step;
  }
  /// The user's number of an output.
  size_t NumberOf(size_t output) const {
    return names.outputs.empty() ? output : names.outputs[output];
  }
  int32_t TypeOf(int32_t value) const;
  /// The input or constant that a value is, or is a view of (is_head); -1 for a
  /// value that is computed.
  int32_t RootOf(int32_t value) const;
  /// The step that computes the elements of output `k`.
  size_t SourceOf(size_t k) const;
  /// No value of a call has more dims. The inputs may be wrong in any way.
  size_t MostRank(const lw_tensor* tensors, size_t count) const;
};

/// What lw_chain_create was given.
struct ChainParts {
  const int32_t* input_types;
  size_t input_count;
  const lw_tensor* constants;
  size_t constant_count;
  const lw_step* steps;
  size_t step_count;
  const int32_t* outputs;
  size_t output_count;
  ChainNames names = {};
};

lw_status CheckCounts(const ChainParts& parts);
/// Checks that a step has an operator, and reads some of the first `known`
/// values.
lw_status CheckStep(const lw_step& step, size_t index, int32_t known);
/// The failure of an output that is a value which does not exist.
lw_status FailNoValue(size_t output, int32_t value);

lw_status MakeChain(std::shared_ptr<const Engine> engine,
                    const ChainParts& parts,
                    std::shared_ptr<const Chain>* chain);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_CHAIN_CHAIN_H_
