// SPDX-License-Identifier: Apache-2.0
//
// An engine determines where and how operators run. It is immutable, so any
// number of threads and operators can share it.

#ifndef LANEWISE_RUNTIME_ENGINE_ENGINE_H_
#define LANEWISE_RUNTIME_ENGINE_ENGINE_H_

#include <cstdint>
#include <memory>

#include "kernels/kernel.h"
#include "kernels/tiles.h"
#include "lanewise/lanewise.h"
#include "runtime/engine/executor.h"
#include "runtime/engine/trace.h"
#include "runtime/engine/tuning.h"

namespace lanewise {

struct Engine {
  int64_t target = 0;   ///< bit of a Highway target
  int64_t targets = 0;  ///< that target, and all worse ones that the CPU runs
  const TileMoves* tile_moves = nullptr;
  std::unique_ptr<const Executor> executor;
  Tuning tuning;
  Trace trace;
  /// Preferred among several kernels for the same type and pattern.
  PreferredWays ways;
  lw_accuracy accuracy = LW_ACCURACY_TIGHT;
  bool allow_zero_divisor = false;
  bool strict_opset = false;
  lw_string_type string_type = {};

  /// Only operators and types whose results are correctly rounded, in the
  /// default floating-point environment.
  bool is_exact() const { return accuracy == LW_ACCURACY_EXACT; }
};

/// Each value comes from the options, else the environment, else the defaults.
lw_status MakeEngine(const lw_engine_options& options,
                     std::shared_ptr<const Engine>* engine);

/// The engine that NULL stands for. Made on first use, from the environment.
lw_status DefaultEngine(std::shared_ptr<const Engine>* engine);

}  // namespace lanewise

struct lw_engine {
  std::shared_ptr<const lanewise::Engine> engine;
};

#endif  // LANEWISE_RUNTIME_ENGINE_ENGINE_H_
