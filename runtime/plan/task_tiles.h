// SPDX-License-Identifier: Apache-2.0

#ifndef LANEWISE_RUNTIME_PLAN_TASK_TILES_H_
#define LANEWISE_RUNTIME_PLAN_TASK_TILES_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "kernels/tiles.h"
#include "runtime/plan/plan.h"

namespace lanewise {

/// The tiles of one task, for the operands that need one. More than four tiles
/// are smaller, because the host's stack may be small.
class Tiles {
 public:
  static constexpr size_t kFull = 4;

  explicit Tiles(const Plan& plan) {
    for (int k = 0; k < plan.operands(); ++k) {
      if (plan.IsScalar(k) || plan.NestOf(k).flat[k]) continue;
      index_[k] = static_cast<uint8_t>(count_++);
    }
    if (count_ > kFull) bytes_ = kFull * kTileBytes / count_ / 64 * 64;
  }
  size_t count() const { return count_; }
  size_t bytes() const { return bytes_; }  // of each tile
  char* Of(int operand) const { return memory_ + index_[operand] * bytes_; }
  void Use(char* memory) { memory_ = memory; }

 private:
  char* memory_ = nullptr;
  size_t count_ = 0;
  size_t bytes_ = kTileBytes;
  uint8_t index_[kMaxOperands];
};

/// What one job computes: rows of `length` elements, `pitch` elements apart in
/// the nest and `tile_pitch` elements apart in tiles.
struct Piece {
  int64_t begin;
  int64_t length;
  int64_t rows;
  int64_t pitch;
  int64_t tile_pitch;

  /// Whether tiles hold several parts of rows.
  bool is_block() const { return tile_pitch != 0; }
};

/// The size of the largest element.
inline size_t LargestElement(const Plan& plan) {
  return *std::max_element(plan.element_bytes,
                           plan.element_bytes + plan.nest.operands);
}

/// How many elements a tile of `bytes` has: whole rows if they are short, and
/// no more than fit for the largest element.
inline int64_t TileElements(const Plan& plan, size_t bytes) {
  const auto elements =
      static_cast<int64_t>(bytes >> std::countr_zero(LargestElement(plan)));
  const int64_t n = plan.nest.inner();
  if (plan.has_packed) return elements;  // tiles start with a byte
  return n < elements ? elements - elements % n : elements;
}

/// Whether an operand has several rows on one cache line: it is transposed.
inline bool SharesLines(const Plan& plan, int operand) {
  const int64_t* strides = plan.nest.strides[operand];
  const int64_t step = std::abs(strides[plan.nest.rank - 2]);
  const auto size = static_cast<int64_t>(plan.element_bytes[operand]);
  return step != 0 && step * size < 64 &&
         step < std::abs(plan.nest.inner_stride(operand));
}

struct BlockShape {
  int64_t rows;  ///< 0: blocks do not pay
  int64_t length;
};

/// A transposed operand has several rows on one cache line. Where a tile has
/// few whole rows and would read the line again and again, tiles hold parts of
/// more rows: whole lines of the other operands.
inline BlockShape BlockShapeOf(const Plan& plan, size_t bytes) {
  constexpr int64_t kFewRows = 4;
  constexpr int64_t kBlockRows = 8;
  if (plan.nest.rank < 2 || plan.keeps_order) return {};
  const auto size = static_cast<int64_t>(LargestElement(plan));
  const int64_t elements = static_cast<int64_t>(bytes) / size;
  const int64_t line = 64 / size;
  if (plan.nest.inner() * kFewRows <= elements) return {};
  const int64_t length = std::max(elements / kBlockRows / line * line, line);
  for (int k = 0; k < plan.nest.operands; ++k) {
    if (plan.IsScalar(k) || plan.nest.flat[k]) continue;
    if (SharesLines(plan, k)) return {elements / length, length};
  }
  return {};
}

}  // namespace lanewise

#endif  // LANEWISE_RUNTIME_PLAN_TASK_TILES_H_
