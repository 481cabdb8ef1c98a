// SPDX-License-Identifier: Apache-2.0
//
// The recipe of a composed operator (kernels/recipe.h), written down for
// operands of some types: nodes, what each reads, constants.

#ifndef LANEWISE_RUNTIME_RECIPE_RECIPE_WRITER_H_
#define LANEWISE_RUNTIME_RECIPE_RECIPE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/recipe.h"
#include "lanewise/lanewise.h"
#include "runtime/node/node.h"

namespace lanewise {

/// The types of all operands of a call; LW_ABSENT: left out.
struct OperandTypes {
  int32_t inputs[kMaxInputs] = {};
  int32_t outputs[LW_MAX_OUTPUTS] = {};
  bool operator==(const OperandTypes&) const = default;
};

/// Checks the types of the inputs, and finds those that outputs must have.
lw_status FindOutputTypes(const Node& node, OperandTypes* types);

struct WrittenRecipe {
  // Numbers of values: the operator's inputs, then these.
  static constexpr int32_t kFirstConstant = LW_MAX_INPUTS;
  static constexpr int32_t kFirstStep = kFirstConstant + LW_MAX_CONSTANTS;

  struct Constant {
    alignas(8) unsigned char bytes[8];
    int32_t type;
    lw_tensor tensor() const {
      return {const_cast<unsigned char*>(bytes), type, 0, nullptr, nullptr, 0};
    }
  };
  struct Step {
    lw_op op;
    std::vector<int32_t> operands;
  };
  std::vector<Constant> constants;
  std::vector<Step> steps;
  int32_t outputs[LW_MAX_OUTPUTS] = {};  ///< values
};

/// Writes the recipe for outputs that are there.
lw_status WriteRecipe(const Node& node, const OperandTypes& types,
                      WrittenRecipe* written);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_RECIPE_RECIPE_WRITER_H_
