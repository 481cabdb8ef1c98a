// SPDX-License-Identifier: Apache-2.0
//
// Moves elements between non-contiguous memory and contiguous tiles.

#ifndef LANEWISE_KERNELS_TILES_H_
#define LANEWISE_KERNELS_TILES_H_

#include <cstddef>
#include <cstdint>

namespace lanewise {

/// `count` rows in memory, `step` bytes apart. Each row has `length` elements
/// that are `stride` elements apart. In the tile all elements are contiguous.
struct TileRows {
  char* memory;
  ptrdiff_t step;
  size_t count;
  ptrdiff_t stride;
  size_t length;
};

using TileMove = void (*)(TileRows rows, char* tile);

/// gather may read bytes between the elements of a row, but none before the
/// first element or after the last. scatter writes only the elements' own
/// bytes. Neither requires more than byte alignment.
struct TileMoves {
  TileMove gather;
  TileMove scatter;
};

/// The moves of one Highway target, for elements of 1, 2, 4, 8 and 16 bytes.
const TileMoves* TileMovesOn(int64_t target);

}  // namespace lanewise

#endif  // LANEWISE_KERNELS_TILES_H_
