// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_TESTS_SUPPORT_ELEMENT_SIZE_H_
#define LANEWISE_TESTS_SUPPORT_ELEMENT_SIZE_H_

#include <cstddef>

#include "lanewise/lanewise.h"

namespace lanewise::test {

/// Bytes of an element of a type with whole bytes; written down here once more
/// so that the library's own table is not its own witness.
inline size_t ElementSize(lw_type type) {
  switch (type) {
    case LW_FLOAT16:
    case LW_BFLOAT16:
    case LW_INT16:
    case LW_UINT16:
      return 2;
    case LW_FLOAT32:
    case LW_INT32:
    case LW_UINT32:
      return 4;
    case LW_FLOAT64:
    case LW_INT64:
    case LW_UINT64:
    case LW_COMPLEX64:
      return 8;
    case LW_COMPLEX128:
    case LW_STRING:  // as lw_string
      return 16;
    default:
      return 1;
  }
}

}  // namespace lanewise::test

#endif  // LANEWISE_TESTS_SUPPORT_ELEMENT_SIZE_H_
