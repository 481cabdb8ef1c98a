// SPDX-License-Identifier: Apache-2.0
//
// Moves elements between non-contiguous memory and contiguous tiles.

#ifndef LANEWISE_KERNELS_TILES_H_
#define LANEWISE_KERNELS_TILES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanewise {

/// A tile is a buffer of at most this size on the stack: small enough to stay
/// in L1 beside the tiles of the other operands.
inline constexpr size_t kTileBytes = 4096;

/// `count` rows in memory, `step` bytes apart. Each row has `length` elements
/// that are `stride` elements apart. In the tile all elements are contiguous.
struct TileRows {
  char* memory;
  ptrdiff_t step;
  size_t count;
  ptrdiff_t stride;
  size_t length;
};

/// Takes the words of TileRows as arguments, in registers: a struct's words
/// would be stored one by one and copied two at a time, which waits for the
/// stores.
using TileMove = void (*)(char* memory, ptrdiff_t step, size_t count,
                          ptrdiff_t stride, size_t length, char* tile);

inline void RunMove(TileMove move, const TileRows& rows, char* tile) {
  move(rows.memory, rows.step, rows.count, rows.stride, rows.length, tile);
}

/// gather may read any bytes between the first and the last element of all
/// rows. scatter writes only the elements' own bytes. Neither requires more
/// than byte alignment.
struct TileMoves {
  TileMove gather;
  TileMove scatter;
};

/// Fills `bytes` of a tile with copies of its first `once` bytes.
inline void RepeatInTile(size_t once, size_t bytes, char* tile) {
  for (size_t filled = once; filled < bytes; filled *= 2) {
    std::memcpy(tile + filled, tile, std::min(filled, bytes - filled));
  }
}

/// The moves of the best of `targets`, for elements of 1, 2, 4, 8 and 16 bytes.
const TileMoves* TileMovesOn(int64_t targets);

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_TILES_H_
