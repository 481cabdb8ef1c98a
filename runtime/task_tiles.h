// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_TASK_TILES_H_
#define LANEWISE_RUNTIME_TASK_TILES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/tiles.h"
#include "runtime/plan.h"

namespace lanewise {

/// The tiles of one task, for the operands that need one. More than three tiles
/// are smaller, because the host's stack may be small.
class Tiles {
 public:
  explicit Tiles(const Plan& plan) {
    for (int k = 0; k < plan.operands(); ++k) {
      if (plan.IsScalar(k) || plan.NestOf(k).flat[k]) continue;
      index_[k] = static_cast<uint8_t>(count_++);
    }
    if (count_ > 3) bytes_ = sizeof(memory_) / count_ / 64 * 64;
  }
  size_t bytes() const { return bytes_; }  // of each tile
  char* Of(int operand) { return memory_ + index_[operand] * bytes_; }

 private:
  size_t count_ = 0;
  size_t bytes_ = kTileBytes;
  uint8_t index_[kMaxOperands];
  alignas(64) char memory_[3 * kTileBytes];
};

/// How many elements a tile of `bytes` has: whole rows if they are short, and
/// no more than fit for the largest element.
inline int64_t TileElements(const Plan& plan, size_t bytes) {
  size_t largest = 1;
  for (int k = 0; k < plan.nest.operands; ++k) {
    largest = std::max(largest, plan.element_bytes[k]);
  }
  const auto elements = static_cast<int64_t>(bytes / largest);
  const int64_t n = plan.nest.inner();
  if (plan.has_packed) return elements;  // tiles start with a byte
  return n < elements ? elements - elements % n : elements;
}

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_TASK_TILES_H_
