// SPDX-License-Identifier: Apache-2.0
//
// A chain that has reductions, cut into stages: parts, which are chains without
// reductions, and the reductions between them. A stage begins when the stages
// before it are done, with all elements or with those of a slice (slices.h).

#ifndef LANEWISE_RUNTIME_STAGES_CUT_H_
#define LANEWISE_RUNTIME_STAGES_CUT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "lanewise/lanewise.h"
#include "runtime/chain/chain.h"

namespace lanewise {

struct Stage {
  std::shared_ptr<const Chain> part;  ///< nullptr: a reduction
  std::vector<size_t> steps;          ///< of the whole chain
  /// The values of the whole chain that are the inputs and the outputs of the
  /// stage.
  std::vector<int32_t> reads;
  std::vector<int32_t> writes;
};

struct Stages {
  std::shared_ptr<const Chain> chain;  ///< the whole
  std::vector<Stage> stages;
};

lw_status CutIntoStages(std::shared_ptr<const Chain> chain, Stages* stages);

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_STAGES_CUT_H_
