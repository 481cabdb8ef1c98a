// SPDX-License-Identifier: Apache-2.0
//
// What a step of a recipe (recipe.h) may do otherwise than its operator.

#ifndef LANEWISE_KERNELS_STEP_RULE_H_
#define LANEWISE_KERNELS_STEP_RULE_H_

#include <cstddef>
#include <cstdint>

namespace lanewise {

struct StepRule {
  enum Kind : uint8_t {
    kUsual,
    kReduceFrom,  ///< reduces dim `number` and all behind; no elements are fine
    kReduceOne,   ///< the same of dim `number` alone
    kReduceGroups,  ///< divides dim 1 into `number` groups, and reduces each
                    ///< with the dims behind: each channel has the result of
                    ///< its group
    kCountFrom,     ///< the numbers 0, 1, 2, ... in the shape of dim `number`
                    ///< and all behind; the elements are not read
    kCountOne,      ///< the same of dim `number` alone
    kStretch,       ///< the second input stretches to the first one's shape
    kEqual,         ///< both inputs have one shape
    kChannel,  ///< the second input has dims 1 to `number` of the first, -1:
               ///< all from dim 1 on
    kGroup,    ///< each input behind the first has one element for each of
               ///< `number` groups of channels (dim 1 of the first)
  };
  Kind kind = kUsual;
  int64_t number = 0;
  bool counts() const { return kind == kCountFrom || kind == kCountOne; }
  /// For messages: an input of the composed operator.
  struct Named {
    size_t index = 0;
    const char* name = "";
  };
  Named second = {};  ///< of which the second input is made
  Named first = {};   ///< kEqual: of which the first input is made
};

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_STEP_RULE_H_
