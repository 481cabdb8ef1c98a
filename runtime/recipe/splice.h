// SPDX-License-Identifier: Apache-2.0
//
// A chain whose steps have composed operators becomes one with the steps of
// their recipes.

#ifndef LANEWISE_RUNTIME_RECIPE_SPLICE_H_
#define LANEWISE_RUNTIME_RECIPE_SPLICE_H_

#include <memory>

#include "lanewise/lanewise.h"
#include "runtime/chain/chain.h"

namespace lanewise {

/// lw_chain_create.
lw_status MakeSplicedChain(std::shared_ptr<const Engine> engine,
                           const ChainParts& parts, lw_chain** chain);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_RECIPE_SPLICE_H_
