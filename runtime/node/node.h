// SPDX-License-Identifier: Apache-2.0
//
// A node of a model: one operator at one version with its attributes. Whatever
// can be looked up or checked once is settled when the node is made.

#ifndef LANEWISE_RUNTIME_NODE_NODE_H_
#define LANEWISE_RUNTIME_NODE_NODE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/operator.h"
#include "kernels/step_rule.h"
#include "lanewise/lanewise.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/status.h"
#include "runtime/node/attributes.h"
#include "runtime/node/registry.h"

namespace lanewise {

struct Node;

/// How elements of a type lie in memory. Strings have the host's size.
struct ElementLayout {
  size_t bits;
  size_t alignment;
};

}  // namespace lanewise

/// The opaque handle of the kernel API: a kernel, and the limits with which
/// lw_kernel_run checks its arguments.
struct lw_kernel {
  /// n elements take (n - 1) * step + bytes, or what packed_bits tell.
  struct Operand {
    size_t step;               ///< 0: one element for all
    size_t bytes;              ///< of an element
    uintptr_t alignment_mask;  ///< the bits of an address that must not be set
    size_t packed_bits;  ///< of an element, if several share a byte; else 0
    bool optional;
    bool is_as_wide;  ///< as the output's elements
    bool operator==(const Operand&) const = default;
  };
  const lanewise::Node* node;
  lanewise::KernelFn fn;
  const lanewise::Setup* setup;
  int32_t type;
  int32_t pattern;
  bool exact;      ///< the engine is exact
  bool is_simple;  ///< not exact, and reports no zero divisors
  size_t last_input;
  size_t most_bytes;         ///< of an element of any operand
  uintptr_t alignment_mask;  ///< the bits that any operand's mask has
  Operand in[lanewise::kPatternInputs];
  Operand out;
};

namespace lanewise {

/// What follows from the type that a call binds to T.
struct BoundTypes {
  const KernelFn* kernels;     ///< by pattern
  const Reduction* reduction;  ///< in place of these
  /// What an operand is in each call, by input; kOutput is the output.
  static constexpr size_t kOutput = kMaxInputs;
  int32_t types[kMaxInputs + 1];
  ElementLayout layouts[kMaxInputs + 1];
  bool has_plain_bytes;  ///< neither packed nor strings
  uint32_t plain_bytes;  ///< the largest call that plain_call.h may take
};

struct Node {
  std::shared_ptr<const Engine> engine;
  const Operator& op;
  const Form& form;
  const int version;
  const Label label;    ///< of messages; a recipe's steps have the recipe's
  const StepRule rule;  ///< of a recipe's step
  Attributes attributes;
  Params params;
  Setup setup;  ///< of jobs of one row
  KernelTable kernels;
  int base_pattern;      ///< see BasePattern
  size_t input_count;    ///< all that the form has, or the most of a variadic
  size_t least_inputs;   ///< without the optional ones at the end
  size_t kernel_inputs;  ///< all but shapes and types
  size_t plain_inputs;   ///< the most and the fewest that plain_call.h takes
  size_t least_plain;
  size_t binding_input;  ///< the first input whose type is T
  bool second_is_own;    ///< the second input has a type parameter of its own
  bool second_tells;     ///< which is the output's: Role::kType
  bool is_aligned;       ///< ShapeRule::kAligned
  bool is_reduction;     ///< ShapeRule::kReduced
  std::vector<lw_kernel> kernel_handles;  ///< by type, then pattern
  uint16_t bound_index[kTypeCount] = {};  ///< 1 + the index below; 0: none
  std::vector<BoundTypes> bound;
  /// What follows from pairs of types, and the tables that have the kernels.
  struct Pair {
    int32_t type;
    int32_t second;
    int32_t to;    ///< the output's, where inputs are aligned
    size_t index;  ///< in `bound`
  };
  std::vector<Pair> pairs;
  std::vector<KernelTable> pair_kernels;

  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Node(std::shared_ptr<const Engine> engine, const Operator& op, int version,
       Attributes attributes, const Label& label, const StepRule& rule);

  bool is_composed() const { return op.recipe != nullptr; }

  /// Input `k` of a call.
  const OperandInfo& InputInfo(size_t k) const { return form.Input(k); }
  /// How many of a call's inputs the kernel gets.
  size_t KernelInputsOf(size_t count) const {
    return form.variadic ? count : kernel_inputs;
  }
  /// Whether the kernel for the base pattern takes that many inputs. The kernel
  /// for any stride takes any number.
  bool HasPatterns(size_t inputs) const { return inputs == kernel_inputs; }
  ElementLayout LayoutOf(int32_t type) const;
  /// The thresholds for a type that the version lists.
  Tuning::PerCostClass TuningOf(int32_t type) const {
    // A type that the version lists only in pairs has no weight.
    return engine->tuning.For(op.cost,
                              std::max<size_t>(1, kernels.WeightOf(type)));
  }
  /// nullptr for a type that the version does not list.
  const BoundTypes* Bind(int32_t type) const {
    if (type <= 0 || type >= kTypeCount || bound_index[type] == 0) {
      return nullptr;
    }
    return &bound[bound_index[type] - 1u];
  }
  /// The same for the types of a call's operands, from which `type_of` tells
  /// that of input k.
  template <class Fn>
  const BoundTypes* BindBy(const Fn& type_of) const {
    const int32_t type = type_of(binding_input);
    if (is_aligned) {
      return BindAligned(type, type_of(1), OutputOf(type_of(1), type_of(2)));
    }
    return second_is_own ? BindPair(type, type_of(1)) : Bind(type);
  }
  const BoundTypes* BindPair(int32_t type, int32_t second) const;
  const BoundTypes* BindAligned(int32_t type, int32_t second, int32_t to) const;
  /// The output's type, where inputs of these types are aligned.
  int32_t OutputOf(int32_t second, int32_t third) const;
  /// The type of an operand in a call that binds `bound` to T.
  int32_t TypeOf(const OperandInfo& operand, int32_t bound) const {
    if (operand.told) return attributes.output_type();
    return operand.only != LW_ABSENT ? operand.only : bound;
  }
  /// LW_OK if kernels of `type` are there and can run.
  lw_status CheckType(int32_t type) const;
  /// The same for the types of both inputs, where second_is_own.
  lw_status CheckPair(int32_t type, int32_t second) const;
  /// Why no such types are bound, where inputs are aligned.
  lw_status FailAligned(int32_t type, int32_t second, int32_t to) const;
  lw_status FindKernel(int32_t type, int32_t pattern,
                       const lw_kernel** kernel) const;
  /// The status of a call that met `zeros.count` zero divisors.
  lw_status ReportZeros(lw_zero_divisors zeros) const {
    if (zeros.count == 0 || engine->allow_zero_divisor) return LW_OK;
    return FailZeroDivisors(label, zeros);
  }

 private:
  void BindTypes();
  void BindPairs();
  void BindAllAligned();
  void BindType(const KernelTable& table, int32_t type);
  void AddBound(const KernelTable& table, int32_t of, int32_t type,
                int32_t second, int32_t to);
  void MakeKernelHandles(const BoundTypes& types);
};

/// Makes the node that a name, an opset and attributes stand for.
lw_status MakeNode(std::shared_ptr<const Engine> engine, const char* name,
                   int32_t opset, const lw_attribute* attributes, size_t count,
                   std::shared_ptr<const Node>* node);
/// The same for an operator at one of its versions. `label`: of messages, if
/// not the operator's own.
lw_status MakeNode(std::shared_ptr<const Engine> engine, const Operator& op,
                   int version, const lw_attribute* attributes, size_t count,
                   std::shared_ptr<const Node>* node,
                   const Label* label = nullptr, const StepRule& rule = {});

class RecipeChains;  // runtime/recipe

}  // namespace lanewise

struct lw_op {
  std::shared_ptr<const lanewise::Node> node;
  /// Of a composed operator.
  std::shared_ptr<lanewise::RecipeChains> chains = nullptr;
};

#endif  // LANEWISE_RUNTIME_NODE_NODE_H_
