// SPDX-License-Identifier: Apache-2.0
//
// The support table of the C ABI, made from the operators' own descriptions.

#ifndef LANEWISE_RUNTIME_NODE_SIGNATURES_H_
#define LANEWISE_RUNTIME_NODE_SIGNATURES_H_

#include <cstddef>

#include "lanewise/lanewise.h"

namespace lanewise {

/// Row `index`; nullptr past the end.
const lw_signature* SignatureAt(size_t index);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_NODE_SIGNATURES_H_
