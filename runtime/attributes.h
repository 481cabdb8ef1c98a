// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a node, checked once when its operator is made.

#ifndef LANEWISE_RUNTIME_ATTRIBUTES_H_
#define LANEWISE_RUNTIME_ATTRIBUTES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernel.h"
#include "lanewise/lanewise.h"
#include "runtime/status.h"

namespace lanewise {

struct Attributes {
  bool broadcast = false;      ///< Div-1, Div-6
  int64_t axis = -1;           ///< Div-1, Div-6: -1 means the suffix
  bool allow_zero = false;     ///< Reshape-14 and newer
  std::vector<int64_t> shape;  ///< Reshape-1
};

lw_status ParseAttributes(const Label& label, Form form,
                          const lw_attribute* given, size_t count,
                          Attributes* attributes);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_ATTRIBUTES_H_
