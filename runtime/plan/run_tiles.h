// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_PLAN_RUN_TILES_H_
#define LANEWISE_RUNTIME_PLAN_RUN_TILES_H_

#include <cstdint>

#include "runtime/plan/run.h"

namespace lanewise {

/// Runs elements [begin, end) of a plan whose operands go through tiles.
void RunTiles(Run& run, int64_t begin, int64_t end);

/// The same for elements that are only moved: a tile of their own is needed
/// only where both sides are strided.
void MoveTiles(Run& run, int64_t begin, int64_t end);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_RUN_TILES_H_
