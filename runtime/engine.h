// SPDX-License-Identifier: Apache-2.0
//
// An engine: where and how work runs. It is immutable once made, so any number
// of threads can use it; operators share it.

#ifndef LANEWISE_RUNTIME_ENGINE_H_
#define LANEWISE_RUNTIME_ENGINE_H_

#include <cstdint>
#include <memory>

#include "kernels/tiles.h"
#include "lanewise/lanewise.h"
#include "runtime/executor.h"
#include "runtime/trace.h"
#include "runtime/tuning.h"

namespace lanewise {

struct Engine {
  int64_t target = 0;  ///< Highway's bit
  const TileMoves* tile_moves = nullptr;
  std::unique_ptr<const Executor> executor;
  Tuning tuning;
  Trace trace;
  bool allow_zero_divisor = false;
  lw_string_type string_type = {};
};

/// From the options, then the environment, then the defaults.
lw_status MakeEngine(const lw_engine_options& options,
                     std::shared_ptr<const Engine>* engine);

/// The engine that NULL stands for: made on first use, from the environment.
lw_status DefaultEngine(std::shared_ptr<const Engine>* engine);

}  // namespace lanewise

struct lw_engine {
  std::shared_ptr<const lanewise::Engine> engine;
};

#endif  // LANEWISE_RUNTIME_ENGINE_H_
