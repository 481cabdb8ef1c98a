// SPDX-License-Identifier: Apache-2.0
//
// Groups of channels (dim 1), where a step is done for each group: dim 1
// becomes two dims, which any strides allow.

#ifndef LANEWISE_RUNTIME_STAGES_GROUPS_H_
#define LANEWISE_RUNTIME_STAGES_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanewise/lanewise.h"

namespace lanewise {

/// A tensor whose dim 1 is two dims: groups, and `each` channels of a group, at
/// least one.
class DividedTensor {
 public:
  DividedTensor(const lw_tensor& whole, int64_t each);
  DividedTensor(DividedTensor&&) = default;

  const lw_tensor& tensor() const { return tensor_; }

 private:
  std::vector<int64_t> dims_;
  std::vector<int64_t> strides_;
  lw_tensor tensor_;
};

/// Hands the results of groups on to their channels: the first channel of each
/// group has the group's result.
struct GroupSpread {
  int64_t groups = 0;
  int64_t each = 0;   ///< channels of a group, which lie side by side
  int64_t bytes = 0;  ///< of an element

  void Run(char* channels) const;
};

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_STAGES_GROUPS_H_
